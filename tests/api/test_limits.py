"""All errors are problem details; too many requests and guessed tokens are refused."""

import pytest
import time_machine
from django.db import OperationalError

from league.api import callers
from league.limits import Limit, counted
from league.members.models import Club
from tests.api.asking import ROOT, Program, a_token
from tests.builders import EIGHT, a_club

pytestmark = pytest.mark.django_db


def problem(answer):
    """The problem details that every error under `/api/` must have."""
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert {"type", "title", "code", "fields"} <= problem.keys()
    return problem


def test_a_token_over_the_limit_is_told_how_long_to_wait(monkeypatch):
    monkeypatch.setattr(callers, "MAX_PER_MINUTE", 3)
    club = a_club()
    program, other = Program(a_token(club)), Program(a_token(club))
    with time_machine.travel(EIGHT, tick=False) as clock:
        assert [program.get("/club").status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = program.get("/club")
        assert (problem(refused)["code"], refused["Retry-After"]) == ("too-many-requests", "60")
        assert other.get("/club").status_code == 200
        clock.shift(60)
        assert program.get("/club").status_code == 200


def test_two_processes_share_the_limit_of_a_token(monkeypatch):
    monkeypatch.setattr(callers, "MAX_PER_MINUTE", 60)
    ours, theirs = callers._MinuteCounter(), callers._MinuteCounter()
    minute = int(EIGHT.timestamp() // 60)
    with time_machine.travel(EIGHT, tick=False):
        for _ in range(40):
            ours.count("a", minute)
            most = theirs.count("a", minute)
    assert 80 - 60 // callers.SAVES_PER_LIMIT <= most <= 80
    with time_machine.travel(EIGHT, tick=False):
        assert counted(f"api:a:{minute}") >= 80 - 2 * 60 // callers.SAVES_PER_LIMIT
    assert ours.count("a", minute + 1) == 1


def test_a_process_saves_its_count_only_every_few_requests(django_assert_num_queries, monkeypatch):
    monkeypatch.setattr("league.limits.SWEEP_EVERY", 10**9)
    counter, minute = callers._MinuteCounter(), int(EIGHT.timestamp() // 60)
    with django_assert_num_queries(1):
        counter.count("a", minute)
    with django_assert_num_queries(1):
        assert [counter.count("a", minute) for _ in range(10)] == list(range(2, 12))


def test_while_the_database_cannot_be_written_a_process_counts_alone(monkeypatch):
    counter, minute = callers._MinuteCounter(), int(EIGHT.timestamp() // 60)

    def locked(*_arguments):
        raise OperationalError("database is locked")

    monkeypatch.setattr("league.limits.fetch_row", locked)
    assert [counter.count("a", minute) for _ in range(40)] == list(range(1, 41))


def test_a_character_that_is_not_allowed_is_a_problem_at_its_field():
    program = Program(a_token(a_club(), "record"))
    sent = {"record": {"dealer": 0}, "client_id": "a\x00b"}
    answer = program.send("post", "/tables/nowhere/hands", sent)
    assert (answer.status_code, problem(answer)["code"]) == (400, "no-text")
    assert list(problem(answer)["fields"]) == ["client_id"]
    search = program.get("/members?search=%00")
    assert (search.status_code, list(problem(search)["fields"])) == (400, ["search"])


def test_a_network_that_sends_wrong_tokens_is_stopped_and_valid_ones_still_work(monkeypatch):
    monkeypatch.setattr(callers, "WRONG_TOKENS", Limit(most=2, within=600))
    right = Program(a_token(a_club()))
    wrong = [Program(f"rb_{number}").get("/club") for number in range(3)]
    assert [answer.status_code for answer in wrong] == [401, 401, 429]
    assert int(wrong[-1]["Retry-After"]) > 0
    assert right.get("/club").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/no-such-thing", 404),
        ("get", "/sessions/%00", 404),
        ("get", f"/sessions/{'x' * 3000}", 404),
        ("delete", "/club", 405),
        ("post", "/club", 405),
        ("get", "/members?limit=x", 422),
    ],
)
def test_every_error_is_a_problem(method, path, status):
    answer = Program(a_token(a_club())).send(method, path)
    assert (answer.status_code, problem(answer)["status"]) == (status, status)
    if status == 405:
        assert "GET" in answer["Allow"]


def test_a_busy_database_answers_503_and_a_crash_reveals_nothing(monkeypatch):
    program = Program(a_token(a_club()))
    program.client.raise_request_exception = False

    def broken(error):
        def first(*args, **kwargs):
            raise error

        monkeypatch.setattr("league.api.club.club_shape", first)
        return program.get("/club")

    busy = broken(OperationalError("database is locked"))
    assert (busy.status_code, problem(busy)["code"]) == (503, "busy")
    assert int(busy["Retry-After"]) > 0
    crashed = broken(KeyError("secret detail"))
    assert crashed.status_code == 500
    assert "secret" not in str(problem(crashed))


def test_the_root_of_the_api_does_not_reveal_any_clubs(client):
    a_club(visibility="standings")
    assert Club.objects.get().name not in client.get("/api/").content.decode()
    assert problem(client.get(ROOT + "/"))["status"] == 404
