"""Reading clubs, their people and their long work, each with a fixed number of queries."""

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
from league.members.paste import Known


def clubs_of(user: User) -> QuerySet[Club]:
    """The clubs where this account has a role, each with `rank`. One query."""
    rank = Role.objects.filter(club=OuterRef("pk"), user=user).values("rank")[:1]
    return Club.objects.filter(roles__user=user).annotate(rank=Subquery(rank)).order_by("name")


def player_of(club: Club, user: Any) -> Member | None:
    """The member of the club who this account is; None for a visitor or an account that is none."""
    if not user.is_authenticated:
        return None
    return Member.objects.current().filter(club=club, user=user).first()


def listed_clubs() -> QuerySet[Club]:
    """The public clubs that the first page names."""
    public = Club.objects.filter(visibility=Club.Visibility.STANDINGS, listed=True)
    return public.order_by("name")


def people_of(club: Club) -> QuerySet[Member]:
    """Everybody with a row of their own: not merged into another, not erased."""
    return club.members.filter(merged_into=None, erased_at=None)


def known_people(club: Club, *, but: Member | None = None) -> list[Known]:
    """Everybody on the list, merged rows under the name they went into; one query."""
    people = club.members.filter(erased_at=None).select_related("merged_into")
    if but is not None:
        people = people.exclude(pk=but.pk).exclude(merged_into=but)
    return [Known((p.merged_into or p).name, (p.name, *p.former_names)) for p in people]


def alike(member: Member) -> list[str]:
    """Names of the club that may be the same person, closest first. One query."""
    others = people_of(member.club).exclude(pk=member.pk).values_list("name", flat=True)
    same = [name for name in others if name.casefold() == member.name.casefold()]
    return same + looks_like(member.name, others)


def latest_rulesets(club: Club, *, retired: bool = False) -> list[ClubRuleset]:
    """The newest version of each of the club's rulesets. One query."""
    newest: dict[tuple[str, int], ClubRuleset] = {}
    for ruleset in club.rulesets.filter(retired=retired):
        newest.setdefault((ruleset.name, ruleset.players), ruleset)
    return list(newest.values())


def roles_of(club: Club) -> list[Role]:
    """Who has a role, the highest rank first. Two queries; `person` is the player linked to it."""
    people = {m.user_id: m for m in people_of(club).exclude(user=None)}
    roles = list(club.roles.select_related("user"))
    for role in roles:
        role.person = people.get(role.user_id)  # type: ignore[attr-defined]
    ladder = [Role.Rank.OWNER, Role.Rank.ORGANISER, Role.Rank.SCOREKEEPER, Role.Rank.MEMBER]
    return sorted(roles, key=lambda r: (ladder.index(Role.Rank(r.rank)), sort_key(str(r.user))))


def open_invitations(club: Club, *, at: datetime) -> QuerySet[Invitation]:
    """The invitations that can still be accepted. One query."""
    return club.invitations.open(at).select_related("member", "made_by", "to_user")


def invitations_of(user: User, *, at: datetime) -> QuerySet[Invitation]:
    """What this account is invited to. One query."""
    return Invitation.objects.open(at).filter(to_user=user).select_related("club", "member")


def players_of(user: User) -> QuerySet[Member]:
    """The people this account is, club by club. One query."""
    return user.players.select_related("club").order_by("club__name")


def default_rulesets(club: Club) -> QuerySet[ClubRuleset]:
    """What each table size plays by. One query."""
    return club.rulesets.filter(is_default=True).order_by("players")


def audit_of(club: Club) -> QuerySet[AuditEntry]:
    """Everything noted of the club, the newest first. One query."""
    return club.audit.select_related("session", "user").order_by("-id")


def tokens_of(club: Club) -> QuerySet[ApiToken]:
    """The club's tokens that are not revoked, the newest first. One query."""
    return club.tokens.filter(revoked_at=None).select_related("made_by")


def versions_of(chosen: ClubRuleset) -> list[ClubRuleset]:
    """Every version of one ruleset, the newest first. One query."""
    line = chosen.club.rulesets.filter(name=chosen.name, players=chosen.players)
    return list(line.select_related("made_by").order_by("-version"))


STARTING = timedelta(minutes=1)  # how long a worker may take to begin on a slow computer
LARGE = ("preview", "upload", "file")


def job_of(club: Club, public_id: str, rank: str | None) -> Job:
    """One job, for anyone who may do what it does; 404 for others."""
    job = _light(club).filter(public_id=public_id).first()
    if job is None or not reaches(rank, job.least):
        raise Http404
    return as_it_is(job)


def jobs_to_see(club: Club, rank: str | None) -> list[Job]:
    """The club's jobs of the last hour, and those somebody has still to go on with."""
    return [as_it_is(job) for job in _light(club) if reaches(rank, job.least)]


def as_it_is(job: Job) -> Job:
    """The job, shown as interrupted where its worker is gone. Nothing is written: that is done by
    the next worker, or by anyone who presses a button."""
    if job.state not in Job.UNDER_WAY or worker.is_at_work():
        return job
    job = _light(job.club).filter(pk=job.pk).first() or job  # it may have ended meanwhile
    starting = job.state == Job.State.WAITING and timezone.now() < job.changed_at + STARTING
    if job.state in Job.UNDER_WAY and not starting:
        job.state = Job.State.INTERRUPTED
    return job


def _light(club: Club) -> QuerySet[Job]:
    return Job.objects.filter(club=club).defer(*LARGE)


# An erased person is known again without storing the name: by keyed hashes of its spellings.


def erased_mark(club: Club, name: str) -> str:
    """What is stored of an erased name. Without the server's secret it cannot be compared."""
    return salted_hmac("league.erased", f"{club.pk}:{name_key(name)}").hexdigest()


def marks_of(club: Club, names: Iterable[str]) -> list[str]:
    return sorted({erased_mark(club, name) for name in names})


def erased_marks(club: Club) -> frozenset[str]:
    """The marks of everybody of the club who was erased. One query."""
    rows = club.members.exclude(erased_at=None).values_list("erased_marks", flat=True)
    return frozenset(one for row in rows for one in row)


def was_erased(club: Club, known: frozenset[str] | None = None) -> Callable[[str], bool]:
    """Asks of a name whether a person of the club was erased under it, as `known` marks say."""
    marks_here = erased_marks(club) if known is None else known
    return lambda name: bool(marks_here) and erased_mark(club, name) in marks_here
