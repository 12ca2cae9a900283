"""Tonight's number and the club's table sizes: what cannot be seated one way is offered another."""

import pytest
from django.urls import reverse

from league.seating.actions import set_session_policy
from league.seating.planner_adapter import alternative_policies, choices_for
from league.templatetags.figures import tables
from tests.builders import TEST, a_club, a_ruleset, a_session, a_user, members_of
from tests.seating.nights import a_game, a_night, a_seating_club, draft, published, sizes

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("short_search"),
]


def at(name, night):
    return reverse(name, args=[night.club.slug, night.public_id])


@pytest.fixture
def sixes(client):
    """Eleven people in a club that asks for tables of six and has house rules for none."""
    night, _members = a_night(11)
    night.club.seating_policy = "six_main"
    night.club.save()
    client.force_login(a_user(club=night.club))
    return night


def test_only_tables_the_club_has_rules_for_are_offered(sixes):
    assert choices_for(sixes, 11)[0].sizes == (4, 4, 3)
    ways = {
        policy: way.sizes for policy, way in alternative_policies(sixes, 11, choices_for(sixes, 11))
    }
    assert ways == {"club": (4, 4, 3), "sitout": (4, 4)}


def test_a_club_with_rules_for_larger_tables_is_offered_them_beside_its_own_rule(sixes):
    five = a_ruleset(sixes.club, "bid-hoosier-five-player")
    sixes.rulesets.add(five)
    assert (5, 4, 3) in [way.sizes for way in choices_for(sixes, 12)]


@pytest.mark.parametrize(
    ("people", "tables"), [(10, (4, 4, 2)), (13, (4, 3, 3, 3)), (14, (4, 4, 3, 3)), (16, (4,) * 4)]
)
def test_from_thirteen_on_nobody_sits_at_a_table_of_two_by_default(people, tables):
    night = a_session(a_seating_club())
    assert choices_for(night, people)[0].sizes == tables


def test_a_rule_that_can_seat_tonights_number_is_not_questioned():
    night, _members = a_night(11)
    assert alternative_policies(night, 11, choices_for(night, 11)) == []


@pytest.mark.parametrize("page", ["checkin", "seating"])
def test_one_press_seats_tonight_by_tables_that_can(client, sixes, page):
    shown = client.get(at(page, sixes))
    assert b'name="policy" value="club"' in shown.content
    answer = client.post(at("seating_sizes", sixes), {"policy": "club"})
    assert answer.url == at("seating", sixes)
    sixes.refresh_from_db()
    sixes.club.refresh_from_db()
    assert (sixes.seating_policy, sixes.club.seating_policy) == ("club", "six_main")
    assert sizes(sixes.rounds.get()) == [4, 4, 3]


def test_the_session_keeps_its_table_sizes_for_the_rounds_that_follow(sixes):
    set_session_policy(sixes, "sitout", by=TEST)
    assert sizes(draft(sixes)) == [4, 4]
    set_session_policy(sixes, "no_twos", by=TEST)
    assert sizes(draft(sixes)) == [4, 4, 3]


def test_choices_made_before_adding_rules_are_saved_first(client, sixes):
    """“Add rules” left the page, and what was chosen there was lost."""
    page = at("session_rules", sixes)
    answer = client.post(page, {"policy": "sitout", "add": "1"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("ruleset_presets", args=[sixes.club.slug])
    assert "Saved your choices so far." in answer.text
    sixes.refresh_from_db()
    assert sixes.seating_policy == "sitout"
    again = client.post(page, {"policy": "sitout", "add": "1"}, follow=True)
    assert "Saved your choices" not in again.text


def test_check_in_goes_on_while_too_few_are_here_for_the_clubs_tables(client, sixes):
    few = a_session(sixes.club, members_of(sixes.club, 0), name="Early")
    for member in sixes.club.members.all()[:2]:
        sixes.attendances.filter(member=member).delete()
        few.attendances.create(member=member)
    shown = client.get(at("checkin", few))
    assert shown.status_code == 200
    assert [way[2].sizes for way in shown.context["ways"]] == [(2,)]


def test_a_club_without_any_rules_for_so_few_is_led_to_its_house_rules(client):
    club = a_club()
    rules = a_ruleset(club)
    club.rulesets.filter(pk=rules.pk).update(is_default=True)
    night = a_session(club, members_of(club, 3))
    client.force_login(a_user(club=club))
    page = client.get(at("checkin", night)).content.decode()
    assert "no house rules yet for tables that seat 3 players" in page
    assert reverse("ruleset_presets", args=[club.slug]) in page


def test_an_unknown_way_to_seat_is_refused(client, sixes):
    assert client.post(at("seating_sizes", sixes), {"policy": "x"}).status_code == 422
    sixes.refresh_from_db()
    assert sixes.seating_policy == ""


def test_check_in_after_every_game_is_over_offers_the_next_round(client):
    night, _members = a_night(8, a_seating_club())
    for table in published(night).tables.all():
        a_game(table, hands=1)
    client.force_login(a_user(club=night.club))
    page = client.get(at("checkin", night))
    assert "Next round with all 8" in page.content.decode()
    client.post(at("seating_draft", night), {"sizes": "4+4"})
    assert sizes(night.rounds.get(state="draft")) == [4, 4]


def test_the_ways_to_seat_an_evening_are_written_in_one_style():
    assert tables([4, 4, 3, 3]) == "4 + 4 + 3 + 3"
    assert tables([4, 4, 2, 2, 2]) == "4 + 4 + 2 + 2 + 2"
    assert tables([4] * 9 + [3, 2]) == "9 × 4 + 3 + 2"
