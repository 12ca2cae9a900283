"""Beside and below a player's name in standings: what decided the place, the star, the games."""

import pytest
from django.urls import reverse

from league.members.models import Member
from league.play.models import Game
from tests.builders import a_club, a_session, a_user, members_of
from tests.journeys.test_standings_look import OVERLAPS
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("name", ["Rose", "Bartholomew Featherstonehaugh-Cholmondeley"])
def test_where_a_phone_has_no_room_for_what_decided_it_stands_below_the_names(open_page, name):
    club = a_club(visibility="standings", names_in_public="full")
    members_of(club, 8)
    Member.objects.filter(name="Rose").update(name=name)
    people = tuple(club.members.order_by("pk").values_list("name", flat=True))
    night = a_session(club)
    recorded(night, [Sheet(people[:4], (11, 6, 11, 6)), Sheet(people[4:], (10, 3, 10, 3))])
    page = open_page("phone")
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        below = page.locator(".name small", has_text="on difference").filter(visible=True).count()
        column = page.get_by_text("Diff.", exact=True).filter(visible=True).count()
        assert (below, column) == ((0, 1) if name == "Rose" and width == 390 else (8, 0))


def test_below_a_name_the_games_and_what_decided_stand_side_by_side(open_page):
    club = a_club(visibility="standings", names_in_public="full")
    people = tuple(one.name for one in members_of(club, 8))
    night = a_session(club)
    first, second = Sheet(people[:4], (11, 6, 11, 6)), Sheet(people[4:], (10, 3, 10, 3))
    recorded(night, [first, second, Sheet(people[4:], (4, 10, 4, 10))])
    page = open_page("phone")
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    for width, expected in ((390, 0), (320, 2)):
        page.set_viewport_size({"width": width, "height": 844})
        below = page.locator(".ranked .name > small").filter(visible=True).all_inner_texts()
        assert len(below) == 8
        assert sum("on % won" in text for text in below) == expected
        assert page.locator(".ranked tbody tr").evaluate_all(OVERLAPS) == []


AFTER_ITS_NAME = """star => {
    const name = document.createRange();
    name.selectNodeContents(star.previousSibling);
    const end = [...name.getClientRects()].at(-1);
    const place = star.getBoundingClientRect();
    return [Math.abs(place.left - end.right) < 2, place.top < end.bottom && end.top < place.bottom];
}"""


def test_the_star_of_a_game_not_yet_final_follows_the_last_word_of_its_name(open_page, sign_in):
    club = a_club()
    members_of(club, 4)
    name = "Bartholomew Maximilian Featherstonehaugh-Cholmondeley"
    Member.objects.filter(name="Rose").update(name=name)
    night = a_session(club)
    recorded(night, [Sheet((name, "Ann", "Ted", "Bill"), (10, 6, 10, 6))])
    Game.objects.update(state=Game.State.DISPUTED)
    page = open_page("phone")
    sign_in(page, a_user(club=club))
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    for width in (360, 390, 900, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for star in page.locator(".ranked .provisional").all():
            assert star.evaluate(AFTER_ITS_NAME) == [True, True]
