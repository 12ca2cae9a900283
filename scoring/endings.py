"""When a game is over, who has won it, and why: every end and tie rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.faults import Answer
from scoring.points import RENEGE, THROWN_IN
from scoring.rulesets import Ruleset
from scoring.rulesets.options import BID


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game was closed that did not end by itself.

    `kind` is "conceded" (`by` is a seat of the side that gave up) or "time" (highest score wins,
    equal scores draw).
    """

    kind: str
    by: int | None = None


class Standing(NamedTuple):
    """What the fold carries from hand to hand; scores by side. A tuple: one is made every hand.

    `playing_on` is a tie unresolved; `why` the key of REASONS that ended the game. `called` marks
    a game won by calling for it, which no score undoes; `declared` are the seats that have had
    their McEvoy hand.
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


# Why a game ended, in words; `{target}` points, `{hands}` hands. Ready to be translated.
REASONS = {
    "reached": "Reached {target}",
    "made": "Won by making the bid",
    "set": "Won by setting the bid",
    "bidding-side": "Both reached {target}; the side that took the bid wins",
    "higher": "Both reached {target}; the higher score wins",
    "together": "Reached {target} together",
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
    rules: Ruleset, standing: Standing, answer: Answer | None, ruled: Sequence[int] = ()
) -> Standing:
    """The standing with the game ended, if this hand ends it, or a ruling (None).

    `ruled` are the points by seat that a ruling gave or took.
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
        return standing
    if standing.playing_on:
        best = _leaders(standing, reached)
        return _won(rules, standing, best, "played-on") if len(best) == 1 else standing
    if len(reached) == 1:
        return _won(rules, standing, reached, _why(rules, answer))
    return _tie(rules, standing, reached, answer)


def _reached(
    rules: Ruleset, standing: Standing, answer: Answer | None, ruled: Sequence[int]
) -> list[int]:
    """The sides at the target that this hand allows to win (004:27, 39-40; D-40).

    A hand thrown in was not played and decides nothing. Where a win depends on the bid, a penalty
    wins only for the side that gained by it, not for one that stood at the target before.
    """
    target = rules.target or 0
    there = [side for side, points in enumerate(standing.score) if points >= target]
    rule = rules.options.get("win_rule", "any")
    if answer is not None and answer.outcome == THROWN_IN:
        return []
    if rule == "any":
        return there
    if answer is None or answer.outcome == RENEGE:
        points = ruled if answer is None else answer.points or ()
        return [side for side in there if points[rules.sides[side][0]] > 0]
    makers = _side(rules, answer.makers[0]) if answer.makers else None
    if answer.outcome == "made":
        return [side for side in there if side == makers]
    if rule == "made_or_set" and answer.outcome == "set":
        return [side for side in there if side != makers]
    return []


def _tie(rules: Ruleset, standing: Standing, reached: list[int], answer: Answer | None) -> Standing:
    """Several sides reached the target on one hand (D-07, D-40, D-42)."""
    makers = _side(rules, answer.makers[0]) if answer and answer.makers else None
    if rules.family == BID and rules.options["both_over"] == "bidding_side" and makers in reached:
        return _won(rules, standing, [makers], "bidding-side")
    if rules.options["tie_rule"] == "co_winners":
        return _won(rules, standing, reached, "together")
    best = _leaders(standing, reached)
    if rules.options["tie_rule"] == "highest_then_play_on" and len(best) == 1:
        return _won(rules, standing, best, "higher")
    return standing._replace(playing_on=True)


def _why(rules: Ruleset, answer: Answer | None) -> str:
    if answer is None or answer.outcome == RENEGE:
        return "penalty"
    conditional = rules.options.get("win_rule", "any") != "any"
    return answer.outcome if conditional and answer.outcome in ("made", "set") else "reached"


def reopened(rules: Ruleset, standing: Standing, ruled: Sequence[int]) -> Standing:
    """A ruling can take the winners' points away again: then the game goes on."""
    target = rules.target
    if standing.called:
        return standing
    if target is None:
        return _highest(rules, standing, "hands")
    sides = {_side(rules, seat) for seat in standing.winners}
    still = [side for side in sides if standing.score[side] >= target]
    if still:
        return _won(rules, standing, still, standing.why)
    return judged(rules, standing._replace(over=False, winners=(), why=""), None, ruled)


def ended_early(rules: Ruleset, standing: Standing, ended: Ended | None) -> Standing:
    """A game closed by a concession or by time; one already over stays as it is."""
    if ended is None or standing.over:
        return standing
    if ended.kind == "conceded" and ended.by is not None:
        others = [s for s in range(len(rules.sides)) if s != _side(rules, ended.by)]
        return _won(rules, standing, _leaders(standing, others), "conceded")
    return _highest(rules, standing, "time")


def _highest(rules: Ruleset, standing: Standing, why: str) -> Standing:
    best = _leaders(standing, range(len(rules.sides)))
    return _won(rules, standing, best, why if len(best) == 1 else f"{why}-drawn")


def _leaders(standing: Standing, sides: range | list[int]) -> list[int]:
    most = max(standing.score[side] for side in sides)
    return [side for side in sides if standing.score[side] == most]


def _won(rules: Ruleset, standing: Standing, sides: list[int], why: str) -> Standing:
    seats = tuple(sorted(seat for side in sides for seat in rules.sides[side]))
    return standing._replace(over=True, winners=seats, why=why)


def _side(rules: Ruleset, seat: int) -> int:
    return seat % len(rules.sides)
