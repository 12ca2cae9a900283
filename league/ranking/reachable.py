"""The places players can still reach, exact under the model that each function states.

reach_by_wins              wins and remaining rounds -> the places within reach (`PlaceReach`)
best_places, most_points   the same for a season: the best place, the most points
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from league.ranking.measures import RankingError

__all__ = ["PlaceReach", "best_places", "most_points", "reach_by_wins"]


@dataclass(frozen=True, slots=True)
class PlaceReach:
    """The best and the worst final place a player can still reach, from 1."""

    best: int
    worst: int


def reach_by_wins(
    won: Mapping[int, Fraction],
    playing: Collection[int],
    *,
    rounds: int,
    winners: int,
    most_winners: int = 0,
) -> dict[int, PlaceReach]:
    """The places within reach of every player in `won`, ranked by games won alone.

    `rounds` remain. In each, `winners` of the players in `playing` (up to `most_winners` where
    co-winners share a game) win a game: any of them, regardless of who sits with whom. Players who
    end level may come before or after each other. Raises `RankingError` where more than half of
    those playing would win.
    """
    if 2 * winners > len(playing):
        raise RankingError("More winners than tables of two and more can have.")
    possible_wins = {player: rounds if player in playing else 0 for player in won}
    return {
        player: PlaceReach(
            _best_place(player, won, possible_wins, rounds * winners),
            _worst_place(player, won, possible_wins, rounds * max(winners, most_winners)),
        )
        for player in won
    }


def _best_place(
    player: int,
    games_won: Mapping[int, Fraction],
    possible_wins: Mapping[int, int],
    total_wins: int,
) -> int:
    """The place if the player wins every game, and the remaining wins lift as few others as
    possible past them."""
    final_wins = games_won[player] + possible_wins[player]
    opponents = [opponent for opponent in games_won if opponent != player]
    ahead = [opponent for opponent in opponents if games_won[opponent] > final_wins]
    room = sum(possible_wins[opponent] for opponent in ahead)
    gains = []
    for opponent in opponents:
        if games_won[opponent] <= final_wins:
            harmless_wins = min(possible_wins[opponent], floor(final_wins - games_won[opponent]))
            room += harmless_wins
            gains.append(possible_wins[opponent] - harmless_wins)
    remaining_wins, place = total_wins - possible_wins[player] - room, 1 + len(ahead)
    for gain in sorted(gains, reverse=True):
        if remaining_wins <= 0:
            break
        remaining_wins, place = remaining_wins - gain, place + 1
    return place


def _worst_place(
    player: int,
    games_won: Mapping[int, Fraction],
    possible_wins: Mapping[int, int],
    total_wins: int,
) -> int:
    """The place if the player wins no more and the wins go to those who need fewest to catch up."""
    wins_needed = [
        max(0, ceil(games_won[player] - games_won[opponent]))
        for opponent in games_won
        if opponent != player
    ]
    limits = [possible_wins[opponent] for opponent in games_won if opponent != player]
    place = 1
    for required, _limit in sorted(
        pair for pair in zip(wins_needed, limits, strict=True) if pair[0] <= pair[1]
    ):
        if required > total_wins:
            break
        total_wins, place = total_wins - required, place + 1
    return place


def best_places(now: Mapping[int, Fraction], most: Mapping[int, Fraction]) -> dict[int, int]:
    """The best place each player in `most` can still reach in a season, where anyone may be absent.

    `now` are the present figures of those who have a place, below which they cannot fall; `most`
    is what a player ends with by taking everything still available. All others may be absent, so
    that newcomers take the rest. Of players who end level, any may come first.
    """
    return {
        player: 1 + sum(other != player and value > end for other, value in now.items())
        for player, end in most.items()
    }


def most_points(
    taken: Sequence[Fraction], evenings: int, *, first: Fraction, counting: int | None
) -> Fraction:
    """The most place points a player can end with by winning all `evenings` still to come. Of
    these and the points in `taken`, the best `counting` count (None: all)."""
    points = sorted([*taken, *[first] * evenings], reverse=True)
    return sum(points[:counting], Fraction(0))
