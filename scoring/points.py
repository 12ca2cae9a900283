"""The event that a hand's result amounts to, and the points it scores by the ruleset."""

from typing import NamedTuple

from scoring.auction.bid_calls import value_of
from scoring.auction.terms import JAMBONE, JAMBOREE, Terms
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

THROWN_IN, RENEGE, ABANDONED = "thrown-in", "renege", "abandoned"


def happened(rules: Ruleset, terms: Terms, makers_tricks: int) -> str:
    """The event of a finished hand, e.g. `lone_march`; `PUBLIC` has its public name."""
    if not terms.makers:
        return "played"
    if rules.family == TURN_UP:
        return _turn_up_event(rules, terms, makers_tricks)
    if terms.special is not None:
        lose_all = terms.special.lose_all
        has_made = makers_tricks == 0 if lose_all else makers_tricks >= terms.tricks
        return "special_made" if has_made else "special_set"
    return "made" if makers_tricks >= terms.tricks else "set"


def _turn_up_event(rules: Ruleset, terms: Terms, makers_tricks: int) -> str:
    is_march = makers_tricks == rules.hand_size
    if makers_tricks < terms.tricks:
        return _euchred_event(rules, terms, makers_tricks)
    if terms.fast_break:
        return "fast_break"
    if is_march and terms.shown:
        return terms.shown
    if is_march and terms.smitty == "game":
        return "smitty_game"
    if is_march and terms.smitty and terms.lone is not None:
        return "smitty_solo"
    lone = "lone_" if terms.lone is not None else ""
    return lone + ("march" if is_march else "made")


def _euchred_event(rules: Ruleset, terms: Terms, makers_tricks: int) -> str:
    if terms.lone_defender is not None:
        return "lone_def_march" if makers_tricks == 0 else "lone_def_euchre"
    if terms.lone is None:
        return "euchre"
    if makers_tricks == 0 and rules.options["super_euchre"] != "off":
        return "super_euchre"
    return "lone_euchred"


# The public name of each event in an answer (hand-record.md).
PUBLIC = {
    "made": "made",
    "lone_made": "made",
    "fast_break": "made",
    "march": "march",
    "lone_march": "march",
    JAMBONE: "march",
    JAMBOREE: "march",
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
    "played": "played",
}


def trick_counts(rules: Ruleset, terms: Terms, outcome: str) -> range:
    """The makers' possible trick counts for an outcome, in turn-up games only."""
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
    JAMBONE: (MAKERS, "jambone"),
    JAMBOREE: (MAKERS, "jamboree"),
    "smitty_solo": (MAKERS, "smitty_solo"),
    "smitty_game": (MAKERS, "smitty_game"),
    "euchre": (DEFENDERS, "euchre"),
    "lone_euchred": (DEFENDERS, "lone_euchred"),
    "lone_def_euchre": (DEFENDERS, "lone_def_euchre"),
    "lone_def_march": (DEFENDERS, "lone_def_march"),
    "super_euchre": (DEFENDERS, "super_euchre"),
}


class Result(NamedTuple):
    """The tricks of a finished hand: by the makers together, and by seat where that is known."""

    rules: Ruleset
    terms: Terms
    makers_tricks: int
    by_seat: tuple[int, ...] | None


def points(result: Result) -> tuple[int, ...] | None:
    """Points by seat; None if each player's own tricks are needed and unknown.

    Turn-up games score by event (004:133-139), bid games and games in which players drop out by
    tricks (004:25-26). Where the score counts down, the signs are reversed.
    """
    rules = result.rules
    by_tricks = rules.family != TURN_UP or rules.options.get("drop_out")
    amounts = by_tricks_points(result) if by_tricks else turn_up_points(result)
    return tuple(-won for won in amounts) if amounts is not None and rules.counts_down else amounts


def turn_up_points(result: Result) -> tuple[int, ...]:
    """Points by seat of a turn-up hand, by the option for its event."""
    rules, terms = result.rules, result.terms
    event = happened(rules, terms, result.makers_tricks)
    if event == "fast_break":
        return (0,) * rules.players
    side, option = TURN_UP_PAY[event]
    amount = rules.options[option]
    if amount == "target":  # called for the game (004:181)
        amount = rules.target or 10
    if side == DEFENDERS and rules.options.get("defenders_score") == "split":
        amount //= len(terms.defenders)
    gains = terms.makers if side == MAKERS else terms.defenders
    if side == DEFENDERS and rules.options["euchre_pays"] == "makers_lose":
        gains, amount = terms.makers, -amount
    amounts = [amount if seat in gains else 0 for seat in range(rules.players)]
    if event == "lone_march" and terms.lone is not None:
        amounts[terms.lone] += rules.options.get("caller_bonus", 0)
    return tuple(amounts)


def by_tricks_points(result: Result) -> tuple[int, ...] | None:
    """Points by seat of a hand scored by tricks; None if tricks by seat are needed and unknown."""
    rules, terms = result.rules, result.terms
    event = happened(rules, terms, result.makers_tricks)
    if rules.options.get("level_payment") and terms.makers:
        return _level_points(result, at_stake(result, event in _MADE))
    defenders = _defenders_points(result, event)
    if defenders is None:
        return None
    makers = _makers_points(result, event)
    return tuple(
        makers if seat in terms.makers else defenders[seat] for seat in range(rules.players)
    )


def is_made(result: Result) -> bool:
    """Whether the makers fulfilled their contract."""
    return happened(result.rules, result.terms, result.makers_tricks) in _MADE


_MADE = ("made", "march", "special_made")


def at_stake(result: Result, made: bool) -> int:
    """The value of the makers' contract, made or failed, before overtricks."""
    rules, terms = result.rules, result.terms
    if terms.special is not None:
        return terms.special.won if made else terms.special.lost
    if rules.options.get("values") == "avondale":
        return value_of(terms.tricks, terms.trump)
    return terms.tricks


def _level_points(result: Result, amount: int) -> tuple[int, ...]:
    """Points by seat where every other player pays the maker, or is paid by the maker."""
    rules, maker = result.rules, result.terms.maker
    event = happened(rules, result.terms, result.makers_tricks)
    each = -amount if event in _MADE else amount
    return tuple(
        -each * (rules.players - 1) if seat == maker else each for seat in range(rules.players)
    )


def _makers_points(result: Result, event: str) -> int:
    """The points that each of the makers gets, or loses."""
    rules, terms, options = result.rules, result.terms, result.rules.options
    if event not in _MADE:
        cost = options["set_costs"]
        if terms.special is not None or cost == "bid":
            return -at_stake(result, False)
        return 0 if cost == "nothing" else -int(cost)
    amount = at_stake(result, True)
    plain = terms.special is None and options.get("values") != "avondale"
    if plain and options.get("overtricks", "count") == "count":
        amount = result.makers_tricks
    if result.makers_tricks == rules.hand_size:
        amount = max(amount, options.get("all_tricks_least", 0))
    return amount


def _defenders_points(result: Result, event: str) -> tuple[int, ...] | None:
    """The points by seat of everyone but the makers; None if tricks by seat are unknown."""
    rules, terms, options = result.rules, result.terms, result.rules.options
    nothing = (0,) * rules.players
    special = terms.special
    if special is not None and special.lose_all:
        return nothing
    if event == "special_set" and not options["defenders_score_on_failed_special"]:
        return nothing
    failed = event not in _MADE and event != "played"
    if failed and options.get("set_gives") == "bid":
        return (at_stake(result, False),) * rules.players
    if event in _MADE and options.get("made_gives") == "nothing":
        return nothing
    by_seat = _scoring_tricks(result)
    if by_seat is None:
        return None
    trick_points, cost = options.get("trick_points", 1), options.get("no_trick_costs", 0)
    return tuple(
        0 if seat in terms.out else tricks * trick_points if tricks else -cost
        for seat, tricks in enumerate(by_seat)
    )


def _scoring_tricks(result: Result) -> tuple[int, ...] | None:
    """The tricks for which each seat scores: its side's, or its own."""
    rules, terms, by_seat = result.rules, result.terms, result.by_seat
    rest = rules.hand_size - result.makers_tricks
    joint = rules.options.get("three_player_defence") == "joint"
    if terms.makers and (rules.partnership or joint):
        return (rest,) * rules.players
    if by_seat is None:
        return deduced(rules, terms, result.makers_tricks) if terms.makers else None
    if not rules.partnership:
        return by_seat
    return tuple(
        sum(by_seat[mate] for mate in rules.sides[seat % len(rules.sides)])
        for seat in range(rules.players)
    )


def deduced(rules: Ruleset, terms: Terms, makers_tricks: int) -> tuple[int, ...] | None:
    """Tricks by seat if they follow from the makers' count, else None."""
    won = [0] * rules.players
    sides = ((terms.makers, makers_tricks), (terms.defenders, rules.hand_size - makers_tricks))
    for side, count in sides:
        playing = [seat for seat in side if seat not in terms.sitting_out]
        if count and len(playing) > 1:
            return None
        if playing:
            won[playing[0]] = count
    return tuple(won)
