"""The certificate says what the independent checker says, and what a plain count says."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.seating import VERSION, PlayedRound, certificate, plan_evening, plan_round
from tests.pairing.seating.judging import checker, document

SAME = {
    "partner": "partner_repeats",
    "opponent": "opponent_repeats",
    "meeting": "meeting_repeats",
    "share": "shares",
    "dealer": "dealer",
    "seat": "seats",
    "back_to_back": "back_to_back",
}


def an_evening(start, changes, policy, seed):
    """A few rounds with somebody coming or going in between."""
    people, played = list(range(start)), []
    for number, change in enumerate(changes):
        if change > 0:
            people.append(100 + number)
        elif change < 0 and len(people) > 4:
            people.pop(number % len(people))
        one = plan_round(people, seed=seed, history=played, policy=policy)
        played.append(one.played())
    return played


@pytest.mark.usefixtures("short_search")
@pytest.mark.skipif(checker() is None, reason="the checker is not beside this checkout")
@settings(max_examples=10, deadline=None)
@given(
    st.integers(4, 20),
    st.lists(st.sampled_from([-1, 0, 0, 1]), min_size=1, max_size=5),
    st.sampled_from(["club", "no_twos", "sitout"]),
    st.integers(0, 9),
)
def test_every_figure_is_the_checkers_own(start, changes, policy, seed):
    played = an_evening(start, changes, policy, seed)
    report = checker().check(document(played, policy))
    proof = certificate(played)
    for theirs, ours in SAME.items():
        measure = getattr(proof, ours)
        assert float(measure.value) == pytest.approx(report[theirs]["F"], abs=1e-4)
        assert float(measure.bound) == pytest.approx(report[theirs]["LB"], abs=1e-4)
    assert float(proof.ratio) == pytest.approx(report["ratio"], abs=1e-5)
    assert float(proof.cost) == pytest.approx(report["J"], abs=1e-3)
    assert proof.short_range == report["prefix_range"]["short"]
    assert proof.out_range == report["prefix_range"]["out"]


WHIST = [PlayedRound(((0, 1, 2, 3),)), PlayedRound(((1, 0, 2, 3),)), PlayedRound(((2, 0, 3, 1),))]


def test_four_players_who_change_partners_for_three_rounds_are_provably_fair():
    proof = certificate(WHIST, seed=7, version=VERSION)
    assert proof.ratio == 1
    assert (proof.partner_repeats.value, proof.opponent_repeats.value) == (0, 6)
    assert [line.partners for line in proof.players] == [3, 3, 3, 3]
    assert [line.deals for line in proof.players] == [1, 1, 1, 0]
    assert (proof.seed, proof.version) == (7, VERSION)


def test_a_player_line_counts_tables_partners_and_sit_outs():
    played = [
        PlayedRound((("a", "b", "c", "d"), ("e", "f")), ("g",)),
        PlayedRound((("g", "a", "e"),)),
    ]
    lines = {line.player: line for line in certificate(played).players}
    ada, gus = lines["a"], lines["g"]
    assert (ada.rounds, ada.fours, ada.threes, ada.partners, ada.opponents, ada.met) == (
        2, 1, 1, 1, 4, 5
    )  # fmt: skip
    assert ada.deals_due == Fraction(1, 4) + Fraction(1, 3)
    assert (gus.sit_outs, gus.deals, gus.partners) == (1, 1, 0)


def test_a_repeated_partner_is_counted_against_the_bound():
    proof = certificate([WHIST[0], WHIST[0]])
    assert (proof.partner_repeats.value, proof.partner_repeats.bound) == (2, 0)
    assert proof.ratio > 1
    assert sum(line.partner_repeats for line in proof.players) == 4


def test_having_the_small_table_twice_running_before_another_is_counted():
    rounds = [PlayedRound(((1, 2, 3, 4), (5, 6))), PlayedRound(((1, 5, 3, 4), (2, 6)))]
    assert certificate(rounds).twice_running == 1
    assert certificate(rounds).short_range == 2


def test_a_fixed_pair_is_left_out_of_the_repeats():
    rounds = [WHIST[0], WHIST[0]]
    proof = certificate(rounds, fixed=[(0, 2), (1, 3)])
    assert proof.partner_repeats.value == 0


def test_seed_and_version_reproduce_the_plan():
    plan = plan_evening(range(10), 4, seed=21)
    again = plan_evening(range(10), 4, seed=plan.certificate.seed)
    assert again == plan
    assert plan.version == plan.certificate.version == VERSION
