"""A match before the first one where a first loss leads on: double knock-out and consolation."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.formats.knockout import Part, State, bracket
from tests.pairing.formats.brackets import met_in, play, seeds

SEEDS = st.integers(0, 2**31)
OF_BEFORE = (Part.PLAY_IN, Part.MAIN)


def with_late(entries, data, **kind):
    """A bracket that some more have come into, each before the first match of another."""
    drawn = bracket(seeds(entries), **kind)
    met = data.draw(st.lists(st.sampled_from(seeds(entries)), min_size=1, max_size=4, unique=True))
    for number, opponent in enumerate(met, 1):
        drawn = drawn.with_play_in(100 + number, opponent)
    return drawn


def played_out(drawn, seed):
    """Round by round, all matches that can be played at once: nobody is in two of a round."""
    chance = random.Random(seed)
    while ready := drawn.ready():
        playing = [one for pairing in ready for one in (pairing.first, pairing.second)]
        assert len(playing) == len(set(playing))
        for one in ready:
            drawn = drawn.with_result(one.label, chance.choice((one.first, one.second)))
    assert drawn.over
    return drawn


@settings(max_examples=40)
@given(st.integers(2, 16), SEEDS, st.data())
def test_in_a_double_knock_out_everybody_goes_out_after_two_losses(entries, seed, data):
    played = played_out(with_late(entries, data, double=True), seed)
    lost = Counter(loser for _winner, loser in played.results.values())
    assert lost.pop(played.champion, 0) <= 1
    assert lost == dict.fromkeys(set(played.entries) - {played.champion}, 2)
    assert set(played.places()) == set(played.entries)
    again = played.matches["F2-1"].state is State.PLAYED
    assert len(played.results) == 2 * len(played.entries) - 2 + again


@settings(max_examples=40)
@given(st.integers(3, 16), SEEDS, st.booleans(), st.data())
def test_to_the_consolation_come_those_who_lose_their_first_match(entries, seed, third, data):
    played = played_out(with_late(entries, data, consolation=True, third_place=third), seed)
    first = {}
    for match in played.matches.values():
        if match.part in OF_BEFORE and match.state is State.PLAYED:
            for one in match.sides:
                first.setdefault(one, match)
    lost_at_once = {one for one, match in first.items() if match.loser == one}
    assert met_in(played, Part.CONSOLATION) == lost_at_once
    assert played.consolation_champion in lost_at_once


@settings(max_examples=40)
@given(st.integers(3, 16), SEEDS, st.booleans(), st.data())
def test_with_withdrawals_it_still_comes_to_its_end(entries, seed, double, data):
    drawn = with_late(entries, data, double=double, consolation=not double)
    gone = data.draw(st.sets(st.sampled_from(drawn.entries), max_size=len(drawn.entries) - 1))
    played = play(drawn, seed, gone=gone)
    assert played.over
    assert set(drawn.entries) - set(played.places()) <= gone


def three_at_a_table(first, second, **kind):
    """Of 4 seeds number 4 meets 5, who came late, before meeting 1; who won each of the two."""
    drawn = bracket(seeds(4), **kind).with_play_in(5, 4)
    return drawn.with_result("P1-1", first).with_result("M1-1", second)


@pytest.mark.parametrize(
    ("first", "second", "meet"), [(4, 1, (5, 4)), (4, 4, (5, 1)), (5, 1, (4, 5)), (5, 5, (4, 1))]
)
def test_of_three_those_with_one_loss_meet_for_the_place_of_the_loser(first, second, meet):
    played = three_at_a_table(first, second, double=True)
    assert played.matches["L0-1"].sides == meet
    after = played.with_result("M1-2", 2).with_result("L0-1", meet[0])
    assert after.matches["L1-1"].sides == (meet[0], 3)


def test_who_won_before_the_first_match_and_loses_it_is_out_of_a_consolation():
    played = three_at_a_table(4, 1, consolation=True).with_result("M1-2", 2)
    played = played.with_result("M2-1", 1)
    assert played.matches["C0-1"].state is State.BYE
    assert played.matches["C1-1"].sides == (5, 3)


def test_two_who_lost_their_first_match_meet_for_the_place_in_the_consolation():
    played = three_at_a_table(4, 4, consolation=True)
    assert played.matches["C0-1"].sides == (5, 1)


def test_who_wins_before_the_first_match_by_walk_over_has_not_played_yet():
    drawn = bracket(seeds(4), consolation=True).with_play_in(5, 4).with_withdrawal(5)
    played = drawn.with_result("M1-1", 1)
    assert played.matches["C0-1"].winner == 4


def test_a_result_put_right_moves_the_three_along():
    played = three_at_a_table(4, 1, double=True).with_result("L0-1", 4)
    changed = played.with_result("P1-1", 5)
    assert {one.key for one in played.undone_by("P1-1", 5)} == {"M1-1", "L0-1"}
    assert changed.matches["M1-1"].sides == (1, 5)
