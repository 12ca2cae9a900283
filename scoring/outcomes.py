"""What happened in a hand, in one word: the key under which points.py pays."""

from scoring.auction.terms import Terms
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

THROWN_IN, RENEGE = "thrown-in", "renege"


def happened(rules: Ruleset, terms: Terms, makers_tricks: int) -> str:
    """The event of a finished hand, e.g. `lone_march`; `public_outcome` says it to the world."""
    if rules.family == TURN_UP:
        return _turn_up(rules, terms, makers_tricks)
    made = makers_tricks >= terms.tricks
    if terms.special is not None:
        return "special_made" if made else "special_set"
    return "made" if made else "set"


def _turn_up(rules: Ruleset, terms: Terms, makers_tricks: int) -> str:
    march = makers_tricks == rules.hand_size
    if makers_tricks < terms.tricks:
        return _euchred(rules, terms, makers_tricks)
    if march and terms.smitty == "game":
        return "smitty_game"
    if march and terms.smitty and terms.lone is not None:
        return "smitty_solo"
    lone = "lone_" if terms.lone is not None else ""
    return lone + ("march" if march else "made")


def _euchred(rules: Ruleset, terms: Terms, makers_tricks: int) -> str:
    if terms.lone_defender is not None:
        return "lone_def_march" if makers_tricks == 0 else "lone_def_euchre"
    if terms.lone is None:
        return "euchre"
    if makers_tricks == 0 and rules.options["super_euchre"] != "off":
        return "super_euchre"
    return "lone_euchred"


# What each event is called in an answer (hand-record.md): the record's own words.
PUBLIC = {
    "made": "made",
    "lone_made": "made",
    "march": "march",
    "lone_march": "march",
    "smitty_solo": "march",
    "smitty_game": "march",
    "euchre": "euchred",
    "lone_euchred": "euchred",
    "lone_def_euchre": "euchred",
    "lone_def_march": "euchred",
    "super_euchre": "euchred",
    "special_made": "made",
    "special_set": "set",
    "set": "set",
}


def trick_counts(rules: Ruleset, terms: Terms, outcome: str) -> range:
    """The makers' trick counts an outcome word leaves open, turn-up games only."""
    spans = {
        "euchred": range(terms.tricks),
        "made": range(terms.tricks, rules.hand_size),
        "march": range(rules.hand_size, rules.hand_size + 1),
    }
    return spans[outcome]
