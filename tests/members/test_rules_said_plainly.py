"""House rules as an organiser and a player read them: names, changes, and the printed sheet."""

import pytest
from django.urls import reverse

from league.members import actions
from league.members.rule_changes import said_changes
from league.members.rule_options import title, value_words
from tests.builders import TEST, a_ruleset, a_session, a_user, members_of
from tests.pages import squeezed

NAMED = "If you leave the name alone, it will say what you have changed."


@pytest.fixture
def rules(club):
    return actions.adopt_preset(club, preset="standard-four-handed", by=TEST, default=True)


def test_check_in_names_the_rules_of_each_size_with_what_the_club_changed(club, rules, organiser):
    actions.adopt_preset(club, preset="nanaimo-three-handed", by=TEST, default=True)
    actions.revise_ruleset(rules, options={"farmers": "redeal"}, by=TEST)
    night = a_session(club, members_of(club, 7))
    page = organiser.get(reverse("checkin", args=[club.slug, night.public_id])).text
    assert "Tables of 4: Euchre, farmer&#x27;s hand" in squeezed(page)


def test_the_page_that_changes_rules_says_that_their_name_follows(club, rules, organiser):
    page = reverse("ruleset_change", args=[club.slug, rules.public_id])
    assert NAMED in organiser.get(page).text
    actions.rename_ruleset(rules, "Our rules", by=TEST)
    assert NAMED not in organiser.get(page).text
    foreign = a_ruleset(club)  # of no preset
    page = reverse("ruleset_change", args=[club.slug, foreign.public_id])
    assert NAMED not in organiser.get(page).text


def test_the_printed_rules_leave_out_what_is_not_played_and_their_page_does_not(
    club, rules, client
):
    client.force_login(a_user("ted", club=club, rank="member"))
    printed = client.get(reverse("rules_print", args=[club.slug])).text
    page = client.get(reverse("ruleset", args=[club.slug, rules.public_id])).text
    for name in ("laps", "smitty"):
        assert title(name) not in printed
        assert title(name) in page


def test_a_rule_switched_on_or_off_reads_without_what_held_before(club, rules):
    """It read “Farmer's hand: deal again instead of no.”"""
    changed = actions.revise_ruleset(rules, options={"farmers": "redeal"}, by=TEST)
    assert said_changes(rules.rules, changed.rules) == ["Farmer's hand: deal again"]
    assert said_changes(changed.rules, rules.rules) == ["Farmer's hand: no"]


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("set_gives", "tricks", "Other side's points for a set: tricks taken"),
        ("revoke_500", "american", "Renege judged by: American rules"),
    ],
)
def test_a_rule_and_its_value_read_as_one_line(name, value, line):
    assert f"{title(name)}: {value_words(name, value)}" == line


def test_settings_lead_to_the_rules_of_the_usual_size_with_what_was_looked_for(club, organiser):
    page = reverse("club_settings", args=[club.slug])
    rulesets = reverse("rulesets", args=[club.slug])
    assert f'is in <a href="{rulesets}"' in organiser.get(page).text
    actions.adopt_preset(club, preset="nanaimo-two-handed", by=TEST, default=True)
    ours = actions.adopt_preset(club, preset="standard-four-handed", by=TEST, default=True)
    usual = reverse("ruleset", args=[club.slug, ours.public_id])
    shown = organiser.get(page).text
    assert f'is in <a href="{usual}"' in shown
    assert f'<a class="button" href="{rulesets}"' in shown
