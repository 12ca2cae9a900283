"""A client that openapi-python-client makes of the API's description plays a whole night."""

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
    made = a_club()
    members_of(made, 8)
    rulesets_of(made)
    return made


@pytest.fixture
def program(package, club):
    """The generated client, which asks the site in this process."""
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
    """What a program written with the generated client has: its operations and its models."""

    def __init__(self, client):
        self.client = client
        self.models = importlib.import_module(f"{NAME}.models")
        self.ids = (f"night-{number:04}" for number in count(1))

    def ask(self, tag, name, *path, body=None, answers=200, **query):
        operation = importlib.import_module(f"{NAME}.api.{tag}.{name}")
        more = {} if body is None else {"body": body}
        answer = operation.sync_detailed(*path, client=self.client, **more, **query)
        assert answer.status_code == answers, answer.content
        return answer.parsed

    def evening(self, name, *path, **more):
        return self.ask("seasons_and_sessions", name, *path, **more)

    def at_table(self, name, *path, **more):
        return self.ask("tables", name, *path, **more)

    def hand(self, table, tricks=5):
        """A record of the next hand: eldest hand calls and takes so many tricks."""
        caller = (table.dealer + 1) % len(table.seats)
        record = {"dealer": table.dealer, "contract": {"seat": caller}}
        record["tricks_won"] = {"makers": tricks}
        return self.models.HandRecordVersion1.from_dict(record)

    def play_out(self, table_id):
        """Every hand of a table until its game is over."""
        table = self.at_table("table", table_id)
        while table.phase == "playing":
            order = self.models.HandRequest(record=self.hand(table), client_id=next(self.ids))
            table = self.at_table("record_hand", table_id, body=order).table
        return table


def test_a_generated_client_makes_a_night_of_eleven_plays_and_corrects_it(program, club):
    models = program.models
    order = models.SessionRequest(client_id="the-night-01", name="By a program")
    night = program.evening("make_session", body=order)
    assert program.evening("make_session", body=order).id == night.id  # sent again: the same
    assert club.sessions.count() == 1
    members = [member.public_id for member in club.members.all()]
    here = models.CheckInRequest(member_ids=members, names=["Guest Uno", "Guest Due", "Guest Tre"])
    came = program.evening("check_in", night.id, body=here)
    assert len(came.came) == 11
    draft = program.evening("draft_round", night.id, body=models.DraftRequest(seed=5))
    assert sorted(table.players for table in draft.tables) == [3, 4, 4]
    published = program.evening(
        "publish_round", night.id, body=models.PublishRequest(version=draft.version)
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
    closed = program.evening("close_session", night.id)
    assert closed.state == "closed"
    standings = program.evening("session_standings", night.id)
    assert len(standings.places) == 11
    assert sum(place.games for place in standings.places) == 11
    assert not any(differences(with_everything(Game.objects.all())))


def test_a_generated_client_makes_and_starts_a_tournament_and_a_league(program, club):
    models = program.models
    night = program.evening("make_session", body=models.SessionRequest(client_id="the-night-02"))
    members = [member.public_id for member in club.members.all()]
    program.evening("check_in", night.id, body=models.CheckInRequest(member_ids=members))
    order = models.TournamentRequest.from_dict(
        {"client_id": "the-cup-01", "session_id": night.id, "format": "knockout"}
    )
    cup = program.ask("tournaments", "make_tournament", body=order)
    program.ask("tournaments", "enter_present", cup.id)
    pairs = program.ask("tournaments", "draw_partners", cup.id, body=models.DrawRequest(seed=1))
    assert len(pairs.entries) == 4
    drawn = program.ask("tournaments", "draw_tournament", cup.id, body=models.DrawRequest(seed=1))
    body = models.PublishRequest(version=drawn.version)
    started = program.ask("tournaments", "publish_tournament", cup.id, body=body)
    assert len(started.tables) == 2
    order = models.LeagueRequest.from_dict(
        {"client_id": "the-league-01", "name": "Winter", "starts_on": "2026-12-01", "pairs": 1}
    )
    league = program.ask("team_leagues", "make_league", body=order)
    for number, name in enumerate(("Hearts", "Spades")):
        names = [member.name for member in club.members.all()][2 * number : 2 * number + 2]
        team = models.TeamRequest(client_id=f"the-team-0{number}", name=name, names=names)
        program.ask("team_leagues", "make_team", league.id, body=team)
    fixtures = program.ask("team_leagues", "make_fixtures", league.id, body=models.DrawRequest())
    assert [len(round_.matches) for round_ in fixtures] == [1, 1]


def test_what_a_page_refuses_the_api_refuses_with_its_code_at_its_field(program):
    models = program.models
    order = models.SessionRequest(client_id="the-night-03", season_id="none")
    refused = program.evening("make_session", body=order, answers=422)
    assert (refused.code, list(refused.fields.additional_properties)) == ("bad-form", ["season_id"])
    night = program.evening("make_session", body=models.SessionRequest(client_id="the-night-04"))
    nobody = program.evening("draft_round", night.id, body=models.DraftRequest(), answers=409)
    assert nobody.code == "nobody-present"
    order = models.TournamentRequest.from_dict(
        {
            "client_id": "the-night-04",
            "session_id": night.id,
            "format": "swiss",
        }
    )
    used = program.ask("tournaments", "make_tournament", body=order, answers=409)
    assert used.code == "client-id-used"
    order.client_id = "the-cup-02"
    order.choices = models.TournamentChoices(groups=2)
    strange = program.ask("tournaments", "make_tournament", body=order, answers=422)
    assert list(strange.fields.additional_properties) == ["choices.groups"]
