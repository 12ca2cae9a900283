"""Every kind of key of the site: what opens while it is good, and nothing at once when it is not.

A line of `KINDS` makes a key and asks with it, a line of `ENDS` ends the right behind it. A key
that was good once is answered as one that never was.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.actions.roles import (
    invite,
    make_token,
    remove_role,
    revoke_token,
    withdraw_invitation,
)
from league.members.audit import Actor
from league.members.models import ApiToken, Invitation, Role, User
from league.play.auth import table_code
from league.seating.actions import replace_code
from league.seating.models import Round
from league.sessions import actions
from league.sessions.links import (
    SHOWN_AFTER_CLOSING,
    calendar_link,
    door_link,
    make_calendar_link,
    revoke_calendar_link,
    wall_link,
)
from tests.builders import TEST, a_user
from tests.scene import Scene

pytestmark = pytest.mark.django_db
WORD = "Zebedee"  # stands in the session's name: whoever reads it was let in
Ask = Callable[[str], Any]


def end_of(link: str) -> str:
    return link.strip("/").split("/")[1]


def get(name: str) -> Ask:
    return lambda key: Client().get(reverse(name, args=[key]), follow=True)


def scan(key: str) -> Any:
    """The table's code, posted by the page at `/t/`, and the page it leads to."""
    return Client().post("/t/", {"code": key}, follow=True)


def arrive(key: str) -> Any:
    return Client().post(reverse("door", args=[key]), {"name": "Vera"}, follow=True)


def bearer(path: str) -> Ask:
    return lambda key: Client().get(path, headers={"Authorization": f"Bearer {key}"})


def the_reader(scene: Scene) -> Role:
    role = Role.objects.filter(user__username="reader").first()
    return role or Role.objects.get(user=a_user("reader", club=scene.club, rank="organiser"))


def a_token(scene: Scene) -> str:
    by = Actor("reader", the_reader(scene).user)
    return make_token(scene.club, name="Screen", scope="read", by=by, at=timezone.now())[1]


def a_link_to_the_calendar(scene: Scene) -> str:
    role = make_calendar_link(the_reader(scene), by=TEST, at=timezone.now())
    return end_of(calendar_link(role))


def an_invitation(scene: Scene) -> str:
    by = Actor("reader", the_reader(scene).user)
    return invite(scene.club, rank="member", by=by, at=timezone.now())[1]


def a_cookie(scene: Scene) -> str:
    """What a phone carries that has scanned the code."""
    client = Client()
    client.post("/t/", {"code": table_code(scene.table)})
    return str(client.cookies["table"].value)


def with_cookie(scene: Scene) -> Ask:
    def ask(key: str) -> Any:
        client = Client()
        client.cookies["table"] = key
        return client.get(reverse("table_entry", args=[scene.table.public_id]))

    return ask


@dataclass(frozen=True)
class Kind:
    """How one kind of key is made and asked with, and the status of one that opens nothing."""

    make: Callable[[Scene], str]
    ask: Callable[[Scene], Ask]
    ends: tuple[str, ...]
    shut: int = 403
    garbage: tuple[str, ...] = field(default=("x", "x.1:y", "é", "1.1:" + "A" * 43))


SESSION_ENDS = ("closed", "cancelled")
ROLE_ENDS = ("role taken", "account off")
TABLE_ENDS = ("code replaced", "seats taken back", *SESSION_ENDS)
KINDS = {
    "table code": Kind(lambda s: table_code(s.table), lambda s: scan, TABLE_ENDS),
    "table cookie": Kind(a_cookie, with_cookie, TABLE_ENDS),
    "table code at the API": Kind(
        lambda s: table_code(s.table),
        lambda s: bearer(f"/api/v1/tables/{s.table.public_id}"),
        (*TABLE_ENDS,),
        401,
    ),
    "door": Kind(
        lambda s: end_of(door_link(s.session)), lambda s: get("door"), ("renewed", *SESSION_ENDS)
    ),
    "door, coming in": Kind(
        lambda s: end_of(door_link(s.session)), lambda s: arrive, ("renewed", *SESSION_ENDS)
    ),
    "wall": Kind(
        lambda s: end_of(wall_link(s.session)),
        lambda s: get("wall_shown"),
        ("renewed", "closed days ago", "cancelled"),
    ),
    "calendar": Kind(
        a_link_to_the_calendar,
        lambda s: get("calendar_feed"),
        ("link stopped", "link replaced", *ROLE_ENDS),
    ),
    "token": Kind(
        a_token,
        lambda s: bearer(f"/api/v1/sessions/{s.session.public_id}"),
        ("token revoked", "rank lowered", *ROLE_ENDS),
        401,
        ("x", "rb_", "rb_" + "A" * 43),
    ),
    "invitation": Kind(
        an_invitation,
        lambda s: get("invitation_link"),
        ("withdrawn", "used", "too old", "rank lowered", *ROLE_ENDS),
        404,
        ("x", "A" * 32),
    ),
}


def lower(scene: Scene) -> None:
    Role.objects.filter(pk=the_reader(scene).pk).update(rank="scorekeeper")


def renew(scene: Scene) -> None:
    actions.revoke_door(scene.session, by=TEST)
    actions.revoke_wall(scene.session, by=TEST)


def unpublish(scene: Scene) -> None:
    Round.objects.filter(pk=scene.table.round_id).update(state=Round.State.WITHDRAWN)


ENDS: dict[str, Callable[[Scene], Any]] = {
    "code replaced": lambda s: replace_code(s.table, by=TEST),
    "seats taken back": unpublish,
    "closed": lambda s: actions.close_session(s.session, by=TEST, at=timezone.now()),
    "closed days ago": lambda s: actions.close_session(
        s.session, by=TEST, at=timezone.now() - SHOWN_AFTER_CLOSING
    ),
    "cancelled": lambda s: actions.cancel_session(s.session, by=TEST, at=timezone.now()),
    "renewed": renew,
    "link stopped": lambda s: revoke_calendar_link(the_reader(s), by=TEST),
    "link replaced": a_link_to_the_calendar,
    "token revoked": lambda s: revoke_token(ApiToken.objects.get(), by=TEST, at=timezone.now()),
    "rank lowered": lower,
    "role taken": lambda s: remove_role(the_reader(s), by=TEST, at=timezone.now()),
    "account off": lambda s: User.objects.filter(username="reader").update(is_active=False),
    "withdrawn": lambda s: withdraw_invitation(
        Invitation.objects.get(), by=TEST, at=timezone.now()
    ),
    "used": lambda s: Invitation.objects.update(used_at=timezone.now(), used_by=s.owner),
    "too old": lambda s: Invitation.objects.update(
        expires_at=timezone.now() - timedelta(seconds=1)
    ),
}


@pytest.fixture
def scene() -> Scene:
    scene = Scene("members")
    scene.session.name = WORD
    scene.session.save()
    scene.club.name = f"{WORD}'s"
    scene.club.save()
    assert scene.game
    return scene


def shown_by(answer: Any) -> tuple[Any, ...]:
    """What an answer reveals: all of it, but for the address that was asked and a form's token."""
    text = answer.content.decode()
    path = answer.request["PATH_INFO"]
    return answer.status_code, [
        line for line in text.replace(path, "").splitlines() if "csrf" not in line
    ]


@pytest.mark.parametrize("name", KINDS)
def test_a_good_key_opens(scene, name):
    kind = KINDS[name]
    answer = kind.ask(scene)(kind.make(scene))
    assert answer.status_code == 200
    assert WORD in answer.content.decode() or "table" in name


CASES = [(name, end) for name, kind in KINDS.items() for end in kind.ends]


@pytest.mark.parametrize(("name", "end"), CASES)
def test_a_key_opens_nothing_from_the_moment_its_right_ends(scene, name, end):
    """It looks like no key at all; but a table's phone reads that its session is over, or that
    other people sit there now."""
    kind = KINDS[name]
    key, ask = kind.make(scene), kind.ask(scene)
    assert ask(key).status_code == 200
    ENDS[end](scene)
    answer = ask(key)
    assert answer.status_code == kind.shut
    assert WORD not in answer.content.decode()
    if name in ("table code", "table cookie") and end in SESSION_ENDS:
        assert "The organiser has closed this session." in answer.content.decode()
        assert "/standings/" not in answer.content.decode()  # of a club that is not public
        own = reverse("table_standings", args=[scene.table.public_id])
        assert (own in answer.content.decode()) == (end == "closed")
        type(scene.club).objects.filter(pk=scene.club.pk).update(visibility="standings")
        address = reverse("session_standings", args=[scene.club.slug, scene.session.public_id])
        assert address in ask(key).content.decode()
    elif name == "table cookie" and end == "seats taken back":
        assert "The seats at this table have changed." in answer.content.decode()
        assert "data-table-id" not in answer.content.decode()  # nothing can be entered
    else:
        assert shown_by(answer) == shown_by(ask(kind.garbage[-1]))


@pytest.mark.parametrize("name", KINDS)
def test_what_is_no_key_opens_nothing(scene, name):
    kind = KINDS[name]
    ask, good = kind.ask(scene), kind.make(scene)
    changed = good[:-1] + ("A" if good[-1] != "A" else "B")
    typed = name in ("wall", "door", "door, coming in")  # by hand, in any case
    swapped = "x" if typed else good.swapcase()
    for key in (*kind.garbage, changed, swapped, good[:-1], good + "A"):
        answer = ask(key)
        assert answer.status_code == kind.shut, key
        assert WORD not in answer.content.decode()


@pytest.mark.parametrize("name", KINDS)
def test_a_key_of_one_kind_opens_no_other(scene, name):
    key = KINDS[name].make(scene)
    for other, kind in KINDS.items():
        if (name, other) == ("token", "table code at the API"):
            continue  # a club's token reads its tables too
        if other.partition(" ")[0].strip(",") != name.partition(" ")[0].strip(","):
            answer = kind.ask(scene)(key)
            assert answer.status_code in (kind.shut, 403), other
            assert WORD not in answer.content.decode(), other


@pytest.mark.parametrize("name", KINDS)
def test_no_key_is_kept_in_the_database(scene, name):
    """A backup opens nothing: of what is kept only hashes and numbers of versions."""
    kind = KINDS[name]
    key = kind.make(scene)
    kind.ask(scene)(key)
    secret = key.rpartition(":")[2].removeprefix("rb_")
    rows = [row for model in apps.get_models() for row in model._base_manager.values_list()]
    assert not [row for row in rows if secret[:12] in repr(row)]


def test_an_answer_to_a_key_leads_to_no_other_site_and_is_kept_by_nobody(scene):
    for kind in KINDS.values():
        answer = kind.ask(scene)(kind.make(scene))
        assert all(address.startswith("/") for address, _ in getattr(answer, "redirect_chain", ()))
        assert answer["Referrer-Policy"] in ("strict-origin", "same-origin", "no-referrer")
        assert "no-store" in answer["Cache-Control"] or "private" in answer["Cache-Control"]


def test_an_organiser_replaces_a_tables_code_on_its_page(scene):
    client, table = Client(), scene.table
    client.force_login(scene.owner)
    old, at = table_code(table), [scene.club.slug, scene.session.public_id, table.public_id]
    client.post(reverse("table_new_code", args=at), follow=True)
    table.refresh_from_db()
    assert [scan(code).status_code for code in (old, table_code(table))] == [403, 200]
    assert scene.session.audit.filter(action="replace table code").count() == 1
