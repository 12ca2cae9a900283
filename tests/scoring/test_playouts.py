"""Random play-outs: always legal, with many options too, and into every corner.

The presets as they are shipped are tried in `test_every_preset.py`.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import check_hand, play_game, ruleset
from scoring.playouts import LEVELS, random_game, random_hand, thinned
from tests.scoring.rulesets_tried import RULESETS, SEEDS, STANDARD
from tests.scoring.terms import terms_of

every_ruleset = pytest.mark.parametrize("name", [name for name in RULESETS if " " in name])


def played(rules, seed, wild):
    return random_hand(rules, seed, dealer=seed % rules.players, wild=wild)


@every_ruleset
@given(seed=SEEDS, wild=st.booleans())
@settings(max_examples=2)
def test_any_legal_play_out_is_valid_and_has_every_card(name, seed, wild):
    rules = RULESETS[name]
    hand = played(rules, seed, wild)
    answer = check_hand(hand, rules)
    assert answer.faults == ()
    assert len(answer.points) == rules.players
    if answer.outcome != "thrown-in":
        assert sum(answer.tricks_won) == rules.hand_size == len(hand.tricks)


@every_ruleset
@given(seed=SEEDS, wild=st.booleans())
@settings(max_examples=2)
def test_a_thinned_record_pays_the_same_as_the_full_one_at_every_level(name, seed, wild):
    rules = RULESETS[name]
    hand = played(rules, seed, wild)
    full = check_hand(hand, rules)
    for level in LEVELS:
        answer = check_hand(thinned(hand, rules, level), rules)
        assert answer.valid, (level, answer.faults)
        assert (answer.points, answer.next_dealer) == (full.points, full.next_dealer), level


@pytest.mark.parametrize("name", [n for n, r in RULESETS.items() if r.family == "bid"])
@given(seed=SEEDS, wild=st.booleans())
@settings(max_examples=2)
def test_where_a_bid_is_made_the_points_sum_to_the_tricks(name, seed, wild):
    """004:25; special bids pay flat (D-41), and joint defenders both carry all their tricks."""
    rules = RULESETS[name]
    hand = played(rules, seed, wild)
    answer = check_hand(hand, rules)
    terms = terms_of(hand, rules)
    flat = terms is None or terms.special or rules.options["overtricks"] == "ignore"
    others = ("drop_out", "level_payment", "start")  # paid by more than tricks
    flat = flat or rules.options["values"] != "tricks" or any(map(rules.options.get, others))
    joint = rules.options.get("three_player_defence") == "joint"
    if answer.outcome == "made" and not flat and not joint:
        assert sum(answer.points[side[0]] for side in rules.sides) == rules.hand_size


@every_ruleset
@given(seed=SEEDS)
@settings(max_examples=2)
def test_a_random_game_ends_with_a_winner_on_its_last_hand(name, seed):
    rules = RULESETS[name]
    hands = random_game(rules, seed, first_dealer=seed % rules.players)
    state = play_game(rules, hands, first_dealer=seed % rules.players)
    assert state.faults == ()
    assert state.over
    assert state.winners
    assert not play_game(rules, hands[:-1]).over


@pytest.mark.parametrize("name", [n for n, r in RULESETS.items() if r.family == "turn_up"])
def test_a_wild_game_breaks_no_rule_of_the_game_either(name):
    """Such as: one McEvoy hand a player a game (004:182)."""
    rules = RULESETS[name]
    assert play_game(rules, random_game(rules, 5, wild=True)).faults == ()


def test_the_same_seed_gives_the_same_hands_and_another_gives_others():
    rules = ruleset(STANDARD)
    assert random_game(rules, 3) == random_game(rules, 3)
    assert random_game(rules, 3) != random_game(rules, 4)


def test_sensible_players_make_more_hands_than_they_lose():
    rules = ruleset(STANDARD)
    ends = [check_hand(random_hand(rules, seed), rules).outcome for seed in range(200)]
    assert ends.count("made") + ends.count("march") > 3 * ends.count("euchred") > 0


def first_call_that_was_no_pass(hand):
    return next(call for call in hand.auction if call.call != "pass")


CORNERS = {
    "a lone defender": ({"defend_alone": "always"}, lambda h: h.lone_defender is not None),
    "two who play alone": (
        {"defend_alone": "v_lone_maker"},
        lambda h: h.lone_defender is not None and len(h.tricks[0].cards) == 2,
    ),
    "the maker's partner alone": (
        {"alone_by": "maker_side"},
        lambda h: h.lone_maker is not None and len(h.tricks[0].cards) == 3,
    ),
    "alone said late": (
        {},
        lambda h: h.contract and h.contract.alone and not first_call_that_was_no_pass(h).alone,
    ),
    "an up-card left lying": (
        {"upcard_pickup": "optional"},
        lambda h: h.discards is not None and h.discards[h.dealer] == (),
    ),
    "an up-card laid away again": (
        {"may_discard_upcard": True},
        lambda h: h.discards is not None and h.discards[h.dealer] == (h.upcard,),
    ),
    "a McEvoy hand": ({"mcevoy": True}, lambda h: h.auction[0].call == "mcevoy"),
    "a misdeal by the joker": (
        {"deck": 25, "joker_turned_up": "redeal"},
        lambda h: h.upcard == "B" and h.auction == (),
    ),
    "a dealer who names trump blind": ({"deck": 25}, lambda h: h.upcard == "B" and h.tricks),
    "a hand everybody passed": ({}, lambda h: all(c.call == "pass" for c in h.auction)),
    "a stuck dealer who chucks his hand": (
        {"stick_the_dealer": True, "chuck": True},
        lambda h: h.discards is not None and len(h.discards[h.dealer] or ()) == 4,
    ),
    "a prediction that came true": (
        {"smitty": True},
        lambda h: len(h.auction) == 1 and h.auction[0].trump == h.upcard[1],
    ),
    "no trump": (
        {"no_trump": "second_round"},
        lambda h: h.auction[-1].trump == "nt",
    ),
    "clubs the dealer had to take": (
        {"dirty_clubs": True},
        lambda h: h.upcard[1] == "c" and len(h.auction) == 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("corner", CORNERS)
def test_wild_players_reach(corner):
    options, reached = CORNERS[corner]
    rules = ruleset(STANDARD, options)
    hands = (random_hand(rules, seed, wild=True) for seed in range(400))
    assert any(reached(hand) for hand in hands)


@pytest.mark.parametrize(
    "preset", ["bid-midwest-double-deck", "bid-alber-double-deck", "bid-barrie"]
)
def test_wild_players_change_every_number_of_cards_with_their_partner(preset):
    rules = ruleset(preset)
    counts = {
        sum(len(passed.cards) for passed in random_hand(rules, seed, wild=True).exchange or ())
        for seed in range(300)
    }
    expected = {count for s in rules.specials for count in range(s.exchange[0], s.exchange[1] + 1)}
    assert expected <= counts
