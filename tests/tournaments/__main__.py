"""Every format played through over HTTP by fields of 5 to 64, as a table of figures.

python -m tests.tournaments
python -m tests.tournaments --formats swiss,double --sizes 33,64

Each has a withdrawal in round 2 and a correction in a finished round. Takes some minutes.
"""

import argparse
import os
import sys

import pytest


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--formats", default="", help="names with commas between; all unless named")
    asked.add_argument("--sizes", default="", help="numbers with commas between")
    told = asked.parse_args()
    os.environ["FORMATS"] = told.formats.replace(",", " ")
    os.environ["SIZES"] = told.sizes.replace(",", " ")
    return int(pytest.main(["tests/tournaments/large.py", "-q", "-s", "-n", "0", "--no-header"]))


if __name__ == "__main__":
    sys.exit(main())
