"""Knock-out: seeding and byes, walk-overs, corrections, late entries, the matches beside."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.errors import PairingRefused
from league.pairing.formats.knockout import Part, State, bracket
from league.pairing.formats.pairings import Pairing
from tests.pairing.formats.brackets import met_in, play, seeds, withdraw

FIELDS = st.integers(2, 18)


def first_round(drawn):
    return [(one.first, one.second) for one in drawn.rounds[0].matches]


def test_the_places_are_1_8_4_5_2_7_3_6():
    assert first_round(bracket(seeds(8))) == [(1, 8), (4, 5), (2, 7), (3, 6)]


@given(FIELDS)
def test_the_best_seeds_have_the_byes_up_to_the_next_power_of_two(entries):
    drawn = bracket(seeds(entries))
    byes = sorted(one.first for one in drawn.rounds[0].matches if one.state is State.BYE)
    size = 1 << (entries - 1).bit_length()
    assert byes == list(range(1, size - entries + 1))


@given(st.integers(2, 6))
def test_when_the_better_seed_always_wins_the_best_meet_as_late_as_they_can(rounds):
    played = bracket(seeds(2**rounds))
    while played.ready():
        one = played.ready()[0]
        played = played.with_result(one.label, min(one.first, one.second))
    places = played.places()
    for better, worse in pairwise(sorted(places)):
        assert places[better] <= places[worse]


@given(FIELDS, st.integers(0, 2**31))
def test_everybody_but_the_champion_loses_once(entries, seed):
    played = play(bracket(seeds(entries)), seed)
    losers = [loser for _, loser in played.results.values()]
    assert sorted([*losers, played.champion]) == seeds(entries)
    assert len(losers) == entries - 1


@given(FIELDS, st.integers(0, 2**31), st.booleans())
def test_everybody_gets_a_place_and_who_leaves_together_shares_it(entries, seed, double):
    places = play(bracket(seeds(entries), double=double), seed).places()
    assert sorted(places) == seeds(entries)
    ranks = list(places.values())
    assert ranks == sorted(ranks)
    for rank in set(ranks):
        assert rank == 1 + sum(other < rank for other in ranks)


def test_places_are_known_as_rounds_end():
    played = bracket(seeds(6))
    assert played.places() == {}
    for one in played.ready():
        played = played.with_result(one.label, one.first)
    assert played.places() == {5: 5, 6: 5}


def test_the_losers_of_the_semi_finals_meet_for_third_place():
    played = bracket(seeds(5), third_place=True)
    while played.ready():
        one = played.ready()[0]
        played = played.with_result(one.label, min(one.first, one.second))
    assert played.places() == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}


def test_three_entries_have_no_match_for_third_place():
    assert {one.part for one in bracket(seeds(3), third_place=True).rounds} == {Part.MAIN}


@given(st.integers(3, 18), st.integers(0, 2**31))
def test_the_consolation_is_for_those_who_lose_the_first_match_they_play(entries, seed):
    played = play(bracket(seeds(entries), consolation=True), seed)
    main = [m for m in played.matches.values() if m.part is Part.MAIN and m.state is State.PLAYED]
    first = {}
    for match in main:
        for one in match.sides:
            first.setdefault(one, match)
    lost_at_once = {one for one, match in first.items() if match.loser == one}
    assert met_in(played, Part.CONSOLATION) <= lost_at_once
    beside = [m for m in played.matches.values() if m.part is Part.CONSOLATION]
    came = {one for m in beside for one in m.sides if one is not None}
    assert came == lost_at_once
    assert played.consolation_champion in lost_at_once


def test_a_bracket_without_consolation_has_no_consolation_champion():
    assert play(bracket(seeds(4)), 1).consolation_champion is None


def test_a_match_is_ready_when_both_its_sides_are_known():
    drawn = bracket(["A", "B", "C", "D", "E"])
    assert drawn.ready() == (Pairing("D", "E", "M1-2"), Pairing("B", "C", "M2-2"))
    assert Pairing("A", "E", "M2-1") in drawn.with_result("M1-2", "E").ready()


def test_a_match_whose_sides_are_unknown_cannot_be_decided():
    with pytest.raises(PairingRefused) as refused:
        bracket(seeds(4)).with_result("M2-1", 1)
    assert refused.value.code == "not-ready"


def test_only_a_side_of_a_match_can_win_it():
    with pytest.raises(PairingRefused) as refused:
        bracket(seeds(4)).with_result("M1-1", 2)
    assert refused.value.code == "not-in-match"


def test_nobody_plays_a_knock_out_alone():
    with pytest.raises(PairingRefused) as refused:
        bracket(seeds(1))
    assert refused.value.code == "too-few"


def test_who_should_meet_somebody_withdrawn_has_a_walk_over():
    played = withdraw(bracket(seeds(4)).with_result("M1-1", 1), 1)
    played = played.with_result("M1-2", 3)
    assert played.matches["M2-1"].state is State.WALKOVER
    assert played.champion == 3
    assert played.places() == {3: 1, 1: 2, 2: 3, 4: 3}


def test_who_never_played_a_game_comes_last_however_far_walk_overs_took_them():
    drawn = replace(bracket(seeds(6)), never_played=frozenset([1]))
    played = withdraw(drawn, 1)
    while played.ready():
        match = played.ready()[0]
        played = played.with_result(match.label, min(match.first, match.second))
    assert played.places() == {2: 1, 4: 2, 3: 3, 5: 4, 6: 4, 1: 6}


def test_who_lost_the_final_without_ever_playing_is_not_second():
    drawn = replace(bracket(seeds(3)), never_played=frozenset([1]))
    played = withdraw(drawn.with_result("M1-2", 2), 1)
    assert played.places() == {2: 1, 3: 2, 1: 3}


def test_a_champion_who_never_played_stays_champion():
    drawn = replace(bracket(seeds(2)), never_played=frozenset(seeds(2)))
    assert withdraw(drawn, 2).places() == {1: 1, 2: 2}


@given(FIELDS, st.integers(0, 2**31), st.booleans(), st.data())
def test_whoever_never_played_shares_the_last_place_unless_champion(entries, seed, double, data):
    idle = data.draw(st.sets(st.sampled_from(seeds(entries)), max_size=entries - 1))
    drawn = replace(bracket(seeds(entries), double=double), never_played=frozenset(idle))
    played = play(drawn, seed, gone=idle)
    places = played.places()
    last = [places[one] for one in idle & places.keys() - {played.champion}]
    assert set(last) <= {entries - len(last) + 1}
    ranks = list(places.values())
    assert ranks == sorted(ranks)


def test_what_was_played_before_a_withdrawal_stands():
    played = withdraw(bracket(seeds(4)).with_result("M1-1", 4), 1)
    assert played.matches["M1-1"].state is State.PLAYED


def test_when_both_finalists_withdraw_there_is_no_champion():
    drawn = withdraw(bracket(seeds(2)), 1, 2)
    assert drawn.over
    assert drawn.champion is None


def test_a_winner_who_withdraws_afterwards_stays_champion():
    assert withdraw(bracket(seeds(2)).with_result("M1-1", 2), 2).champion == 2


@given(FIELDS, st.integers(0, 2**31), st.booleans(), st.data())
def test_with_withdrawals_the_bracket_still_comes_to_its_end(entries, seed, double, data):
    gone = data.draw(st.sets(st.sampled_from(seeds(entries)), max_size=entries - 1))
    drawn = bracket(seeds(entries), double=double, consolation=True, third_place=True)
    played = play(drawn, seed, gone=gone)
    assert played.over
    without = set(seeds(entries)) - set(played.places())
    assert without <= gone
    assert len(without) == (played.champion is None)


def test_a_correction_replaces_the_winner_in_the_next_match():
    played = bracket(seeds(4)).with_result("M1-1", 1).with_result("M1-2", 2)
    assert played.with_result("M1-1", 4).ready() == (Pairing(4, 2, "M2-1"),)


def test_a_correction_undoes_only_the_results_that_hang_on_it():
    played = play(bracket(seeds(8)), 5)
    winner, loser = played.results["M1-1"]
    undone = [one.key for one in played.undone_by("M1-1", loser)]
    changed = played.with_result("M1-1", loser)
    assert set(undone) == {
        key for key in ("M2-1", "M3-1") if winner in played.results[key] or key == "M3-1"
    }
    assert set(changed.results) == set(played.results) - set(undone)


def test_a_correction_to_the_same_winner_undoes_nothing():
    played = play(bracket(seeds(8), double=True), 5)
    winner, _ = played.results["M1-1"]
    assert played.undone_by("M1-1", winner) == ()


def test_a_late_entry_takes_the_bye_of_the_lowest_seed_that_has_one():
    drawn = bracket(seeds(5)).with_late(6)
    assert drawn.matches["M1-4"].sides == (3, 6)
    assert sorted(play(drawn, 3).places()) == seeds(6)


def test_a_late_entry_does_not_change_a_match_that_has_begun():
    drawn = bracket(seeds(5)).with_late(6, started=["M2-2"])
    assert drawn.matches["M1-1"].sides == (1, 6)


def test_a_late_entry_finds_no_place_in_a_full_bracket():
    with pytest.raises(PairingRefused) as refused:
        bracket(seeds(8)).with_late(9)
    assert refused.value.code == "no-place-left"


@given(FIELDS, st.integers(0, 2**31), st.booleans(), st.integers(0, 30))
def test_a_late_entry_never_undoes_a_result(entries, seed, double, matches):
    played = play(bracket(seeds(entries), double=double), seed, matches=matches)
    try:
        late = played.with_late(entries + 1)
    except PairingRefused:
        return
    assert all(late.matches[key].state is State.PLAYED for key in played.results)
    assert sorted(play(late, seed).places()) == seeds(entries + 1)


@given(st.permutations(range(9)), st.integers(0, 2**31))
def test_a_draw_by_lot_does_not_depend_on_the_order_of_entry(shuffled, seed):
    assert bracket(shuffled, seed=seed) == bracket(range(9), seed=seed)


@given(FIELDS, st.integers(0, 2**31), st.booleans(), st.randoms(use_true_random=False))
def test_the_order_in_which_results_come_in_does_not_matter(entries, seed, double, order):
    drawn = bracket(seeds(entries), double=double)
    played = play(drawn, seed)
    again = drawn
    while again.ready():
        one = order.choice(again.ready())
        again = again.with_result(one.label, played.results[one.label][0])
    assert again == played
