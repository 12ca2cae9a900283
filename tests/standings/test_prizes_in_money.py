"""Prizes as fixed amounts for the places, percents as they are written, prizes rounded down."""

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import AuditEntry
from league.standings.actions import repeat_with_pots, save_places
from league.standings.models import GivenPlace, Pot
from tests.builders import EIGHT, TEST
from tests.pages import squeezed
from tests.standings.test_pot_settling import close, night, organiser
from tests.standings.test_pots import FINE, LONERS, a_pot, at, text_of, who

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

PRIZES = {"name": "Prizes", "source": "entry", "amount": "10", "payout": "amounts"}
NAMES = ("Ann", "Bill", "Rose", "Ted")


def add(client: Client, night, **rule: str):
    address = reverse("session_pot_add", args=[night.club.slug, night.public_id])
    return client.post(address, PRIZES | rule)


def ranked(night, *places: int) -> None:
    given = zip(NAMES, places, strict=False)
    save_places(night, {who(name).pk: GivenPlace(place) for name, place in given})


def test_twenty_ten_and_five_are_paid_as_amounts_and_the_rest_stays_with_the_club(
    organiser: Client, night
) -> None:
    add(organiser, night, shares="20 10 5")
    ranked(night, 1, 2, 2, 4)
    page = text_of(organiser, night)
    assert "Who wins it: Top places, fixed amounts (€20.00, €10.00, €5.00)." in page
    assert "Ann 1st place €20.00" in page
    shared = "2nd place: the prizes of 2nd and 3rd place are put together and shared"
    assert f"2 tied: Bill, Rose {shared} each €7.50" in page
    assert "The pot holds €5.00 more than these amounts: that stays with the club." in page
    assert "%" not in page.partition("Another pot")[0]
    assert repeat_with_pots(night, by=TEST, at=EIGHT).pots.get().shares == ["20", "10", "5"]


def test_a_pot_that_holds_less_than_the_amounts_says_so_and_is_paid_in_order_until_it_is_empty(
    organiser: Client, night
) -> None:
    add(organiser, night, shares="20 15 10")
    ranked(night, 1, 2, 3, 4)
    page = text_of(organiser, night)
    says = "The pot holds €5.00 less than these amounts: they are paid in the order of the places"
    assert f"{says} until it is empty." in page
    for line in ("Ann 1st place €20.00", "Bill 2nd place €15.00", "Rose 3rd place €5.00"):
        assert line in page
    close(night)
    assert "stays with the club" not in text_of(organiser, night).partition("Another pot")[0]


def test_an_amount_that_nobody_has_won_is_not_the_rest_above_the_amounts(
    organiser: Client, night
) -> None:
    add(organiser, night, shares="20 10 5")
    ranked(night, 1, 2)
    page = text_of(organiser, night)
    assert "The pot holds €5.00 more than these amounts: that stays with the club." in page
    assert "€5.00 stays with the club: nobody has won it." in page


def test_percents_become_amounts_and_percents_again(organiser: Client, night) -> None:
    pot = a_pot(night, {**LONERS, "payout": "places", "shares": ["20", "10", "5"]})
    change = at(pot, "pot_shares")
    assert organiser.post(change, {"shares": "200", "payout": "amounts"}).status_code == 302
    pot.refresh_from_db()
    assert (pot.payout, pot.shares) == ("amounts", ["200"])
    (entry,) = AuditEntry.objects.filter(action="change pot")
    assert entry.new == {"payout": "amounts", "shares": ["200"]}
    log = squeezed(organiser.get(reverse("audit", args=[night.club.slug])).text)
    assert "Top places, fixed amounts" in log
    refused = organiser.post(change, {"shares": "200", "payout": "places"})
    assert refused.status_code == 422
    assert "more than 100 percent" in refused.text


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("50%, 30%, 20%", ["50", "30", "20"]),
        ("50%,30%,20%", ["50", "30", "20"]),
        ("€20.00, €10.00, €5.00", ["20", "10", "5"]),
        ("20,00 €, 10,00 €", ["20", "10"]),
        ("12,50 7,50", ["12.5", "7.5"]),
        ("0 100", ["0", "100"]),
    ],
)
def test_shares_are_read_as_the_page_prints_them(organiser: Client, night, text, shares) -> None:
    add(organiser, night, shares=text)
    assert night.pots.get().shares == shares


def test_a_prize_for_the_second_place_only(organiser: Client, night) -> None:
    add(organiser, night, shares="0 100", payout="places")
    ranked(night, 1, 2, 3, 4)
    page = text_of(organiser, night)
    assert "(0%, 100%)" in page
    assert "Bill 2nd place €40.00" in page
    assert "1st place" not in page


def test_tied_players_prizes_are_each_rounded_down_and_the_rest_stays(
    organiser: Client, night
) -> None:
    rule = {"source": "sum", "amount": "7", "payout": "places", "shares": ["100"]}
    a_pot(night, {**LONERS, **rule, "rounded_to": 100})
    ranked(night, 1, 1, 1, 1)
    page = text_of(organiser, night)
    assert "each €1.00" in page
    assert "€3.00 stays with the club: prizes are rounded down." in page
    Pot.objects.update(amount=3)
    assert "€0.75" not in text_of(organiser, night)


def test_an_amount_is_no_percent_of_fines_and_has_two_decimals_at_most(
    organiser: Client, night
) -> None:
    refused = add(organiser, night, **FINE | {"payout": "amounts", "shares": "20 x"})
    assert refused.status_code == 422
    assert "“x” is not a number with at most two decimals." in refused.text
    assert not Pot.objects.exists()
