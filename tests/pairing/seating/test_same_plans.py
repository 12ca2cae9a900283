"""Rooms with tables of two, three and four only: the plans of a seed stay what they are."""

import hashlib
import json

import pytest

from league.pairing.seating import certificate, composition, plan_evening, plan_round

# A digest of the tables, sit-outs and figures, by the number of people and the policy.
ROUNDS = {
    (4, "club"): "bb41a9a7e2e8",
    (5, "club"): "8bace42b9e2a",
    (10, "club"): "41abdfff1726",
    (13, "club"): "5814b54f389a",
    (9, "no_twos"): "b2cb981c0809",
    (10, "sitout"): "2e219e79a9a2",
    (21, "club"): "180a931a98b4",
}
EVENINGS = {
    (6, "club"): "c5f005a4f231",
    (9, "club"): "a08471812037",
    (11, "no_twos"): "6cc67d726c8b",
    (10, "sitout"): "eda5fabb1b08",
}
SIZES = "5851c9bbda96"


def digest(value):
    return hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()[:12]


def four_rounds(n, policy):
    """Round after round, each planned with the history of those before it."""
    played = []
    for number in range(4):
        plan = plan_round(range(n), seed=100 + number, history=played, policy=policy)
        played.append(plan.played())
    proof = certificate(played)
    return [[one.tables, one.out] for one in played], str(proof.cost), str(proof.cost_bound)


def evening(n, policy):
    plan = plan_evening(range(n), 5, seed=7, policy=policy)
    proof = plan.certificate
    return [[one.tables, one.out] for one in plan.rounds], str(proof.cost), str(proof.cost_bound)


@pytest.mark.parametrize(("n", "policy"), ROUNDS)
def test_rounds_one_by_one_are_the_plans_they_were(n, policy):
    assert digest(four_rounds(n, policy)) == ROUNDS[n, policy]


@pytest.mark.parametrize(("n", "policy"), EVENINGS)
def test_evenings_are_the_plans_they_were(n, policy):
    assert digest(evening(n, policy)) == EVENINGS[n, policy]


def test_the_sizes_of_the_old_policies_are_what_they_were():
    sizes = [[str(composition(n, p)) for n in range(2, 61)] for p in ("club", "no_twos", "sitout")]
    assert digest(sizes) == SIZES
