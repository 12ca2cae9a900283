"""Every preset against a table of its own: the parameters of the rules document, section 6."""

import re
from pathlib import Path

import pytest

from scoring import preset_ids, ruleset
from scoring.rulesets.options import OPTIONS

TURN_UP = {
    # preset: players, deck, hand, kitty, target, made, march, euchre
    "standard-four-handed": (4, 24, 5, 4, 10, 1, 2, 2),
    "somerset": (4, 24, 5, 4, 10, 1, 2, 2),
    "three-hand-gamerules": (3, 32, 5, 17, 10, 1, 3, 2),
    "keller-1887-two-handed": (2, 32, 5, 22, 5, 1, 2, 2),
    "keller-1887-three-handed": (3, 32, 5, 17, 5, 1, 3, 2),
    "nanaimo-two-handed": (2, 32, 5, 22, 10, 1, 2, 2),
    "nanaimo-three-handed": (3, 32, 5, 17, 10, 1, 3, 2),
    "nanaimo-four-handed": (4, 32, 5, 12, 10, 1, 4, 2),
    "nanaimo-four-handed-standard": (4, 32, 5, 12, 10, 1, 2, 2),
    "ferguson-2023-four-handed": (4, 24, 5, 4, 10, 1, 2, 2),
    "guide-four-handed": (4, 24, 5, 4, 10, 1, 2, 2),
    "guide-benny-25": (4, 25, 5, 5, 10, 1, 2, 2),
    "guide-32": (4, 32, 5, 12, 10, 1, 2, 2),
    "guide-cutthroat-three-handed": (3, 24, 5, 9, 10, 1, 3, 2),
}
BID = {
    # preset: players, ranks, copies, hand, kitty, target, min, auction, win, specials
    "bid-general": (4, "9TJQKA", 2, 12, 0, 52, 1, "one_round", "made_or_set", {}),
    "bid-barrie": (4, "JQKA", 2, 8, 0, 52, 1, "one_round", "made_only",
                   {"call2": 12, "call1": 18, "moon": 24}),
    "bid-midwest-double-deck": (4, "9TJQKA", 2, 12, 0, 52, 1, "multi_round_reentry",
                                "made_or_set", {"alone": 24}),
    "bid-hoosier-four-player": (4, "TJQKA", 2, 10, 0, 32, 1, "one_round", "made_or_set",
                                {"bid10": 16, "moon_alone": 32}),
    "bid-hoosier-three-player": (3, "JQKA", 2, 10, 2, 32, 1, "one_round", "made_or_set",
                                 {"bid10": 16}),
    "bid-kokomo-kitty": (4, "9TJQKA", 2, 11, 4, 52, 1, "one_round", "made_or_set",
                         {"shooter": 22}),
    "bid-purdue-cutthroat": (3, "9TJQKA", 1, 7, 3, 32, 1, "one_round", "made_or_set", {"bid7": 16}),
    "bid-shawn": (4, "JQKA", 2, 8, 0, 32, 3, "one_round", "made_or_set",
                  {"7alone": 14, "8alone": 16}),
    "bid-racehorse": (4, "9TJQKA", 1, 6, 0, 32, 3, "one_round", "made_or_set", {}),
    "bid-racehorse-six": (6, "9TJQKA", 2, 8, 0, 32, 3, "one_round", "made_or_set", {}),
    "bid-racehorse-eight": (8, "9TJQKA", 2, 6, 0, 32, 3, "one_round", "made_or_set", {}),
    "bid-alber-double-deck": (4, "TJQKA", 2, 10, 0, 52, 1, "one_round", "any",
                              {"moon2": 15, "moon1": 15}),
    "bid-indiana-double-deck": (4, "9TJQKA", 2, 12, 0, 50, 3, "until_three_passes_reentry", "any",
                                {}),
}  # fmt: skip
# The games added later: players, sides, cards, hand, left over, what ends the game.
LATER = {
    "keller-1887-four-handed": (4, 2, 32, 5, 12, 5),
    "railroad": (4, 2, 33, 5, 13, 5),
    "benny-21": (4, 2, 25, 5, 5, 21),
    "benny-21-guernsey": (4, 2, 33, 5, 13, 21),
    "set-minus": (4, 2, 24, 5, 4, "8 hands"),
    "six-handed-euchre": (6, 2, 32, 5, 2, 10),
    "hoyle-1909-three-handed": (3, 3, 32, 5, 17, 5),
    "set-back-three-handed": (3, 3, 32, 5, 17, 5),
    "call-ace-four": (4, 4, 24, 5, 4, 10),
    "call-ace-five": (5, 5, 28, 5, 3, 10),
    "call-ace-six": (6, 6, 32, 5, 2, 10),
    "ghost-hand-two": (2, 2, 24, 5, 14, 10),
    "ghost-hand-three": (3, 3, 24, 6, 6, 32),
    "buck-euchre": (4, 4, 24, 5, 4, 0),
    "buck-euchre-bid": (4, 4, 24, 5, 4, 0),
    "auction-euchre": (4, 2, 24, 5, 4, 15),
    "auction-euchre-six": (6, 2, 32, 5, 2, 15),
    "pepper": (4, 2, 24, 6, 0, 30),
    "pepper-eight": (4, 2, 32, 8, 0, 50),
    "pepper-eight-six": (6, 2, 48, 8, 0, 50),
    "five-hundred-three": (3, 3, 33, 10, 3, 500),
    "five-hundred-four": (4, 2, 43, 10, 3, 500),
    "napoleon": (4, 4, 52, 5, 32, "20 hands"),
    "bid-six-handed": (6, 2, 48, 8, 0, 32),
    "bid-hoosier-two-player": (2, 2, 20, 10, 0, 32),
    "bid-hoosier-five-player": (5, 5, 52, 10, 2, 32),
    "bid-hoosier-six-player": (6, 2, 60, 10, 0, 32),
    "bid-hoosier-eight-player": (8, 2, 80, 10, 0, 32),
}
DIFFERENT = {
    "railroad": {
        "partners_best": "take_first", "defend_alone": "v_lone_maker", "joker_suit": "h",
        "joker_turned_up": "fixed_suit",
    },
    "set-minus": {"euchre_pays": "makers_lose", "stick_the_dealer": True, "lone_euchred": 4},
    "hoyle-1909-three-handed": {"march": 2, "tie_rule": "elder_hand"},
    "set-back-three-handed": {"euchre_pays": "makers_lose"},
    "call-ace-six": {"call_card": "ace", "march": 3, "lone_march": 6, "stick_the_dealer": True},
    "ghost-hand-two": {"dummy": "two_cards", "stick_the_dealer": True},
    "buck-euchre": {"start": 25, "drop_out": True, "dirty_clubs": True, "set_costs": 5},
    "buck-euchre-bid": {"start": 15, "auction": "pass_is_final", "denomination": "after"},
    "auction-euchre": {"lead": "eldest", "set_gives": "bid", "made_gives": "nothing"},
    "pepper": {"set_costs": 6, "auction": "until_three_passes_reentry"},
    "five-hundred-three": {"values": "avondale", "trick_points": 10, "all_pass": "play_no_trump"},
    "five-hundred-four": {"misere": "on", "lose_at": -500, "win_rule": "made_only"},
    "napoleon": {"bowers": False, "trump_by_lead": True, "level_payment": True},
    "three-hand-gamerules": {
        "stick_the_dealer": True, "tie_rule": "play_on", "first_dealer": "first_black_jack",
    },
    "keller-1887-two-handed": {"first_dealer": "cut", "laps": "off", "slam": "off"},
    "keller-1887-three-handed": {"tie_rule": "co_winners", "first_dealer": "cut"},
    "nanaimo-two-handed": {"first_dealer": "high_card_suits", "deal_pattern": "3-2"},
    "nanaimo-three-handed": {
        "first_dealer": "high_card_suits", "tie_rule": "highest_then_play_on",
        "defenders_score": "each",
    },
    "nanaimo-four-handed": {
        "first_dealer": "high_card_suits", "lone_made": 1, "lone_march": 4, "lone_euchred": 2,
    },
    "ferguson-2023-four-handed": {
        "upcard_pickup": "optional", "lone_made": 1, "lone_march": 4, "lone_euchred": 2,
        "passout_dealer": "next",
    },
    "guide-four-handed": {
        "lone_def_euchre": 2, "lone_def_march": 4, "defend_alone": "v_lone_maker",
        "loner_lead": "left_of_loner", "two_loner_lead": "lone_defender", "cut_by": "left",
        "renege_points": 2, "renege_points_lone": 4, "renege_form": "claimant_choice",
        "renege_window": "trick", "alone_by": "maker_side",
    },
    "guide-benny-25": {"joker_turned_up": "dealer_names_blind_and_makes"},
    "somerset": {"renege_points": 3, "renege_points_lone": 5},
    "standard-four-handed": {
        "dealer_rotates": "every_hand", "deal_pattern": "any_2_3", "r2_exclude_turned": True,
        "upcard_goes_to": "dealer", "loner_lead": "eldest_active", "two_loner_lead": "same_rule",
        "upcard_pickup": "mandatory", "may_discard_upcard": False, "passout_dealer": "next",
        "misdeal_dealer": "same", "cut_by": "right", "partner_order_alone": False,
        "second_upcard": False, "alone_by": "maker", "alone_window": "before_lead",
        "defend_alone": "never", "lone_def_euchre": 4, "lone_def_march": 4, "renege_points": 2,
        "renege_points_lone": 4, "renege_form": "claimant_choice", "score_floor": "none",
        "renege_window": "until_next_deal", "smitty_solo": 4, "smitty_game": "target",
        "laps": "off", "slam": "off", "super_euchre": "off", "stick_the_dealer": False,
        "smitty": False, "mcevoy": False, "chuck": False, "dirty_clubs": False,
        "no_trump": "never", "forbidden_trumps": (), "seat_nine": "4+3+2",
    },
    "bid-general": {
        "all_pass": "throw_in_next_dealer", "nt": ("high",), "denomination": "in_bid",
        "overtricks": "count", "defenders_score_on_failed_special": True,
    },
    "bid-midwest-double-deck": {"lone_over_max": False},
    "bid-hoosier-three-player": {"three_player_defence": "each"},
    "bid-kokomo-kitty": {
        "nt": ("high", "low"), "shooter_gets_kitty": False, "shooter_exchange": 0,
    },
    "bid-shawn": {"min_nt": 5},
    "bid-racehorse": {
        "nt": ("high", "low"), "denomination": "after", "dealer_may_equal": True,
        "all_pass": "dealer_must_bid_min",
    },
    "bid-alber-double-deck": {
        "nt": ("high", "low"), "all_pass": "dealer_must_bid_min", "both_over": "bidding_side",
        "exchange_order": "take_first", "moon_two_cards": 15, "moon_one_card": 15,
    },
    "bid-indiana-double-deck": {
        "eldest_must_open": True, "overtricks": "ignore", "both_over": "bidding_side",
    },
}  # fmt: skip


def test_every_ruleset_of_the_index_is_a_preset():
    assert set(preset_ids()) == {*TURN_UP, *BID, *LATER}


@pytest.mark.parametrize("preset", TURN_UP)
def test_turn_up_preset_has_the_parameters_of_its_source(preset):
    rules = ruleset(preset)
    options = rules.options
    found = (rules.players, len(rules.deck), rules.hand_size, rules.kitty_size, rules.target,
             options["made"], options["march"], options["euchre"])  # fmt: skip
    assert found == TURN_UP[preset]


@pytest.mark.parametrize("preset", LATER)
def test_a_later_preset_has_the_table_deck_and_end_of_its_source(preset):
    rules = ruleset(preset)
    end = f"{rules.hands} hands" if rules.target is None else rules.target
    found = (rules.players, len(rules.sides), len(rules.deck), rules.hand_size, rules.kitty_size)
    assert (*found, end) == LATER[preset]


@pytest.mark.parametrize("preset", BID)
def test_bid_preset_has_the_parameters_of_its_source(preset):
    rules = ruleset(preset)
    options = rules.options
    players, ranks, copies, hand, kitty, target, least, auction, win, specials = BID[preset]
    assert (rules.players, rules.hand_size, rules.kitty_size) == (players, hand, kitty)
    assert sorted(rules.deck) == sorted([r + s for r in ranks for s in "cdhs"] * copies)
    assert (rules.target, options["min"], options["auction"]) == (target, least, auction)
    assert options["win_rule"] == win
    assert {special.name: special.won for special in rules.specials} == specials
    assert {special.name: special.lost for special in rules.specials} == specials  # D-33


@pytest.mark.parametrize("preset", DIFFERENT)
def test_preset_has_the_options_of_its_source(preset):
    options = ruleset(preset).options
    assert {name: options[name] for name in DIFFERENT[preset]} == DIFFERENT[preset]


@pytest.mark.parametrize("preset", [*TURN_UP, *BID, *LATER])
def test_hands_and_kitty_use_up_the_deck(preset):
    rules = ruleset(preset)
    assert rules.hand_size * rules.players + rules.kitty_size == len(rules.deck)


@pytest.mark.parametrize("preset", [*TURN_UP, *BID, *LATER])
def test_every_value_says_where_it_comes_from(preset):
    for name, choice in ruleset(preset).choices.items():
        assert choice.source, f"{preset}: {name} has no source"
        assert re.fullmatch(r"(D-\d\d)?", choice.decision), (preset, name)
        if OPTIONS[name].decision:
            assert choice.decision, f"{preset}: {name} is a decision without its number"


@pytest.mark.parametrize("preset", [*TURN_UP, *BID, *LATER])
def test_the_resolved_ruleset_can_be_stored_and_read_again(preset):
    rules = ruleset(preset)
    again = ruleset(rules.to_dict())
    assert again == rules
    assert again.to_dict() == rules.to_dict()
    assert hash(again) == hash(rules)


def test_sides_are_the_even_and_the_odd_seats_in_partnership_games():
    assert ruleset("standard-four-handed").sides == ((0, 2), (1, 3))
    assert ruleset("bid-racehorse-six").sides == ((0, 2, 4), (1, 3, 5))
    assert ruleset("bid-racehorse-eight").sides == ((0, 2, 4, 6), (1, 3, 5, 7))
    assert ruleset("nanaimo-three-handed").sides == ((0,), (1,), (2,))
    assert ruleset("keller-1887-two-handed").sides == ((0,), (1,))


def test_no_code_branches_on_the_name_of_a_preset():
    """A rule is a line of data: the code says only what happened.

    Only the notation EGN, outside the rules, is read as one preset by its own definition.
    """
    folder = Path(__file__).parents[2] / "scoring"
    named = re.compile("|".join(re.escape(preset) for preset in preset_ids()))
    for file in {*folder.rglob("*.py")} - {*(folder / "egn").rglob("*.py")}:
        code = re.sub(r'""".*?"""', "", file.read_text("utf-8"), flags=re.DOTALL)
        assert not named.search(code), f"{file.name} names a preset"


def test_the_seeds_where_a_value_comes_from_exist():
    """ "004:133" is line 133 of the fifth source text, where the texts are at hand."""
    seeds = Path(__file__).parents[3] / "shared" / "seeds"
    lines = {
        file.name[:3]: len(file.read_text("utf-8").splitlines()) for file in seeds.glob("*.txt")
    }
    if not lines:
        lines = {"000": 20, "001": 97, "002": 160, "003": 50, "004": 192}
    for preset in preset_ids():
        for name, choice in ruleset(preset).choices.items():
            for seed, line in re.findall(r"\b(00[0-4]):(\d+)", choice.source):
                assert int(line) <= lines[seed], (preset, name, choice.source)
