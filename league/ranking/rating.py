"""A rating out of finished games: who beat whom at tables of every size, with partners.

Plackett-Luce of openskill (Weng and Lin, 2011). Every person begins level and uncertain; each game
moves the winners up and the others down, the more the less the result was expected. Nothing is
kept between two counts: the same games in the same order give the same ratings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["RatedGame", "Rating", "rated"]

CAUTION = 2  # a rating is shown with twice its standard deviation


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One finished game: the people of each side, and each side's share of the win."""

    sides: Sequence[Sequence[int]]
    won: Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's rating; the true one lies within `uncertainty` of it in 19 of 20 cases.

    `games` were rated, of which `won` is the share won: plain wins, to read beside it.
    """

    value: float
    uncertainty: float
    games: int
    won: Fraction

    @property
    def cautious(self) -> float:
        """What the rating is at least, most likely: what the list is ordered by."""
        return self.value - self.uncertainty


def rated(games: Iterable[RatedGame]) -> dict[int, Rating]:
    """Everybody's rating after `games`, in their order. A game with an empty side, or with one
    person on two sides, is left out."""
    from openskill.models import PlackettLuce  # takes a while to load, and few pages rate

    model = PlackettLuce()
    now: dict[int, Any] = {}
    games_of: dict[int, list[Fraction]] = {}
    for game in games:
        people = [who for side in game.sides for who in side]
        if len(set(people)) < len(people) or not all(game.sides) or len(game.sides) < 2:
            continue
        teams = [[now.get(who) or model.rating() for who in side] for side in game.sides]
        ranks = [0.0 if won else 1.0 for won in game.won]
        for side, after, won in zip(
            game.sides, model.rate(teams, ranks=ranks), game.won, strict=True
        ):
            for who, rating in zip(side, after, strict=True):
                now[who] = rating
                games_of.setdefault(who, []).append(won)
    return {who: _rating(rating, games_of[who]) for who, rating in now.items()}


def _rating(model_rating: Any, won: Sequence[Fraction]) -> Rating:
    return Rating(
        value=model_rating.mu,
        uncertainty=CAUTION * model_rating.sigma,
        games=len(won),
        won=sum(won, Fraction(0)),
    )
