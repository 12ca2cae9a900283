"""Queries of clubs, their people and their background jobs, each with a fixed query count."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404
from django.utils import timezone
from django.utils.crypto import salted_hmac

from league import worker
from league.access import reaches
from league.members.models import (
    ApiToken,
    AuditEntry,
    Club,
    ClubRuleset,
    Invitation,
    Job,
    Member,
    Role,
    User,
)
from league.members.names import looks_like, name_key, sort_key
from league.members.paste import KnownPerson


def clubs_of(user: User) -> QuerySet[Club]:
    """The clubs where this account has a role, annotated with its `rank`. One query."""
    rank = Role.objects.filter(club=OuterRef("pk"), user=user).values("rank")[:1]
    return Club.objects.filter(roles__user=user).annotate(rank=Subquery(rank)).order_by("name")


def player_of(club: Club, user: Any) -> Member | None:
    """The active member of the club linked to this account; None for visitors and others."""
    if not user.is_authenticated:
        return None
    return Member.objects.current().filter(club=club, user=user).first()


def listed_clubs() -> QuerySet[Club]:
    """The public clubs listed on the home page."""
    public = Club.objects.filter(visibility=Club.Visibility.STANDINGS, listed=True)
    return public.order_by("name")


CLUB_PATH = re.compile(r"/c/([\w-]+)/")


def public_club_of(path: str | None) -> Club | None:
    """The club to which the page at this path belongs, if the club is public."""
    match = CLUB_PATH.match(path or "")
    public = Club.objects.filter(visibility=Club.Visibility.STANDINGS)
    return public.filter(slug=match[1]).first() if match else None


def people_of(club: Club) -> QuerySet[Member]:
    """The club's people, except those erased or merged into another."""
    return club.members.filter(merged_into=None, erased_at=None)


def known_people(club: Club, *, except_for: Member | None = None) -> list[KnownPerson]:
    """The club's people with their spellings; merged ones under their current name. One query."""
    people = club.members.filter(erased_at=None).select_related("merged_into")
    if except_for is not None:
        people = people.exclude(pk=except_for.pk).exclude(merged_into=except_for)
    return [KnownPerson((p.merged_into or p).name, (p.name, *p.former_names)) for p in people]


def similar_names(member: Member) -> list[str]:
    """Names in the club that may be the same person, closest first. One query."""
    other_names = people_of(member.club).exclude(pk=member.pk).values_list("name", flat=True)
    same_names = [name for name in other_names if name.casefold() == member.name.casefold()]
    return same_names + looks_like(member.name, other_names)


def latest_rulesets(club: Club, *, retired: bool = False) -> list[ClubRuleset]:
    """The newest version of each of the club's rulesets. One query.

    Where an older version is the default, as a club from an old file may have it, the newest has it
    as `older_default`.
    """
    newest: dict[tuple[str, int], ClubRuleset] = {}
    for ruleset in club.rulesets.filter(retired=retired):
        latest = newest.setdefault((ruleset.name, ruleset.players), ruleset)
        if ruleset.is_default and ruleset != latest:
            latest.older_default = ruleset  # type: ignore[attr-defined]
    return list(newest.values())


def roles_of(club: Club) -> list[Role]:
    """The club's roles, highest first, each with the linked player as `person`. Two queries."""
    people = {m.user_id: m for m in people_of(club).exclude(user=None)}
    roles = list(club.roles.select_related("user"))
    for role in roles:
        role.person = people.get(role.user_id)  # type: ignore[attr-defined]
    ladder = [Role.Rank.OWNER, Role.Rank.ORGANISER, Role.Rank.SCOREKEEPER, Role.Rank.MEMBER]
    return sorted(roles, key=lambda r: (ladder.index(Role.Rank(r.rank)), sort_key(str(r.user))))


def unlinked_roles(club: Club) -> QuerySet[Role]:
    """The members' accounts that are not linked to a player yet. One query."""
    linked_users = club.members.exclude(user=None).values("user")
    roles = club.roles.filter(rank=Role.Rank.MEMBER, user__is_active=True)
    return roles.exclude(user__in=linked_users)


MOST_LIKELY = 6


def likely_players(user: User, players: Iterable[Member]) -> list[Member]:
    """The players who may be the person of this account: first those with nearly the same name,
    then those who share a word with it or with the user name."""
    by_name = {player.name: player for player in players}
    shown_name = user.display_name or user.username
    names = [name for name in by_name if name_key(name) == name_key(shown_name)]
    names += looks_like(shown_name, by_name)
    words = _words_of(f"{shown_name} {user.username}")
    names += [name for name in by_name if words & _words_of(name)]
    return [by_name[name] for name in dict.fromkeys(names)][:MOST_LIKELY]


def _words_of(text: str) -> set[str]:
    """The words of a name without accents, digits and initials."""
    return {word for word in re.findall(r"[^\W\d_]+", sort_key(text)) if len(word) > 1}


def open_invitations(club: Club, *, at: datetime) -> QuerySet[Invitation]:
    """The invitations that can still be accepted. One query."""
    return club.invitations.open(at).select_related("member", "made_by", "to_user")


def invitations_of(user: User, *, at: datetime) -> QuerySet[Invitation]:
    """The open invitations of this account. One query."""
    return Invitation.objects.open(at).filter(to_user=user).select_related("club", "member")


def players_of(user: User) -> QuerySet[Member]:
    """The players linked to this account, by club. One query."""
    return user.players.select_related("club").order_by("club__name")


LARGE_TABLES = {
    Club.SeatingPolicy.FIVES: {5},
    Club.SeatingPolicy.SIXES: {6},
    Club.SeatingPolicy.FIVES_SIXES: {5, 6},
    Club.SeatingPolicy.NO_SMALL: {5, 6},
    Club.SeatingPolicy.SIX_MAIN: {5, 6, 8},
}
"""The sizes beyond four that a choice of table sizes makes."""


def sizes_without_rules(club: Club) -> list[str]:
    """The table sizes that the club has chosen and has no house rules for. One query."""
    policy = Club.SeatingPolicy(club.seating_policy)
    own = {size for sizes in club.seating_table.values() for size in sizes}
    chosen = own if policy == Club.SeatingPolicy.OWN else LARGE_TABLES.get(policy, set())
    known = club.rulesets.filter(is_default=True).values_list("players", flat=True)
    return [str(size) for size in sorted(chosen - set(known))]


def default_rulesets(club: Club) -> QuerySet[ClubRuleset]:
    """The default ruleset of each table size. One query."""
    return club.rulesets.filter(is_default=True).order_by("players")


def audit_of(club: Club) -> QuerySet[AuditEntry]:
    """The club's activity log, the newest entry first. One query."""
    own = Member.objects.filter(club=OuterRef("club"), user=OuterRef("user"))
    entries = club.audit.select_related("session", "user").order_by("-id")
    return entries.annotate(player=Subquery(own.values("name")[:1]))


def tokens_of(club: Club) -> QuerySet[ApiToken]:
    """The club's tokens that are not revoked, the newest first. One query."""
    return club.tokens.filter(revoked_at=None).select_related("made_by")


def versions_of(club_ruleset: ClubRuleset) -> list[ClubRuleset]:
    """Every version of one ruleset, the newest first. One query."""
    versions = club_ruleset.club.rulesets.filter(
        name=club_ruleset.name, players=club_ruleset.players
    )
    return list(versions.select_related("made_by").order_by("-version"))


STARTUP_TIME = timedelta(minutes=1)  # how long a worker may take to begin on a slow computer
LARGE_FIELDS = ("preview", "upload", "file")


def job_of(club: Club, public_id: str, rank: str | None) -> Job:
    """One of the club's jobs; 404 for users whose role doesn't allow it."""
    job = _jobs_without_files(club).filter(public_id=public_id).first()
    if job is None or not reaches(rank, job.least):
        raise Http404
    return with_current_state(job)


def visible_jobs(club: Club, rank: str | None) -> list[Job]:
    """The club's recent and unfinished jobs that users of this role may see."""
    return [
        with_current_state(job) for job in _jobs_without_files(club) if reaches(rank, job.least)
    ]


def with_current_state(job: Job) -> Job:
    """The job, in the state interrupted if its worker is gone.

    Nothing is saved: the next worker or the next action does that.
    """
    if job.state not in Job.UNDER_WAY or worker.is_at_work():
        return job
    job = (
        _jobs_without_files(job.club).filter(pk=job.pk).first() or job
    )  # it may have finished meanwhile
    is_starting = job.state == Job.State.WAITING and timezone.now() < job.changed_at + STARTUP_TIME
    if job.state in Job.UNDER_WAY and not is_starting:
        job.state = Job.State.INTERRUPTED
    return job


def _jobs_without_files(club: Club) -> QuerySet[Job]:
    return Job.objects.filter(club=club).defer(*LARGE_FIELDS)


# Erased people are recognised without storing their names, by keyed hashes of the spellings.


def erased_mark(club: Club, name: str) -> str:
    """The keyed hash of an erased name: useless without the server's secret key."""
    return salted_hmac("league.erased", f"{club.pk}:{name_key(name)}").hexdigest()


def marks_of(club: Club, names: Iterable[str]) -> list[str]:
    return sorted({erased_mark(club, name) for name in names})


def erased_marks(club: Club) -> frozenset[str]:
    """The hashes of all erased names in the club. One query."""
    rows = club.members.exclude(erased_at=None).values_list("erased_marks", flat=True)
    return frozenset(mark for marks in rows for mark in marks)


def was_erased(club: Club, marks: frozenset[str] | None = None) -> Callable[[str], bool]:
    """Return a predicate: whether a person with this name was erased (by `marks`, if given)."""
    club_marks = erased_marks(club) if marks is None else marks
    return lambda name: bool(club_marks) and erased_mark(club, name) in club_marks
