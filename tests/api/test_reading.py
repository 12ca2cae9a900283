"""Reading through the API: names as the token may read them, ETags, pagination, hand records."""

from datetime import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.api.interface import api
from league.members.models import Member
from league.play.actions import correct_hand
from league.sessions.models import Session
from league.teams.models import TeamMatch
from scoring import check_hand
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_club, a_game_table, a_table, members_of
from tests.play.hands import made, write
from tests.scene import Scene
from tests.teams.leagues import matches, with_fixtures

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    """A table with two hands, the first of them fixed."""
    table = a_game_table()
    club = table.session.club
    club.visibility, club.names_in_public = "standings", "hidden"
    club.save()
    write(table, (0, 3), (1, 4))
    correct_hand(
        table,
        1,
        made(0, 5),
        reason="it was all five",
        expected_version=1,
        client_id="client-9",
        by=TEST,
        at=EIGHT,
    )
    return table


def the_game(table):
    return f"/games/{table.games.get().public_id}"


def test_a_game_comes_with_hand_records_that_the_engine_reads(played):
    answer = Program(a_token(played.session.club)).get(the_game(played)).json()
    hands = [hand for hand in answer["hands"] if hand["current"]]
    assert [hand["number"] for hand in hands] == [1, 2]
    for hand in hands:
        record = {**hand["record"], "ruleset": answer["ruleset"], "options": answer["options"]}
        assert list(check_hand(record).points) == hand["points"]


def test_only_members_read_who_corrected_a_hand_and_why(played):
    club = played.session.club
    member = Program(a_token(club, "read")).get(the_game(played)).json()
    public = Program(a_token(club, "public")).get(the_game(played)).json()
    assert [hand["version"] for hand in member["hands"]] == [1, 2, 1]
    assert member["hands"][1]["reason"] == "it was all five"
    assert [hand["version"] for hand in public["hands"]] == [2, 1]
    assert {hand["reason"] for hand in public["hands"]} == {None}
    assert {hand["entered_by"] for hand in public["hands"]} == {None}


def test_the_public_reads_no_names_or_ids_if_the_club_hides_them(played):
    club = played.session.club
    program = Program(a_token(club, "public"))
    session = f"/sessions/{played.session.public_id}"
    for path in ("/rounds", "/games", "/standings"):
        text = program.get(session + path).content.decode()
        for member in Member.objects.all():
            assert f'"{member.name}"' not in text
            assert member.public_id not in text
    hidden = Member.objects.first()
    assert program.get(f"/members/{hidden.public_id}").status_code == 404


def test_only_organisers_read_email_and_age():
    club = a_club()
    Member.objects.create(club=club, name="Rose", email="rose@example.org", is_minor=True)
    read, organise = (
        Program(a_token(club, scope)).get("/members").json()["items"][0]
        for scope in ("read", "organise")
    )
    assert (read["email"], read["minor"], read["shown"]) == (None, None, None)
    assert (organise["email"], organise["minor"]) == ("rose@example.org", True)


def test_an_unchanged_response_is_304_until_something_changes(played):
    program = Program(a_token(played.session.club))
    for path in (the_game(played), f"/sessions/{played.session.public_id}/standings", "/members"):
        first = program.get(path)
        again = program.get(path, **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]
    tag = program.get(the_game(played))["ETag"]
    write(played, (2, 3))
    assert program.get(the_game(played), **{"If-None-Match": tag}).status_code == 200


def test_the_etag_of_a_token_is_not_valid_for_another(played):
    club = played.session.club
    tag = Program(a_token(club, "read")).get(the_game(played))["ETag"]
    answer = Program(a_token(club, "public")).get(the_game(played), **{"If-None-Match": tag})
    assert answer.status_code == 200
    assert "Authorization" in answer["Vary"]


def test_unchanged_standings_are_not_computed_again(played, django_assert_max_num_queries):
    program = Program(a_token(played.session.club))
    path = f"/sessions/{played.session.public_id}/standings"
    tag = program.get(path)["ETag"]
    with django_assert_max_num_queries(4):
        assert program.get(path, **{"If-None-Match": tag}).status_code == 304


def test_a_list_is_paginated_with_links_to_the_next_page():
    club = a_club()
    members_of(club, 12)
    program = Program(a_token(club))
    path, names = "/members?limit=5", []
    while path:
        answer = program.get(path).json()
        assert answer["count"] == 12
        names += [item["name"] for item in answer["items"]]
        path = (answer["next"] or "").removeprefix("/api/v1")
    assert names == sorted(Member.objects.values_list("name", flat=True))


ODD = ["limit=0", "limit=101", "offset=-1", "limit=5.0", "offset=1_0", "sort=name"]


@pytest.mark.parametrize("query", [*ODD, "limit=5&limit=6", "user__password=x"])
def test_an_invalid_parameter_is_refused_at_its_field(query):
    answer = Program(a_token(a_club())).get(f"/members?{query}")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("day", ["0", "20261119", "1763510400", "2026-13-01", "2026-11-19T00:00"])
def test_a_day_has_only_one_format(day):
    scene = Scene("members")
    path = f"/seasons/{scene.season.public_id}/standings?upto="
    program = Program(a_token(scene.club))
    assert program.get(f"{path}2026-11-19").status_code == 200
    assert list(program.get(path + day).json()["fields"]) == ["upto"]


def test_sessions_are_found_by_season_and_by_state():
    scene = Scene("members")
    program, season = Program(a_token(scene.club)), scene.season
    Session.objects.filter(pk=scene.session.pk).update(season=season)
    for query, count in (("state=open", 1), ("state=closed", 0), (f"season={season.public_id}", 1)):
        assert program.get(f"/sessions?{query}").json()["count"] == count
    assert program.get("/sessions?season=%00").status_code == 400


def test_why_a_session_is_cancelled_goes_in_and_comes_out():
    program = Program(a_token(a_club(), "organise"))
    night = program.send("post", "/sessions", {"client_id": "planned-1"}).json()
    answer = program.send("post", f"/sessions/{night['id']}/cancel", {"reason": "The hall is shut"})
    assert (answer.json()["state"], answer.json()["cancel_reason"]) == (
        "cancelled", "The hall is shut",
    )  # fmt: skip
    (listed,) = program.get("/sessions").json()["items"]
    assert listed["cancel_reason"] == "The hall is shut"
    program.send("post", f"/sessions/{night['id']}/open")
    assert program.get(f"/sessions/{night['id']}").json()["cancel_reason"] == ""


def test_a_match_with_a_start_time_of_its_own_says_it():
    league = with_fixtures(2)
    (match, *_others) = matches(league)
    TeamMatch.objects.filter(pk=match.pk).update(begins_at=time(18, 15))
    league.fixture_rules = {"starts_at": "19:30"}
    league.save()
    program = Program(a_token(league.club))
    path = f"/leagues/{league.public_id}"
    assert program.get(path).json()["starts_at"] == "19:30:00"
    rounds = program.get(f"{path}/fixtures").json()
    assert [one["begins_at"] for fixtures in rounds for one in fixtures["matches"]] == [
        "18:15:00", None,
    ]  # fmt: skip
    assert program.get(f"{path}/matches/{match.public_id}").json()["begins_at"] == "18:15:00"


def test_reading_more_games_or_seats_costs_no_more_queries():
    table = a_game_table()
    program = Program(a_token(table.session.club))
    paths = [f"/sessions/{table.session.public_id}/{what}" for what in ("rounds", "games")]
    write(table, (0, 3))
    program.get("/club")  # the first use of a token is saved
    counts = []
    for _more in range(2):
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                program.get(path)
            counts.append(len(queries))
        other = a_table(table.session, members_of(table.session.club, 4), table.ruleset)
        write(other, (0, 3))
    assert counts[:2] == counts[2:]


def test_the_description_is_public_and_has_the_version_of_the_api(client):
    answer = client.get("/api/v1/openapi.json").json()
    assert answer["openapi"] == "3.1.0"
    assert "/api/v1/sessions/{session_id}/standings" in answer["paths"]
    assert client.get("/api/").status_code == 200
    assert api.version in answer["info"]["version"]
