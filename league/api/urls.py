"""Addresses of the API: its operations, its description, and a page about both."""

from django.urls import path

from league.api.freshness import api
from league.api.reading import club, sessions, tournaments
from league.api.reference import reference
from league.api.writing import ending, hands

for router in (club.router, sessions.router, tournaments.router, hands.router, ending.router):
    api.add_router("", router)

urlpatterns = [
    path("api/", reference, name="api_reference"),
    path("api/v1/", api.urls),
]
