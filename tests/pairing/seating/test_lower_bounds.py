"""The lower bounds hold: against brute force, and as laws."""

import random
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.seating import PlayedRound, certificate, plan_evening
from league.pairing.seating.lower_bounds import (
    best_rounding,
    least_in_common,
    level_fill,
    level_seats,
    overlap,
    pairs,
    steady_bound,
)
from league.pairing.seating.table_sizes import composition


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_no_way_to_fill_the_cells_repeats_less_than_the_bound(capacities, data):
    total = data.draw(st.integers(0, sum(capacities)))
    ways = product(*(range(capacity + 1) for capacity in capacities))
    least = min(sum(map(pairs, way)) for way in ways if sum(way) == total)
    assert level_fill(total, capacities) == least


def test_more_meetings_than_the_pairs_can_hold_is_our_mistake():
    with pytest.raises(ValueError, match="more meetings"):
        level_fill(5, [2, 2])


@given(st.lists(st.integers(0, 12), min_size=2, max_size=4))
def test_no_whole_numbers_come_closer_to_the_shares_than_the_best_rounding(quarters):
    total, rest = divmod(sum(quarters), 4)
    shares = [Fraction(quarter, 4) for quarter in quarters]
    shares[0] -= Fraction(rest, 4)
    ways = (way for way in product(range(-1, 8), repeat=len(shares)) if sum(way) == total)
    least = min(sum((h - e) ** 2 for h, e in zip(way, shares, strict=True)) for way in ways)
    assert best_rounding(shares, total) == least


@pytest.mark.parametrize(("times", "least"), [(0, 0), (4, 0), (5, 1), (8, 4), (11, 10)])
def test_chairs_repeat_no_less_than_when_they_are_level(times, least):
    assert level_seats(times) == least


def _least_overlap(rows, columns, cost):
    """Every way to send the rows' players to the columns, by brute force."""

    def ways(row, free):
        if row == len(rows):
            yield 0
            return
        for sent in product(*(range(min(rows[row], room) + 1) for room in free)):
            if sum(sent) == rows[row]:
                left = [room - gone for room, gone in zip(free, sent, strict=True)]
                here = sum(
                    cost(rows[row], column, many)
                    for column, many in zip(columns, sent, strict=True)
                )
                for rest in ways(row + 1, left):
                    yield here + rest

    return min(ways(0, list(columns)))


@pytest.mark.parametrize("players", range(4, 13))
def test_two_rounds_of_a_room_overlap_at_least_as_much_as_the_bound_says(players):
    sizes = composition(players).sizes
    least = _least_overlap(sizes, sizes, lambda _a, _b, many: pairs(many))
    assert overlap(sizes, sizes, players, False) == least


def test_partners_hide_some_of_the_opponents_two_rounds_share():
    assert overlap((4,), (4,), 4, True) == 2
    assert overlap((4,), (4,), 4, False) == 6
    assert overlap((3, 2), (3, 2), 5, True) == 1


@given(st.integers(4, 30), st.integers(4, 30), st.integers(0, 30))
def test_fewer_common_players_never_overlap_more(first, second, common):
    sizes, others = composition(first).sizes, composition(second).sizes
    common = min(common, first, second)
    assert overlap(sizes, others, common, False) >= overlap(sizes, others, common - 1, False) >= 0


def test_no_evening_of_five_at_a_three_and_a_two_is_better_than_the_planned_one():
    """Every evening of four rounds, the first alike and the others in any order: the bound is too
    low there, and the plan cannot be bettered."""
    rounds = [
        PlayedRound((three, tuple(one for one in range(5) if one not in three)))
        for three in combinations(range(5), 3)
    ]
    costs = [
        certificate([rounds[0], *others]).cost
        for others in combinations_with_replacement(rounds, 3)
    ]
    planned = plan_evening(range(5), 4, seed=1).certificate
    assert planned.cost == min(costs) == Fraction(436, 5)
    assert planned.cost_bound < min(costs)


def second_rounds(sizes):
    """Every second round at two tables, told apart only by who sits on which side."""
    people = range(sum(sizes))
    for first in combinations(people, sizes[0]):
        rest = [one for one in people if one not in first]
        for seated in product(_sittings(first), _sittings(rest)):
            yield PlayedRound(seated)


def _sittings(table):
    """One order of a table for every way to make its sides."""
    if len(table) % 2:
        return [tuple(table)]
    mine = combinations(table[1:], len(table) // 2 - 1)
    sides = [((table[0], *some), [one for one in table[1:] if one not in some]) for some in mine]
    return [tuple(x for pair in zip(*both, strict=True) for x in pair) for both in sides]


def in_common(proof):
    """What pairs who are the same to each other again cost."""
    again = proof.partner_repeats, proof.opponent_repeats, proof.meeting_repeats
    return sum(weight * one.value for weight, one in zip((8, 2, 2), again, strict=True))


@pytest.mark.parametrize(("sizes", "rounds"), [((5, 4), 2), ((5, 2), 3)])
def test_no_rounds_at_two_tables_cost_less_than_the_bound_all_of_them_tried(sizes, rounds):
    people = tuple(range(sum(sizes)))
    first = PlayedRound((people[: sizes[0]], people[sizes[0] :]))
    others = combinations_with_replacement(second_rounds(sizes), rounds - 1)
    proofs = [certificate([first, *more]) for more in others]
    assert steady_bound(sizes, rounds) <= min(proof.cost for proof in proofs)
    least = min(map(in_common, proofs))
    assert least_in_common(sizes) * rounds * (rounds - 1) // 2 <= least
    assert rounds > 2 or least_in_common(sizes) == least


def test_no_evening_drawn_by_chance_costs_less_than_its_bound():
    chance = random.Random(5)
    for sizes in [(5, 2), (6, 3), (5, 4), (6, 5), (8, 5), (6, 5, 4), (8, 6, 6)]:
        for many in (2, 3, 8):
            played = []
            for _ in range(many):
                people = chance.sample(range(sum(sizes)), sum(sizes))
                starts = [sum(sizes[:table]) for table in range(len(sizes))]
                played.append(
                    PlayedRound(
                        tuple(
                            tuple(people[start : start + size])
                            for start, size in zip(starts, sizes, strict=True)
                        )
                    )
                )
            proof = certificate(played)
            assert proof.cost_bound <= proof.cost
