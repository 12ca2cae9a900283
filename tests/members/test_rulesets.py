"""A club's rulesets: from a preset, changed as versions, defaults, refusals at their fields."""

import re

import pytest
from django.urls import reverse
from django.utils import translation

from league.errors import Refused
from league.members import actions, queries
from league.members.forms.rulesets import RulesetForm
from league.members.game_facts import PLAYERS, worked_hand
from league.members.models import AuditEntry
from league.members.presets import find_games, plain_note, presets_for
from league.members.rule_options import (
    VALUES,
    asked_first,
    differences,
    option_field,
    rule_groups,
    special_bids,
    value_words,
)
from league.members.rule_questions import question_of
from league.members.rule_texts import SPECIAL_BIDS
from scoring import idle_options, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS
from tests.builders import TEST, a_club

ALL_PRESETS = pytest.mark.parametrize("preset", preset_ids())


def filled(form):
    """What a browser sends back when nothing is touched."""
    data = {}
    for name in form.fields:
        value = form[name].value()
        if value not in (None, ""):
            data[name] = [str(v) for v in value] if isinstance(value, list) else str(value)
    return data


def sent(preset, **changes):
    data = filled(RulesetForm(ruleset(preset)))
    data |= {option_field(name): value for name, value in changes.items()}
    return {name: value for name, value in data.items() if value is not None}


@ALL_PRESETS
def test_a_form_sent_back_untouched_changes_nothing(preset):
    rules = ruleset(preset)
    form = RulesetForm(rules, filled(RulesetForm(rules)))
    assert form.is_valid(), form.errors
    assert form.changed_options == {}


@ALL_PRESETS
def test_the_page_has_every_option_with_an_effect_and_the_form_all_that_could_have_one(preset):
    rules = ruleset(preset)
    form, idle = RulesetForm(rules), idle_options(rules)
    never = {name for name in idle if not idle[name].wakers}
    options = {option_field(n) for n in {"target", "hands", *rules.options} - never}
    assert options == {name for name in form.fields if name.startswith("option_")}
    shown = {row.name for _heading, group in rule_groups(rules) for row in group}
    assert shown == rules.options.keys() - idle.keys()


@ALL_PRESETS
def test_every_option_says_what_it_means_and_where_it_is_from(preset):
    for _heading, group in rule_groups(ruleset(preset)):
        for row in group:
            assert row.title
            assert row.meaning
            assert row.value
            assert row.source, row.name


@ALL_PRESETS
def test_a_page_asks_at_most_ten_questions_first_and_shows_a_hand_worked_out(preset):
    rules = ruleset(preset)
    (_heading, first), *_rest = rule_groups(rules)
    assert 6 <= len(first) <= 10
    assert all(row.question and row.example for row in first)
    hand = worked_hand(rules)
    assert len(hand.rows) >= 3
    assert any(any(points) for _sentence, points in hand.rows)


@ALL_PRESETS
def test_nothing_that_people_read_has_a_decision_a_line_or_an_option_id(preset):
    rules = ruleset(preset)
    form = RulesetForm(rules)
    texts = [plain_note(rules), *(label for label, _bid in special_bids(rules))]
    for _heading, group in rule_groups(rules):
        for row in group:
            texts += [row.title, row.meaning, row.value, row.question, row.example]
            texts += [row.source, row.note]
    for field in form.fields.values():
        texts += [field.label, field.help_text]
        texts += [str(words) for _value, words in getattr(field, "choices", ())]
    for text in texts:
        assert not re.search(r"\bD-\d|\b00\d\b|[a-z]_[a-z]|seed \d", str(text)), text


def test_no_answer_to_choose_is_too_long_for_a_phone():
    for preset in preset_ids():
        for field in RulesetForm(ruleset(preset)).fields.values():
            for _value, words in getattr(field, "choices", ()):
                assert len(str(words)) <= 40, words


def test_a_special_bid_of_every_preset_has_a_name_of_its_own():
    for preset in preset_ids():
        for special in ruleset(preset).specials:
            assert special.name in SPECIAL_BIDS, (preset, special.name)


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("Triple Snakes", "three-hand-gamerules"),
        ("racehorse", "bid-racehorse"),
        ("6 card bid euchre", "bid-racehorse"),
        ("British", "guide-benny-25"),
        ("Hassenpfeffer", "pepper"),
        ("hasenpfeffer", "pepper-eight"),
        ("6-handed", "bid-racehorse-six"),
        ("six-handed", "bid-racehorse-six"),
        ("cutthroat", "buck-euchre"),
        ("misere", "five-hundred-four"),
        ("Misère", "five-hundred-four"),
        ("little pepper", "pepper"),
        ("500", "five-hundred-three"),
        ("setback", "set-back-three-handed"),
        ("double decker", "bid-barrie"),
        ("nappy", "napoleon"),
        ("bennie", "guide-benny-25"),
        ("two of spades", "benny-21"),
        ("screw the dealer", "set-minus"),
        ("farmer's hand", "standard-four-handed"),
        ("farmers hand", "standard-four-handed"),
        ("progressive euchre", "standard-four-handed"),
        ("Hosier", "bid-hoosier-four-player"),
        ("English", "guide-benny-25"),
        ("American", "standard-four-handed"),
        ("Canadian", "standard-four-handed"),
        ("ace no face", "standard-four-handed"),
        ("going alone with call", "standard-four-handed"),
        ("no trump", "standard-four-handed"),
    ],
)
def test_a_game_is_found_by_any_of_its_names(name, preset):
    found = [rules.id for _players, games in find_games(name) for rules, _name, _note in games]
    assert preset in found


def test_a_game_that_nobody_plays_is_not_found():
    assert find_games("no such game") == []


@pytest.mark.parametrize("players", [2, 3])
def test_examples_name_only_players_of_the_game(players):
    absent = PLAYERS[players:]
    for rules in presets_for(players):
        examples = [str(question_of(rules, name).example) for name in asked_first(rules)]
        assert not [text for text in examples if any(name in text for name in absent)]


def test_a_game_without_a_joker_is_not_found_by_it():
    found = [rules for _players, games in find_games("joker") for rules, _name, _note in games]
    assert [rules.id for rules in found if "B" not in rules.deck] == []


def test_every_value_of_every_option_has_plain_words():
    plain_as_they_are = {"4+3+2", "3+3+3"}
    for name, option in OPTIONS.items():
        for value in option.values:
            if isinstance(value, str) and value not in plain_as_they_are:
                assert value in VALUES or f"{name}={value}" in VALUES, f"{name}={value}"
                assert "_" not in value_words(name, value)


def test_a_preset_taken_up_keeps_its_whole_rules_in_the_club(club):
    made = actions.adopt_preset(club, preset="nanaimo-four-handed", by=TEST, default=True)
    assert (made.players, made.version, made.preset) == (4, 1, "nanaimo-four-handed")
    assert ruleset(made.body).options == ruleset("nanaimo-four-handed").options
    assert queries.default_rulesets(club).get(players=4) == made


def test_a_change_makes_a_new_version_and_the_old_one_stays(club):
    first = actions.adopt_preset(club, preset="nanaimo-four-handed", by=TEST, default=True)
    second = actions.revise_ruleset(first, options={"march": 2}, by=TEST)
    assert (second.version, ruleset(second.body).options["march"]) == (2, 2)
    first.refresh_from_db()
    assert ruleset(first.body).options["march"] == 4
    assert (first.is_default, second.is_default) == (False, True)
    entry = AuditEntry.objects.filter(action="change ruleset").get()
    assert (entry.old, entry.new) == ({"march": 4}, {"march": 2})
    assert differences(ruleset(second.body), ruleset(first.body)) == [
        ("March", "2 points", "4 points")
    ]


def test_no_change_makes_no_version(club):
    first = actions.adopt_preset(club, preset="somerset", by=TEST)
    assert actions.revise_ruleset(first, options={"target": 10}, by=TEST) == first


def test_two_who_change_one_version_do_not_undo_each_other(club):
    first = actions.adopt_preset(club, preset="somerset", by=TEST)
    actions.revise_ruleset(first, options={"target": 11}, by=TEST)
    with pytest.raises(Refused) as caught:
        actions.revise_ruleset(first, options={"march": 3}, by=TEST)
    assert caught.value.code == "newer-version"


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.save(),
        lambda one: one.save(update_fields=["body"]),
        lambda one: type(one).objects.filter(pk=one.pk).update(body={}),
        lambda one: one.club.rulesets.update(name="Other"),
    ],
)
def test_a_version_made_is_never_changed(club, change):
    made = actions.adopt_preset(club, preset="somerset", by=TEST)
    with pytest.raises(TypeError):
        change(made)


def test_the_default_ruleset_cannot_be_retired_and_a_retired_one_not_played(club):
    made = actions.adopt_preset(club, preset="somerset", by=TEST, default=True)
    with pytest.raises(Refused, match="other rules"):
        actions.archive_ruleset(made, by=TEST)
    other = actions.adopt_preset(club, preset="guide-32", by=TEST)
    actions.archive_ruleset(other, by=TEST)
    with pytest.raises(Refused, match="archived"):
        actions.make_default(other, by=TEST)
    actions.restore_ruleset(other, by=TEST)
    actions.make_default(other, by=TEST)
    assert queries.default_rulesets(club).get(players=4) == other


def test_rules_that_do_not_fit_are_refused_at_their_fields_in_the_engines_words(club):
    with pytest.raises(Refused) as caught:
        actions.adopt_preset(
            club, preset="somerset", by=TEST, options={"march": 900, "chuck": True}
        )
    assert "option_march" in caught.value.fields
    assert "500" in caught.value.fields["option_march"][0]
    assert not club.rulesets.exists()


def test_one_name_is_one_ruleset_a_size(club):
    actions.adopt_preset(club, preset="somerset", by=TEST, name="Ours")
    with pytest.raises(Refused) as caught:
        actions.adopt_preset(club, preset="guide-32", by=TEST, name="OURS")
    assert list(caught.value.fields) == ["name"]
    assert actions.adopt_preset(club, preset="nanaimo-two-handed", by=TEST, name="Ours")


# -- pages -----------------------------------------------------------------------------------------


def test_a_club_makes_its_own_rules_on_the_page(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "nanaimo-four-handed"])
    answer = organiser.post(page, sent("nanaimo-four-handed", march="2") | {"name": "Ours"})
    made = club.rulesets.get()
    assert answer["Location"] == reverse("ruleset", args=[club.slug, made.public_id])
    assert (made.name, ruleset(made.body).options["march"]) == ("Ours", 2)
    shown = organiser.get(answer["Location"] + "?with=preset").content.decode()
    assert "Nanaimo chapter rules (2018-19)" in shown
    assert "4 points" in shown


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"march": "900"}, "option_march"),
        ({"march": "x"}, "option_march"),
        ({"march": str(10**30)}, "option_march"),
        ({"deck": "27"}, "option_deck"),
        ({"target": ""}, "option_target"),
        ({"target": "10", "hands": "12"}, "option_target"),
        ({"super_euchre": "loud"}, "option_super_euchre"),
        ({"stick_the_dealer": "0"}, "option_stick_the_dealer"),
        ({"forbidden_trumps": ["c", "d", "h", "s"]}, "option_forbidden_trumps"),
    ],
)
def test_a_bad_option_is_refused_at_its_field_and_what_was_typed_stays(
    club, organiser, changes, field
):
    page = reverse("ruleset_new", args=[club.slug, "standard-four-handed"])
    answer = organiser.post(page, sent("standard-four-handed", **changes) | {"name": "My rules"})
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert "My rules" in answer.content.decode()
    assert not club.rulesets.exists()


def test_all_faults_of_rules_are_named_at_once(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "standard-four-handed"])
    answer = organiser.post(page, sent("standard-four-handed", march="", target="0"))
    assert set(answer.context["form"].errors) == {"option_march", "option_target"}


def test_a_fixed_number_of_hands_takes_the_place_of_the_target(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "standard-four-handed"])
    organiser.post(page, sent("standard-four-handed", target=None, hands="12"))
    rules = ruleset(club.rulesets.get().body)
    assert (rules.target, rules.hands) == (None, 12)


def test_the_rules_are_printed_with_the_ten_answers_and_the_rest(db, client):
    club = a_club(visibility="standings")
    actions.adopt_preset(club, preset="somerset", by=TEST, default=True)
    text = client.get(reverse("rules_print", args=[club.slug])).content.decode()
    for part in (
        "How many points win a game?",
        "10 points",
        "Ruth and Pat",
        "Loner made",
        "24 cards",
    ):
        assert part in text


def test_an_older_version_says_so_and_leads_to_the_newest(club, organiser):
    first = actions.adopt_preset(club, preset="somerset", by=TEST)
    second = actions.revise_ruleset(first, options={"target": 11}, by=TEST)
    text = organiser.get(reverse("ruleset", args=[club.slug, first.public_id])).content.decode()
    assert "older version" in text
    assert reverse("ruleset", args=[club.slug, second.public_id]) in text


def test_a_rule_that_changes_nothing_here_cannot_be_chosen_and_says_why(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "standard-four-handed"])
    assert "best of 3 or more" in organiser.get(page).content.decode()
    organiser.post(page, sent("standard-four-handed", laps="on", slam="on", seat_nine="3+3+3"))
    options = ruleset(club.rulesets.get().body).options
    assert (options["laps"], options["slam"], options["seat_nine"]) == ("off", "off", "4+3+2")


@pytest.mark.django_db
def test_a_preset_is_called_in_the_readers_language_and_kept_in_the_clubs():
    club = a_club()
    club.language = "de"
    club.save()
    with translation.override("de"):
        names = [name for _players, games in find_games("") for _rules, name, _note in games]
        assert "Auktions-Euchre" in names
        assert find_games("Ruf-Ass")
    made = actions.adopt_preset(club, preset="auction-euchre", by=TEST)
    assert made.name == "Auktions-Euchre"


@pytest.mark.parametrize(
    ("preset", "rule", "example"),
    [
        ("five-hundred-four", "min", "At 6: Ruth can bid 6 spades, but not 5 hearts."),
        ("five-hundred-four", "auction", "A pass is final"),
        ("pepper", "min", "At 1"),
        ("pepper", "auction", "Ruth passes, Walter bids 3. Ruth can still bid 4."),
        ("pepper", "target", "Ruth's side is 3 points short of it"),
        ("ghost-hand-three", "target", "Ruth is 3 points short of it"),
        ("five-hundred-three", "target", "a player with 400 points"),
        ("nanaimo-three-handed", "target", "At 10: the first player with 10 points or more"),
        ("buck-euchre-bid", "min", "At 2: Ruth can bid 2, but not less."),
    ],
)
def test_an_example_is_one_of_this_game(preset, rule, example):
    assert example in str(question_of(ruleset(preset), rule).example)


def test_five_hundred_has_no_low_no_trump_to_choose():
    offered = {
        p: RulesetForm(ruleset(p)).fields["option_nt"] for p in ("five-hundred-four", "pepper")
    }
    assert [value for value, _word in offered["five-hundred-four"].choices] == ["high"]
    assert [value for value, _word in offered["pepper"].choices] == ["high", "low"]


def test_a_lowest_bid_that_leaves_special_bids_alone_is_refused():
    """Six in Pepper is little pepper."""
    form = RulesetForm(ruleset("pepper"), sent("pepper", min=6))
    assert form.errors["option_min"] == [
        "From here up every bid is a special bid. Choose a lower number."
    ]
    assert RulesetForm(ruleset("pepper"), sent("pepper", min=5)).is_valid()


def test_an_example_counts_with_the_clubs_own_number():
    """A club at which a euchre pays three read "At 2 ... the others score 2" below its own 3."""
    rules = ruleset("nanaimo-four-handed-standard", {"euchre": 3, "march": 1})
    assert str(question_of(rules, "euchre").example).startswith("At 3: ")
    assert str(question_of(rules, "euchre").example).endswith("The others score 3.")
    assert "scores 1." in str(question_of(rules, "march").example)
