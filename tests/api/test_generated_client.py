"""A client that openapi-python-client generates from the description plays a whole session."""

import importlib
import json
import sys
from itertools import count
from types import SimpleNamespace

import httpx
import pytest
from django.core import signals
from django.db import close_old_connections
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from league.api.interface import api
from league.play.models import Game
from league.play.recount import differences, with_everything
from league.wsgi import site
from tests.api.asking import a_token
from tests.builders import a_club, members_of, rulesets_of

pytestmark = pytest.mark.django_db
NAME = "right_bower_client"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The generated package, imported."""
    folder = tmp_path_factory.mktemp("client")
    description = folder / "openapi.json"
    description.write_text(json.dumps(api.get_openapi_schema(), default=str))
    config = Config.from_sources(
        ConfigFile(post_hooks=[], package_name_override=NAME),
        MetaType.NONE,
        document_source=description,
        file_encoding="utf-8",
        overwrite=True,
        output_path=folder / NAME,
    )
    assert list(generate(config=config)) == []
    sys.path.insert(0, str(folder))
    yield importlib.import_module(NAME)
    sys.path.remove(str(folder))
    for module in [name for name in sys.modules if name.split(".")[0] == NAME]:
        del sys.modules[module]


@pytest.fixture
def club():
    club = a_club()
    members_of(club, 8)
    rulesets_of(club)
    return club


@pytest.fixture
def program(package, club):
    """The generated client, which sends its requests to the site in this process."""
    ends = (signals.request_started, signals.request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    client = package.AuthenticatedClient(
        base_url="http://testserver",
        token=a_token(club, "organise"),
        httpx_args={"transport": httpx.WSGITransport(app=site)},
    )
    yield Program(client)
    for signal in ends:
        signal.connect(close_old_connections)


class Program:
    """A program that uses the operations and models of the generated client."""

    def __init__(self, client):
        self.client = client
        self.models = importlib.import_module(f"{NAME}.models")
        self.ids = (f"night-{number:04}" for number in count(1))

    def send(self, tag, name, *path, body=None, status=200, **query):
        operation = importlib.import_module(f"{NAME}.api.{tag}.{name}")
        arguments = {} if body is None else {"body": body}
        answer = operation.sync_detailed(*path, client=self.client, **arguments, **query)
        assert answer.status_code == status, answer.content
        return answer.parsed

    def in_session(self, name, *path, **options):
        return self.send("seasons_and_sessions", name, *path, **options)

    def at_table(self, name, *path, **options):
        return self.send("tables", name, *path, **options)

    def hand(self, table, tricks=5):
        """A record of the next hand, in which eldest hand calls and takes this many tricks."""
        caller = (table.dealer + 1) % len(table.seats)
        record = {"dealer": table.dealer, "contract": {"seat": caller}}
        record["tricks_won"] = {"makers": tricks}
        return self.models.HandRecordVersion1.from_dict(record)

    def play_out(self, table_id):
        """Record hands at a table until its game is over."""
        table = self.at_table("table", table_id)
        while table.phase == "playing":
            body = self.models.HandRequest(record=self.hand(table), client_id=next(self.ids))
            table = self.at_table("record_hand", table_id, body=body).table
        return table


def test_a_generated_client_runs_a_session_of_eleven_players_with_a_correction(program, club):
    models = program.models
    body = models.SessionRequest(client_id="the-night-01", name="By a program")
    session = program.in_session("make_session", body=body)
    assert program.in_session("make_session", body=body).id == session.id  # sent again: the same
    assert club.sessions.count() == 1
    members = [member.public_id for member in club.members.all()]
    present = models.CheckInRequest(
        member_ids=members, names=["Guest Uno", "Guest Due", "Guest Tre"]
    )
    people = program.in_session("check_in", session.id, body=present)
    assert len(people.came) == 11
    draft = program.in_session("draft_round", session.id, body=models.DraftRequest(seed=5))
    assert sorted(table.players for table in draft.tables) == [3, 4, 4]
    published = program.in_session(
        "publish_round", session.id, body=models.PublishRequest(version=draft.version)
    )
    for table in published.tables:
        assert program.play_out(table.id).phase != "playing"
    table_id = published.tables[0].id
    correction = models.CorrectionRequest(
        record=program.hand(SimpleNamespace(dealer=0, seats=range(4)), tricks=3),
        client_id=next(program.ids),
        version=1,
        reason="Three tricks, not five",
    )
    program.at_table("correct_hand", table_id, 1, body=correction)
    program.play_out(table_id)
    closed = program.in_session("close_session", session.id)
    assert closed.state == "closed"
    standings = program.in_session("session_standings", session.id)
    assert len(standings.places) == 11
    assert sum(place.games for place in standings.places) == 11
    assert not any(differences(with_everything(Game.objects.all())))


def test_a_generated_client_makes_and_starts_a_tournament_and_a_league(program, club):
    models = program.models
    session = program.in_session(
        "make_session", body=models.SessionRequest(client_id="the-night-02")
    )
    members = [member.public_id for member in club.members.all()]
    program.in_session("check_in", session.id, body=models.CheckInRequest(member_ids=members))
    body = models.TournamentRequest.from_dict(
        {"client_id": "the-cup-01", "session_id": session.id, "format": "knockout"}
    )
    cup = program.send("tournaments", "make_tournament", body=body)
    program.send("tournaments", "enter_present", cup.id)
    pairs = program.send("tournaments", "draw_partners", cup.id, body=models.DrawRequest(seed=1))
    assert len(pairs.entries) == 4
    drawn = program.send("tournaments", "draw_tournament", cup.id, body=models.DrawRequest(seed=1))
    body = models.PublishRequest(version=drawn.version)
    started = program.send("tournaments", "publish_tournament", cup.id, body=body)
    assert len(started.tables) == 2
    body = models.LeagueRequest.from_dict(
        {"client_id": "the-league-01", "name": "Winter", "starts_on": "2026-12-01", "pairs": 1}
    )
    league = program.send("team_leagues", "make_league", body=body)
    for number, name in enumerate(("Hearts", "Spades")):
        names = [member.name for member in club.members.all()][2 * number : 2 * number + 2]
        team = models.TeamRequest(client_id=f"the-team-0{number}", name=name, names=names)
        program.send("team_leagues", "make_team", league.id, body=team)
    fixtures = program.send("team_leagues", "make_fixtures", league.id, body=models.DrawRequest())
    assert [len(round_.matches) for round_ in fixtures] == [1, 1]


def test_the_api_refuses_what_a_page_refuses_with_a_code_and_the_field(program):
    models = program.models
    body = models.SessionRequest(client_id="the-night-03", season_id="none")
    refused = program.in_session("make_session", body=body, status=422)
    assert (refused.code, list(refused.fields.additional_properties)) == ("bad-form", ["season_id"])
    session = program.in_session(
        "make_session", body=models.SessionRequest(client_id="the-night-04")
    )
    nobody = program.in_session("draft_round", session.id, body=models.DraftRequest(), status=409)
    assert nobody.code == "nobody-present"
    body = models.TournamentRequest.from_dict(
        {
            "client_id": "the-night-04",
            "session_id": session.id,
            "format": "swiss",
        }
    )
    used = program.send("tournaments", "make_tournament", body=body, status=409)
    assert used.code == "client-id-used"
    body.client_id = "the-cup-02"
    body.choices = models.TournamentChoices(groups=2)
    strange = program.send("tournaments", "make_tournament", body=body, status=422)
    assert list(strange.fields.additional_properties) == ["choices.groups"]
