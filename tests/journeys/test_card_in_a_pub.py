"""A card filled in on a phone: how the match stands, and where there is no signal, sent later."""

import pytest
from playwright.sync_api import expect

from league.teams.card import meetings_of
from league.teams.models import TeamMatch
from tests.builders import a_user
from tests.teams.leagues import matches, with_fixtures
from tests.teams.test_pages import address

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_card_typed_offline_survives_a_reload_and_is_sent_once_when_back_online(
    open_page, sign_in, axe
):
    league = with_fixtures(2)
    match = matches(league)[0]
    page = open_page("phone")
    sign_in(page, a_user(club=league.club))
    page.goto(address("team_card", league, match.public_id))
    for number, one in enumerate(meetings_of(league)):
        name = f"score{one.turn}_{one.home_pair}"
        page.fill(f"[name={name}_home]", "21")
        page.fill(f"[name={name}_away]", str(number))
    page.reload()
    page.wait_for_selector("[data-kept-restored]:not([hidden])")
    assert page.input_value("[name=score3_3_away]") == "8"
    page.context.set_offline(True)
    page.get_by_role("button", name="Save the card").click()
    page.wait_for_selector("[data-kept-waiting]:not([hidden])")
    axe(page)
    page.context.set_offline(False)  # the phone finds the network and sends by itself
    page.wait_for_url(f"**{address('team_match', league, match.public_id)}")
    assert TeamMatch.objects.get(pk=match.pk).session.games.count() == 9
    page.goto(address("team_card", league, match.public_id))
    assert page.is_hidden("[data-kept-restored]")


def test_a_game_that_nobody_has_won_counts_in_the_sum_only_if_it_ended_early(open_page, sign_in):
    league = with_fixtures(2)
    page = open_page("phone")
    sign_in(page, a_user(club=league.club))
    page.goto(address("team_card", league, matches(league)[0].public_id))
    for name, points in (("score1_1", (20, 18)), ("score1_2", (21, 18)), ("score1_3", (5, 21))):
        for side, score in zip(("home", "away"), points, strict=True):
            page.fill(f"[name={name}_{side}]", str(score))
    expect(page.locator("[data-total-games]")).to_have_text("1–1")
    page.check("[name=short]")
    expect(page.locator("[data-total-games]")).to_have_text("2–1")


def test_the_games_of_a_card_stand_apart_from_their_heading_and_their_sum(open_page, sign_in):
    league = with_fixtures(2)
    page = open_page("phone")
    sign_in(page, a_user(club=league.club))
    page.goto(address("team_card", league, matches(league)[0].public_id))
    page.fill("[name=score1_1_home]", "21")
    page.fill("[name=score1_1_away]", "18")
    expect(page.locator("[data-card-total]")).to_be_visible()
    above, games, below = (
        page.locator(part).bounding_box()
        for part in ("p:has(+ .card-games)", ".card-games", "[data-card-total]")
    )
    assert games["y"] - above["y"] - above["height"] >= 8
    assert below["y"] - games["y"] - games["height"] >= 8
