"""The codes of errors that the API's description and docs/api.md promise are those it answers.

Schemathesis cannot see a wrong promise: every operation that writes may answer 409 and 422, and a
code is promised in prose.
"""

import re

import pytest

from league.api.interface import api
from tests.api.asking import Program, a_token
from tests.api.operations import OPERATIONS, a_hand, an_id, draft_path
from tests.play.hands import made, write
from tests.scene import Scene

pytestmark = pytest.mark.django_db
PROMISE = re.compile(r"\b(\d{3})\s+`([a-z-]+)`")
CODE = re.compile(r"`([a-z]+(?:-[a-z]+)+)`")


def unlikely_hand(scene):
    write(scene.table, (0, 3))
    return a_hand() | {"record": made(dealer=3)}


def name_like_a_players(scene):
    return {"names": [scene.member.name + "e"]}


def name_like_a_teams(scene):
    team = scene.team_league.teams.first()
    return an_id() | {"name": team.name + ".", "names": []}


def new_player_like_another(scene):
    member = scene.team_league.teams.first().players.first().member
    return an_id() | {"name": "Newcomers", "names": [member.name + "e"]}


def older_version_of_the_draft(scene):
    draft_path(scene)
    return {"version": 7}


def no_draft(scene):
    return {"version": 0}


REFUSED_BODIES = {
    ("record_hand", 422, "unlikely"): unlikely_hand,
    ("check_in", 409, "similar-name"): name_like_a_players,
    ("make_team", 409, "team-name-like"): name_like_a_teams,
    ("make_team", 409, "name-like"): new_player_like_another,
    ("publish_round", 409, "draft-changed"): older_version_of_the_draft,
    ("publish_round", 409, "draft-gone"): no_draft,
}


def descriptions():
    """The description of each operation."""
    for methods in api.get_openapi_schema()["paths"].values():
        for operation in methods.values():
            yield operation["operationId"], operation.get("description", "")


def test_every_code_that_an_operation_promises_is_tried_below_with_its_status():
    promised = {
        (name, int(status), code)
        for name, text in descriptions()
        for status, code in PROMISE.findall(text)
    }
    assert promised == REFUSED_BODIES.keys()
    named = {(name, code) for name, text in descriptions() for code in CODE.findall(text)}
    assert named <= {(name, code) for name, _status, code in promised}


@pytest.mark.parametrize(
    "promise", REFUSED_BODIES, ids=lambda promise: f"{promise[0]}-{promise[2]}"
)
def test_an_operation_answers_as_it_promises(promise):
    name, status, code = promise
    scene = Scene("standings")
    path, body = OPERATIONS[name].path(scene), REFUSED_BODIES[promise](scene)
    answer = Program(a_token(scene.club, "organise")).send("post", path, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
