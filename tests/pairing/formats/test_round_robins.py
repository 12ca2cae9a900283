"""Everybody meets everybody by the Berger tables, and what is redrawn for somebody who joins."""

from collections import Counter
from itertools import combinations, groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.formats.round_robins import (
    berger,
    least_rounds,
    pack_rounds,
    remaining_meetings,
    remaining_rounds,
    round_robin,
)

# FIDE Handbook C.05, Annex 1, as printed there: home (White) first.
PUBLISHED = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
}
FIELDS = st.integers(2, 25)


def printed(rounds):
    return [[f"{home}-{away}" for home, away in one] for one in rounds]


def homes(rounds, number):
    """Whether a number is at home, round by round; byes left out."""
    return [one[0] == number for meetings in rounds for one in meetings if number in one]


def longest_run(rounds, number):
    return max(len(list(run)) for _, run in groupby(homes(rounds, number)))


@pytest.mark.parametrize("entries", PUBLISHED)
def test_the_rounds_are_those_of_the_published_berger_tables(entries):
    table = [line.split() for line in PUBLISHED[entries].strip().splitlines()]
    assert printed(berger(entries)) == table


@given(FIELDS)
def test_everybody_meets_everybody_once(entries):
    met = Counter(
        frozenset((one.first, one.second))
        for meetings in round_robin(range(entries))
        for one in meetings
        if one.second is not None
    )
    assert met == Counter(frozenset(two) for two in combinations(range(entries), 2))


@given(FIELDS, st.booleans())
def test_in_a_round_everybody_has_one_match_or_the_bye(entries, double):
    for meetings in round_robin(range(entries), double=double):
        named = [one for pairing in meetings for one in (pairing.first, pairing.second)]
        assert sorted(one for one in named if one is not None) == list(range(entries))
        assert named.count(None) == entries % 2


@given(st.integers(1, 12))
def test_in_an_odd_field_everybody_has_one_bye(half):
    entries = 2 * half + 1
    byes = [one.first for r in round_robin(range(entries)) for one in r if one.second is None]
    assert sorted(byes) == list(range(entries))


@given(st.integers(1, 12))
def test_homes_and_aways_of_one_entry_differ_by_at_most_one(half):
    rounds = berger(2 * half)
    for number in range(1, 2 * half + 1):
        at_home = homes(rounds, number)
        assert abs(2 * sum(at_home) - len(at_home)) <= 1


@given(st.integers(2, 12))
def test_only_as_often_as_it_must_is_anybody_twice_running_at_home_or_away(half):
    rounds = berger(2 * half)
    rows = [homes(rounds, number) for number in range(1, 2 * half + 1)]
    assert sum(a == b for row in rows for a, b in pairwise(row)) == 2 * half - 2


@given(st.integers(2, 12))
def test_in_a_double_round_robin_each_two_meet_once_at_each_home(half):
    rounds = berger(2 * half, double=True)
    met = Counter(meeting for meetings in rounds for meeting in meetings)
    everybody = range(1, 2 * half + 1)
    assert met == Counter((a, b) for a in everybody for b in everybody if a != b)


@given(st.integers(3, 12))
def test_in_a_double_round_robin_nobody_is_at_home_or_away_three_times_running(half):
    rounds = berger(2 * half, double=True)
    assert max(longest_run(rounds, number) for number in range(1, 2 * half + 1)) == 2


@given(st.integers(1, 10))
def test_a_late_entry_into_an_odd_field_takes_the_bye_and_moves_nobody(half):
    entries = 2 * half + 1
    before = round_robin(range(entries))
    after = round_robin(range(entries + 1))
    for then, now in zip(before, after, strict=True):
        assert {p for p in then if p.second is not None} <= set(now)


def test_one_entry_alone_has_no_rounds():
    assert round_robin(["Ann and Bill"]) == ()


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
    assert len(rounds) == least_rounds(remaining_meetings(field, met, times=times))
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
    assert len(rounds) <= least_rounds(remaining_meetings(field, met, times=times)) + 1


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
