"""What players are told about every format."""

import pytest

from league.pairing.formats.explanations import Choices, Format, explain, picking_explained


def sentences(format, **choices):
    return [str(one) for one in explain(format, Choices(**choices))]


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("twice", [False, True])
def test_every_format_is_told_in_whole_sentences_without_saying_one_twice(format, twice):
    lines = sentences(format, twice=twice, games=3, consolation=True, third_place=True)
    assert len(lines) >= 3
    assert len(set(lines)) == len(lines)
    assert all(line.endswith(".") and "%" not in line for line in lines)


def test_a_match_of_several_games_is_told():
    assert any("best of 3 games" in line for line in sentences(Format.KNOCKOUT, games=3))


@pytest.mark.parametrize(
    ("choice", "word"), [("consolation", "consolation"), ("third_place", "third place")]
)
def test_what_was_not_chosen_is_not_told(choice, word):
    assert not any(word in line for line in sentences(Format.KNOCKOUT))
    assert any(word in line for line in sentences(Format.KNOCKOUT, **{choice: True}))


@pytest.mark.parametrize("way", ["picked", "drawn", "folded"])
def test_each_way_to_find_partners_is_told(way):
    others = {"picked", "drawn", "folded"} - {way}
    assert all(picking_explained(way) != picking_explained(other) for other in others)
