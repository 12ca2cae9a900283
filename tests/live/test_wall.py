"""The wall: what it shows, to whom, under which names; the paper beside it."""

import re
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from league.live.room import room
from league.members.models import Member
from league.play.actions import call_time
from league.play.auth import table_link
from league.play.models import Game
from league.seating.actions import publish, swap, take_back
from league.seating.queries import live_tables, seating_of
from league.sessions.attendance import arrive, rest
from league.sessions.links import door_link, wall_link
from league.standings.models import Pot
from tests.builders import TEST, a_session, a_user, members_of
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, a_seating_club, published
from tests.standings.played import Sheet, recorded
from tests.tournaments.playing import play

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


def test_no_seat_is_to_be_found_at_a_table_whose_game_is_over(client):
    night = a_room()
    a_game(live_tables(night)[0])
    page = client.get(wall_link(night)).content.decode()
    assert page.count("<small>finished</small></li>") == 4
    assert page.count("<b>2</b></li>") == 4
    Game.objects.update(state="finished")
    page = client.get(wall_link(night)).content.decode()
    assert page.count("<small>finished</small></li>") == 4  # also before it is confirmed
    assert "<b>1</b></li>" not in page


def test_once_a_round_is_unpublished_the_wall_says_new_seats_soon_and_shows_no_old_ones(client):
    night = a_room()
    for table in live_tables(night):
        a_game(table)
    assert b"New seats soon" not in client.get(wall_link(night)).content
    take_back(published(night, seed=2), by=TEST, at=AT)
    page = client.get(wall_link(night)).content.decode()
    assert "New seats soon" in page
    assert "Find your table" not in page


def test_tables_of_two_rounds_say_which_and_the_list_of_names_what_is_new(client):
    night = a_room()
    assert "<small>round 1 ·" not in client.get(wall_link(night)).content.decode()
    one, _other = live_tables(night)
    a_game(one)
    published(night, seed=2, tables=[one])
    page = client.get(wall_link(night)).content.decode()
    assert page.count("<small>round 1 ·") == 1
    assert page.count("<small>new</small> 1</b>") == 4
    assert page.count("<small>new</small>") == 4


def test_lines_of_the_wall_break_neither_within_a_name_nor_after_the_and(client):
    night = a_room(4)
    Member.objects.filter(name="Rose").update(name="Mai-Lin Fox")
    page = client.get(wall_link(night)).content.decode()
    assert re.search("&amp;\xa0Mai-\u2060Lin\xa0F.<|Mai-\u2060Lin\xa0F. &amp;\xa0", page)


def test_only_players_who_have_finished_a_game_are_ranked_on_the_wall(client):
    night = a_room()
    one, other = live_tables(night)
    write(other, (0, 3))
    play(one, Random(1))
    page = client.get(wall_link(night)).content.decode()
    assert page.count('<th scope="row">') == 4


def test_a_list_that_goes_on_says_which_of_its_pages_is_shown(client):
    assert b"page 1 of" not in client.get(wall_link(a_room())).content
    night, _members = a_night(44, a_seating_club(slug="big"))
    published(night)
    page = client.get(wall_link(night)).content
    assert b"page 1 of 2" in page
    assert b"page 2 of 2" in page


def test_a_table_that_calls_the_organiser_still_says_who_deals_first(client):
    night = a_room(4)
    table = live_tables(night)[0]
    table.called_at = AT
    table.save()
    page = client.get(wall_link(night)).content.decode()
    assert "calls the organiser" in page
    assert "deals first" in page


@pytest.mark.parametrize(
    ("people", "words"), [(4, "1 of 1 table finished"), (8, "1 of 2 tables finished")]
)
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
    assert page.count(">page 1 of 2<") == 2  # the tables, and the names


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
        assert f"Table {number} · Round 1" in slip
        assert len(re.findall(r'<th scope="row">\w+ &amp; \w+</th>', slip)) == 2
        assert slip.count("<td></td>") == 4
        assert all(head in slip for head in ("Points", "Initials"))
        assert "Euchres made" not in slip


def test_a_ticket_asks_for_the_euchres_made_where_a_pot_is_won_by_them(client):
    night = a_room()
    client.force_login(a_user(club=night.club))
    pot = {"name": "Euchres", "source": "once", "payout": "most_euchres", "amount": "5.00"}
    Pot.objects.create(club=night.club, session=night, **pot)
    page = client.get(at("print_tickets", night)).content.decode()
    assert page.count("Euchres made") == 2
    assert page.count("<td></td>") == 12


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
    for still_on in (
        "tables finished",
        "Find your table",
        "Round 1",
        'aria-label="Tables"',
    ):
        assert still_on not in page
    night.standings_held = True
    night.save()
    held = client.get(wall_link(night)).content.decode()
    assert "The standings are held until the prize-giving" in held
    assert "Winners" not in held
    assert "Find your table" not in held


def test_standings_printed_before_the_first_game_say_so(client):
    night = a_room()
    client.force_login(a_user(club=night.club))
    assert "No games yet." in client.get(at("print_standings", night)).content.decode()


def published_again(night):
    """The round, unpublished and published with two players of different tables swapped."""
    draft = take_back(night.rounds.get(state="published"), by=TEST, at=AT)
    one, other = (table.current_seats[0].member for table in seating_of(draft))
    swap(draft, one, other, by=TEST)
    publish(draft, by=TEST, at=AT)
    return one, other


def test_a_round_published_again_says_on_the_wall_who_has_moved_and_from_where(client):
    night = a_room()
    assert b"from table" not in client.get(wall_link(night)).content
    one, other = published_again(night)
    page = client.get(wall_link(night)).content.decode()
    assert f"{one.name} from table 1</small>" in page
    assert f"{other.name} from table 2</small>" in page
    assert page.count("from table") == 2
    assert f'<li><span>{one.name}</span><small class="moved">from 1</small><b>2</b>' in page
    client.force_login(a_user("owner", club=night.club))
    board = client.get(at("board", night)).content.decode()
    assert f'<small class="moved">{one.name} from table 1</small>' in board
    write(live_tables(night)[0], (0, 3))  # table 1 plays: its players have found their seats
    page = client.get(wall_link(night)).content.decode()
    assert f"{other.name} from table 2" not in page
    assert f"{one.name} from table 1" in page


def test_a_table_to_which_nearly_everybody_has_moved_says_how_many(client):
    night = a_room()
    draft = take_back(night.rounds.get(state="published"), by=TEST, at=AT)
    one, other = ([seat.member for seat in table.current_seats] for table in seating_of(draft))
    for first, second in zip(one[:3], other[:3], strict=True):
        swap(draft, first, second, by=TEST)
    publish(draft, by=TEST, at=AT)
    page = client.get(wall_link(night)).content.decode()
    assert page.count("3 players have moved here") == 2
    assert page.count('<small class="moved">from ') == 6
    assert "from table" not in page


def test_the_wall_shows_nothing_of_a_change_that_is_not_published_yet(client):
    night = a_room()
    take_back(night.rounds.get(state="published"), by=TEST, at=AT)
    page = client.get(wall_link(night)).content.decode()
    assert "Seats are being changed. Please wait." in page
    assert "Rose" not in page


def test_a_player_s_own_page_says_that_their_table_has_changed(client):
    night = a_room()
    one, _other = published_again(night)
    account = a_user("one", club=night.club, rank="member")
    Member.objects.filter(pk=one.pk).update(user=account)
    client.force_login(account)
    page = client.get(at("session", night)).content.decode()
    assert "Your table has changed: it was table 1." in page
    client.logout()
    client.post(door_link(night), {"member": one.public_id})
    assert "it was table 1." in client.get(f"{door_link(night)}seat").content.decode()
