"""Who does not wish to be named is named nowhere in public: every open page is read."""

import re
from copy import copy

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.access import PUBLIC
from league.members.models import Club, Member
from league.play.actions import record_hand
from league.sessions.links import calendar_link, door_link, make_calendar_link
from tests.access_table import PAGES
from tests.api.asking import Program, a_token
from tests.api.operations import OPERATIONS
from tests.builders import TEST
from tests.scene import Scene

pytestmark = pytest.mark.django_db
OPEN = sorted(name for name, page in PAGES.items() if page.least == PUBLIC)
MADE = {"dealer": 0, "contract": {"seat": 1, "trump": "h"}, "outcome": "made"}


@pytest.fixture(scope="module")
def quinces(club_of_the_module):
    """A public club whose people were named by a word that stands nowhere else, with one hand."""
    with club_of_the_module():
        scene = Scene("standings")
        record_hand(scene.table, MADE, client_id="hand-1", by=TEST, at=timezone.now())
        for page in PAGES.values():  # all is made now, so that the next line renames everybody
            page.ids(scene)
        for person in scene.club.members.all():
            person.name = f"Zerubbabel Quince{person.pk}"
            person.save()
        yield scene


@pytest.fixture
def scene(quinces):
    own = copy(quinces)
    own.club = Club.objects.get()
    return own


def read(client, scene, name):
    return client.get(reverse(name, kwargs={"slug": scene.club.slug, **PAGES[name].ids(scene)}))


def named_in(answer, word="zerubbabel|quince"):
    return re.search(word, answer.content.decode() + str(answer.headers), re.I)


def addresses(scene):
    """Every open page of the club, as the public asks for it."""
    slug = {"slug": scene.club.slug}
    return {name: reverse(name, kwargs=slug | PAGES[name].ids(scene)) for name in OPEN}


@pytest.mark.parametrize(
    ("choice", "word"), [("hidden", "zerubbabel|quince"), ("initials", "quince")]
)
def test_no_open_page_names_more_of_a_person_than_the_club_chose(client, scene, choice, word):
    Club.objects.update(names_in_public=choice)
    assert [name for name, at in addresses(scene).items() if named_in(client.get(at), word)] == []


def nobody_named(scene):
    """Somebody under age and somebody who wishes to be hidden, turn by turn; the club is open."""
    Club.objects.update(names_in_public="full")
    for number, person in enumerate(scene.club.members.order_by("pk")):
        person.shown, person.is_minor = ("hidden", False) if number % 2 else ("club", True)
        person.save()


def test_who_is_hidden_or_under_age_is_one_alias_on_every_open_page(client, scene):
    nobody_named(scene)
    pages = {name: client.get(at) for name, at in addresses(scene).items()}
    assert [name for name, page in pages.items() if named_in(page)] == []
    aliases = {f"Player {person.alias_code}" for person in scene.club.members.all()}
    named = {
        alias: name
        for name, page in pages.items()
        for alias in re.findall(r"Player [A-Z]+\b\.?(?=[ ,<])", page.content.decode())
    }
    assert named.keys() & aliases
    assert {alias: name for alias, name in named.items() if alias not in aliases} == {}


def test_no_part_of_a_page_no_link_and_no_answer_of_the_api_names_them(client, scene):
    nobody_named(scene)
    calendar = calendar_link(make_calendar_link(scene.role, by=TEST, at=timezone.now()))
    addresses_asked = [door_link(scene.session), calendar, reverse("home"), "/api/"]
    every = "?sort=name&page=1&show=all&season=all"
    addresses_asked += [address + every for address in addresses(scene).values()]
    part = {"HX-Request": "true"}
    assert [one for one in addresses_asked if named_in(client.get(one, headers=part))] == []
    program = Program(a_token(scene.club, "public"))
    answers = {path: program.get(path) for path in questions(scene)}
    assert [path for path, answer in answers.items() if named_in(answer)] == []


def questions(scene):
    return [one.path(scene) for one in OPERATIONS.values() if one.method == "get"]


def test_nothing_of_a_hidden_name_shows_in_the_order_of_a_list_or_in_a_search(scene):
    """Hidden people get each other's names, and no page and no answer changes by a letter."""
    nobody_named(scene)
    program, paths = Program(a_token(scene.club, "public")), questions(scene)
    queries = {b'name="q"': "?q=zerubbabel", b"sort=": "?sort=name"}  # where a page offers them

    def read(pages):
        answers = {path: without_token(Client().get(path).content) for path in pages}
        return answers | {path: program.get(path).content for path in paths}

    with time_machine.travel(timezone.now(), tick=False):
        before = read(asked := list(addresses(scene).values()))
        offered = [
            (at, query) for at in asked for offer, query in queries.items() if offer in before[at]
        ]
        assert {query for _at, query in offered} == {*queries.values()}
        more = [at + query for at, query in offered]
        before |= read(more)
        people = list(scene.club.members.order_by("pk"))
        for person, other in zip(people, [*people[1:], people[0]], strict=True):
            Member.objects.filter(pk=person.pk).update(name=other.name, name_key=other.name_key)
        after = read(asked + more)
    assert [path for path in before if before[path] != after[path]] == []


def without_token(content):
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)


def test_the_page_of_a_hidden_person_is_as_if_there_were_none(client, scene):
    page = reverse("member_record", args=[scene.club.slug, scene.member.public_id])
    assert client.get(page).status_code == 200
    Member.objects.update(shown="hidden")
    hidden = client.get(page)
    none = client.get(reverse("member_record", args=[scene.club.slug, "no-such-person"]))
    assert (hidden.status_code, none.status_code) == (404, 404)
    assert hidden.content == none.content


def test_no_link_of_the_standings_leads_to_a_page_that_the_reader_cannot_see(client, scene):
    name = "session_standings"
    player = Member.objects.filter(results__session=scene.session).first()
    record = reverse("member_record", args=[scene.club.slug, player.public_id])
    assert record in read(client, scene, name).text
    Member.objects.filter(pk=player.pk).update(shown="hidden")
    assert record not in read(client, scene, name).text
    client.force_login(scene.owner)
    assert record in read(client, scene, name).text


def test_the_names_are_there_for_members_so_that_the_tests_above_can_fail(client, scene):
    client.force_login(scene.owner)
    shown = [name for name in OPEN if "Quince" in read(client, scene, name).content.decode()]
    assert {"session_standings", "game", "member_record", "wall"} <= set(shown)
