"""The same hand, written down in less detail: as scorekeepers in a hurry do."""

from dataclasses import replace

from scoring.checks import check_hand
from scoring.records import Contract, HandRecord
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP
from scoring.settling import engine_of

LEVELS = ("cards", "tricks", "auction", "counts", "outcome")


def thinned(record: HandRecord, rules: Ruleset, level: str) -> HandRecord:
    """A valid record at one of `LEVELS`, most detailed first.

    `tricks` leaves out the deal, `auction` counts the tricks, `counts` has only contract and
    tricks won, `outcome` only made, march or euchred (turn-up games; others stay at `counts`).
    """
    if level == "cards":
        return record
    if level == "tricks":
        return replace(record, hands=None, discards=None)
    answer = check_hand(record, rules)
    if answer.outcome == "thrown-in":
        return replace(record, hands=None, tricks=None)
    counted = replace(
        record,
        hands=None,
        discards=None,
        exchange=None,
        tricks=None,
        tricks_won=answer.tricks_won,
    )
    if level == "auction":
        return replace(counted, exchange=record.exchange)
    contract = _contract(record, rules)
    bare = replace(counted, auction=None, upcard=None, contract=contract)
    if level == "outcome" and rules.family == TURN_UP:
        outcome = replace(bare, tricks_won=None, outcome=answer.outcome)
        return outcome if check_hand(outcome, rules).valid else bare
    return bare


def _contract(record: HandRecord, rules: Ruleset) -> Contract:
    """What the auction came to."""
    changed = None if record.exchange is None else sum(len(e.cards) for e in record.exchange)
    agreed = engine_of(rules).agree(
        record.dealer,
        record.upcard,
        record.auction,
        record.contract,
        False,
        record.lone_maker,
        record.lone_defender,
        changed,
    )
    terms = agreed.terms
    assert terms is not None
    special = terms.special.name if terms.special else _turn_up_special(terms.smitty, terms.chuck)
    tricks = terms.tricks if rules.family != TURN_UP and terms.special is None else None
    alone = terms.lone is not None and rules.family == TURN_UP
    return Contract(terms.maker, terms.trump, terms.round, alone, tricks, special)


def _turn_up_special(smitty: str, chuck: bool) -> str | None:
    names = {"hit": "smitty", "game": "smitty_game"}
    return names.get(smitty) or ("chuck" if chuck else None)
