"""The API keeps to its own description: schemathesis asks what it allows, and what it does not.

Each operation is asked with the ids of real things, from the same scene: what it did is undone.
`API_EXAMPLES=300 bin/test tests/api/test_described.py` asks longer.
"""

import json
import os

import pytest
import schemathesis
from django.core import signals
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from league.api import callers
from league.limits import Limit
from league.wsgi import site
from tests.api.asking import a_token
from tests.play.hands import write
from tests.scene import Scene

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))
# What is described well may still be against the rules, name a chair this table has not, or give
# a reason that nobody can read.
JUDGED = {"record_hand", "correct_hand", "strike_hand", "rule_penalty", "write_totals"}
JUDGED |= {"confirm_game", "dispute_game", "concede", "check"}
# Described well too, and of nobody, of another format, or at the wrong moment.
JUDGED |= {"make_session", "check_in", "leave", "sit_out", "play_again", "make_league", "make_team"}
JUDGED |= {"draft_round", "publish_round", "make_tournament", "enter_tournament"}
JUDGED |= {"draw_partners", "draw_tournament", "publish_tournament", "make_fixtures"}


@pytest.fixture(autouse=True)
def _one_transaction():
    """The program runs in the test's own transaction, as Django's test client lets it."""
    ends = (signals.request_started, signals.request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    yield
    for signal in ends:
        signal.connect(close_old_connections)


@pytest.fixture
def scene(monkeypatch):
    monkeypatch.setattr(callers, "MAX_PER_MINUTE", 10**9)
    monkeypatch.setattr(callers, "WRONG_TOKENS", Limit(most=10**9, within=600))
    scene = Scene("standings")
    write(scene.table, (0, 3), (1, 3))
    return scene


def ids_in(path, scene):
    """The parts of an address, out of the scene."""
    things = ("member", "ruleset", "season", "session", "game", "table", "tournament")
    ids = {f"{thing}_id": lambda thing=thing: getattr(scene, thing).public_id for thing in things}
    ids["number"] = lambda: 1
    ids["league_id"] = lambda: scene.team_league.public_id
    ids["match_id"] = lambda: scene.team_league.matches.first().public_id
    ids["cup_id"] = lambda: scene.cup.public_id
    return {name: known() for name, known in ids.items() if f"{{{name}}}" in path}


def ask(operation, mode, scene, headers):
    left_out = []
    if operation.definition.raw["operationId"] in JUDGED:
        left_out = [positive_data_acceptance]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(mode, path_parameters=ids_in(operation.path, scene)))
    def as_described(case):
        case.call_and_validate(headers=headers, excluded_checks=left_out)

    with transaction.atomic():
        as_described()
        transaction.set_rollback(True)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_operation_answers_as_it_is_described(mode, scene):
    secret = a_token(scene.club, "organise")
    headers = {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
    described = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", site)
    # NUL is refused by the middleware of all texts. Unknown names are tried in `test_reading`: here
    # some have values that are not sent at all, and what arrives is right.
    described.config.generation.update(allow_x00=False, allow_extra_parameters=False)
    count = 0
    for found in described.get_all_operations():
        operation = found.ok()
        if mode.is_negative and not (operation.query or operation.body):
            continue  # nothing of it can be wrong
        ask(operation, mode, scene, headers)
        count += 1
    assert count > 15


def test_the_description_is_written_out_once(client, monkeypatch):
    client.get("/api/v1/openapi.json")

    def made_again(_schema, **_how):
        pytest.fail("made again")

    monkeypatch.setattr("ninja.openapi.views.Response", made_again)
    monkeypatch.setattr("league.api.interface.json.dumps", made_again)
    answer = client.get("/api/v1/openapi.json")
    assert answer["Content-Type"] == "application/json; charset=utf-8"
    assert answer.json()["info"]["title"] == "Right Bower"


def references(part):
    """Every reference in a part of the description."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = part.values()
    if not isinstance(part, str) and hasattr(part, "__iter__"):
        for child in part:
            yield from references(child)


def test_every_reference_names_a_component_as_generators_of_clients_need_it(client):
    text = client.get("/api/v1/openapi.json").content.decode()
    described = json.loads(text)
    found = set(references(described))
    assert "#/components/schemas/HandRecord" in found
    components = described["components"]
    there = {f"#/components/{kind}/{name}" for kind in components for name in components[kind]}
    assert found <= there
    assert "$defs" not in text
