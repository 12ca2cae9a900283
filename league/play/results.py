"""Derives what is stored of a game for speed (score, winners, result rows) from its log. Nothing
else computes these."""

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
    """One player on one seat, from one hand to another, both included (None: to the end)."""

    member: int
    position: int
    from_hand: int
    until_hand: int | None = None

    def played(self, number: int) -> bool:
        return self.from_hand <= number and (self.until_hand is None or number <= self.until_hand)


@dataclass(slots=True)
class Row:
    """The figures of one player on one seat, named as in the model `Result`."""

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
    """The stored figures of a game, from its hands, rulings, totals and ending."""
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
    """Set the figures and the state of the game, without saving it.

    A game that a correction reopens continues if its players still sit at the table. If they have
    moved on, or if hands lie beyond a new end, `reopened` is set and an organiser decides.
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


def may_confirm(log: GameLog, seat: int) -> bool:
    """Whether the side of this seat may confirm the game: it did not win, or all sides did."""
    sides = len(log.rules.sides)
    winning_sides = {winner % sides for winner in log.game.winners}
    return len(winning_sides) == sides or seat % sides not in winning_sides


def is_auto_confirmed(game: Game, at: datetime) -> bool:
    """Whether the club's time to dispute a finished game has passed without a dispute."""
    is_waiting = game.state == State.FINISHED and not game.reopened
    return is_waiting and game.accept_at is not None and game.accept_at <= at


def as_of(game: Game, at: datetime) -> Game:
    """The game as it counts at this moment: confirmed if nobody disputed it in time. This is for
    reading; the next action or the command `remind` stores it."""
    if is_auto_confirmed(game, at):
        game.state = State.CONFIRMED
    return game


def still_seated(log: GameLog) -> bool:
    """Whether the players of this table still sit at it, so that play can continue."""
    return log.table.is_live and all(seat.seated for seat in log.sitting())


def derived_results(log: GameLog) -> list[Result]:
    """The result rows of a game, not stored yet."""
    return [Result(**common) for common in result_columns(log)]


def result_columns(log: GameLog) -> list[dict[str, Any]]:
    """The values of a game's result rows, by attribute of the model."""
    game = log.game
    if game.state == State.ABANDONED:
        return []
    common = {
        "session_id": game.session_id,
        "game_id": game.pk,
        "provisional": is_provisional(game),
    }
    return [common | _row_columns(row) for row in _result_rows(log)]


def is_provisional(game: Game) -> bool:
    """Whether a result may still change: it is unconfirmed, disputed or reopened."""
    return game.state != State.CONFIRMED or game.reopened


def _result_rows(log: GameLog) -> list[Row]:
    sittings = [
        Sitting(seat.member_id, seat.position, seat.from_hand, seat.until_hand)
        for seat in log.seats
    ]
    if log.game.totals is not None:
        rules = log.rules
        winners = list(figures(log)["winners"])  # type: ignore[call-overload]
        return total_rows(rules, log.game.totals, sittings, winners, start=log.start)
    if _is_won_without_a_hand(log):
        rows = total_rows(log.rules, log.state.score, sittings, log.state.winners, start=log.start)
        for row in rows:
            row.target = 0  # a share of points says nothing where nobody played
        return rows
    records = [None if hand.struck else hand.record for hand in log.hands]
    return rows_of(log.state, records, sittings, start=log.start)


def _is_won_without_a_hand(log: GameLog) -> bool:
    """Whether some sides have won a game of which no hand was played: it was conceded, or an
    organiser decided it. A game that time ended before its first hand counts for nobody."""
    is_decided = 0 < len(log.state.winners) < log.rules.players
    return not log.hands and log.state.over and is_decided


def _row_columns(row: Row) -> dict[str, Any]:
    columns = row.as_dict()
    columns["member_id"] = columns.pop("member")
    return columns


# A hand is credited to the player who sat on the seat in it; the game and the win to the player who
# sat there when it ended. So the points of all players who shared a seat add up to its score.


def rows_of(
    state: GameState,
    records: Sequence[Mapping[str, Any] | None],
    sittings: Iterable[Sitting],
    start: Sequence[int] = (),
) -> list[Row]:
    """A row for each player who played a hand, by seat. `records` has None for a struck hand;
    `start` is the score by side at which the game began, if it differs from the rules.

    Points are differences of the running score, so they include rulings and floors; a deduction
    before the first hand counts in the first. Hands after what is now the end of the game are
    ignored. Where the score counts down, points are the decrease, so that more is always better. A
    caller's bonus belongs to the caller alone (D-92).
    """
    rows: dict[tuple[int, int], Row] = {}
    sittings = list(sittings)
    beyond = {fault.hand for fault in state.faults if fault.code == "game-over"}
    lone_bids = {
        special.name for special in state.rules.specials if special.alone and not special.lose_all
    }
    hands = zip(records, state.answers, _gained_by_hand(state, start), strict=False)
    for number, (record, answer, gained) in enumerate(hands, 1):
        rows_in_hand = [
            _row_for(rows, sitting, state) for sitting in sittings if sitting.played(number)
        ]
        _add_points(rows_in_hand, gained)
        if record is not None and answer.valid and number not in beyond:
            _count_hand(rows_in_hand, state.rules, record, answer, lone_bids)
    if state.over and records:
        _count_ending(
            rows, state, [sitting for sitting in sittings if sitting.played(len(records))]
        )
    return list(rows.values())


def _add_points(rows: Iterable[Row], gained: Sequence[int]) -> None:
    """Add the points that each side gained in a hand to the rows of its players."""
    against = [_mean_of_others(gained, side) for side in range(len(gained))]
    for row in rows:
        side = row.position % len(gained)
        row.points += gained[side]
        row.points_against += against[side]


def _gained_by_hand(state: GameState, start: Sequence[int]) -> Iterator[list[int]]:
    """For each hand the change of the score by side, positive in the direction of the target."""
    previous = tuple(start) or (state.rules.start,) * len(state.sides)
    direction = -1 if state.rules.counts_down else 1
    for score in state.running:
        yield [(new - old) * direction for new, old in zip(score, previous, strict=True)]
        previous = score


def total_rows(
    rules: Ruleset,
    totals: Sequence[int],
    sittings: Iterable[Sitting],
    winners: Sequence[int],
    *,
    start: Sequence[int],
) -> list[Row]:
    """The rows of a game that began at `start` and has only a final score by side."""
    sides = rules.sides
    direction = -1 if rules.counts_down else 1
    totals = [(new - old) * direction for new, old in zip(totals, start, strict=True)]
    winning_sides = [index for index, side in enumerate(sides) if side[0] in winners]
    rows = []
    for sitting in sittings:
        if sitting.until_hand is not None:
            continue
        side = sitting.position % len(sides)
        row = Row(
            sitting.member, sitting.position, rules.players, distance(rules), finished=True, games=1
        )
        row.points, row.points_against = totals[side], _mean_of_others(totals, side)
        _cap_share(row, rules)
        row.win_share = 1 / len(winning_sides) if side in winning_sides else 0.0
        row.expected = 1 / len(sides)
        rows.append(row)
    return rows


def _cap_share(row: Row, rules: Ruleset) -> None:
    """Limit the share of the target to 1 where the score counts down (D-97), by raising the target
    to the points."""
    if rules.counts_down and rules.target is not None:
        row.target = max(row.target, row.points)


def distance(rules: Ruleset) -> int:
    """The points from the start of a game to its target; 0 without a target."""
    return 0 if rules.target is None else abs(rules.target - rules.start)


def caller(record: Mapping[str, Any]) -> int | None:
    """The seat that made trump or won the bid: by the contract, else by the last call but passes.

    None for dirty clubs: a club that was turned up is trump, and nobody made it.
    """
    contract = record.get("contract")
    if contract:
        return None if contract.get("special") == "dirty_clubs" else int(contract["seat"])
    call = last_call(record)
    return int(call["seat"]) if call else None


def last_call(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The call that won the bidding; empty if there was none."""
    calls = [call for call in record.get("auction") or () if call["call"] not in NO_BID]
    return calls[-1] if calls else {}


def is_lone(record: Mapping[str, Any], lone_bids: Set[str]) -> bool:
    """Whether the caller played the hand alone: declared so, or by a special bid that is played
    alone to take tricks (not one to take none)."""
    call = record.get("contract") or last_call(record)
    return bool(call.get("alone")) or call.get("special") in lone_bids


def _own_bonus(rules: Ruleset, answer: Answer, position: int) -> int:
    """The points that a player gets for a hand beyond those of their side."""
    if not rules.options.get("caller_bonus") or answer.points is None:
        return 0
    side = next(side for side in rules.sides if position in side)
    return answer.points[position] - min(answer.points[seat] for seat in side)


def _row_for(rows: dict[tuple[int, int], Row], sitting: Sitting, state: GameState) -> Row:
    key = (sitting.member, sitting.position)
    if key not in rows:
        rules = state.rules
        rows[key] = Row(sitting.member, sitting.position, rules.players, distance(rules))
    return rows[key]


def _mean_of_others(points: Sequence[int], side: int) -> float:
    """The other side's points; with three sides the mean of the others."""
    other_points = [amount for index, amount in enumerate(points) if index != side]
    return sum(other_points) / len(other_points)


def _count_hand(
    rows: Iterable[Row],
    rules: Ruleset,
    record: Mapping[str, Any],
    answer: Answer,
    lone_bids: Set[str],
) -> None:
    """Count a hand for each player who played it: calls, euchres, lone hands and own bonus."""
    called_by, alone = caller(record), is_lone(record, lone_bids)
    marched = answer.outcome in (MADE if rules.family == "bid" else ("march",))
    for row in rows:
        row.points += _own_bonus(rules, answer, row.position)
        _count_for_seat(row, answer, called_by)
        if alone and called_by == row.position and answer.makers:
            row.lone_tried += 1
            row.lone_marches += marched  # a lone bid is made with all the tricks


def _count_for_seat(row: Row, answer: Answer, called_by: int | None) -> None:
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
    """The share of the win of each winning seat: 1, or less where sides share the win."""
    winning_sides = [side for side in sides if side[0] in winners]
    return {seat: 1 / len(winning_sides) for side in winning_sides for seat in side}


def _count_ending(
    rows: dict[tuple[int, int], Row], state: GameState, final_sittings: Iterable[Sitting]
) -> None:
    shares = win_shares(state.sides, state.winners)
    for sitting in final_sittings:
        row = rows[sitting.member, sitting.position]
        row.finished, row.games, row.expected = True, 1, 1 / len(state.sides)
        _cap_share(row, state.rules)
        row.win_share = shares.get(sitting.position, 0.0)
