"""Addresses of the API: its operations, its description, and a page about both."""

from django.urls import path

from league.api import club, leagues, rounds, tables, tournaments
from league.api.operations import api, reference

ROUTERS = (
    club.router,
    rounds.router,  # and so those of sessions, on the same router
    club.figures_router,
    tournaments.router,
    leagues.router,
    tables.router,
)
for router in ROUTERS:
    api.add_router("", router)

urlpatterns = [
    path("api/", reference, name="api_reference"),
    path("api/v1/", api.urls),
]
