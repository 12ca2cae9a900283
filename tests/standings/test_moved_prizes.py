"""A prize that was paid out and that a correction moves: who gives it back, and who gets it."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Club
from league.play.actions import call_time, correct_hand, record_hand
from league.sessions.actions import close_session, open_session
from league.standings.actions import record_payment
from tests.builders import EIGHT, TEST, a_user
from tests.play.hands import made, write
from tests.standings.test_pot_cash import bill_wins, everyone_pays, move_the_loner, press, settle
from tests.standings.test_pot_settling import close, night, organiser
from tests.standings.test_pots import LONERS, a_pot, at, text_of, who

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db


def test_who_must_give_back_a_prize_that_a_correction_moved_stands_under_settle_up(
    organiser, night
) -> None:
    table = night.tables.get()
    a_pot(night, LONERS)
    a_pot(night, {**LONERS, "name": "Club prize", "amount": "8", "source": "sum"})
    write(table, (1, 3))
    alone = made(3, 5, dealer=3, alone=True)
    record_hand(table, alone, client_id="alone", by=TEST, at=EIGHT)
    everyone_pays(organiser, night, "4.00")
    settle(organiser, night, "Bill", out="1", amount="12.00")
    assert "Settle up" not in text_of(organiser, night)
    correct_hand(
        table, 8, made(1, 5, dealer=3, alone=True), reason="a slip", expected_version=1,
        client_id="again", by=TEST, at=EIGHT, as_organiser=True,
    )  # fmt: skip

    settle_up = text_of(organiser, night).partition("Settle up")[2]
    of_bill = "€4.00 Loner pot (won €0.00, received €4.00) + €8.00 Club prize"
    assert f"Bill gives back {of_bill}" in settle_up
    assert "Mark €12.00 as given back" in settle_up
    assert "Ann gets €4.00 Loner pot + €8.00 Club prize" in settle_up
    refused = press(organiser, night, "Ann", out="1", amount="12.00")
    assert "Only €0.00 is in the box for Thursday night: Bill still owes €12.00." in refused.text
    settle(organiser, night, "Ann", out="1", amount="12.00", anyway="on")
    page = text_of(organiser, night)
    sums = "€8.00 from the club − €16.00 paid out = −€8.00."
    assert f"{sums} Bill still has to give back €8.00." in page
    assert "Left in the box €0.00" in page
    assert "€12.00 came from other money." in page
    settle(organiser, night, "Bill", out="0", amount="12.00")
    page = text_of(organiser, night)
    assert "Settle up" not in page
    assert "still has to" not in page
    assert "other money" not in page
    assert page.count("Settled so far") == 2
    assert "Left in the box €0.00" in page
    sums = "€4.00 paid in + €4.00 given back − €8.00 paid out = €0.00."
    assert f"Cash in the box for this pot: {sums}" in page


def test_a_member_reads_what_they_have_to_give_back(client, night) -> None:
    pot, ann = a_pot(night, LONERS), who("Ann")
    ann.user = a_user("ann", club=night.club, rank="member")
    ann.save()
    paid = {"amount": Decimal("2.50"), "by": TEST, "at": EIGHT}
    record_payment(pot, ann, kind="prize", anyway=True, **paid)
    client.force_login(ann.user)
    says = "You received €2.50, but a correction since changed what you won: give back €2.50."
    assert says in text_of(client, night)
    record_payment(pot, ann, kind="stake", amount=Decimal("3.50"), by=TEST, at=EIGHT)
    assert "give back" not in text_of(client, night)


def moved(client: Client, *addresses: str) -> list[bool]:
    says = "Prizes already paid have changed"
    return [says in client.get(address).text for address in addresses]


@pytest.mark.parametrize("of_season", [False, True])
def test_a_corrected_game_and_its_closed_session_or_season_lead_organisers_to_prizes_that_moved(
    organiser, night, of_season
) -> None:
    slug = night.club.slug
    if of_season:
        night.season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
        night.save()
    scope, page = (night.season, "season_pots") if of_season else (night, "session_pots")
    table, pot = night.tables.get(), bill_wins(night, scope)
    game = reverse("game", args=[slug, table.games.get().public_id])
    closed = reverse("session", args=[slug, night.public_id])
    paid = {"amount": Decimal(4), "by": TEST, "at": EIGHT, "anyway": True}
    record_payment(pot, who("Bill"), kind="prize", **paid)
    assert moved(organiser, game, closed) == [False, False]
    move_the_loner(night)
    scores = reverse("final_scores", args=[slug, night.public_id])
    assert moved(organiser, scores) == [True]
    call_time(table, by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    assert moved(organiser, game, closed) == [True, not of_season]
    leads = reverse("season_standings", args=[slug, scope.public_id]) if of_season else closed
    settle_up = reverse(page, args=[slug, scope.public_id])
    assert f'<a href="{settle_up}#settle">Settle up</a>' in organiser.get(leads).text
    for rank in ("scorekeeper", "member"):
        organiser.force_login(a_user(rank, club=night.club, rank=rank))
        assert moved(organiser, game, closed) == [False, False]
    Club.objects.update(visibility="standings")
    organiser.logout()
    assert moved(organiser, game) == [False]


def test_a_returned_prize_that_a_correction_moves_back_is_due_again(organiser, night) -> None:
    pot, bill = bill_wins(night), who("Bill")
    everyone_pays(organiser, night, "4.00")
    settle(organiser, night, "Bill", out="1", amount="4.00")
    move_the_loner(night)
    settle(organiser, night, "Bill", out="0", amount="4.00")
    assert "Bill gave back €4.00." in text_of(organiser, night)
    move_the_loner(night, to=3)
    says = "Bill gets €4.00 Loner pot (won €4.00, received €4.00, gave back €4.00) Pay out €4.00"
    assert says in text_of(organiser, night)
    assert "Bill gave a prize back" in text_of(organiser, night)
    bill.user = a_user("bill", club=night.club, rank="member")
    bill.save()
    close(night)
    organiser.force_login(bill.user)
    says = "You have won €4.00, received €4.00 and gave back €4.00."
    assert says in text_of(organiser, night)
    organiser.force_login(a_user("other", club=night.club))
    settle(organiser, night, "Bill", out="1", amount="4.00")
    assert "Settle up" not in text_of(organiser, night)
    assert pot.payments.count() == 7


def test_stakes_given_back_are_owed_again_after_reopening(organiser, night) -> None:
    pot = a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    close(night)
    organiser.post(at(pot, "pot_give_back"), {"amount": "4.00"})
    open_session(night, by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert "gives back" not in page
    sums = "(due €1.00, paid €1.00, got back €1.00)"
    assert f"Ann still owes €1.00 Loner pot {sums} Mark €1.00 as paid" in page
