"""Constraints that contradict each other are named before anything is planned."""

import pytest

from league.pairing import PairingRefused
from league.pairing.seating import Constraints, plan_round

CONTRADICTIONS = {
    "a pair fixed and never to meet": (
        Constraints(fixed=((1, 2),), never=((2, 1),)),
        (1, 2),
        "fixed pair and are also to be kept apart",
    ),
    "a pair fixed and never partners": (
        Constraints(fixed=((1, 2),), apart_partner=((1, 2),)), (1, 2), "kept apart"
    ),
    "a pair together and never to meet": (
        Constraints(together=((1, 2),), never=((1, 2),)), (1, 2), "sit together"
    ),
    "two fixed partners for one": (
        Constraints(fixed=((1, 2), (1, 3))), (1, 2, 3), "more than one fixed pair, with 2 and 3"
    ),
    "a pair of one": (Constraints(never=((4, 4),)), (4,), "pair with themselves"),
    "five who must share a table": (
        Constraints(together=((1, 2), (2, 3), (3, 4), (4, 5))), (1, 2, 3, 4, 5), "no table can hold"
    ),
    "a group with two who never meet": (
        Constraints(together=((1, 2), (2, 3)), never=((1, 3),)), (1, 2, 3), "1 and 3 never meet"
    ),
    "four who never meet at three tables": (
        Constraints(never=((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))), (1, 2, 3, 4), "tables"
    ),
    "two on one chair": (Constraints(locked={1: (1, 0), 2: (1, 0)}), (1, 2), "same seat"),
    "a chair no table has": (Constraints(locked={1: (1, 4)}), (1,), "no table has"),
    "a table that is not there": (Constraints(stays={1: 9}), (1,), "table 9"),
    "two tables for one": (
        Constraints(stays={1: 1}, locked={1: (2, 0)}),
        (1,),
        "locked to table 2",
    ),
    "partners who keep different tables": (
        Constraints(fixed=((1, 2),), stays={1: 1, 2: 2}), (1, 2), "different tables"
    ),
    "never to meet at one table kept": (
        Constraints(never=((1, 2),), stays={1: 1, 2: 1}), (1, 2), "same table"
    ),
    "partners locked as opponents": (
        Constraints(fixed=((1, 2),), locked={1: (1, 0), 2: (1, 1)}), (1, 2), "break their request"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_contradiction_is_refused_naming_the_people(case):
    constraints, people, words = CONTRADICTIONS[case]
    with pytest.raises(PairingRefused) as refused:
        plan_round(range(1, 13), seed=1, constraints=constraints)
    assert refused.value.code == "constraints-contradict"
    assert refused.value.people == people
    assert words in str(refused.value)


def test_more_fixed_pairs_than_full_tables_hold_are_named():
    constraints = Constraints(fixed=((1, 2), (3, 4), (5, 6)))
    with pytest.raises(PairingRefused, match="1 and 2, 3 and 4, 5 and 6"):
        plan_round(range(1, 7), seed=1, constraints=constraints)


def test_every_contradiction_is_named_at_once():
    constraints = Constraints(fixed=((1, 2),), never=((1, 2),), stays={5: 7})
    with pytest.raises(PairingRefused) as refused:
        plan_round(range(1, 9), seed=1, constraints=constraints)
    assert refused.value.people == (1, 2, 5)


def test_a_wish_about_somebody_who_is_not_here_does_not_matter():
    constraints = Constraints(fixed=((1, 99),), never=((2, 98),), stays={97: 1})
    assert plan_round(range(1, 9), seed=1, constraints=constraints).broken == ()


def test_wishes_that_only_a_search_shows_to_clash_are_named_by_the_plan():
    # Seven people at a four and a three: 1 to 4 would each need the others' table.
    never = tuple((one, other) for one in (1, 2) for other in (3, 4, 5, 6, 7))
    plan = plan_round(range(1, 8), seed=1, constraints=Constraints(never=never))
    assert plan.broken
    assert {constraint.kind for constraint in plan.broken} == {"never"}
    assert "never to meet" in plan.broken[0].sentence


def test_a_fixed_pair_may_sit_out_together_but_is_never_split():
    constraints = Constraints(fixed=((1, 2),))
    played = []
    for seed in range(6):
        plan = plan_round(
            range(1, 7), seed=seed, history=played, constraints=constraints, policy="sitout"
        )
        assert plan.broken == ()
        assert len({1, 2} & set(plan.out)) != 1
        played.append(plan.played())
    assert any({1, 2} == set(one.out) for one in played)


def test_two_who_never_meet_at_the_one_table_are_kept_apart_by_sitting_out():
    constraints = Constraints(never=((1, 2),), fixed=((3, 4), (5, 6), (7, 1)))
    played = []
    for seed in range(4):
        plan = plan_round(
            range(1, 8), seed=seed, history=played, constraints=constraints, policy="sitout"
        )
        assert plan.broken == ()
        played.append(plan.played())
