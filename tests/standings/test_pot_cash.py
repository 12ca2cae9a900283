"""The cash in the box of each pot, and why some of a pot stays in it, as the page shows them."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Club
from league.play.actions import correct_hand, record_hand
from league.sessions.models import Session
from league.standings.actions import record_payment
from league.standings.models import Pot
from tests.builders import EIGHT, TEST, a_game_table, a_user
from tests.play.hands import made, write
from tests.standings.test_pots import FINE, HANDS, LONERS, a_pot, text_of, who
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
    assert "Cash in the box: €10.00 from the club." in text_of(organiser, night)
    for name in ("Rose", "Ann"):
        record_payment(pot, who(name), out=True, amount=Decimal("1.42"), by=TEST, at=EIGHT)
    cash = "Cash in the box: €10.00 from the club + €0.00 paid in − €2.84 paid out = €7.16."
    assert cash in text_of(organiser, night)
    a_pot(night, {**LONERS, "amount": "1"})
    assert text_of(organiser, night).count("Cash in the box: €0.00.") == 1


def test_the_cash_in_each_box_is_the_sum_that_the_page_shows(organiser, night) -> None:
    club_sum = {**LONERS, "amount": "10", "source": "sum", "payout": "places", "shares": ["100"]}
    for rule in (club_sum, LONERS, FINE):
        pot = a_pot(night, rule)
        record_payment(pot, who("Ted"), out=False, amount=Decimal("3.25"), by=TEST, at=EIGHT)
        record_payment(pot, who("Rose"), out=True, amount=Decimal("0.05"), by=TEST, at=EIGHT)
    sums = re.findall(r"Cash in the box: ([^=]*) = ([^ ]*)\. ", text_of(organiser, night))
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
    assert "€0.02 stays in the pot: it can't be shared evenly." in text_of(organiser, night)


def test_the_share_of_a_place_that_nobody_takes_stays_because_nobody_has_won_it(client) -> None:
    cup = of_pairs(2, "knockout")
    published(cup)
    play_round(cup)
    Club.objects.update(keeps_pots=True, currency="€")
    prize = {"source": "sum", "amount": "10", "payout": "places", "shares": ["50", "30", "20"]}
    a_pot(cup.session, {**LONERS, **prize})
    client.force_login(a_user(club=cup.club))
    assert "€2.00 stays in the pot: nobody has won it." in text_of(client, cup.session)


def settle(client: Client, night: Session, name: str, *, out: str, amount: str) -> None:
    press = reverse("session_pot_settle", args=[night.club.slug, night.public_id])
    data = {"member": who(name).public_id, "out": out, "amount": amount}
    assert client.post(press, data).status_code == 302


def test_who_must_give_back_a_prize_that_a_correction_moved_stands_under_settle_up(
    organiser, night
) -> None:
    table = night.tables.get()
    a_pot(night, LONERS)
    a_pot(night, {**LONERS, "name": "Club prize", "amount": "8", "source": "sum"})
    write(table, (1, 3))
    alone = made(3, 5, dealer=3, alone=True)
    record_hand(table, alone, client_id="alone", by=TEST, at=EIGHT)
    everyone = reverse("session_pot_all_paid", args=[night.club.slug, night.public_id])
    organiser.post(everyone, {"amount": "4.00"})
    settle(organiser, night, "Bill", out="1", amount="12.00")
    assert "Settle up" not in text_of(organiser, night)
    correct_hand(
        table, 8, made(1, 5, dealer=3, alone=True), reason="a slip", expected_version=1,
        client_id="again", by=TEST, at=EIGHT, as_organiser=True,
    )  # fmt: skip

    settle_up = text_of(organiser, night).partition("Settle up")[2]
    assert "Bill gives back €4.00 Loner pot + €8.00 Club prize" in settle_up
    assert "Mark €12.00 as given back" in settle_up
    assert "Ann gets €4.00 Loner pot + €8.00 Club prize" in settle_up
    settle(organiser, night, "Ann", out="1", amount="12.00")
    page = text_of(organiser, night)
    assert "16.00 paid out = −€8.00. Below zero until Bill gives back €8.00." in page
    assert "Cash in the box for all pots: −€12.00." in page
    settle(organiser, night, "Bill", out="0", amount="12.00")
    page = text_of(organiser, night)
    assert "Settle up" not in page
    assert "Below zero" not in page
    assert page.count("All settled") == 2
    assert "Cash in the box for all pots: €0.00." in page


def test_what_was_paid_above_a_corrected_debt_is_paid_back_under_settle_up(
    organiser, night
) -> None:
    pot = a_pot(night, FINE)
    record_payment(pot, who("Ann"), out=False, amount=Decimal(1), by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert "Ann gets back €0.75 Euchre fines Pay back €0.75" in page
    assert "Cash in the box for all pots" not in page
    settle(organiser, night, "Ann", out="1", amount="0.75")
    assert "gets back" not in text_of(organiser, night)


def test_a_member_reads_what_they_have_to_give_back(client, night) -> None:
    pot, ann = a_pot(night, LONERS), who("Ann")
    ann.user = a_user("ann", club=night.club, rank="member")
    ann.save()
    record_payment(pot, ann, out=True, amount=Decimal("2.50"), by=TEST, at=EIGHT)
    client.force_login(ann.user)
    says = "You received €2.50, but a correction since changed what you won: give back €2.50."
    assert says in text_of(client, night)
    record_payment(pot, ann, out=False, amount=Decimal("3.50"), by=TEST, at=EIGHT)
    assert "give back" not in text_of(client, night)
