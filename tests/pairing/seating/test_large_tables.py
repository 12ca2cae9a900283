"""Tables of five, six and eight (rules-more 8): which numbers make them, and how fair they are."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from league.pairing import PairingRefused
from league.pairing.seating import (
    Constraints,
    Plan,
    Swaps,
    certificate,
    composition,
    large_alternatives,
    plan_evening,
    plan_round,
)
from league.pairing.seating.lower_bounds import _shared_opponents, _shared_partners
from league.pairing.seating.table_sizes import LARGE_POLICIES, OUT_COSTS, TABLE_COSTS

# From five players on; "1 out" stands for one who sits out.
SIZES = {
    "fives": "5 42 43 44 54 55 443 444 544 554 4443 4444 5444 5544 44443",
    "sixes": "32 6 43 44 63 64 443 444 643 644 4443 4444 6443 6444 44443",
    "fives_sixes": "5 6 43 44 54 64 443 444 544 644 4443 4444 5444 6444 44443",
    "no_small": "5 6 6,1_out 44 54 64 65 444 544 644 654 4444 5444 6444 6544",
    "six_main": "5 6 43 8 54 64 65 66 85 86 654 664 665 666 865",
}


def written(one):
    tables = "".join(map(str, one.sizes))
    return f"{tables},{one.out}_out" if one.out else tables


@pytest.mark.parametrize("policy", SIZES)
def test_each_number_makes_the_tables_of_its_policy(policy):
    found = [written(composition(n, policy)) for n in range(5, 20)]
    assert found == SIZES[policy].split()


@pytest.mark.parametrize("policy", LARGE_POLICIES)
def test_no_other_tables_are_cheaper_for_up_to_nine(policy):
    usual, sizes = LARGE_POLICIES[policy]
    for n in range(min(sizes), 10):
        ways = [
            (
                sum(TABLE_COSTS[usual][size] for size in tables) + OUT_COSTS * (n - sum(tables)),
                -sum(size for size in tables if size == usual),
                len(tables),
                tuple(sorted(-size for size in tables)),
            )
            for many in range(1, n // min(sizes) + 1)
            for tables in combinations_with_replacement(sizes, many)
            if sum(tables) <= n
        ]
        assert tuple(-size for size in min(ways)[3]) == composition(n, policy).sizes


def test_a_number_that_no_table_comes_near_is_refused():
    with pytest.raises(PairingRefused) as refused:
        composition(3, "no_small")
    assert refused.value.code == "too-few-for-policy"


def test_six_at_one_table_part_as_evenly_as_any_five_rounds_can():
    """Every way of choosing five of the ten splits has been gone through."""
    plan = plan_evening(range(6), 5, seed=1, policy="sixes")
    splits = [(0, *two) for two in combinations(range(1, 6), 2)]
    best = min(
        sum(times * (times - 1) // 2 for times in partners(chosen).values())
        for chosen in combinations_with_replacement(splits, 5)
    )
    assert plan.certificate.partner_repeats.value == best == plan.certificate.partner_repeats.bound


def partners(chosen):
    sides = [side for one in chosen for side in (one, sorted({*range(6)} - {*one}))]
    return Counter(pair for side in sides for pair in combinations(side, 2))


@pytest.mark.parametrize(
    ("policy", "n", "rounds", "most", "way"),
    [
        ("fives", 5, 4, 1.0, "schedule"),
        ("fives", 9, 8, 1.05, "schedule"),
        ("sixes", 14, 6, 1.05, "search"),
        ("six_main", 42, 8, 1.02, "schedule"),
    ],
)
def test_an_evening_with_large_tables_stays_near_what_no_plan_can_beat(
    policy, n, rounds, most, way
):
    plan = plan_evening(range(n), rounds, seed=1, policy=policy)
    assert plan.way == way
    assert 1 <= plan.certificate.ratio <= most
    assert all(sorted(one.played().present) == list(range(n)) for one in plan.rounds)


def test_the_same_seed_gives_the_same_tables():
    one, other = (plan_round(range(13), seed=3, policy="fives_sixes") for _ in range(2))
    assert one == other


def test_every_second_seat_of_six_is_a_partner():
    proof = certificate([plan_round(range(6), seed=1, policy="sixes").played()])
    line = proof.players[0]
    assert (line.partners, line.opponents, line.met, line.larger) == (2, 3, 5, 1)


def test_requests_are_kept_at_large_tables():
    constraints = Constraints(fixed=((0, 1),), never=((2, 3),), together=((4, 5),))
    plan = plan_round(range(12), seed=2, policy="six_main", constraints=constraints)
    assert plan.broken == ()


def test_a_locked_seat_at_a_large_table_is_kept():
    constraints = Constraints(locked={7: (1, 3)})
    plan = plan_round(range(6, 14), seed=2, policy="six_main", constraints=constraints)
    assert plan.broken == ()


def test_a_swap_of_partners_at_a_table_of_six_changes_nothing():
    plan = Plan(((0, 1, 2, 3, 4, 5),), (), (1,), 1, "3", 0, ())
    swaps = Swaps(plan, history=[plan.played()])
    assert swaps.cost(0, 2).change.total == 0
    assert swaps.cost(0, 1).change.total < 0  # who were partners become opponents


@pytest.mark.parametrize(
    ("sizes", "opponents", "partners"),
    [
        ((4, 4), [0, 0, 0, 1, 2], [0, 0, 0, 0, 0]),
        ((6, 6), [0, 0, 0, 0, 1, 3, 5], [0, 0, 0, 0, 0, 1, 2]),
        ((5, 6), [0, 0, 0, 0, 3, 6], [0, 0, 0, 0, 0, 0]),
    ],
)
def test_what_two_tables_force_to_coincide(sizes, opponents, partners):
    many = range(min(sizes) + 1)
    assert [_shared_opponents(*sizes, people) for people in many] == opponents
    assert [_shared_partners(*sizes, people) for people in many] == partners


def test_beside_fours_an_organiser_is_offered_the_cheapest_rooms_with_larger_tables():
    offered = [str(one) for one in large_alternatives(12, {2, 3, 4, 5, 6})]
    assert offered == ["6 + 6", "5 + 4 + 3", "6 + 4 + 2"]
    assert large_alternatives(12, {2, 3, 4}) == ()
    for players in range(6, 61):
        for one in large_alternatives(players, {2, 3, 4, 5, 6, 8}):
            assert one.players == players
            assert max(one.sizes) > 4


def test_after_the_rooms_that_seat_everybody_come_those_where_the_fewest_sit_out():
    offered = [str(one) for one in large_alternatives(13, {2, 3, 4, 6})]
    assert offered == ["6 + 4 + 3", "6 + 6 and 1 out", "6 + 4 + 2 and 1 out"]
    assert str(large_alternatives(13, {6})[0]) == "6 + 6 and 1 out"
