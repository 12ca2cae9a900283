"""A club's own deck, hand, table and special bids; a game in short; options without
effect; the hand worked out."""

import re

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members import actions, queries
from league.members.forms.rulesets import RulesetForm
from league.members.game_facts import facts, in_short, key_facts, worked_hand
from league.members.idle_rules import WHY_IDLE
from league.members.models import AuditEntry
from league.members.presets import changed_rules
from league.members.rule_options import differences, rule_groups
from scoring import idle_options, preset_ids, reshaped, ruleset
from tests.builders import TEST
from tests.members.test_rulesets import filled, sent
from tests.pages import squeezed


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


# -- what a game amounts to ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "options", "words"),
    [
        ("standard-four-handed", {}, "To 10 · 4 for a march alone"),
        ("standard-four-handed", {"target": 8}, "To 8 · 4 for a march alone"),
        (
            "standard-four-handed",
            {"stick_the_dealer": True, "lone_march": 5},
            "To 10 · 5 for a march alone · stick the dealer",
        ),
        ("nanaimo-four-handed", {}, "To 10 · 32 cards · 4 for a march"),
        ("nanaimo-three-handed", {}, "To 10 · 32 cards · 3 for a march"),
        ("set-minus", {}, "8 hands · 4 for a march alone · a euchre costs 2 · stick the dealer"),
        ("buck-euchre", {}, "From 25 down to 0 · no trump can be called"),
        ("bid-hoosier-four-player", {}, "To 32 · 40 cards · bids from 1 · Moon alone for 32"),
        (
            "bid-racehorse",
            {"min": 4, "all_pass": "same_dealer", "dealer_may_equal": False},
            "To 32 · bids from 4",
        ),
    ],
)
def test_a_game_in_short_says_what_players_ask_first_by_its_own_rules(preset, options, words):
    assert in_short(ruleset(preset, options)) == words


def test_every_game_in_short_has_its_end_and_at_most_four_facts():
    for preset in preset_ids():
        first, *others = in_short(ruleset(preset)).split(" · ")
        assert re.search(r"\d", first)
        assert len(others) < 4


def test_what_the_rules_say_of_one_question_can_be_read_by_its_name():
    said = key_facts(ruleset("standard-four-handed", {"target": 8}))
    assert (said["target"], said["lone_march"]) == ("To 8", "4 for a march alone")
    assert "stick_the_dealer" not in said


def test_the_list_of_rules_and_their_page_say_what_they_amount_to(club, organiser):
    made = actions.adopt_preset(club, preset="somerset", options={"target": 8}, by=TEST)
    for page in (
        reverse("ruleset", args=[club.slug, made.public_id]),
        reverse("ruleset_print", args=[club.slug, made.public_id]),
    ):
        assert "To 8 · 4 for a march alone" in organiser.get(page).content.decode()
    assert "To 8 · 24 cards" in organiser.get(reverse("rulesets", args=[club.slug])).text


def test_the_line_above_the_rules_does_not_contradict_them(club, organiser):
    made = actions.adopt_preset(club, preset="nanaimo-two-handed", by=TEST)
    page = reverse("ruleset", args=[club.slug, made.public_id])
    assert "For two with 32 cards, to ten points." in organiser.get(page).content.decode()
    shorter = actions.revise_ruleset(made, options={"target": 8}, by=TEST)
    page = reverse("ruleset", args=[club.slug, shorter.public_id])
    assert "to ten points" not in organiser.get(page).content.decode()


def test_the_size_the_club_usually_plays_comes_first_and_the_others_under_a_heading(
    club, organiser
):
    for preset in ("nanaimo-two-handed", "nanaimo-three-handed", "somerset"):
        actions.adopt_preset(club, preset=preset, by=TEST, default=True)
    actions.adopt_preset(club, preset="bid-racehorse-six", by=TEST, default=True)

    def order():
        text = organiser.get(reverse("rules_print", args=[club.slug])).content.decode()
        found = re.findall(r"<h1>(.*?)</h1>|(Other table sizes)", text)
        return [name or heading for name, heading in found]

    names = dict(club.rulesets.values_list("players", "name"))
    assert order() == [names[4], "Other table sizes", names[2], names[3], names[6]]
    club.seating_policy = "six_main"
    club.save()
    assert order()[:2] == [names[6], "Other table sizes"]
    club.seating_policy, club.seating_table = "own", {"9": [3, 3, 3], "7": [4, 3]}
    club.save()
    assert order()[:2] == [names[3], "Other table sizes"]
    listed = organiser.get(reverse("rulesets", args=[club.slug])).content.decode()
    assert listed.index("Tables of 3") < listed.index("Tables of 2") < listed.index("Tables of 4")


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
    text = organiser.get(reverse("rules_print", args=[club.slug])).text
    for foreign in ("for a set", "Dropping out", "Suit of the joker", "Dummy hand", "Nine players",
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
    _heading, first = rule_groups(ruleset("benny-21"))[0]
    assert [row.name for row in first if "benny" in row.search] == ["deck"]


# -- an older version ------------------------------------------------------------------------------


def three_versions(club):
    """To 10, 11 and 12, the newest in use."""
    first = actions.adopt_preset(club, preset="somerset", by=TEST, default=True)
    second = actions.revise_ruleset(first, options={"target": 11}, by=TEST)
    actions.revise_ruleset(second, options={"target": 12}, by=TEST)
    return first


def test_going_back_to_an_older_version_makes_it_the_newest_so_the_newest_is_always_in_use(
    club, organiser
):
    """The older version was put in use: no page but the printed rules showed it."""
    first = three_versions(club)
    page = reverse("ruleset", args=[club.slug, first.public_id])
    text = organiser.get(page).text
    assert "Go back to these rules" in text
    assert "Use in every session" not in text
    assert "The newest says: To 12 · 4 for a march alone." in text
    answer = organiser.post(
        reverse("ruleset_return", args=[club.slug, first.public_id]), follow=True
    )
    assert "Back to the rules “To 10 · 4 for a march alone”. Tables published" in answer.text
    newest = queries.latest_rulesets(club)[0]
    assert (newest.version, newest.rules.target, newest.is_default) == (4, 10, True)
    assert queries.default_rulesets(club).get(players=4) == newest
    entry = AuditEntry.objects.filter(action="change ruleset").latest("pk")
    assert (entry.old, entry.new) == ({"target": 12}, {"target": 10})
    assert "To 10 · 24 cards" in organiser.get(reverse("rulesets", args=[club.slug])).text


def test_going_back_brings_the_deck_and_the_bids_of_that_version_and_twice_changes_nothing(club):
    first = actions.adopt_preset(club, preset="pepper", by=TEST)
    bids = [{"name": "Moon", "tricks": 6, "won": 12, "lost": 12}]
    actions.revise_ruleset(first, options={}, special=bids, by=TEST)
    newest = actions.return_to_version(first, by=TEST)
    assert (newest.version, newest.rules.specials) == (3, first.rules.specials)
    assert not newest.is_default
    assert actions.return_to_version(first, by=TEST) == newest


def test_an_older_version_is_not_put_in_use_beside_the_newest_one(club, organiser):
    first = three_versions(club)
    with pytest.raises(Refused) as refused:
        actions.make_default(first, by=TEST)
    assert refused.value.code == "newer-version"


def test_the_message_on_rules_put_in_use_says_what_they_are(club, organiser):
    actions.adopt_preset(club, preset="somerset", by=TEST, name="Ours", default=True)
    short = actions.adopt_preset(
        club, preset="somerset", by=TEST, name="Short", options={"target": 7}
    )
    page = reverse("ruleset_default", args=[club.slug, short.public_id])
    text = organiser.post(page, follow=True).text
    assert "Tables of 4 now play by Short: To 7 · 4 for a march alone." in text


def test_a_club_whose_default_is_an_older_version_reads_so_in_the_list(club, organiser):
    first = three_versions(club)
    page = reverse("rulesets", args=[club.slug])
    assert "older version" not in organiser.get(page).text
    club.rulesets.update(is_default=False)
    club.rulesets.filter(pk=first.pk).update(is_default=True)
    assert "play an older version: To 10 · 4 for a march alone." in organiser.get(page).text


def changed(club, organiser, made, **options):
    """The page after a change of these options is saved."""
    page = reverse("ruleset_change", args=[club.slug, made.public_id])
    data = sent("somerset", **options) | {"name": made.name}
    return squeezed(organiser.post(page, data, follow=True).text)


def test_a_saved_change_says_what_changed_and_from_when_it_holds(club, organiser):
    made = actions.adopt_preset(club, preset="somerset", by=TEST, default=True)
    text = changed(club, organiser, made, target=11, lone_march=6)
    assert (
        "11 points instead of 10 points; Lone march: 6 points instead of 4 points. "
        "Published tables keep their rules; the next tables play by these."
    ) in text
    other = actions.adopt_preset(club, preset="somerset", name="Other", by=TEST)
    assert "11 points instead of 10 points. Published" in changed(club, organiser, other, target=11)


def test_a_lone_march_that_pays_less_than_a_march_or_wins_the_game_is_saved_and_asked_about(
    club, organiser
):
    made = actions.adopt_preset(club, preset="somerset", by=TEST, default=True)
    question = "A lone march pays less than a march."
    assert question not in changed(club, organiser, made, march=4)
    page = reverse("ruleset_new", args=[club.slug, "somerset"])
    for name, lone_march, asked in (("Short", 1, question), ("Long", 10, "One lone march wins")):
        data = sent("somerset", lone_march=lone_march) | {"name": name}
        assert asked in organiser.post(page, data, follow=True).text
    assert club.rulesets.get(name="Short").rules.options["lone_march"] == 1


def test_rules_added_for_a_table_fit_it_or_say_that_they_do_not(club, organiser):
    actions.adopt_preset(club, preset="somerset", name="Fours", by=TEST)
    actions.adopt_preset(club, preset="nanaimo-three-handed", name="Threes", by=TEST)
    here = "?session=s1&table=t1&players=3"
    offered = organiser.get(reverse("ruleset_presets", args=[club.slug]) + here).context
    assert [size for size, _presets in offered["sizes"]] == [3]
    assert [rules.name for rules in offered["own"]] == ["Threes"]
    organiser.post(reverse("ruleset_new", args=[club.slug, "somerset"]) + here, sent("somerset"))
    text = organiser.get(reverse("rulesets", args=[club.slug])).text
    assert "It&#x27;s for tables of 4, so it doesn&#x27;t fit this table." in text
    assert "Save rules" not in text


# -- words of the rules --------------------------------------------------------------------------


def test_what_the_source_says_is_not_passed_off_as_what_the_club_plays(club, organiser):
    """With a lone march at 6, “Where this rule comes from” still said that every march pays 4."""
    rules = actions.adopt_preset(club, preset="nanaimo-four-handed", by=TEST)
    page = reverse("ruleset", args=[club.slug, rules.public_id])
    text = squeezed(organiser.get(page).text)
    assert "every march pays 4" in text
    assert "The club changed these rules" not in text
    changed = actions.revise_ruleset(rules, options={"lone_march": 6, "target": 7}, by=TEST)
    page = reverse("ruleset", args=[club.slug, changed.public_id])
    text = squeezed(organiser.get(page).text)
    assert (
        "The club changed these rules; in brackets what the source says: "
        "Points to win (10 points), Lone march (4 points).</p>"
        "<p>The source: Prime Timers Nanaimo chapter rules, 2018-19, as written: every march pays 4"
    ) in text
    assert "To 7 · 32 cards · 6 for a march alone" in text


def test_what_a_club_changed_includes_its_deck_and_its_bids():
    pepper = ruleset("pepper")
    assert changed_rules(pepper) == []
    moon = {"name": "Moon", "tricks": 5, "won": 12, "lost": 12}
    changed = ruleset(reshaped(pepper, {"ranks": "TJQKA", "hand": 5}, [moon]))
    assert changed_rules(changed) == ["Cards in the deck (24 cards: 9 to ace)", "Special bids"]


def test_a_rule_is_found_on_its_form_by_its_choices_and_its_example():
    """“Jack” found only how a euchre is scored, by “back”."""
    form = RulesetForm(ruleset("standard-four-handed"))
    words = {
        field.name: text for _heading, fields, _wrong in form.sections for field, text in fields
    }
    assert [name for name in words if "jack" in words[name]] == ["option_first_dealer"]
    assert "dealer names trump before seeing cards" in words["option_joker_turned_up"]
    assert "hand starts over" in words["option_farmers"]
    assert "yes no" not in words["option_second_upcard"]
