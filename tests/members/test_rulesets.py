"""A club's rulesets: from a preset, changed as versions, defaults, refusals at their fields."""

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members import actions, queries
from league.members.forms.rulesets import RulesetForm
from league.members.models import AuditEntry
from league.members.rule_options import VALUES, differences, option_field, rows, value_words
from scoring import preset_ids, ruleset
from scoring.rulesets.options import OPTIONS
from tests.builders import TEST

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
    data = filled(RulesetForm(ruleset(preset), named=True))
    data |= {option_field(name): value for name, value in changes.items()}
    return {name: value for name, value in data.items() if value is not None}


@ALL_PRESETS
def test_a_form_sent_back_untouched_changes_nothing(preset):
    rules = ruleset(preset)
    form = RulesetForm(rules, filled(RulesetForm(rules, named=True)), named=True)
    assert form.is_valid(), form.errors
    assert form.changed_options == {}


@ALL_PRESETS
def test_every_option_of_a_preset_is_on_its_form_and_on_its_page(preset):
    rules = ruleset(preset)
    form = RulesetForm(rules, named=False)
    assert {option_field(name) for name in rules.options} <= set(form.fields)
    assert {row.name for _heading, group in rows(rules) for row in group} == set(rules.options)


@ALL_PRESETS
def test_every_option_says_what_it_means_and_where_it_is_from(preset):
    for _heading, group in rows(ruleset(preset)):
        for row in group:
            assert row.meaning
            assert row.value
            assert row.source or row.decision, row.name


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
        ("The makers take all five.", "2 points", "4 points")
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
    with pytest.raises(Refused, match="another default"):
        actions.retire_ruleset(made, by=TEST)
    other = actions.adopt_preset(club, preset="guide-32", by=TEST)
    actions.retire_ruleset(other, by=TEST)
    with pytest.raises(Refused, match="retired"):
        actions.make_default(other, by=TEST)
    actions.return_ruleset(other, by=TEST)
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
    assert "Nanaimo chapter rules (2018-19), line 149" in shown
    assert "D-14" in shown
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


def test_a_fixed_number_of_hands_takes_the_place_of_the_target(club, organiser):
    page = reverse("ruleset_new", args=[club.slug, "standard-four-handed"])
    organiser.post(page, sent("standard-four-handed", target=None, hands="12"))
    rules = ruleset(club.rulesets.get().body)
    assert (rules.target, rules.hands) == (None, 12)


def test_an_older_version_says_so_and_leads_to_the_newest(club, organiser):
    first = actions.adopt_preset(club, preset="somerset", by=TEST)
    second = actions.revise_ruleset(first, options={"target": 11}, by=TEST)
    text = organiser.get(reverse("ruleset", args=[club.slug, first.public_id])).content.decode()
    assert "older version" in text
    assert reverse("ruleset", args=[club.slug, second.public_id]) in text
