"""Addresses of seasons."""

from django.urls import path

from league.seasons import views

urlpatterns = [
    path("c/<slug:slug>/seasons/", views.seasons, name="seasons"),
    path("c/<slug:slug>/seasons/new", views.season_edit, name="season_new"),
    path("c/<slug:slug>/seasons/<str:public_id>/edit", views.season_edit, name="season_edit"),
]
