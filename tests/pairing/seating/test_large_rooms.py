"""A room of a thousand: its plan, its page and a tap take no more work than its people need."""

import sys

import pytest

from league.pairing import PairingRefused
from league.pairing.seating import (
    Constraints,
    Plan,
    PlayedRound,
    Swaps,
    annealing,
    certificate,
    heuristic_search,
    plan_round,
    table_layout,
)
from league.pairing.seating.planner import MOST_PLAYERS
from league.pairing.seating.table_layout import Shape

WISHES = Constraints(
    together=tuple((one, one + 500) for one in range(0, 60, 2)),
    never=tuple((one, one + 501) for one in range(0, 60, 2)),
    fixed=tuple((one, one + 300) for one in range(100, 120, 2)),
)


def test_the_search_for_a_thousand_people_is_as_long_with_wishes_as_without(monkeypatch):
    stages = []
    monkeypatch.setattr(annealing, "_run_stage", lambda *board: stages.append(board))
    steps = 12_000 + 40 * 1_000
    plan_round(range(1_000), seed=3)
    assert len(stages) <= steps / annealing.STAGE + 2
    stages.clear()
    plan_round(
        range(1_000), seed=3, constraints=WISHES
    )  # nothing found: they are placed one by one
    assert len(stages) <= 2 * (steps / annealing.STAGE + 2)


def test_six_hundred_people_are_seated_and_every_wish_is_kept():
    plan = plan_round(range(601), seed=3, constraints=WISHES)
    assert sorted(one for table in plan.tables for one in table) == list(range(601))
    assert plan.broken == ()


@pytest.mark.parametrize("level", [False, True])
@pytest.mark.parametrize(
    ("sizes", "out"), [((4, 4, 4, 3, 2), 1), ((3, 3, 3), 0), ((2,) * 7, 5), ((4, 4), 6), ((3,), 9)]
)
def test_swaps_worked_out_one_by_one_are_those_that_are_listed(sizes, out, level, monkeypatch):
    shape = Shape(sizes, out)
    listed = set(shape.swaps(level=level))
    monkeypatch.setattr(table_layout, "LIST_LIMIT", 0)
    one_by_one = shape.swaps(level=level)
    found = {one_by_one[number] for number in range(len(one_by_one))}
    resting = range(shape.nobody - out, shape.nobody)
    assert listed <= found
    assert all({swap[0], swap[1]} <= set(resting) for swap in found - listed)  # changes nothing


def test_a_room_up_to_the_size_of_a_hall_is_searched_as_it_always_was():
    assert (heuristic_search.LARGE, table_layout.LIST_LIMIT) == (240, 400)


def test_more_people_than_can_be_planned_in_a_moment_are_refused_by_number():
    with pytest.raises(PairingRefused) as caught:
        plan_round(range(MOST_PLAYERS + 1), seed=1)
    assert caught.value.code == "too-many-players"
    assert caught.value.values == {"players": 1201, "most": 1200}


def room(people, rounds):
    """A drafted round and what was played before it, every time with others."""
    played = [
        PlayedRound(
            tuple(
                tuple((one + seat * step) % people for seat in range(4))
                for one in range(0, people, 4)
            )
        )
        for step in range(1, 4 * rounds, 4)
    ]
    tables = tuple(tuple(range(one, one + 4)) for one in range(0, people, 4))
    numbers = tuple(range(1, len(tables) + 1))
    return Plan(tables, (), numbers, 1, "3", 0, ()), played


def steps(work):
    """How many lines of Python it runs: however busy the computer is, they are as many."""
    count = 0

    def line(_frame, event, _value):
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_the_prices_of_all_swaps_with_one_person_grow_no_faster_than_the_room():
    def all_prices(people):
        plan, played = room(people, 10)
        swaps = Swaps(plan, history=played, constraints=WISHES)
        for other in range(1, people):
            swaps.cost(0, other)

    assert steps(lambda: all_prices(1_600)) < 2.6 * steps(lambda: all_prices(800))


def test_the_figures_of_a_round_grow_no_faster_than_the_room():
    def figures(people):
        _plan, played = room(people, 3)
        certificate(played)

    assert steps(lambda: figures(1_600)) < 2.6 * steps(lambda: figures(800))
