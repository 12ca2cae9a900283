"""What each person took from a game: pure, from the fold of its hands and who sat where.

A hand belongs to whoever sat on the chair in it; the win, and the game itself, to whoever sat
there when it ended. So the points of everybody who shared a chair add up to the chair's score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import Answer, GameState

MADE = ("made", "march")


@dataclass(frozen=True, slots=True)
class Sitting:
    """One person on one chair, from one hand to another, both included (None: to the end)."""

    member: int
    position: int
    from_hand: int
    until_hand: int | None = None

    def played(self, number: int) -> bool:
        return self.from_hand <= number and (self.until_hand is None or number <= self.until_hand)


@dataclass(slots=True)
class Row:
    """The figures of one person on one chair; the names are those of the stored result."""

    member: int
    position: int
    players: int
    target: int
    hands: int = 0
    finished: bool = False
    games: int = 0
    win_share: float = 0.0
    expected: float = 0.0
    points: int = 0
    points_against: float = 0.0
    calls: int = 0
    calls_made: int = 0
    euchred: int = 0
    euchres: int = 0
    marches: int = 0
    lone_tried: int = 0
    lone_marches: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def rows_of(
    state: GameState,
    records: Sequence[Mapping[str, Any] | None],
    sittings: Iterable[Sitting],
) -> list[Row]:
    """A row for everybody who played a hand, by chair. `records` has None for a struck hand.

    Points are differences of the running score, so that rulings and floors are in them; a
    deduction before the first hand counts into the first.
    """
    rows: dict[tuple[int, int], Row] = {}
    sittings = list(sittings)
    before = (0,) * len(state.sides)
    for number, record in enumerate(records, 1):
        after, answer = state.running[number - 1], state.answers[number - 1]
        gained = [now - then for now, then in zip(after, before, strict=True)]
        lost = [_others(gained, side) for side in range(len(gained))]
        counts = record is not None and answer.valid
        called_by = caller(record) if record is not None and counts else None
        for sitting in sittings:
            if sitting.played(number):
                row, side = _row(rows, sitting, state), sitting.position % len(gained)
                row.points += gained[side]
                row.points_against += lost[side]
                if counts:
                    _count(row, answer, called_by)
        before = after
    if state.over and records:
        _finish(rows, state, [s for s in sittings if s.played(len(records))])
    return list(rows.values())


def total_rows(
    totals: Sequence[int],
    sides: Sequence[Sequence[int]],
    target: int,
    sittings: Iterable[Sitting],
    winners: Sequence[int],
) -> list[Row]:
    """The rows of a game of which only the final score by side was written down."""
    players = sum(len(side) for side in sides)
    won = [index for index, side in enumerate(sides) if side[0] in winners]
    rows = []
    for sitting in sittings:
        if sitting.until_hand is not None:
            continue
        side = sitting.position % len(sides)
        row = Row(sitting.member, sitting.position, players, target, finished=True, games=1)
        row.points, row.points_against = totals[side], _others(totals, side)
        row.win_share = 1 / len(won) if side in won else 0.0
        row.expected = 1 / len(sides)
        rows.append(row)
    return rows


def winners_of_totals(totals: Sequence[int], sides: Sequence[Sequence[int]]) -> list[int]:
    """The seats that won by a final score written down: all with the most, sharing a draw."""
    won = [side for side, score in zip(sides, totals, strict=True) if score == max(totals)]
    return sorted(seat for side in won for seat in side)


def caller(record: Mapping[str, Any]) -> int | None:
    """Who made trump or won the bid: by the contract, else by the last call that was no pass."""
    if record.get("contract"):
        return int(record["contract"]["seat"])
    calls = [call for call in record.get("auction") or () if call["call"] != "pass"]
    return int(calls[-1]["seat"]) if calls else None


def _row(rows: dict[tuple[int, int], Row], sitting: Sitting, state: GameState) -> Row:
    key = (sitting.member, sitting.position)
    if key not in rows:
        players = state.rules.players
        rows[key] = Row(sitting.member, sitting.position, players, state.rules.target or 0)
    return rows[key]


def _others(points: Sequence[int], side: int) -> float:
    """The other side's points; at three hands the mean of the others (design 6.5)."""
    others = [amount for index, amount in enumerate(points) if index != side]
    return sum(others) / len(others)


def _count(row: Row, answer: Answer, called_by: int | None) -> None:
    row.hands += 1
    if not answer.makers:
        return
    if called_by == row.position:
        _count_call(row, answer)
    elif row.position not in answer.makers and answer.outcome in ("euchred", "set"):
        row.euchres += 1
    if row.position in answer.makers and answer.outcome == "march":
        row.marches += 1


def _count_call(row: Row, answer: Answer) -> None:
    row.calls += 1
    row.calls_made += answer.outcome in MADE
    row.euchred += answer.outcome in ("euchred", "set")
    if set(answer.alone) & set(answer.makers):
        row.lone_tried += 1
        row.lone_marches += answer.outcome == "march"


def win_shares(sides: Sequence[Sequence[int]], winners: Sequence[int]) -> dict[int, float]:
    """What each seat that won takes of the win: all of it, or its part where sides share it."""
    won = [side for side in sides if side[0] in winners]
    return {seat: 1 / len(won) for side in won for seat in side}


def _finish(rows: dict[tuple[int, int], Row], state: GameState, there: Iterable[Sitting]) -> None:
    shares = win_shares(state.sides, state.winners)
    for sitting in there:
        row = rows[sitting.member, sitting.position]
        row.finished, row.games, row.expected = True, 1, 1 / len(state.sides)
        row.win_share = shares.get(sitting.position, 0.0)
