"""Folds hands into a game: score, next dealer, whether it is over, who won and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.checks import check_hand
from scoring.endings import REASONS, Ended, Standing, at_target, ended_early, judged, reopened
from scoring.faults import Answer, Fault, fault
from scoring.penalties import Ruling, own_revoke, renege_effect
from scoring.points import THROWN_IN
from scoring.records import HandRecord
from scoring.rulesets import Ruleset
from scoring.settling import next_dealer

Check = Callable[[HandRecord | Mapping[str, Any], Ruleset], Answer]


@dataclass(frozen=True, slots=True)
class GameState:
    """A game so far. Scores are by `sides`: partnerships, or single seats.

    `running` is the score after each hand, `answers` the result of each, `faults` everything that
    does not fit, with the number of its hand. `winners` are seats; there can be co-winners.
    `reason` says why in words, `why` is its key in `scoring.endings.REASONS`. `needs` are the
    points each side needs to reach the target (None with a fixed number of hands). `excess` are the
    points that laps carry into the winner's next game; `games_counted` is 2 after a slam.
    """

    rules: Ruleset
    sides: tuple[tuple[int, ...], ...]
    score: tuple[int, ...]
    running: tuple[tuple[int, ...], ...]
    next_dealer: int | None
    over: bool
    winners: tuple[int, ...]
    reason: str
    why: str
    hands_played: int
    needs: tuple[int, ...] | None
    excess: tuple[int, ...]
    games_counted: int
    answers: tuple[Answer, ...]
    faults: tuple[Fault, ...]

    @property
    def valid(self) -> bool:
        """Whether every hand and ruling fits."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """The fields of `check_game`'s answer (hand-record.md)."""
        return {
            "valid": self.valid,
            "score": list(self.score),
            "over": self.over,
            "winners": list(self.winners),
            "reason": self.reason,
            "hands": [answer.to_json() for answer in self.answers],
            "faults": [wrong.to_json() for wrong in self.faults],
        }


def play_game(
    rules: Ruleset,
    hands: Iterable[HandRecord | Mapping[str, Any]],
    *,
    first_dealer: int | None = None,
    initial_score: Sequence[int] | None = None,
    rulings: Iterable[Ruling] = (),
    ended: Ended | None = None,
    check: Check = check_hand,
) -> GameState:
    """Fold hands and rulings into the state of their game.

    Nothing is dropped: a hand that does not fit (wrong dealer, after the end, with a fault) is
    listed in `faults` under its number. Without `first_dealer` the first hand's dealer counts.
    `ended` ends a game before its normal end. `check` returns the answer for each hand; a caller
    that folds a game after every hand can cache the answers of `check_hand`.

    >>> from scoring.rulesets import ruleset
    >>> contract = {"seat": 1, "trump": "s", "alone": True}
    >>> hand = {"dealer": 0, "contract": contract, "outcome": "march"}
    >>> state = play_game(ruleset("standard-four-handed"), [hand])
    >>> state.score, state.next_dealer, state.over, state.needs
    ((0, 4), 1, False, (10, 6))
    """
    start, faults = _start(rules, first_dealer, initial_score)
    standing = start
    ordered_rulings = sorted(rulings, key=lambda ruling: ruling.after)
    answers: list[Answer] = []
    running: list[tuple[int, ...]] = []
    records = list(hands)
    for number in range(len(records) + 1):
        for ruling in [r for r in ordered_rulings if r.after == number]:
            standing, step_faults = rule(rules, standing, ruling, answers)
            faults += step_faults
            if running:
                running[-1] = standing.score
        if number == len(records):
            break
        answer = check(records[number], rules)
        standing, step_faults = step(rules, standing, answer, dealer=_dealer(records[number]))
        answers.append(answer)
        running.append(standing.score)
        faults += [replace(wrong, hand=number + 1, players=rules.players) for wrong in step_faults]
    faults += _misplaced(rules, ordered_rulings, len(records))
    standing = ended_early(rules, standing, ended)
    return _state(rules, standing, answers, running, faults)


def step(
    rules: Ruleset, standing: Standing, answer: Answer, *, dealer: int | None
) -> tuple[Standing, list[Fault]]:
    """The standing after one more hand, and what does not fit."""
    if standing.over:
        return standing, [fault("game-over/hand", rules.players)]
    next_dealer_seat, faults = standing.next_dealer, _turn_faults(rules, standing, answer, dealer)
    if not answer.valid or answer.points is None:
        turn = None if dealer is None else next_dealer(rules, dealer % rules.players)
        return standing._replace(next_dealer=turn), faults
    score, tokens = added(rules, standing.score, answer.points), standing.tokens
    if answer.token:
        score, tokens = _token(rules, score, tokens, answer)
    replayed = answer.outcome == THROWN_IN and answer.next_dealer == dealer
    declared = standing.declared
    if answer.declared_by is not None:
        declared |= {answer.declared_by}
    standing = standing._replace(
        score=score,
        next_dealer=answer.next_dealer,
        hands=standing.hands + (not replayed),
        declared=declared,
        tokens=tokens,
    )
    return judged(
        rules, standing, answer, dealer=next_dealer_seat if dealer is None else dealer
    ), faults


def _turn_faults(
    rules: Ruleset, standing: Standing, answer: Answer, dealer: int | None
) -> list[Fault]:
    """The hand's own faults, and those in this game: the wrong dealer, a second McEvoy hand."""
    faults, due_dealer = list(answer.faults), standing.next_dealer
    if dealer is not None and due_dealer is not None and dealer != due_dealer:
        faults.append(fault("wrong-dealer/turn", rules.players, seat=dealer, who_due=due_dealer))
    if answer.declared_by is not None and answer.declared_by in standing.declared:
        faults.append(
            fault("call-not-allowed/mcevoy-again", rules.players, seat=answer.declared_by)
        )
    return faults


_TOKENS_FOR_A_POINT = 4


def _token(
    rules: Ruleset, score: tuple[int, ...], tokens: tuple[int, ...], answer: Answer
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The score and tokens after the makers' side earned a token; four tokens become a point."""
    side = answer.makers[0] % len(rules.sides)
    held = [*(tokens or (0,) * len(rules.sides))]
    total = list(score)
    held[side] += 1
    if held[side] == _TOKENS_FOR_A_POINT:
        held[side], total[side] = 0, total[side] + 1
    return tuple(total), tuple(held)


def rule(
    rules: Ruleset, standing: Standing, ruling: Ruling, answers: Sequence[Answer]
) -> tuple[Standing, list[Fault]]:
    """The standing after a director's ruling, which can end or reopen a game."""
    effect = _effect(rules, ruling, answers)
    if isinstance(effect, Fault):
        return standing, [effect]
    standing = standing._replace(score=added(rules, standing.score, effect))
    if standing.over:
        return reopened(rules, standing, effect), []
    return judged(rules, standing, None, effect), []


def added(rules: Ruleset, score: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """The score by side after points by seat, not below the rules' floor (D-24).

    Where a caller gets more than their partner, the side gets the partner's points.
    """
    floor, bonus = rules.options["score_floor"], rules.options.get("caller_bonus")
    total = []
    for before, side in zip(score, rules.sides, strict=True):
        gained = min(points[seat] for seat in side) if bonus else points[side[0]]
        after = before + gained
        total.append(after if floor == "none" else max(after, min(before, floor)))
    return tuple(total)


def _effect(rules: Ruleset, ruling: Ruling, answers: Sequence[Answer]) -> tuple[int, ...] | Fault:
    """A ruling as points by seat."""
    if ruling.kind == "adjustment":
        return _adjustment(rules, ruling.points or ())
    wrong = ""
    if ruling.kind != "renege":
        wrong = "bad-penalty/kind"
    elif type(ruling.by) is not int or not 0 <= ruling.by < rules.players:
        wrong = "bad-penalty/side"
    elif ruling.form not in (None, "add", "deduct"):
        wrong = "bad-penalty/form"
    elif own_revoke(rules):
        wrong = "bad-penalty/of-a-hand"
    if wrong or ruling.by is None:
        return fault(wrong, rules.players, field="rulings", hand=ruling.hand)
    number = ruling.after if ruling.hand is None else ruling.hand
    answer = answers[number - 1] if 1 <= number <= len(answers) else None
    lone = ruling.lone if ruling.lone is not None else bool(answer and answer.alone)
    makers = answer.makers if answer else ()
    return renege_effect(rules, ruling.by, lone=lone, form=ruling.form, makers=makers)


def _adjustment(rules: Ruleset, points: Sequence[int]) -> tuple[int, ...] | Fault:
    sides = len(rules.sides)
    if len(points) != sides or not all(type(p) is int for p in points):
        return fault("bad-format/score-length", rules.players, field="rulings", count=sides)
    return tuple(points[seat % sides] for seat in range(rules.players))


def _misplaced(rules: Ruleset, rulings: Sequence[Ruling], hands: int) -> list[Fault]:
    return [
        fault("game-over/ruling", rules.players, field="rulings", found=ruling.after)
        for ruling in rulings
        if not 0 <= ruling.after <= hands
    ]


def _dealer(record: HandRecord | Mapping[str, Any]) -> int | None:
    dealer = record.dealer if isinstance(record, HandRecord) else None
    if isinstance(record, Mapping):
        dealer = record.get("dealer")
    return dealer if type(dealer) is int and 0 <= dealer < 8 else None


def _start(
    rules: Ruleset, first_dealer: int | None, initial: Sequence[int] | None
) -> tuple[Standing, list[Fault]]:
    faults = []
    nothing = (rules.start,) * len(rules.sides)
    score = tuple(initial) if initial is not None else nothing
    if len(score) != len(rules.sides) or not all(type(points) is int for points in score):
        faults.append(fault("bad-format/score-length", rules.players, field="initial_score",
                            count=len(rules.sides)))  # fmt: skip
        score = nothing
    return Standing(score=score, next_dealer=first_dealer), faults


def _reason(rules: Ruleset, why: str) -> str:
    values = {"target": rules.target, "hands": rules.hands, "lose_at": rules.options.get("lose_at")}
    return REASONS[why].format(**values) if why else ""


def _needs(rules: Ruleset, points: int, target: int) -> int:
    return 0 if at_target(rules, points, target) else abs(target - points)


def _state(
    rules: Ruleset,
    standing: Standing,
    answers: list[Answer],
    running: list[tuple[int, ...]],
    faults: list[Fault],
) -> GameState:
    target, score = rules.target, standing.score
    winners = standing.winners if standing.over else ()
    won = [side[0] in winners for side in rules.sides]
    return GameState(
        rules=rules,
        sides=rules.sides,
        score=score,
        running=tuple(running),
        next_dealer=standing.next_dealer,
        over=standing.over,
        winners=winners,
        reason=_reason(rules, standing.why),
        why=standing.why,
        hands_played=standing.hands,
        needs=None if target is None else tuple(_needs(rules, points, target) for points in score),
        excess=_excess(rules, score, won),
        games_counted=_games_counted(rules, score, won),
        answers=tuple(answers),
        faults=tuple(faults),
    )


def _excess(rules: Ruleset, score: Sequence[int], won: Sequence[bool]) -> tuple[int, ...]:
    """The points by side that the winners of a game with laps carry into the next."""
    target = rules.target
    if rules.options.get("laps") != "on" or target is None:
        return (0,) * len(score)
    return tuple(
        max(0, points - target) if winning else 0
        for points, winning in zip(score, won, strict=True)
    )


def _games_counted(rules: Ruleset, score: Sequence[int], won: Sequence[bool]) -> int:
    """Two for a slam, if the rules have it and the losers scored nothing; else one."""
    if rules.options.get("slam") != "on" or not any(won) or all(won):
        return 1
    lost = [points for points, winning in zip(score, won, strict=True) if not winning]
    return 2 if max(lost) <= 0 else 1
