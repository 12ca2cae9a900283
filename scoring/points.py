"""What happened in a hand, in one word, and what that pays to whom by the ruleset."""

from collections.abc import Callable
from typing import NamedTuple

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


MAKERS, DEFENDERS = "makers", "defenders"

# Turn-up games: event -> (side that scores, option that says how much).
TURN_UP_PAY = {
    "made": (MAKERS, "made"),
    "march": (MAKERS, "march"),
    "lone_made": (MAKERS, "lone_made"),
    "lone_march": (MAKERS, "lone_march"),
    "smitty_solo": (MAKERS, "smitty_solo"),
    "smitty_game": (MAKERS, "smitty_game"),
    "euchre": (DEFENDERS, "euchre"),
    "lone_euchred": (DEFENDERS, "lone_euchred"),
    "lone_def_euchre": (DEFENDERS, "lone_def_euchre"),
    "lone_def_march": (DEFENDERS, "lone_def_march"),
    "super_euchre": (DEFENDERS, "super_euchre"),
}


class Result(NamedTuple):
    """The tricks of a finished hand, and the words they are put in for the tables below."""

    rules: Ruleset
    terms: Terms
    makers_tricks: int
    by_seat: tuple[int, ...] | None

    @property
    def bid(self) -> int:
        """Tricks the makers undertook."""
        return self.terms.tricks

    @property
    def special_won(self) -> int:
        """What the special bid pays."""
        return self.terms.special.won if self.terms.special else 0

    @property
    def special_lost(self) -> int:
        """What the special bid costs when it fails."""
        return self.terms.special.lost if self.terms.special else 0


_MAKERS_SCORE: dict[tuple[str, str], Callable[[Result], int]] = {
    ("made", "count"): lambda result: result.makers_tricks,
    ("made", "ignore"): lambda result: result.bid,
    ("set", "count"): lambda result: -result.bid,
    ("set", "ignore"): lambda result: -result.bid,
    ("special_made", "count"): lambda result: result.special_won,
    ("special_made", "ignore"): lambda result: result.special_won,
    ("special_set", "count"): lambda result: -result.special_lost,
    ("special_set", "ignore"): lambda result: -result.special_lost,
}


def turn_up_points(result: Result) -> tuple[int, ...]:
    """Points by seat of a turn-up hand (004:133-139 and each preset's own numbers)."""
    rules, terms = result.rules, result.terms
    side, option = TURN_UP_PAY[happened(rules, terms, result.makers_tricks)]
    amount = rules.options[option]
    if amount == "target":  # called for the game (004:181)
        amount = rules.target or 10
    if side == DEFENDERS and rules.options.get("defenders_score") == "split":
        amount //= len(terms.defenders)
    winners = terms.makers if side == MAKERS else terms.defenders
    return tuple(amount if seat in winners else 0 for seat in range(rules.players))


def bid_points(result: Result) -> tuple[int, ...] | None:
    """Points by seat of a bid hand (004:25-26); None when each defender's own tricks are needed."""
    rules, terms = result.rules, result.terms
    event = happened(rules, terms, result.makers_tricks)
    makers = _MAKERS_SCORE[event, rules.options["overtricks"]](result)
    nothing = event == "special_set" and not rules.options["defenders_score_on_failed_special"]
    others = 0 if nothing else rules.hand_size - result.makers_tricks
    own = others and not rules.partnership and rules.options["three_player_defence"] == "each"
    if own and result.by_seat is None:
        return None
    return tuple(
        makers
        if seat in terms.makers
        else result.by_seat[seat]
        if own and result.by_seat
        else others
        for seat in range(rules.players)
    )
