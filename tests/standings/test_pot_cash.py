"""The cash in the box of each pot, and why some of a pot stays in it, as the page shows them."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.languages import clock
from league.members.models import Club
from league.play.actions import call_time, correct_hand, record_hand
from league.seasons.models import Season
from league.seating.models import Table
from league.sessions.actions import cancel_session, close_session, open_session
from league.sessions.models import Session
from league.standings.actions import record_payment, save_places
from league.standings.models import GivenPlace, Pot
from league.standings.pot_queries import pot_sheets
from tests.builders import EIGHT, TEST, a_game_table, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import made, write
from tests.standings.test_pots import FINE, HANDS, LONERS, a_pot, at, text_of, who
from tests.tournaments.playing import of_pairs, play_round, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Session:
    table = a_game_table()
    Club.objects.update(keeps_pots=True, currency="€")
    write(table, *HANDS)
    return Session.objects.get()


@pytest.fixture
def organiser(night, client):
    client.force_login(a_user("olive", club=night.club))
    return client


def test_what_the_club_puts_in_is_in_the_box_until_it_is_paid_out(organiser, night) -> None:
    rule = {**LONERS, "amount": "10", "source": "sum", "payout": "places", "shares": ["100"]}
    pot = a_pot(night, rule)
    assert "Cash in the box for this pot: €10.00 from the club." in text_of(organiser, night)
    for name in ("Rose", "Ann"):
        record_payment(pot, who(name), kind="prize", amount=Decimal("1.42"), by=TEST, at=EIGHT)
    cash = "Cash in the box for this pot: €10.00 from the club − €2.84 paid out = €7.16."
    assert cash in text_of(organiser, night)
    a_pot(night, {**LONERS, "amount": "1"})
    assert text_of(organiser, night).count("Cash in the box for this pot: €0.00.") == 1


def test_the_cash_in_each_box_is_the_sum_that_the_page_shows(organiser, night) -> None:
    club_sum = {**LONERS, "amount": "10", "source": "sum", "payout": "places", "shares": ["100"]}
    for rule in (club_sum, LONERS, FINE):
        pot = a_pot(night, rule)
        record_payment(pot, who("Ted"), kind="stake", amount=Decimal("3.25"), by=TEST, at=EIGHT)
        record_payment(
            pot, who("Rose"), kind="prize", amount=Decimal("0.05"), anyway=True, by=TEST, at=EIGHT
        )
    sums = re.findall(
        r"Cash in the box for this pot: ([^=]*) = ([^ ]*)\. ", text_of(organiser, night)
    )
    assert len(sums) == 3
    for parts, cash in sums:
        signed = re.findall(r"(−?) ?€([\d.]+)", parts)
        assert sum(Decimal(f"{sign and '-'}{figure}") for sign, figure in signed) == Decimal(
            cash.lstrip("€")
        )


def test_cents_that_cannot_be_shared_stay_and_of_a_pot_not_won_one_sentence_says_so(
    organiser, night
) -> None:
    a_pot(night, {**LONERS, "source": "sum", "amount": "10"})
    assert "Not won yet." in text_of(organiser, night)
    assert "€10.00 stays" not in text_of(organiser, night)
    Pot.objects.all().delete()
    places = {"payout": "places", "shares": ["100"]}
    a_pot(night, {**LONERS, "source": "sum", "amount": "0.10", **places})
    assert "€0.02 stays with the club: it can't be shared evenly." in text_of(organiser, night)


def test_of_a_pot_that_nobody_has_won_when_the_session_is_closed_the_club_decides(
    organiser, night
) -> None:
    a_pot(night, {**LONERS, "source": "sum", "amount": "10"})
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    says = "Nobody has won it. The club decides what to do with the money."
    assert says in text_of(organiser, night)


def test_the_share_of_a_place_that_nobody_takes_stays_because_nobody_has_won_it(client) -> None:
    cup = of_pairs(2, "knockout")
    published(cup)
    play_round(cup)
    Club.objects.update(keeps_pots=True, currency="€")
    prize = {"source": "sum", "amount": "10", "payout": "places", "shares": ["50", "30", "20"]}
    a_pot(cup.session, {**LONERS, **prize})
    client.force_login(a_user(club=cup.club))
    assert "€2.00 stays with the club: nobody has won it." in text_of(client, cup.session)


def test_shares_that_leave_a_rest_say_so_and_change_until_a_prize_is_paid_out(
    organiser, night
) -> None:
    rule = {**LONERS, "payout": "places", "shares": ["50", "30"]}
    pot = a_pot(night, rule)
    address = reverse("session_pots", args=[night.club.slug, night.public_id])
    change, percent = at(pot, "pot_shares"), {"payout": "places"}
    page = squeezed(organiser.get(address).content.decode())
    assert "The shares come to 80%. The other 20% stays with the club" in page
    refused = organiser.post(change, percent | {"shares": "60 50"})
    assert refused.status_code == 422
    assert 'value="60 50"' in refused.text
    assert "more than 100 percent" in refused.text
    organiser.post(change, percent | {"shares": "50 30 20"})
    pot.refresh_from_db()
    assert pot.shares == ["50", "30", "20"]
    assert "The shares come to" not in organiser.get(address).content.decode()
    for kind, amount in (("stake", 3), ("refund", 2)):  # a fee paid too high, the rest paid back
        paid = {"kind": kind, "amount": Decimal(amount)}
        record_payment(pot, who("Rose"), **paid, by=TEST, at=EIGHT)
    assert organiser.post(change, percent | {"shares": "90"}).status_code == 302
    assert "Change the shares" in text_of(organiser, night)
    record_payment(pot, who("Ann"), kind="prize", amount=Decimal(1), anyway=True, by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert "Change the shares" not in page
    why = "This pot has paid out. To change the amount or the shares, undo these payments first"
    assert why in page
    assert organiser.post(change, percent | {"shares": "100"}).status_code == 409


def everyone_pays(client: Client, night: Session, amount: str) -> None:
    address = reverse("session_pot_all_paid", args=[night.club.slug, night.public_id])
    assert client.post(address, {"amount": amount}).status_code == 302


def press(client: Client, night: Session, name: str, **data: str) -> Any:
    """Settle up with a player."""
    address = reverse("session_pot_settle", args=[night.club.slug, night.public_id])
    return client.post(address, {"member": who(name).public_id, **data})


def settle(client: Client, night: Session, name: str, **data: str) -> None:
    assert press(client, night, name, **data).status_code == 302


def test_what_was_paid_above_a_corrected_debt_is_paid_back_under_settle_up(
    organiser, night
) -> None:
    pot = a_pot(night, FINE)
    record_payment(pot, who("Ann"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert "Ann gets back €0.75 Euchre fines (due €0.25, paid €1.00) Pay back €0.75" in page
    settle(organiser, night, "Ann", out="1", amount="0.75")
    assert "gets back" not in text_of(organiser, night)


def bill_wins(night: Session, scope: Session | Season | None = None) -> Pot:
    """A loner pot of €4.00, won by Bill."""
    pot, table = a_pot(scope or night, LONERS), night.tables.get()
    write(table, (1, 3))
    alone = made(3, 5, dealer=3, alone=True)
    record_hand(table, alone, client_id="alone", by=TEST, at=EIGHT)
    return pot


def move_the_loner(night: Session, to: int = 1) -> None:
    """Ann, not Bill, played it; or the player of the seat `to`, in a second correction."""
    hand, table = made(to, 5, dealer=3, alone=True), night.tables.get()
    version = 1 if to == 1 else 2
    how = {"reason": "a slip", "expected_version": version, "as_organiser": True}
    correct_hand(table, 8, hand, **how, client_id=f"again-{version}", by=TEST, at=EIGHT)


def test_a_prize_above_the_cash_in_the_box_is_paid_only_when_that_is_confirmed(
    organiser, night
) -> None:
    """An organiser may pay it from the bar's till before everyone has paid."""
    pot = bill_wins(night)
    settle(organiser, night, "Bill", out="0", amount="1.00")
    refused = press(organiser, night, "Bill", out="1", amount="4.00")
    assert refused.status_code == 409
    settle_up = squeezed(refused.text).partition('<h2 id="settle">')[2]
    assert (
        "<li>Only €1.00 is in the box for Thursday night: Ann, Rose and Ted still owe €3.00.</li>"
        in settle_up
    )
    assert "Pay out €4.00 anyway" in settle_up
    assert not pot.payments.filter(kind="prize").exists()

    settle(organiser, night, "Bill", out="1", amount="4.00", anyway="on")
    sums = "€1.00 paid in + €3.00 from other money − €4.00 paid out = €0.00."
    assert f"Cash in the box for this pot: {sums}" in text_of(organiser, night)
    everyone_pays(organiser, night, "3.00")
    assert "Cash in the box for this pot: €4.00 paid in − €4.00 paid out = €0.00." in text_of(
        organiser, night
    )


def test_a_payment_above_the_cash_in_the_box_comes_back_as_it_was_typed(organiser, night) -> None:
    pot, bill = bill_wins(night), who("Bill").public_id
    data = {"member": bill, "kind": "prize", "amount": "3.50", "seen": "0"}
    address = reverse("pot_payment", args=[night.club.slug, pot.public_id])
    refused = organiser.post(address, data)
    assert refused.status_code == 409
    form = squeezed(refused.text).partition("Another payment")[2]
    assert (
        "<li>Only €0.00 is in the box for Thursday night: 4 players still owe €4.00.</li>" in form
    )
    assert f'<option value="{bill}" selected>' in form
    assert '<option value="prize" selected>' in form
    assert 'name="amount" min="0.01" step="0.01" value="3.50"' in form
    assert not pot.payments.exists()
    assert organiser.post(address, data | {"anyway": "on"}).status_code == 302
    assert pot.payments.get().kind == "prize"


def test_a_payment_is_listed_as_what_it_was_with_its_time(organiser, night) -> None:
    pot = bill_wins(night)
    everyone_pays(organiser, night, "4.00")
    settle(organiser, night, "Bill", out="1", amount="4.00")
    record_payment(pot, who("Ted"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    settle(organiser, night, "Ted", out="1", amount="1.00")
    move_the_loner(night)
    settle(organiser, night, "Bill", out="0", amount="4.00")
    pot.payments.update(entered_at=EIGHT)
    page = text_of(organiser, night)
    assert "4 × €1.00 = €4.00" in page
    assert "€5.00 paid in + €4.00 given back − €4.00 paid out − €1.00 paid back = €4.00." in page
    with timezone.override(night.club.time_zone):
        at_eight = f"19 November 2026, {clock(EIGHT)}"
    for kind in ("paid the stake", "was paid a prize", "gave a prize back"):
        assert f"Bill {kind} · {at_eight}" in page
    assert f"Ted got the stake back · {at_eight}" in page


def test_beside_what_a_player_gets_stands_what_they_have_won_and_received(organiser, night) -> None:
    pot = bill_wins(night)
    everyone_pays(organiser, night, "4.00")
    record_payment(pot, who("Bill"), kind="prize", amount=Decimal("1.50"), by=TEST, at=EIGHT)
    says = "Bill gets €2.50 Loner pot (won €4.00, received €1.50) Pay out €2.50"
    assert says in text_of(organiser, night)


def test_winners_of_equal_shares_are_listed_by_place(organiser, night) -> None:
    a_pot(night, {**LONERS, "payout": "places", "shares": ["25", "25", "25", "25"]})
    ranks = {"Ann": 4, "Bill": 3, "Rose": 1, "Ted": 2}
    save_places(night, {who(name).pk: GivenPlace(rank) for name, rank in ranks.items()})
    found = pot_sheets(night, at=EIGHT).sheets[0]
    assert [row.member.name for (row,) in found.winners] == ["Rose", "Ted", "Bill", "Ann"]


def test_only_a_pot_counted_from_hands_says_that_final_scores_have_none(organiser, night) -> None:
    says = "Counted from the recorded hands. A game with only a final score has none."
    a_pot(night, {**LONERS, "payout": "places", "shares": ["100"]})
    assert "hands" not in text_of(organiser, night).partition("Another pot")[0]
    for number, rule in enumerate((LONERS, FINE), 1):
        a_pot(night, rule)
        assert text_of(organiser, night).count(says) == number


def test_the_clubs_sum_is_no_cash_before_the_session_is_open_nor_once_it_is_cancelled(
    organiser, night
) -> None:
    planned = a_session(night.club, name="Next", state="planned")
    for _number in range(2):
        a_pot(planned, {**LONERS, "amount": "10", "source": "sum"})
    page = text_of(organiser, planned)
    assert page.count("The club puts in a fixed sum: €10.00.") == 2
    assert "in the box" not in page
    open_session(planned, by=TEST, at=EIGHT)
    assert (
        text_of(organiser, planned).count("Cash in the box for this pot: €10.00 from the club.")
        == 2
    )
    cancel_session(planned, by=TEST, at=EIGHT)
    page = text_of(organiser, planned)
    assert "The club puts in a fixed sum: €10.00." not in page
    assert "in the box" not in page


def test_a_pot_paid_from_the_others_is_below_zero_so_that_the_lines_add_up(
    organiser, night
) -> None:
    for name in ("Fees", "Prize"):
        pot = a_pot(night, {**LONERS, "name": name})
    everyone_pays(organiser, night, "8.00")
    record_payment(pot, who("Ted"), kind="prize", amount=Decimal(5), anyway=True, by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert "Cash in the box for this pot: €4.00 paid in." in page
    assert "€4.00 paid in − €5.00 paid out = −€1.00, taken from the other pots." in page
    assert "Left in the box €3.00" in page
    assert "other money" not in page


def test_settling_returns_to_the_list_with_what_was_paid_its_undo_and_the_next_player(
    organiser, night
) -> None:
    a_pot(night, LONERS)
    answer = press(organiser, night, "Bill", out="0", amount="1.00")
    address, _hash, anchor = answer.url.partition("#")
    assert anchor == "settle"
    page = squeezed(organiser.get(address).text).partition('<h2 id="settle">')[2]
    (focus,) = re.findall(r'data-focus value="1.00">Mark €1.00 as paid<span[^>]*>(\w+)<', page)
    assert focus == "Rose"
    before = page.partition("<strong>Rose</strong>")[0]
    assert "Bill paid €1.00." in before
    undo = re.findall(r'action="([^"]*/undo)"', before)
    assert organiser.post(undo[0]).url.endswith(f"/pots/?undone={who('Bill').public_id}#settle")
    assert not pot_sheets(night, at=EIGHT).sheets[0].payments


def test_prizes_may_change_while_a_table_has_not_begun(organiser, night) -> None:
    a_pot(night, {**LONERS, "payout": "places", "shares": ["100"]})
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    says = "Some games aren't final: amounts may change."
    assert says not in text_of(organiser, night)
    begun = night.tables.get()
    same = {"round": begun.round, "ruleset": begun.ruleset, "is_live": True}
    Table.objects.create(session=night, number=2, players=4, **same)
    assert says in text_of(organiser, night)
