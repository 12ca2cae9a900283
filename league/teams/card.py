"""What is written on a match's card, before it is saved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from league.members.models import Member

Pairs = Sequence[tuple[Member, Member] | None]


@dataclass(frozen=True, slots=True)
class Card:
    """What is written on a card: the day, the pairs of both sides in order, the scores.

    A pair that did not come is None: its games are given. `scores` are the points of the home pair
    and of the visitors by (turn, home pair); a game that was not played is not among them.
    `received`: when the card arrived, where that was before it was written down here.
    """

    held_on: date
    home: Pairs
    away: Pairs
    scores: Mapping[tuple[int, int], tuple[int, int]]
    received: datetime | None = None

    @property
    def people(self) -> list[Member]:
        return [one for pair in (*self.home, *self.away) for one in pair or ()]

    def mark(self, home_pair: int, away_pair: int) -> str | None:
        """What a game comes to when a pair is missing: given to the other, void without both."""
        home, away = self.home[home_pair - 1], self.away[away_pair - 1]
        if home is None:
            return "void" if away is None else "away"
        return "home" if away is None else None
