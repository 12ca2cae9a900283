"""check_hand: checks a record against the rules, and its parts against each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.auction.terms import JAMBOREE, MCEVOY, REDEAL, Agreed, Terms
from scoring.cards import NO_TRUMP
from scoring.faults import Answer, Fault, fault
from scoring.particulars import (
    broke_fast,
    declared_faults,
    known_before_play,
    particulars_faults,
    partner_faults,
    redeal_faults,
)
from scoring.penalties import beside_effect, penalty_faults, replaces_score
from scoring.play.checking import CardCheck, check_cards
from scoring.play.deal import deal_faults, dealt_hands
from scoring.play.pickup import cards_changed, unlikely
from scoring.reading import read_record
from scoring.records import HandRecord
from scoring.rulesets import Ruleset, RulesetError, ruleset
from scoring.rulesets.options import TURN_UP
from scoring.settling import Engine, engine_of


def check_hand(record: HandRecord | Mapping[str, Any], rules: Ruleset | None = None) -> Answer:
    """The result of a hand, or every fault in it in order of play. Never raises for bad input.

    `record` is a HandRecord or decoded JSON. Without `rules` the record names its own ruleset;
    with them, what it names must be the same.

    >>> from scoring.rulesets import ruleset
    >>> answer = check_hand({"dealer": 3, "contract": {"seat": 0, "trump": "h", "round": 1},
    ...                      "tricks_won": [3, 0, 2, 0]}, ruleset("standard-four-handed"))
    >>> answer.valid, answer.outcome, answer.points, answer.next_dealer
    (True, 'march', (2, 0, 2, 0), 0)
    """
    if not isinstance(record, HandRecord):
        parsed, faults = read_record(record)
        if parsed is None:
            return Answer(False, faults=faults + _faults_of_rest(record, faults, rules))
        if faults:
            return Answer(False, faults=faults + check_hand(parsed, rules).faults)
        record = parsed
    if rules is None or record.ruleset is not None or record.options is not None:
        rules, faults = _rules_of(record, rules)
        if rules is None or faults:
            return Answer(False, faults=tuple(faults))
    return _answer(record, engine_of(rules))


_DISPENSABLE = {"tricks", "hands", "points"}  # fields that a record need not have


def _faults_of_rest(
    record: Any, faults: tuple[Fault, ...], rules: Ruleset | None
) -> tuple[Fault, ...]:
    """The faults of the other fields, if only dispensable fields cannot be read.

    Faults of form are left out, since what the rest lacks may be in the unreadable fields.
    """
    unreadable = {str(wrong.field).partition("[")[0] for wrong in faults}
    if not unreadable <= _DISPENSABLE:
        return ()
    rest = {name: value for name, value in record.items() if name not in unreadable}
    return tuple(wrong for wrong in check_hand(rest, rules).faults if wrong.code != "bad-format")


def _rules_of(
    record: HandRecord, rules: Ruleset | None
) -> tuple[Ruleset | None, tuple[Fault, ...]]:
    """The ruleset to check a record under, and faults if the record names another one."""
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
            named = ruleset(rules, dict(record.options))
        except RulesetError as error:
            yield from error.faults
            return
        for name, value in named.options.items():
            if rules.options.get(name) != value:
                yield fault(
                    "bad-format/other-option", rules.players, field=f"options.{name}", name=name
                )


def _answer(record: HandRecord, engine: Engine) -> Answer:
    """Run every check in order of play; faults do not stop later checks."""
    rules = engine.rules
    faults = [*deal_faults(record, rules, engine.deck)]
    deal = (
        record.dealer,
        record.upcard,
        record.auction,
        record.contract,
        record.thrown_in,
        record.lone_maker,
        record.lone_defender,
        cards_changed(record),
    )
    if not engine.plain or record.particulars is not None:
        deal = (*deal, *known_before_play(record, rules))  # type: ignore[assignment]
    agreed = engine.agree(*deal)
    faults += agreed.faults
    terms = agreed.terms
    if record.particulars is not None:
        faults += particulars_faults(record, rules, terms)
    if terms is None:
        answer = _thrown_in(record, engine, agreed, faults)
        faults += _outline_faults(record, rules)
    else:
        cards = check_cards(record, rules, terms, engine.deck)
        faults += cards.faults
        if record.penalties:
            faults += penalty_faults(rules, terms, record.penalties)
        if engine.particular:
            terms = _particular(record, engine, terms, cards, faults)
        answer = _settled(record, engine, terms, cards, faults)
        if record.discards is not None:
            warnings = unlikely(record, rules, terms)
            answer = replace(answer, warnings=answer.warnings + warnings) if warnings else answer
    if record.points is not None:
        faults += _points_faults(record, rules, answer)
    if faults or not answer.valid:
        return Answer(False, faults=(*faults, *answer.faults))
    return answer


def _particular(
    record: HandRecord, engine: Engine, terms: Terms, cards: CardCheck, faults: list[Fault]
) -> Terms:
    """Run the checks of games with particular rules; return the terms, with a fast break if the
    cards show one."""
    rules, is_stated = engine.rules, terms.fast_break
    faults += partner_faults(record, rules, terms, cards)
    faults += declared_faults(record, rules, terms, engine.deck)
    if not rules.options.get("fast_break") or cards.won is None or faults:
        return terms
    is_shown = broke_fast(rules, terms, cards)
    if is_stated and not is_shown:
        faults.append(fault("tricks-mismatch/fast-break", rules.players, field="fast_break"))
    return replace(terms, fast_break=True) if is_shown and not is_stated else terms


def _thrown_in(record: HandRecord, engine: Engine, agreed: Agreed, faults: list[Fault]) -> Answer:
    """The answer to a hand without a contract, which can have no tricks and no penalties."""
    rules = engine.rules
    if not agreed.thrown_in:
        if not faults:
            faults.append(fault("bad-format/no-contract", rules.players, field="contract"))
        return Answer(False)
    if agreed.thrown_in == MCEVOY:
        faults += _mcevoy_faults(record, rules, agreed.declared_by)
    if agreed.thrown_in == REDEAL and agreed.declared_by is not None:
        faults += redeal_faults(record, rules, agreed.declared_by, agreed.reason)
    faults += penalty_faults(rules, None, record.penalties)
    stated = {
        "tricks": bool(record.tricks),
        "tricks_won": any(record.tricks_won or ()) or bool(record.makers_tricks),
        "outcome": record.outcome is not None,
        "discards": any(record.discards or ()),
        "exchange": bool(record.exchange),
        "lone_maker": record.lone_maker is not None,
        "lone_defender": record.lone_defender is not None,
    }
    faults += [
        fault("tricks-mismatch/thrown-in", rules.players, field=field)
        for field, is_stated in stated.items()
        if is_stated
    ]
    return engine.thrown_in(agreed, record.dealer)


def _mcevoy_faults(record: HandRecord, rules: Ruleset, seat: int | None) -> Iterator[Fault]:
    """A McEvoy hand is made up of nines and tens only (004:182)."""
    hand = dealt_hands(record, rules)[seat] if seat is not None else None
    if hand is not None and not all(card[0] in "9T" for card in hand):
        yield fault("call-not-allowed/mcevoy-hand", rules.players, seat=seat, cards=hand)


def _settled(
    record: HandRecord, engine: Engine, terms: Terms, cards: CardCheck, faults: list[Fault]
) -> Answer:
    """Count the tricks at the record's level of detail, and settle the hand."""
    rules = engine.rules
    has_counts = record.tricks_won is not None or record.makers_tricks is not None
    if has_counts or record.outcome is not None:
        faults += _count_faults(record, rules, terms, cards, bool(faults))
    if faults:
        return Answer(False)
    by_seat = cards.won or record.tricks_won
    makers = record.makers_tricks
    if by_seat is not None:
        makers = _taken_by(terms.makers, by_seat)
    if record.penalties:
        return _with_penalties(record, engine, terms, cards, makers, faults)
    if not engine.common:
        makers = _particular_tricks(record, rules, terms, makers, by_seat, faults)
    if makers is not None:
        answer = engine.settle(terms, record.dealer, makers, by_seat)
        if engine.by_trick and cards.won is not None:
            answer = replace(answer, trick_winners=cards.winners())
        if record.outcome is not None:
            faults += _outcome_faults(rules, record.outcome, answer)
        return answer
    if record.outcome is not None and rules.family == TURN_UP:
        return engine.settle_outcome(terms, record.dealer, record.outcome)
    faults.append(fault("bad-format/no-result", rules.players, field="tricks_won"))
    return Answer(False)


def _taken_by(seats: tuple[int, ...], by_seat: tuple[int, ...]) -> int:
    taken = 0  # a plain loop, since a generator would be slower
    for seat in seats:
        taken += by_seat[seat]
    return taken


def _outcome_faults(rules: Ruleset, stated: str, answer: Answer) -> Iterator[Fault]:
    if answer.valid and stated != answer.outcome:
        yield fault("tricks-mismatch/outcome", rules.players, field="outcome",
                    outcome=answer.outcome, outcome_said=stated)  # fmt: skip


def _particular_tricks(
    record: HandRecord,
    rules: Ruleset,
    terms: Terms,
    makers: int | None,
    by_seat: tuple[int, ...] | None,
    faults: list[Fault],
) -> int | None:
    """The makers' tricks where a hand may be shown instead of played, a fast break, or played
    without a bid."""
    if terms.shown == JAMBOREE:
        if makers not in (None, rules.hand_size):
            faults.append(fault("tricks-mismatch/jamboree", rules.players, field="tricks_won"))
        makers = rules.hand_size
    if not terms.makers and by_seat is None and terms.trump == NO_TRUMP:
        makers = None  # played without a bid: the tricks of each player are needed
    if terms.fast_break and (
        makers not in (None, _BROKEN_FAST) or record.outcome not in (None, "made")
    ):
        faults.append(fault("tricks-mismatch/fast-break", rules.players, field="fast_break"))
    return makers


_BROKEN_FAST = 3  # tricks that a fast break leaves the makers


def _with_penalties(
    record: HandRecord,
    engine: Engine,
    terms: Terms,
    cards: CardCheck,
    makers: int | None,
    faults: list[Fault],
) -> Answer:
    """The answer where a penalty replaces the hand's score, or penalties are added to it."""
    ruled = record.penalties
    if replaces_score(ruled):
        by_seat = cards.won or record.tricks_won
        return engine.settle_penalties(terms, record.dealer, ruled, by_seat, makers, cards.tricks)
    answer = _settled(replace(record, penalties=()), engine, terms, cards, faults)
    if answer.points is None:
        return answer
    effect = beside_effect(engine.rules, ruled)
    total = tuple(sum(pair) for pair in zip(answer.points, effect, strict=True))
    return replace(answer, points=total)


def _count_faults(
    record: HandRecord, rules: Ruleset, terms: Terms, cards: CardCheck, wrong: bool
) -> Iterable[Fault]:
    """What is wrong with counts of tricks, also compared with the cards if these are valid."""
    won, makers = record.tricks_won, record.makers_tricks
    by_cards = None if wrong else cards.won
    if record.outcome is not None and (rules.family != TURN_UP or rules.options.get("drop_out")):
        yield fault("bad-format/not-in-this-game", rules.players, field="outcome")
    if won is not None:
        ruled = bool(record.penalties) and replaces_score(record.penalties)
        yield from _won_faults(won, rules, terms, ruled)
        if by_cards is not None and len(won) == rules.players:
            yield from _seat_mismatches(rules, by_cards, won)
    elif makers is not None:
        yield from _makers_faults(makers, rules, terms, by_cards)


def _seat_mismatches(
    rules: Ruleset, by_cards: Sequence[int], won: Sequence[int]
) -> Iterator[Fault]:
    for seat, (count, stated) in enumerate(zip(by_cards, won, strict=True)):
        if count != stated:
            yield fault("tricks-mismatch/seat", rules.players, seat=seat,
                        field="tricks_won", count=count, found=stated)  # fmt: skip


def _makers_faults(
    makers: int, rules: Ruleset, terms: Terms, by_cards: Sequence[int] | None
) -> Iterator[Fault]:
    if not 0 <= makers <= rules.hand_size:
        yield fault("wrong-trick-count/one", rules.players, field="tricks_won",
                    count=rules.hand_size)  # fmt: skip
    elif by_cards is not None:
        count = sum(by_cards[seat] for seat in terms.makers)
        if count != makers:
            yield fault("tricks-mismatch/makers", rules.players, field="tricks_won",
                        count=count, found=makers)  # fmt: skip


def _won_faults(
    by_seat: tuple[int, ...], rules: Ruleset, terms: Terms, ruled: bool
) -> Iterator[Fault]:
    """What is wrong with tricks by seat; a hand that ended in a ruling may have fewer."""
    if len(by_seat) != rules.players:
        yield fault(
            "bad-format/wrong-length", rules.players, field="tricks_won", count=rules.players
        )
        return
    for seat in terms.sitting_out:
        if by_seat[seat]:
            yield fault("partner-played/tricks", rules.players, seat=seat)
    total = sum(by_seat)
    short = total < rules.hand_size and not (ruled or _stopped(by_seat, terms))
    if min(by_seat) < 0 or total > rules.hand_size or short:
        yield fault("wrong-trick-count/won", rules.players, field="tricks_won",
                    found=total, count=rules.hand_size)  # fmt: skip


def _stopped(by_seat: tuple[int, ...], terms: Terms) -> bool:
    """Whether play may have stopped with a trick that ended a bid to take none."""
    lose_all = terms.special is not None and terms.special.lose_all
    return lose_all and any(by_seat[seat] for seat in terms.makers)


def _outline_faults(record: HandRecord, rules: Ruleset) -> Iterator[Fault]:
    """What is wrong with counts and tricks regardless of the contract."""
    won, makers, most = record.tricks_won, record.makers_tricks, rules.hand_size
    if won is not None and len(won) != rules.players:
        yield fault(
            "bad-format/wrong-length", rules.players, field="tricks_won", count=rules.players
        )
    elif won is not None and (min(won) < 0 or sum(won) > most):
        yield fault("wrong-trick-count/won", rules.players, field="tricks_won",
                    found=sum(won), count=most)  # fmt: skip
    if makers is not None and not 0 <= makers <= most:
        yield fault("wrong-trick-count/one", rules.players, field="tricks_won", count=most)
    if len(record.tricks or ()) > most:
        yield fault("wrong-trick-count/played", rules.players, field="tricks",
                    found=len(record.tricks or ()), count=most)  # fmt: skip


def _points_faults(record: HandRecord, rules: Ruleset, answer: Answer) -> Iterator[Fault]:
    stated_points, points = record.points or (), answer.points or ()
    if len(stated_points) != rules.players:
        yield fault("bad-format/wrong-length", rules.players, field="points", count=rules.players)
        return
    if not answer.valid:
        return
    for seat, (stated, count) in enumerate(zip(stated_points, points, strict=True)):
        if stated != count:
            yield fault("points-mismatch/seat", rules.players, seat=seat, count=count, found=stated)
