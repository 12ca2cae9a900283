"""A pairs cup: pairs as they are typed, the next round, clashes of its days; brackets of cups."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.labels import as_partners
from league.members.models import Member
from league.members.names import name_key
from league.pairing.formats.knockout import Bracket, Match, Part, State, bracket
from league.teams.models import CupPair, PairsCup, PairsMatch, Team, TeamLeague, TeamMatch
from league.tournaments.models import round_name
from league.tournaments.queries import NameOf

BETWEEN = re.compile(r"\s*(?:,|;|&|/|\t)\s*")
"""What stands between the two names of a pair."""

NOT_SHOWN = (State.BYE, State.UNUSED)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A match that has been fixed: its day where that is agreed, its score, and the id of its page
    where it has one."""

    day: date | None
    score: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A match of the bracket: `fixed` unless it is still to come, or a side has left since: then it
    is a `walkover`. The sides are by name, or "" while unknown."""

    sides: tuple[str, str]
    winner: str
    walkover: bool
    fixed: Fixed | None


@dataclass(frozen=True, slots=True)
class Entered:
    """Two players of one team who enter as a pair."""

    team: Team
    first: Member
    second: Member


def squads_in_pairs(league: TeamLeague) -> str:
    """Every squad two by two, a pair a line, to begin with."""
    places = league.players.filter(team__withdrawn_at=None).select_related("member")
    lines = []
    for _team, squad in groupby(places.order_by("team", "pk"), lambda place: place.team_id):
        names = [place.member.name for place in squad]
        lines += [" & ".join(two) for two in zip(names[::2], names[1::2], strict=False)]
    return "\n".join(lines)


def read_pairs(league: TeamLeague, text: str) -> list[Entered]:
    """The pairs of a text, a pair a line. Refuses (`bad-pairs`) with a sentence a wrong line."""
    places = league.players.filter(team__withdrawn_at=None).select_related("member", "team")
    squads: dict[str, dict[int, tuple[Member, Team]]] = {}
    for place in places:
        squads.setdefault(place.member.name_key, {})[place.team_id] = (place.member, place.team)
    entered: list[Entered] = []
    faults: list[str] = []
    seen: set[int] = set()
    for line in filter(None, map(str.strip, text.splitlines())):
        one = _pair(line, squads)
        if isinstance(one, str):
            faults.append(one)
        elif seen & {one.first.pk, one.second.pk}:
            faults.append(_("“%(line)s”: a player can be in one pair only.") % {"line": line})
        else:
            entered.append(one)
            seen |= {one.first.pk, one.second.pk}
    if len(entered) < 2 and not faults:
        faults.append(_("Enter at least two pairs."))
    if faults:
        raise Refused("bad-pairs", faults[0], fields={"pairs": faults})
    return entered


def _pair(line: str, squads: dict[str, dict[int, tuple[Member, Team]]]) -> Entered | str:
    names = [name for name in BETWEEN.split(line) if name]
    if len(names) != 2:
        return _("“%(line)s”: write two names with & between them.") % {"line": line}
    first, second = (squads.get(name_key(name), {}) for name in names)
    both = [team for team in first if team in second]
    for name, one in zip(names, (first, second), strict=True):
        if not one:
            return _("%(name)s plays for no team of this league.") % {"name": name}
    if not both or first[both[0]][0] == second[both[0]][0]:
        return _("“%(line)s”: a pair is two players of one team.") % {"line": line}
    member, team = first[both[0]]
    return Entered(team, member, second[both[0]][0])


def pairs_bracket(pairs: Sequence[CupPair], matches: Iterable[PairsMatch]) -> Bracket:
    """The bracket of the pairs drawn, with every result so far; pairs of a team that left are
    out."""
    with pairing_refusals():
        now = bracket([pair.pk for pair in pairs])
    places = {meeting.key for meeting in now.meetings}
    results = {}
    for match in matches:
        winner = match.winner_id
        if winner is not None and match.place in places:
            loser = match.away_id if winner == match.home_id else match.home_id
            results[match.place] = (winner, loser)
    gone = {pair.pk for pair in pairs if pair.team.withdrawn_at is not None}
    return Bracket(now.entries, now.meetings, results, frozenset(gone))


def ready_matches(
    cup: PairsCup, now: Bracket, there: Collection[str], held_on: date
) -> list[PairsMatch]:
    """The matches of the next round that have no day yet, not saved."""
    ready = [one for one in now.ready() if one.label not in there]
    first = min((now.matches[one.label].round for one in ready), default=0)
    return [
        PairsMatch(
            cup=cup, place=one.label, home_id=int(one.first), away_id=int(one.second or 0),
            held_on=held_on,
        )
        for one in ready
        if now.matches[one.label].round == first
    ]  # fmt: skip


def clashes(league: TeamLeague, teams: Collection[int], days: Collection[date]) -> list[TeamMatch]:
    """The matches of these teams in the league and its cups on these days. One query."""
    plays = Q(home__in=teams) | Q(away__in=teams)
    matches = league.matches.filter(plays, held_on__in=days).select_related("home", "away")
    return list(matches.order_by("held_on", "pk"))


def pairs_shown(
    now: Bracket, matches: Iterable[PairsMatch], names: Mapping[int, str]
) -> list[tuple[str, list[Place]]]:
    """Each round with its name and its matches."""
    return bracket_shown(
        now, {match.place: Fixed(match.held_on, match.score) for match in matches}, names
    )


def pair_name(pair: CupPair, name_of: NameOf) -> str:
    """A pair as this reader may see it, with its team."""
    return f"{as_partners([name_of(pair.first), name_of(pair.second)])} ({pair.team.name})"


def bracket_shown(
    now: Bracket, fixed: Mapping[str, Fixed], names: Mapping[int, str]
) -> list[tuple[str, list[Place]]]:
    """Each round with its name and its matches."""
    columns = []
    for (part, _round), group in groupby(now.matches.values(), lambda one: (one.part, one.round)):
        listed = list(group)
        title = _("Third place") if part is Part.THIRD_PLACE else round_name(2 * len(listed))
        places = [_place(one, fixed, names) for one in listed if one.state not in NOT_SHOWN]
        if places:
            columns.append((title, places))
    return columns


def _place(match: Match, fixed: Mapping[str, Fixed], names: Mapping[int, str]) -> Place:
    first, second = ("" if one is None else names[int(one)] for one in match.sides)
    return Place(
        sides=(first, second),
        winner="" if match.winner is None else names[int(match.winner)],
        walkover=match.state is State.WALKOVER,
        fixed=fixed.get(match.key),
    )
