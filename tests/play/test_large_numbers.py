"""Numbers that are too large: sums that are kept, and what comes in by forms and addresses."""

import importlib

import pytest
from django import forms
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from league.api.urls import api
from league.errors import Refused
from league.play.actions import adjust_score, write_totals
from league.play.actions.rulings import MOST_RULINGS
from league.play.models import Result
from league.standings.queries import session_standings
from tests.api.asking import a_token
from tests.architecture.source import modules
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import write
from tests.scene import Scene

HUGE = (2**31, 10**30)
SMALLEST_STORE = 2**31 - 1


@pytest.mark.django_db
def test_many_adjustments_add_up_to_more_than_a_small_integer_holds():
    table = a_game_table()
    write(table, (0, 3))
    for number in range(60):
        adjust_score(
            table, [999, -999], reason="Agreed", client_id=f"adjust-{number:02}", by=TEST, at=EIGHT
        )
    first, second = Result.objects.filter(game__table=table, position__lt=2).order_by("position")
    assert (first.points, second.points) == (1 + 60 * 999, -60 * 999)
    standings = session_standings(table.session, at=EIGHT)
    totals = [tally.points for games in standings.tallies.values() for tally in games]
    assert (max(totals), min(totals)) == (first.points, second.points)
    call_command("recount", "--check")


@pytest.mark.django_db
@pytest.mark.parametrize("points", [[1000, 0], [0, -1000], [2**31, 0], [10**30, 0], ["5", 0]])
def test_an_organiser_adds_no_more_than_the_form_takes_whoever_asks(points):
    table = a_game_table()
    write(table, (0, 3))
    with pytest.raises(Refused) as refused:
        adjust_score(table, points, reason="x", client_id="adjust-0", by=TEST, at=EIGHT)
    assert list(refused.value.fields) == [f"points{0 if points[0] else 1}"]
    assert not table.games.get().rulings.exists()


@pytest.mark.django_db
def test_there_is_an_end_to_rulings(monkeypatch):
    monkeypatch.setattr("league.play.actions.rulings.MOST_RULINGS", 2)
    table = a_game_table()
    write(table, (0, 3))
    for number in range(2):
        adjust_score(table, [1, 0], reason="x", client_id=f"adjust-{number}", by=TEST, at=EIGHT)
    with pytest.raises(Refused) as refused:
        adjust_score(table, [1, 0], reason="x", client_id="adjust-2", by=TEST, at=EIGHT)
    assert refused.value.code == "many-rulings"
    assert MOST_RULINGS * 999 < SMALLEST_STORE


def whole_numbers():
    """Every whole number that a form asks for, by the form's name and the field's."""
    for name in modules():
        if name.startswith("league.") and "form" in name:
            for one in vars(importlib.import_module(name)).values():
                if isinstance(one, type) and issubclass(one, forms.BaseForm):
                    for field, field_class in getattr(one, "base_fields", {}).items():
                        if isinstance(field_class, forms.IntegerField):
                            yield f"{one.__name__}.{field}", field_class


def test_every_whole_number_of_a_form_has_a_least_and_a_most():
    found = dict(whole_numbers())
    unbounded = {
        name
        for name, one in found.items()
        if one.max_value is None or one.min_value is None or one.max_value > SMALLEST_STORE
    }
    assert found
    assert unbounded == set()


def numbered(patterns, before=""):
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from numbered(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and "<int:" in route and "admin" not in route:
            yield route


@pytest.mark.django_db
@pytest.mark.parametrize("number", HUGE)
def test_a_number_in_an_address_that_nothing_can_have_finds_nothing(number):
    scene = Scene("standings")
    client = Client()
    client.force_login(scene.owner)
    ids = {"slug": "thursday", "public_id": scene.game.public_id}
    ids["table"] = scene.table.public_id
    for route in numbered(get_resolver().url_patterns):
        address = "/" + route
        for kind in ("slug", "str", "int", "kind"):
            for name in ("slug", "public_id", "table", "member", "code"):
                address = address.replace(f"<{kind}:{name}>", ids.get(name, "x"))
        parts = address.split("<int:")
        address = parts[0] + "".join(f"{number}{part.partition('>')[2]}" for part in parts[1:])
        for method in (client.get, client.post):
            assert method(address).status_code < 500, address


@pytest.mark.django_db
@pytest.mark.parametrize("number", HUGE)
def test_a_number_that_a_program_sends_is_judged_and_never_fails(number):
    scene = Scene("standings")
    write(scene.table, (0, 3))
    headers = {"HTTP_AUTHORIZATION": f"Bearer {a_token(scene.club, 'organise')}"}
    client, count = Client(), 0
    for path, methods in api.get_openapi_schema()["paths"].items():
        for place in methods.get("get", {}).get("parameters", []):
            if place["schema"].get("type") != "integer":
                continue
            address = path.replace("{table_id}", scene.table.public_id)
            address = address.replace("{session_id}", scene.session.public_id)
            address = address.replace("{number}", str(number))
            address = address if "{" not in address else "/api/v1/members"
            answer = client.get(address, {place["name"]: number}, **headers)
            assert answer.status_code < 500, (path, place["name"])
            count += 1
    assert count
    totals = f"/api/v1/tables/{scene.table.public_id}/totals"
    sent = {"totals": [number, 0]}
    answer = client.post(totals, sent, content_type="application/json", **headers)
    assert answer.status_code == 422


@pytest.mark.django_db
@pytest.mark.parametrize("number", HUGE)
def test_a_score_too_large_to_keep_is_refused(number):
    table = a_game_table()
    type(table).objects.update(totals_only=True)
    table.refresh_from_db()
    with pytest.raises(Refused):
        write_totals(table, [number, 0], by=TEST, at=EIGHT)
