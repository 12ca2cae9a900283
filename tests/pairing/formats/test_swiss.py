"""Swiss: nearest scores, no rematch while avoidable, byes fairly given; against other judges."""

import random
from collections import Counter
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.formats.pairings import Pairing, PlayedMatch
from league.pairing.formats.swiss import swiss_round
from tests.pairing.formats.matching import least, least_by_trying
from tests.pairing.formats.swiss_play import Swiss, faults, result, tournament

SEEDS = st.integers(0, 2**31)


def won(winner, loser):
    return PlayedMatch(winner, loser, 10, 6, winner)


def met(pairings):
    return {frozenset((one.first, one.second)) for one in pairings}


@st.composite
def anything_played(draw, most=8):
    """Any history of a small field: rematches, walk-overs, byes, rounds missed, withdrawals."""
    entries = list(range(1, draw(st.integers(1, most)) + 1))
    rng = random.Random(draw(SEEDS))
    swiss = Swiss(entries)
    for _ in range(draw(st.integers(0, 24)) if len(entries) > 1 else 0):
        one, other = rng.sample(entries, 2)
        played = result(one, other, rng)
        if rng.random() < 1 / 8:
            played = PlayedMatch(one, other, 0, 0, one, walkover=True)
        swiss.played.append(played)
    swiss.byes.update(draw(st.lists(st.sampled_from(entries), max_size=4)))
    swiss.withdrawn = set(draw(st.lists(st.sampled_from(entries), max_size=2)))
    swiss.missed = set(draw(st.lists(st.sampled_from(entries), max_size=3)))
    return swiss


def test_those_who_have_met_the_nearest_meet_the_others():
    """A 2, B 1, C 1, D 0 after A-B C-D and A-C B-D: only A-D B-C repeats nothing."""
    played = [won("A", "B"), won("C", "D"), won("A", "C"), won("B", "D")]
    for seed in range(20):
        drawn = swiss_round("ABCD", played, seed=seed)
        assert met(drawn) == {frozenset("AD"), frozenset("BC")}


def test_equal_scores_meet_before_others():
    played = [won("A", "B"), won("C", "D"), won("E", "F"), won("G", "H")]
    drawn = swiss_round("ABCDEFGH", played, seed=1)
    assert all(set(two) <= set("ACEG") or set(two) <= set("BDFH") for two in met(drawn))


def test_the_lowest_of_the_winners_meets_the_highest_of_the_losers():
    """A, B and C have won, in this order: with three, one meets a loser, and never the leader."""
    played = [won("A", "D"), won("B", "E"), won("C", "F")]
    places = {entry: number for number, entry in enumerate("ABCDEF", 1)}
    for seed in range(20):
        drawn = swiss_round("ABCDEF", played, places=places, seed=seed)
        assert met(drawn) == {frozenset("AB"), frozenset("CD"), frozenset("EF")}


def test_two_small_differences_are_better_than_one_large():
    """A has 2, B and C 1, D 0, and nobody has met anybody: A-B C-D, never A-D B-C."""
    byes = {"A": 2, "B": 1, "C": 1, "D": 0}
    for seed in range(20):
        assert frozenset("AD") not in met(swiss_round("ABCD", [], byes=byes, seed=seed))


def test_the_bye_goes_to_the_lowest_placed_without_one():
    played = [won("A", "B"), won("C", "D")]
    assert swiss_round("ABCDE", played, byes={"E": 1}, seed=4)[-1].first in {"B", "D"}


def test_of_equal_match_points_the_worse_points_difference_is_lower_placed():
    played = [PlayedMatch("A", "B", 10, 9, "A"), PlayedMatch("C", "D", 10, 2, "C")]
    for seed in range(20):
        assert swiss_round("ABCDE", played, byes={"E": 1}, seed=seed)[-1] == Pairing("D", None)


def test_the_places_of_the_standings_say_who_is_lowest():
    played = [PlayedMatch("A", "B", 10, 9, "A"), PlayedMatch("C", "D", 10, 2, "C")]
    places = {"A": 1, "C": 1, "E": 1, "D": 4, "B": 5}
    for seed in range(20):
        drawn = swiss_round("ABCDE", played, byes={"E": 1}, places=places, seed=seed)
        assert drawn[-1] == Pairing("B", None)


def test_nobody_has_a_second_bye_while_another_has_none_even_if_that_forces_a_rematch():
    played = [won("A", "B"), won("B", "A")]
    drawn = swiss_round("ABC", played, byes={"A": 1, "B": 1}, seed=1)
    assert drawn == (drawn[0], Pairing("C", None))


@pytest.mark.parametrize("field", ["ABC", "ABCDE", "ABCDEFG"])
def test_who_has_missed_a_round_has_the_bye_only_if_nobody_else_can(field):
    *others, latecomer = field
    winners, losers = others[::2], others[1::2]
    played = [won(one, other) for one, other in zip(winners, losers, strict=True)]
    standings = {"places": {one: place for place, one in enumerate([*winners, *losers, latecomer])}}
    drawn = swiss_round(field, played, **standings, missed=[latecomer], seed=1)
    assert drawn[-1] == Pairing(losers[-1], None)
    byes = dict.fromkeys(others, 1)
    drawn = swiss_round(field, played, **standings, byes=byes, missed=[latecomer], seed=1)
    assert drawn[-1] == Pairing(latecomer, None)
    drawn = swiss_round(field, [], **standings, missed=field, seed=1)
    assert drawn[-1] == Pairing(latecomer, None)


def test_a_bye_and_a_walk_over_count_as_wins():
    walkover = PlayedMatch("C", "D", 0, 0, "C", walkover=True)
    drawn = swiss_round("ABCDEF", [won("A", "B"), walkover], byes={"E": 1}, seed=2)
    assert sum(len(two & set("ACE")) == 2 for two in met(drawn)) == 1


def test_two_who_had_a_walk_over_can_still_meet():
    played = [PlayedMatch("A", "B", 0, 0, "A", walkover=True)]
    assert met(swiss_round("AB", played, seed=1)) == {frozenset("AB")}
    played += [won("A", "C"), won("D", "B"), won("A", "D"), won("C", "B")]
    drawn = swiss_round("ABCD", played, seed=1)
    assert met(drawn) == {frozenset("AB"), frozenset("CD")}


def test_when_all_have_met_the_fewest_meetings_are_repeated():
    played = [won("A", "B"), won("C", "D"), won("A", "C"), won("B", "D"), won("A", "D")]
    played += [won("B", "C"), won("A", "B"), won("C", "D")]
    drawn = met(swiss_round("ABCD", played, seed=1))
    assert drawn != {frozenset("AB"), frozenset("CD")}


def test_who_has_withdrawn_is_not_drawn_and_who_comes_late_is():
    played = [won("A", "B"), won("C", "D")]
    drawn = swiss_round("ABCDE", played, withdrawn="B", seed=1)
    assert sorted(one for two in met(drawn) for one in two) == list("ACDE")


def test_the_best_placed_sit_at_the_first_table_and_the_bye_comes_last():
    played = [won("A", "B"), won("C", "D")]
    drawn = swiss_round("ABCDE", played, byes={"E": 1}, seed=3)
    assert drawn[0].first in {"A", "C"}
    assert [one.second is None for one in drawn] == [False, False, True]


@pytest.mark.parametrize(("entries", "drawn"), [("", ()), ("A", (Pairing("A", None),))])
def test_nobody_or_one_alone_has_no_match(entries, drawn):
    assert swiss_round(entries, [], seed=1) == drawn


@given(anything_played(), SEEDS)
def test_whatever_was_played_no_better_round_can_be_drawn(swiss, seed):
    """Against every possible round: rematches, the bye, the differences of scores."""
    assert faults(swiss, swiss.draw(seed), cheapest=least_by_trying) == []


@given(anything_played(most=12), SEEDS, st.randoms(use_true_random=False))
def test_the_order_in_which_entries_and_matches_are_given_does_not_matter(swiss, seed, order):
    entries, played = swiss.entries[:], swiss.played[:]
    order.shuffle(entries)
    order.shuffle(played)
    assert swiss.draw(seed, entries, played) == swiss.draw(seed)


@given(st.integers(4, 20), SEEDS)
def test_in_the_first_half_of_all_rounds_there_is_no_rematch(entries, seed):
    """Everybody then still has at least half the field to meet (Dirac): it is never forced."""
    seen = []
    for _, drawn in tournament(entries, seed, entries // 2):
        seen += met(one for one in drawn if one.second is not None)
    assert len(seen) == len(set(seen))


@given(st.integers(1, 7), SEEDS)
def test_over_all_rounds_of_an_odd_field_byes_differ_by_at_most_one(half, seed):
    entries = 2 * half + 1
    for swiss, _ in tournament(entries, seed, entries + 3):
        had = [swiss.byes[one] for one in swiss.entries]
        assert max(had) - min(had) <= 1


def test_another_lot_gives_another_first_round():
    assert len({frozenset(met(swiss_round(range(8), [], seed=seed))) for seed in range(50)}) > 20


@pytest.mark.parametrize("part", range(4))
def test_in_20_random_tournaments_no_better_round_can_be_drawn(part):
    """8 to 64 pairs, log2 n + 2 rounds each, against a matching that shares no code with ours."""
    for number in range(5):
        entries = 8 + (5 * part + number) * 57 // 20
        for swiss, drawn in tournament(entries, 1000 * part + number, int(log2(entries)) + 2):
            assert faults(swiss, drawn) == [], (entries, part, number)


@given(st.integers(1, 4), SEEDS)
def test_the_judge_of_those_tournaments_agrees_with_trying_every_matching(half, seed):
    rng = random.Random(seed)
    top = rng.choice((1, 3, 1000))
    size = 2 * half + 2
    costs = [[0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one):
            costs[one][other] = costs[other][one] = rng.randint(0, top)
    assert least(costs) == least_by_trying(costs)


def test_the_judge_sees_a_rematch_a_wrong_bye_and_a_needless_difference():
    swiss = Swiss(list("ABCDE"), [won("A", "B"), won("C", "D")], Counter({"E": 1}))
    assert faults(swiss, (Pairing("A", "C"), Pairing("B", "D"), Pairing("E", None)))
    assert faults(swiss, (Pairing("C", "D"), Pairing("E", "A"), Pairing("B", None)))
    assert faults(swiss, (Pairing("E", "D"), Pairing("A", "C"), Pairing("B", None))) == []
    assert faults(swiss, (Pairing("E", "D"), Pairing("B", "C"), Pairing("A", None)))
