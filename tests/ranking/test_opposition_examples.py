"""Buchholz, Cut-1 and Sonneborn-Berger: the examples worked by hand in fixtures/, and the laws."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ranking.tie_breaks import Faced, How, Opposition, opposition_scores

EXAMPLES = sorted(Path("fixtures/opposition").glob("*.json"))
HALF = Fraction(1, 2)


def rounds_of(example):
    """Everybody's rounds out of sentences like `Ann beat Bill`; keys are the names' numbers."""
    keys = {name: key for key, name in enumerate(sorted(example["figures"]), 1)}
    faced = defaultdict(list)
    for sentences in example["rounds"]:
        for sentence in sentences:
            words = sentence.split()
            one, verb, other = keys[words[0]], words[1], keys.get(words[-1])
            for who, met in {
                "beat": ((one, Faced(other, Fraction(1))), (other, Faced(one, Fraction(0)))),
                "drew": ((one, Faced(other, HALF)), (other, Faced(one, HALF))),
                "had": ((one, Faced(None, Fraction(1), How.BYE)),),
                "was": ((one, Faced(None, Fraction(0), How.AWAY)),),
                "walked": (
                    (one, Faced(None, Fraction(1), How.WALKED_OVER)),
                    (other, Faced(None, Fraction(0), How.ABSENT)),
                ),
            }[verb]:
                faced[who].append(met)
    return keys, faced


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_example_worked_by_hand_comes_out(path: Path) -> None:
    example = json.loads(path.read_text())
    keys, faced = rounds_of(example)
    worked = {
        keys[name]: Opposition(*map(Fraction, figures))
        for name, figures in example["figures"].items()
    }
    assert opposition_scores(faced) == worked


def test_there_is_an_example_for_every_way_not_to_play_a_round() -> None:
    text = " ".join(path.read_text() for path in EXAMPLES)
    assert all(f" {verb} " in text for verb in ("beat", "drew", "had", "was", "walked"))


@st.composite
def everybody_played(draw):
    """Rounds in which all of an even field met somebody."""
    field = 2 * draw(st.integers(1, 4))
    faced = {who: [] for who in range(field)}
    for _ in range(draw(st.integers(0, 6))):
        order = draw(st.permutations(range(field)))
        for one, other in zip(order[::2], order[1::2], strict=True):
            took = draw(st.sampled_from([Fraction(0), HALF, Fraction(1)]))
            faced[one].append(Faced(other, took))
            faced[other].append(Faced(one, 1 - took))
    return faced


@given(everybody_played())
def test_when_all_rounds_were_played_buchholz_hands_out_all_points_once_a_round(faced) -> None:
    figures = opposition_scores(faced).values()
    rounds = len(faced[0])
    assert sum(one.buchholz for one in figures) == rounds * sum(one.match_points for one in figures)


@given(everybody_played())
def test_sonneborn_berger_is_never_more_than_buchholz_nor_cut_1(faced) -> None:
    for one in opposition_scores(faced).values():
        assert 0 <= one.buchholz_cut1 <= one.buchholz
        assert 0 <= one.sonneborn_berger <= one.buchholz
