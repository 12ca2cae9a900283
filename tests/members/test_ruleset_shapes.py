"""A club's own deck, hand, table and special bids; options without effect; the hand worked out."""

import pytest
from django.urls import reverse

from league.members import actions, queries
from league.members.forms.rulesets import RulesetForm
from league.members.game_facts import facts, worked_hand
from league.members.rule_options import differences
from league.members.rule_texts import WHY_IDLE
from scoring import idle_options, preset_ids, reshaped, ruleset
from tests.builders import TEST
from tests.members.test_rulesets import filled, sent


def test_the_nines_are_left_out_in_three_answers(club, organiser):
    """004:15: ranks, hand, save; a bid of all the tricks stays one."""
    page = reverse("ruleset_new", args=[club.slug, "pepper"])
    organiser.post(page, sent("pepper") | {"ranks": "TJQKA", "hand": "5"})
    rules = ruleset(club.rulesets.get().body)
    assert (len(rules.deck), rules.hand_size, rules.kitty_size) == (20, 5, 0)
    assert [(bid.name, bid.tricks) for bid in rules.specials] == [
        ("little_pepper", 5),
        ("big_pepper", 5),
    ]


def test_buck_euchre_is_set_up_for_five(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "buck-euchre"])
    answer = organiser.post(page, sent("buck-euchre") | {"players": "5"})
    assert "option_deck" in answer.context["form"].errors
    organiser.post(page, sent("buck-euchre", deck="28") | {"players": "5", "name": "Buck for five"})
    made = club.rulesets.get()
    assert (made.players, len(ruleset(made.body).sides)) == (5, 5)


def test_a_special_bid_is_added_changed_and_dropped(club, organiser):
    made = actions.adopt_preset(club, preset="pepper", by=TEST)
    page = reverse("ruleset_change", args=[club.slug, made.public_id])
    data = filled(RulesetForm(ruleset(made.body), current_name=made.name))
    data |= {"bid_0_name": "", "bid_1_won": "18", "bid_1_lost": "6"}
    data |= {"bid_2_name": "Alone", "bid_2_won": "24", "bid_2_lost": "24", "bid_2_alone": "on"}
    answer = organiser.post(page, data)
    newest = queries.latest_rulesets(club)[0]
    assert answer["Location"] == reverse("ruleset", args=[club.slug, newest.public_id])
    bids = ruleset(newest.body).specials
    assert [(bid.name, bid.tricks, bid.won, bid.lost, bid.alone) for bid in bids] == [
        ("big_pepper", 6, 18, 6, False),
        ("Alone", 6, 24, 24, True),
    ]
    assert "Alone" in organiser.get(answer["Location"]).content.decode()


def test_a_deck_too_small_for_the_hands_is_refused_at_the_hand(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "bid-racehorse"])
    answer = organiser.post(page, sent("bid-racehorse") | {"hand": "7", "extra": "4x"})
    assert answer.status_code == 422
    assert {"hand", "extra"} & set(answer.context["form"].errors)
    assert not club.rulesets.exists()


def test_a_ruleset_is_renamed_with_all_its_versions(club, organiser):
    first = actions.adopt_preset(club, preset="pepper", by=TEST, default=True)
    second = actions.revise_ruleset(first, options={"target": 42}, by=TEST)
    page = reverse("ruleset_change", args=[club.slug, second.public_id])
    data = filled(RulesetForm(ruleset(second.body), current_name=second.name)) | {
        "name": "Our pepper"
    }
    organiser.post(page, data)
    assert set(club.rulesets.values_list("name", "version")) == {
        ("Our pepper", 1),
        ("Our pepper", 2),
    }
    actions.adopt_preset(club, preset="bid-racehorse", by=TEST, name="Taken")
    answer = organiser.post(page, data | {"name": "Taken"})
    assert "name" in answer.context["form"].errors


def test_deck_and_cards_are_on_the_page_and_on_paper_and_are_found(club, organiser):
    made = actions.adopt_preset(club, preset="five-hundred-four", by=TEST, default=True)
    for name in ("ruleset", "ruleset_print"):
        page = organiser.get(reverse(name, args=[club.slug, made.public_id])).content.decode()
        assert "43 cards: 5 to ace, 4♥ 4♦, the joker" in page
        assert "3 cards for the highest bidder" in page
    found = [fact.search for fact in facts(ruleset(made.body))]
    for words in ("deck", "cards", "hand", "kitty"):
        assert any(words in one for one in found)


def test_a_changed_deck_shows_among_the_differences():
    pepper = ruleset("pepper")
    small = ruleset(reshaped(pepper, {"ranks": "TJQKA", "hand": 5}, []))
    assert {title for title, _here, _there in differences(small, pepper)} == {
        "Deck",
        "Cards each",
        "Special bids",
    }


# -- options without effect ----------------------------------------------------------------------


def test_an_option_changed_without_effect_is_refused_with_the_reason(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "standard-four-handed"])
    answer = organiser.post(page, sent("standard-four-handed", joker_suit="h"))
    assert "joker" in str(answer.context["form"].errors["option_joker_suit"])
    both = {"joker_suit": "h", "joker_turned_up": "fixed_suit", "deck": "25"}
    organiser.post(page, sent("standard-four-handed", **both))
    assert ruleset(club.rulesets.get().body).options["joker_suit"] == "h"


def test_paper_says_nothing_of_what_a_two_handed_game_does_not_play(club, organiser):
    actions.adopt_preset(club, preset="nanaimo-two-handed", by=TEST, default=True)
    text = organiser.get(reverse("rules_print", args=[club.slug])).content.decode()
    for foreign in ("Set:", "Dropping out", "Suit of the joker", "Dummy hand", "Nine players",
                    "Points at the start"):  # fmt: skip
        assert foreign not in text


def test_every_reason_the_engine_has_is_said_in_a_sentence():
    reasons = {idle.reason for preset in preset_ids() for idle in
               idle_options(ruleset(preset)).values()}  # fmt: skip
    assert reasons <= set(WHY_IDLE)


# -- the hand worked out -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "options", "sentence", "points"),
    [
        ("pepper", {}, "Ruth bids “Big pepper”. Her side takes 5 tricks", [-12, 1]),
        ("five-hundred-four", {}, "Ruth bids “Misère”. Her side takes 0 tricks", [250, 0]),
        ("five-hundred-four", {}, "Ruth bids 6. Her side takes 10 tricks", [250, 0]),
        ("call-ace-five", {}, "Ruth plays alone and takes all the tricks", [5, 0, 0]),
        ("call-ace-five", {}, "Her side takes 5 tricks: a march", [3, 3, 0]),
        ("buck-euchre", {}, "Pat drops out, and Ruth takes three tricks", [-3, -1, 0, -1]),
        ("railroad", {}, "Ruth plays alone, Walter defends alone and takes three tricks", [0, 4]),
        ("napoleon", {}, "Ruth bids “Nap”. She takes 4 tricks", [-15, 5, 5, 5]),
        ("standard-four-handed", {"jambone": 8},
         "Jambone: Ruth's open lone hand takes all the tricks", [8, 0]),
        ("standard-four-handed", {"caller_bonus": 1},
         "Ruth plays alone and takes all the tricks"
         " (1 more for Ruth in standings by player)", [4, 0]),
    ],
)  # fmt: skip
def test_a_hand_worked_out_shows_what_is_special_in_the_game(preset, options, sentence, points):
    """The caller's bonus is not in the side's score (D-92)."""
    assert dict(worked_hand(ruleset(preset, options)).rows)[sentence] == points


def test_a_rulesets_page_finds_the_deck_by_the_names_of_the_joker_as_its_form_does():
    found = [fact.title for fact in facts(ruleset("benny-21")) if "benny" in fact.search]
    assert found == ["Deck"]
