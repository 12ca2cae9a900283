"""Whom a draw should not bring together at once: not in the first matches, not in one group."""

from itertools import combinations
from random import Random

import pytest

from league.pairing.formats import first_meetings, spread
from league.pairing.formats.groups import snake


def met(order, together, apart):
    groups = ({order[place] for place in group} for group in together)
    return [both for both in apart if any(both <= group for group in groups)]


def of_one_town(towns, each):
    everybody = range(towns * each)
    return [frozenset(b) for b in combinations(everybody, 2) if b[0] % towns == b[1] % towns]


@pytest.mark.parametrize(("towns", "each"), [(2, 4), (3, 4), (4, 8), (5, 3)])
def test_nobody_meets_somebody_of_the_same_town_in_the_first_round(towns, each):
    apart = of_one_town(towns, each)
    for seed in range(10):
        order = list(range(towns * each))
        Random(seed).shuffle(order)
        meetings = first_meetings(len(order))
        now = spread(order, meetings, apart, fixed=0)
        assert sorted(now) == sorted(order)
        assert met(now, meetings, apart) == []


def test_groups_have_as_few_of_one_town_as_there_must_be():
    order, groups = list(range(12)), snake(range(12), 3)
    apart = of_one_town(4, 3)
    assert met(spread(order, groups, apart, fixed=0), groups, apart) == []


def test_seeds_stay_where_they_are_also_where_they_should_not_meet():
    order, meetings = list(range(8)), first_meetings(8)
    assert meetings[0] == (0, 7)
    now = spread(order, meetings, [frozenset((0, 7))], fixed=4)
    assert (now[:4], now[7] != 7) == ([0, 1, 2, 3], True)
    assert spread(order, meetings, [frozenset((0, 7))], fixed=8) == order


def test_without_a_wish_the_draw_is_as_the_lot_has_it():
    assert spread([3, 1, 2], first_meetings(3), [], fixed=0) == [3, 1, 2]
    assert first_meetings(3) == ((1, 2),)
