"""Which callers each operation accepts: tokens of every scope, codes of tables, other clubs."""

from itertools import cycle

import pytest
from django.db import transaction
from django.utils import timezone

from league.api.interface import api
from league.members.actions.roles import revoke_token
from league.members.models import ApiToken, LimitCount, Role, User
from league.play.auth import table_code
from tests.api.asking import Program, a_token
from tests.api.operations import OPERATIONS, SCOPES
from tests.builders import TEST, a_club
from tests.play.hands import write
from tests.scene import Scene

pytestmark = pytest.mark.django_db
DONE = {200, 201, 409, 422}
WITH_IDS = sorted(
    n
    for n, operation in OPERATIONS.items()
    if operation.path.__qualname__.startswith(("with_id", "in_league", "draft_path"))
)


def send(program, operation, scene):
    """Send a request and roll back its changes: closing a session would end its tables' codes."""
    body = operation.body(scene) if operation.body else None
    path = operation.path(scene)
    with transaction.atomic():
        answer = program.send(operation.method, path, body)
        transaction.set_rollback(True)
    return answer


def expected(operation, scope, visibility):
    if scope == "table":
        return DONE if operation.table else {403}
    if scope == "public" and (operation.least != "public" or visibility == "members"):
        return {403}
    return DONE if SCOPES.index(scope) >= SCOPES.index(operation.least) else {403}


def test_the_table_has_all_operations_and_no_others():
    described = api.get_openapi_schema()["paths"].values()
    ids = {operation["operationId"] for methods in described for operation in methods.values()}
    assert ids == set(OPERATIONS)


@pytest.mark.parametrize("visibility", ["members", "standings"])
def test_each_operation_accepts_only_the_callers_that_it_should(visibility):
    scene = Scene(visibility)
    write(scene.table, (0, 3), at=timezone.now())
    programs = {scope: Program(a_token(scene.club, scope)) for scope in SCOPES}
    programs["table"] = Program(table_code(scene.table))
    if visibility == "standings":  # matters to the public only
        programs = {"public": programs["public"]}
    wrong = {
        (name, scope): answer.status_code
        for name, operation in OPERATIONS.items()
        for scope, program in programs.items()
        if (answer := send(program, operation, scene)).status_code
        not in expected(operation, scope, visibility)
    }
    assert wrong == {}


def test_a_missing_or_wrong_token_gets_401():
    scene = Scene("standings")
    secrets = cycle((None, "rb_wrong", "", "x" * 5000, f"{scene.table.public_id}.1:forged"))
    for operation in (*OPERATIONS.values(), *list(OPERATIONS.values())[:5]):
        answer = send(Program(next(secrets)), operation, scene)
        assert answer.status_code == 401
        assert answer["Content-Type"] == "application/problem+json"
        assert answer["WWW-Authenticate"].startswith("Bearer")
        LimitCount.objects.all().delete()  # or there are too many wrong tokens


def test_objects_of_another_club_look_as_if_they_did_not_exist():
    """An organiser's token and a table's code of another club find nothing."""
    scene, other = Scene("standings"), Scene.__new__(Scene)
    other.club = a_club("Other", "other", visibility="standings")
    strongest = Program(a_token(other.club, "organise"))
    phone = Program(table_code(other.table))
    for name in WITH_IDS:
        operation = OPERATIONS[name]
        body = operation.body(scene) if operation.body else None
        path = operation.path(scene)
        unknown = path.replace(path.split("/")[2], "no-such-id")
        for program in (strongest, phone) if operation.table else (strongest,):
            real = program.send(operation.method, path, body)
            none = program.send(operation.method, unknown, body)
            assert (name, real.status_code, none.status_code) == (name, 404, 404)
            assert real.content == none.content


def test_lists_contain_nothing_from_another_club():
    scene = Scene("standings")
    for thing in ("member", "session", "season", "ruleset", "tournament", "team_league"):
        getattr(scene, thing)
    other = a_club("Other", "other")
    program = Program(a_token(other, "organise"))
    for path in ("/members", "/leagues", "/rulesets", "/seasons", "/sessions", "/tournaments"):
        assert program.get(path).json()["items"] == []
    assert {entry["action"] for entry in program.get("/audit").json()["items"]} == {"make token"}


def test_a_token_ends_when_it_is_revoked_or_its_maker_may_do_less():
    club = a_club()
    program = Program(a_token(club))

    def status():
        return program.get("/club").status_code

    assert status() == 200
    role = Role.objects.get(club=club)
    Role.objects.update(rank="scorekeeper")
    assert status() == 401
    Role.objects.update(rank="organiser")
    User.objects.filter(pk=role.user_id).update(is_active=False)
    assert status() == 401
    User.objects.filter(pk=role.user_id).update(is_active=True)
    assert status() == 200
    revoke_token(ApiToken.objects.get(), by=TEST, at=timezone.now())
    assert status() == 401


def test_the_code_of_a_table_ends_with_its_session_and_with_a_new_version():
    scene = Scene("members")
    program, path = Program(table_code(scene.table)), "/club"
    assert program.get(path).status_code == 403  # known, but not for the whole club
    scene.table.session.state = "closed"
    scene.table.session.save()
    assert program.get(path).status_code == 401
    scene.table.session.state = "open"
    scene.table.session.save()
    scene.table.link_version = 2
    scene.table.save()
    assert program.get(path).status_code == 401


def test_a_browsers_cookie_is_ignored(client):
    club = a_club(visibility="standings")
    a_token(club)
    client.force_login(User.objects.get())
    assert client.get("/api/v1/club").status_code == 401


def test_an_answer_sets_no_cookie_and_no_token_is_ever_in_the_log(caplog):
    secret = a_token(a_club(), "public")
    answer = Program(secret).get("/members")
    assert (answer.status_code, dict(answer.cookies)) == (403, {})
    Program(secret[:-1]).get("/members")
    assert "refused a wrong token" in caplog.text
    assert "refused Screen" in caplog.text
    assert secret[:-1] not in caplog.text
