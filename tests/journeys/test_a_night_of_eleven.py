"""A whole night of eleven, as the organiser and the tables' phones see it."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.members.actions import change_settings, create_club
from league.members.models import Club
from league.play.models import Game
from league.seating.models import Round, Seat, Table
from league.sessions.models import Session
from tests.builders import TEST, a_session, a_user, members_of
from tests.journeys.at_the_table import open_table, tap_hand
from tests.journeys.reading import standings_rows
from tests.seating.nights import published

pytestmark = pytest.mark.django_db(transaction=True)

PAYS = {"made": 1, "march": {2: 2, 3: 3, 4: 4}, "euchred": 2}


@pytest.fixture
def club() -> Club:
    rules = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "nanaimo-four-handed"}
    where = {"slug": "thursday", "time_zone": "UTC"}
    club = create_club(name="Thursday Euchre", **where, presets=rules, by=TEST)
    members_of(club, 11)
    return change_settings(club, by=TEST, confirm=Club.Confirm.OPPONENT)


class Night:
    """The organiser's screen, and what she does on it."""

    def __init__(self, desk: Page, club: Club) -> None:
        self.desk, self.club = desk, club
        self.took: Counter[str] = Counter()

    @property
    def session(self) -> Session:
        return self.club.sessions.get()

    def go(self, name: str, *more: str) -> None:
        self.desk.goto(reverse(name, args=[self.club.slug, self.session.public_id, *more]))

    def press(self, name: str) -> None:
        self.desk.get_by_role("button", name=name).first.click()

    def tables(self) -> list[Table]:
        live = Table.objects.filter(session=self.session, is_live=True)
        return list(live.order_by("number"))

    def play(self, phone: Page, table: Table, hands: list[tuple[int, str]]) -> None:
        """Tap these hands (maker, outcome); remember who takes what by the club's own rules."""
        for maker, outcome in hands:
            tap_hand(phone, maker, outcome=outcome)
            for seat in Seat.objects.filter(table=table, until_hand=None).select_related("member"):
                self.took[seat.member.name] += paid(table.players, maker, outcome, seat.position)


def paid(players: int, maker: int, outcome: str, seat: int) -> int:
    """What a seat takes from a hand: the Nanaimo rules, written here a second time."""
    side = players if players != 4 else 2
    with_makers = seat % side == maker % side
    if outcome == "euchred":
        return 0 if with_makers else 2
    return ({"made": 1, "march": PAYS["march"][players]}[outcome]) if with_makers else 0


def test_a_night_from_its_seats_to_final_standings(
    open_page: Callable[..., Page], sign_in: Any, club: Club
) -> None:
    desk = open_page("desktop")
    sign_in(desk, a_user("olive", club=club))
    night = Night(desk, club)
    published(a_session(club, club.members.all()))  # test_the_evening.py taps them in
    four, other, three = night.tables()
    assert [four.players, other.players, three.players] == [4, 4, 3]
    phones = {table.pk: open_page("phone") for table in (four, other, three)}
    for table in (four, other, three):
        open_table(phones[table.pk], table)

    # Two hands everywhere; then one comes late, one leaves, and the one sits in for the other.
    for table in (four, other, three):
        night.play(phones[table.pk], table, [(0, "made"), (1, "made")])
    left = other.seats.get(position=2).member.name
    _late_comer(night, "Nora Late")
    _sits_in(night, other, left, "Nora Late")
    assert other.seats.get(position=2, until_hand=None).member.name == "Nora Late"
    phones[other.pk].reload()

    night.play(phones[four.pk], four, [(1, "made"), (0, "march"), (0, "march"), (0, "made")])
    night.play(phones[other.pk], other, [(0, "march"), (2, "march"), (0, "march")])
    night.play(phones[three.pk], three, [(0, "march"), (0, "march"), (0, "march")])
    _confirm(phones[four.pk])
    _dispute(phones[other.pk], "Hand 4 was not a march.")

    _correct_the_third_hand(night, four)
    _settle(night, other)
    _confirm(phones[three.pk])

    _seat_them_anew(night)
    assert Round.objects.filter(state="published").count() == 2
    assert sum(table.players for table in night.tables()) == 11
    _standings_agree(night, left)
    call_command("recount", "--check")  # exits with an error where anything stored is not so


def _late_comer(night: Night, name: str) -> None:
    night.go("checkin")
    night.desk.locator("#find").fill(name)
    night.press("Add")
    expect(night.desk.locator("#checkin")).to_contain_text(name)


def _sits_in(night: Night, table: Table, left: str, name: str) -> None:
    night.go("checkin")
    night.desk.locator("#here-now > summary").click()
    row = night.desk.locator("#here-now li", has_text=left)
    row.get_by_role("button", name="Leaving").click()
    expect(night.desk.locator("#checkin")).to_contain_text("gone")
    night.go("table_desk", table.public_id)
    expect(night.desk.locator("#position option[selected]")).to_have_text(left)
    night.desk.locator("#member").select_option(label=name)
    night.press("Save substitute")
    expect(night.desk.locator(".seats")).to_contain_text(name)


def _to_other_side(phone: Page) -> None:
    """Hand the phone over: the last of the sides has lost in every game of this night."""
    phone.get_by_role("link", name=re.compile("Confirm or dispute as")).last.click()


def _confirm(phone: Page) -> None:
    _to_other_side(phone)
    expect(phone.get_by_text(re.compile(r" won\b.*10"))).to_be_visible()
    phone.get_by_role("button", name="Yes, confirm this score").click()
    expect(phone.locator("[data-phase=confirmed]")).to_be_visible()


def _dispute(phone: Page, reason: str) -> None:
    _to_other_side(phone)
    phone.get_by_text("No, something is wrong").click()
    phone.get_by_label("What is wrong?").fill(reason)
    phone.get_by_role("button", name="Dispute the result").click()
    expect(phone.locator("[data-phase=disputed]")).to_contain_text(reason)


def _correct_the_third_hand(night: Night, table: Table) -> None:
    """Seat 1's third hand was a march and not just made: 4 instead of 1, the winners the same."""
    game = table.games.get()
    before = list(game.score)
    night.desk.goto(reverse("game", args=[night.club.slug, game.public_id]))
    night.desk.get_by_role("link", name=re.compile("Correct.*hand 3", re.DOTALL)).click()
    night.desk.locator("#hand label:has(input[name=outcome][value=march])").first.click()
    night.desk.get_by_label("Reason for the change").fill("The fifth trick was overlooked.")
    night.desk.locator("[data-save]").click()
    expect(night.desk.get_by_text("The fifth trick was overlooked.").first).to_be_visible()
    game.refresh_from_db()
    assert (before, game.score) == ([10, 2], [10, 5])
    assert game.state == Game.State.CONFIRMED
    assert game.hands.filter(number=3).count() == 2
    for seat in table.seats.filter(position__in=(1, 3)).select_related("member"):
        night.took[seat.member.name] += 3


def _settle(night: Night, table: Table) -> None:
    night.go("disputes")
    night.desk.get_by_role("link", name=f"Decide the result table {table.number}").click()
    night.desk.get_by_label("The score stands").check()
    night.desk.locator("#settle-reason").fill("Both partners remember five tricks.")
    night.press("Decide")
    expect(
        night.desk.get_by_role("link", name=f"Decide the result table {table.number}")
    ).to_have_count(0)
    assert table.games.get().state == Game.State.CONFIRMED


def _seat_them_anew(night: Night) -> None:
    night.go("board")
    night.press("Next round")
    night.desk.locator("#publish").click()
    expect(night.desk.locator("#publish")).to_have_count(0)


def _standings_agree(night: Night, left: str) -> None:
    night.go("session_standings")
    rows = standings_rows(night.desk)
    assert len(rows) == 12
    assert {name: int(row["Points"]) for name, row in rows.items()} == dict(night.took)
    # The game of the substituted chair, and its win, stay with whoever sat there at the end.
    assert (rows[left]["Games"], rows[left]["Won"]) == ("0", "0")
    assert (rows["Nora Late"]["Games"], rows["Nora Late"]["Won"]) == ("1", "1")
