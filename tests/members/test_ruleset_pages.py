"""Pages of house rules: what a member reads there, versions compared, odd figures questioned."""

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from league.members import actions, queries
from league.members.languages import clock
from league.members.presets import (
    DEFAULT_PRESETS,
    folded,
    name_with_changes,
)
from league.members.rule_changes import (
    has_odd_target,
    said_changes,
    unlike_usual,
    words_for_changes,
)
from league.members.rule_options import option_field, rule_groups, search_words, value_words
from league.members.rule_questions import MOST_QUESTIONS
from scoring import preset_ids, ruleset
from tests.builders import TEST, a_user
from tests.members.test_rulesets import filled, sent
from tests.pages import squeezed


@pytest.fixture
def rules(club):
    return actions.adopt_preset(club, preset="standard-four-handed", by=TEST, default=True)


@pytest.fixture
def member(club, client):
    client.force_login(a_user("ted", club=club, rank="member"))
    return client


def test_rules_to_print_explain_themselves_on_a_member_s_phone(club, rules, member):
    text = squeezed(member.get(reverse("rules_print", args=[club.slug])).text)
    example = "Yes: all pass twice, so Dave, who dealt, must name a suit. No: deal again."
    assert f'<strong>no</strong><p class="soft screen-only">{example}</p>' in text
    full = reverse("ruleset", args=[club.slug, rules.public_id])
    assert f'href="{full}">Every rule explained</a>' in text


def test_the_first_ten_questions_of_the_read_page_are_those_of_the_form(club, rules, organiser):
    """The cards were a line without an example, and who goes alone was in a fold."""
    read = organiser.get(reverse("ruleset", args=[club.slug, rules.public_id])).context["first"]
    change = organiser.get(reverse("ruleset_change", args=[club.slug, rules.public_id]))
    _heading, fields, _wrong = change.context["form"].sections[0]
    names = [field.name for field, _words in fields if field.name != "option_hands"]
    assert [option_field(row.name) for row in read] == names
    assert len(read) == MOST_QUESTIONS
    assert {"target", "deck", "stick_the_dealer", "alone_by", "farmers"} <= {r.name for r in read}
    assert all(row.question and row.example for row in read)


def test_rules_say_once_who_the_players_of_their_examples_are(club, rules, member):
    """The club had a Ruth and a Walter of its own."""
    text = squeezed(member.get(reverse("ruleset", args=[club.slug, rules.public_id])).text)
    who = "The players in the examples are made up: Ruth and Pat – Walter and Dave."
    assert text.count(who) == 1
    assert text.index(who) < text.index("Dave, who dealt")
    sheet = squeezed(member.get(reverse("rules_print", args=[club.slug])).text)
    assert f'<h2>A worked example</h2><p class="soft">{who}</p>' in sheet


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"target": 5}, "Euchre, to 5"),
        ({"target": 5, "stick_the_dealer": True}, "Euchre, to 5, stick the dealer"),
        ({"cut_by": "left"}, "Euchre, Cutting the cards: the player on the left"),
        (
            {"target": 5, "stick_the_dealer": True, "lone_march": 5},
            "Euchre, house rules",
        ),
    ],
)
def test_a_preset_s_name_is_followed_by_what_the_club_changed(club, rules, member, options, name):
    changed = actions.revise_ruleset(rules, options=options, by=TEST)
    assert name_with_changes(changed) == name
    for page in ("rulesets", "rules_print"):
        assert name in squeezed(member.get(reverse(page, args=[club.slug])).text), page


def test_a_name_that_says_what_differs_follows_the_change_unless_it_was_typed(club, rules):
    actions.rename_ruleset(rules, "Our rules", by=TEST)
    seven = actions.adopt_variant(rules, options={"target": 7}, by=TEST)
    five = actions.revise_ruleset(seven, options={"target": 5}, by=TEST)
    assert (seven.name, five.name) == ("Our rules: to 7", "Our rules: to 5")
    actions.rename_ruleset(five, "Short: to 5", by=TEST)
    assert actions.revise_ruleset(five, options={"target": 3}, by=TEST).name == "Short: to 5"


def test_a_name_that_says_what_differs_follows_the_way_back_to_an_older_version(club, rules):
    seven = actions.adopt_variant(rules, options={"target": 7}, by=TEST)
    actions.revise_ruleset(seven, options={"target": 5}, by=TEST)
    seven.refresh_from_db()
    assert actions.return_to_version(seven, by=TEST).name == f"{rules.name}: to 7"


def test_the_field_of_the_name_shows_it_as_the_pages_do_and_the_name_follows_a_change(
    club, rules, organiser
):
    changed = actions.revise_ruleset(rules, options={"target": 5}, by=TEST)
    page = reverse("ruleset_change", args=[club.slug, changed.public_id])
    assert re.search(
        r'<textarea name="name"[^>]*>\s*Euchre, to 5</textarea>', organiser.get(page).text
    )
    data = sent("standard-four-handed", target=7)
    organiser.post(page, data | {"name": "Euchre, to 5"})
    newest = queries.latest_rulesets(club)[0]
    assert name_with_changes(newest) == "Euchre, to 7"
    page = reverse("ruleset_change", args=[club.slug, newest.public_id])
    organiser.post(page, data | {"name": "Our\nrules"})
    assert queries.latest_rulesets(club)[0].name == "Our rules"


def test_a_variant_with_many_changes_has_a_whole_name(club, rules):
    many = {"target": 7, "march": 3, "lone_march": 5, "euchre": 3, "stick_the_dealer": True}
    name = actions.adopt_variant(rules, options=many, by=TEST).name
    assert name == f"{rules.name}: 5 changes"


def test_rules_of_a_single_table_name_what_the_club_changed_before_as_well(club, rules):
    """They read "Euchre (standard, four-handed): lone march 5", though a game was to 5."""
    changed = actions.revise_ruleset(rules, options={"target": 5}, by=TEST)
    variant = actions.adopt_variant(changed, options={"lone_march": 5}, by=TEST)
    assert name_with_changes(variant) == "Euchre, to 5, but a lone march pays 5"


def test_rules_of_a_single_table_begin_as_the_club_s_own_do(club, rules):
    """They were "Euchre, to 5, stick the dealer" and "Euchre, lone march 5, to 5, …"."""
    options = {"target": 5, "stick_the_dealer": True}
    usual = actions.revise_ruleset(rules, options=options, by=TEST)
    alone = actions.adopt_variant(usual, options={"lone_march": 5}, by=TEST)
    freer = actions.adopt_variant(usual, options={"stick_the_dealer": False}, by=TEST)
    hands = actions.adopt_variant(usual, options={"hands": 8}, by=TEST)
    assert [name_with_changes(one) for one in (usual, alone, freer, hands)] == [
        "Euchre, to 5, stick the dealer",
        "Euchre, to 5, stick the dealer, but a lone march pays 5",
        "Euchre, to 5, but the dealer can pass",
        "Euchre, stick the dealer, but 8 hands",
    ]
    with override("de"):
        assert name_with_changes(alone).count("5") == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stick_the_dealer": False}, "the dealer can pass"),
        ({"march": 3}, "a march pays 3"),
        ({"farmers": "off"}, "no farmer's hand"),
        ({"defend_alone": "v_lone_maker"}, "a defender can play alone against a loner"),
        ({"renege_points": 1}, "a renege costs 1"),
        ({"deck": 25}, "25 cards"),
    ],
)
def test_a_changed_rule_is_named_in_words_and_not_as_a_form_does(options, words):
    """They read "Stick the dealer no" and "March 3 points"."""
    before = {"stick_the_dealer": True, "farmers": "redeal"}
    old = ruleset("standard-four-handed", before)
    assert words_for_changes(old, ruleset("standard-four-handed", before | options)) == [words]


def test_a_saved_change_says_what_held_before_in_words(club, rules, organiser):
    """It read "March 2 points → 3 points; Stick the dealer no → yes"."""
    changed = actions.revise_ruleset(rules, options={"march": 3, "stick_the_dealer": True}, by=TEST)
    said = said_changes(rules.rules, changed.rules)
    assert said == ["Stick the dealer: yes", "March: 3 points instead of 2 points"]
    benny = actions.revise_ruleset(changed, options={"deck": 25}, by=TEST)
    once = ["Cards in the deck: 25 cards instead of 24 cards"]  # it was said three times
    assert said_changes(changed.rules, benny.rules) == once


def test_a_name_of_the_club_s_own_stays_as_it_is(club, rules):
    actions.rename_ruleset(rules, "Our rules", by=TEST)
    changed = actions.revise_ruleset(rules, options={"target": 5}, by=TEST)
    assert name_with_changes(changed) == "Our rules"
    assert name_with_changes(changed, "version") == "Our rules, version 2"


def test_a_preset_s_name_in_another_language_is_one_too(club):
    club.language = "de"
    club.save()
    rules = actions.adopt_preset(club, preset="standard-four-handed", by=TEST)
    changed = actions.revise_ruleset(rules, options={"target": 5}, by=TEST)
    assert rules.name != ruleset("standard-four-handed").name
    assert name_with_changes(changed) == "Euchre, to 5"


def test_a_list_of_rules_of_several_sizes_says_with_how_many_cards_each_is_played(club, organiser):
    for preset in DEFAULT_PRESETS.values():
        actions.adopt_preset(club, preset=preset, by=TEST, default=True)
    text = organiser.get(reverse("rulesets", args=[club.slug])).text
    for line in (
        "To 10 · 24 cards · 4 for a march alone",
        "To 10 · 32 cards · 3 for a march",
        "To 10 · 32 cards · 2 for a march",
    ):
        assert line in text


def test_the_list_says_in_what_other_rules_differ_whatever_their_name_says(club, rules, organiser):
    """Nothing said what differed in rules of another name."""
    actions.make_default(rules, by=TEST)
    actions.rename_ruleset(rules, "Our rules", by=TEST)
    seven = actions.adopt_variant(rules, options={"target": 7}, by=TEST)
    actions.revise_ruleset(seven, options={"march": 3}, by=TEST)
    text = squeezed(organiser.get(reverse("rulesets", args=[club.slug])).text)
    assert text.count("Different from usual") == 1
    assert "<small>Different from usual: to 7, a march pays 3</small>" in text


def test_versions_of_one_day_have_their_times_and_a_comparison_says_with_which_it_is(
    club, rules, organiser
):
    newest = actions.revise_ruleset(rules, options={"target": 11}, by=TEST)
    page = reverse("ruleset", args=[club.slug, newest.public_id])
    text = squeezed(organiser.get(f"{page}?with={rules.public_id}").text)
    assert "<h3>Compared with version 1</h3>" in text
    assert f'<option value="{rules.public_id}" selected>version 1</option>' in text
    assert f"{club.local(rules.made_at):%Y}, {clock(club.local(rules.made_at))}" in text
    text = squeezed(organiser.get(f"{page}?with=preset").text)
    assert '<option value="preset" selected>' in text
    assert "<h3>Compared with the preset it began with</h3>" in text


def test_one_goes_back_to_an_older_version_from_the_list_of_versions(club, rules, organiser):
    newest = actions.revise_ruleset(rules, options={"target": 11}, by=TEST)
    text = organiser.get(reverse("ruleset", args=[club.slug, newest.public_id])).text
    back = reverse("ruleset_return", args=[club.slug, rules.public_id])
    assert f'action="{back}"' in text
    assert reverse("ruleset_return", args=[club.slug, newest.public_id]) not in text
    organiser.post(back)
    assert queries.latest_rulesets(club)[0].rules.target == 10


def test_a_target_that_nobody_plays_is_saved_and_asked_about_once(club, rules, organiser):
    def saved(**options):
        newest = queries.latest_rulesets(club)[0]
        page = reverse("ruleset_change", args=[club.slug, newest.public_id])
        data = sent("standard-four-handed", **options) | {"name": newest.name}
        return organiser.post(page, data, follow=True).text

    question = "A game to 100 points is unusual. Is that right?"
    assert question in saved(target=100)
    assert "is unusual" not in saved(target=100, lone_march=3)
    assert "A game to 2 points is unusual." in saved(target=2)
    assert "is unusual" not in saved(target=32)


def test_no_preset_has_a_target_to_ask_about_and_bid_games_have_their_own():
    assert not [one for one in preset_ids() if has_odd_target(ruleset(one))]
    assert not has_odd_target(ruleset("five-hundred-four", {"target": 250}))
    assert has_odd_target(ruleset("five-hundred-four", {"target": 50}))
    assert has_odd_target(ruleset("pepper", {"target": 500}))
    assert not has_odd_target(ruleset("set-minus"))


def test_how_many_points_win_is_explained_with_the_club_s_own_number(club, rules, member):
    shorter = actions.revise_ruleset(rules, options={"target": 7}, by=TEST)
    text = member.get(reverse("ruleset", args=[club.slug, shorter.public_id])).text
    assert "At 7: the first side with 7 points or more wins." in text


def test_why_tables_of_two_and_three_play_with_more_cards_stands_beside_their_rules(
    club, organiser
):
    """Two and three have 32 cards in the sources, and nothing said why where four have 24."""
    for preset in DEFAULT_PRESETS.values():
        adopted = actions.adopt_preset(club, preset=preset, by=TEST, default=True)
    page = reverse("rulesets", args=[club.slug])
    why = "Two or three players usually have 32 cards, sevens and eights too;"
    assert organiser.get(page).text.count(why) == 2
    actions.revise_ruleset(adopted, options={"deck": 32}, by=TEST)
    assert why not in organiser.get(page).text


@pytest.mark.parametrize("way", ["change", "default"])
def test_other_cards_at_tables_of_four_ask_about_the_other_tables(club, organiser, way):
    """Tables of four got the joker, and those of three went on with 32 cards unseen."""
    actions.adopt_preset(club, preset="nanaimo-three-handed", by=TEST, default=True)
    usual = actions.adopt_preset(club, preset="standard-four-handed", by=TEST, default=True)
    if way == "change":
        page = reverse("ruleset_change", args=[club.slug, usual.public_id])
        sent = filled(organiser.get(page).context["form"]) | {"option_deck": "25"}
    else:
        benny = actions.adopt_preset(club, preset="guide-benny-25", by=TEST)
        page, sent = reverse("ruleset_default", args=[club.slug, benny.public_id]), {}
    said = organiser.post(page, sent, follow=True).text
    assert "Other tables keep their cards. Tables of 3: 32 cards." in said


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("screw the dealer", "stick_the_dealer"),
        ("9s 10s", "farmers"),
        ("no trumps", "no_trump"),
        ("lone hand loner", "lone_march"),
        ("in the barn", "target"),
        ("top bower", "deck"),
        ("two packs", "deck"),
        ("skunk", "slam"),
        ("shutout", "slam"),
        ("hang the dealer", "stick_the_dealer"),
        ("turn down", "r2_exclude_turned"),
        ("throw in", "passout_dealer"),
        ("assist", "upcard_goes_to"),
        ("order up my partner", "partner_order_alone"),
        ("going alone with call", "partner_order_alone"),
        ("ace no face", "no_ace_no_face"),
        ("poor hand", "farmers"),
        ("under the table", "go_under"),
        ("points for a march", "march"),
        ("five for alone", "lone_march"),
        ("revoke", "renege_points"),
        ("talking", "table_talk_points"),
        ("minus points", "score_floor"),
    ],
)
def test_a_rule_is_found_by_what_players_call_it(words, option):
    found = folded(search_words(option))
    assert all(word in found.split() for word in words.split())


def test_what_is_other_than_usual_names_also_what_clubs_do_not_ask_first(club, rules):
    """Of a Canadian game only what clubs ask first was named."""
    options = {"partner_order_alone": True, "no_ace_no_face": "redeal"}
    other = actions.adopt_variant(rules, options=options, by=TEST)
    assert (
        unlike_usual(rules, other)
        == "Canadian loner, a hand with no ace and no face can be dealt again"
    )
    more = actions.adopt_variant(other, options={"march": 3, "lone_march": 5}, by=TEST)
    assert unlike_usual(rules, more).endswith("Canadian loner and more")
    hands = actions.adopt_variant(rules, options={"hands": 8}, by=TEST)
    assert unlike_usual(rules, hands) == "8 hands"


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("alone_by", "maker", "only the maker"),
        ("alone_by", "maker_side", "the maker or the partner"),
        ("loner_lead", "eldest_active", "first from the dealer's left who plays"),
        ("score_floor", "none", "none, a score can go below zero"),
    ],
)
def test_an_answer_is_plain_when_the_printed_sheet_is_read_aloud(option, value, words):
    """It read "Who can go alone: the maker alone" and "Minimum score: none: a score ..."."""
    assert value_words(option, value) == words


def test_the_usual_rules_stand_first_among_those_of_their_size(club, rules, organiser):
    """They stood among the others, by their names."""
    other = actions.adopt_preset(club, preset="somerset", name="Alpha", by=TEST)
    shown = organiser.get(reverse("rulesets", args=[club.slug])).context["rulesets"]
    assert shown == [rules, other]


@pytest.mark.parametrize(
    ("preset", "best"),
    [
        ("guide-benny-25", "the joker, the right bower, the left bower"),
        ("standard-four-handed", "the right bower, the left bower"),
        ("napoleon", None),
    ],
)
def test_a_rulesets_page_and_sheet_say_which_trumps_are_the_highest(club, organiser, preset, best):
    made = actions.adopt_preset(club, preset=preset, by=TEST)
    for name in ("ruleset", "ruleset_print"):
        page = organiser.get(reverse(name, args=[club.slug, made.public_id])).text
        assert ("Highest trumps" in page) == bool(best)
        assert not best or f"<strong>{best}</strong>" in page


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("11", ["target"]),
        ("eleven", ["target"]),
        ("going it alone", ["alone_by", "alone_window", "lone_march"]),
        ("defend alone", ["defend_alone"]),
    ],
)
def test_words_that_stand_together_find_the_rules_meant_and_no_others(typed, names):
    standard = ruleset("standard-four-handed")
    groups = rule_groups(standard)
    rows = [row for _heading, listed in groups for row in listed]
    assert sorted(row.name for row in rows if f" {typed}" in f" {row.search}") == names
