"""URLs of the API: its operations, its OpenAPI description, and a reference page."""

from django.urls import path

from league.api import club, leagues, rounds, tables, tournaments
from league.api.operations import api, reference

ROUTERS = (
    club.router,
    rounds.router,  # includes the operations of sessions
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
