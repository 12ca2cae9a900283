"""Addresses of tournaments."""

from django.urls import path

from league.tournaments.views import entries, hub, late, orders, setup

ONE = "c/<slug:slug>/tournaments/<str:public_id>/"

urlpatterns = [
    path("c/<slug:slug>/tournaments/", setup.tournaments, name="tournaments"),
    path(
        "c/<slug:slug>/s/<str:public_id>/tournament/new/",
        setup.tournament_new,
        name="tournament_new",
    ),
    path(ONE, hub.tournament, name="tournament"),
    path(f"{ONE}edit/", setup.tournament_edit, name="tournament_edit"),
    path(f"{ONE}pairs/", setup.tournament_pairs, name="tournament_pairs"),
    path(f"{ONE}entries/", entries.tournament_entries, name="tournament_entries"),
    path(f"{ONE}entries/enter/", entries.tournament_enter, name="tournament_enter"),
    path(f"{ONE}entries/late/", late.tournament_late, name="tournament_late"),
    path(f"{ONE}entries/order/", entries.tournament_entry, name="tournament_entry"),
    path(f"{ONE}order/", orders.tournament_order, name="tournament_order"),
    path(f"{ONE}draw/", hub.tournament_draw, name="tournament_draw"),
    path(f"{ONE}rounds/<int:number>/", hub.tournament_round, name="tournament_round"),
    path(f"{ONE}standings/", hub.tournament_standings, name="tournament_standings"),
    path(f"{ONE}print/", hub.print_draw, name="tournament_print"),
]
