"""Every format with every size of field, 5 to 64: run by `python -m tests.tournaments`.

Not collected by `bin/test`: a round robin of 64 pairs alone has 2,016 matches.
"""

import os
import time

import pytest

from tests.tournaments.hall import FORMATS, evening

SIZES = (5, 6, 7, 8, 11, 16, 17, 32, 33, 64)
LEAST = {"groups": 6}
"""Two groups with two through want three pairs each, one of which leaves."""


def chosen():
    """What the command asks for: formats and sizes, all unless it names some."""
    only = os.environ.get("FORMATS", "").split()
    sizes = [int(size) for size in os.environ.get("SIZES", "").split()] or SIZES
    return [
        (format, size)
        for format in sorted(FORMATS)
        for size in sizes
        if format in (only or FORMATS) and size >= LEAST.get(format, 0)
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("format", "entrants"), chosen())
def test_a_field_of_this_size_plays_this_format_to_its_end(client, format, entrants):
    began = time.process_time()
    seen = evening(client, format, entrants)
    spent = time.process_time() - began
    print(  # noqa: T201 - the figures are what the command is for
        f"\n{format:12} {entrants:3} entrants {seen.rounds:3} rounds {seen.matches:5} matches"
        f" {seen.hands:5} hands {spent:6.1f} s CPU"
    )
