"""The cash in the box of each pot, and why some of a pot stays in it, as the page shows them."""

import re
from decimal import Decimal

import pytest

from league.members.models import Club
from league.sessions.models import Session
from league.standings.actions import record_payment
from league.standings.models import Pot
from tests.builders import EIGHT, TEST, a_game_table, a_user
from tests.play.hands import write
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
