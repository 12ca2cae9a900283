"""Every format over HTTP with an odd field, somebody late, a withdrawal and a correction.

More and larger fields: `python -m tests.tournaments`.
"""

import pytest

from tests.tournaments.evenings import FORMATS, SINGLE, evening
from tests.tournaments.team_league import season

pytestmark = pytest.mark.django_db
SHOWN = {
    "groups": ("Group 2", "<dt>First</dt>"),
    "knockout": ("<dt>First</dt>",),
    "round_robin": ("cross",),
    "swiss": ("cross",),
}
"""What the page of the standings has beside a table."""


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_an_odd_field_plays_every_format_to_its_end(client, format):
    entrants = 7 if format in SINGLE else 5
    seen = evening(client, format, entrants)
    assert seen.rounds >= 3
    assert seen.hands >= seen.matches / 2
    assert all(words in seen.standings for words in SHOWN.get(format, ()))


def test_a_league_of_three_teams_plays_its_season_and_its_cup(client):
    seen = season(client, 3, pairs=1, turns=1)
    assert seen.matches > 12
