"""When a game is over, who has won and why: all rules for endings and ties."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.faults import Answer
from scoring.points import RENEGE, THROWN_IN
from scoring.rulesets import Ruleset
from scoring.rulesets.options import BID


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game was ended before its normal end.

    `kind` is "conceded" (`by` is a seat of the side that gave up) or "time" (highest score wins,
    equal scores draw).
    """

    kind: str
    by: int | None = None


class Standing(NamedTuple):
    """The state of a game between hands, with scores by side. A tuple, for speed: every hand makes
    a new one.

    `playing_on` means an unresolved tie; `why` is the key in REASONS of why the game ended.
    `called` marks a game won by calling for it, which no score undoes; `declared` are the seats
    that have declared a McEvoy hand; `tokens` by side are those not yet exchanged for a point.
    """

    score: tuple[int, ...]
    next_dealer: int | None = None
    hands: int = 0
    playing_on: bool = False
    over: bool = False
    winners: tuple[int, ...] = ()
    why: str = ""
    called: bool = False
    declared: frozenset[int | None] = frozenset()
    tokens: tuple[int, ...] = ()


# Why a game ended, in words; `{target}` points, `{hands}` hands. Ready to be translated.
REASONS = {
    "reached": "Reached {target}",
    "made": "Won by making the bid",
    "set": "Won by setting the bid",
    "bidding-side": "Both reached {target}; the side that took the bid wins",
    "higher": "Both reached {target}; the higher score wins",
    "together": "Reached {target} together",
    "lower": "Several reached {target}; the lowest score wins",
    "elder-hand": "Reached {target} together; the elder hand wins",
    "trick-order": "Several reached {target}; the first to take the trick wins",
    "sunk": "The other side fell to {lose_at}",
    "played-on": "Ahead after playing on",
    "called": "Called for the game and took every trick",
    "penalty": "Reached {target} by a penalty",
    "hands": "Highest after {hands} hands",
    "hands-drawn": "Drawn after {hands} hands",
    "conceded": "The other side conceded",
    "time": "Highest when time was called",
    "time-drawn": "Drawn when time was called",
}


def judged(
    rules: Ruleset,
    standing: Standing,
    answer: Answer | None,
    ruled: Sequence[int] = (),
    *,
    dealer: int | None = None,
) -> Standing:
    """The standing, with the game ended if this hand (None: a ruling) ends it.

    `ruled` are the points by seat that a ruling added; `dealer` is the seat that dealt the hand.
    """
    if answer is not None and answer.wins_game:
        called = standing._replace(called=True)
        return _won(rules, called, [_side(rules, answer.makers[0])], "called")
    if rules.hands is not None:
        if standing.hands < rules.hands or answer is None:
            return standing
        return _highest(rules, standing, "hands")
    reached = _reached(rules, standing, answer, ruled)
    if not reached:
        return _sunk(rules, standing)
    if standing.playing_on:
        best = _leaders(rules, standing, reached)
        return _won(rules, standing, best, "played-on") if len(best) == 1 else standing
    if len(reached) == 1:
        return _won(rules, standing, reached, _why(rules, answer))
    return _tie(rules, standing, reached, answer, dealer)


def _sunk(rules: Ruleset, standing: Standing) -> Standing:
    """The standing, with the game ended if a side fell to the losing score: the leader wins."""
    least = rules.options.get("lose_at", "none")
    if least == "none" or min(standing.score) > least:
        return standing
    return _won(rules, standing, _leaders(rules, standing, range(len(rules.sides))), "sunk")


def _reached(
    rules: Ruleset, standing: Standing, answer: Answer | None, ruled: Sequence[int]
) -> list[int]:
    """The sides at the target that this hand allows to win (004:27, 39-40; D-40).

    A hand thrown in was not played and decides nothing. Where a win depends on the bid, a penalty
    wins only for the side that gained by it, not for one that stood at the target before.
    """
    target = rules.target or 0
    if answer is not None and answer.outcome == THROWN_IN:
        return []
    sides = [side for side, points in enumerate(standing.score) if at_target(rules, points, target)]
    rule = rules.options.get("win_rule", "any")
    if rule == "any" or not sides:
        return sides
    if answer is None or answer.outcome == RENEGE:
        points = ruled if answer is None else answer.points or ()
        return [side for side in sides if points[rules.sides[side][0]] > 0]
    return _winners_by_bid(rules, sides, answer)


def _winners_by_bid(rules: Ruleset, sides: list[int], answer: Answer) -> list[int]:
    """Those of the sides at the target that win by the outcome of the bid."""
    makers = _side(rules, answer.makers[0]) if answer.makers else None
    if answer.outcome == "made":
        return [side for side in sides if side == makers]
    if answer.outcome == "set" and rules.options["win_rule"] == "made_or_set":
        return [side for side in sides if side != makers]
    return []


def at_target(rules: Ruleset, points: int, target: int) -> bool:
    """Whether a score has reached the target, counting up or down."""
    return points <= target if rules.counts_down else points >= target


def _tie(
    rules: Ruleset,
    standing: Standing,
    reached: list[int],
    answer: Answer | None,
    dealer: int | None,
) -> Standing:
    """Several sides reached the target on one hand (D-07, D-40, D-42)."""
    makers = _side(rules, answer.makers[0]) if answer and answer.makers else None
    if rules.family == BID and rules.options["both_over"] == "bidding_side" and makers in reached:
        return _won(rules, standing, [makers], "bidding-side")
    rule = rules.options["tie_rule"]
    if rule == "co_winners":
        return _won(rules, standing, reached, "together")
    if rule == "elder_hand" and dealer is not None:
        return _won(rules, standing, [_elder(rules, reached, dealer)], "elder-hand")
    if rule == "trick_order" and answer is not None and answer.trick_winners:
        first = _first_to_target(rules, standing, reached, answer)
        return _won(rules, standing, [first], "trick-order")
    best = _leaders(rules, standing, reached)
    if rule != "play_on" and len(best) == 1:
        return _won(rules, standing, best, "lower" if rules.counts_down else "higher")
    return standing._replace(playing_on=True)


def _elder(rules: Ruleset, reached: list[int], dealer: int) -> int:
    """The side whose turn comes first after the dealer."""
    seats = [(dealer + step) % rules.players for step in range(1, rules.players + 1)]
    return next(side for side in (_side(rules, seat) for seat in seats) if side in reached)


def _first_to_target(rules: Ruleset, standing: Standing, reached: list[int], answer: Answer) -> int:
    """The side that reached the target first, counting its tricks in the order they were taken."""
    points, trick_points = answer.points or (), rules.options.get("trick_points", 1)
    scores = {side: standing.score[side] - points[rules.sides[side][0]] for side in reached}
    for seat in answer.trick_winners:
        side = _side(rules, seat)
        if side in scores:
            scores[side] += trick_points
            if scores[side] >= (rules.target or 0):
                return side
    return _leaders(rules, standing, reached)[0]


def _why(rules: Ruleset, answer: Answer | None) -> str:
    if answer is None or answer.outcome == RENEGE:
        return "penalty"
    depends_on_bid = rules.options.get("win_rule", "any") != "any"
    return answer.outcome if depends_on_bid and answer.outcome in ("made", "set") else "reached"


def reopened(rules: Ruleset, standing: Standing, ruled: Sequence[int]) -> Standing:
    """The standing after a ruling in a finished game, which goes on if no winner is still at the
    target."""
    target = rules.target
    if standing.called:
        return standing
    if target is None:
        return _highest(rules, standing, "hands")
    sides = {_side(rules, seat) for seat in standing.winners}
    winning_sides = [side for side in sides if at_target(rules, standing.score[side], target)]
    if standing.why == "sunk":
        new_standing = _sunk(rules, standing._replace(over=False, winners=(), why=""))
        return judged(rules, new_standing, None, ruled) if not new_standing.over else new_standing
    if winning_sides:
        return _won(rules, standing, winning_sides, standing.why)
    return judged(rules, standing._replace(over=False, winners=(), why=""), None, ruled)


def ended_early(rules: Ruleset, standing: Standing, ended: Ended | None) -> Standing:
    """The standing of a game ended by a concession or by time; one already over is unchanged."""
    if ended is None or standing.over:
        return standing
    if ended.kind == "conceded" and ended.by is not None:
        opponents = [s for s in range(len(rules.sides)) if s != _side(rules, ended.by)]
        return _won(rules, standing, _leaders(rules, standing, opponents), "conceded")
    return _highest(rules, standing, "time")


def _highest(rules: Ruleset, standing: Standing, why: str) -> Standing:
    best = _leaders(rules, standing, range(len(rules.sides)))
    return _won(rules, standing, best, why if len(best) == 1 else f"{why}-drawn")


def _leaders(rules: Ruleset, standing: Standing, sides: range | list[int]) -> list[int]:
    """Of these sides the leading ones: those with the highest score, or the lowest if counting
    down."""
    best = (min if rules.counts_down else max)(standing.score[side] for side in sides)
    return [side for side in sides if standing.score[side] == best]


def _won(rules: Ruleset, standing: Standing, sides: list[int], why: str) -> Standing:
    seats = tuple(sorted(seat for side in sides for seat in rules.sides[side]))
    return standing._replace(over=True, winners=seats, why=why)


def _side(rules: Ruleset, seat: int) -> int:
    return seat % len(rules.sides)
