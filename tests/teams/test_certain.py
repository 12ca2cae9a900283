"""What a league's table says is certain of each team, and when it says nothing."""

import pytest
from django.urls import reverse

from tests.builders import a_user
from tests.teams.leagues import matches, with_fixtures, written

pytestmark = pytest.mark.django_db


def test_before_any_match_no_team_alone_can_still_win(client):
    league = with_fixtures(4)
    client.force_login(a_user(club=league.club, rank="member"))
    where = reverse("team_league", args=[league.club.slug, league.public_id])
    assert "can still win" not in client.get(where).content.decode()
    written(matches(league)[0], 5)
    assert "can still win" in client.get(where).content.decode()
