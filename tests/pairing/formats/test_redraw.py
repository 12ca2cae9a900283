"""The rounds to come redrawn for somebody who joined a full round robin."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.formats.berger_tables import round_robin
from league.pairing.formats.pack_rounds import pack_rounds
from league.pairing.formats.redraw import least_rounds, remaining_rounds, still_to_meet

SEEDS = st.integers(0, 2**20)


def begun(entries, rounds, *, double=False):
    """Who has met, and who has had a bye, in the first rounds of a round robin."""
    drawn = round_robin(range(1, entries + 1), double=double)[:rounds]
    met = [(p.first, p.second) for one in drawn for p in one if p.second is not None]
    return met, Counter(p.first for one in drawn for p in one if p.second is None)


def second_too_early(rounds, byes):
    """Second byes while another, who had matches to come but not in every round, had had none."""
    had, early = Counter(byes), 0
    for number, one in enumerate(rounds):
        out = [p.first for p in one if p.second is None]
        had.update(out)
        left = Counter(
            who
            for later in rounds[number:]
            for p in later
            if p.second
            for who in (p.first, p.second)
        )
        free = [who for who, many in left.items() if many < len(rounds) - number]
        if any(not had[who] for who in free):
            early += sum(had[who] > 1 for who in out)
    return early


def drawn_fairly(entries, played, seed, *, times=1):
    """The rounds to come with one entry more: the least there can be, and no bye too early."""
    met, byes = begun(entries, played, double=times == 2)
    field = range(1, entries + 2)
    rounds = remaining_rounds(field, met, times=times, byes=byes, seed=seed)
    assert len(rounds) == least_rounds(still_to_meet(field, met, times=times))
    assert second_too_early(rounds, byes) == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 16), st.integers(1, 2), SEEDS, st.data())
def test_nobody_sits_out_twice_before_everybody_has_once(entries, times, seed, data):
    last = (entries - 1 + entries % 2) * times - 1
    played = data.draw(st.integers(1, last))
    drawn_fairly(entries, played, seed, times=times)


@pytest.mark.parametrize(("entries", "played"), [(25, 12), (30, 15), (40, 20), (64, 32)])
def test_byes_are_fair_in_large_fields_that_are_half_way(entries, played):
    drawn_fairly(entries, played, 1)


@pytest.mark.parametrize(("entries", "played", "left"), [(4, 1, 9), (8, 2, 16), (16, 1, 33)])
def test_a_round_robin_played_twice_takes_the_least_rounds_too(entries, played, left):
    met, byes = begun(entries, played, double=True)
    rounds = remaining_rounds(range(1, entries + 2), met, times=2, byes=byes, seed=1)
    assert len(rounds) == left


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 12), st.integers(1, 2), SEEDS, st.data())
def test_whoever_has_not_met_meets_and_nobody_is_twice_in_a_round(entries, times, seed, data):
    played = data.draw(st.integers(0, (entries - 1) * times))
    met, byes = begun(entries, played, double=times == 2)
    gone = data.draw(st.sets(st.integers(1, entries), max_size=2))
    field = [one for one in range(entries + 1, 0, -1) if one not in gone]
    rounds = remaining_rounds(field, met, times=times, byes=byes, seed=seed)
    assert rounds == remaining_rounds(sorted(field), met, times=times, byes=byes, seed=seed)
    for one in rounds:
        there = [who for p in one for who in (p.first, p.second) if who is not None]
        assert len(there) == len(set(there))
        assert set(there) <= set(field)
    had = Counter(frozenset(two) for two in met)
    had.update(frozenset((p.first, p.second)) for one in rounds for p in one if p.second)
    assert {had[frozenset(two)] for two in combinations(field, 2)} <= {times}
    assert len(rounds) <= least_rounds(still_to_meet(field, met, times=times)) + 1


def test_the_same_seed_draws_the_same_and_another_seed_another():
    met, byes = begun(8, 2)
    drawn = [remaining_rounds(range(1, 10), met, byes=byes, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_early_rounds_are_as_full_as_they_can_be():
    met, byes = begun(8, 4)
    rounds = remaining_rounds(range(1, 10), met, byes=byes, seed=1)
    assert [sum(p.second is not None for p in one) for one in rounds] == [4, 4, 4, 4, 1, 1, 1, 1]


def test_what_a_round_does_not_have_to_give_is_not_taken_from_it():
    meetings = [("a", "b", "hall"), ("c", "d", "hall"), ("a", "c", "barn")]
    taken = [{"hall"}, {"a"}]
    place = pack_rounds(meetings, least=1, most=9, seed=1, taken=taken)
    assert place is not None
    assert place[0] == 2
    assert place[1] == 1
    assert place[2] == 0
    assert pack_rounds(meetings, least=1, most=2, seed=1, taken=taken) is None
