"""Matches: laps carried over, slams that count twice, and games that do not fit."""

import json

import pytest

from scoring.files import check_game_text
from tests.scoring.builders import hand

FOUR_ONE = [(0, 5), (0, 5), (1, 3)]


def match(how, *games, **options):
    """The answer to a match of games, each a list of (maker, tricks or a special)."""

    def record(dealer, maker, took):
        if took == "alone":
            return hand(dealer, seat=maker, trump="h", alone=True, tricks_won=5)
        if isinstance(took, str):
            return hand(dealer, seat=maker, trump="h", special=took, tricks_won=5)
        return hand(dealer, seat=maker, trump="h", tricks_won=took)

    data = {
        "ruleset": "keller-1887-four-handed",
        "options": {"laps": "on", "slam": "on", "jambone": 8, **options},
        "match": how,
        "games": [{"hands": [record(n % 4, *deal) for n, deal in enumerate(g)]} for g in games],
    }
    return check_game_text(json.dumps(data).encode())[0]


def test_points_in_excess_of_one_game_are_counted_on_the_next():
    first, second = match({"best_of": 3}, [*FOUR_ONE, (0, "alone")], [(0, 3)])["games"]
    assert (first["score"], first["excess"], first["games_counted"]) == ([8, 1], [3, 0], 1)
    assert (second["carried"], second["score"], second["games_counted"]) == ([3, 0], [4, 0], 0)


def test_a_slam_counts_as_two_games():
    thrice = [(0, 5)] * 3
    assert match({"best_of": 3}, thrice)["over"]
    found = match({"best_of": 5}, thrice, [(1, 5), (1, 5), (1, 3)])
    assert (found["score"], found["over"]) == ([2, 1], False)
    assert [game["games_counted"] for game in found["games"]] == [2, 1]


def test_points_carried_can_win_a_game_without_a_hand():
    found = match({"best_of": 7}, [*FOUR_ONE, (0, "jambone")], [(0, 5), (0, 5)])
    assert (found["score"], found["winners"]) == ([4, 0], [0, 2])
    assert found["games"][1]["carried"] == [2, 0]
    assert not match({"games": 3}, [*FOUR_ONE, (0, "jambone")])["over"]


@pytest.mark.parametrize(
    ("how", "games", "expected"),
    [
        ({"best_of": 1}, [[(0, 5)] * 3, [(0, 5)]], [("game-over", 2)]),
        ({"best_of": 3}, [FOUR_ONE, FOUR_ONE], [("game-unfinished", 1)]),
        ({"best_of": 3}, [[*[(0, 5)] * 3, (0, 5)]], [("game-over", 1)]),
        ({"best_of": 2}, [FOUR_ONE], [("bad-format", None)]),
        ({"games": 0}, [FOUR_ONE], [("bad-format", None)]),
        ({"best_of": 3, "games": 3}, [FOUR_ONE], [("bad-format", None)]),
        ({}, [FOUR_ONE], [("bad-format", None)]),
    ],
)
def test_what_does_not_fit_in_a_match_is_told_with_its_game(how, games, expected):
    found = match(how, *games)
    assert [(fault["code"], fault.get("game")) for fault in found["faults"]] == expected
    assert not found["valid"]


def test_an_equal_number_of_games_is_drawn_and_names_both():
    found = match({"games": 2}, [*[(0, 5)] * 3], [*[(1, 5)] * 3], laps="off", slam="off")
    assert (found["score"], found["winners"]) == ([1, 1], [0, 1, 2, 3])
