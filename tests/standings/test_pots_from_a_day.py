"""A pot begun in mid-season counts from its own day: nobody is billed for the past."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.exchange.archive_restoring import restore
from league.exchange.archive_writing import archive_of
from league.seasons.models import Season
from league.sessions.attendance import arrive_all
from league.sessions.models import Session
from league.standings.actions import save_places
from league.standings.models import GivenPlace, Pot
from league.standings.pot_accounts import accounts_of
from league.standings.pot_queries import pot_sheets
from league.standings.stake_debts import stake_debts
from tests.builders import EIGHT, TEST, a_session
from tests.exchange.test_archive import emptied
from tests.pages import squeezed
from tests.standings.test_pot_cash import bill_wins
from tests.standings.test_pot_settling import night, organiser
from tests.standings.test_pots import FINE, LONERS, a_pot, at, owes, sheet, text_of, who
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

FINAL = {**LONERS, "name": "Final"}
WEEK = timedelta(days=7)


def today(night: Session) -> date:
    return night.club.local(timezone.now()).date()


@pytest.fixture
def season(night: Session) -> Season:
    """Begun a month ago, with one session, a week ago."""
    begun = today(night) - 4 * WEEK
    season = night.club.seasons.create(name="Autumn", starts_on=begun)
    Session.objects.filter(pk=night.pk).update(season=season, held_on=today(night) - WEEK)
    night.refresh_from_db()
    return season


def first_day_offered(client: Client, season: Season) -> str:
    page = client.get(reverse("season_pots", args=[season.club.slug, season.public_id])).text
    return page.partition('name="counts_from" value="')[2][:10]


def test_a_pot_begun_in_mid_season_counts_from_today_and_bills_nobody_for_the_past(
    organiser: Client, night, season
) -> None:
    assert first_day_offered(organiser, season) == str(today(night))
    add = reverse("season_pot_add", args=[night.club.slug, season.public_id])
    organiser.post(add, {**FINAL, "counts_from": str(today(night))})
    assert season.pots.get().counts_from == today(night)
    page = text_of(organiser, season)
    assert "Sessions count from" in page
    assert "Settle up" not in page
    assert not owes(season)
    assert not any(stake_debts(night.club).values())
    last_week = a_session(night.club, name="Next", state="planned", season=season)
    for held_on, brings in ((today(night) - WEEK, False), (today(night), True)):
        Session.objects.filter(pk=last_week.pk).update(held_on=held_on)
        last_week.refresh_from_db()
        assert ("Each player brings €1.00" in text_of(organiser, last_week)) == brings


def test_a_season_not_begun_or_over_offers_its_first_day(organiser: Client, night, season) -> None:
    fresh = night.club.seasons.create(name="Winter", starts_on=today(night) + WEEK)
    assert first_day_offered(organiser, fresh) == str(fresh.starts_on)
    Season.objects.filter(pk=season.pk).update(ends_on=today(night) - timedelta(days=1))
    assert first_day_offered(organiser, season) == str(season.starts_on)
    add = reverse("season_pot_add", args=[night.club.slug, season.public_id])
    organiser.post(add, {**FINAL, "counts_from": str(season.starts_on)})
    assert season.pots.get().counts_from is None
    assert set(owes(season)) == {"Ann", "Bill", "Rose", "Ted"}


def test_two_euros_a_head_from_tonight_half_of_it_for_the_season(
    organiser: Client, night, season
) -> None:
    tonight = a_session(night.club, name="Tonight", season=season, held_on=today(night))
    for scope, rule in ((tonight, LONERS), (season, FINAL)):
        page = f"{scope._meta.model_name}_pot_add"
        data = rule | ({"counts_from": str(today(night))} if scope == season else {})
        organiser.post(reverse(page, args=[night.club.slug, scope.public_id]), data)
    arrive_all(tonight, [who("Rose"), who("Ann")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    page = text_of(organiser, tonight)
    assert "Each player brings €2.00, including €1.00 for the season." in page
    assert "Rose still owes €1.00 Loner pot + €1.00 Final, Autumn Mark €2.00 as paid" in page
    assert owes(season) == {"Ann": 100, "Rose": 100}


def test_fines_and_lone_marches_of_before_do_not_count_but_the_places_are_the_seasons(
    night, season
) -> None:
    bill_wins(night)
    late = {"counts_from": today(night), "source": "sum", "amount": "8"}
    for rule in (FINE, {**LONERS, **late}, {**LONERS, **late, "payout": "each_loner"}):
        Pot.objects.all().delete()
        a_pot(season, rule | {"counts_from": today(night)})
        assert not sheet(season).winners
        assert not owes(season)
    Pot.objects.all().delete()
    pot = a_pot(season, {**LONERS, **late, "payout": "places", "shares": ["100"]})
    save_places(night, {who(name).pk: GivenPlace(1) for name in ("Ann", "Bill", "Rose", "Ted")})
    before = sheet(season).winners
    Pot.objects.filter(pk=pot.pk).update(counts_from=None)
    assert [[row.line for row in tied] for tied in before] == [
        [row.line for row in tied] for tied in sheet(season).winners
    ]
    assert before


def test_the_first_day_is_changed_until_a_prize_is_paid_and_says_what_it_bills(
    organiser: Client, night, season
) -> None:
    pot = a_pot(season, {**FINAL, "counts_from": today(night)})
    assert "Counts sessions from" in text_of(organiser, season)
    change = {"name": "Final", "amount": "1", "counts_from": str(season.starts_on)}
    answer = organiser.post(at(pot, "pot_change"), change, follow=True)
    assert "Saved. 4 stakes are not paid (€4.00)." in squeezed(answer.text)
    pot.refresh_from_db()
    assert pot.counts_from is None
    log = squeezed(organiser.get(reverse("audit", args=[night.club.slug])).text)
    assert "Counts sessions from" in log
    paid(pot, "Ann", "1", kind="prize")
    organiser.post(at(pot, "pot_change"), change | {"counts_from": str(today(night))})
    pot.refresh_from_db()
    assert pot.counts_from is None
    assert "Counts sessions from" not in text_of(organiser, season).partition("Another pot")[0]


@pytest.mark.parametrize("days", [-8, -7, -6, 0, 1])
def test_the_list_of_who_owes_agrees_with_the_pages_of_pots_that_count_from_a_day(
    night, season, days
) -> None:
    tonight = a_session(night.club, name="Tonight", season=season, held_on=today(night))
    arrive_all(tonight, [who("Rose"), who("Ann")], by=TEST, at=EIGHT, even_if_elsewhere=True)
    rules = (FINE, LONERS, {**LONERS, "source": "once"}, {**LONERS, "payout": "kept"})
    for number, rule in enumerate(rules):
        late = {"name": f"Pot {number}", "counts_from": today(night) + timedelta(days=days)}
        paid(a_pot(season, rule | late), "Ted", "0.10")
    accounts = accounts_of(pot_sheets(season, at=EIGHT).sheets)
    page = {one.member.pk: one.debt - one.refund for one in accounts}
    assert {pk: own[season] for pk, own in stake_debts(night.club).items() if own} == page


@pytest.mark.django_db(transaction=True)
def test_the_first_day_and_amounts_come_back_with_a_full_backup_also_one_without_them(
    night, season
) -> None:
    rule = {"counts_from": today(night), "payout": "amounts", "shares": ["20", "0"]}
    a_pot(season, FINAL | rule)
    data = archive_of(night.club, at=EIGHT)
    emptied()
    pot = restore(data, by=TEST).pots.get()
    assert (pot.counts_from, pot.payout, pot.shares) == (today(night), "amounts", ["20", "0"])
    del data["rows"]["Pot"][0]["counts_from"]
    emptied()
    assert restore(data, by=TEST).pots.get().counts_from is None
