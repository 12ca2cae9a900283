"""Every format with every size of field, 5 to 64: run by `python -m tests.tournaments`.

Not collected by `bin/test`: a round robin of 64 pairs alone has 2,016 matches. An entrant is a
person in the formats of individuals and in seeding rounds, a pair in those of pairs, a team in a
league.
"""

import os
import time
from functools import partial

import pytest

from tests.tournaments.evenings import FORMATS, evening, seeding_round, whole_rotation
from tests.tournaments.team_league import OFTEN, season

SIZES = (5, 6, 7, 8, 11, 16, 17, 32, 33, 64)
LEAST = {"groups": 6, "rotation-calm": 6, "seeding-picked": 6, "seeding-drawn": 6}
"""Two groups with two through want three pairs each, one of which leaves; five people make a
table of three and one of two, at which nobody has a partner; of five one leaves a seeding round."""
WHOLE = 17
"""Rotations are played whole up to here, and for so many rounds beyond."""
LONG = 12


def rotation(client, entrants):
    """With somebody late, somebody gone and a correction; up to a point until all have met."""
    if 6 <= entrants <= WHOLE:
        return whole_rotation(client, entrants)
    return evening(client, "rotation", entrants, rounds=LONG)


def league(client, entrants):
    """Three pairs and nine games in small leagues, two pairs and two games in large ones."""
    return season(client, entrants, *((3, 3) if entrants <= OFTEN else (2, 1)))


PLAYED = {
    **{format: partial(evening, format=format) for format in FORMATS},
    "rotation": rotation,
    "rotation-calm": partial(whole_rotation, calm=True),
    "seeding-picked": partial(seeding_round, partners="picked"),
    "seeding-drawn": partial(seeding_round, partners="drawn"),
    "team-league": league,
}


def chosen():
    """What the command asks for: formats and sizes, all unless it names some."""
    only = os.environ.get("FORMATS", "").split()
    sizes = [int(size) for size in os.environ.get("SIZES", "").split()] or SIZES
    return [
        (format, size)
        for format in sorted(PLAYED)
        for size in sizes
        if format in (only or PLAYED) and size >= LEAST.get(format, 0)
        if format != "rotation-calm" or size <= WHOLE
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("format", "entrants"), chosen())
def test_a_field_of_this_size_plays_this_format_to_its_end(client, format, entrants):
    began = time.process_time()
    seen = PLAYED[format](client, entrants=entrants)
    spent = time.process_time() - began
    refused = f"  nobody late: {seen.late}" if seen.late else ""
    print(  # noqa: T201 - the figures are what the command is for
        f"\n{format:19} {entrants:3} entrants {seen.rounds:3} rounds {seen.matches:5} matches"
        f" {seen.hands:5} hands {spent:6.1f} s CPU{refused}",
        flush=True,
    )
