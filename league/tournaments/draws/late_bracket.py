"""How somebody can still come into a bracket in which everybody has an opponent. No database."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused
from league.pairing.formats.knockout import Bracket, Part, State
from league.pairing.rng import Rng
from league.tournaments.draws.knockout import bracket_for
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.models import Entry
from league.tournaments.picture import BRACKETS, Picture


@dataclass(frozen=True, slots=True)
class LargerBracket:
    """Nobody has played yet: everybody is drawn anew, into a larger bracket with byes."""

    order: tuple[int, ...]
    bracket: Bracket
    seed: int

    kind = "larger"

    @property
    def first(self) -> list[tuple[int, int]]:
        """Who meets whom at once; two that have byes may meet in the second round at once."""
        return [(int(one.first), int(one.second or 0)) for one in self.bracket.ready()]

    @property
    def byes(self) -> list[int]:
        """Who goes on without a match of the first round, in the order of the draw."""
        main = [m for m in self.bracket.matches.values() if m.part is Part.MAIN and m.round == 1]
        free = {match.winner for match in main if match.state is State.BYE}
        return [one for one in self.order if one in free]

    @property
    def seen(self) -> str:
        """Tells this draw from any other: who agrees to it says which was looked at."""
        return hashlib.sha256(",".join(map(str, self.order)).encode()).hexdigest()[:16]


def by_seed_and_lot(entries: Iterable[Entry], seed: int) -> list[int]:
    """The order of the draw: seeds first, in order, the others by lot."""
    drawn = sorted(entries, key=lambda one: (one.pk is None, one.pk))
    Rng(seed).shuffle(drawn)
    drawn.sort(key=lambda one: (one.seed is None, one.seed or 0))
    return [one.pk or NEWCOMER for one in drawn]


def larger_bracket(picture: Picture, seed: int) -> LargerBracket:
    """Everybody and one entry more drawn into a larger bracket. A draft is no matter.

    Refuses (`no-place-left`) once somebody has played.
    """
    picture = replace(picture, rounds=picture.published)
    if picture.stage.format not in BRACKETS:
        raise Refused("no-place-left", _("This is no bracket."), status=409)
    if len(picture.published) != 1 or not picture.untouched:
        message = _("The bracket is full and a match has begun: nobody can join it any more.")
        raise Refused("no-place-left", message, status=409)
    order = by_seed_and_lot([*picture.entries.values(), Entry()], seed)
    return LargerBracket(tuple(order), bracket_for(picture, order), seed)
