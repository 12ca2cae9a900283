"""What each player owes, from all sessions and seasons: one sum, on every page that says it."""

import pytest
from django.test import Client
from django.urls import reverse

from league.sessions.actions import close_session
from league.sessions.attendance import arrive_all
from league.sessions.models import Session
from league.standings.pot_queries import pot_sheets
from league.standings.pot_settling import give_back_stakes
from league.standings.stake_debts import stake_debts
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.standings.random_club import the_club
from tests.standings.test_from_the_archive import NOW, SEEDS
from tests.standings.test_pot_settling import close, night, organiser
from tests.standings.test_pots import LONERS, a_pot, text_of, who
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def last_week(night) -> Session:
    """Of €5.00 from each of four players, Ann and Bill have paid; the other two owe."""
    before = a_session(night.club, name="Monday 30 November", held_on="2026-11-30")
    pot = a_pot(before, {**LONERS, "name": "Hall", "amount": "5", "payout": "kept"})
    arrive_all(before, list(night.club.members.all()), by=TEST, at=EIGHT, even_if_elsewhere=True)
    for name in ("Ann", "Bill"):
        paid(pot, name, "5")
    close_session(before, by=TEST, at=EIGHT)
    return before


def debts_on_pages(club) -> dict[int, dict[object, int]]:
    """The same from the page of each session and season."""
    found = {}
    for scope in (*club.sessions.all(), *club.seasons.all()):
        for sheet in pot_sheets(scope, at=NOW).sheets:
            for row in sheet.rows if sheet.pot.source != "sum" else ():
                own = found.setdefault(row.member.pk, {})
                own[scope] = own.get(scope, 0) + row.balance.owes - row.balance.paid
    return without_nothing(found)


def without_nothing(debts):
    owed = {pk: {one: cents for one, cents in own.items() if cents} for pk, own in debts.items()}
    return {pk: own for pk, own in owed.items() if own}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_players_owe_in_all_is_what_the_page_of_each_pot_says(seed: int) -> None:
    club = the_club(seed)
    debts = without_nothing(stake_debts(club))
    assert debts == debts_on_pages(club), f"seed {seed}"
    assert debts
    member = club.members.get(pk=next(iter(debts)))
    assert without_nothing(stake_debts(club, member)) == {member.pk: debts[member.pk]}


def test_nobody_owes_a_pot_whose_stakes_went_back_because_nobody_won_it(night) -> None:
    pot = a_pot(night, LONERS)
    for name in ("Ann", "Bill", "Rose"):
        paid(pot, name, "1")
    close(night)
    assert without_nothing(stake_debts(night.club)) == {who("Ted").pk: {night: 100}}
    give_back_stakes(pot, 3, by=TEST, at=EIGHT)
    assert without_nothing(stake_debts(night.club)) == {} == debts_on_pages(night.club)


def test_organisers_read_in_one_list_who_owes_what_from_when(
    organiser: Client, night, last_week
) -> None:
    address = reverse("who_owes", args=[night.club.slug])
    assert address in organiser.get(reverse("club", args=[night.club.slug])).text
    paid(a_pot(night, LONERS), "Rose", "1")
    page = squeezed(organiser.get(address).text)
    assert "4 players owe €13.00 in stakes." in page
    ted = page.partition("<strong>Ted</strong>")[2].partition("</li>")[0]
    settle = reverse("session_pots", args=[night.club.slug, last_week.public_id])
    assert f'€5.00<a href="{settle}#settle">Monday 30 November</a>' in ted
    assert "€6.00" in ted
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    assert organiser.get(address).status_code == 403


def test_a_club_in_which_nobody_owes_reads_that(organiser: Client, night) -> None:
    page = organiser.get(reverse("who_owes", args=[night.club.slug])).text
    assert "Nobody owes a stake." in page


def test_settling_up_says_beside_a_player_what_they_also_owe_from_before(
    organiser: Client, night, last_week
) -> None:
    a_pot(night, LONERS)
    page = text_of(organiser, night)
    assert "Ted still owes €1.00 Loner pot also owes €5.00 from Monday 30 November Mark" in page
    assert page.count("also owes") == 2
    assert "also owes €1.00" in text_of(organiser, last_week)


def test_deactivating_a_player_says_what_they_still_owe(
    organiser: Client, night, last_week
) -> None:
    a_pot(night, LONERS)
    for name, says in (
        ("Ted", "Ted still owes €6.00 (€1.00 Thursday night + €5.00 Monday 30 November)."),
        ("Ann", "Ann still owes €1.00 (Thursday night)."),
    ):
        address = reverse("member_deactivate", args=[night.club.slug, who(name).public_id])
        assert says in organiser.post(address, follow=True).text


def test_who_leaves_with_a_debt_is_named_to_the_organiser_at_check_in(organiser, last_week, night):
    ted = who("Ted")
    leave = reverse("checkin_leave", args=[night.club.slug, night.public_id])
    page = squeezed(organiser.post(leave, {"member": ted.public_id}, follow=True).text)
    assert "Ted still owes €" in page
    assert last_week.name in page


def test_a_session_without_pots_takes_those_of_the_last_one_by_one_press(
    organiser: Client, last_week, night
) -> None:
    today = a_session(night.club, name="Tonight", held_on="2026-12-07")
    address = reverse("session_pots", args=[night.club.slug, today.public_id])
    copy = reverse("session_pot_copy", args=[night.club.slug, today.public_id])
    assert f"Same pots as {last_week.name}" in organiser.get(address).text
    for _ in range(2):  # a second tap adds nothing
        organiser.post(copy)
    assert [(pot.name, pot.amount, pot.payout) for pot in today.pots.all()] == [("Hall", 5, "kept")]
    assert not today.pots.get().payments.exists()
    assert "Same pots as" not in organiser.get(address).text
