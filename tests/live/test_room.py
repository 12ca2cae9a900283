"""The room at a glance: what each table waits for, and when to make the next round."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.live.board import joinable_table
from league.live.room import SLOW, room
from league.members.models import Member
from league.seating.actions import call_organiser, depart
from league.seating.models import Seat
from league.seating.queries import draft_of, live_tables
from league.sessions.attendance import arrive, rest
from league.sessions.models import Session
from tests.builders import TEST, a_game_table, a_user
from tests.pages import squeezed
from tests.seating.nights import AT, a_game, a_night, a_seating_club, draft, published, table_of

pytestmark = pytest.mark.django_db


def a_room(count):
    night, _members = a_night(count)
    published(night)
    return night


def states(night, at=AT):
    return [tile.state for tile in room(night, at=at).tiles]


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (None, "ready"),
        ({"state": "playing"}, "ready"),
        ({"state": "playing", "hands": 3}, "playing"),
        ({"state": "finished", "hands": 9}, "finished"),
        ({"state": "disputed", "hands": 9}, "disputed"),
        ({"state": "confirmed", "hands": 9}, "done"),
        ({"state": "abandoned"}, "done"),
    ],
)
def test_a_table_says_what_it_waits_for(game, state):
    night = a_room(4)
    if game:
        a_game(live_tables(night)[0], **game)
    assert states(night) == [state]


def test_the_board_says_which_hand_is_being_played():
    night = a_room(4)
    a_game(live_tables(night)[0], state="playing", hands=3)
    assert room(night, at=AT).tiles[0].hand == 4


def test_the_board_tells_two_of_one_first_name_apart_though_they_sit_at_different_tables():
    night = a_room(8)
    for table, name in zip(live_tables(night), ("Ada Dew", "Ada Fox"), strict=True):
        Member.objects.filter(pk=table.current_seats[0].member_id).update(name=name)
    sides = [side.names for tile in room(night, at=AT).tiles for side in tile.result]
    assert "Ada D. & " in sides[0]
    assert "Ada F. & " in sides[2]


@pytest.mark.parametrize(("people", "enough"), [(4, 1), (8, 2), (12, 2), (16, 2), (24, 3), (40, 3)])
def test_people_are_seated_anew_when_two_tables_are_done_or_three_in_a_big_room(people, enough):
    night = a_room(people)
    for done, table in enumerate(live_tables(night), 1):
        a_game(table)
        assert room(night, at=AT).may_release == (done >= enough)


def test_somebody_who_went_home_is_shown_on_the_chair_until_it_is_taken():
    night = a_room(4)
    table = live_tables(night)[0]
    a_game(table, state="playing", hands=1)
    leaver = Seat.objects.get(table=table, position=1).member
    depart(night, leaver, by=TEST, at=AT)
    assert [seat.has_left for seat in room(night, at=AT).tiles[0].current_seats] == [0, 1, 0, 0]


def test_the_room_asks_the_database_as_often_for_ten_tables_as_for_two(
    django_assert_num_queries,
):
    for slug, people in (("small", 8), ("big", 40)):
        night, _members = a_night(people, a_seating_club(slug=slug))
        published(night)
        with django_assert_num_queries(5):
            room(night, at=AT)


PAGES = {"checkin": 17, "seating": 15, "board": 12, "session": 16, "wall": 17, "print_chart": 10}


@pytest.mark.parametrize("people", [8, 40])
@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_page_asks_the_database_a_fixed_number_of_times(
    client, django_assert_num_queries, page, people
):
    night = a_room(people)
    client.force_login(a_user(club=night.club))
    address = reverse(page, args=[night.club.slug, night.public_id])
    client.get(address)
    with django_assert_num_queries(PAGES[page]):
        assert client.get(address).status_code == 200


def test_the_sessions_page_says_how_many_tables_play_and_how_many_are_done(client):
    night = a_room(12)
    done, playing, _ready = live_tables(night)
    a_game(done)
    a_game(playing, state="playing", hands=1)
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    note = '<dd class="note">1 not started · 1 done</dd>'
    assert f"<dt>table playing</dt><dd>1</dd>{note}" in squeezed(page)


def test_a_disputed_table_says_decide_and_is_neither_done_nor_ticked(client):
    night = a_room(8)
    disputed, done = live_tables(night)
    game = a_game(disputed, state="disputed", hands=3)
    a_game(done, hands=3)
    now = room(night, at=AT)
    assert [tile.table.pk for tile in now.finished_tiles] == [done.pk]
    assert not now.may_release
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    where = reverse("game", args=[night.club.slug, game.public_id]) + "#decide"
    board = squeezed(client.get(reverse("board", args=at)).content.decode())
    from_board = where.replace("#", "?then=board#")
    assert f'href="{from_board}">Decide' in board
    assert board.count('name="table"') == 1
    session = client.get(reverse("session", args=at))
    assert (session.context["step"].label, session.context["step"].url) == ("Decide", where)
    desk = client.get(reverse("table_desk", args=[*at, disputed.public_id])).content.decode()
    assert f'href="{from_board}"' in desk


def test_a_club_s_page_says_what_waits_for_an_organiser_s_decision(client):
    night = a_room(8)
    page = reverse("club", args=[night.club.slug])
    first, second = live_tables(night)
    game = a_game(first, state="disputed", hands=3)
    client.force_login(a_user("molly", club=night.club, rank="member"))
    assert "your decision" not in client.get(page).content.decode()
    client.force_login(a_user(club=night.club))
    said = squeezed(client.get(page).content.decode())
    assert f"<h2>Table 1 needs your decision</h2><p>{night.name}</p>" in said
    assert reverse("game", args=[night.club.slug, game.public_id]) + "#decide" in said
    a_game(second, state="disputed", hands=3)
    said = squeezed(client.get(page).content.decode())
    assert "2 games need your decision" in said
    assert reverse("disputes", args=[night.club.slug, night.public_id]) in said


def test_new_seats_leave_a_disputed_table_alone_unless_it_is_chosen():
    night = a_room(8)
    disputed, done = live_tables(night)
    a_game(disputed, state="disputed", hands=3)
    a_game(done, hands=3)
    assert [table.pk for table in draft(night).releases.all()] == [done.pk]


def test_tables_that_have_not_begun_are_given_new_seats_only_after_a_question(client):
    night = a_room(8)
    ready, done = live_tables(night)
    a_game(done, hands=3)
    client.force_login(a_user(club=night.club))
    seat = reverse("seating_draft", args=[night.club.slug, night.public_id])
    both = {"chosen": "1", "table": [str(ready.number), str(done.number)]}
    answer = client.post(seat, both)
    assert "These tables haven't started" in answer.content.decode()
    assert draft_of(night) is None
    client.post(seat, {**both, "unbegun_too": "1"})
    assert draft_of(night).releases.count() == 2


def test_no_table_ticked_moves_nobody(client):
    night = a_room(8)
    for table in live_tables(night):
        a_game(table, hands=3)
    client.force_login(a_user(club=night.club))
    seat = reverse("seating_draft", args=[night.club.slug, night.public_id])
    answer = client.post(seat, {"chosen": "1"})
    assert "Tick the tables whose players should get new seats." in answer.content.decode()
    assert draft_of(night) is None


def test_a_table_calls_the_organiser_until_somebody_comes(client):
    night = a_room(4)
    table = live_tables(night)[0]
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    client.post(reverse("table_call", args=[table.public_id]))
    assert "Table 1 needs you" in client.get(reverse("board", args=at)).content.decode()
    assert "calls the organiser" in client.get(reverse("wall", args=at)).content.decode()
    assert "Table 1 needs you" in client.get(reverse("session", args=at)).content.decode()
    phone = reverse("table_news", args=[table.public_id])
    assert "has been called" in client.get(phone).content.decode()
    client.post(reverse("table_answer", args=[*at, table.public_id]))
    assert "on the way to you" in client.get(phone).content.decode()
    assert "on the way" in client.get(reverse("board", args=at)).content.decode()
    desk = client.get(reverse("table_desk", args=[*at, table.public_id])).content.decode()
    assert "on the way to this table" in desk.replace("&#x27;", "'")
    assert "needs you" not in desk
    assert not room(night, at=AT).calling_tiles
    client.post(reverse("table_settle", args=[*at, table.public_id]))
    assert "on the way" not in client.get(phone).content.decode()
    assert "on the way" not in client.get(reverse("board", args=at)).content.decode()


def test_a_call_is_seen_beside_a_dispute_and_both_tables_stand_first_on_the_board(client):
    night = a_room(16)
    _first, second, _third, last = live_tables(night)
    a_game(second, state="disputed")
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    client.post(reverse("table_call", args=[last.public_id]))
    page = client.get(reverse("session", args=at))
    assert page.context["step"].title == "Table 2 needs your decision"
    link = f'href="{reverse("board", args=at)}#table-4">Table 4 needs you</a>'
    assert link in page.content.decode()
    board = client.get(reverse("board", args=at)).content.decode()
    assert re.findall(r'<section id="table-(\d)"', board) == ["4", "2", "1", "3"]
    assert board.index("Table 4 needs you") < board.index("<section id=")
    Session.objects.filter(pk=night.pk).update(state="closed")
    assert "needs you</a>" not in client.get(reverse("board", args=at)).content.decode()


def test_a_closed_session_says_what_is_left_to_decide_and_offers_no_orders(client):
    night = a_room(12)  # the third table is never begun: nothing to decide there
    first, second, _ready = live_tables(night)
    a_game(first)
    a_game(second, state="playing", hands=1)
    Session.objects.filter(pk=night.pk).update(state="closed")
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    step = client.get(reverse("session", args=at)).context["step"]
    assert step.title == "Closed with 1 game unfinished"
    assert step.url == reverse("disputes", args=at)
    first.games.update(state="finished", accept_at=None)
    step = client.get(reverse("session", args=at)).context["step"]
    assert step.title == "Closed with 1 game unfinished · 1 game is waiting to be confirmed"
    first.games.update(state="confirmed")
    second.games.update(state="finished", accept_at=None)
    step = client.get(reverse("session", args=at)).context["step"]
    assert (step.title, step.label) == ("1 game is waiting to be confirmed", "Confirm")
    assert b"seat anew" not in client.get(reverse("board", args=at)).content
    assert b"This session is closed. Reopen it" in client.get(reverse("checkin", args=at)).content
    second.games.update(state="confirmed")
    step = client.get(reverse("session", args=at)).context["step"]
    assert step.url == reverse("session_standings", args=at)


def test_when_every_table_is_done_the_next_round_is_offered_with_everybody_who_plays_on(client):
    night = a_room(12)
    for table in live_tables(night):
        a_game(table, hands=1)
    first = live_tables(night)[0].current_seats[0].member
    client.force_login(a_user(club=night.club))
    address = [night.club.slug, night.public_id]
    assert "Next round with all 12" in client.get(reverse("board", args=address)).content.decode()
    rest(night, first, by=TEST)
    board = client.get(reverse("board", args=address))
    assert "Next round with all 11" in board.content.decode()
    step = client.get(reverse("session", args=address)).context["step"]
    assert (step.label, step.url) == ("Open the board", reverse("board", args=address))


def test_while_a_draft_is_open_the_board_leads_to_it_and_makes_no_other(client):
    night = a_room(12)
    for table in live_tables(night)[:2]:
        a_game(table, hands=1)
    client.force_login(a_user(club=night.club))
    address = [night.club.slug, night.public_id]
    assert "Make next round" in client.get(reverse("board", args=address)).content.decode()
    draft(night, tables=live_tables(night)[:2])
    board = client.get(reverse("board", args=address)).content.decode()
    assert "Your tables are ready to publish" in board
    assert reverse("seating", args=address) in board.partition("panel release")[2]
    assert "Make next round" not in board
    assert 'name="table"' not in board


def test_the_desk_puts_in_a_substitute_and_credits_are_told_apart(client):
    night = a_room(8)
    table = table_of(night, 4)
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    desk = [night.club.slug, night.public_id, table.public_id]
    assert client.get(reverse("table_desk", args=desk)).status_code == 200
    data = {"position": "0", "member": vera.public_id, "from_hand": ""}
    answer = client.post(reverse("table_substitute", args=desk), data, follow=True)
    assert b"Vera plays from hand 1" in answer.content
    assert Seat.objects.get(member=vera).position == 0


def test_the_desk_says_who_left_and_offers_that_seat_and_the_table_s_call(client):
    table = a_game_table("bid-hoosier-five-player", players=5)
    at = [table.session.club.slug, table.session.public_id, table.public_id]
    last = table.seats.get(position=4).member
    a_game(table, state="playing", hands=1)
    vera = Member.objects.create(club=table.session.club, name="Vera")
    arrive(table.session, vera, by=TEST, at=AT)
    depart(table.session, last, by=TEST, at=AT)
    client.force_login(a_user(club=table.session.club))
    call_organiser(table, by=TEST, at=AT)
    desk = reverse("table_desk", args=at)
    page = squeezed(client.get(desk).content.decode())
    assert f"{last.name}<small>left</small>" in page
    assert '<option value="4" selected>' in page
    assert "I'm on my way" in page
    here = {"at_desk": "1"}
    assert (
        client.post(reverse("table_answer", args=at), here, follow=True).request["PATH_INFO"]
        == desk
    )
    settled = client.post(reverse("table_settle", args=at), here, follow=True).content.decode()
    assert "Call settled" not in settled
    data = {"position": "4", "member": vera.public_id, "from_hand": ""}
    client.post(reverse("table_substitute", args=at), data)
    assert Seat.objects.get(member=vera).position == 4


@pytest.mark.parametrize(
    "data", [{}, {"position": "9"}, {"position": "0", "from_hand": "-1"}, {"from_hand": "9" * 40}]
)
def test_nonsense_puts_nobody_in(client, data):
    night = a_room(4)
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    desk = [night.club.slug, night.public_id, live_tables(night)[0].public_id]
    address = reverse("table_substitute", args=desk)
    assert client.post(address, {"member": vera.public_id, **data}).status_code == 302
    assert not Seat.objects.filter(member=vera).exists()


@pytest.mark.parametrize("name", ["dealer", "redraw_dealer", "join", "end"])
def test_every_change_of_a_table_is_done_and_noted(client, name):
    night = a_room(11)
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    desk = [night.club.slug, night.public_id, table_of(night, 3).public_id]
    data = {"position": "1", "member": vera.public_id}
    answer = client.post(reverse(f"table_{name}", args=desk), data)
    assert answer.status_code == 302
    assert night.audit.exclude(action="arrive").exclude(actor="Test").count() == 1


@pytest.mark.parametrize(("people", "players"), [(5, 3), (6, 2), (7, 3), (8, None)])
def test_a_late_arrival_is_offered_the_table_the_rule_names(client, people, players):
    night = a_room(people)
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    offered = joinable_table(room(night, at=AT))
    assert (offered.players if offered else None) == players
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("board", args=[night.club.slug, night.public_id])).content.decode()
    assert ("Seat at table" in page) == (players is not None)
    if offered:
        desk = [night.club.slug, night.public_id, offered.public_id]
        client.post(reverse("table_join", args=desk), {"member": vera.public_id})
        offered.refresh_from_db()
        assert offered.players == players + 1


def test_a_late_table_is_asked_for_its_hands_until_it_enters_one(client):
    night = a_room(8)
    table = live_tables(night)[0]
    a_game(table, state="playing", hands=1)
    client.force_login(a_user(club=night.club))
    late = AT + SLOW + timedelta(minutes=1)
    ask = reverse("table_nudge", args=[night.club.slug, night.public_id, table.public_id])
    assert not room(night, at=late).tiles[0].is_asked
    answer = client.post(ask)
    assert answer.url == reverse("board", args=[night.club.slug, night.public_id])
    assert room(night, at=late).tiles[0].is_asked
    news = reverse("table_news", args=[table.public_id])
    assert "is waiting for your scores" in client.get(news).content.decode()
    assert table.games.get().hands.update(entered_at=timezone.now()) == 1
    assert not room(night, at=late).tiles[0].is_asked
    assert "is waiting for your scores" not in client.get(news).content.decode()
