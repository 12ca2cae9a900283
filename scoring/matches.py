"""A match: games between the same sides, with laps carried over and slams that count twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.faults import Fault, fault
from scoring.games import GameState, play_game
from scoring.rulesets import Ruleset

_MOST = 200


@dataclass(frozen=True, slots=True)
class Match:
    """How a match is won: `best_of` an odd number of games, or the most of exactly `games`.

    >>> Match.from_json({"best_of": 3}), Match.from_json({"best_of": 4})
    (Match(best_of=3, games=None), None)
    """

    best_of: int | None = None
    games: int | None = None

    @classmethod
    def from_json(cls, data: object) -> "Match | None":
        """The match that the data describe, or None for other data."""
        if not isinstance(data, Mapping) or len(data) != 1:
            return None
        key, number = next(iter(data.items()))
        if key not in ("best_of", "games") or type(number) is not int or not 1 <= number <= _MOST:
            return None
        return None if key == "best_of" and number % 2 == 0 else cls(**{key: number})

    def over(self, counted: Sequence[int], played: int) -> bool:
        """Whether the match is decided, given the games counted by side and the number played."""
        if self.best_of is not None:
            return max(counted) >= (self.best_of + 1) // 2
        return played >= (self.games or 0)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a match.

    `carried` is its starting score by side; `games_counted` is what it is worth, 0 if unfinished.
    """

    state: GameState
    carried: tuple[int, ...]
    games_counted: int

    def to_json(self) -> dict[str, Any]:
        """The game's own JSON with the fields that the match adds."""
        return {
            **self.state.to_json(),
            "carried": list(self.carried),
            "excess": list(self.state.excess),
            "games_counted": self.games_counted,
        }


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match so far: `score` counts games by side; `winners` are seats, of all sides if drawn."""

    score: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]
    games: tuple[PlayedGame, ...]
    faults: tuple[Fault, ...]

    def to_json(self) -> dict[str, Any]:
        """The line that `check_game` prints, without the file's name."""
        return {
            "valid": not self.faults,
            "score": list(self.score),
            "over": self.over,
            "winners": list(self.winners),
            "games": [game.to_json() for game in self.games],
            "faults": [wrong.to_json() for wrong in self.faults],
        }


def play_match(rules: Ruleset, match: Match, games: Sequence[Mapping[str, Any]]) -> MatchState:
    """Fold games (`{"hands": [...]}`) into their match.

    With laps every winner begins the next game with their points above the target; if these reach
    the target again, that game is won without a hand. The excess of the last game lapses. A slam
    counts as two games.
    """
    sides = len(rules.sides)
    games_won, games_played = [0] * sides, 0
    carried = (rules.start,) * sides
    recorded: list[PlayedGame] = []
    faults: list[Fault] = []
    for number, game in enumerate(games, start=1):
        if match.over(games_won, games_played):
            faults.append(fault("game-over/game", rules.players, game=number))
        if recorded and not recorded[-1].state.over:
            faults.append(fault("game-unfinished/game", rules.players, game=number - 1))
        state = play_game(
            rules,
            game["hands"],
            first_dealer=game.get("first_dealer"),
            initial_score=carried,
        )
        faults += [replace(wrong, game=number) for wrong in state.faults]
        games_counted = state.games_counted if state.over else 0
        recorded.append(PlayedGame(state, carried, games_counted))
        if not match.over(games_won, games_played) and state.over:
            games_played += 1
            _count(rules, games_won, state.winners, games_counted)
            carried, games_played = _carry(rules, match, state.excess, games_won, games_played)
    over = match.over(games_won, games_played)
    best = [side for side in range(sides) if games_won[side] == max(games_won)]
    seats = sorted(seat for side in best for seat in rules.sides[side])
    return MatchState(
        tuple(games_won), over, tuple(seats) if over else (), tuple(recorded), tuple(faults)
    )


def _count(
    rules: Ruleset, games_won: list[int], winners: Sequence[int], games_counted: int
) -> None:
    for side, seats in enumerate(rules.sides):
        if seats[0] in winners:
            games_won[side] += games_counted


def _carry(
    rules: Ruleset, match: Match, excess: Sequence[int], games_won: list[int], games_played: int
) -> tuple[tuple[int, ...], int]:
    """The starting score of the next game, and the number of games played, after counting games
    that the carried points win by themselves."""
    carried, target = tuple(excess), rules.target
    if not any(carried):
        return (rules.start,) * len(games_won), games_played
    while target is not None and max(carried) >= target and not match.over(games_won, games_played):
        games_played += 1
        for side, points in enumerate(carried):
            games_won[side] += points >= target
        carried = tuple(max(0, points - target) for points in carried)
    return carried, games_played
