"""What the table says is certain for each team, and when it says nothing."""

import re

import pytest
from django.urls import reverse

from league.teams import actions
from league.teams.models import TeamLeague
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, two_divisions, with_fixtures

pytestmark = pytest.mark.django_db


def rows_by_team(client, league, name="team_league"):
    """The rows of the tables on a page, by team."""
    answer = client.get(reverse(name, args=[league.club.slug, league.public_id]))
    return {row.team.name: row for _one, rows in answer.context["divisions"] for row in rows}


def league_for_organiser(client, **border):
    """A league with two divisions; an organiser is signed in."""
    league, _teams = two_divisions(**border)
    client.force_login(a_user(club=league.club))
    return league


def test_teams_that_can_no_longer_finish_first_are_named_while_others_can_and_none_has_a_badge(
    client,
):
    league = with_fixtures(4, pairs=1)
    client.force_login(a_user(club=league.club, rank="member"))
    where = reverse("team_league", args=[league.club.slug, league.public_id])

    def line():
        page = client.get(where).content.decode()
        assert "can still win" not in page
        return re.findall(r"Can no longer finish first, even by winning every match left: .*", page)

    favourites = [team.name for team in league.teams.all()[:2]]
    for round_number in (1, 2, 3, 4, 5):
        assert round_number > 3 or not line()
        for match in matches(league, round_number):
            best = min(match.home, match.away, key=lambda team: team.name not in favourites)
            actions.give_match(match, best, reason="Snow", by=TEST, at=EIGHT)
    assert [one.split(": ")[1] for one in line()] == ["Albion, Rangers.</p>"]


def test_at_the_end_the_first_of_the_lower_division_is_champion_and_promoted_the_last_relegated(
    client,
):
    league = league_for_organiser(client, up=1, down=1)
    found = {name: row.status for name, row in rows_by_team(client, league).items()}
    assert found == {
        "Rovers": ("champions",),
        "United": ("relegated",),
        "Albion": ("champions", "promoted"),
        "Rangers": (),
    }


def test_both_teams_are_marked_for_a_play_off_until_it_is_recorded_then_with_its_result(client):
    league = league_for_organiser(client, play_off=1)
    rows = rows_by_team(client, league)
    assert (rows["United"].status, rows["Albion"].status[-1]) == (("plays_off",), "plays_off_up")
    united, albion = rows["United"].team, rows["Albion"].team
    made = actions.record_play_off(league, "move", [united, albion], by=TEST, at=EIGHT)
    rows = rows_by_team(client, league)
    assert rows["United"].status == ("safe",)
    assert rows["Albion"].status == ("champions", "lost_play_off")
    actions.take_back_play_off(made, by=TEST)
    actions.record_play_off(league, "move", [albion, united], by=TEST, at=EIGHT)
    rows = rows_by_team(client, league)
    assert rows["United"].status == ("relegated",)
    assert rows["Albion"].status == ("champions", "promoted")


def test_the_winner_of_a_section_is_no_champion_of_the_league(client):
    league = league_for_organiser(client)
    TeamLeague.objects.update(sections=True)
    assert rows_by_team(client, league)["Rovers"].status == ("first",)
