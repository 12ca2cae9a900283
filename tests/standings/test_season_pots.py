"""The pots of a season: who pays at the door, and what an evening held back changes."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Member, Role
from league.play.actions import call_time
from league.seasons.models import Season
from league.seating.actions import depart
from league.sessions.actions import close_session
from league.sessions.attendance import arrive_all, leave
from league.sessions.models import Session
from league.standings.actions import hold_standings, record_payment
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.standings.test_pot_cash import press
from tests.standings.test_pot_settling import close, night, organiser, the_undo
from tests.standings.test_pots import LONERS, a_pot, text_of, who

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

ENTRY = {**LONERS, "name": "Final", "amount": "1.25", "source": "entry"}
PLACES = {"payout": "places", "shares": ["100"]}


def address_of(night: Session) -> str:
    return reverse("session_pots", args=[night.club.slug, night.public_id])


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
        record_payment(pot, who(name), kind="stake", amount=Decimal("1.25"), by=TEST, at=EIGHT)
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


@pytest.mark.parametrize("of_season", [False, True])
def test_players_read_their_own_stakes_of_an_evening_held_back_and_nothing_of_what_anyone_wins(
    organiser, night, season, of_season
) -> None:
    scope, member = season if of_season else night, Client()
    prizes = a_pot(scope, ENTRY | PLACES)
    a_pot(scope, {**LONERS, "name": "Raffle"})
    hold_standings(night, by=TEST)
    member.force_login(user := a_user("mem", club=night.club, rank=Role.Rank.MEMBER))
    Member.objects.filter(pk=who("Rose").pk).update(user=user)
    record_payment(prizes, who("Rose"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    page = text_of(member, scope)
    assert "held back until the prize-giving" in page
    assert "Final You have paid €1.00 of your €1.25. Raffle You owe €1.00." in page
    assert "players see only their own stakes here" in text_of(organiser, night)
    for secret in ("€5.00", "€4.00", " won", " win", "place", "Ann", "in the box"):
        assert secret not in page, secret


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
    tonights, paid = a_pot(tonight, LONERS), {"kind": "stake", "by": TEST, "at": EIGHT}
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
    assert "As it stands you would win €1.25." in text_of(member, season)
    close(night)
    season.closed_at = EIGHT
    season.save()
    assert warning not in text_of(organiser, season)
    assert "Each player brings" not in text_of(organiser, tonight)
    assert "You have won €2.50 and received €0.00." in text_of(member, season)


def test_at_the_door_one_press_takes_tonights_stake_and_the_seasons_and_one_undo_returns_both(
    organiser, night, season
) -> None:
    final = a_pot(season, ENTRY)
    tonight = a_session(night.club, name="Tonight", season=season)
    raffle = a_pot(tonight, {**LONERS, "name": "Raffle"})
    four = [who(name) for name in ("Rose", "Ann", "Ted")]
    arrive_all(tonight, four, by=TEST, at=EIGHT, even_if_elsewhere=True)
    page = text_of(organiser, tonight)
    owes = "Rose still owes €1.00 Raffle + €2.50 Final, Autumn (2 × €1.25)"
    assert f"{owes} Mark €3.50 as paid" in page
    assert "Bill" not in page  # owes for last time, and is not here
    assert "Mark everyone as paid: €10.50" in page
    answer = press(organiser, tonight, "Rose", out="0", amount="3.50")
    page = organiser.get(answer.url.partition("#")[0]).text
    assert "Rose paid €3.50 (€1.00 Raffle + €2.50 Final)." in squeezed(page)
    assert "Cash in the box with the season's pots: €3.50." in text_of(organiser, tonight)
    assert [pot.payments.get().amount for pot in (raffle, final)] == [Decimal(1), Decimal("2.50")]
    undone = organiser.post(the_undo(page), {"session": tonight.public_id})
    assert undone.url == f"{address_of(tonight)}?undone={who('Rose').public_id}#settle"
    assert not final.payments.filter(withdrawn_at=None).exists()

    organiser.post(address_of(tonight) + "all-paid", {"amount": "10.50"})
    page = text_of(organiser, tonight)
    assert "3 players paid €10.50." in page
    assert "Cash in the box with the season's pots: €10.50." in page
    assert "Settle up" not in page
    assert "Bill still owes €1.25 Final" in text_of(organiser, season)


def test_tonights_prize_is_not_paid_from_the_seasons_stakes_nor_a_seasons_prize_at_the_door(
    organiser, night, season
) -> None:
    """Players who leave without a game get both stakes back at once."""
    final = a_pot(season, ENTRY | PLACES)
    tonight = a_session(night.club, name="Tonight", season=season)
    prize = a_pot(tonight, {**LONERS, "amount": "2"} | PLACES)
    arrive_all(tonight, [who("Rose")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    assert "Rose gets" not in text_of(organiser, tonight)
    press(organiser, tonight, "Rose", out="0", amount="4.50")
    leave(tonight, who("Rose"), by=TEST, at=EIGHT)
    says = "Rose gets back €2.00 Loner pot + €1.25 Final, Autumn (due €1.25, paid €2.50)"
    assert f"{says} Pay back €3.25" in text_of(organiser, tonight).replace(
        "Loner pot (due €0.00, paid €2.00)", "Loner pot"
    )
    record_payment(
        prize, who("Ann"), kind="prize", anyway=True, amount=Decimal(2), by=TEST, at=EIGHT
    )
    refused = press(organiser, tonight, "Rose", out="1", amount="3.25")
    assert refused.status_code == 409
    assert "Only €0.00 is in the box for Tonight" in refused.text
    assert final.payments.count() == 1


def test_a_player_who_paid_for_both_and_left_without_a_seat_gets_both_back_at_one_tap(
    organiser, night, season
) -> None:
    """Their check-in is deleted, as if by mistake; their money is still here."""
    final = a_pot(season, ENTRY)
    tonight = a_session(night.club, name="Tonight", season=season)
    a_pot(tonight, {**LONERS, "name": "Raffle"})
    sue = night.club.members.create(name="Sue", name_key="sue")
    arrive_all(tonight, [sue, who("Rose")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    press(organiser, tonight, "Sue", out="0", amount="2.25")
    depart(tonight, sue, by=TEST, at=EIGHT)
    page = text_of(organiser, tonight)
    says = "Sue gets back €1.00 Raffle (due €0.00, paid €1.00) + €1.25 Final, Autumn"
    assert f"{says} (due €0.00, paid €1.25) Pay back €2.25" in page
    press(organiser, tonight, "Sue", out="1", amount="2.25")
    assert "Sue gets back" not in text_of(organiser, tonight)
    assert sorted(final.payments.values_list("kind", flat=True)) == ["refund", "stake"]


def test_a_seasons_stake_of_who_did_not_play_goes_back_on_the_page_of_the_session_just_closed(
    organiser, night, season
) -> None:
    a_pot(season, ENTRY)
    tonight = a_session(night.club, name="Tonight", season=season, held_on="2026-11-26")
    arrive_all(tonight, [who("Rose")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    press(organiser, tonight, "Rose", out="0", amount="2.50")
    close_session(tonight, by=TEST, at=EIGHT)
    page = organiser.get(reverse("session", args=[night.club.slug, tonight.public_id])).text
    assert "1 player gets back stakes for Autumn (€1.25)." in page
    back = "Rose gets back €1.25 Final, Autumn (due €1.25, paid €2.50)"
    assert back in text_of(organiser, tonight)
    following = a_session(night.club, name="Next", season=season, held_on="2026-12-03")
    assert "Rose" not in text_of(organiser, tonight)
    following.state = Session.State.PLANNED
    following.save()
    assert back in text_of(organiser, tonight)


def test_what_everyone_paid_at_the_door_is_undone_there_and_not_a_week_later(
    organiser, night, season
) -> None:
    a_pot(season, ENTRY)
    tonight = a_session(night.club, name="Tonight", season=season)
    a_pot(tonight, LONERS)
    arrive_all(tonight, [who("Rose"), who("Ann")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    organiser.post(address_of(tonight) + "all-paid", {"amount": "7.00"})
    following = a_session(night.club, name="Next", season=season)
    for scope, is_there in ((tonight, True), (following, False), (season, False)):
        assert ("2 players paid €7.00." in text_of(organiser, scope)) == is_there


def test_who_paid_the_seasons_stake_last_time_has_paid_no_part_of_tonights(
    organiser, night, season
) -> None:
    pot = a_pot(season, ENTRY)
    record_payment(pot, who("Rose"), kind="stake", amount=Decimal("1.25"), by=TEST, at=EIGHT)
    tonight = a_session(night.club, name="Tonight", season=season)
    arrive_all(tonight, [who("Rose")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    for scope in (tonight, season):
        page = text_of(organiser, scope)
        assert "Rose still owes €1.25" in page
        assert "Let off the rest" not in page


def test_a_season_with_unpaid_stakes_is_closed_only_when_that_is_confirmed(
    organiser, night, season
) -> None:
    a_pot(season, ENTRY)
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    address = reverse("season_close", args=[night.club.slug, season.public_id])
    refused = organiser.post(address)
    assert refused.status_code == 409
    page = squeezed(refused.text)
    assert "4 players owe stakes for Autumn (€5.00)." in page
    assert f'formaction="{address}">Close the season anyway</button>' in page
    season.refresh_from_db()
    assert season.closed_at is None
    assert organiser.post(address, {"anyway": "on"}).status_code == 302
    season.refresh_from_db()
    assert season.closed_at is not None


def test_only_the_open_session_and_the_season_speak_of_the_seasons_stakes(
    organiser, night, season
) -> None:
    a_pot(season, ENTRY)
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    page = reverse("session", args=[night.club.slug, night.public_id])
    for state in ("closed", "cancelled"):
        Session.objects.update(state=state)
        assert "for Autumn (" not in organiser.get(page).text


def test_each_sum_says_whether_it_is_tonights_money_or_the_seasons(
    organiser, night, season
) -> None:
    final, paid = a_pot(season, ENTRY), {"by": TEST, "at": EIGHT}
    prize = a_pot(night, LONERS)
    a_pot(night, {**LONERS, "name": "Raffle"})
    record_payment(final, who("Ted"), kind="stake", amount=Decimal(30), **paid)
    record_payment(prize, who("Rose"), kind="prize", amount=Decimal(6), anyway=True, **paid)
    page = text_of(organiser, night)
    assert "Cash in the box with the season's pots: €24.00." in page
    assert "Stakes taken for the season €30.00" in page
    assert "Left in the box €24.00" in page
    assert "€6.00 came from the season's pots or other money." in page
    assert "Cash in the box for this pot: €30.00 paid in." in text_of(organiser, season)
    data = {"member": who("Ann").public_id, "kind": "prize", "amount": "1", "seen": "1"}
    refused = organiser.post(reverse("pot_payment", args=[night.club.slug, prize.public_id]), data)
    assert "Only €0.00 is in the box for Thursday night: " in squeezed(refused.text)


def test_settle_up_says_that_prizes_can_change_while_the_session_is_open(organiser, night) -> None:
    says = "The session is still open: prizes can change with each game."
    a_pot(night, ENTRY)
    assert says not in text_of(organiser, night)  # nobody has won anything
    a_pot(night, ENTRY | PLACES)
    page = text_of(organiser, night)
    assert says in page.partition(" Settle up ")[2]
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    assert says not in text_of(organiser, night)


def test_a_pot_for_the_top_places_says_that_it_needs_their_shares(organiser, night) -> None:
    page = squeezed(organiser.get(address_of(night)).text)
    label = page.partition('<label for="id_shares">')[2].partition("</label>")[0]
    assert label == "Percent or amounts for the places (if the top places win it)"
    add = reverse("session_pot_add", args=[night.club.slug, night.public_id])
    answer = organiser.post(add, {**LONERS, "payout": "places", "shares": ""})
    assert "Enter the share of each place: “50 30 20”." in answer.text
