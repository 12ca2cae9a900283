"""The pots of a season: who pays at the door, and what an evening held back changes."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Member, Role
from league.seasons.models import Season
from league.sessions.attendance import arrive_all
from league.standings.actions import hold_standings, record_payment
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.standings.test_pot_settling import night, organiser
from tests.standings.test_pots import LONERS, a_pot, text_of, who

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

ENTRY = {**LONERS, "name": "Final", "amount": "1.25", "source": "entry"}
PLACES = {"payout": "places", "shares": ["100"]}


@pytest.fixture
def season(night) -> Season:
    night.season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.save()
    return night.season


def test_an_evening_held_back_counts_for_organisers_and_shows_players_nothing(
    organiser, night, season
) -> None:
    pot = a_pot(season, ENTRY | PLACES)
    for name in ("Rose", "Ann", "Ted", "Bill"):
        record_payment(pot, who(name), out=False, amount=Decimal("1.25"), by=TEST, at=EIGHT)
    before = text_of(organiser, season)
    assert "Rose gets €1.25" in before
    hold_standings(night, by=TEST)
    assert text_of(organiser, season) == before
    member = Client()
    member.force_login(a_user("mem", club=night.club, rank=Role.Rank.MEMBER))
    page = member.get(reverse("season_pots", args=[night.club.slug, season.public_id]))
    assert page.status_code == 403
    assert "held back until the prize-giving" in squeezed(page.text)
    program = Program(a_token(night.club))
    answer = program.get(f"/seasons/{season.public_id}/pots")
    assert answer.json()["code"] == "standings-held"


def test_a_seasons_stake_is_paid_at_the_door_and_tonights_page_leads_to_it(
    organiser, night, season
) -> None:
    a_pot(season, ENTRY)
    tonight = a_session(night.club, name="Tonight", season=season)
    arrive_all(tonight, [who("Rose")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    says = text_of(organiser, season)
    assert "Rose still owes €2.50 Final" in says
    assert "Ted still owes €1.25 Final" in says
    page = text_of(organiser, tonight)
    assert "Each player brings €1.25 for the season." in page
    assert "Prizes and pots of Autumn" in page
    tonights, paid = a_pot(tonight, LONERS), {"out": False, "by": TEST, "at": EIGHT}
    record_payment(tonights, who("Rose"), amount=Decimal("2.00"), **paid)
    record_payment(season.pots.get(), who("Rose"), amount=Decimal("2.50"), **paid)
    assert "Cash in the box with the season's pots: €4.50." in text_of(organiser, tonight)
    closing = reverse("disputes", args=[night.club.slug, tonight.public_id]) + "?close=1"
    page = squeezed(organiser.get(closing).text)
    assert "3 players owe stakes for Autumn (€3.75)." in page
    assert f'<a href="{reverse("season_pots", args=[night.club.slug, season.public_id])}">' in page


def test_while_a_season_goes_on_its_pots_say_that_prizes_can_change(
    organiser, night, season
) -> None:
    warning = "Pay prizes out once the season is over."
    a_pot(season, ENTRY | PLACES)
    tonight = a_session(night.club, name="Tonight", season=season)
    assert warning in text_of(organiser, season)
    assert "Each player brings €1.25 for the season." in text_of(organiser, tonight)
    member = Client()
    member.force_login(user := a_user("mem", club=night.club, rank=Role.Rank.MEMBER))
    Member.objects.filter(pk=who("Rose").pk).update(user=user)
    assert "If the season ended now, you would win €1.25." in text_of(member, season)
    season.closed_at = EIGHT
    season.save()
    assert warning not in text_of(organiser, season)
    assert "Each player brings" not in text_of(organiser, tonight)
    assert "You have won €1.25 and received €0.00." in text_of(member, season)
