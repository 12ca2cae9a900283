"""Statistics, sessions and tournaments in the API: as on the pages, with the names allowed."""

from decimal import Decimal

import pytest
from django.utils import timezone

from league.members.actions.erasing import erase_member
from league.members.models import Member
from league.sessions.models import Attendance, Session
from league.standings.actions import add_pot
from league.standings.careers import career_of
from league.teams.actions import write_card
from league.tournaments.stage_state import load_stage
from league.tournaments.standing import standing_of
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import write
from tests.teams.leagues import a_card, with_fixtures
from tests.tournaments.playing import a_tournament, play_round, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """A table that has finished its game, in a club that hides names."""
    table = a_game_table()
    club = table.session.club
    club.visibility, club.names_in_public, club.shows_ratings = "standings", "hidden", True
    club.save()
    write(table, (0, 5), (1, 5), (0, 5), (0, 5), (2, 5), (0, 5))
    return table


def test_statistics_have_names_for_members_and_none_for_the_public(table):
    club = table.session.club
    rose, ann = Member.objects.order_by("pk")[:2]
    Member.objects.filter(pk=rose.pk).update(shown="name")
    answer = Program(a_token(club)).get(f"/members/{rose.public_id}/play").json()
    career = career_of(rose)
    assert answer["won"] == {"count": float(career.won.count), "of": career.won.of}
    assert answer["habits"]["called"]["of"] == 6
    assert {row["person"]["name"] for row in answer["company"]} == {"Ann", "Ted", "Bill"}
    public = Program(a_token(club, "public"))
    shown = public.get(f"/members/{rose.public_id}/play")
    assert "Ann" not in shown.content.decode()
    assert public.get(f"/members/{ann.public_id}/play").status_code == 404


def test_ratings_are_answered_only_if_the_club_shows_them(table):
    program = Program(a_token(table.session.club))
    rated = program.get("/ratings").json()
    assert {rating["person"]["name"] for rating in rated[:2]} == {"Rose", "Ted"}
    club = table.session.club
    club.shows_ratings = False
    club.save()
    assert program.get("/ratings").json() == []


def test_an_erased_player_has_no_id_and_is_not_found(table):
    program = Program(a_token(table.session.club))
    rose = Member.objects.get(name="Rose")
    Session.objects.update(state="closed")
    erase_member(rose, by=TEST, at=timezone.now())
    game = program.get(f"/sessions/{table.session.public_id}/games").json()["items"][0]
    assert [seat["person"]["id"] is None for seat in game["seats"]] == [True, False, False, False]
    assert program.get(f"/members/{rose.public_id}").status_code == 404


def test_a_closed_session_has_its_totals_and_the_players_who_were_there(table):
    program, night = Program(a_token(table.session.club)), table.session
    path = f"/sessions/{night.public_id}"
    assert program.get(path).json()["facts"] is None
    night.state, night.revision = "closed", night.revision + 9
    night.save()
    assert program.get(path).json()["facts"]["games"] == 1
    people = program.get(f"{path}/people").json()
    assert [attendee["person"]["name"] for attendee in people["came"]] == [
        "Rose",
        "Ann",
        "Ted",
        "Bill",
    ]
    Attendance.objects.filter(member__name="Ann").update(left_at=timezone.now())
    assert program.get(f"{path}/people").json()["came"][1]["left_at"] is not None


def test_a_head_request_answers_only_the_etag(table):
    program = Program(a_token(table.session.club))
    path = f"/sessions/{table.session.public_id}/standings"
    head, whole = program.send("head", path), program.get(path)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", whole["ETag"])


def test_a_tournament_has_its_rounds_standings_and_prizes():
    tournament = a_tournament(8, rounds=1)
    program = Program(a_token(tournament.club))
    path = f"/tournaments/{tournament.public_id}"
    assert program.get(f"{path}/rounds").json() == []
    published(tournament)
    before = program.get(f"{path}/rounds").json()
    assert [match["state"] for match in before[0]["matches"]] == ["ready", "ready"]
    assert program.get(f"{path}/standings").json()["prizes"] == []
    play_round(tournament)
    answer = program.get(f"{path}/standings").json()
    standing = standing_of(load_stage(tournament.stages.get()))
    assert [place["entry"] for place in answer["places"]] == [line.who for line in standing.lines]
    assert answer["prizes"]
    entries = {entry["id"]: entry for entry in program.get(path).json()["entries"]}
    for match in program.get(f"{path}/rounds").json()[0]["matches"]:
        assert match["state"] == "done"
        for side in match["sides"]:
            people = [entries[entry]["people"][0]["name"] for entry in side["entries"]]
            assert sorted(people) == sorted(side["names"])


def test_a_league_has_its_table_fixtures_and_cards():
    league = with_fixtures(3)
    match = league.matches.first()
    write_card(match, a_card(match, 6), side=None, by=TEST, at=timezone.now())
    club = league.club
    club.visibility, club.names_in_public = "standings", "hidden"
    club.save()
    program, path = Program(a_token(club)), f"/leagues/{league.public_id}"
    answer = program.get(path).json()
    assert answer["table"][0]["team_id"] == match.home.public_id
    assert (answer["table"][0]["points"], answer["table"][0]["games_won"]) == (2.0, 6.0)
    assert len(answer["teams"][0]["people"]) == 6
    rounds = program.get(f"{path}/fixtures").json()
    first = next(m for round_ in rounds for m in round_["matches"] if m["id"] == match.public_id)
    assert (first["score"], first["winner_id"]) == ([6.0, 3.0], match.home.public_id)
    assert len(rounds[0]["free"]) == 1
    card = program.get(f"{path}/matches/{match.public_id}").json()
    assert card["games"][0]["points"] == [21, 15]
    name = match.home.name
    assert name in card["games"][0]["home"]
    public = Program(a_token(club, "public"))
    for rest in ("", f"/matches/{match.public_id}"):
        assert f"{name} 1" not in public.get(path + rest).content.decode()


def test_a_season_has_its_pots_in_cents_and_its_divisions(table):
    season = table.session.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    table.session.season = season
    table.session.save()
    rule = {"name": "Box", "source": "entry", "amount": Decimal(1), "payout": "kept"}
    add_pot(table.session, **rule, by=TEST, at=EIGHT)
    top, second = (season.divisions.create(number=n, name=f"Division {n}") for n in (1, 2))
    for number, member in enumerate(Member.objects.order_by("pk")):
        season.placements.create(member=member, division=(top, second)[number % 2])
    program, path = Program(a_token(season.club)), f"/seasons/{season.public_id}"
    pots = program.get(f"/sessions/{table.session.public_id}/pots").json()
    assert (pots["pots"][0]["holds"], pots["pots"][0]["lines"][0]["owes"]) == (400, 100)
    answer = program.get(path).json()
    assert [division["name"] for division in answer["divisions"]] == ["Division 1", "Division 2"]
    assert answer["days"] == [table.session.held_on.isoformat()]
    names = []
    for query in ("", "?division=1", "?division=2"):
        places = program.get(f"{path}/standings{query}").json()["places"]
        names.append({place["person"]["name"] for place in places})
    assert names == [{"Rose", "Ann", "Ted", "Bill"}, {"Rose", "Ted"}, {"Ann", "Bill"}]
    assert program.get(f"{path}/standings?division=3").status_code == 404
