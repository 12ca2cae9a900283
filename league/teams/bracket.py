"""The bracket of a cup, of teams or of pairs, as its page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.utils.translation import gettext as _

from league.pairing.formats.knockout import Bracket, Match, Part, State
from league.tournaments.models import round_name

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


def bracket_shown(
    now: Bracket, fixed: Mapping[str, Fixed], names: Mapping[int, str]
) -> list[tuple[str, list[Place]]]:
    """Each round with its name and its matches."""
    found = []
    for (part, _round), group in groupby(now.matches.values(), lambda one: (one.part, one.round)):
        listed = list(group)
        title = _("Third place") if part is Part.THIRD_PLACE else round_name(2 * len(listed))
        places = [_place(one, fixed, names) for one in listed if one.state not in NOT_SHOWN]
        if places:
            found.append((title, places))
    return found


def _place(match: Match, fixed: Mapping[str, Fixed], names: Mapping[int, str]) -> Place:
    first, second = ("" if one is None else names[int(one)] for one in match.sides)
    return Place(
        sides=(first, second),
        winner="" if match.winner is None else names[int(match.winner)],
        walkover=match.state is State.WALKOVER,
        fixed=fixed.get(match.key),
    )
