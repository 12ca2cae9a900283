"""Rulesets from data: options, a club's own rules, and every problem told at once."""

import json
import pickle

import pytest

from scoring import RulesetError, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS


def problems(source, options=None):
    """The fields and sentences of everything wrong with a ruleset."""
    with pytest.raises(RulesetError) as caught:
        ruleset(source, options)
    assert str(caught.value)
    return [(fault.field, fault.sentence) for fault in caught.value.faults]


def refused(source, options):
    """The fields of everything wrong with a ruleset, none where it is one."""
    try:
        ruleset(source, options)
    except RulesetError as error:
        return [fault.field for fault in error.faults]
    return []


def test_all_problems_are_told_at_once():
    wrong = {"deck": 23, "nonsense": 1, "target": 0, "alone_by": "maker"}
    assert problems("keller-1887-two-handed", wrong) == [
        ("deck", "unknown-option/value"),
        ("nonsense", "unknown-option/name"),
        ("target", "unknown-option/value"),
        ("alone_by", "unknown-option/fit"),
    ]


def test_an_unknown_ruleset_is_refused():
    assert problems("gin-rummy") == [("ruleset", "unknown-ruleset/id")]
    assert problems({"extends": "gin-rummy"}) == [("ruleset", "unknown-ruleset/id")]


@pytest.mark.parametrize("value", [True, 0, -1, 10**30, 2.0, "10", None, [], {}])
def test_a_target_must_be_a_sensible_number(value):
    assert problems("standard-four-handed", {"target": value}) == [
        ("target", "unknown-option/value")
    ]


def test_a_clubs_own_ruleset_extends_a_preset():
    own = ruleset(
        {
            "id": "our-club",
            "name": "Our club",
            "extends": "nanaimo-four-handed",
            "options": {
                "march": {"value": 2, "source": "AGM 2019", "note": "As everybody else."},
                "target": 11,
            },
        }
    )
    assert (own.id, own.options["march"], own.target, len(own.deck)) == ("our-club", 2, 11, 32)
    assert own.choices["march"].source == "AGM 2019"
    assert own.lineage == (
        "standard-four-handed", "nanaimo-two-handed", "nanaimo-four-handed", "our-club",
    )  # fmt: skip


def test_unknown_parts_of_a_ruleset_are_refused():
    own = {"extends": "standard-four-handed", "optoins": {}, "points": 3}
    assert sorted(problems(own)) == [
        ("optoins", "unknown-option/key"),
        ("points", "unknown-option/key"),
    ]


@pytest.mark.parametrize(
    "source", [None, 3, [], {"options": {}}, {"extends": 3}, {"extends": None}]
)
def test_data_that_are_no_ruleset_are_refused(source):
    assert problems(source)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": 10, "hands": 20}, "unknown-option/one-end"),
        ({"chuck": True}, "unknown-option/chuck-stick"),
        ({"chuck": True, "stick_the_dealer": True, "deck": 32}, "unknown-option/chuck-kitty"),
        ({"forbidden_trumps": ["c", "d", "h", "s"]}, "unknown-option/all-forbidden"),
        ({"dirty_clubs": True, "forbidden_trumps": ["c"]}, "unknown-option/clubs-forbidden"),
        ({"march": 2, "march_partners": 4}, "unknown-option/twice"),
        ({"hands": 20, "laps": "on"}, "unknown-option/laps-target"),
    ],
)
def test_impossible_combinations_are_refused(options, sentence):
    assert sentence in [found for _, found in problems("standard-four-handed", options)]


def test_an_odd_euchre_cannot_be_split():
    options = {"euchre": 3, "defenders_score": "split"}
    assert problems("nanaimo-three-handed", options) == [
        ("defenders_score", "unknown-option/odd-split")
    ]


@pytest.mark.parametrize(
    ("parent", "shape", "sentence"),
    [
        ("bid-barrie", {"hand": 9}, "unknown-option/deal-too-big"),
        ("standard-four-handed", {"hand": 6}, "unknown-option/turn-up-hand"),
        ("standard-four-handed", {"players": 6}, "unknown-option/deal-too-big"),
        ("bid-barrie", {"players": 3, "hand": 10}, "unknown-option/alone-without-partner"),
        ("bid-shawn", {"hand": 4}, "unknown-option/special"),
        ("standard-four-handed", {"players": 9}, "unknown-option/shape"),
        ("standard-four-handed", {"players": 5}, "unknown-option/deal-too-big"),
        ("standard-four-handed", {"sides": "called", "players": 3}, "unknown-option/sides"),
        ("bid-barrie", {"ranks": "JQA"}, "unknown-option/shape"),
        ("bid-barrie", {"ranks": "QKA", "copies": 3}, "unknown-option/no-jacks"),
        ("bid-barrie", {"extra": ["Jh"]}, "unknown-option/extra"),
        ("bid-racehorse", {"hand": 3, "copies": 1}, "unknown-option/bid-hand"),
        ("bid-barrie", {"copies": 4}, "unknown-option/left-over"),
        ("bid-barrie", {"ranks": "JQKX"}, "unknown-option/shape"),
        ("bid-barrie", {"copies": True}, "unknown-option/shape"),
    ],
)
def test_games_that_cannot_be_dealt_are_refused(parent, shape, sentence):
    found = problems({"extends": parent, "shape": shape})
    assert sentence in [one for _, one in found]


def test_special_bids_must_be_whole_and_named_once():
    whole = {"name": "grand", "tricks": 8, "won": 20, "lost": 10, "alone": True}
    own = ruleset({"extends": "bid-barrie", "special": [whole]})
    assert own.specials[0].lost == 10
    assert problems({"extends": "bid-barrie", "special": [{"name": "grand"}]})
    assert problems({"extends": "bid-barrie", "special": [{**whole, "won": "all"}]})
    assert problems({"extends": "bid-barrie", "special": [whole, whole]}) == [
        ("special", "unknown-option/special-twice")
    ]
    many = [{**whole, "name": f"grand {number}"} for number in range(13)]
    assert problems({"extends": "bid-barrie", "special": many}) == [
        ("special", "unknown-option/too-long")
    ]
    assert len(ruleset({"extends": "bid-barrie", "special": many[:12]}).specials) == 12


@pytest.mark.parametrize("preset", preset_ids())
def test_every_option_is_taken_where_it_fits_and_refused_where_it_does_not(preset):
    rules = ruleset(preset)
    assert [name for name in OPTIONS if not treated_well(rules, name)] == []


def treated_well(rules, name):
    """Whether an option that fits is taken with its value, and another is refused at its field."""
    value = 12 if name in ("hands", "smitty_game") else sample(OPTIONS[name], rules)
    given = {name: value} | ({"stick_the_dealer": True} if name == "chuck" else {})
    if name not in rules.options and name not in ("target", "hands"):
        return name in [field for field, _ in problems(rules.id, given)]
    faults = refused(rules.id, given)
    if faults and name in CONDITIONAL:
        return len(faults) == 1
    return not faults and ruleset(rules.id, given).options[name] == value


# Options that make no game with some others; the one fault then says so.
CONDITIONAL = {
    "bowers", "chuck", "denomination", "dirty_clubs", "drop_out", "go_under", "kitty_to", "laps",
    "lead", "misere", "slam", "trump_by_lead", "upcard_goes_to", "values",
}  # fmt: skip


def sample(option, rules):
    """A value of an option other than the ruleset's, where there is one."""
    values = {
        "flag": [True, False],
        "points": list(range(max(option.lowest, 1), 8)),
        "suits": [("h",)],
        "bids": [("high",), ("low",)],
        "word_or_points": [min(4, option.highest)],
    }.get(option.kind, list(option.values))
    other = [value for value in values if value != rules.options.get(option.name)]
    return other[-1] if option.kind != "points" else other[0]


@pytest.mark.parametrize(
    ("preset", "name", "value", "option", "stored"),
    [
        ("nanaimo-three-handed", "march_3h", 2, "march", 2),
        ("nanaimo-four-handed", "march_partners", 2, "march", 2),
        ("nanaimo-four-handed", "march_alone", 5, "lone_march", 5),
        ("standard-four-handed", "two_loner_lead", "same rule", "two_loner_lead", "same_rule"),
        ("standard-four-handed", "laps", True, "laps", "on"),
        ("standard-four-handed", "super_euchre", 4, "super_euchre", 4),
        ("standard-four-handed", "super_euchre", False, "super_euchre", "off"),
        ("standard-four-handed", "score_floor", 0, "score_floor", 0),
        ("standard-four-handed", "forbidden_trumps", ["h"], "forbidden_trumps", ("h",)),
        ("bid-purdue-cutthroat", "three_player_defence", "each scores own tricks",
         "three_player_defence", "each"),
    ],
)  # fmt: skip
def test_other_names_and_spellings_of_the_rules_document_are_understood(
    preset, name, value, option, stored
):
    assert ruleset(preset, {name: value}).options[option] == stored


def test_a_fixed_number_of_hands_replaces_the_target_and_the_same_dealer_deals_again():
    """D-16: fixed-hand progressive rounds: pass-out same, unless the rules say otherwise."""
    rules = ruleset("standard-four-handed", {"hands": 12})
    assert (rules.target, rules.hands, rules.options["passout_dealer"]) == (None, 12, "same")
    assert ruleset("standard-four-handed", {"hands": 12, "passout_dealer": "next"}).options[
        "passout_dealer"
    ] == "next"  # fmt: skip
    assert ruleset(rules, {"target": 11}).hands is None


def test_true_is_not_one_even_after_one_was_asked_for():
    assert ruleset("standard-four-handed", {"target": 1}).target == 1
    assert problems("standard-four-handed", {"target": True})


def test_a_ruleset_is_json_and_survives_pickling():
    rules = ruleset("bid-barrie", {"win_rule": "any"})
    assert ruleset(json.loads(json.dumps(rules.to_dict()))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_what_to_dict_gives_is_the_callers_own():
    rules = ruleset("standard-four-handed")
    rules.to_dict()["options"]["target"]["value"] = 99
    assert rules.to_dict()["options"]["target"]["value"] == 10


JUNK = [
    None,
    True,
    -1,
    0.5,
    float("nan"),
    10**400,
    "",
    "x" * 10**5,
    [],
    [[]],
    {},
    {"value": {}},
    (1,),
]


@pytest.mark.parametrize("junk", JUNK, ids=lambda value: type(value).__name__)
def test_junk_anywhere_in_a_ruleset_is_refused_and_never_a_traceback(junk):
    whole = {"name": "grand", "tricks": 8, "won": 20, "lost": 10}
    for part in ("id", "name", "extends", "shape", "options", "special", "lineage", "order"):
        tried({"extends": "bid-barrie", part: junk})
    for part in ("family", "players", "hand", "ranks", "copies"):
        tried({"extends": "bid-barrie", "shape": {part: junk}})
    for name in OPTIONS:
        tried({"extends": "bid-alber-double-deck", "options": {name: junk}})
        tried(
            {"extends": "standard-four-handed", "options": {name: {"value": junk, "source": junk}}}
        )
        tried("keller-1887-two-handed", {name: junk})
    for part in (*whole, "alone", "also", "step", "plain", "exchange", "kitty"):
        tried({"extends": "bid-barrie", "special": [whole | {part: junk}]})
    tried(junk)
    tried("standard-four-handed", junk)


def tried(source, options=None):
    """A ruleset that works, or every problem in sentences."""
    try:
        rules = ruleset(source, options)
    except RulesetError as error:
        results = [fault.message for fault in error.faults]
    else:
        results = [str(ruleset(rules.to_dict()) == rules)]
    assert all(results)
    assert "False" not in results
