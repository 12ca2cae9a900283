"""What follows from the games of a match: who won it, whether it is over, what each side took.

Pure. A position is a seat: an individual's own, or the first of the two seats of a pair.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from league.ranking.measures import Tally

__all__ = ["GameFacts", "MatchFacts"]

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class GameFacts:
    """One game: its table's key and size, its score by side, the seats that won.

    `over`: it ended, or was not played at all; then `counts` is false. `lone` are the lone marches
    and `loners` the hands tried alone by seat, `credit` what games won count beyond a share of the
    win, where each co-winner has the whole game. `start` is the score by side it began at, where
    points were carried over from the game before; empty for 0.
    """

    table: int
    players: int
    over: bool
    counts: bool
    score: tuple[int, ...]
    winners: tuple[int, ...]
    hands: int = 0
    target: int = 0
    start: tuple[int, ...] = ()
    lone: Mapping[int, int] = field(default_factory=dict)
    loners: Mapping[int, int] = field(default_factory=dict)
    credit: Mapping[int, Fraction] = field(default_factory=dict)

    @property
    def sides(self) -> int:
        return 2 if self.players == 4 else self.players

    @property
    def winning_sides(self) -> set[int]:
        """The sides that share the win; empty while it is played or when it was not played."""
        return {seat % self.sides for seat in self.winners} if self.over and self.counts else set()

    def share(self, position: int) -> Fraction:
        """The part of the win that goes to the side of this seat."""
        won = self.winning_sides
        return Fraction(1, len(won)) if position % self.sides in won else Fraction(0)


@dataclass(frozen=True)
class MatchFacts:
    """A match: entries by position, its games in order, and what was decided beside them.

    `of-pairs` tells a match of two pairs from a table of individuals. A match with no table at
    all is a walk-over; `reason` says why a match was given. `closed`: its round was ended by
    force, so no further game is played.
    `group` is the number of its group, `place` the key of its match in a bracket. `laps`: points
    above the target count towards the next game; `slam`: a game won with the losers at 0 counts
    as two.
    """

    key: int
    number: int
    sides: Mapping[int, int]
    games: tuple[GameFacts, ...] = ()
    winner: int | None = None
    decided_by: str = ""
    reason: str = ""
    best_of: int = 1
    of_pairs: bool = False
    closed: bool = False
    group: int | None = None
    place: str = ""
    laps: bool = False
    slam: bool = False

    @property
    def entries(self) -> tuple[int, ...]:
        return tuple(self.sides[position] for position in sorted(self.sides))

    @cached_property
    def played(self) -> tuple[GameFacts, ...]:
        """The games that ended and count."""
        return tuple(game for game in self.games if game.over and game.counts)

    @property
    def latest_score(self) -> tuple[int, ...]:
        """The score of its latest game by side; empty before it, and when it was called off."""
        return self.games[-1].score if self.games and self.games[-1].counts else ()

    @cached_property
    def wins(self) -> dict[int, Fraction]:
        """Games won, by position: a slam is two, and points carried may win one without a hand."""
        return self._counted.wins

    @property
    def carried(self) -> tuple[int, ...]:
        """What the next game begins at by side; empty where no points are carried."""
        return self._counted.carried

    def begins_at(self, game: GameFacts) -> tuple[int, ...]:
        """What one of its games begins at by the games before it; empty for 0."""
        return self._counted.starts[game.table]

    def counted(self, game: GameFacts) -> dict[int, Fraction]:
        """The games that one of its games counts, by position; empty while it is played."""
        return self._counted.by_game.get(game.table, {})

    @cached_property
    def _counted(self) -> "_Counted":
        counted = _Counted(dict.fromkeys(self.sides, Fraction(0)))
        for game in self.games:
            counted.starts[game.table] = counted.carried
            if game.over and game.counts:
                self._count(counted, game)
        return counted

    def _count(self, counted: "_Counted", game: GameFacts) -> None:
        """Add what a game is worth, and what its excess wins by itself (D-52, D-53)."""
        own = {p: game.share(p) * self._worth(game) for p in self.sides}
        counted.by_game[game.table] = own
        counted.add(own)
        side, excess = self._excess(game)
        while excess >= game.target > 0 and not counted.decide(self.best_of):
            won = {p: Fraction(p % game.sides == side) for p in self.sides}
            counted.by_game[game.table] = {p: own[p] + won[p] for p in own}
            own = counted.by_game[game.table]
            counted.add(won)
            excess -= game.target
        over = counted.decide(self.best_of) or not excess
        counted.carried = () if over else tuple(excess * (one == side) for one in range(game.sides))

    def _worth(self, game: GameFacts) -> int:
        """2 for a slam: one side has won and the others end at 0 or below."""
        won = game.winning_sides
        lost = [points for side, points in enumerate(game.score) if side not in won]
        return 2 if self.slam and len(won) == 1 and lost and max(lost) <= 0 else 1

    def _excess(self, game: GameFacts) -> tuple[int, int]:
        """The side that won and its points above the target; nothing without laps."""
        won = game.winning_sides
        if not self.laps or len(won) != 1 or not game.target or not game.score:
            return 0, 0
        side = min(won)
        return side, max(0, game.score[side] - game.target)

    @property
    def waits_for_game(self) -> bool:
        """Whether a game of it is on a table and not over."""
        return any(not game.over for game in self.games)

    @property
    def needs_another(self) -> bool:
        """Whether one more game must be played: nobody has won more than half of them yet."""
        if not self.of_pairs or self.winner is not None or self.waits_for_game or self.closed:
            return False
        if max(self.wins.values(), default=Fraction(0)) * 2 > self.best_of:
            return False
        return len(self.played) < self.best_of

    @property
    def unneeded(self) -> bool:
        """Whether its next game is seated and not begun, though the games before it, corrected
        since, decide it."""
        if not self.of_pairs or self.closed or len(self.games) < 2:
            return False
        last = self.games[-1]
        return not (last.over or last.hands) and self._counted.decide(self.best_of)

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.winner is not None or not (self.waits_for_game or self.needs_another)

    @cached_property
    def first(self) -> int | None:
        """The position that won; None while undecided, and for a tie or co-winners."""
        if self.winner is not None:
            return self.winner
        return self.by_games if self.over else None

    @property
    def by_games(self) -> int | None:
        """The position that its games alone would have win."""
        if not self.played:
            return None
        best = max(self.wins.values())
        ahead = [position for position, won in self.wins.items() if won == best]
        if self.of_pairs:
            return ahead[0] if len(ahead) == 1 else None
        game = self.played[-1]
        return min(game.winners) if len(game.winning_sides) == 1 else None

    @property
    def corrected_since(self) -> bool:
        """Whether the games now say another winner than the one the next round was drawn from."""
        stands = self.winner is not None and not self.decided_by
        return stands and bool(self.played) and self.by_games != self.winner

    @property
    def tied(self) -> bool:
        """Whether it is over and nobody is ahead."""
        return self.over and self.first is None and bool(self.played)

    def won(self, position: int) -> Fraction:
        """1 for the winner of the match, 1/2 each for a tie, else 0."""
        if self.first is not None:
            side = 2 if self.of_pairs or self.players == 4 else max(self.players, 1)
            return Fraction(self.first % side == position % side)
        return HALF if self.tied else Fraction(0)

    @property
    def players(self) -> int:
        return self.games[-1].players if self.games else 0

    def points(self, position: int) -> int:
        """The hand points of a side in the games that count."""
        return sum(own_points(game, position % game.sides) for game in self.played if game.score)

    def tally(self, game: GameFacts, position: int) -> Tally:
        """What the side of this seat took from one game."""
        side = position % game.sides
        scored = [own_points(game, index) for index in range(len(game.score))]
        others = [points for index, points in enumerate(scored) if index != side]
        ended = int(game.over)
        seats = (position, position + 2) if self.of_pairs else (position,)
        points = scored[side] if scored else 0
        against = Fraction(sum(others), len(others)) if others else Fraction(0)
        return Tally(
            target=game.target,
            games=ended,
            hands=game.hands,
            credit=game.credit.get(position, 0),
            won=self._counted.by_game.get(game.table, {}).get(position, game.share(position)),
            expected=Fraction(ended, game.sides),
            points=points,
            in_finished=points * ended,
            against=against,
            by_hand=points if game.hands else 0,
            by_hand_against=against if game.hands else 0,
            lone_tried=sum(game.loners.get(seat, 0) for seat in seats),
            lone_marches=sum(game.lone.get(seat, 0) for seat in seats),
        )


def own_points(game: GameFacts, side: int) -> int:
    """What a side took in a game itself, without the points it began with."""
    return game.score[side] - (game.start[side] if game.start else 0)


@dataclass(slots=True)
class _Counted:
    """Games counted so far, by position and by game; what each began at, and the next will."""

    wins: dict[int, Fraction]
    by_game: dict[int, dict[int, Fraction]] = field(default_factory=dict)
    starts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    carried: tuple[int, ...] = ()

    def add(self, won: Mapping[int, Fraction]) -> None:
        for position, games in won.items():
            self.wins[position] += games

    def decide(self, best_of: int) -> bool:
        """Whether somebody has won more than half of the games."""
        return max(self.wins.values(), default=Fraction(0)) * 2 > best_of
