"""Addresses of seasons."""

from django.urls import path

from league.seasons.views import divisions, seasons

SEASON = "c/<slug:slug>/seasons/<str:public_id>/"

urlpatterns = [
    path("c/<slug:slug>/seasons/", seasons.seasons, name="seasons"),
    path("c/<slug:slug>/seasons/new", seasons.season_edit, name="season_new"),
    path(f"{SEASON}edit", seasons.season_edit, name="season_edit"),
    path(f"{SEASON}divisions/", divisions.season_divisions, name="season_divisions"),
    path(f"{SEASON}divisions/people", divisions.season_place, name="season_place"),
    path(f"{SEASON}next/", divisions.season_next, name="season_next"),
    path(f"{SEASON}next/moves", divisions.season_outcomes, name="season_outcomes"),
]
