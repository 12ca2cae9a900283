"""Leading players and pairs of a league: games won, the longest runs without a defeat. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a card: the pair, and its share of the win; in order of play."""

    pair: tuple[Any, Any]
    won: Fraction


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """Somebody's games, or a pair's: `longest` is the longest run without a defeat."""

    who: Any
    games: int
    won: Fraction
    longest: int


def player_records(games: Iterable[Played]) -> list[PlayerRecord]:
    """Everybody who played, the most games won first, then the fewest games."""
    return _ranked((one, game.won) for game in games for one in game.pair)


def pair_records(games: Iterable[Played]) -> list[PlayerRecord]:
    """The same for pairs, whichever of the two stands first."""
    return _ranked((tuple(sorted(game.pair)), game.won) for game in games)


def _ranked(taken: Iterable[tuple[Any, Fraction]]) -> list[PlayerRecord]:
    shares: dict[Any, list[Fraction]] = {}
    for who, won in taken:
        shares.setdefault(who, []).append(won)
    found = [
        PlayerRecord(who, len(won), sum(won, Fraction(0)), _longest_run(won))
        for who, won in shares.items()
    ]
    return sorted(found, key=lambda one: (-one.won, one.games, -one.longest, one.who))


def _longest_run(won: Iterable[Fraction]) -> int:
    longest = run = 0
    for share in won:
        run = run + 1 if share else 0
        longest = max(longest, run)
    return longest
