"""What is no text reaches no view: NUL and halves of UTF-16 pairs, anywhere in a request."""

import json
from itertools import cycle
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Member
from tests.access_table import PAGES
from tests.builders import a_user
from tests.scene import Scene
from tests.site.test_fuzz import part_of

pytestmark = pytest.mark.django_db
NUL, HALF = "x\x00y", "\ud800"
FORM, AS_JSON = "application/x-www-form-urlencoded", "application/json"


@pytest.fixture
def scene():
    return Scene("standings")


@pytest.fixture
def owner(scene):
    browser = Client(raise_request_exception=False)
    browser.force_login(scene.owner)
    return browser


def multipart(name, value, charset="utf-8"):
    """A form as a browser sends it with a file, in a charset that it may claim."""
    body = part_of(name.encode(), value) + b"--edge--\r\n"
    return {"data": body, "content_type": f"multipart/form-data; boundary=edge; charset={charset}"}


@pytest.mark.sqlite  # refused before any database is asked
def test_no_page_of_a_club_is_given_what_is_no_text(scene, owner):
    """Every third page, in one of four ways, turn by turn: what refuses it knows no page."""
    ways = cycle(
        [
            lambda address: owner.get(address, {"member": NUL}),
            lambda address: owner.get(address, {NUL: "1"}),
            lambda address: owner.post(address, {"member": NUL}),
            lambda address: owner.post(f"{address}?member=%00", {}),
        ]
    )
    answered = {}
    some = sorted(PAGES)[::3]
    for name in some:
        address = reverse(name, kwargs={"slug": scene.club.slug, **PAGES[name].ids(scene)})
        answered[name] = next(ways)(address).status_code
    assert answered == dict.fromkeys(some, 400)


@pytest.mark.parametrize(
    "sent",
    [
        {"data": urlencode({"name": NUL}), "content_type": FORM},
        {"data": urlencode({NUL: "Rose"}), "content_type": FORM},
        multipart("name", NUL.encode()),
        multipart("name", rb"\ud800", charset="unicode_escape"),
        multipart("name", b"Rose", charset="hex"),
        {"data": json.dumps({"name": NUL}), "content_type": AS_JSON},
        {"data": json.dumps({"people": [{"name": HALF}]}), "content_type": AS_JSON},
        {"data": json.dumps({"people": {HALF: 1}}), "content_type": AS_JSON},
    ],
    ids=["value", "name", "multipart", "half", "codec", "JSON", "deep", "key"],
)
def test_it_is_refused_wherever_it_stands(scene, owner, sent):
    before = Member.objects.count()
    answer = owner.generic("POST", reverse("member_add", args=[scene.club.slug]), **sent)
    assert answer.status_code == 400
    assert Member.objects.count() == before


def test_the_answer_names_the_field_on_a_page_of_the_site_and_as_a_part(scene, owner):
    address = reverse("member_add", args=[scene.club.slug])
    page = owner.post(address, {"nick\x00name": "Rose"})
    assert "“nick\ufffdname” contains a character" in page.content.decode()
    part = owner.post(address, {"name": NUL}, headers={"hx-request": "true"})
    assert part.content.decode().lstrip().startswith("<div")


def test_a_cookie_with_it_is_none(client):
    client.force_login(a_user("rose"))
    spoilt = {"Cookie": 'sessionid="aaaaaaaa\\000aaaaaaaa"'}  # as HTTP writes it; read as NUL
    assert client.get(reverse("you")).status_code == 200
    client.cookies.clear()
    assert client.get(reverse("you"), headers=spoilt).status_code == 302


def test_an_address_with_it_is_not_found(scene, owner):
    assert owner.get(f"/c/{scene.club.slug}/s/%00/").status_code == 404


@pytest.mark.parametrize("body", ["{", "[" * 50_000 + r'"\u0000"', r'"\ud83d\ude00"', r'{"a": 1}'])
def test_json_that_is_text_or_no_json_is_left_to_the_view(scene, owner, body):
    address = reverse("member_add", args=[scene.club.slug])
    assert owner.post(address, body, content_type=AS_JSON).status_code == 200


def test_without_the_middleware_it_would_get_in(scene, owner, settings):
    settings.MIDDLEWARE = [m for m in settings.MIDDLEWARE if "TextMiddleware" not in m]
    owner.raise_request_exception = False
    address = reverse("checkin_arrive", args=[scene.club.slug, scene.session.public_id])
    assert owner.post(address, {"member": NUL}).status_code != 400


def test_a_form_of_more_fields_than_the_site_takes_is_refused_in_a_sentence(scene, owner):
    many = {f"field{number}": "1" for number in range(1500)}
    some = sorted(PAGES)[::8]  # one of our own middleware refuses it before any view
    ours = [reverse(n, kwargs={"slug": scene.club.slug, **PAGES[n].ids(scene)}) for n in some]
    others = [reverse(name) for name in ("account_login", "account_signup", "account_email")]
    answers = [owner.generic("POST", to, urlencode(many), FORM) for to in (*ours, *others)]
    for answer in (*answers, owner.post(others[0], many)):
        assert answer.status_code == 400
        assert "more fields than this site takes at once (1000)" in answer.text
        assert "Go back and send it in parts" in answer.text


def test_more_than_the_site_takes_at_once_is_refused_in_a_sentence(client):
    answer = client.post(reverse("account_login"), {"login": "x" * 1_000_001})
    assert answer.status_code == 400
    assert "That is more than this site takes at once." in answer.text
