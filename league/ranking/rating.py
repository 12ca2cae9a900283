"""Ratings from finished games, at tables of every size and with partners.

Uses the Plackett-Luce model of openskill (Weng and Lin, 2011). All players begin level, with a
high uncertainty. Each game moves the winners up and the others down, and the less expected the
result, the more. No state is stored: the same games in the same order give the same ratings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["RatedGame", "Rating", "rated"]

CAUTION = 2  # a rating is shown with twice its standard deviation


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One finished game: the players of each side, and each side's share of the win."""

    sides: Sequence[Sequence[int]]
    won: Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating; the true one lies within `uncertainty` of it in 19 of 20 cases.

    `games` is the number of games rated and `won` the shares of them won, without any weighting.
    """

    value: float
    uncertainty: float
    games: int
    won: Fraction

    @property
    def cautious(self) -> float:
        """A conservative estimate, the rating minus its uncertainty. Lists are ordered by it."""
        return self.value - self.uncertainty


def rated(games: Iterable[RatedGame]) -> dict[int, Rating]:
    """Every player's rating after `games`, in the order given. A game with an empty side, or with
    the same player twice, is left out."""
    from openskill.models import PlackettLuce  # takes a while to load, and few pages rate

    model = PlackettLuce()
    ratings: dict[int, Any] = {}
    games_of: dict[int, list[Fraction]] = {}
    for game in games:
        if not _is_rateable(game):
            continue
        teams = [[ratings.get(player) or model.rating() for player in side] for side in game.sides]
        ranks = [0.0 if share_won else 1.0 for share_won in game.won]
        for side, new_ratings, share_won in zip(
            game.sides, model.rate(teams, ranks=ranks), game.won, strict=True
        ):
            for player, rating in zip(side, new_ratings, strict=True):
                ratings[player] = rating
                games_of.setdefault(player, []).append(share_won)
    return {player: _rating(rating, games_of[player]) for player, rating in ratings.items()}


def _is_rateable(game: RatedGame) -> bool:
    players = [player for side in game.sides for player in side]
    return len(game.sides) > 1 and all(game.sides) and len(set(players)) == len(players)


def _rating(model_rating: Any, shares_won: Sequence[Fraction]) -> Rating:
    return Rating(
        value=model_rating.mu,
        uncertainty=CAUTION * model_rating.sigma,
        games=len(shares_won),
        won=sum(shares_won, Fraction(0)),
    )
