"""The keys of the round's clock on the board, and the round length it takes."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.play.models import Game
from league.seating.queries import live_tables
from league.sessions.actions import close_session, open_session, pause_clock, start_clock
from league.sessions.links import wall_link
from league.sessions.models import Session
from league.sessions.queries import clock_at
from tests.builders import TEST, a_club, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_night, published

pytestmark = pytest.mark.django_db


def board(client, night):
    client.force_login(a_user(club=night.club))
    return client.get(reverse("board", args=[night.club.slug, night.public_id])).content.decode()


def test_a_clock_does_not_change_the_round_length_of_the_session():
    night = a_session(a_club(), round_minutes=25)
    night = start_clock(night, by=TEST, at=timezone.now(), minutes=1)
    assert night.round_minutes == 25


def test_the_first_clock_of_a_session_without_a_round_length_sets_it():
    night = start_clock(a_session(a_club()), by=TEST, at=timezone.now(), minutes=20)
    assert night.round_minutes == 20


def test_a_clock_that_has_run_out_offers_more_minutes_and_no_pause(client):
    now = timezone.now()
    night = start_clock(a_session(a_club()), by=TEST, at=now - timedelta(minutes=3), minutes=2)
    page = board(client, night)
    assert "5 more minutes" in page
    assert ">Pause<" not in page
    assert ">Resume<" not in page
    with pytest.raises(Refused, match="not running"):
        pause_clock(night, by=TEST, at=now)


def test_a_clock_that_runs_offers_a_pause_and_a_paused_one_to_resume(client):
    night = start_clock(a_session(a_club()), by=TEST, at=timezone.now(), minutes=20)
    assert ">Pause<" in board(client, night)
    night = pause_clock(night, by=TEST, at=timezone.now())
    assert (
        ">Resume<"
        in client.get(reverse("board", args=[night.club.slug, night.public_id])).content.decode()
    )


@pytest.mark.parametrize("minutes_ago", [8, 21])
def test_a_session_closed_by_mistake_and_reopened_has_its_clock_as_before(client, minutes_ago):
    now = timezone.now()
    night = published(a_night(4)[0]).session
    start_clock(night, by=TEST, at=now - timedelta(minutes=minutes_ago), minutes=20)
    table = live_tables(night)[0]
    client.force_login(a_user(club=night.club))
    where = [night.club.slug, night.public_id]
    clock = clock_at(Session.objects.get(pk=night.pk), now)
    client.post(reverse("session_close", args=where))
    for page in ("board", "wall"):
        assert "data-ends-at" not in client.get(reverse(page, args=where)).text
    assert "Round until" not in client.get(reverse("table_entry", args=[table.public_id])).text
    client.post(reverse("session_open", args=where))
    assert clock_at(Session.objects.get(pk=night.pk), now) == clock
    assert "5 more minutes" in client.get(reverse("board", args=where)).text
    entry = client.get(reverse("table_entry", args=[table.public_id])).text
    assert ("Round until" if minutes_ago == 8 else "Time!") in entry


def test_a_paused_clock_is_paused_still_when_the_session_is_reopened():
    night = start_clock(a_session(a_club()), by=TEST, at=AT, minutes=20)
    night = pause_clock(night, by=TEST, at=AT + timedelta(minutes=8))
    closed = close_session(night, by=TEST, at=AT + timedelta(minutes=9))
    assert clock_at(closed, AT) is None
    reopened = open_session(closed, by=TEST, at=AT + timedelta(minutes=10))
    assert clock_at(reopened, AT).seconds == 12 * 60


def test_the_clock_is_removed_only_by_a_second_tap(client):
    night = start_clock(a_session(a_club()), by=TEST, at=timezone.now(), minutes=20)
    stop = reverse("clock_stop", args=[night.club.slug, night.public_id])
    first, second = squeezed(board(client, night)).split("<summary>Remove clock</summary>")
    assert stop not in first
    hidden = second.partition("</details>")[0]
    assert f'formaction="{stop}">Yes, remove it</button>' in hidden


def test_the_clock_says_that_its_figures_are_the_time_left(client):
    night = start_clock(a_session(a_club()), by=TEST, at=timezone.now(), minutes=20)
    assert "<small data-clock-left hidden> left</small>" in board(client, night)


def test_when_time_is_up_all_games_in_play_end_at_their_score_and_a_disputed_one_is_left(client):
    night, _members = a_night(16)
    published(night)
    ahead, disputed, level, _unbegun = live_tables(night)
    write(ahead, (0, 3))
    write(disputed, (0, 3))
    write(level, (0, 3), (1, 3))
    Game.objects.filter(table=disputed).update(state=Game.State.DISPUTED)
    start_clock(night, by=TEST, at=timezone.now() - timedelta(minutes=3), minutes=2)
    address = reverse("end_games", args=[night.club.slug, night.public_id])
    assert address in board(client, night)
    page = squeezed(client.get(address).content.decode())
    assert re.findall(r"<b>Table (\d)</b>", page) == ["1", "3"]
    assert "Table 2 is left out: it needs your decision." in page
    assert not night.games.filter(ended_by=Game.EndedBy.TIME).exists()  # it only asks
    listed = re.findall(r'name="table" value="([^"]+)"', page)
    write(level, (2, 5))
    answer = client.post(address, {"table": listed}, follow=True).content.decode()
    assert "Ended 1 game at its score." in answer
    assert "Table 3: The score has changed. Check it again." in answer
    assert re.findall(r"<b>Table (\d)</b>", squeezed(answer)) == ["3"]  # asks once more
    listed = re.findall(r'name="table" value="([^"]+)"', answer)
    client.post(address, {"table": [*listed, disputed.public_id]})
    ended = night.games.filter(ended_by=Game.EndedBy.TIME)
    assert {game.table for game in ended} == {ahead, level}
    assert night.club.audit.filter(action="call time").count() == 2


def test_the_wall_carries_the_clock(client):
    night = start_clock(a_night(8)[0], by=TEST, at=AT, minutes=20)
    page = client.get(wall_link(night)).content.decode()
    assert 'data-ends-at="2026-11-19T19:20:00+00:00"' in page
    assert "data-clock-over hidden>Time! <span>Finish the hand.</span></small>" in page
