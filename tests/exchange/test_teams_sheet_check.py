"""What the check of a sheet of teams says before anything is saved, and the log afterwards."""

import pytest
from django.urls import reverse

from league.exchange.league_sheets import preview_teams
from league.teams.models import Deduction
from tests.builders import a_user
from tests.exchange.test_league_sheets import TWO, take_teams, teams_in
from tests.teams.leagues import a_league

pytestmark = pytest.mark.django_db


@pytest.fixture
def league():
    return a_league(0)


@pytest.fixture
def two(league):
    take_teams(league, TWO)
    return league


def test_a_name_with_its_team_as_the_site_advises_is_no_lookalike(two):
    assert not preview_teams(two, teams_in([TWO[0], "Oak,1,,,Rose (Oak)"])).like


def test_a_player_of_another_team_is_named_with_their_own_line(two):
    lines = ["team,division,player", "Oak,1,Una", "Oak,,Ulf", "Oak,,Ted"]
    (trouble,) = preview_teams(two, teams_in(lines)).troubles
    assert (trouble.line, trouble.column) == (4, "player")
    assert "Ted plays for another team of this league." in trouble.sentence


def test_points_off_are_named_before_they_are_saved_and_the_log_finds_the_import(league, client):
    lines = ["team,points off,players", "Oak,2,Una;Ulf", "Elm,,Ida;Ian", "Ash,-1.5,Ada"]
    assert preview_teams(league, teams_in(lines)).notes[:2] == [
        "Oak, points off: 2. For a new season, empty that cell first.",
        "Ash, points off: −1.5. For a new season, empty that cell first.",
    ]
    take_teams(league, lines)
    assert Deduction.objects.count() == 2
    assert not preview_teams(league, teams_in(lines)).notes  # its teams are there already
    client.force_login(a_user(club=league.club))
    page = client.get(reverse("audit", args=[league.club.slug]), {"about": "import of teams"})
    (row,) = page.context["table"].rows
    assert row.record.new == {"teams": ["Oak", "Elm", "Ash"]}
