"""What it costs to swap two people in a draft, part by part."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing import PairingRefused
from league.pairing.seating import Constraints, PlayedRound, Swaps, certificate, plan_round

FIRST = PlayedRound(((1, 2, 3, 4), (5, 6, 7, 8)))


def test_a_swap_that_brings_back_a_partner_says_who_and_how_often():
    plan = plan_round(range(1, 9), seed=1, history=[FIRST])
    one = 1
    mate = next(t[(t.index(1) + 2) % 4] for t in plan.tables if 1 in t)
    price = Swaps(plan, history=[FIRST]).cost(3, mate)
    assert (one, 3, 100) in price.partners_again
    assert price.change.partners > 0
    assert any(3 in table and 1 in table for table in price.tables)


@settings(max_examples=5, deadline=None)
@given(st.integers(5, 14), st.integers(0, 20), st.data())
def test_the_price_is_the_change_of_the_certificates_cost(players, seed, data):
    people = range(players)
    played = [plan_round(people, seed=seed).played()]
    plan = plan_round(people, seed=seed + 1, history=played)
    first, second = data.draw(st.permutations(people))[:2]
    price = Swaps(plan, history=played).cost(first, second)
    swapped = PlayedRound(price.tables, price.out)
    before = certificate([*played, plan.played()]).cost
    after = certificate([*played, swapped]).cost
    assert price.change.total == after - before


def test_a_swap_and_the_swap_back_cost_nothing_together():
    plan = plan_round(range(9), seed=1, history=[FIRST])
    price = Swaps(plan, history=[FIRST]).cost(0, 5)
    parts = (price.change.partners, price.change.opponents, price.change.meetings)
    assert sum(parts) + price.change.shares == price.change.total
    assert Swaps(plan, history=[FIRST]).cost(0, 0).change.total == 0


def test_a_swap_that_breaks_a_wish_names_it_and_one_that_mends_it_too():
    plan = plan_round(range(1, 9), seed=1, history=[FIRST])
    table, other = plan.tables
    constraints = Constraints(never=((table[0], other[1]),))
    price = Swaps(plan, history=[FIRST], constraints=constraints).cost(table[1], other[1])
    assert [constraint.people for constraint in price.breaks] == [(table[0], other[1])]
    constraints = Constraints(never=((table[0], table[1]),))
    price = Swaps(plan, history=[FIRST], constraints=constraints).cost(table[1], other[1])
    assert [constraint.people for constraint in price.mends] == [(table[0], table[1])]


def test_a_swap_to_a_small_table_says_who_gains_it_and_how_far_ahead_that_puts_them():
    plan = plan_round(range(6), seed=1)
    four, two = plan.tables
    price = Swaps(plan).cost(four[0], two[0])
    assert price.short_change == ((four[0], Fraction(2, 3)), (two[0], Fraction(-1, 3)))


def test_somebody_who_sits_out_can_be_swapped_in():
    plan = plan_round(range(9), seed=1, policy="sitout")
    price = Swaps(plan).cost(plan.out[0], plan.tables[0][0])
    assert price.out == (plan.tables[0][0],)


def test_one_who_has_no_place_cannot_be_swapped():
    plan = plan_round(range(8), seed=1)
    with pytest.raises(PairingRefused) as refused:
        Swaps(plan).cost(0, 99)
    assert (refused.value.code, refused.value.people) == ("not-in-round", (99,))
