"""The people of a team by their names: found in the club's list, or added to it."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import add_member
from league.members.audit import Actor
from league.members.erased import was_erased
from league.members.models import Club, Member
from league.members.names import name_key
from league.members.paste import Verdict, read_list
from league.members.queries import known_people
from league.teams.models import Team, TeamLeague, TeamPlayer


def players_named(
    fresh: TeamLeague, names: Sequence[str], *, by: Actor, same_name: bool
) -> list[Member]:
    """The members of these names, each once; new ones are added."""
    if not same_name:
        _ask_about_names(fresh.club, names)
    known: dict[str, list[Member]] = {}
    for member in Member.objects.current().filter(club=fresh.club_id):
        known.setdefault(member.name_key, []).append(member)
    found: dict[int, Member] = {}
    for name in names:
        same = known.get(name_key(name), [])
        if len(same) > 1:
            message = _("Two members are called %(name)s: give one of them another name first.")
            raise _at_names("two-of-the-name", message % {"name": name})
        member = same[0] if same else add_member(fresh.club, name=name, by=by, same_name=True)
        known[member.name_key] = [member]
        found[member.pk] = member
    return list(found.values())


def _ask_about_names(club: Club, names: Sequence[str]) -> None:
    """Ask once about all names of the list that are new and look like somebody's."""
    lines = read_list("\n".join(names), known_people(club), is_erased=was_erased(club))
    like = [
        _("%(name)s looks like %(other)s.") % {"name": x.name, "other": ", ".join(x.like[:3])}
        for x in lines
        if x.verdict == Verdict.LIKE
    ]
    like += [
        _("%(name)s: somebody of this name asked to be forgotten.") % {"name": x.name}
        for x in lines
        if x.verdict == Verdict.ERASED
    ]
    if like:
        fields = {"names": like}
        raise Refused("name-like", like[0], fields=fields, status=409, asks="same_name")


def keep_players(team: Team, people: Sequence[Member]) -> None:
    elsewhere = (
        TeamPlayer.objects.filter(league=team.league_id, member__in=people)
        .exclude(team=team)
        .select_related("member", "team")
        .first()
    )
    if elsewhere is not None:
        words = {"name": elsewhere.member.name, "team": elsewhere.team.name}
        raise _at_names("other_team", _("%(name)s plays for %(team)s.") % words)
    team.players.exclude(member__in=people).delete()
    there = set(team.players.values_list("member", flat=True))
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league_id=team.league_id, team=team, member=one)
        for one in people
        if one.pk not in there
    )


def captain_among(people: Sequence[Member], captain: str) -> Member | None:
    if not captain:
        return None
    found = next((one for one in people if one.name_key == name_key(captain)), None)
    if found is None:
        message = _("The captain is one of the team.")
        raise Refused("not-in-team", message, fields={"captain": [message]})
    return found


def _at_names(code: str, message: str) -> Refused:
    return Refused(code, message, fields={"names": [message]})
