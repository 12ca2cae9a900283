"""The API conforms to its own description, checked by schemathesis with valid and invalid input.

Each operation gets the ids of objects that exist, in the same scene: its changes are rolled back.
`API_EXAMPLES=300 bin/test tests/api/test_described.py` tries more examples.
"""

import json
import os

import pytest
import schemathesis
from django.core import signals
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from league.api import callers
from league.limits import Limit
from league.wsgi import site
from tests.api.asking import a_token
from tests.play.hands import write
from tests.scene import Scene

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))
# Input that fits the description may still break the rules, name a seat that the table does not
# have, or give an unreadable reason.
MAY_REFUSE = {"record_hand", "correct_hand", "strike_hand", "rule_penalty", "write_totals"}
MAY_REFUSE |= {"confirm_game", "dispute_game", "concede", "check"}
# Or it may name an unknown player, belong to another format, or come at the wrong moment.
MAY_REFUSE |= {
    "make_session",
    "check_in",
    "leave",
    "sit_out",
    "play_again",
    "make_league",
    "make_team",
}
MAY_REFUSE |= {"draft_round", "publish_round", "make_tournament", "enter_tournament"}
MAY_REFUSE |= {"draw_partners", "draw_tournament", "publish_tournament", "make_fixtures"}


@pytest.fixture(autouse=True)
def _one_transaction():
    """Keep requests in the test's own transaction, as Django's test client does."""
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
    """The parameters of a path, from the scene."""
    names = ("member", "ruleset", "season", "session", "game", "table", "tournament")
    ids = {f"{name}_id": lambda name=name: getattr(scene, name).public_id for name in names}
    ids["number"] = lambda: 1
    ids["league_id"] = lambda: scene.team_league.public_id
    ids["match_id"] = lambda: scene.team_league.matches.first().public_id
    ids["cup_id"] = lambda: scene.cup.public_id
    return {name: get_id() for name, get_id in ids.items() if f"{{{name}}}" in path}


def check(operation, mode, scene, headers):
    excluded_checks = [ignored_auth]  # test_isolation.py asks every operation without a token
    if operation.definition.raw["operationId"] in MAY_REFUSE:
        excluded_checks.append(positive_data_acceptance)

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(mode, path_parameters=ids_in(operation.path, scene)))
    def as_described(case):
        case.call_and_validate(headers=headers, excluded_checks=excluded_checks)

    with transaction.atomic():
        as_described()
        transaction.set_rollback(True)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_operation_conforms_to_its_description(mode, scene):
    secret = a_token(scene.club, "organise")
    headers = {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
    described = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", site)
    # NUL is refused by a middleware. Unknown parameters are tried in `test_reading`: here some of
    # them have values that are not sent at all, so that the request is valid.
    described.config.generation.update(allow_x00=False, allow_extra_parameters=False)
    count = 0
    for result in described.get_all_operations():
        operation = result.ok()
        if mode.is_negative and not (operation.query or operation.body):
            continue  # it has no input that could be invalid
        check(operation, mode, scene, headers)
        count += 1
    assert count > 15


def test_the_description_is_serialised_once(client, monkeypatch):
    client.get("/api/v1/openapi.json")

    def serialise_again(_schema, **_options):
        pytest.fail("serialised again")

    monkeypatch.setattr("ninja.openapi.views.Response", serialise_again)
    monkeypatch.setattr("league.api.interface.json.dumps", serialise_again)
    answer = client.get("/api/v1/openapi.json")
    assert answer["Content-Type"] == "application/json; charset=utf-8"
    assert answer.json()["info"]["title"] == "Right Bower"


def references(part):
    """All references in a part of the description."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = part.values()
    if not isinstance(part, str) and hasattr(part, "__iter__"):
        for child in part:
            yield from references(child)


def test_every_reference_is_to_a_component_as_client_generators_require(client):
    text = client.get("/api/v1/openapi.json").content.decode()
    described = json.loads(text)
    found = set(references(described))
    assert "#/components/schemas/HandRecord" in found
    components = described["components"]
    known = {f"#/components/{kind}/{name}" for kind in components for name in components[kind]}
    assert found <= known
    assert "$defs" not in text
