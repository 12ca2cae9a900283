"""A match and its games: who won, whether it is over, what each side took. Pure.

A position is a seat: an individual's own, or the first of the two seats of a pair.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from league.ranking.measures import Tally

__all__ = ["BREAK_TIES", "GameFacts", "MatchFacts"]

HALF = Fraction(1, 2)
BREAK_TIES = ("extra_hand", "cut")
"""The decisions that hold only while the games of a match leave it tied."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """One game: its table's key and size, its score by side, the seats that won.

    `over`: it ended, or was not played at all (then `counts` is false). By seat, `lone` counts lone
    marches and `loners` the hands played alone; `credit` is what a game won counts beyond a share
    of the win where each co-winner gets the whole game. `start` is the score by side at which the
    game began, where points were carried over from the previous one; empty for 0. `public_id` is
    in the address of its page.
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
    public_id: str = ""

    @property
    def sides(self) -> int:
        return 2 if self.players == 4 else self.players

    @property
    def winning_sides(self) -> set[int]:
        """The sides that share the win; empty during play and for a game that was not played."""
        return {seat % self.sides for seat in self.winners} if self.over and self.counts else set()

    def share(self, position: int) -> Fraction:
        """The share of the win that goes to the side of this seat."""
        winning_sides = self.winning_sides
        if position % self.sides not in winning_sides:
            return Fraction(0)
        return Fraction(1, len(winning_sides))


@dataclass(frozen=True)
class MatchFacts:
    """A match: its entries by position, its games in order, and decisions made outside the games.

    `of_pairs`: two pairs play, not a table of individuals. A match without any table is a
    walk-over; `reason` says why it was awarded. `closed`: the organiser ended its round, so no
    further game is played. `undone`: a correction changed who meets here, so that it is closed and
    counts for nothing. `group` is the number of its group, `place` the key of the match in a
    bracket. `laps`: points above the target count towards the next game. `slam`: a game won with
    the losers at 0 counts as two.
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
    undone: bool = False
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
    def is_unplayed_walkover(self) -> bool:
        """Whether a side has it by walk-over and no game of it counts: the two have not met."""
        return not self.games or (self.decided_by == "walkover" and not self.played)

    @property
    def latest_score(self) -> tuple[int, ...]:
        """The score of the latest game by side; empty before the first and for one called off."""
        return self.games[-1].score if self.games and self.games[-1].counts else ()

    @cached_property
    def wins(self) -> dict[int, Fraction]:
        """Games won, by position. A slam counts two; carried points may win a game unplayed."""
        return self._counted.wins

    @property
    def carried(self) -> tuple[int, ...]:
        """The score by side at which the next game begins; empty where no points carry over."""
        return self._counted.carried

    def begins_at(self, game: GameFacts) -> tuple[int, ...]:
        """The score by side at which this game begins, from the earlier games; empty for 0."""
        return self._counted.starts[game.table]

    def counted(self, game: GameFacts) -> dict[int, Fraction]:
        """How many games won this game counts as, by position; empty during play."""
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
        """Add what a game is worth, and the games that its excess points win (D-52, D-53)."""
        wins = {p: game.share(p) * self._worth(game) for p in self.sides}
        counted.by_game[game.table] = wins
        counted.add(wins)
        side, excess = self._excess(game)
        while excess >= game.target > 0 and not counted.decide(self.best_of):
            extra_wins = {p: Fraction(p % game.sides == side) for p in self.sides}
            counted.by_game[game.table] = {p: wins[p] + extra_wins[p] for p in wins}
            wins = counted.by_game[game.table]
            counted.add(extra_wins)
            excess -= game.target
        over = counted.decide(self.best_of) or not excess
        counted.carried = () if over else tuple(excess * (n == side) for n in range(game.sides))

    def _worth(self, game: GameFacts) -> int:
        """How many games it counts: 2 for a slam (the losers end at 0 or below), else 1."""
        winning_sides = game.winning_sides
        losing_scores = [
            points for side, points in enumerate(game.score) if side not in winning_sides
        ]
        if not self.slam or len(winning_sides) != 1 or not losing_scores:
            return 1
        return 2 if max(losing_scores) <= 0 else 1

    def _excess(self, game: GameFacts) -> tuple[int, int]:
        """The side that won and its points above the target; (0, 0) without laps."""
        winning_sides = game.winning_sides
        if not self.laps or len(winning_sides) != 1 or not game.target or not game.score:
            return 0, 0
        side = min(winning_sides)
        return side, max(0, game.score[side] - game.target)

    @property
    def waits_for_game(self) -> bool:
        """Whether one of its games is at a table and not over."""
        return any(not game.over for game in self.games)

    @property
    def has_hands_in_play(self) -> bool:
        """Whether hands were entered of a game that is not over."""
        return any(game.hands and not game.over for game in self.games)

    @property
    def needs_another(self) -> bool:
        """Whether another game must be played: no one has won more than half of them yet."""
        if not self.of_pairs or self.winner is not None or self.waits_for_game or self.closed:
            return False
        if max(self.wins.values(), default=Fraction(0)) * 2 > self.best_of:
            return False
        return len(self.played) < self.best_of

    @property
    def unneeded(self) -> bool:
        """Whether its latest game is seated but has not begun, and the games before it already
        decide the match after a correction."""
        if not self.of_pairs or self.closed or len(self.games) < 2:
            return False
        latest = self.games[-1]
        return not (latest.over or latest.hands) and self._counted.decide(self.best_of)

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        is_decided = self.undone or self.winner is not None
        return is_decided or not (self.waits_for_game or self.needs_another)

    @cached_property
    def first(self) -> int | None:
        """The position that won; None while undecided, and for a tie or co-winners."""
        if self.winner is not None:
            return self.winner
        return self.by_games if self.over else None

    @property
    def by_games(self) -> int | None:
        """The position that wins by the games alone."""
        if not self.played:
            return None
        best = max(self.wins.values())
        leading = [position for position, won in self.wins.items() if won == best]
        if self.of_pairs:
            return leading[0] if len(leading) == 1 else None
        game = self.played[-1]
        return min(game.winners) if len(game.winning_sides) == 1 else None

    @property
    def is_tie_gone(self) -> bool:
        """Whether it was decided as a tie and a correction has since ended or reopened the tie."""
        is_tied = self.by_games is None and not self.waits_for_game
        return self.decided_by in BREAK_TIES and not is_tied

    def as_games_say(self) -> "MatchFacts":
        """The match without a decision of a tie that is gone."""
        return replace(self, winner=None, decided_by="") if self.is_tie_gone else self

    @property
    def corrected_since(self) -> bool:
        """Whether the games, after a correction, give another winner than the one recorded when
        the next round was drawn."""
        if self.winner is None or not self.played or self.by_games == self.winner:
            return False
        return self.is_tie_gone or not self.decided_by

    @property
    def tied(self) -> bool:
        """Whether it is over and no one is ahead."""
        return self.over and self.first is None and bool(self.played)

    def won(self, position: int) -> Fraction:
        """1 for the winner of the match, 1/2 each for a tie, else 0; as the games are now."""
        winner = self.first
        if self.corrected_since and self.by_games is not None:
            winner = self.by_games
        if winner is not None:
            return Fraction(self._are_together(winner, position))
        return HALF if self.tied else Fraction(0)

    def won_by_now(self, position: int) -> bool:
        """Whether it won, by the corrected games if the next round was drawn before they were."""
        winner = self.by_games if self.corrected_since else self.first
        return self.over and winner is not None and self._are_together(winner, position)

    def _are_together(self, position: int, other: int) -> bool:
        sides = 2 if self.of_pairs or self.players == 4 else max(self.players, 1)
        return position % sides == other % sides

    @property
    def players(self) -> int:
        return self.games[-1].players if self.games else 0

    def points(self, position: int) -> int:
        """The hand points of a side in the games that count."""
        return sum(own_points(game, position % game.sides) for game in self.played if game.score)

    def tally(self, game: GameFacts, position: int) -> Tally:
        """What the side of this seat took from one game."""
        side = position % game.sides
        scores = [own_points(game, index) for index in range(len(game.score))]
        other_scores = [points for index, points in enumerate(scores) if index != side]
        ended = int(game.over)
        seats = (position, position + 2) if self.of_pairs else (position,)
        points = scores[side] if scores else 0
        against = Fraction(sum(other_scores), len(other_scores)) if other_scores else Fraction(0)
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
    """The points a side scored in the game itself, without those it began with."""
    return game.score[side] - (game.start[side] if game.start else 0)


@dataclass(slots=True)
class _Counted:
    """Games counted so far, by position and by game; the score each began at, and the next will."""

    wins: dict[int, Fraction]
    by_game: dict[int, dict[int, Fraction]] = field(default_factory=dict)
    starts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    carried: tuple[int, ...] = ()

    def add(self, won: Mapping[int, Fraction]) -> None:
        for position, games in won.items():
            self.wins[position] += games

    def decide(self, best_of: int) -> bool:
        """Whether someone has won more than half of the games."""
        return max(self.wins.values(), default=Fraction(0)) * 2 > best_of
