"""Addresses of leagues of teams."""

from django.urls import path

from league.teams.views import cups, joining, leagues, matches, orders, teams

ONE = "c/<slug:slug>/leagues/<str:public_id>/"
TEAM = f"{ONE}teams/<str:team>/"
MATCH = f"{ONE}matches/<str:match>/"

urlpatterns = [
    path("c/<slug:slug>/leagues/", leagues.team_leagues, name="team_leagues"),
    path("c/<slug:slug>/leagues/new/", leagues.team_league_new, name="team_league_new"),
    path(ONE, leagues.team_league, name="team_league"),
    path(f"{ONE}edit/", leagues.team_league_edit, name="team_league_edit"),
    path(f"{ONE}fixtures/", leagues.team_fixtures, name="team_fixtures"),
    path(f"{ONE}draw/", leagues.team_draw, name="team_draw"),
    path(f"{ONE}order/", orders.team_league_order, name="team_league_order"),
    path(f"{ONE}teams/new/", teams.team_new, name="team_new"),
    path(TEAM, teams.team, name="team"),
    path(f"{TEAM}edit/", teams.team_edit, name="team_edit"),
    path(f"{TEAM}join/", joining.team_join, name="team_join"),
    path(f"{ONE}cups/draw/", cups.team_cup_draw, name="team_cup_draw"),
    path(f"{ONE}cups/<str:cup>/", cups.team_cup, name="team_cup"),
    path(MATCH, matches.team_match, name="team_match"),
    path(f"{MATCH}card/", matches.team_card, name="team_card"),
    path(f"{MATCH}card/print/", matches.team_card_print, name="team_card_print"),
    path(f"{MATCH}order/", matches.team_match_order, name="team_match_order"),
]
