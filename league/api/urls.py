"""Addresses of the API: its operations, its description, and a page about both."""

from django.urls import path

from league.api.freshness import api
from league.api.reading import club, figures, leagues, sessions, tournaments
from league.api.reference import reference
from league.api.writing import ending, hands

AREAS = (club, sessions, figures, tournaments, leagues, hands, ending)
for area in AREAS:
    api.add_router("", area.router)

urlpatterns = [
    path("api/", reference, name="api_reference"),
    path("api/v1/", api.urls),
]
