"""A cup as it is read: the rounds of its bracket, each match with its sides or whence they come."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from league.pairing.formats.knockout import Bracket, Match, Part, State
from league.teams.queries import Played
from league.teams.tables import MatchShown, match_shown
from league.tournaments.draws.knockout import round_name

NOT_SHOWN = (State.BYE, State.UNUSED)


@dataclass(frozen=True, slots=True)
class Place:
    """A match of the bracket: `shown` once it is fixed, unless a side has left since: then it is
    a `walkover` and nothing to come. The sides are by name, or "" while unknown."""

    sides: tuple[str, str]
    winner: str
    walkover: bool
    shown: MatchShown | None


def cup_shown(
    now: Bracket, matches: Iterable[Played], names: Mapping[int, str]
) -> list[tuple[str, list[Place]]]:
    """Each round with its name and its matches."""
    fixed = {one.match.place: match_shown(one) for one in matches if not one.is_off}
    found = []
    for (part, _round), group in groupby(now.matches.values(), lambda one: (one.part, one.round)):
        listed = list(group)
        title = _("Third place") if part is Part.THIRD_PLACE else round_name(len(listed))
        places = [_place(one, fixed, names) for one in listed if one.state not in NOT_SHOWN]
        if places:
            found.append((title, places))
    return found


def _place(match: Match, fixed: Mapping[str, MatchShown], names: Mapping[int, str]) -> Place:
    first, second = ("" if one is None else names[int(one)] for one in match.sides)
    return Place(
        sides=(first, second),
        winner="" if match.winner is None else names[int(match.winner)],
        walkover=match.state is State.WALKOVER,
        shown=fixed.get(match.key),
    )
