"""A player who is not in a pot, one who came and sat out, and what can be let off."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.exchange.archive_restoring import restore
from league.exchange.archive_writing import archive_of
from league.members.models import AuditEntry
from league.sessions.attendance import arrive_all, leave
from league.standings.actions import save_places
from league.standings.models import GivenPlace, Payment
from tests.builders import EIGHT, TEST, a_user
from tests.exchange.test_archive import emptied
from tests.pages import squeezed
from tests.standings.test_pot_settling import close, night, organiser, the_undo
from tests.standings.test_pots import LONERS, a_pot, at, owes, sheet, text_of, who
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

PRIZES = {**LONERS, "name": "Prizes", "amount": "2", "payout": "places", "shares": ["70", "30"]}
ENTRANCE = {**LONERS, "name": "Entrance", "payout": "kept"}


def ranked(scope, *names: str) -> None:
    save_places(scope, {who(name).pk: GivenPlace(place) for place, name in enumerate(names, 1)})


def leave_out(client: Client, pot, name: str, **data: str):
    return client.post(at(pot, "pot_leave_out"), {"member": who(name).public_id, **data})


def won(scope) -> dict[str, int]:
    return {row.member.name: row.line.won for row in sheet(scope).rows if row.line.won}


def test_a_player_who_is_not_in_the_pot_owes_and_wins_nothing_and_the_next_player_wins(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    ranked(night, "Ted", "Ann", "Bill", "Rose")
    assert won(night) == {"Ted": 560, "Ann": 240}
    answer = leave_out(organiser, pot, "Ted")
    page = organiser.get(answer.url.partition("#")[0]).text
    assert "Ted is not in “Prizes”." in page
    # 3 × €2.00: 70 percent are €4.20, 30 percent €1.80.
    assert won(night) == {"Ann": 420, "Bill": 180}
    assert owes(night) == {"Ann": 200, "Bill": 200, "Rose": 200}
    page_text = text_of(organiser, night)
    assert "3 × €2.00 = €6.00" in page_text
    assert "Ann 1st place €4.20" in page_text
    assert "1 player is not in this pot. (Ted) The places are those of the others." in page_text
    assert "Ted is not in this pot · 2026" not in page_text
    assert leave_out(organiser, pot, "Ted").status_code == 409  # a second tap
    (entry,) = AuditEntry.objects.filter(action="leave out")
    assert entry.new["pot"] == "Prizes"
    log = organiser.get(reverse("audit", args=[night.club.slug])).text
    assert "Left out of a pot" in log
    assert "€0.00" not in log
    organiser.post(the_undo(page))
    assert won(night) == {"Ted": 560, "Ann": 240}


def test_only_these_are_in_it_leaves_everyone_else_out_at_one_tap_and_undoes_it_at_one(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    ranked(night, "Ted", "Ann", "Bill", "Rose")
    both = [who(name).public_id for name in ("Ann", "Bill")]
    answer = organiser.post(at(pot, "pot_leave_out"), {"member": both, "only": "on"}, follow=True)
    assert "2 players are not in “Prizes”." in squeezed(answer.text)
    assert owes(night) == {"Ann": 200, "Bill": 200}
    assert won(night) == {"Ann": 280, "Bill": 120}
    organiser.post(the_undo(answer.text))
    assert len(owes(night)) == 4
    organiser.post(at(pot, "pot_leave_out"), {"member": both})
    assert set(owes(night)) == {"Rose", "Ted"}
    assert organiser.post(at(pot, "pot_leave_out"), {"member": both}).status_code == 409
    everyone = {"member": [who(name).public_id for name in ("Rose", "Ted")], "only": "on"}
    assert organiser.post(at(pot, "pot_leave_out"), everyone).status_code == 409


def test_what_each_player_brings_is_without_a_pot_that_only_some_are_in(
    organiser: Client, night
) -> None:
    a_pot(night, {**LONERS, "name": "Entry"})
    side = a_pot(night, {**LONERS, "name": "Side", "amount": "3"})
    assert "Each player brings €4.00." in text_of(organiser, night)
    leave_out(organiser, side, "Ted")
    says = "Each player brings €1.00. Who is in “Side” brings €3.00 for it."
    assert says in text_of(organiser, night)


def test_without_a_tick_nobody_is_left_out_and_the_list_says_so(organiser: Client, night) -> None:
    pot = a_pot(night, PRIZES)
    answer = organiser.post(at(pot, "pot_leave_out"), {"only": "on"})
    assert answer.status_code == 422
    assert "Tick the players first." in answer.text
    assert len(owes(night)) == 4


def test_once_a_prize_is_paid_nobody_is_offered_to_be_let_off_or_left_out(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    paid(pot, "Ted", "0.50")
    part = reverse("session_pots", args=[night.club.slug, night.public_id])
    part += f"?part={who('Ted').public_id}"
    offers = ("Let off the rest", "Let off all", "Leave out of", "Only these", ">was let off<")
    page = organiser.get(part).text
    for offer in offers:
        assert offer in page, offer
    paid(pot, "Ann", "1", kind="prize")
    page = squeezed(organiser.get(part).text)
    for offer in offers:
        assert offer not in page, offer
    assert "Prizes are paid, so nobody can be let off any more." in page
    answer = leave_out(organiser, pot, "Ted")
    assert answer.status_code == 409
    assert "to leave players out would change its prizes" in squeezed(answer.text)


def test_a_pot_that_only_left_players_out_is_deleted_without_undoing_that(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    paid(pot, "Ted", "0", kind="out")
    paid(pot, "Rose", "1", kind="waived")
    assert "To delete the pot, undo its payments first." not in text_of(organiser, night)
    paid(pot, "Ann", "1")
    assert "To delete the pot, undo its payments first." in text_of(organiser, night)
    assert organiser.post(at(pot, "pot_drop")).status_code == 409
    pot.payments.filter(kind="stake").delete()
    assert organiser.post(at(pot, "pot_drop")).status_code == 302
    assert not night.pots.exists()


def test_a_player_who_has_paid_and_won_gets_the_stake_back_and_gives_the_prize_back(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    ranked(night, "Ted", "Ann", "Bill", "Rose")
    for name in ("Ted", "Ann", "Bill", "Rose"):
        paid(pot, name, "2")
    leave_out(organiser, pot, "Ted")
    assert "Ted gets back €2.00 Prizes (due €0.00, paid €2.00)" in text_of(organiser, night)
    paid(pot, "Ted", "2", kind="refund")
    page = text_of(organiser, night)
    assert "€8.00 paid in − €2.00 paid back = €6.00" in page
    assert "Let off the rest" not in page
    paid(pot, "Ted", "4.20", kind="prize")
    assert "Ted gives back €4.20 Prizes" in text_of(organiser, night)


def test_a_player_is_left_out_beside_let_off_which_says_that_it_is_something_else(
    organiser: Client, night
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    final = a_pot(season, {**LONERS, "name": "Final"})
    address = reverse("session_pots", args=[night.club.slug, night.public_id])
    arrive_all(night, [who("Ted")], by=TEST, at=EIGHT)
    page = squeezed(organiser.get(f"{address}?part={who('Ted').public_id}").text)
    assert "Let off: the player need not pay, and can still win." in page
    assert "Leave out of “Final”" in page
    answer = leave_out(organiser, final, "Ted", session=night.public_id)
    assert answer.url.startswith(address)
    assert set(owes(season)) == {"Ann", "Bill", "Rose"}


def test_a_member_reads_that_they_are_not_in_the_pot_and_no_other_name(
    client: Client, night
) -> None:
    pot, ted = a_pot(night, {**PRIZES, "payout": "most_euchres", "shares": []}), who("Ted")
    for name in ("Ted", "Rose"):
        paid(pot, name, "0", kind="out")
    ted.user = a_user("ted", club=night.club, rank="member")
    ted.save()
    client.force_login(ted.user)
    page = text_of(client, night)
    assert "2 players are not in this pot." in page
    assert "You are not in this pot." in page
    assert "You owe" not in page
    assert "Rose" not in page


@pytest.mark.django_db(transaction=True)
def test_who_is_not_in_a_pot_and_its_rounding_come_back_with_a_full_backup(night) -> None:
    pot = a_pot(night, LONERS | {"rounded_to": 50})
    paid(pot, "Ted", "0", kind="out")
    data = archive_of(night.club, at=EIGHT)
    emptied()
    club = restore(data, by=TEST)
    assert Payment.objects.get(pot__club=club).kind == "out"
    assert club.pots.get().rounded_to == 50
    assert "Ted" not in owes(club.sessions.get())


def test_the_entrance_is_due_from_all_who_came_and_a_stake_only_from_those_who_played(
    organiser: Client, night
) -> None:
    """Also once the session is closed, but not from those who left without a game."""
    entrance, prizes = a_pot(night, ENTRANCE), a_pot(night, PRIZES)
    extra = [night.club.members.create(name=name, name_key=name.lower()) for name in ("Sue", "Lou")]
    arrive_all(night, extra, by=TEST, at=EIGHT)
    leave(night, extra[1], by=TEST, at=EIGHT)
    for pot, euros in ((entrance, "1"), (prizes, "2")):
        paid(pot, "Sue", euros)
    close(night)
    page = text_of(organiser, night)
    assert "5 × €1.00 = €5.00" in page
    assert "4 × €2.00 = €8.00" in page
    assert "Sue gets back €2.00 Prizes (due €0.00, paid €2.00) Pay back €2.00" in page
    assert "Everyone who comes pays, also without a game." in page
    assert "Players who get no game get their stake back." in page


def test_closing_does_not_say_that_the_entrance_goes_back(organiser: Client, night) -> None:
    a_pot(night, ENTRANCE)
    sue = night.club.members.create(name="Sue", name_key="sue")
    arrive_all(night, [sue], by=TEST, at=EIGHT)
    page = organiser.get(reverse("disputes", args=[night.club.slug, night.public_id])).text
    assert "has not played" not in page


@pytest.mark.parametrize(
    ("amount", "says"),
    [
        ("3", "Only a stake can be let off, and Bill owes only €1.50."),
        ("1.60", "Only a stake can be let off, and Bill owes only €1.50."),
    ],
)
def test_no_more_than_the_stake_can_be_let_off_and_a_prize_has_to_be_given_back(
    organiser: Client, night, amount, says
) -> None:
    pot = a_pot(night, PRIZES)
    paid(pot, "Bill", "0.50")
    data = {"member": who("Bill").public_id, "kind": "waived", "amount": amount, "seen": "1"}
    answer = organiser.post(at(pot, "pot_payment"), data | {"anyway": "on"})
    assert answer.status_code == 409
    assert says in squeezed(answer.text)
    paid(pot, "Bill", "1.50")
    paid(pot, "Bill", "7", kind="prize")
    answer = organiser.post(at(pot, "pot_payment"), data | {"seen": "3", "anyway": "on"})
    says = "Only a stake can be let off, and Bill owes none here. A prize is given back."
    assert says in squeezed(answer.text)
    assert not Payment.objects.filter(kind="waived", amount=Decimal(amount)).exists()


def test_a_pot_of_a_season_says_that_the_open_session_counts_already(
    organiser: Client, night
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    a_pot(season, LONERS)
    says = "An open session counts already for the players checked in to it."
    assert says not in text_of(organiser, season)
    sue = night.club.members.create(name="Sue", name_key="sue")
    arrive_all(night, [sue], by=TEST, at=EIGHT)
    assert says in text_of(organiser, season)
