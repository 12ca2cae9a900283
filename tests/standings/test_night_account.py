"""The account of a session's money, and its payments as a sheet."""

import csv

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import EIGHT, a_user
from tests.standings.test_pot_cash import bill_wins
from tests.standings.test_pot_settling import close, night, organiser
from tests.standings.test_pots import FINE, LONERS, a_pot, at, text_of
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db


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
    names = ["Time", "Pot", "Player", "What it is", "Paid in", "Paid out", "Let off", "Entered by"]
    assert head == names
    when = f"{EIGHT:%Y-%m-%d} {night.club.local(EIGHT):%H:%M}"
    assert [row[:3] for row in rows] == [[when, "'=Loners", "Ted"]] * 4
    assert [row[3:7] for row in rows] == [
        ["paid the stake", "2.00", "", ""],
        ["got the stake back", "", "1.00", ""],
        ["was let off", "", "", "0.50"],
        ["is not in this pot", "", "", ""],
    ]
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    assert organiser.get(address).status_code == 403
