"""Partners after a seeding round: picked, drawn, or first with last."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.errors import PairingRefused
from league.pairing.formats.pairings import Picking, drawn_partners, folded_partners

PEOPLE = st.integers(0, 20).map(lambda many: tuple(range(1, many + 1)))


def test_the_best_placed_without_a_partner_picks_next():
    picking = Picking(("Ann", "Bill", "Cid", "Dee", "Eve"))
    assert picking.picker == "Ann"
    picking = picking.with_pick("Bill")
    assert (picking.picker, picking.choices) == ("Cid", ("Dee", "Eve"))
    picking = picking.with_pick("Eve")
    assert (picking.over, picking.alone) == (True, "Dee")
    assert picking.pairs == (("Ann", "Bill"), ("Cid", "Eve"))


@pytest.mark.parametrize("person", ["Ann", "Zoe"])
def test_only_somebody_else_without_a_partner_can_be_picked(person):
    with pytest.raises(PairingRefused) as refused:
        Picking(("Ann", "Bill")).with_pick(person)
    assert refused.value.code == "not-to-be-picked"


def test_when_the_one_to_pick_leaves_the_next_picks():
    assert Picking(("Ann", "Bill", "Cid")).without("Ann").picker == "Bill"


@given(PEOPLE, st.integers(0, 2**31))
def test_each_of_the_upper_half_draws_one_of_the_lower_half(people, seed):
    half = len(people) // 2
    drawn = drawn_partners(people, seed=seed)
    assert [upper for upper, _ in drawn.pairs] == list(people[:half])
    assert sorted(lower for _, lower in drawn.pairs) == list(people[half : 2 * half])
    assert drawn.alone == (people[-1] if len(people) % 2 else None)


def test_partners_are_drawn_by_the_lot_of_the_seed():
    people = tuple(range(12))
    assert drawn_partners(people, seed=1) == drawn_partners(people, seed=1)
    assert drawn_partners(people, seed=1) != drawn_partners(people, seed=2)


def test_the_first_plays_with_the_last():
    folded = folded_partners(("Ann", "Bill", "Cid", "Dee", "Eve"))
    assert folded.pairs == (("Ann", "Eve"), ("Bill", "Dee"))
    assert folded.alone == "Cid"


@given(PEOPLE)
def test_everybody_has_one_partner_but_the_odd_one(people):
    folded = folded_partners(people)
    assert sorted([*(one for two in folded.pairs for one in two), *folded.unpaired]) == list(people)
    assert len(folded.unpaired) == len(people) % 2
