"""Whoever looks at a page, or asks the API, changes no row of any table; names are text there."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from league.members.models import Member
from league.play.models import Game
from league.sessions.links import calendar_link, door_link, make_calendar_link, wall_link
from tests.access_table import PAGES
from tests.api.asking import Program, a_token
from tests.api.operations import OPERATIONS
from tests.builders import EIGHT, TEST, a_user
from tests.play.hands import write
from tests.scene import Scene
from tests.site.test_attacks import AS_MARKUP, NASTY
from tests.written import written

pytestmark = pytest.mark.django_db
# What may be written by a page that is read, and why.
MAY_WRITE = {
    "tournament_late": {"django_session": "leads back, and the next page says why"},
}
COUNTED = {"league_limitcount", "league_apitoken"}
"""How often a program asks, and the hour it asked last."""

WRONG_LINKS = [
    *("/join/nothing/", "/door/nothing/"),
    *("/accounts/password/reset/key/1-abc-def/", "/accounts/confirm-email/x/"),
]
"""Links that open nothing: their number alone is counted."""


def visitors(club):
    """Who sees least, and who sees most."""
    owner = Client()
    owner.force_login(a_user("an-owner", club=club, rank="owner"))
    return [("nobody", Client()), ("owner", owner)]


def named_nastily(scene):
    """Markup in the name of everything that a page may show."""
    for page in PAGES.values():  # all is made now, so that every page has it to show
        page.ids(scene)
    for seat, nasty in zip(scene.table.seats.all(), NASTY, strict=True):
        Member.objects.filter(pk=seat.member_id).update(name=nasty)
    for thing in (scene.club, scene.session, scene.season):
        thing.name = NASTY[0]
        thing.save()


@pytest.fixture(scope="module")
def scene(club_of_the_module):
    """A club with a game that silence has accepted by now, which nobody has stored yet."""
    with club_of_the_module():
        scene = Scene("standings")
        assert scene.game
        named_nastily(scene)
        write(scene.table, *[(0, 5)] * 5)  # so that there are standings
        late = timezone.now() - timedelta(minutes=1)
        Game.objects.update(state="finished", accept_at=late)
        yield scene


def test_p1_no_page_of_a_club_writes_when_it_is_read_and_markup_in_names_is_text(scene):
    found, unescaped = {}, []
    asking = visitors(scene.club)
    pages = sorted(name for name, page in PAGES.items() if page.method == "get")
    for name in sorted(pages, key=lambda name: name in MAY_WRITE):  # last: the next shows the word
        address = reverse(name, kwargs={"slug": scene.club.slug, **PAGES[name].ids(scene)})
        for who, client in asking:
            with written() as tables:
                answer = client.get(address)
            if not tables <= MAY_WRITE.get(name, {}).keys():
                found[name, who] = tables
            page = answer.text if "html" in answer.get("Content-Type", "") else ""
            unescaped += [(name, who, markup) for markup in AS_MARKUP if markup in page]
    assert found == {}
    assert unescaped == []


def addresses_without_ids(patterns, before="/"):
    for pattern in patterns:
        route = before + str(pattern.pattern).lstrip("^").rstrip("$")
        if isinstance(pattern, URLResolver):
            yield from addresses_without_ids(pattern.url_patterns, route)
        elif not re.search(r"[<(\\]", route):
            yield route


def test_no_page_outside_a_club_writes_when_it_is_read(scene):
    calendar = calendar_link(make_calendar_link(scene.role, by=TEST, at=EIGHT))
    keys = [door_link(scene.session), wall_link(scene.session), calendar]
    others = [f"/t/{scene.table.public_id}/", "/nothing/"]
    addresses = {*addresses_without_ids(get_resolver().url_patterns), *keys, *others, *WRONG_LINKS}
    assert len(addresses) > 30
    found = {}
    for who, client in visitors(scene.club):
        for address in sorted(addresses):
            with written() as tables:
                client.get(address)
            if tables != ({"league_limitcount"} if address in WRONG_LINKS else set()):
                found[who, address] = tables
    assert found == {}


def test_no_question_to_the_api_writes_but_how_often_it_was_asked(scene):
    program, found = Program(a_token(scene.club, "organise")), {}
    for name, one in OPERATIONS.items():
        if one.method == "get":
            address = one.path(scene)
            with written() as tables:
                assert program.get(address).status_code == 200
            if not tables <= COUNTED:
                found[name] = tables
    assert found == {}


def test_a_write_would_be_seen(scene):
    with written() as tables:
        Game.objects.update(state="confirmed")
        scene.club.seasons.create(name="Spring", starts_on=EIGHT.date())
    assert tables == {"league_game", "league_season"}
