"""An id of another club in any field of any form: nothing of that club is shown, used or changed.

Every form of every page is read, and each of its fields that names something of the club is sent
again with the ids of another club's things. Afterwards no row of a club points into another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import F, Model
from django.test import Client
from django.urls import resolve, reverse

from league.exchange.archive_writing import archived, path_to_club, pointers, rows_of
from league.members.models import ApiToken, Club, Invitation, Role, User
from tests.access_table import PAGES
from tests.scene import Scene
from tests.written import written

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WORD = "Zerubbabel"  # in every name of the other club
THINGS = (
    *("member", "session", "season", "table", "game", "ruleset", "tournament", "drawn_tournament"),
    *("team_league", "cup", "pot", "seating_request", "role", "invitation", "token"),
)
LEFT_OUT = (Role, Invitation, ApiToken)  # of archives, but of the club's


@dataclass
class Form:
    """A form of a page: where it goes, how, and each field with the values it offers."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)


class Forms(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(
                Form(attributes.get("action", ""), attributes.get("method", "get").lower())
            )
        elif tag == "select":
            self.select = attributes.get("name", "")
        elif self.found and tag == "option":
            self.found[-1].fields.append((self.select, attributes.get("value", "")))
        elif self.found and tag in ("input", "button", "textarea") and attributes.get("name"):
            self.found[-1].fields.append((attributes["name"], attributes.get("value", "")))


def with_everything(visibility: str = "standings") -> Scene:
    scene = Scene(visibility)
    for thing in THINGS:
        getattr(scene, thing)
    return scene


def count_from(number: int) -> None:
    """Ids that are no other number of a form: a field with one of them names something."""
    tables = [(model._meta.db_table, number) for model in apps.get_models()]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")
        cursor.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", tables)


@pytest.fixture
def clubs() -> tuple[Scene, Scene]:
    """One's own club and another, each with one of everything; the other's names hold WORD."""
    count_from(1_000_000)
    other = with_everything()
    Club.objects.update(slug="other", name=f"{WORD}s")
    other.club.refresh_from_db()
    for member in other.club.members.all():
        member.name = f"{WORD} {member.name}"
        member.save()
    for one in (*other.club.sessions.all(), *other.club.seasons.all()):
        one.name = f"{WORD} {one.name}"[:60]
        one.save()
    for user in User.objects.all():
        user.username = f"other-{user.username}"
        user.save()
    return with_everything(), other


def ids_in(club: Club) -> dict[str, set[str]]:
    """The ids of the club's things as fields hold them, by model."""
    ids: dict[str, set[str]] = {}
    for model in (*archived(), *LEFT_OUT):
        path = path_to_club(model) if model not in LEFT_OUT else "club"
        rows = model._base_manager.filter(**{path: club.pk})
        ids[model.__name__] = {str(pk) for pk in rows.values_list("pk", flat=True)}
        if any(one.name == "public_id" for one in model._meta.get_fields()):
            ids[model.__name__] |= set(rows.values_list("public_id", flat=True))
    return ids


def rows_in(model: type[Model], club: Club) -> list[dict[str, Any]]:
    rows = model._base_manager.filter(club=club) if model in LEFT_OUT else rows_of(model, club)
    return list(rows.values())


def rows_that_point_into_another_club(models: Iterable[type[Model]]) -> list[str]:
    """Every pointer of these models whose row and whose target are of two clubs."""
    found = []
    for model in models:
        for name, to in pointers(model):
            if model is Club or to is Club:
                continue
            mine, theirs = path_to_club(model), f"{name}__{path_to_club(to)}".removesuffix("__pk")
            rows = model._base_manager.exclude(**{name: None}).exclude(**{theirs: F(mine)})
            found += [f"{model.__name__}.{name} of row {row.pk}" for row in rows]
    return found


def trials(form: Form, own: dict[str, set[str]], other: dict[str, set[str]]) -> Iterator[Any]:
    """What the form sends with each of its fields that names something naming another club's."""
    plain: dict[str, str] = {}
    for name, value in form.fields:
        plain.setdefault(name, value)
    for name in plain:
        offered = {value for key, value in form.fields if key == name}
        for model, ids in own.items():
            if offered & ids:
                strange = sorted(other[model] - ids, key=lambda one: (one.isdigit(), one))
                same_kind = [s for s in strange if s.isdigit() == min(offered & ids).isdigit()]
                yield from ((name, {**plain, name: one}) for one in same_kind[:1])


def forms_of(client: Client, address: str) -> list[Form]:
    page = client.get(address)
    reader = Forms()
    if page.status_code == 200 and "html" in page["Content-Type"]:
        reader.feed(page.content.decode())
    return reader.found


def test_no_field_of_a_form_reaches_into_another_club(clubs):
    scene, other = clubs
    client = Client()
    client.force_login(scene.owner)
    own, theirs = ids_in(scene.club), ids_in(other.club)
    before = {model: rows_in(model, other.club) for model in (*archived(), *LEFT_OUT)}
    tried: set[tuple[str, str]] = set()
    wrong = []
    for name in sorted(n for n, page in PAGES.items() if page.method == "get"):
        address = reverse(name, kwargs={"slug": scene.club.slug, **PAGES[name].ids(scene)})
        for form in forms_of(client, address):
            for changed, data in trials(form, own, theirs):
                action = form.action or address
                order = (resolve(urlsplit(action).path).url_name, changed)
                if order in tried:
                    continue
                tried.add(order)
                with transaction.atomic(), written() as tables:
                    answer = getattr(client, form.method)(action, data, follow=True)
                    shown = WORD in answer.content.decode(errors="replace")
                    changed_models = [model for model in before if model._meta.db_table in tables]
                    harm = rows_that_point_into_another_club(
                        model for model in changed_models if model not in LEFT_OUT
                    ) + [m for m in changed_models if rows_in(m, other.club) != before[m]]
                    if shown or harm:
                        wrong.append((action, changed, data, shown, harm))
                    transaction.set_rollback(True)
    assert wrong == []
    assert len(tried) > 30, sorted(tried)


def test_a_row_that_points_into_another_club_would_be_seen(clubs):
    scene, other = clubs
    other.session.season = scene.season
    other.session.save()
    (found,) = rows_that_point_into_another_club(archived())
    assert found.startswith("Session.season")
