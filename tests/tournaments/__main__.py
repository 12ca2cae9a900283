"""Every format played through over HTTP by fields of 5 to 64, as a table of figures.

python -m tests.tournaments
python -m tests.tournaments --formats swiss,double --sizes 33,64

Each has somebody late after round 1, a withdrawal in round 2 and a correction in a finished round.
An entrant is a person in formats of individuals and in seeding rounds (`seeding-picked`,
`seeding-drawn`: partners, a round robin, a play-off), a pair in those of pairs, a team in
`team-league` (with its cup). `rotation-calm`: nobody comes or leaves. Where the draw is full,
who is late has the rounds to come drawn again, or comes into a larger bracket before it begins.
Takes half an hour.
"""

import argparse
import os
import sys

import pytest


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--formats", default="", help="names with commas between; all unless named")
    parser.add_argument("--sizes", default="", help="numbers with commas between")
    options = parser.parse_args()
    os.environ["FORMATS"] = options.formats.replace(",", " ")
    os.environ["SIZES"] = options.sizes.replace(",", " ")
    return int(pytest.main(["tests/tournaments/large.py", "-q", "-s", "-n", "0", "--no-header"]))


if __name__ == "__main__":
    sys.exit(main())
