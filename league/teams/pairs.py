"""A pairs cup: reading typed pairs, the next round, clashes of dates; brackets of all cups."""

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

SEPARATOR = re.compile(r"\s*(?:,|;|&|/|\t)\s*")
"""What separates the two names of a pair."""

NOT_SHOWN = (State.BYE, State.UNUSED)


@dataclass(frozen=True, slots=True)
class FixedMatch:
    """A match that has been fixed: its day (None while that is still to be agreed), its score, and
    the public id of its page, if it has one. `tied`: played, but its deciding game is missing."""

    day: date | None
    score: str = ""
    page: str = ""
    tied: bool = False


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """A match of the bracket. The sides are names, or "" while unknown. `fixed` is None while the
    match is to be arranged, or if a side has left since, which makes it a `walkover`."""

    sides: tuple[str, str]
    winner: str
    walkover: bool
    fixed: FixedMatch | None


@dataclass(frozen=True, slots=True)
class PairEntry:
    """Two players of one team who enter as a pair."""

    team: Team
    first: Member
    second: Member


def squads_in_pairs(league: TeamLeague) -> str:
    """All squads split into pairs, one pair per line, as a first draft for the form."""
    places = league.players.filter(team__withdrawn_at=None).select_related("member")
    lines = []
    for _team, squad in groupby(places.order_by("team", "pk"), lambda place: place.team_id):
        names = [place.member.name for place in squad]
        lines += [" & ".join(pair) for pair in zip(names[::2], names[1::2], strict=False)]
    return "\n".join(lines)


def read_pairs(league: TeamLeague, text: str) -> list[PairEntry]:
    """Read pairs from a text, one per line. Refuses (`bad-pairs`) with a sentence per bad line."""
    places = league.players.filter(team__withdrawn_at=None).select_related("member", "team")
    squads: dict[str, dict[int, tuple[Member, Team]]] = {}
    for place in places:
        squads.setdefault(place.member.name_key, {})[place.team_id] = (place.member, place.team)
    entries: list[PairEntry] = []
    errors: list[str] = []
    members_used: set[int] = set()
    for line in filter(None, map(str.strip, text.splitlines())):
        entry = _read_pair(line, squads)
        if isinstance(entry, str):
            errors.append(entry)
        elif members_used & {entry.first.pk, entry.second.pk}:
            errors.append(_("“%(line)s”: a player can be in one pair only.") % {"line": line})
        else:
            entries.append(entry)
            members_used |= {entry.first.pk, entry.second.pk}
    if len(entries) < 2 and not errors:
        errors.append(_("Enter at least two pairs."))
    if errors:
        raise Refused("bad-pairs", errors[0], fields={"pairs": errors})
    return entries


def _read_pair(line: str, squads: dict[str, dict[int, tuple[Member, Team]]]) -> PairEntry | str:
    names = [name for name in SEPARATOR.split(line) if name]
    if len(names) != 2:
        return _("“%(line)s”: write two names with & between them.") % {"line": line}
    first, second = (squads.get(name_key(name), {}) for name in names)
    common_teams = [team for team in first if team in second]
    for name, teams in zip(names, (first, second), strict=True):
        if not teams:
            return _("%(name)s plays for no team of this league.") % {"name": name}
    if not common_teams or first[common_teams[0]][0] == second[common_teams[0]][0]:
        return _("“%(line)s”: a pair is two players of one team.") % {"line": line}
    member, team = first[common_teams[0]]
    return PairEntry(team, member, second[common_teams[0]][0])


def pairs_bracket(pairs: Sequence[CupPair], matches: Iterable[PairsMatch]) -> Bracket:
    """The bracket of a pairs cup with all results so far; pairs of a team that has left are out."""
    with pairing_refusals():
        drawn = bracket([pair.pk for pair in pairs])
    places = {meeting.key for meeting in drawn.meetings}
    results = {}
    for match in matches:
        winner = match.winner_id
        if winner is not None and match.place in places:
            loser = match.away_id if winner == match.home_id else match.home_id
            results[match.place] = (winner, loser)
    withdrawn = {pair.pk for pair in pairs if pair.team.withdrawn_at is not None}
    return Bracket(drawn.entries, drawn.meetings, results, frozenset(withdrawn))


def ready_matches(
    cup: PairsCup, cup_bracket: Bracket, dated_places: Collection[str], held_on: date
) -> list[PairsMatch]:
    """The matches of the next round whose places are not in `dated_places`, not saved."""
    ready = [meeting for meeting in cup_bracket.ready() if meeting.label not in dated_places]
    next_round = min((cup_bracket.matches[meeting.label].round for meeting in ready), default=0)
    return [
        PairsMatch(
            cup=cup,
            place=meeting.label,
            home_id=int(meeting.first),
            away_id=int(meeting.second or 0),
            held_on=held_on,
        )
        for meeting in ready
        if cup_bracket.matches[meeting.label].round == next_round
    ]


def clashes(league: TeamLeague, teams: Collection[int], days: Collection[date]) -> list[TeamMatch]:
    """The matches of these teams in the league and its cups on these days. One query."""
    plays = Q(home__in=teams) | Q(away__in=teams)
    matches = league.matches.filter(plays, held_on__in=days).select_related("home", "away")
    return list(matches.order_by("held_on", "pk"))


def pairs_shown(
    cup_bracket: Bracket, matches: Iterable[PairsMatch], names: Mapping[int, str]
) -> list[tuple[str, list[BracketPlace]]]:
    """Each round of the bracket: its name and its matches."""
    return bracket_shown(
        cup_bracket,
        {match.place: FixedMatch(match.held_on, match.score) for match in matches},
        names,
    )


def pair_name(pair: CupPair, name_of: NameOf) -> str:
    """A pair as this reader may see it, with its team."""
    return f"{as_partners([name_of(pair.first), name_of(pair.second)])} ({pair.team.name})"


def bracket_shown(
    cup_bracket: Bracket, fixed: Mapping[str, FixedMatch], names: Mapping[int, str]
) -> list[tuple[str, list[BracketPlace]]]:
    """Each round of the bracket: its name and its matches."""
    columns = []
    for (part, _round), group in groupby(
        cup_bracket.matches.values(), lambda match: (match.part, match.round)
    ):
        listed = list(group)
        title = _("Third place") if part is Part.THIRD_PLACE else round_name(2 * len(listed))
        places = [
            _bracket_place(match, fixed, names) for match in listed if match.state not in NOT_SHOWN
        ]
        if places:
            columns.append((title, places))
    return columns


def _bracket_place(
    match: Match, fixed: Mapping[str, FixedMatch], names: Mapping[int, str]
) -> BracketPlace:
    first, second = ("" if side is None else names[int(side)] for side in match.sides)
    return BracketPlace(
        sides=(first, second),
        winner="" if match.winner is None else names[int(match.winner)],
        walkover=match.state is State.WALKOVER,
        fixed=fixed.get(match.key),
    )
