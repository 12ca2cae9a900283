"""Every switch of EGN's ruleset: what it means here, both ways, and what cannot be mapped."""

import json

import pytest

from scoring.egn.notation import KNOWN, read_switches, write_switches
from tests.scoring.notation import HANDED_OVER, answer_to, codes, with_switches

MAPPED = [
    ("std", True, "stick_the_dealer", True),
    ("std", False, "stick_the_dealer", False),
    ("canadian", True, "partner_order_alone", True),
    ("canadian", False, "partner_order_alone", False),
    ("defend_alone", True, "defend_alone", "v_lone_maker"),
    ("defend_alone", False, "defend_alone", "never"),
    ("allow_no_trump", True, "no_trump", "second_round"),
    ("allow_no_trump", False, "no_trump", "never"),
    ("loner_lead", "LEFT_OF_DEALER", "loner_lead", "eldest_active"),
    ("loner_lead", "LEFT_OF_LONER", "loner_lead", "left_of_loner"),
    ("loner_march_score", 5, "lone_march", 5),
    ("loner_euchred_score", 4, "lone_euchred", 4),
    ("winning_score", 11, "target", 11),
    ("num_deals", 12, "hands", 12),
    ("min_rank", 9, "deck", 24),
    ("min_rank", 8, "deck", 28),
    ("min_rank", 7, "deck", 32),
    ("joker", True, "deck", 25),
]


@pytest.mark.parametrize(("switch", "value", "option", "ours"), MAPPED)
def test_a_switch_means_an_option_and_is_written_back_the_same(switch, value, option, ours):
    options, faults, warnings = read_switches({switch: value})
    assert (options[option], faults, warnings) == (ours, [], [])
    assert write_switches({**read_switches({})[0], **options})[switch] == value


def test_switches_left_out_mean_their_defaults_in_egn():
    options, faults, _ = read_switches(None)
    assert faults == []
    assert options["stick_the_dealer"]
    assert options["may_discard_upcard"]
    assert (options["deck"], options["loner_lead"]) == (24, "eldest_active")


@pytest.mark.parametrize("switch", ["fast_break", "four_trick_tokens"])
def test_a_switch_that_changes_the_score_is_the_option_of_its_name(switch):
    options, faults, warnings = read_switches({switch: True})
    assert (options[switch], faults, warnings) == (True, [], [])
    assert switch not in write_switches({})
    assert write_switches({switch: True})[switch]


@pytest.mark.parametrize("switch", ["farmers", "partners_best", "go_under"])
def test_a_switch_that_only_lets_cards_be_exchanged_is_warned_of(switch):
    answer = answer_to(with_switches(**{switch: True}))
    assert answer.valid
    assert codes(answer.warnings) == ["kept-as-is"]
    assert switch in answer.warnings[0].message


@pytest.mark.parametrize(
    ("switches", "field"),
    [
        ({"std": "yes"}, "ruleset.std"),
        ({"winning_score": -1}, "ruleset.winning_score"),
        ({"winning_score": 10.5}, "ruleset.winning_score"),
        ({"loner_march_score": True}, "ruleset.loner_march_score"),
        ({"winning_score": 10, "num_deals": 8}, "ruleset.num_deals"),
        ({"min_rank": 6}, "ruleset.min_rank"),
        ({"min_rank": 8, "joker": True}, "ruleset.min_rank"),
        ({"num_players": 6}, "ruleset.num_players"),
        ({"loner_lead": "DEALER"}, "ruleset.loner_lead"),
    ],
)
def test_a_switch_with_a_value_that_makes_no_game_is_a_fault_at_its_field(switches, field):
    _, faults, _ = read_switches(switches)
    assert [found.field for found in faults] == [field]


def test_no_winning_score_with_a_number_of_deals_is_a_game_of_that_many():
    options, faults, _ = read_switches({"winning_score": 0, "num_deals": 3})
    assert (faults, options["hands"], "target" in options) == ([], 3, False)


@pytest.mark.skipif(not HANDED_OVER.is_dir(), reason="EGN's own schema is not beside this checkout")
def test_every_switch_of_egns_own_schema_is_known():
    schema = json.loads((HANDED_OVER / "egn-schema-v1.json").read_text("utf-8"))
    rules = schema["properties"]["metadata"]["properties"]["ruleset"]["properties"]
    assert set(rules) <= KNOWN
