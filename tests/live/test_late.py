"""Which tables are late, by the clock or without one, and that the board says so."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.live.room import SLOW, room
from league.play.actions import note_misdeal, rule_penalty, undo_last_hand
from league.play.auth import table_code
from league.seating.actions import call_organiser, draft_round, publish
from league.seating.queries import live_tables
from league.sessions.actions import pause_clock, start_clock
from league.sessions.links import wall_link
from tests.builders import TEST, a_user
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, published

pytestmark = pytest.mark.django_db


def a_room(count):
    night, _members = a_night(count)
    published(night)
    return night


def test_a_table_that_enters_nothing_for_ten_minutes_is_late():
    night = a_room(8)
    one, other = live_tables(night)
    game = a_game(one, state="playing", hands=1)
    game.hands.update(entered_at=AT + timedelta(minutes=9))
    then = AT + SLOW + timedelta(minutes=1)
    assert [tile.table.pk for tile in room(night, at=then).late_tiles] == [other.pk]
    night.state = "closed"
    assert not room(night, at=then).late_tiles  # nobody is waited for any more


@pytest.mark.parametrize("entered", ["misdeal", "penalty", "call", "undo"])
def test_a_table_that_enters_no_hand_but_something_else_is_not_late(entered):
    night = a_room(4)
    table = live_tables(night)[0]
    write(table, (0, 3), at=AT + timedelta(minutes=1))
    then = AT + timedelta(minutes=9)
    if entered == "misdeal":
        note_misdeal(table, by=TEST, at=then, client_id="m")
    elif entered == "penalty":
        rule_penalty(table, by=TEST, at=then, client_id="p", by_seat=0, about_hand=1)
    elif entered == "call":
        call_organiser(table, by=TEST, at=then)
    else:
        undo_last_hand(table, by=TEST, at=then, number=1, version=1)
    assert not room(night, at=then + timedelta(minutes=7)).late_tiles
    assert room(night, at=then + timedelta(minutes=11)).late_tiles


def test_every_table_still_playing_when_the_clock_has_run_out_is_late():
    night = start_clock(a_room(8), by=TEST, at=AT, minutes=5)
    one, other = live_tables(night)
    a_game(one)
    assert [tile.table.pk for tile in room(night, at=AT + timedelta(minutes=6)).late_tiles] == [
        other.pk
    ]


def test_no_table_is_late_while_time_is_left_on_the_clock():
    night = start_clock(a_room(8), by=TEST, at=AT, minutes=30)
    assert not room(night, at=AT + SLOW + timedelta(minutes=1)).late_tiles
    stopped = pause_clock(night, by=TEST, at=AT + timedelta(minutes=9))
    assert not room(stopped, at=AT + timedelta(minutes=40)).late_tiles


def test_a_table_that_overruns_is_late_when_the_next_round_takes_its_clock_away(client):
    night = start_clock(a_room(12), by=TEST, at=AT, minutes=20)
    *done, slow = live_tables(night)
    for table in done:
        a_game(table)
    write(slow, (0, 3), at=AT + timedelta(minutes=21))
    then = AT + timedelta(minutes=22)
    later_round = draft_round(night, by=TEST, seed=2, tables=done)
    publish(later_round, by=TEST, at=then)
    night.refresh_from_db()
    assert night.clock_ends_at is None
    assert [tile.table.pk for tile in room(night, at=then).late_tiles] == [slow.pk]
    night = start_clock(night, by=TEST, at=then, minutes=20)
    assert [tile.table.pk for tile in room(night, at=then).late_tiles] == [slow.pk]
    client.force_login(a_user(club=night.club))
    board = reverse("board", args=[night.club.slug, night.public_id])
    page = client.get(board).content.decode()
    assert page.count('<p class="soft">Round 2</p>') == 2
    assert page.count('<p class="soft">Round 1</p>') == 1


def test_a_table_seated_while_others_play_by_a_clock_has_none_until_one_is_started_for_it(client):
    now = timezone.now()
    night = start_clock(a_room(12), by=TEST, at=now - timedelta(minutes=13), minutes=20)
    *done, slow = live_tables(night)
    for table in done:
        a_game(table)
    publish(draft_round(night, by=TEST, seed=2, tables=done), by=TEST, at=timezone.now())
    night.refresh_from_db()
    new = night.tables.filter(round__number=2).first()
    times_up = room(night, at=now + timedelta(minutes=8))
    assert [tile.table.pk for tile in times_up.late_tiles] == [slow.pk]
    wall = client.get(wall_link(night)).text
    assert "left · round 1</small>" in wall
    for table, has_time in ((slow, True), (new, False)):
        client.post(reverse("table_door"), {"code": table_code(table)})
        entry = client.get(reverse("table_entry", args=[table.public_id])).text
        assert ("Round until" in entry) == has_time
    start_clock(night, by=TEST, at=timezone.now(), minutes=20)
    assert "Round until" in client.get(reverse("table_entry", args=[new.public_id])).text
    assert "· round 1</small>" not in client.get(wall_link(night)).text


@pytest.mark.parametrize("minutes", [None, 20])
def test_the_board_says_when_a_table_is_late(client, minutes):
    night = a_room(8)
    if minutes:
        start_clock(night, by=TEST, at=AT, minutes=minutes)
    client.force_login(a_user(club=night.club))
    address = reverse("board", args=[night.club.slug, night.public_id])
    rule = "still playing when the time is up" if minutes else "nothing entered for 10 minutes"
    assert f'title="Late: {rule}."' in client.get(address).content.decode()
    assert (
        f'<p class="soft">Late: {rule}.</p>' in client.get(f"{address}?show=late").content.decode()
    )


def test_a_quiet_table_can_be_nudged_while_time_is_left():
    night = start_clock(a_room(8), by=TEST, at=AT, minutes=30)
    one, other = live_tables(night)
    game = a_game(one, state="playing", hands=1)
    game.hands.update(entered_at=AT + timedelta(minutes=9))
    tiles = room(night, at=AT + SLOW + timedelta(minutes=1)).tiles
    assert [tile.table.pk for tile in tiles if tile.can_be_nudged] == [other.pk]


def test_once_time_is_up_the_board_says_how_to_end_the_games(client):
    night = a_room(4)
    client.force_login(a_user(club=night.club))
    board = reverse("board", args=[night.club.slug, night.public_id])
    page = client.get(board).content.decode()
    assert "To end a game at its score" not in page
    assert "When the game is over, the next round is made here." in page
    start_clock(night, by=TEST, at=timezone.now() - timedelta(minutes=9), minutes=5)
    write(live_tables(night)[0], (0, 3))
    assert "To end a game at its score, tap its table." in client.get(board).content.decode()


def test_the_page_of_a_table_that_is_done_leads_back_to_the_board(client):
    night = a_room(4)
    client.force_login(a_user(club=night.club))
    where = [night.club.slug, night.public_id]
    table = live_tables(night)[0]
    desk = reverse("table_desk", args=[*where, table.public_id])
    back = f'<a class="button primary" href="{reverse("board", args=where)}">Back to the board</a>'
    assert "If you break up this table, its players wait for new seats." in client.get(desk).text
    assert back not in client.get(desk).content.decode()
    a_game(table)
    assert back in client.get(desk).content.decode()


def test_the_board_leads_to_the_end_of_the_evening_once_every_table_is_done(client):
    night = a_room(8)
    client.force_login(a_user(club=night.club))
    where = [night.club.slug, night.public_id]
    close = f'<a href="{reverse("disputes", args=where)}?close=1">Close the session…</a>'
    one, other = live_tables(night)
    a_game(one)
    assert close not in client.get(reverse("board", args=where)).content.decode()
    a_game(other)
    assert close in client.get(reverse("board", args=where)).content.decode()
