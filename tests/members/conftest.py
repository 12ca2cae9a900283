"""The club most of these tests look at, and its organiser's browser."""

import pytest
from django.test import Client

from league.members.models import Club
from tests.builders import a_club, a_user


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


@pytest.fixture
def organiser(club: Club, client: Client) -> Client:
    client.force_login(a_user("olive", club=club))
    return client
