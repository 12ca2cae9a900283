"""Addresses of standings."""

from django.urls import path

from league.standings import views

SESSION = "c/<slug:slug>/s/<str:public_id>/"

urlpatterns = [
    path(f"{SESSION}standings/", views.session_standings, name="session_standings"),
    path(f"{SESSION}standings/rule/", views.standings_rule, name="session_rule"),
    path(f"{SESSION}standings/games/", views.games_table, name="games_table"),
    path(f"{SESSION}print/standings/", views.print_standings, name="print_standings"),
    path("c/<slug:slug>/standings/", views.standings, name="standings"),
    path("c/<slug:slug>/standings/rule/", views.standings_rule, name="standings_rule"),
    path(
        "c/<slug:slug>/seasons/<str:public_id>/standings/",
        views.season_standings,
        name="season_standings",
    ),
    path(
        "c/<slug:slug>/members/<str:public_id>/record/", views.member_record, name="member_record"
    ),
]
