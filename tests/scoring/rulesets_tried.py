"""The rulesets the laws are tried on: every preset, and options by themselves and together."""

from hypothesis import strategies as st

from scoring import preset_ids, ruleset

STANDARD = "standard-four-handed"
WITH_OPTIONS = [
    (STANDARD, {"stick_the_dealer": True}),
    (STANDARD, {"smitty": True}),
    (STANDARD, {"mcevoy": True}),
    (STANDARD, {"mcevoy": True, "misdeal_dealer": "next"}),
    (STANDARD, {"stick_the_dealer": True, "chuck": True}),
    (STANDARD, {"dirty_clubs": True}),
    (STANDARD, {"no_trump": "second_round"}),
    (STANDARD, {"forbidden_trumps": ["h"]}),
    (STANDARD, {"defend_alone": "always", "lone_def_march": 5}),
    (STANDARD, {"defend_alone": "v_lone_maker", "alone_by": "maker_side"}),
    (STANDARD, {"alone_window": "with_call", "super_euchre": 4}),
    (STANDARD, {"partner_order_alone": True}),
    (STANDARD, {"may_discard_upcard": True}),
    (STANDARD, {"upcard_goes_to": "orderer", "r2_exclude_turned": False}),
    (STANDARD, {"upcard_pickup": "optional", "passout_dealer": "same"}),
    (STANDARD, {"deck": 28}),
    (STANDARD, {"deck": 33, "no_trump": "second_round", "stick_the_dealer": True}),
    (STANDARD, {"hands": 8, "dealer_rotates": "every_game"}),
    (STANDARD, {"stick_the_dealer": True, "smitty": True, "mcevoy": True, "chuck": True,
                "dirty_clubs": True, "no_trump": "second_round", "forbidden_trumps": ["d"],
                "defend_alone": "always", "alone_by": "maker_side", "may_discard_upcard": True}),
    ("guide-benny-25", {"joker_turned_up": "redeal"}),
    ("guide-benny-25", {"joker_turned_up": "fixed_suit", "joker_suit": "h"}),
    ("keller-1887-two-handed", {"laps": "on", "slam": "on", "deck": 33}),
    ("three-hand-gamerules", {"deck": 24, "defenders_score": "split"}),
    ("guide-cutthroat-three-handed", {"mcevoy": True, "no_trump": "second_round"}),
    ("bid-alber-double-deck", {"moon_one_card": 20, "exchange_order": "discard_first"}),
    ("bid-barrie", {"win_rule": "any", "defenders_score_on_failed_special": False}),
    ("bid-general", {"all_pass": "same_dealer", "overtricks": "ignore", "nt": []}),
    ("bid-general", {"all_pass": "dealer_must_bid_min", "denomination": "after"}),
    ("bid-hoosier-three-player", {"three_player_defence": "joint"}),
    ("bid-kokomo-kitty", {"shooter_gets_kitty": True, "shooter_exchange": 2}),
    ("bid-kokomo-kitty", {"shooter_exchange": 2, "score_floor": 0}),
    ("bid-midwest-double-deck", {"lone_over_max": True, "exchange_order": "take_first"}),
]  # fmt: skip
SEEDS = st.integers(0, 2**32)


def named(rules):
    """What a test of this ruleset is called: the preset, and what was changed in it."""
    changed = [
        f"{name}={value}"
        for name, value in rules.options.items()
        if ruleset(rules.id).options.get(name) != value
    ]
    return " ".join([rules.id, *changed])


RULESETS = {name: ruleset(name) for name in preset_ids()}
RULESETS |= {named(rules): rules for rules in (ruleset(*given) for given in WITH_OPTIONS)}
