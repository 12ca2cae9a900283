"""Groups by snake seeding, then the crossing of those who get through."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.errors import PairingRefused
from league.pairing.formats.groups import knockout_seeds, side_by_side, snake, with_late
from league.pairing.formats.knockout import bracket
from league.pairing.formats.round_robins import round_robin


def group_rounds(groups, *, double=False):
    return side_by_side([round_robin(group, double=double) for group in groups])


def named(groups, size):
    """Ranked groups whose members tell group and rank: A1, A2, B1 ..."""
    return tuple(tuple(f"{chr(65 + g)}{r}" for r in range(1, size + 1)) for g in range(groups))


def halves(drawn):
    first = [one for match in drawn.rounds[0].matches for one in match.sides]
    return first[: len(first) // 2], first[len(first) // 2 :]


def test_seeds_go_to_the_groups_there_and_back():
    assert snake(range(1, 9), 2) == ((1, 4, 5, 8), (2, 3, 6, 7))
    assert snake(range(1, 11), 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))


@given(st.integers(1, 8), st.integers(0, 40))
def test_group_sizes_differ_by_at_most_one(groups, more):
    sizes = [len(one) for one in snake(range(2 * groups + more), groups)]
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) == 2 * groups + more


def test_a_group_of_one_is_refused():
    with pytest.raises(PairingRefused) as refused:
        snake(range(5), 3)
    assert refused.value.code == "groups-too-small"


@given(st.integers(1, 6), st.integers(0, 20), st.booleans())
def test_everybody_meets_everybody_of_their_own_group_and_nobody_else(groups, more, double):
    drawn = snake(range(2 * groups + more), groups)
    met = sorted(
        (one.label, *sorted((one.first, one.second)))
        for meetings in group_rounds(drawn, double=double)
        for one in meetings
        if one.second is not None
    )
    assert met == sorted(
        (str(number), *two)
        for number, group in enumerate(drawn, 1)
        for two in combinations(sorted(group), 2)
        for _ in range(1 + double)
    )


@given(st.integers(1, 6), st.integers(0, 20))
def test_nobody_is_paired_twice_in_a_round_of_all_groups(groups, more):
    for meetings in group_rounds(snake(range(2 * groups + more), groups)):
        people = [one for p in meetings for one in (p.first, p.second) if one is not None]
        assert len(people) == len(set(people))


def test_the_winner_of_each_group_meets_the_second_of_the_other():
    drawn = bracket(knockout_seeds(named(2, 3), 2))
    assert {match.sides for match in drawn.rounds[0].matches} == {("A1", "B2"), ("B1", "A2")}


@given(st.integers(2, 12))
def test_the_first_two_of_a_group_can_only_meet_again_in_the_final(groups):
    one_half, other_half = halves(bracket(knockout_seeds(named(groups, 2), 2)))
    for group in named(groups, 2):
        assert len(set(group) & set(one_half)) == len(set(group) & set(other_half)) == 1


@given(st.integers(2, 8), st.integers(1, 4))
def test_nobody_meets_somebody_of_their_own_group_in_the_first_round(groups, through):
    drawn = bracket(knockout_seeds(named(groups, through), through))
    met = [match.sides for match in drawn.rounds[0].matches if None not in match.sides]
    assert all(one[0] != other[0] for one, other in met)


@given(st.integers(1, 8), st.integers(1, 4))
def test_all_who_get_through_are_seeded_winners_first(groups, through):
    if groups * through < 2:
        return
    order = knockout_seeds(named(groups, 4), through)
    assert [one[1] for one in order] == [
        str(r) for r in range(1, through + 1) for _ in range(groups)
    ]
    assert len(set(order)) == groups * through


def test_more_cannot_get_through_than_are_in_a_group():
    with pytest.raises(PairingRefused) as refused:
        knockout_seeds((("A1", "A2"), ("B1",)), 2)
    assert refused.value.code == "too-many-through"


@given(st.integers(1, 5), st.integers(0, 9), st.integers(0, 3))
def test_who_comes_late_is_in_the_place_of_a_bye_and_changes_no_meeting_of_others(
    groups, more, late
):
    drawn = snake(range(2 * groups + more), groups)
    odd = [group for group in drawn if len(group) % 2]
    new = list(range(100, 100 + late))
    if late > len(odd):
        with pytest.raises(PairingRefused) as refused:
            with_late(drawn, new)
        assert refused.value.code == "groups-full"
        return
    grown = with_late(drawn, new)
    before, after = group_rounds(drawn), group_rounds(grown)
    assert len(before) == len(after)
    for was, now in zip(before, after, strict=True):
        table_of = {(o.first, o.second) for o in was if o.second is not None}
        assert table_of == {
            (o.first, o.second) for o in now if {o.first, o.second} <= set(range(100))
        }
