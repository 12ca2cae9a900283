"""Options that change nothing where they stand: a table of conditions, asked of any ruleset."""

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
    """Why an option changes nothing: a word for the reason, and the options that could alter that.

    `wakers` is empty where no other option of this game can give it an effect.
    """

    reason: str
    wakers: tuple[str, ...]


def idle_options(rules: "Ruleset") -> dict[str, Idle]:
    """The options of a ruleset that change nothing as its others stand, each with the reason.

    No hand is paid or refused otherwise, no other question is asked and no game ends otherwise,
    whatever such an option says.

    >>> from scoring.rulesets import ruleset
    >>> idle_options(ruleset("standard-four-handed"))["joker_suit"].reason
    'no-joker'
    """
    asleep: dict[str, Idle] = {}
    for names, reason, wakers, test in _TABLE:
        for name in names.split():
            if name in rules.options and name not in asleep and test(rules):
                known = [waker for waker in wakers.split() if waker in rules.options]
                asleep[name] = Idle(reason, tuple(known))
    return {
        name: idle._replace(wakers=tuple(w for w in idle.wakers if not _asleep(w, asleep)))
        for name, idle in asleep.items()
    }


def _asleep(name: str, asleep: dict[str, Idle]) -> bool:
    return name in asleep and not asleep[name].wakers


def _on(name: str) -> Test:
    return lambda rules: rules.options.get(name, "off") not in (False, "off", "never", "none")


def _off(name: str) -> Test:
    is_on = _on(name)
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
    """Whether the game has a special bid that hangs on this option."""
    return lambda rules: any(
        name in tuple(special.get("when", ()))[:1] for special in rules.to_dict()["special"]
    )


def _no_failed_special(rules: "Ruleset") -> bool:
    """Nobody bids anything special whose failure leaves tricks to the others."""
    return all(special.lose_all for special in rules.specials)


def _kept_by_others(rules: "Ruleset") -> bool:
    """Whether tricks of players who did not bid are ever paid for."""
    options = rules.options
    if _unbid(rules):
        return True
    if options.get("level_payment"):
        return False
    return options.get("set_gives") == "tricks" or options.get("made_gives") == "tricks"


def _unbid(rules: "Ruleset") -> bool:
    """Whether a hand can be played that nobody bid."""
    options = rules.options
    played = options.get("all_pass") == "play_no_trump" and not options.get("eldest_must_open")
    return bool(played or (options.get("drop_out") and options.get("dirty_clubs")))


def _one_side_scores(rules: "Ruleset") -> bool:
    """Whether no hand brings points to two who have scores of their own."""
    options = rules.options
    if options.get("false_claim_points") or options.get("table_talk_points"):
        return False
    if rules.family == TURN_UP:
        return len(rules.sides) == 2 and not options.get("drop_out")
    both = options["made_gives"] == "tricks" or _unbid(rules)
    return not both and len(rules.sides) == 2 and options["win_rule"] == "any"


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
    """Where two sides reach the target, the one that bid is always one of them."""
    return (
        rules.family == BID
        and len(rules.sides) == 2
        and rules.options["both_over"] == "bidding_side"
        and not _unbid(rules)
    )


def _turn_up_by_events(rules: "Ruleset") -> bool:
    return rules.family == TURN_UP and not rules.options.get("drop_out")


def _turn_up_by_tricks(rules: "Ruleset") -> bool:
    return rules.family == TURN_UP and bool(rules.options.get("drop_out"))


def _nothing_exchanged(rules: "Ruleset") -> bool:
    """Nobody changes cards with a partner unseen: a taken kitty is seen first."""
    return not any(
        special.exchange[1] and not (rules.taken_kitty and special.kitty)
        for special in rules.specials
    )


_PAID_BY_TRICKS = "set_costs set_gives made_gives all_tricks_least overtricks"
_PAID_BY_EVENTS = "made march euchre euchre_pays defenders_score"

# Options, the reason, the options that could alter it, and the condition. The first that holds
# counts. The reasons are put in words by anyone who shows them.
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
    ("passout_dealer", "nobody-passes-out", "stick_the_dealer", _on("stick_the_dealer")),
    ("joker_turned_up joker_suit", "no-joker", "deck", lambda rules: JOKER not in rules.deck),
    ("joker_suit", "no-joker-suit", "joker_turned_up",
     lambda rules: rules.options["joker_turned_up"] != "fixed_suit"),
    ("may_discard_upcard", "upcard-left", "upcard_pickup", _is("upcard_pickup", "optional")),
    ("smitty_solo smitty_game", "no-smitty", "smitty", _off("smitty")),
    # -- alone
    ("lone_def_euchre lone_def_march two_loner_lead", "no-lone-defender", "defend_alone",
     _off("defend_alone")),
    ("renege_points_lone", "nobody-alone", "", _nobody_alone),
    # -- points of a turn-up game
    (_PAID_BY_EVENTS, "paid-by-tricks", "drop_out", _turn_up_by_tricks),
    ("set_costs no_trick_costs", "paid-by-result", "drop_out", _turn_up_by_events),
    # -- bids
    ("all_pass", "somebody-opens", "eldest_must_open", _on("eldest_must_open")),
    ("kitty_to", "all-dealt", "", _all_dealt),
    ("kitty_to", "too-many-left", "", lambda rules: rules.kitty_size > MOST_KITTY),
    ("dirty_clubs", "all-dealt", "",
     lambda rules: rules.family == BID and _all_dealt(rules)),
    ("dirty_clubs", "nobody-drops-out", "drop_out",
     lambda rules: rules.family == BID and not rules.options.get("drop_out")),
    ("denomination nt min_nt", "trump-is-led", "trump_by_lead", _on("trump_by_lead")),
    ("min_nt", "never-no-trump", "nt", _is("nt", ())),
    ("misere", "no-misere", "",
     lambda rules: rules.family == BID and not _has_when("misere")(rules)),
    ("lone_over_max", "one-round", "auction",
     lambda rules: rules.options["auction"] != "multi_round_reentry"),
    ("exchange_order", "nothing-exchanged", "shooter_exchange shooter_gets_kitty kitty_to",
     _nothing_exchanged),
    # -- points of a bid game
    (f"{_PAID_BY_TRICKS} defenders_score_on_failed_special", "equal-payment", "level_payment",
     _on("level_payment")),
    ("overtricks", "worth-its-value", "values", _is("values", "avondale")),
    ("defenders_score_on_failed_special", "no-special-bid", "", _no_failed_special),
    ("trick_points no_trick_costs three_player_defence", "others-not-by-tricks",
     "set_gives made_gives level_payment all_pass",
     lambda rules: rules.family == BID and not _kept_by_others(rules)),
    ("three_player_defence", "equal-payment", "level_payment", _on("level_payment")),
    # -- reneges
    ("revoke_500", "equal-payment", "level_payment", _on("level_payment")),
    ("renege_window renege_points renege_points_lone renege_form", "own-renege",
     "revoke_500 level_payment", _any(_on("revoke_500"), _on("level_payment"))),
)  # fmt: skip

assert all(name in OPTIONS for names, *_ in _TABLE for name in names.split())
