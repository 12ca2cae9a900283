"""The account of a season's money: a line for each session, and totals that add up."""

import csv
import re
from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.sessions.actions import cancel_session
from league.standings.actions import record_payment, withdraw_payment
from league.standings.pot_queries import pot_sheets
from league.standings.pot_totals import night_account
from league.standings.season_account import AccountLine, season_account, total_of_account
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.standings.random_club import the_club
from tests.standings.test_from_the_archive import SEEDS
from tests.standings.test_night_account import BOM, HOW, address_of
from tests.standings.test_pots import LONERS, a_pot, night, organiser, squeezed, table
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser", "table"]

pytestmark = pytest.mark.django_db


def some_payments(scope) -> None:
    for source in ("entry", "sum"):
        pot = a_pot(scope, {**LONERS, "name": source, "source": source, "amount": "7.50"})
        for kind in ("stake", "prize", "refund", "return"):
            record_payment(pot, scope.club.members.first(), kind=kind, **HOW)
    withdraw_payment(pot.payments.first(), by=TEST, at=EIGHT)


def test_each_line_is_the_account_that_the_session_itself_has() -> None:
    """Over a random club, with sessions called off, and what was undone."""
    club = the_club(SEEDS[0])
    for scope in (*club.sessions.all(), *club.seasons.all()):
        some_payments(scope)
    for one in club.sessions.all()[::3]:
        cancel_session(one, by=TEST, at=EIGHT)
    for season in club.seasons.all():
        lines = season_account(season)
        for line in lines:
            found = pot_sheets(line.session or season, at=EIGHT)
            assert line.left == found.cash
            taken, *rest = night_account(found, 0)
            assert [cents for cents in line.cents if cents] == [c for _, c in (taken, *rest) if c]
        of_pots = season.sessions.filter(pots__isnull=False).distinct()
        assert {line.session for line in lines} >= {*of_pots, None}
        assert total_of_account(lines).left == sum(line.left for line in lines)


def test_the_treasurer_reads_the_whole_season_on_one_page_and_as_a_sheet(
    organiser: Client, night
) -> None:
    paid(a_pot(night, LONERS), "Ann", "1")
    of_season = a_pot(night.season, {**LONERS, "name": "Final", "amount": "2"})
    paid(of_season, "Bill", "2")
    paid(of_season, "Bill", "0.50", kind="refund")
    page = address_of(night.season, "account")
    for way in ("pots", "standings"):
        assert f'"{page}"' in organiser.get(address_of(night.season, way)).text
    text = squeezed(re.sub(r"<[^>]+>", " ", organiser.get(page).text)).replace("\u2060", "")
    zero = "€0.00 €0.00"
    assert f" €1.00 {zero} €0.00 {zero} €1.00 The season" in text
    assert f"The season's own pots €2.00 {zero} −€0.50 {zero} €1.50" in text
    assert f"Total €3.00 {zero} −€0.50 {zero} €2.50" in text
    sheet = organiser.get(address_of(night.season, "account_file", "csv"))
    *_lines, last = csv.reader(sheet.text.lstrip(BOM).splitlines())
    assert [Decimal(cell) for cell in last[2:]] == [3, 0, 0, Decimal("-0.5"), 0, 0, Decimal("2.5")]
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    assert organiser.get(page).status_code == 403
    assert page not in organiser.get(address_of(night.season, "standings")).text


def test_the_account_of_a_season_costs_the_same_for_any_number_of_sessions(
    organiser: Client, night, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = address_of(night.season, "account")
    for _session in range(2):
        with django_assert_num_queries(7):
            assert organiser.get(page).status_code == 200
        for _number in range(40):
            some_payments(a_session(night.club, season=night.season))


def test_only_sessions_with_pots_have_a_line(night) -> None:
    a_session(night.club, season=night.season)
    assert season_account(night.season) == [AccountLine(None, {})]
    a_pot(night, LONERS)
    assert season_account(night.season) == [AccountLine(night, {}), AccountLine(None, {})]
