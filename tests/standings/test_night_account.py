"""The account of a session's money, and its payments as a sheet."""

import csv
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.sessions.models import Session
from league.standings.actions import record_payment, withdraw_payment
from league.standings.models import cents_of, money_of
from league.standings.pot_accounts import settle_up_of
from league.standings.pot_queries import pot_sheets
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.standings.random_club import the_club
from tests.standings.test_from_the_archive import SEEDS
from tests.standings.test_pot_cash import bill_wins
from tests.standings.test_pot_settling import close, night, organiser
from tests.standings.test_pots import FINE, LONERS, a_pot, at, text_of, who
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
HOW = {"amount": Decimal("0.25"), "anyway": True, "by": TEST, "at": EIGHT}


def test_the_account_of_a_session_stays_after_it_is_closed(organiser: Client, night) -> None:
    pot = bill_wins(night)
    other = a_pot(night, {**LONERS, "name": "Sum", "amount": "5", "source": "sum"})
    for name, euros in (("Ann", "2"), ("Bill", "1"), ("Rose", "1"), ("Ted", "1")):
        paid(pot, name, euros)
    paid(pot, "Ann", "1", kind="refund")
    close(night)
    paid(pot, "Bill", "3.50", kind="prize")
    paid(other, "Bill", "4", kind="prize")
    paid(other, "Bill", "1", kind="return")
    lines = "Stakes taken €5.00 From the club €5.00 Prizes given back €1.00"
    lines += " Stakes given back −€1.00 Prizes paid out −€7.50 To the club €0.00"
    assert f"{lines} Left in the box €2.50" in text_of(organiser, night)
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    assert "Left in the box" not in text_of(organiser, night)


def test_the_account_of_an_evening_has_the_seasons_stakes_taken_until_the_next_one(
    organiser: Client, night
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    Session.objects.update(season=season)
    pot, final = a_pot(night, LONERS), a_pot(season, {**LONERS, "name": "Final"})
    paid(pot, "Ann", "1")
    for kind, euros, at_ in (
        ("stake", "4", EIGHT - timedelta(days=2)),
        ("stake", "15.50", EIGHT),
        ("refund", "0.50", EIGHT),
        ("stake", "30", EIGHT + timedelta(days=7)),
    ):
        how = {"kind": kind, "amount": Decimal(euros), "anyway": True, "by": TEST, "at": at_}
        record_payment(final, who("Ann"), **how)
    day = night.held_on + timedelta(days=7)
    a_session(night.club, name="Next", held_on=day, season=season)
    lines = "Stakes taken €1.00 Stakes taken for the season €15.00 Stakes given back €0.00"
    lines += " Prizes paid out €0.00 To the club €0.00 Left in the box €16.00"
    assert lines in text_of(organiser, night)
    close(night)
    assert lines in text_of(organiser, night)


def test_the_account_of_one_pot_says_all_five_lines_before_anything_is_paid(
    organiser: Client, night
) -> None:
    a_pot(night, FINE)
    lines = "Stakes taken €0.00 Stakes given back €0.00 Prizes paid out €0.00 To the club €0.00"
    assert f"{lines} Left in the box €0.00" in text_of(organiser, night)


def test_the_payments_of_a_session_are_a_sheet_for_organisers(organiser: Client, night) -> None:
    pot = a_pot(night, {**LONERS, "name": "=Loners", "amount": "2"})
    for kind, euros in (("stake", "2"), ("refund", "1"), ("waived", "0.50"), ("out", "0")):
        paid(pot, "Ted", euros, kind=kind)
    organiser.post(at(pot, "payment_withdraw", paid(pot, "Ann", "2").pk))
    address = reverse("session_payments", args=[night.club.slug, night.public_id, "csv"])
    assert address in organiser.get(reverse("session_pots", args=address.split("/")[2:5:2])).text
    answer = organiser.get(address)
    assert "payments.csv" in answer["Content-Disposition"]
    head, *rows = csv.reader(answer.content.decode("utf-8-sig").splitlines())
    names = ["Time", "Pot", "Player", "What it is", "Paid in", "Paid out", "Let off", "Undone"]
    assert head == [*names, "Entered by", "Undone by"]
    when = f"{EIGHT:%Y-%m-%d} {night.club.local(EIGHT):%H:%M}"
    assert [row[:3] for row in rows[:4]] == [[when, "'=Loners", "Ted"]] * 4
    assert [row[3:8] for row in rows] == [
        ["paid the stake", "2.00", "", "", ""],
        ["got the stake back", "", "1.00", "", ""],
        ["was let off", "", "", "0.50", ""],
        ["is not in this pot", "", "", "", ""],
        ["paid the stake", "", "", "", "2.00"],
    ]
    assert [row[9] for row in rows] == ["", "", "", "", "olive"]
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    assert organiser.get(address).status_code == 403


def test_the_sheet_of_payments_adds_up_to_what_is_in_the_box(organiser: Client) -> None:
    """With what the club put in, and without what was undone, over a random club."""
    club = the_club(SEEDS[0])
    organiser.force_login(a_user("otto", club=club))
    for scope in (*club.sessions.all(), *club.seasons.all()):
        for source in ("entry", "sum"):
            pot = a_pot(scope, {**LONERS, "name": source, "source": source, "amount": "7.50"})
            for kind in ("stake", "prize", "refund", "return"):
                record_payment(pot, club.members.first(), kind=kind, **HOW)
        withdraw_payment(pot.payments.first(), by=TEST, at=EIGHT)
        sheet_address = address_of(scope, "payments", "csv")
        rows = list(csv.reader(organiser.get(sheet_address).text.lstrip(BOM).splitlines()))[1:]
        sums = [sum(Decimal(row[column] or 0) for row in rows) for column in (4, 5)]
        assert cents_of(sums[0] - sums[1]) == pot_sheets(scope, at=EIGHT).cash
        assert f'"{sheet_address}"' in organiser.get(address_of(scope, "pots")).text


def address_of(scope, page: str, *more: str) -> str:
    name = f"{scope._meta.model_name}_{page}"
    return reverse(name, args=[scope.club.slug, scope.public_id, *more])


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_once_everyone_has_settled_the_box_holds_what_the_pots_have_left(seed: int) -> None:
    """Whatever the pots of a random club count from, and whoever wins how much of them."""
    club = the_club(seed)
    for scope in (*club.sessions.all(), *club.seasons.all()):
        for account in settle_up_of(scope, at=EIGHT).accounts:
            for part in (*account.pays, *account.receives):
                how = HOW | {"kind": part.kind, "amount": money_of(part.cents)}
                record_payment(part.pot, account.member, **how)
    for scope in (*club.sessions.all(), *club.seasons.all()):
        for sheet in pot_sheets(scope, at=EIGHT).sheets:
            assert not sheet.has_box or sheet.cash == sheet.ledger.left
