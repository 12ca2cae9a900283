"""Buchholz and Sonneborn-Berger: the example worked by hand in fixtures/, byes as FIDE has them."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from league.ranking.measures import Tally
from league.ranking.tables import rank
from league.ranking.tie_breaks import (
    BUCHHOLZ,
    MATCH_POINTS,
    SONNEBORN_BERGER,
    Faced,
    PairTally,
    opposition_scores,
)
from league.standings.text import explained

EXAMPLE = json.loads(Path("fixtures/pairings/five-pairs-three-rounds.json").read_text())
KEYS = {name: key for key, name in enumerate(EXAMPLE["rounds"], 1)}


def worked_out():
    return opposition_scores(
        {
            KEYS[name]: [Faced(KEYS.get(other), Fraction(took)) for other, took in rounds]
            for name, rounds in EXAMPLE["rounds"].items()
        }
    )


@pytest.mark.parametrize("name", list(KEYS))
def test_the_figures_are_those_worked_out_by_hand(name):
    found = worked_out()[KEYS[name]]
    figures = [found.match_points, found.buchholz, found.sonneborn_berger]
    assert figures == [Fraction(text) for text in EXAMPLE["figures"][name]]


def ranked(*measures):
    met = worked_out()
    return rank({who: [PairTally.of(Tally(), met[who])] for who in met}, measures)


def test_level_on_match_points_the_opponents_points_decide_and_it_is_said():
    lines = ranked(MATCH_POINTS, BUCHHOLZ)
    names = {key: name for name, key in KEYS.items()}
    assert [names[line.who] for line in lines] == EXAMPLE["order"]
    assert explained(lines[1], names.__getitem__) == [
        "Second on the opponents' points: 6 against 5.5 (Bill). Level before that: 2 match points."
    ]


def test_sonneborn_berger_parts_those_the_opponents_points_leave_level():
    (second,) = [line for line in ranked(MATCH_POINTS, SONNEBORN_BERGER) if line.rank == 2]
    assert second.who == KEYS["Eve"]
    assert second.values["sonneborn_berger"] == 4


def test_nobody_has_points_before_the_first_round():
    assert opposition_scores({1: []})[1].buchholz == 0
