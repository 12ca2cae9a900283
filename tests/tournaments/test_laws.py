"""What holds in every tournament, whoever comes, goes and wins; played out without a database."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.errors import Refused
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.draws.rounds import are_byes_fair
from league.tournaments.parameters import MOVEMENTS, StageOptions
from league.tournaments.standing import standing_of
from tests.tournaments.invented import Simulated

SEEDS = st.integers(0, 2**20)
KINDS = st.sampled_from(["progressive", "rotation", "round_robin", "swiss", "knockout", "double"])


def simulated(format, count, seed, **choice):
    return Simulated(format, count, seed, StageOptions(**choice))


def rounds(stage, count):
    """So many rounds, fewer where the format has no more."""
    for number in range(count):
        try:
            yield number, stage.draws()
        except Refused as refused:
            if refused.code != "no-more-rounds":
                raise
            return


def once(drawn):
    seated = [entry for table in drawn.tables for _place, entry in table.sides]
    return [*seated, *drawn.byes]


@settings(max_examples=60, deadline=None)
@given(KINDS, st.integers(4, 14), SEEDS, st.data())
def test_nobody_is_twice_in_one_round_and_who_has_left_is_not_in_it(format, count, seed, data):
    stage = simulated(format, count, seed, rounds=4)
    for number, drawn in rounds(stage, 4):
        everybody = once(drawn)
        assert len(everybody) == len(set(everybody))
        gone = {k for k, e in stage.entries.items() if e.withdrawn_at is not None}
        playing = {e for t in drawn.tables if t.winner is None for _p, e in t.sides}
        assert not gone & (playing | set(drawn.byes))
        if number == 1 and count > 5:
            stage.leaves(data.draw(st.sampled_from(sorted(stage.state.active_entries))))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(MOVEMENTS), st.integers(4, 25), SEEDS)
def test_a_progressive_round_has_everybody_once_by_every_movement(movement, count, seed):
    stage = simulated("progressive", count, seed, rounds=4, movement=movement)
    for number, drawn in rounds(stage, 4):
        assert sorted(once(drawn)) == sorted(stage.state.active_entries)
        if number == 1:
            stage.comes()


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 12), SEEDS, st.booleans())
def test_a_round_robin_has_every_pair_once_or_twice_and_a_bye_each(count, seed, twice):
    stage = simulated("round_robin", count, seed, twice=twice)
    for _round in rounds(stage, 50):
        pass
    times = 2 if twice else 1
    met = Counter(frozenset(m.entries) for m in stage.state.matches)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {times}
    assert stage.state.byes_had() == (dict.fromkeys(stage.entries, times) if count % 2 else {})


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["swiss", "progressive"]), st.integers(5, 15), SEEDS)
def test_nobody_has_a_second_bye_before_everybody_has_had_one(format, count, seed):
    stage = simulated(format, count, seed, rounds=6)
    for _round in rounds(stage, 6):
        had = stage.state.byes_had()
        times = [had.get(one, 0) for one in stage.state.active_entries]
        assert max(times) - min(times) <= 1


def test_in_a_rotation_with_full_tables_only_everybody_sits_out_in_turn():
    stage = Simulated("rotation", 6, 0, StageOptions(rounds=6), policy="sitout")
    for _round in rounds(stage, 3):
        had = stage.state.byes_had()
        times = [had.get(one, 0) for one in stage.state.active_entries]
        assert max(times) - min(times) <= 1


def test_turns_are_taken_when_nobody_sits_out_again_before_the_others_have():
    assert are_byes_fair([[1], [2], [3], [1]], [1, 2, 3], {})
    assert are_byes_fair([[3], [1]], [1, 2, 3], {1: 1, 2: 1})
    assert not are_byes_fair([[1], [2], [1]], [1, 2, 3], {})
    assert not are_byes_fair([[1]], [1, 2, 3], {1: 1, 2: 1})


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 12), SEEDS)
def test_a_swiss_repeats_nobody_in_as_many_rounds_as_half_the_field(count, seed):
    stage = simulated("swiss", count, seed, rounds=count // 2)
    for _round in rounds(stage, count // 2):
        pass
    met = Counter(frozenset(m.entries) for m in stage.state.matches)
    assert set(met.values()) == {1}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["knockout", "double"]), st.integers(2, 13), SEEDS, st.data())
def test_every_bracket_comes_to_its_end_though_somebody_leaves(format, count, seed, data):
    stage = simulated(format, count, seed)
    for number, _drawn in rounds(stage, 40):
        if number == 1 and data.draw(st.booleans()):
            stage.leaves(data.draw(st.sampled_from(sorted(stage.state.active_entries))))
    now = bracket_of(stage.state)
    assert now.over
    assert now.champion is not None


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["progressive", "rotation", "round_robin", "swiss"]), SEEDS, st.randoms())
def test_standings_do_not_depend_on_the_order_of_entry(format, seed, chance):
    stage = simulated(format, 9, seed, rounds=3)
    for _round in rounds(stage, 3):
        pass
    keys = list(stage.entries)
    chance.shuffle(keys)
    state = stage.state
    other = replace(state, entries={key: state.entries[key] for key in keys})
    assert standing_of(other).lines == standing_of(state).lines


def test_the_laws_are_tried_on_tournaments_that_are_played():
    stage = simulated("swiss", 7, 1, rounds=3)
    assert len(list(rounds(stage, 9))) == 3
    assert len(stage.state.matches) == 9
    with pytest.raises(Refused):
        stage.draws()
