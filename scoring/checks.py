"""check_hand: everything a record says, checked against the rules and against everything else."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.agreement import Terms
from scoring.answers import Answer
from scoring.faults import Fault, fault
from scoring.options import TURN_UP
from scoring.penalties import penalty_faults
from scoring.reading import read_record
from scoring.records import HandRecord
from scoring.rulesets import Ruleset, RulesetError, ruleset
from scoring.settling import Engine, engine_of


def check_hand(record: HandRecord | Mapping[str, Any], rules: Ruleset | None = None) -> Answer:
    """What a hand came to, or every fault in it in order of play. Never raises for bad input.

    `record` is a HandRecord or decoded JSON. Without `rules` the record names its own ruleset;
    with them, what it names must be the same.

    >>> from scoring.rulesets import ruleset
    >>> answer = check_hand({"dealer": 3, "contract": {"seat": 0, "trump": "h", "round": 1},
    ...                      "tricks_won": [3, 0, 2, 0]}, ruleset("standard-four-handed"))
    >>> answer.valid, answer.outcome, answer.points, answer.next_dealer
    (True, 'march', (2, 0, 2, 0), 0)
    """
    if not isinstance(record, HandRecord):
        read, faults = read_record(record)
        if read is None:
            return Answer(False, faults=faults)
        record = read
    if rules is None or record.ruleset is not None or record.options is not None:
        rules, faults = _rules_of(record, rules)
        if rules is None or faults:
            return Answer(False, faults=tuple(faults))
    return _answer(record, engine_of(rules))


def _rules_of(
    record: HandRecord, rules: Ruleset | None
) -> tuple[Ruleset | None, tuple[Fault, ...]]:
    """The ruleset a record is checked under, and where it names another than the game's."""
    if rules is not None:
        return rules, tuple(_other_rules(record, rules))
    if record.ruleset is None:
        return None, (fault("bad-format/missing", field="ruleset", name="ruleset"),)
    try:
        return ruleset(record.ruleset, dict(record.options or ())), ()
    except RulesetError as error:
        return None, error.faults


def _other_rules(record: HandRecord, rules: Ruleset) -> Iterator[Fault]:
    if record.ruleset is not None and record.ruleset not in rules.lineage:
        yield fault("bad-format/other-ruleset", rules.players, field="ruleset", name=rules.name)
    if record.options is not None:
        try:
            wanted = ruleset(rules, dict(record.options))
        except RulesetError as error:
            yield from error.faults
            return
        for name, value in wanted.options.items():
            if rules.options.get(name) != value:
                yield fault(
                    "bad-format/other-option", rules.players, field=f"options.{name}", name=name
                )


def _answer(record: HandRecord, engine: Engine) -> Answer:
    rules = engine.rules
    faults = list(_seat_faults(record, rules))
    if faults:
        return Answer(False, faults=tuple(faults))
    agreed = engine.agree(
        record.dealer,
        record.upcard,
        record.auction,
        record.contract,
        record.thrown_in,
        record.lone_maker,
        record.lone_defender,
    )
    faults = list(agreed.faults)
    terms = agreed.terms
    if record.penalties:
        faults += penalty_faults(rules, terms, record.penalties)
    if terms is None:
        if not agreed.thrown_in and not faults:
            faults.append(fault("bad-format/no-contract", rules.players, field="contract"))
        answer = Answer(False) if faults else engine.thrown_in(agreed, record.dealer)
    else:
        answer = _settled(record, engine, terms, faults)
    if record.points is not None and answer.valid:
        faults += _points_faults(record, rules, answer)
    if faults or answer.faults:
        return Answer(False, faults=(*faults, *answer.faults))
    return answer


def _seat_faults(record: HandRecord, rules: Ruleset) -> Iterator[Fault]:
    """Seats that are not at this table."""
    count = rules.players
    named = {
        "dealer": record.dealer,
        "contract.seat": record.contract.seat if record.contract else 0,
        "lone_maker": record.lone_maker or 0,
        "lone_defender": record.lone_defender or 0,
    }
    for field, seat in named.items():
        if type(seat) is not int or not 0 <= seat < count:
            yield fault("bad-seat/none-such", count, field=field)
    for place, call in enumerate(record.auction or ()):
        if type(call.seat) is not int or not 0 <= call.seat < count:
            yield fault("bad-seat/none-such", count, field=f"auction[{place}].seat")


def _settled(record: HandRecord, engine: Engine, terms: Terms, faults: list[Fault]) -> Answer:
    """Count the tricks at whatever level the record tells them, and settle."""
    rules = engine.rules
    by_seat, makers_tricks = record.tricks_won, record.makers_tricks
    if by_seat is not None:
        faults += _won_faults(by_seat, rules, terms)
        if not faults:
            makers_tricks = sum(by_seat[seat] for seat in terms.makers)
    elif makers_tricks is not None and not 0 <= makers_tricks <= rules.hand_size:
        faults.append(fault("wrong-trick-count/one", rules.players, field="tricks_won",
                            count=rules.hand_size))  # fmt: skip
    if faults:
        return Answer(False)
    if record.penalties:
        return engine.settle_penalties(terms, record.dealer, record.penalties, 0)
    if makers_tricks is not None:
        answer = engine.settle(terms, record.dealer, makers_tricks, by_seat, ())
        if record.outcome is not None and record.outcome != answer.outcome and answer.valid:
            faults.append(fault("tricks-mismatch/outcome", rules.players, field="outcome",
                                outcome=answer.outcome, text=record.outcome))  # fmt: skip
        return answer
    if record.outcome is not None and rules.family == TURN_UP:
        return engine.settle_outcome(terms, record.dealer, record.outcome)
    faults.append(fault("bad-format/no-result", rules.players, field="tricks_won"))
    return Answer(False)


def _won_faults(by_seat: tuple[int, ...], rules: Ruleset, terms: Terms) -> Iterator[Fault]:
    if len(by_seat) != rules.players:
        yield fault(
            "bad-format/wrong-length", rules.players, field="tricks_won", count=rules.players
        )
        return
    for seat in terms.sitting_out:
        if by_seat[seat]:
            yield fault("partner-played/tricks", rules.players, seat=seat)
    if min(by_seat) < 0 or sum(by_seat) != rules.hand_size:
        yield fault("wrong-trick-count/won", rules.players, field="tricks_won",
                    found=sum(by_seat), count=rules.hand_size)  # fmt: skip


def _points_faults(record: HandRecord, rules: Ruleset, answer: Answer) -> Iterator[Fault]:
    written, points = record.points or (), answer.points or ()
    if len(written) != rules.players:
        yield fault("bad-format/wrong-length", rules.players, field="points", count=rules.players)
        return
    for seat, (found, count) in enumerate(zip(written, points, strict=True)):
        if found != count:
            yield fault("points-mismatch/seat", rules.players, seat=seat, count=count, found=found)
