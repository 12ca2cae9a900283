"""One Undo for one booking, and what a pot that has paid out, or a short box, no longer allows."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.sessions.actions import cancel_session, open_session
from league.sessions.attendance import arrive_all
from league.standings.actions import record_payment
from league.standings.models import Payment
from league.standings.stake_debts import stake_debts
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.standings.test_left_out_of_pots import PRIZES, leave_out, ranked
from tests.standings.test_pot_cash import press
from tests.standings.test_pot_settling import close, night, organiser
from tests.standings.test_pots import LONERS, a_pot, at, text_of, who
from tests.standings.test_pots_put_right import let_off, paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

HALL = {**LONERS, "name": "Hall", "amount": "6", "payout": "kept"}


def valid() -> list[tuple[str, str]]:
    rows = Payment.objects.filter(withdrawn_at=None).order_by("pk")
    return list(rows.values_list("member__name", "pot__name"))


def test_no_more_goes_to_the_club_than_is_in_the_box_and_the_page_says_who_owes(
    organiser: Client, night
) -> None:
    hall, prizes = a_pot(night, HALL), a_pot(night, PRIZES)
    ranked(night, "Ann", "Bill")
    for name in ("Ann", "Bill", "Rose", "Ted"):
        paid(hall, name, "6")
    paid(prizes, "Ann", "2")
    close(night)
    for name, euros in (("Ann", "5.60"), ("Bill", "2.40")):
        paid(prizes, name, euros, kind="prize")
    says = "Only €18.00 is in the box for Thursday night: Bill, Rose and Ted still owe €6.00."
    assert f"{says} Book €18.00 to the club" in text_of(organiser, night)
    refused = organiser.post(at(hall, "pot_book"), {"amount": "24.00"})
    assert refused.status_code == 409
    assert says in squeezed(refused.text)
    organiser.post(at(hall, "pot_book"), {"amount": "18.00"})
    page = text_of(organiser, night)
    assert "from other money" not in page
    assert "Book €" not in page
    for name in ("Bill", "Rose", "Ted"):
        paid(prizes, name, "2")
    assert "Book €6.00 to the club" in text_of(organiser, night)


def test_one_undo_in_the_list_takes_back_the_whole_booking_of_that_player_and_says_so_there(
    organiser: Client, night
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    arrive_all(night, list(night.club.members.all()), by=TEST, at=EIGHT)
    a_pot(night, LONERS)
    a_pot(season, {**LONERS, "name": "Final", "amount": "2.50"})
    press(organiser, night, "Ann", out="0", amount="3.50")
    press(organiser, night, "Bill", out="0", amount="3.50")
    payment = Payment.objects.get(member=who("Ann"), pot__name="Loner pot")
    answer = organiser.post(at(payment.pot, "payment_withdraw", payment.pk))
    assert answer.url.endswith(f"?undone={who('Ann').public_id}#settle")
    page = squeezed(organiser.get(answer.url.partition("#")[0]).text)
    says = "Undone: Ann paid €3.50 (€1.00 Loner pot + €2.50 Final)."
    assert says in page.partition("<strong>Ann</strong>")[0].rpartition("Settle up")[2]
    assert f"/{payment.pk}/undo" not in page
    assert valid() == [("Bill", "Loner pot"), ("Bill", "Final")]
    again = organiser.post(at(payment.pot, "payment_withdraw", payment.pk), follow=True)
    assert "Undone" not in again.text  # a second tap


def test_who_has_paid_at_the_door_is_listed_by_name_with_the_whole_sum_and_undo(
    organiser: Client, night
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    arrive_all(night, list(night.club.members.all()), by=TEST, at=EIGHT)
    a_pot(night, LONERS)
    final = a_pot(season, {**LONERS, "name": "Final", "amount": "2.50"})
    assert "Paid so far" not in text_of(organiser, night)
    for name in ("Ted", "Ann", "Bill", "Rose"):
        press(organiser, night, name, out="0", amount="3.50")
    assert listed(organiser, night) == ["Ann €3.50", "Bill €3.50", "Rose €3.50", "Ted €3.50"]
    payment = final.payments.get(member=who("Bill"))
    data = {"session": night.public_id}
    answer = organiser.post(at(final, "payment_withdraw", payment.pk), data, follow=True)
    assert "Undone: Bill paid €3.50" in answer.text
    assert listed(organiser, night) == ["Ann €3.50", "Rose €3.50", "Ted €3.50"]
    organiser.force_login(a_user("reader", club=night.club, rank="member"))
    assert "Paid so far" not in text_of(organiser, night)


def listed(client: Client, night) -> list[str]:
    """The names and sums under "Paid so far"."""
    page = client.get(reverse("session_pots", args=[night.club.slug, night.public_id])).text
    items = page.partition('id="paid"')[2].partition("</details>")[0].split("<li>")[1:]
    return [" ".join(re.findall(r"<span(?: class=.number.)?>([^<]+)<", item)) for item in items]


def test_an_undo_in_the_list_leaves_what_the_others_paid_at_the_same_tap(
    organiser: Client, night
) -> None:
    a_pot(night, LONERS)
    address = reverse("session_pot_all_paid", args=[night.club.slug, night.public_id])
    organiser.post(address, {"amount": "4.00"})
    payment = Payment.objects.get(member=who("Ann"))
    organiser.post(at(payment.pot, "payment_withdraw", payment.pk))
    assert [name for name, _pot in valid()] == ["Bill", "Rose", "Ted"]


def test_what_went_to_the_club_is_undone_with_the_sum_in_the_answer(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**HALL, "source": "sum"})
    close(night)
    organiser.post(at(pot, "pot_book"), {"amount": "6.00"})
    payment = pot.payments.get()
    answer = organiser.post(at(pot, "payment_withdraw", payment.pk), follow=True)
    assert "Undone: Booked €6.00 to the club." in answer.text


def test_once_prizes_are_paid_nobody_is_let_off_or_left_out_and_the_page_says_what_to_do(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    ranked(night, "Ann", "Bill")
    for name in ("Ann", "Bill", "Rose"):
        paid(pot, name, "2")
    paid(pot, "Ann", "5.60", kind="prize")
    refused = let_off(organiser, night, "Ted", "2.00")
    assert refused.status_code == 409
    says = "“Prizes” has paid out: letting Ted off now would make winners give money back."
    club = "Put €2.00 of the club's money in the box and mark Ted as paid instead."
    assert f"{says} {club}" in squeezed(refused.text).replace("&#x27;", "'")
    data = {"member": who("Ted").public_id, "kind": "waived", "amount": "2", "seen": "4"}
    assert organiser.post(at(pot, "pot_payment"), data).status_code == 409
    refused = leave_out(organiser, pot, "Ted")
    assert refused.status_code == 409
    says = "“Prizes” has paid out: to leave players out would change its prizes. Undo them first."
    assert says in squeezed(refused.text)
    assert not Payment.objects.filter(kind__in=("waived", "out")).exists()
    entrance = a_pot(night, HALL)
    record_payment(
        entrance, who("Ted"), kind="waived", amount=Decimal(6), by=TEST, at=EIGHT
    )  # another pot


@pytest.mark.parametrize("rule", [LONERS, PRIZES, HALL])
def test_a_cancelled_session_put_back_on_as_planned_counts_who_has_paid_in_advance(
    organiser: Client, night, rule
) -> None:
    coming = a_session(night.club, name="Next", held_on="2031-03-06")
    ann = who("Ann")
    arrive_all(coming, [ann], by=TEST, at=EIGHT, even_if_elsewhere=True)
    paid(a_pot(coming, rule), "Ann", rule["amount"])
    cancel_session(coming, by=TEST, at=EIGHT)
    assert "Ann gets back" in text_of(organiser, coming)
    coming = open_session(coming, by=TEST, at=EIGHT)
    assert coming.state == "planned"
    page = text_of(organiser, coming)
    assert "gets back" not in page
    assert "no place in the standings" not in page
    assert not stake_debts(night.club).get(ann.pk)
    open_session(coming, by=TEST, at=EIGHT)
    assert "Settle up" not in text_of(organiser, coming)


def test_the_button_that_lets_off_the_rest_and_the_choice_of_who_wins_say_what_they_do(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**LONERS, "amount": "3"})
    paid(pot, "Ann", "1")
    page = text_of(organiser, night)
    assert "Let off the rest: €2.00 Ann" in page
    assert "For the top places, add another pot" in page
