"""Who does not wish to be named is named nowhere in public (P5, P6): every open page is read."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.access import PUBLIC
from league.members.models import Member
from league.play.actions import record_hand
from tests.access_table import PAGES, Scene
from tests.builders import TEST

pytestmark = pytest.mark.django_db
OPEN = sorted(name for name, page in PAGES.items() if page.least == PUBLIC)
MADE = {"dealer": 0, "contract": {"seat": 1, "trump": "h"}, "outcome": "made"}


@pytest.fixture
def scene():
    """A public club whose people were named by a word that stands nowhere else, with one hand."""
    scene = Scene("standings")
    record_hand(scene.table, MADE, client_id="hand-1", by=TEST, at=timezone.now())
    scene.member  # noqa: B018 - made now, so that the next line renames them too
    for person in scene.club.members.all():
        person.name = f"Zerubbabel Quince{person.pk}"
        person.save()
    return scene


def read(client, scene, name):
    return client.get(reverse(name, kwargs={"slug": scene.club.slug, **PAGES[name].ids(scene)}))


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize(
    ("club_says", "fields"),
    [("full", {"shown": "hidden"}), ("full", {"is_minor": True}), ("hidden", {})],
    ids=["hidden by wish", "under age", "hidden by the club"],
)
def test_a_person_not_to_be_named_is_an_alias_on_every_open_page(
    client, scene, name, club_says, fields
):
    scene.club.names_in_public = club_says
    scene.club.save()
    Member.objects.update(**fields)
    text = read(client, scene, name).content.decode()
    assert "Zerubbabel" not in text
    assert "Quince" not in text


@pytest.mark.parametrize("name", OPEN)
def test_with_initials_no_last_name_is_on_an_open_page(client, scene, name):
    scene.club.names_in_public = "initials"
    scene.club.save()
    assert "Quince" not in read(client, scene, name).content.decode()


def test_the_page_of_a_hidden_person_is_as_if_there_were_none(client, scene):
    page = reverse("member_record", args=[scene.club.slug, scene.member.public_id])
    assert client.get(page).status_code == 200
    Member.objects.update(shown="hidden")
    hidden = client.get(page)
    none = client.get(reverse("member_record", args=[scene.club.slug, "no-such-person"]))
    assert (hidden.status_code, none.status_code) == (404, 404)
    assert hidden.content == none.content


def test_the_names_are_there_for_members_so_that_the_tests_above_can_fail(client, scene):
    client.force_login(scene.owner)
    shown = [name for name in OPEN if "Quince" in read(client, scene, name).content.decode()]
    assert {"session_standings", "game", "member_record", "wall"} <= set(shown)
