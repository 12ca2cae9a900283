"""A pot with a wrong amount, a player who is let off, and payments that fit nothing."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.exchange.archive_restoring import restore
from league.exchange.archive_writing import archive_of
from league.members.models import AuditEntry
from league.sessions.attendance import arrive_all
from league.standings.actions import change_pot, record_payment, repeat_with_pots, save_places
from league.standings.models import GivenPlace, Payment, Pot
from league.tournaments.actions import withdraw_entry
from tests.builders import EIGHT, TEST, a_user
from tests.exchange.test_archive import emptied
from tests.pages import squeezed
from tests.standings.test_pot_settling import (
    close,
    night,
    organiser,
    the_undo,
)
from tests.standings.test_pots import LONERS, a_pot, at, owes, text_of, who
from tests.tournaments.playing import of_pairs, published

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

RAFFLE = {**LONERS, "name": "Rafle", "amount": "40", "payout": "places", "shares": ["100"]}


def paid(pot: Pot, name: str, euros: str, kind: str = "stake") -> Payment:
    how = {"kind": kind, "amount": Decimal(euros), "by": TEST, "at": EIGHT}
    return record_payment(pot, who(name), anyway=True, **how)


def address_of(night) -> str:
    return reverse("session_pots", args=[night.club.slug, night.public_id])


def ann_wins(night) -> None:
    save_places(night, {who("Ann").pk: GivenPlace(1)})


def test_a_wrong_amount_and_name_are_changed_and_what_was_paid_too_much_goes_back(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**RAFFLE, "payout": "most_loners"})
    paid(pot, "Ann", "40")
    answer = organiser.post(at(pot, "pot_change"), {"name": "Raffle", "amount": "4"}, follow=True)
    page = squeezed(answer.text)
    assert "Saved. 3 stakes are not paid (€12.00). 1 player gets money back (€36.00)." in page
    assert "4 × €4.00 = €16.00" in page
    page = text_of(organiser, night)
    assert "Ann gets back €36.00 Raffle" in page
    assert "Bill still owes €4.00 Raffle" in page
    (entry,) = AuditEntry.objects.filter(action="change pot")
    assert entry.old == {"name": "Rafle", "amount": "40.00"}
    assert entry.new == {"name": "Raffle", "amount": "4"}


def test_once_a_prize_is_paid_only_the_name_of_a_pot_changes(organiser: Client, night) -> None:
    pot = a_pot(night, RAFFLE)
    ann_wins(night)
    paid(pot, "Ann", "5", kind="prize")
    page = text_of(organiser, night)
    assert "Change the name" in page
    assert "To change the amount or the shares, undo these payments first" in page
    organiser.post(at(pot, "pot_change"), {"name": "Raffle", "amount": "4"})
    pot.refresh_from_db()
    assert (pot.name, pot.amount) == ("Raffle", Decimal(40))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"name": "Raffle", "amount": "4.005"}, "Enter at most two digits after the point: 2.50."),
        ({"name": "Raffle", "amount": "0"}, "Enter an amount above zero."),
        ({"name": "loner pot", "amount": "4"}, "There is another pot of this name here."),
    ],
)
def test_a_change_that_cannot_be_is_refused_at_its_field_and_stays_typed(
    organiser: Client, night, data, says
) -> None:
    pot = a_pot(night, RAFFLE)
    a_pot(night, LONERS)
    answer = organiser.post(at(pot, "pot_change"), data)
    assert answer.status_code == 422
    assert says in answer.text
    assert f'value="{data["name"]}"' in answer.text
    pot.refresh_from_db()
    assert (pot.name, pot.amount) == ("Rafle", Decimal(40))


def test_a_pot_is_deleted_with_its_undone_payments_and_the_log_still_has_them(
    organiser: Client, night
) -> None:
    pot = a_pot(night, RAFFLE)
    payment = paid(pot, "Ann", "40")
    assert "To delete the pot, undo its payments first." in text_of(organiser, night)
    assert organiser.post(at(pot, "pot_drop")).status_code == 409
    organiser.post(at(pot, "payment_withdraw", payment.pk))
    assert "The undone payments go with it." in text_of(organiser, night)
    assert organiser.post(at(pot, "pot_drop")).status_code == 302
    assert not Pot.objects.exists()
    actions = ("pay in", "withdraw payment", "drop pot")
    assert AuditEntry.objects.filter(action__in=actions).count() == len(actions)


def test_a_second_pot_of_one_name_is_refused(organiser: Client, night) -> None:
    a_pot(night, LONERS)
    add = reverse("session_pot_add", args=[night.club.slug, night.public_id])
    answer = organiser.post(add, {**LONERS, "name": "Loner pot"})
    assert "There is another pot of this name here." in answer.text
    assert Pot.objects.count() == 1


def let_off(client: Client, scope, name: str, owed: str):
    address = reverse(
        f"{scope._meta.model_name}_pot_let_off", args=[scope.club.slug, scope.public_id]
    )
    return client.post(address, {"member": who(name).public_id, "owed": owed})


def test_a_player_who_paid_half_is_let_off_the_rest_and_the_prize_is_what_is_in_the_box(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**RAFFLE, "name": "Raffle", "amount": "4"})
    ann_wins(night)
    assert "Let off the rest" not in text_of(organiser, night)
    for name, euros in (("Ann", "4"), ("Bill", "4"), ("Rose", "4"), ("Ted", "2")):
        paid(pot, name, euros)
    assert "Let off the rest: €2.00 Ted" in text_of(organiser, night)
    assert let_off(organiser, night, "Ted", "3.00").status_code == 409
    answer = let_off(organiser, night, "Ted", "2.00")
    page = organiser.get(answer.url.partition("#")[0]).text
    assert "Ted was let off €2.00." in squeezed(page)
    assert let_off(organiser, night, "Ted", "2.00").status_code == 409  # a second tap
    page_text = text_of(organiser, night)
    assert "4 × €4.00 − €2.00 let off = €14.00" in page_text
    assert "Ann gets €14.00 Raffle" in page_text
    assert "Cash in the box for this pot: €14.00 paid in." in page_text
    assert "Ted still owes" not in page_text
    organiser.post(the_undo(page))
    assert "Ted still owes €2.00" in text_of(organiser, night)


def test_a_player_who_got_the_stake_back_and_stays_is_let_off_and_reads_it(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**RAFFLE, "name": "Raffle", "amount": "4"})
    paid(pot, "Ted", "4")
    paid(pot, "Ted", "4", kind="refund")
    assert "Let off the rest: €4.00 Ted" in text_of(organiser, night)
    let_off(organiser, night, "Ted", "4.00")
    assert owes(night) == {"Ann": 400, "Bill": 400, "Rose": 400}
    ted = who("Ted")
    ted.user = a_user("ted", club=night.club, rank="member")
    ted.save()
    organiser.force_login(ted.user)
    page = text_of(organiser, night)
    assert "You were let off €4.00." in page
    assert "You owe" not in page


def test_a_player_who_has_paid_nothing_is_let_off_beside_the_part_payment(
    organiser: Client, night
) -> None:
    season = night.club.seasons.create(name="Spring", starts_on="2026-09-01")
    night.season = season
    night.save()
    a_pot(season, LONERS)
    address = reverse("season_pots", args=[night.club.slug, season.public_id])
    page = organiser.get(f"{address}?part={who('Ted').public_id}")
    assert "Let off all €1.00" in squeezed(page.text)
    let_off(organiser, season, "Ted", "1.00")
    assert "Ted" not in owes(season)


@pytest.mark.django_db(transaction=True)
def test_what_a_player_was_let_off_comes_back_with_a_full_backup(night) -> None:
    paid(a_pot(night, LONERS), "Ted", "0.50", kind="waived")
    data = archive_of(night.club, at=EIGHT)
    emptied()
    club = restore(data, by=TEST)
    assert Payment.objects.get(pot__club=club).kind == "waived"
    assert owes(club.sessions.get())["Ted"] == 50


@pytest.mark.parametrize(
    ("kind", "amount", "says"),
    [
        ("prize", "1", "Bill has no prize due."),
        ("return", "1", "Bill has received no prize of this pot."),
        ("refund", "3", "Bill has paid only €2.00 of this pot."),
    ],
)
def test_a_payment_that_fits_nothing_is_questioned_and_saved_if_it_is_confirmed(
    organiser: Client, night, kind, amount, says
) -> None:
    pot = a_pot(night, {**RAFFLE, "amount": "4"})
    ann_wins(night)
    paid(pot, "Bill", "2")
    data = {"member": who("Bill").public_id, "kind": kind, "amount": amount, "seen": "1"}
    answer = organiser.post(at(pot, "pot_payment"), data)
    assert answer.status_code == 409
    assert says in answer.text
    assert "Save it anyway" in answer.text
    assert organiser.post(at(pot, "pot_payment"), data | {"anyway": "on"}).status_code == 302
    assert Payment.objects.latest("pk").kind == kind


def test_a_payment_says_in_plain_words_what_it_is(organiser: Client, night) -> None:
    a_pot(night, LONERS)
    page = text_of(organiser, night)
    for words in ("paid the stake", "got the stake back", "was paid a prize", "gave a prize back"):
        assert words in page


def test_what_nobody_won_and_went_to_the_club_is_undone_on_the_page_and_members_read_it(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**LONERS, "source": "sum", "amount": "5"})
    close(night)
    organiser.post(at(pot, "pot_book"), {"amount": "5.00"})
    paid(a_pot(night, {**LONERS, "name": "Later"}), "Ann", "1")  # the answer's own Undo is gone
    undo = at(pot, "payment_withdraw", pot.payments.get().pk)
    page = organiser.get(reverse("session_pots", args=[night.club.slug, night.public_id]))
    assert undo in page.text
    assert "under “All shares”" not in page.text
    says = "Nobody has won it. The money went to the club."
    assert says in text_of(organiser, night)
    organiser.post(undo)
    assert "Book €5.00 to the club" in text_of(organiser, night)


def test_a_player_who_withdrew_from_the_tournament_without_a_game_is_out_of_the_pot() -> None:
    cup = of_pairs(4, "swiss")
    published(cup)
    a_pot(cup.session, LONERS)
    players = [member for entry in cup.entries.all() for member in entry.people]
    arrive_all(cup.session, players, by=TEST, at=EIGHT, even_if_elsewhere=True)
    assert len(owes(cup.session)) == len(players)
    entry = cup.entries.first()
    withdraw_entry(entry, by=TEST, at=EIGHT)
    left = {member.name for member in entry.people}
    assert set(owes(cup.session)) == {member.name for member in players} - left


def test_the_new_pots_form_says_what_an_entrance_fee_is(organiser: Client, night) -> None:
    assert "An entrance fee: choose “Nobody: it stays with the club”." in text_of(organiser, night)


@pytest.mark.parametrize("amount", ["1.005"])
def test_a_payment_of_less_than_a_cent_is_refused_in_a_plain_sentence(
    organiser: Client, night, amount
) -> None:
    pot = a_pot(night, LONERS)
    data = {"member": who("Ann").public_id, "kind": "stake", "amount": amount, "seen": "0"}
    answer = organiser.post(at(pot, "pot_payment"), data)
    assert "Enter at most two digits after the point: 2.50." in answer.text


def test_prizes_rounded_down_are_chosen_in_the_clubs_money_and_changed_until_one_is_paid(
    organiser: Client, night
) -> None:
    add = reverse("session_pot_add", args=[night.club.slug, night.public_id])
    data = {**RAFFLE, "amount": "2.90", "shares": "100", "rounded_to": "100"}
    assert '<option value="50">€0.50</option>' in organiser.get(address_of(night)).text
    organiser.post(add, data)
    pot = night.pots.get()
    ann_wins(night)
    page = text_of(organiser, night)
    assert "Prizes are rounded down to €1.00." in page
    assert "Ann 1st place €11.00" in page
    assert "€0.60 stays with the club: prizes are rounded down." in page
    change = {"name": "Raffle", "amount": "2.90", "rounded_to": "50"}
    organiser.post(at(pot, "pot_change"), change)
    assert "Ann 1st place €11.50" in text_of(organiser, night)
    log = squeezed(organiser.get(reverse("audit", args=[night.club.slug])).text)
    assert re.search(r"Round prizes down to\W[^R]{,80}€1.00[^R]{,80}€0.50", log)
    paid(pot, "Ann", "11.50", kind="prize")
    organiser.post(at(pot, "pot_change"), change | {"rounded_to": "1"})
    pot.refresh_from_db()
    assert pot.rounded_to == 50
    with pytest.raises(Refused):
        change_pot(pot, name="Raffle", rounded_to=1, by=TEST, at=EIGHT)
    assert repeat_with_pots(night, by=TEST, at=EIGHT).pots.get().rounded_to == 50
