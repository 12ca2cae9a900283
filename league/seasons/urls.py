"""URLs of seasons."""

from django.urls import path

from league.seasons import views

SEASON = "c/<slug:slug>/seasons/<str:public_id>/"

urlpatterns = [
    path("c/<slug:slug>/seasons/new", views.season_edit, name="season_new"),
    path(f"{SEASON}edit", views.season_edit, name="season_edit"),
    path(f"{SEASON}divisions/", views.season_divisions, name="season_divisions"),
    path(f"{SEASON}divisions/people", views.season_place, name="season_place"),
    path(f"{SEASON}next/", views.season_next, name="season_next"),
    path(f"{SEASON}next/moves", views.season_outcomes, name="season_outcomes"),
]
