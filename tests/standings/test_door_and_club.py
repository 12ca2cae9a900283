"""Money at the door: taken so far, part payments; and what is left of a pot, booked to the club."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import AuditEntry
from league.sessions.attendance import arrive_all
from league.sessions.models import Session
from league.standings.actions import record_payment, save_places
from league.standings.models import GivenPlace, Payment, Pot
from tests.builders import EIGHT, TEST, a_session
from tests.pages import squeezed
from tests.standings.test_pot_settling import (
    close,
    everyone_pays,
    night,
    organiser,
    press,
    the_undo,
)
from tests.standings.test_pots import LONERS, a_pot, at, text_of, who

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

PRIZES = {**LONERS, "name": "Prizes", "payout": "places", "shares": ["60", "30"]}


def closed_with_prizes(organiser: Client, night: Session) -> Pot:
    """A settled pot of €4.00: Ann has won €2.40, Bill €1.20; €0.40 is left."""
    pot = a_pot(night, PRIZES)
    save_places(night, {who(name).pk: GivenPlace(n) for n, name in enumerate(("Ann", "Bill"), 1)})
    everyone_pays(organiser, night, "4.00")
    close(night)
    return pot


def test_what_is_left_of_a_pot_is_booked_to_the_club_and_undone(organiser, night) -> None:
    pot = closed_with_prizes(organiser, night)
    assert "Book €0.40 to the club" in text_of(organiser, night)  # the prizes are still in the box
    press(organiser, night, "Ann", out="1", amount="2.40")
    press(organiser, night, "Bill", out="1", amount="1.20")
    says = "= €0.40. This money is the club's. All settled Book €0.40 to the club"
    assert says in text_of(organiser, night)
    assert organiser.post(at(pot, "pot_book"), {"amount": "0.50"}).status_code == 409
    page = organiser.post(at(pot, "pot_book"), {"amount": "0.40"}, follow=True).text
    assert organiser.post(at(pot, "pot_book"), {"amount": "0.40"}).status_code == 409  # again
    assert "Booked €0.40 to the club." in page
    sums = "€4.00 paid in − €3.60 paid out − €0.40 to the club = €0.00. All settled"
    assert sums in text_of(organiser, night)
    assert re.search(r"Booked to the club \d+ \w+ 20\d\d,", text_of(organiser, night))
    organiser.post(the_undo(page))
    assert "Book €0.40 to the club" in text_of(organiser, night)
    (entry,) = AuditEntry.objects.filter(action="book to club")
    assert (entry.new["amount"], entry.new["kind"]) == ("0.40", "club")


def test_an_open_sessions_pot_and_one_that_nobody_has_won_is_not_booked(organiser, night) -> None:
    pot = a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    assert "to the club" not in text_of(organiser, night)
    close(night)
    assert "Book" not in text_of(organiser, night)
    assert organiser.post(at(pot, "pot_book"), {"amount": "4.00"}).status_code == 409
    organiser.post(at(pot, "pot_payout"), {"payout": "kept"})
    assert "Book €4.00 to the club" in text_of(organiser, night)
    organiser.post(at(pot, "pot_book"), {"amount": "4.00"})
    assert organiser.post(at(pot, "pot_payout"), {"payout": "most_loners"}).status_code == 409
    assert "undo these payments first" in text_of(organiser, night)


def test_a_correction_that_leaves_the_club_less_says_so(organiser, night) -> None:
    pot = closed_with_prizes(organiser, night)
    organiser.post(at(pot, "pot_book"), {"amount": "0.40"})
    Pot.objects.update(shares=["60", "40"])
    says = "The club has €0.40 too much: undo what went to the club, then book it again."
    page = text_of(organiser, night)
    assert says in page
    assert "All settled" not in page


def test_a_prize_of_just_the_stake_is_a_prize_and_no_stake_given_back(organiser, night) -> None:
    pot = a_pot(night, {**PRIZES, "shares": ["25", "25", "25", "25"]})
    save_places(night, {who("Ann").pk: GivenPlace(1)})
    everyone_pays(organiser, night, "4.00")
    form = {"member": who("Ann").public_id, "amount": "1.00", "seen": "4"}
    organiser.post(at(pot, "pot_payment"), form | {"kind": "refund"})
    page = text_of(organiser, night)
    assert "Ann still owes €1.00 Prizes (due €1.00, paid €1.00, got back €1.00)" in page
    assert "gets €1.00 Prizes" in page
    organiser.post(at(pot, "payment_withdraw", Payment.objects.get(kind="refund").pk))
    organiser.post(at(pot, "pot_payment"), form | {"kind": "prize", "seen": "5"})
    assert "Ann was paid a prize" in text_of(organiser, night)
    assert "Ann still owes" not in text_of(organiser, night)


def part(client: Client, night: Session, name: str, amount: str, owed: str):
    address = reverse("session_pot_part", args=[night.club.slug, night.public_id])
    data = {"member": who(name).public_id, "amount": amount, "owed": owed}
    return client.post(address, data)


def test_a_part_payment_goes_to_the_pots_in_order_and_says_so(organiser, night) -> None:
    for name in ("First", "Second", "Third"):
        a_pot(night, {**LONERS, "name": name})
    rose = who("Rose").public_id
    page = organiser.get(reverse("session_pots", args=[night.club.slug, night.public_id])).text
    assert f'href="?part={rose}#part"' in page
    address = reverse("session_pots", args=[night.club.slug, night.public_id]) + f"?part={rose}"
    assert "It goes to the pots in this order, until it is used up." in organiser.get(address).text
    answer = part(organiser, night, "Rose", "1.50", "3.00")
    said = "Rose paid €1.50 (€1.00 First + €0.50 Second)."
    assert said in squeezed(organiser.get(answer.url.partition("#")[0]).text)
    assert "Rose still owes €0.50 Second (due €1.00, paid €0.50) + €1.00 Third" in text_of(
        organiser, night
    )
    assert part(organiser, night, "Rose", "1.50", "3.00").status_code == 409  # a second tap
    refused = part(organiser, night, "Rose", "2.00", "1.50")
    assert refused.status_code == 422
    ahead = "Rose owes only €1.50. Take money for a later session there, once it is open."
    assert ahead in refused.text
    assert 'value="2.00"' in refused.text


def test_the_page_at_the_door_says_what_was_taken_and_what_is_still_owed(organiser, night) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    tonight = a_session(night.club, name="Tonight", season=season)
    stakes, final = a_pot(tonight, LONERS), a_pot(season, {**LONERS, "name": "Final"})
    assert "Taken so far" not in text_of(organiser, tonight)  # nobody has come
    four = [who(name) for name in ("Rose", "Ann", "Bill")]
    arrive_all(tonight, four, by=TEST, at=EIGHT, even_if_elsewhere=True)
    says = "Taken so far tonight: {} · still owed: {} ".format
    assert says("€0.00", "€6.00") in text_of(organiser, tonight)
    before = EIGHT.replace(year=EIGHT.year - 1)
    paid = {"kind": "stake", "amount": Decimal(1), "by": TEST}
    record_payment(final, who("Ann"), **paid, at=before)  # at an earlier session
    record_payment(final, who("Rose"), **paid, at=EIGHT)
    record_payment(stakes, who("Rose"), **paid | {"amount": Decimal(3)}, at=EIGHT)
    record_payment(stakes, who("Rose"), **paid | {"kind": "refund"}, at=EIGHT)
    of_season = "€3.00 (including €1.00 for the season)"
    assert says(of_season, "€3.00") in text_of(organiser, tonight)
    close_it = Session.objects.filter(pk=tonight.pk)
    close_it.update(state="closed")
    tonight.refresh_from_db()
    assert "Taken so far" not in text_of(organiser, tonight)
