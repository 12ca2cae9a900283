"""Every format over HTTP with an odd field, a withdrawal in round 2 and a correction after it.

More and larger fields: `python -m tests.tournaments`.
"""

import pytest

from tests.tournaments.hall import FORMATS, SINGLE, evening

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_an_odd_field_plays_every_format_to_its_end(client, format):
    entrants = 9 if format in SINGLE else 7 if format == "groups" else 5
    seen = evening(client, format, entrants)
    assert seen.rounds >= 3
    assert seen.hands >= seen.matches / 2
