"""Two people whose short names read alike are told apart wherever both are listed in public."""

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Member
from league.play.actions import call_time, confirm_game
from league.sessions.links import door_link
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import write

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


def test_in_the_answers_of_the_api(night):
    program, code = Program(a_token(night.club, "public")), night.public_id
    ted = Member.objects.get(name="Ted Marsh").public_id
    game = night.games.get().public_id
    about = ["standings", "rounds", "games"]
    paths = [f"/sessions/{code}/{one}" for one in about]
    for path in (*paths, f"/games/{game}", "/ratings", f"/members/{ted}/play"):
        text = program.get(path).content.decode()
        assert all(name in text for name in APART), (path, text[:200])
