"""What is stored of a game for speed, score, winners and everybody's result row: derived from its
log, here and nowhere else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from league.members.models import Club
from league.play.final_scores import winners_of_totals
from league.play.game_log import GameLog
from league.play.models import Game, Result
from scoring import Answer, GameState, Ruleset

State = Game.State
ENDED = (State.FINISHED, State.CONFIRMED, State.DISPUTED)
MADE = ("made", "march")
NO_BID = ("pass", "go-under", "redeal")


@dataclass(frozen=True, slots=True)
class Sitting:
    """One person on one seat, from one hand to another, both included (None: to the end)."""

    member: int
    position: int
    from_hand: int
    until_hand: int | None = None

    def played(self, number: int) -> bool:
        return self.from_hand <= number and (self.until_hand is None or number <= self.until_hand)


@dataclass(slots=True)
class Row:
    """The figures of one person on one seat; the names are those of the stored result."""

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


def figures(log: GameLog) -> dict[str, object]:
    """The stored figures of a game: functions of its hands, rulings, totals and way of ending."""
    state, game = log.state, log.game
    if game.totals is not None:
        winners: list[int] = winners_of_totals(log.rules, game.totals)
        if game.ended_by == Game.EndedBy.DECISION and game.decided_winners is not None:
            winners = list(game.decided_winners)
        score = list(game.totals)
    else:
        winners, score = list(state.winners), list(state.score)
    return {
        "score": score,
        "winners": winners,
        "hands_played": sum(not hand.struck for hand in log.hands),
        "hands_written": len(log.versions),
        "rulings_written": len(log.rulings),
        "misfits": len(log.conflicts()),
    }


def is_over(log: GameLog) -> bool:
    return log.game.totals is not None or log.state.over


def apply_state(log: GameLog, *, at: datetime) -> None:
    """Put the figures into the game's row and move its state along.

    A game that a correction opens again is played on where its people still sit. Where they have
    moved on, or where hands lie beyond a new end, an organiser chooses: `reopened` says so.
    """
    game, club = log.game, log.table.session.club
    for name, value in figures(log).items():
        setattr(game, name, value)
    if log.hands and game.started_at is None:
        game.started_at = at
    if game.state == State.ABANDONED:
        return
    beyond = any(fault.code == "game-over" for fault in log.conflicts())
    if is_over(log):
        game.reopened = beyond
        if game.state == State.PLAYING:
            _end_game(game, club, at)
    elif game.state in ENDED:
        if still_seated(log):
            game.state, game.reopened = State.PLAYING, False
            game.finished_at = game.accept_at = None
        else:
            game.reopened = True


def _end_game(game: Game, club: Club, at: datetime) -> None:
    game.finished_at = at
    if club.confirm == Club.Confirm.NONE:
        game.state = State.CONFIRMED
        return
    game.state = State.FINISHED
    minutes = club.auto_accept_minutes
    game.accept_at = None if minutes is None else at + timedelta(minutes=minutes)


def accepted_by_silence(game: Game, at: datetime) -> bool:
    """Whether nobody has objected to a finished game for as long as the club gives them."""
    waiting = game.state == State.FINISHED and not game.reopened
    return waiting and game.accept_at is not None and game.accept_at <= at


def as_of(game: Game, at: datetime) -> Game:
    """The game as it counts at this moment: confirmed where silence has accepted it. For reading;
    it is stored by the next order, or by `remind`."""
    if accepted_by_silence(game, at):
        game.state = State.CONFIRMED
    return game


def still_seated(log: GameLog) -> bool:
    """Whether the people of this table still sit at it, so that play can go on."""
    return log.table.is_live and all(seat.seated for seat in log.sitting())


def derived_results(log: GameLog) -> list[Result]:
    """The result rows of a game, not yet stored."""
    return [Result(**common) for common in result_columns(log)]


def result_columns(log: GameLog) -> list[dict[str, Any]]:
    """What the result rows of a game hold, by the attributes of their model."""
    game = log.game
    if game.state == State.ABANDONED:
        return []
    common = {
        "session_id": game.session_id,
        "game_id": game.pk,
        "provisional": is_provisional(game),
    }
    return [common | _columns(row) for row in _rows(log)]


def is_provisional(game: Game) -> bool:
    """Whether a result may still change hands: not confirmed, disputed, or opened again."""
    return game.state != State.CONFIRMED or game.reopened


def _rows(log: GameLog) -> list[Row]:
    sittings = [
        Sitting(seat.member_id, seat.position, seat.from_hand, seat.until_hand)
        for seat in log.seats
    ]
    if log.game.totals is not None:
        rules = log.rules
        winners = list(figures(log)["winners"])  # type: ignore[call-overload]
        return total_rows(rules, log.game.totals, sittings, winners, start=log.start)
    records = [None if hand.struck else hand.record for hand in log.hands]
    return rows_of(log.state, records, sittings, start=log.start)


def _columns(row: Row) -> dict[str, Any]:
    columns = row.as_dict()
    columns["member_id"] = columns.pop("member")
    return columns


# A hand belongs to the player who sat on the seat in it; the win, and the game itself, to the
# player who sat there when it ended. So the points of everybody who shared a seat add up to the
# seat's score.


def rows_of(
    state: GameState,
    records: Sequence[Mapping[str, Any] | None],
    sittings: Iterable[Sitting],
    start: Sequence[int] = (),
) -> list[Row]:
    """A row for everybody who played a hand, by seat. `records` has None for a struck hand; `start`
    is the score by side that the game began at, where that is not what the rules say.

    Points are differences of the running score, so that rulings and floors are in them; a
    deduction before the first hand counts into the first. Hands after what is now the game's end
    took no points, and count for nothing. Where the score counts down, points are what it went
    down by, so that more is better at every table. A caller's bonus is the caller's alone (D-92).
    """
    rows: dict[tuple[int, int], Row] = {}
    sittings = list(sittings)
    beyond = {fault.hand for fault in state.faults if fault.code == "game-over"}
    lone_bids = {
        special.name for special in state.rules.specials if special.alone and not special.lose_all
    }
    hands = zip(records, state.answers, _gained_by_hand(state, start), strict=False)
    for number, (record, answer, gained) in enumerate(hands, 1):
        lost = [_others(gained, side) for side in range(len(gained))]
        here = [_row(rows, sitting, state) for sitting in sittings if sitting.played(number)]
        for row in here:
            side = row.position % len(gained)
            row.points += gained[side]
            row.points_against += lost[side]
        if record is not None and answer.valid and number not in beyond:
            _count_hand(here, state.rules, record, answer, lone_bids)
    if state.over and records:
        _finish(rows, state, [s for s in sittings if s.played(len(records))])
    return list(rows.values())


def _gained_by_hand(state: GameState, start: Sequence[int]) -> Iterator[list[int]]:
    """Hand by hand what each side's score went up by, or down where it counts down."""
    before = tuple(start) or (state.rules.start,) * len(state.sides)
    down = -1 if state.rules.counts_down else 1
    for after in state.running:
        yield [(now - then) * down for now, then in zip(after, before, strict=True)]
        before = after


def total_rows(
    rules: Ruleset,
    totals: Sequence[int],
    sittings: Iterable[Sitting],
    winners: Sequence[int],
    *,
    start: Sequence[int],
) -> list[Row]:
    """The rows of a game of which only the final score by side was written down; it began at
    `start`."""
    sides = rules.sides
    way = -1 if rules.counts_down else 1
    totals = [(now - then) * way for now, then in zip(totals, start, strict=True)]
    won = [index for index, side in enumerate(sides) if side[0] in winners]
    rows = []
    for sitting in sittings:
        if sitting.until_hand is not None:
            continue
        side = sitting.position % len(sides)
        row = Row(
            sitting.member, sitting.position, rules.players, distance(rules), finished=True, games=1
        )
        row.points, row.points_against = totals[side], _others(totals, side)
        _cap_share(row, rules)
        row.win_share = 1 / len(won) if side in won else 0.0
        row.expected = 1 / len(sides)
        rows.append(row)
    return rows


def _cap_share(row: Row, rules: Ruleset) -> None:
    """Nobody comes further than the whole way where the score counts down (D-97): points beyond
    the target are then measured by themselves, a share of 1."""
    if rules.counts_down and rules.target is not None:
        row.target = max(row.target, row.points)


def distance(rules: Ruleset) -> int:
    """The points from the start of a game to its target; 0 where it has none."""
    return 0 if rules.target is None else abs(rules.target - rules.start)


def caller(record: Mapping[str, Any]) -> int | None:
    """Who made trump or won the bid: by the contract, else by the last call that was no pass.

    Where a club turned up is trump nobody made it, whatever seat stands beside it.
    """
    contract = record.get("contract")
    if contract:
        return None if contract.get("special") == "dirty_clubs" else int(contract["seat"])
    call = last_call(record)
    return int(call["seat"]) if call else None


def last_call(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The call that stands at the end of the bidding; empty where nobody made one."""
    calls = [call for call in record.get("auction") or () if call["call"] not in NO_BID]
    return calls[-1] if calls else {}


def is_lone(record: Mapping[str, Any], lone_bids: Set[str]) -> bool:
    """Whether a hand was a lone hand of the player who called it: by their word, or by a special
    bid that is played alone to take tricks, and not to take none."""
    call = record.get("contract") or last_call(record)
    return bool(call.get("alone")) or call.get("special") in lone_bids


def _own_bonus(rules: Ruleset, answer: Answer, position: int) -> int:
    """What a player takes of a hand beyond what their side does."""
    if not rules.options.get("caller_bonus") or answer.points is None:
        return 0
    side = next(side for side in rules.sides if position in side)
    return answer.points[position] - min(answer.points[seat] for seat in side)


def _row(rows: dict[tuple[int, int], Row], sitting: Sitting, state: GameState) -> Row:
    key = (sitting.member, sitting.position)
    if key not in rows:
        rules = state.rules
        rows[key] = Row(sitting.member, sitting.position, rules.players, distance(rules))
    return rows[key]


def _others(points: Sequence[int], side: int) -> float:
    """The other side's points; at three hands the mean of the others."""
    others = [amount for index, amount in enumerate(points) if index != side]
    return sum(others) / len(others)


def _count_hand(
    rows: Iterable[Row],
    rules: Ruleset,
    record: Mapping[str, Any],
    answer: Answer,
    lone_bids: Set[str],
) -> None:
    """What a hand says of everybody who played it, beside its points."""
    called_by, alone = caller(record), is_lone(record, lone_bids)
    marched = answer.outcome in (MADE if rules.family == "bid" else ("march",))
    for row in rows:
        row.points += _own_bonus(rules, answer, row.position)
        _count(row, answer, called_by)
        if alone and called_by == row.position and answer.makers:
            row.lone_tried += 1
            row.lone_marches += marched  # a lone bid is made with all the tricks


def _count(row: Row, answer: Answer, called_by: int | None) -> None:
    row.hands += 1
    if not answer.makers:
        return
    if called_by == row.position:
        row.calls += 1
        row.calls_made += answer.outcome in MADE
        row.euchred += answer.outcome in ("euchred", "set")
    elif row.position not in answer.makers and answer.outcome in ("euchred", "set"):
        row.euchres += 1
    if row.position in answer.makers and answer.outcome == "march":
        row.marches += 1


def win_shares(sides: Sequence[Sequence[int]], winners: Sequence[int]) -> dict[int, float]:
    """What each seat that won takes of the win: all of it, or its part where sides share it."""
    won = [side for side in sides if side[0] in winners]
    return {seat: 1 / len(won) for side in won for seat in side}


def _finish(rows: dict[tuple[int, int], Row], state: GameState, there: Iterable[Sitting]) -> None:
    shares = win_shares(state.sides, state.winners)
    for sitting in there:
        row = rows[sitting.member, sitting.position]
        row.finished, row.games, row.expected = True, 1, 1 / len(state.sides)
        _cap_share(row, state.rules)
        row.win_share = shares.get(sitting.position, 0.0)
