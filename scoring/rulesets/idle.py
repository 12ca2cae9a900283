"""Finds options that have no effect in a ruleset, by a table of conditions."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import JOKER
from scoring.rulesets.options import BID, OPTIONS, TURN_UP
from scoring.rulesets.shapes import MOST_KITTY

if TYPE_CHECKING:
    from scoring.rulesets import Ruleset

__all__ = ["Idle", "idle_options"]

Test = Callable[["Ruleset"], bool]


class Idle(NamedTuple):
    """Why an option has no effect: a word for the reason, and the options that could change that.

    `wakers` is empty if no other option of this game can give it an effect.
    """

    reason: str
    wakers: tuple[str, ...]


def idle_options(rules: "Ruleset") -> dict[str, Idle]:
    """The options of a ruleset that have no effect because of its other options, with the reasons.

    Changing such an option changes no score, no fault, no question and no ending of a game.

    >>> from scoring.rulesets import ruleset
    >>> idle_options(ruleset("standard-four-handed"))["joker_suit"].reason
    'no-joker'
    """
    idle: dict[str, Idle] = {}
    for names, reason, wakers, test in _TABLE:
        for name in names.split():
            if name in rules.options and name not in idle and test(rules):
                available_wakers = [waker for waker in wakers.split() if waker in rules.options]
                idle[name] = Idle(reason, tuple(available_wakers))
    return {
        name: option._replace(
            wakers=tuple(waker for waker in option.wakers if not _is_always_idle(waker, idle))
        )
        for name, option in idle.items()
    }


def _is_always_idle(name: str, idle: dict[str, Idle]) -> bool:
    return name in idle and not idle[name].wakers


def _is_on(name: str) -> Test:
    return lambda rules: rules.options.get(name, "off") not in (False, "off", "never", "none")


def _is_off(name: str) -> Test:
    is_on = _is_on(name)
    return lambda rules: not is_on(rules)


def _is(name: str, value: object) -> Test:
    return lambda rules: bool(rules.options.get(name) == value)


def _any(*tests: Test) -> Test:
    return lambda rules: any(test(rules) for test in tests)


def _fixed_hands(rules: "Ruleset") -> bool:
    return rules.target is None


def _nobody_alone(rules: "Ruleset") -> bool:
    if rules.family == TURN_UP:
        return not (rules.partnership or rules.partner_called)
    return not any(special.alone for special in rules.specials)


def _all_dealt(rules: "Ruleset") -> bool:
    return rules.kitty_size == 0


def _has_when(name: str) -> Test:
    """Whether the game has a special bid that depends on this option."""
    return lambda rules: any(
        name in tuple(special.get("when", ()))[:1] for special in rules.to_dict()["special"]
    )


def _no_failed_special(rules: "Ruleset") -> bool:
    """Whether no special bid can fail and leave tricks to the others."""
    return all(special.lose_all for special in rules.specials)


def _others_score_tricks(rules: "Ruleset") -> bool:
    """Whether players who did not bid ever score for their tricks."""
    options = rules.options
    if _may_be_unbid(rules):
        return True
    if options.get("level_payment"):
        return False
    return options.get("set_gives") == "tricks" or options.get("made_gives") == "tricks"


def _may_be_unbid(rules: "Ruleset") -> bool:
    """Whether a hand can be played that no one bid."""
    options = rules.options
    plays_no_trump = options.get("all_pass") == "play_no_trump"
    if plays_no_trump and not options.get("eldest_must_open"):
        return True
    return bool(options.get("drop_out") and options.get("dirty_clubs"))


def _one_side_scores(rules: "Ruleset") -> bool:
    """Whether no hand can give points to two sides."""
    options = rules.options
    if options.get("false_claim_points") or options.get("table_talk_points"):
        return False
    if rules.family == TURN_UP:
        return len(rules.sides) == 2 and not options.get("drop_out")
    both_score = options["made_gives"] == "tricks" or _may_be_unbid(rules)
    return not both_score and len(rules.sides) == 2 and options["win_rule"] == "any"


def _bid_decides(rules: "Ruleset") -> bool:
    """Whether the bidders and the others can never win on the same hand."""
    options = rules.options
    return (
        rules.family == BID
        and options["win_rule"] != "any"
        and (options["revoke_500"] != "hoffmann")
    )


def _bid_decides_for_two(rules: "Ruleset") -> bool:
    return len(rules.sides) == 2 and _bid_decides(rules)


def _bidder_first(rules: "Ruleset") -> bool:
    """Whether the side that bid is always among those that reach the target together, and wins."""
    return (
        rules.family == BID
        and len(rules.sides) == 2
        and rules.options["both_over"] == "bidding_side"
        and not _may_be_unbid(rules)
    )


def _turn_up_by_events(rules: "Ruleset") -> bool:
    return rules.family == TURN_UP and not rules.options.get("drop_out")


def _turn_up_by_tricks(rules: "Ruleset") -> bool:
    return rules.family == TURN_UP and bool(rules.options.get("drop_out"))


def _nothing_exchanged(rules: "Ruleset") -> bool:
    """Whether no one exchanges cards with a partner before seeing new cards; a kitty that is taken
    is seen first."""
    return not any(
        special.exchange[1] and not (rules.taken_kitty and special.kitty)
        for special in rules.specials
    )


_PAID_BY_TRICKS = "set_costs set_gives made_gives all_tricks_least overtricks"
_PAID_BY_EVENTS = "made march euchre euchre_pays defenders_score"

# Options, the reason, the options that could change it, and the condition. The first row that
# holds counts. The site's pages have sentences for the reasons.
_TABLE: tuple[tuple[str, str, str, Test], ...] = (
    ("seat_nine", "policy", "", lambda rules: True),
    # -- the end of the game
    ("tie_rule win_rule both_over lose_at laps slam", "fixed-hands", "target hands", _fixed_hands),
    ("lose_at", "never-below-zero", "score_floor", _is("score_floor", 0)),
    ("lose_at laps slam", "counts-down", "start target", lambda rules: rules.counts_down),
    ("tie_rule both_over", "one-side-scores",
     "false_claim_points table_talk_points set_gives made_gives win_rule", _one_side_scores),
    ("both_over", "bid-decides", "win_rule", _bid_decides),
    ("tie_rule", "bid-decides", "win_rule", _bid_decides_for_two),
    ("tie_rule", "bidder-first", "both_over", _bidder_first),
    # -- dealing
    ("misdeal_dealer passout_dealer", "dealer-stays", "dealer_rotates",
     _is("dealer_rotates", "every_game")),
    ("passout_dealer", "nobody-passes-out", "stick_the_dealer", _is_on("stick_the_dealer")),
    ("joker_turned_up joker_suit", "no-joker", "deck", lambda rules: JOKER not in rules.deck),
    ("joker_suit", "no-joker-suit", "joker_turned_up",
     lambda rules: rules.options["joker_turned_up"] != "fixed_suit"),
    ("may_discard_upcard", "upcard-left", "upcard_pickup", _is("upcard_pickup", "optional")),
    ("smitty_solo smitty_game", "no-smitty", "smitty", _is_off("smitty")),
    # -- alone
    ("lone_def_euchre lone_def_march two_loner_lead", "no-lone-defender", "defend_alone",
     _is_off("defend_alone")),
    ("renege_points_lone", "nobody-alone", "", _nobody_alone),
    # -- points of a turn-up game
    (_PAID_BY_EVENTS, "paid-by-tricks", "drop_out", _turn_up_by_tricks),
    ("set_costs no_trick_costs", "paid-by-result", "drop_out", _turn_up_by_events),
    # -- bids
    ("all_pass", "somebody-opens", "eldest_must_open", _is_on("eldest_must_open")),
    ("kitty_to", "all-dealt", "", _all_dealt),
    ("kitty_to", "too-many-left", "", lambda rules: rules.kitty_size > MOST_KITTY),
    ("dirty_clubs", "all-dealt", "",
     lambda rules: rules.family == BID and _all_dealt(rules)),
    ("dirty_clubs", "nobody-drops-out", "drop_out",
     lambda rules: rules.family == BID and not rules.options.get("drop_out")),
    ("denomination nt min_nt", "trump-is-led", "trump_by_lead", _is_on("trump_by_lead")),
    ("min_nt", "never-no-trump", "nt", _is("nt", ())),
    ("misere", "no-misere", "",
     lambda rules: rules.family == BID and not _has_when("misere")(rules)),
    ("lone_over_max", "one-round", "auction",
     lambda rules: rules.options["auction"] != "multi_round_reentry"),
    ("exchange_order", "nothing-exchanged", "shooter_exchange shooter_gets_kitty kitty_to",
     _nothing_exchanged),
    # -- points of a bid game
    (f"{_PAID_BY_TRICKS} defenders_score_on_failed_special", "equal-payment", "level_payment",
     _is_on("level_payment")),
    ("overtricks", "worth-its-value", "values", _is("values", "avondale")),
    ("defenders_score_on_failed_special", "no-special-bid", "", _no_failed_special),
    ("trick_points no_trick_costs three_player_defence", "others-not-by-tricks",
     "set_gives made_gives level_payment all_pass",
     lambda rules: rules.family == BID and not _others_score_tricks(rules)),
    ("three_player_defence", "equal-payment", "level_payment", _is_on("level_payment")),
    # -- reneges
    ("revoke_500", "equal-payment", "level_payment", _is_on("level_payment")),
    ("renege_window renege_points renege_points_lone renege_form", "own-renege",
     "revoke_500 level_payment", _any(_is_on("revoke_500"), _is_on("level_payment"))),
)  # fmt: skip

assert all(name in OPTIONS for names, *_ in _TABLE for name in names.split())
