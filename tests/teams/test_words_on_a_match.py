"""What a match says of awarded games, its deciding game, its own captain, and a team that left."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from league.teams import actions
from league.teams.models import Team
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, table, with_fixtures, written
from tests.teams.test_notice import eight_on

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}
OWN_TEAM = "This is a match of your own team. If you can, let another organiser decide."


def said(client, match):
    ids = [match.league.club.slug, match.league.public_id, match.public_id]
    return " ".join(strip_tags(client.get(reverse("team_match", args=ids)).text).split())


def test_an_awarded_game_says_which_score_counts_beside_the_one_that_was_played(client):
    league = with_fixtures(pairs=1)
    match = written(matches(league)[0], 2)
    actions.give_games(match, {0: "away"}, reason="Not registered", **SAY)
    client.force_login(a_user(club=league.club))
    assert f"awarded to {match.away}, 21–0" in said(client, match)


def test_the_deciding_game_names_its_winner(client):
    league = with_fixtures(pairs=2, turns=2)
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST)
    cup.league = league
    actions.draw_cup_matches(cup, held_on=None, by=TEST)
    match = cup.matches.first()
    match.league = league
    written(match, 2)
    actions.decide_cup_match(match, home=8, away=10, by=TEST)
    client.force_login(a_user(club=league.club))
    assert f"{match.away} won the deciding game 10–8" in said(client, match)


@pytest.mark.parametrize(("side", "warns"), [(0, True), (1, False)])
def test_an_organiser_or_secretary_who_confirms_the_card_of_their_own_team_is_warned(
    client, side, warns
):
    league = with_fixtures(pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    match = written(matches(league)[0], 2, side=side)
    user = a_user(club=league.club, rank="member")
    league.secretary = match.home.captain
    league.secretary.user = user
    league.secretary.save()
    league.save()
    client.force_login(user)
    text = said(client, match)
    assert "Confirm the card" in text
    assert (OWN_TEAM in text) is warns


def test_a_match_to_come_of_a_team_that_left_is_no_match(client):
    league = with_fixtures(pairs=1)
    match = matches(league)[0]
    actions.withdraw_team(match.home, by=TEST, at=timezone.now())
    client.force_login(a_user(club=league.club))
    page = client.get(reverse("team_fixtures", args=[league.club.slug, league.public_id])).text
    assert "no match" in page
    assert "not played</span>" not in page


def test_a_team_that_joined_since_the_last_table_has_not_moved_in_it():
    league = with_fixtures(4, pairs=1)
    for number in (1, 2):
        for match in matches(league, number):
            written(match, 2, held_on=match.held_on)
    first_day, newcomer = matches(league, 2)[0].held_on, matches(league, 1)[0].away
    Team.objects.filter(pk=newcomer.pk).update(joined_at=eight_on(first_day))
    assert newcomer.pk not in table(league).before
    Team.objects.filter(pk=newcomer.pk).update(joined_at=eight_on(first_day - timedelta(days=1)))
    assert newcomer.pk in table(league).before
