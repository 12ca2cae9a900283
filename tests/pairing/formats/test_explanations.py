"""What players are told: for every format, and right about how much there is to play."""

import pytest

from league.pairing.formats.explanations import Choices, Format, explain, picking_explained


def sentences(format, entries=None, **choices):
    return [str(one) for one in explain(format, Choices(**choices), entries)]


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("twice", [False, True])
def test_every_format_is_told_in_whole_sentences_without_saying_one_twice(format, twice):
    lines = sentences(format, 9, twice=twice, games=3, consolation=True, third_place=True)
    assert len(lines) >= 6
    assert len(set(lines)) == len(lines)
    assert all(line.endswith(".") and "%" not in line for line in lines)


def test_how_much_there_is_to_play_is_told_for_so_many_entries():
    assert sentences(Format.ROUND_ROBIN, 6)[-3:] == [
        "Expect 5 rounds.",
        "15 matches in all.",
        "You play 5 matches.",
    ]
    assert sentences(Format.DOUBLE, 8)[-3:] == [
        "Expect 6 to 7 rounds.",
        "14 to 15 matches in all.",
        "You play 2 to 7 matches.",
    ]


def test_one_of_something_is_told_in_the_singular():
    assert sentences(Format.KNOCKOUT, 2)[-3:] == [
        "Expect 1 round.",
        "1 match in all.",
        "You play 1 match.",
    ]


def test_without_a_number_of_entries_nothing_is_promised():
    assert not any("Expect" in line for line in sentences(Format.SWISS))


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
