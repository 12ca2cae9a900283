"""Two people whose names read alike are told apart wherever both are listed."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.live.room import room
from league.members.models import Member
from league.play.actions import call_time, confirm_game
from league.seating.queries import live_tables
from league.sessions.attendance import arrive
from league.sessions.links import door_link
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_game_table, a_ruleset, a_table, a_user
from tests.play.hands import write
from tests.seating.nights import AT, a_night, published

pytestmark = pytest.mark.django_db
APART = ("Ann Sm.", "Ann St.")


@pytest.fixture
def night():
    table = a_game_table()
    club = table.session.club
    club.visibility, club.names_in_public, club.shows_ratings = "standings", "initials", True
    club.save()
    for old, new in (("Rose", "Ann Smith"), ("Ann", "Ann Stone"), ("Ted", "Ted Marsh")):
        Member.objects.filter(name=old).update(name=new, name_key=new.casefold())
    write(table, (0, 3), (1, 5))
    call_time(table, by=TEST, at=EIGHT)
    confirm_game(table, by=TEST, at=EIGHT)
    return table.session


def test_on_public_pages_and_in_files(night):
    slug, ted = night.club.slug, Member.objects.get(name="Ted Marsh").public_id
    pages = [
        reverse("ratings", args=[slug]),
        reverse("member_compare", args=[slug, ted]),
        reverse("member_record", args=[slug, ted]),
        reverse("session_hands", args=[slug, night.public_id, "csv"]),
        reverse("session_results", args=[slug, night.public_id, "csv"]),
        door_link(night),
    ]
    night.attendances.all().delete()  # the door lists who is not here yet
    for page in pages:
        answer = Client().get(page)
        assert answer.status_code == 200, page
        assert all(name in answer.content.decode() for name in APART), page


@pytest.mark.parametrize("page", ["member_record", "member_games"])
def test_a_players_own_pages_name_them_as_the_standings_do(night, page):
    ann = Member.objects.get(name="Ann Smith").public_id
    text = Client().get(reverse(page, args=[night.club.slug, ann])).content.decode()
    assert re.search(r"<title>[^<]*Ann Sm\.", text)
    assert "Ann S." not in text


def test_a_list_of_some_of_the_games_names_players_as_the_list_of_all_does(night):
    club = night.club
    others = [Member.objects.create(club=club, name=name) for name in ("Ann Snow", "Joan")]
    duel = a_table(night, others, a_ruleset(club, "nanaimo-two-handed"))
    write(duel, (0, 3))
    page = reverse("games_table", args=[club.slug, night.public_id])
    for query in ({}, {"size": 2}):
        assert "Ann Sn." in Client().get(page, query).content.decode(), query


def test_in_the_answers_of_the_api(night):
    program, code = Program(a_token(night.club, "public")), night.public_id
    ted = Member.objects.get(name="Ted Marsh").public_id
    game = night.games.get().public_id
    about = ["standings", "rounds", "games"]
    paths = [f"/sessions/{code}/{one}" for one in about]
    for path in (*paths, f"/games/{game}", "/ratings", f"/members/{ted}/play"):
        text = program.get(path).content.decode()
        assert all(name in text for name in APART), (path, text[:200])


PAGES_WITH_NAMES = (
    "checkin", "seating", "certificate", "board", "final_scores", "print_chart", "wall",
)  # fmt: skip


def a_room_of_namesakes(*names):
    """Two tables; each of these names is at a table of its own. Stored as they would be."""
    night, _members = a_night(8)
    published(night)
    for table, name in zip(live_tables(night), names, strict=True):
        member = table.current_seats[0].member
        member.name = name
        member.save()
    return night


def test_two_players_of_one_name_have_the_same_numbers_on_every_page(client):
    night = a_room_of_namesakes("Mary", "Mary")
    tables = sorted(live_tables(night), key=lambda table: table.current_seats[0].member_id)
    numbers = {table.pk: f"Mary {number}" for number, table in enumerate(tables, 1)}
    client.force_login(a_user(club=night.club))
    for page in PAGES_WITH_NAMES:
        text = client.get(reverse(page, args=[night.club.slug, night.public_id])).content.decode()
        for name in numbers.values():
            assert name in text.replace("\xa0", " "), page
    for table in tables:
        text = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
        assert numbers[table.pk] in text
        assert not re.search(r">Mary<|Mary &", text)


def test_two_players_of_one_name_are_numbered_among_the_games_to_decide(client):
    night = a_room_of_namesakes("Mary", "Mary")
    for table in live_tables(night):
        write(table, (0, 3))
    client.force_login(a_user(club=night.club))
    text = client.get(reverse("disputes", args=[night.club.slug, night.public_id])).text
    assert all(f"Mary {number}" in text for number in (1, 2))


def test_a_name_keeps_its_number_on_an_evening_without_the_first_of_that_name():
    night, _members = a_night(6)
    Member.objects.create(club=night.club, name="Mary")
    for _number in range(2):
        arrive(night, Member.objects.create(club=night.club, name="Mary"), by=TEST, at=AT)
    published(night)
    names = [seat.scored_name for tile in room(night, at=AT).tiles for seat in tile.current_seats]
    assert {"Mary 2", "Mary 3"} <= {*names}


def test_the_phone_of_a_table_names_its_players_as_the_board_and_the_final_scores_do(client):
    night = a_room_of_namesakes("Mary", "Mary Kay")
    table = live_tables(night)[1]
    client.force_login(a_user(club=night.club))
    scores = reverse("final_scores", args=[night.club.slug, night.public_id])
    for page in (scores, reverse("table_entry", args=[table.public_id])):
        assert "Mary K." in client.get(page).content.decode()
