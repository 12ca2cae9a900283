"""The wall: what it shows, to whom, under which names; the paper beside it."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from league.live.room import room
from league.members.models import Member
from league.play.actions import call_time
from league.play.auth import table_link
from league.play.models import Game
from league.seating.queries import live_tables
from league.sessions.actions import start_clock
from league.sessions.attendance import arrive, rest
from league.sessions.links import wall_link
from tests.builders import TEST, a_session, a_user, members_of
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, a_seating_club, published
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db


def at(name, night):
    return reverse(name, args=[night.club.slug, night.public_id])


def a_room(count=8, **club):
    home = a_seating_club()
    for field, value in club.items():
        setattr(home, field, value)
    home.save()
    night, _members = a_night(count, home)
    published(night)
    return night


def scores_on_the_wall(client, night):
    """The scores on the wall that are numbers, as they are marked."""
    return re.findall(r"<em[^>]*>\d+</em>", client.get(wall_link(night)).content.decode())


def test_the_wall_shows_tables_scores_and_everybody_by_name(client):
    night = a_room()
    game = a_game(live_tables(night)[0], state="playing", hands=3)
    game.score = [7, 4]
    game.save()
    page = client.get(wall_link(night)).content.decode()
    assert "<em>7</em>" in page
    assert "hand 4" in page
    assert page.count("<li><span>") == 8
    game.score, game.winners, game.state = [30, 30], [1, 3], Game.State.CONFIRMED  # a bid decided
    game.save()
    assert scores_on_the_wall(client, night) == ["<em>30</em>", '<em class="won">30</em>']


def test_a_first_hand_brings_no_standings_of_zeros_to_the_wall(client):
    night = a_room()
    write(live_tables(night)[0], (0, 3))
    page = client.get(wall_link(night)).content.decode()
    assert "<em>1</em>" in page
    assert "<table" not in page


def test_the_walls_link_needs_no_account_and_the_walls_page_does(client):
    night = a_room()
    assert client.get(wall_link(night)).status_code == 200
    assert client.get(at("wall", night)).status_code == 302


def test_the_wall_of_a_planned_session_waits_for_it(client):
    night = a_session(a_seating_club(), state="planned")
    page = client.get(wall_link(night))
    assert page.status_code == 200
    assert "no longer works" not in page.content.decode()


def test_a_drawn_game_has_no_winner_on_the_wall(client):
    night = a_room(4)
    table = live_tables(night)[0]
    write(table, (0, 5), (1, 5))
    call_time(table, by=TEST, at=AT)
    assert not any(side.won for tile in room(night, at=AT).tiles for side in tile.result)


def test_a_public_club_shows_its_wall_under_the_names_people_allow(client):
    night = a_room(visibility="standings", names_in_public="initials")
    Member.objects.filter(name="Rose").update(name="Rose Winter", shown="hidden")
    Member.objects.filter(name="Ann").update(name="Ann Leclerc")
    page = client.get(at("wall", night)).content.decode()
    assert "Rose" not in page
    assert "Ann L." in page
    assert "Leclerc" not in page


def test_two_short_names_on_one_wall_do_not_read_alike(client):
    night = a_room(names_in_public="hidden")
    for old, new in (("Rose", "Ann Smith"), ("Ann", "Ann Stone"), ("Ted", "Ted Marsh")):
        Member.objects.filter(name=old).update(name=new)
    page = client.get(wall_link(night)).content.decode()
    assert "Ann Sm." in page
    assert "Ann St." in page
    assert "Ted M." in page


def test_a_name_without_a_first_name_is_whole_on_the_wall_of_a_club_that_shows_initials(client):
    night = a_room()
    for old, new in (("Rose", "Mrs. D. Pascoe"), ("Ann", "Old Tom"), ("Ted", "Dave Pryor")):
        Member.objects.filter(name=old).update(name=new)
    page = client.get(wall_link(night)).content.decode()
    assert all(f"<span>{name}</span>" in page for name in ("Mrs. D. Pascoe", "Old Tom", "Dave P."))


def test_in_the_hall_everybody_finds_their_chair(client):
    night = a_room(visibility="standings")
    Member.objects.filter(name="Rose").update(name="Rose Winter", shown="hidden")
    page = client.get(wall_link(night)).content.decode()
    assert "Rose W." in page
    assert "Winter" not in page


def test_the_wall_carries_the_clock(client):
    night = start_clock(a_room(), by=TEST, at=AT, minutes=20)
    page = client.get(wall_link(night)).content.decode()
    assert 'data-ends-at="2026-11-19T19:20:00+00:00"' in page
    assert "data-clock-over hidden>Time!</small>" in page


def test_who_waits_is_found_on_the_wall_in_words(client):
    night = a_room(9)
    table = live_tables(night)[0]
    table.seats.filter(position=0).delete()
    page = client.get(wall_link(night)).content.decode()
    assert page.count("<small>sits out</small>") == 1
    assert "<b>–</b>" not in page


def test_who_chose_to_sit_out_is_on_the_wall_with_the_others_who_do(client):
    night = a_room(9)
    chosen = Member.objects.create(club=night.club, name="Zoe Late")
    arrive(night, chosen, by=TEST, at=AT)
    rest(night, chosen, by=TEST)
    page = client.get(wall_link(night))
    waiting, resting = page.context["waiting"][:-1], page.context["waiting"][-1]
    assert resting == "Zoe L."
    assert page.content.decode().count("<small>sits out</small>") == len(waiting) + 1


def test_a_table_that_calls_the_organiser_still_says_who_deals_first(client):
    night = a_room(4)
    table = live_tables(night)[0]
    table.called_at = AT
    table.save()
    page = client.get(wall_link(night)).content.decode()
    assert "calls the organiser" in page
    assert "deals first" in page


@pytest.mark.parametrize(("people", "words"), [(4, "1 of 1 table done"), (8, "1 of 2 tables done")])
def test_the_foot_counts_one_table_as_one(client, people, words):
    night = a_room(people)
    a_game(live_tables(night)[0])
    assert words in client.get(wall_link(night)).content.decode()


def test_a_wall_with_nothing_on_it_says_what_will_stand_there(client):
    night = a_session(a_seating_club())
    assert b"Tables will appear here" in client.get(wall_link(night)).content


def test_twenty_tables_stand_on_two_panels(client):
    night = a_room(80)
    page = client.get(wall_link(night)).content.decode()
    assert page.count('aria-label="Tables"') == 2


def test_every_table_card_carries_its_own_code(client):
    night = a_room()
    client.force_login(a_user(club=night.club))
    cards = client.get(at("print_cards", night)).context["cards"]
    assert len(cards) == 2
    assert len({card["qr"] for card in cards}) == 2
    assert len({table_link(table) for table in live_tables(night)}) == 2


def test_a_score_sheet_has_a_pip_to_tick_for_every_point(client):
    night = a_room()
    client.force_login(a_user(club=night.club))
    page = client.get(at("print_sheets", night)).content.decode()
    ticks = re.findall(r'<span class="ticks">(.*?)</span>', page)
    assert [row.count("<i>") for row in ticks] == [10] * 4


def test_a_score_sheet_has_a_line_for_every_hand_that_three_players_may_need(client):
    night = a_room(7)  # tables of four and of three
    client.force_login(a_user(club=night.club))
    cards = client.get(at("print_sheets", night)).context["cards"]
    assert sorted(len(card["lines"]) for card in cards) == [20, 28]


def test_the_movement_names_who_chose_to_sit_out(client):
    night = a_room()
    guest = Member.objects.create(club=night.club, name="Zoe Late")
    arrive(night, guest, by=TEST, at=AT)
    rest(night, guest, by=TEST)
    client.force_login(a_user(club=night.club))
    moves = client.get(at("print_movement", night)).context["moves"]
    assert [(m.member.name, m.now) for m in moves if m.now is None] == [("Zoe Late", None)]


def test_a_ticket_has_table_round_both_pairs_and_boxes_to_fill(client):
    night = a_room()
    client.force_login(a_user(club=night.club))
    page = client.get(at("print_tickets", night)).content.decode()
    slips = page.split('<section class="ticket">')[1:]
    assert len(slips) == 2
    for number, slip in enumerate(slips, 1):
        assert f"Table {number} · round 1" in slip
        assert len(re.findall(r'<th scope="row">\w+ &amp; \w+</th>', slip)) == 2
        assert slip.count("<td></td>") == 6
        assert all(head in slip for head in ("Points", "Euchres made", "Initials"))


def test_the_movement_says_from_which_table_to_which(client):
    night = a_room()
    before = {s.member.name: t.number for t in live_tables(night) for s in t.current_seats}
    for table in live_tables(night):
        a_game(table)
    published(night, seed=4)
    now = {s.member.name: t.number for t in live_tables(night) for s in t.current_seats}
    client.force_login(a_user(club=night.club))
    moves = client.get(at("print_movement", night)).context["moves"]
    assert {m.member.name: (m.before, m.now) for m in moves} == {
        name: (before[name], now[name]) for name in now
    }
    assert all(move.partner for move in moves)


def test_the_wall_of_a_closed_session_names_winners_and_final_standings_and_seats_nobody(client):
    night = a_session(a_seating_club())
    members_of(night.club, 4)
    recorded(night, [Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))])
    night.games.update(state="confirmed")
    night.state, night.closed_at = "closed", timezone.now()
    night.save()
    page = client.get(wall_link(night)).content.decode()
    assert page.index("Winners") < page.index("Final standings")
    for still_on in ("tables done", "Find your table", "Round 1", "round 1", 'aria-label="Tables"'):
        assert still_on not in page
    night.standings_held = True
    night.save()
    held = client.get(wall_link(night)).content.decode()
    assert "The standings are held until the prize-giving" in held
    assert "Winners" not in held
    assert "Find your table" not in held


def test_a_short_heading_that_is_a_sign_is_explained_on_the_wall(client):
    night, people = a_night(7, a_seating_club())
    names = tuple(one.name for one in people)
    recorded(night, [Sheet(names[:4], (10, 7, 10, 7)), Sheet(names[4:], (10, 6, 7))])
    published(night)
    page = client.get(wall_link(night)).content.decode()
    assert page.count("± avg. = wins above average") == 1
    assert "Diff. =" not in page


def test_standings_printed_before_the_first_game_say_so(client):
    night = a_room()
    client.force_login(a_user(club=night.club))
    assert "No games yet." in client.get(at("print_standings", night)).content.decode()
