"""Addresses of the API: its operations, its description, and a page about both."""

from django.urls import path

from league.api.operations import api
from league.api.reading import club, competitions, figures, sessions
from league.api.reference import reference
from league.api.writing import competitions as _competitions  # noqa: F401 - on the same routers
from league.api.writing import sessions as _sessions  # noqa: F401
from league.api.writing import tables

ROUTERS = (
    club.router,
    sessions.router,
    figures.router,
    competitions.tournaments_router,
    competitions.leagues_router,
    tables.router,
)
for router in ROUTERS:
    api.add_router("", router)

urlpatterns = [
    path("api/", reference, name="api_reference"),
    path("api/v1/", api.urls),
]
