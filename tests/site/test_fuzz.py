"""Whatever anybody sends to any address, the site never breaks: no answer is a 500.

RIGHT_BOWER_FUZZ says how many requests (150 without it), RIGHT_BOWER_FUZZ_SEED from which seed.
"""

import os
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.access import LADDER
from league.play.auth import table_code
from league.play.models import Game
from league.sessions.links import calendar_link, door_link, make_calendar_link, wall_link
from tests.builders import EIGHT, TEST, a_user
from tests.play.hands import write
from tests.scene import Scene
from tests.site.fuzzing import Ask, Fuzzer

REQUESTS = int(os.environ.get("RIGHT_BOWER_FUZZ", "150"))
SEED = int(os.environ.get("RIGHT_BOWER_FUZZ_SEED", "1"))
# Of a club's addresses, which test_access.py opens, a third has forms enough for a short run.
LEARNT = 3 if "RIGHT_BOWER_FUZZ" not in os.environ else 1
RANKS = [str(rank) for rank in LADDER]
FIELD_NAMES = """client_id number dealer maker outcome alone tricks trump upcard round auction
    version reason confirm_unlikely hand0 trick1 discard0 renege_by renege_trick by_seat seat
    winners decision points0 points1 total0 total1 form against_lone about_hand word member position
    from_hand name names email username rank is_guest is_minor shown same_name into first second
    kind to seed sizes tables order password login code held_on season round_minutes minutes
    measures slug time_zone seating_policy confirm auto_accept_minutes tricks_entry visibility
    turn preset body who search sort page option target"""
FIELDS = FIELD_NAMES.split()
READERS = {"c": ("owner",), "t": ("phone",), "admin": ("staff",)}


@pytest.fixture
def scene(db):
    scene = Scene("standings")
    write(scene.table, (0, 3), (1, 5), (2, 1))
    return scene


@pytest.fixture
def visitors(scene):
    """A browser for each kind of visitor, the table's phone among them."""
    browsers = {"nobody": Client(), "stranger": Client(), "phone": Client(), "staff": Client()}
    browsers["stranger"].force_login(a_user("stranger"))
    browsers["phone"].post(reverse("table_door"), {"code": table_code(scene.table)})
    staff = a_user("staff")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    browsers["staff"].force_login(staff)
    for rank in RANKS:
        browsers[rank] = Client()
        browsers[rank].force_login(a_user(f"the-{rank}", club=scene.club, rank=rank))
    for browser in browsers.values():
        browser.raise_request_exception = False
    return browsers


def ids_of(scene):
    """True values for the parts of addresses and for fields that name things."""
    calendar = make_calendar_link(scene.role, by=TEST, at=EIGHT)
    return {
        "s": [scene.session.public_id],
        "t": [scene.table.public_id],
        "g": [Game.objects.get().public_id],
        "members": [scene.member.public_id],
        "rulesets": [scene.ruleset.public_id],
        "presets": ["somerset"],
        "seasons": [scene.season.public_id],
        "slug": [scene.club.slug],
        "wall": [wall_link(scene.session).split("/")[-2]],
        "calendar": [calendar_link(calendar).split("/")[-2]],
        "door": [door_link(scene.session).split("/")[-2]],
        "table": [scene.table.public_id],
        "member": [scene.member.public_id],
        "number": ["1", "2", "3", "4"],
        "seat": ["0", "1", "2", "3"],
        "pk": [str(scene.seating_request.pk)],
        "role_id": [str(scene.role.pk)],
        "invitation_id": [str(scene.invitation.pk)],
        "kind": ["csv", "xlsx", "json"],
        "object_id": ["1"],
        "dealer": ["0", "1", "2", "3"],
        "maker": ["0", "1", "passed"],
        "outcome": ["made", "march", "euchred"],
        "client_id": ["fuzz-client-id"],
        "version": ["1"],
    }


def send(browser, ask):
    """Send it and take back what it did, so that every request meets the whole scene."""
    cookies = browser.cookies.output()
    headers = {"HX-Request": "true"} if ask.htmx else {}
    body, kind = body_of(ask)
    with transaction.atomic():
        answer = browser.generic(ask.method.upper(), ask.path, body, kind, headers=headers)
        transaction.set_rollback(True)
    browser.cookies = SimpleCookie(cookies.replace("Set-Cookie: ", ""))
    return answer


def body_of(ask):
    if ask.raw is not None:
        return ask.raw, ask.content_type
    pairs = [(name, value.encode("utf-8", "surrogatepass")) for name, value in ask.body]
    if not ask.content_type.startswith("multipart"):
        return urlencode(pairs), ask.content_type
    parts = [part_of(name.encode(), value) for name, value in pairs]
    parts.append(part_of(b'file"; filename="x.csv', b"\x00\xff,1"))
    return b"".join(parts) + b"--edge--\r\n", "multipart/form-data; boundary=edge"


def part_of(name, value):
    head = b'--edge\r\nContent-Disposition: form-data; name="' + name + b'"\r\n\r\n'
    return head + value + b"\r\n"


@pytest.fixture
def fuzzer(scene, visitors):
    """A fuzzer that has seen pages of a club as its owner, and each other page as whoever it is
    for."""
    fuzzer = Fuzzer(SEED, ids_of(scene), FIELDS)
    addresses = fuzzer.addresses()
    of_the_club = [path for path in addresses if path.startswith("/c/")]
    others = [path for path in addresses if not path.startswith("/c/")]
    for path in (*of_the_club[::LEARNT], *others):
        for who in READERS.get(path.split("/")[1], ("owner", "nobody")):
            answer = send(visitors[who], Ask(who, "get", path))
            assert answer.status_code < 500, path
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                fuzzer.learn(who, path, answer.content.decode())
    return fuzzer


@pytest.mark.django_db
def test_no_request_whatever_breaks_the_site(fuzzer, visitors):
    broken, statuses = [], set()
    for _ in range(REQUESTS):
        ask = fuzzer.ask(list(visitors))
        answer = send(visitors[ask.who], ask)
        statuses.add(answer.status_code)
        if answer.status_code >= 500:
            error = getattr(answer, "exc_info", None)
            broken.append(f"{ask}\n    {answer.status_code} {error and repr(error[1])[:300]}")
    assert not broken, "\n".join(broken[:20]) + f"\n{len(broken)} of {REQUESTS}"
    assert {200, 302, 403, 404, 405, 422} <= statuses  # it gets to where things happen
    assert len({form[1] for form in fuzzer.forms}) > 30


@pytest.mark.django_db
def test_a_page_that_breaks_would_be_seen(scene, visitors, monkeypatch):
    def broken(*args, **kwargs):
        raise ValueError("broken on purpose")

    monkeypatch.setattr("league.play.views.entry.show", broken)
    page = Ask("phone", "get", f"/t/{scene.table.public_id}/")
    assert send(visitors["phone"], page).status_code == 500
