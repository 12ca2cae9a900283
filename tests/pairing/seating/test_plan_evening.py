"""An evening planned ahead: by construction, by search, with people coming and going."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing import PairingRefused
from league.pairing.seating import Constraints, certificate, composition, plan_evening, plan_round
from tests.pairing.seating.judging import judge

PERFECT = (4, 3), (8, 7), (12, 11), (16, 8), (16, 15), (28, 8), (33, 8), (44, 8), (48, 8), (50, 8)


@pytest.mark.parametrize(("players", "rounds"), PERFECT)
def test_where_a_perfect_evening_is_known_it_is_given(players, rounds):
    plan = plan_evening(range(players), rounds, seed=5)
    assert plan.certificate.ratio == 1
    assert plan.way == "schedule"
    judge(plan.rounds)


@pytest.mark.parametrize(("players", "rounds"), [(17, 8), (21, 8), (55, 3)])
def test_an_evening_repeats_no_partner_and_deals_out_small_tables_by_turn(players, rounds):
    plan = plan_evening(range(players), rounds, seed=2)
    assert plan.certificate.partner_repeats.value == 0
    assert plan.certificate.twice_running == 0
    assert plan.certificate.shares.excess <= 0.01
    assert plan.certificate.dealer.excess == 0
    judge(plan.rounds)


@pytest.mark.parametrize(("players", "rounds"), [(9, 6), (22, 3)])
def test_an_evening_level_at_every_moment_may_stop_after_any_round(players, rounds):
    plan = plan_evening(range(players), rounds, seed=2, level_always=True)
    assert plan.certificate.short_range <= 1
    assert plan.certificate.twice_running == 0


def test_two_seeds_give_two_casts_of_the_same_perfect_schedule():
    one, other = (plan_evening(range(16), 8, seed=seed) for seed in (1, 2))
    assert one.rounds != other.rounds
    assert one.certificate.ratio == other.certificate.ratio == 1


@pytest.mark.usefixtures("short_search")
def test_the_same_seed_gives_the_same_evening_whoever_was_named_first():
    constraints = Constraints(never=((1, 2),))
    one = plan_evening(range(1, 14), 4, seed=9, constraints=constraints)
    other = plan_evening(reversed(range(1, 14)), 4, seed=9, constraints=constraints)
    assert one == other


@pytest.mark.usefixtures("short_search")
def test_people_come_and_go_and_the_tables_follow():
    presence = {1: (2, 4), 2: (1, 2), 3: (3, 6)}
    plan = plan_evening(range(1, 15), 6, seed=3, presence=presence)
    for number, one in enumerate(plan.rounds, 1):
        here = {
            who for who in range(1, 15)
            if presence.get(who, (1, 6))[0] <= number <= presence.get(who, (1, 6))[1]
        }  # fmt: skip
        assert set(one.played().present) == here
        assert tuple(map(len, one.tables)) == composition(len(here)).sizes
    assert plan.certificate.partner_repeats.value == 0
    assert plan.certificate.twice_running == 0
    judge(plan.rounds)


@pytest.mark.usefixtures("short_search")
def test_one_comes_as_another_goes_and_the_room_keeps_its_size():
    presence = {1: (1, 2), 9: (3, 4)}
    plan = plan_evening(range(1, 10), 4, seed=3, presence=presence)
    assert [len(one.played().present) for one in plan.rounds] == [8, 8, 8, 8]
    assert plan.certificate.partner_repeats.value == 0


@pytest.mark.usefixtures("short_search")
def test_the_rest_of_an_evening_is_planned_again_without_touching_what_is_played():
    played = [one.played() for one in plan_evening(range(12), 3, seed=1).rounds]
    rest = plan_evening((*range(1, 12), 50, 51), 4, seed=2, history=played)
    assert {one for plan in rest.rounds for one in plan.played().present} == {*range(1, 12), 50, 51}
    report = judge([*played, *rest.rounds])
    assert report["partner"]["F"] == 0
    whole = certificate([*played, *(plan.played() for plan in rest.rounds)])
    assert whole.twice_running == 0


@pytest.mark.usefixtures("short_search")
def test_wishes_hold_in_every_round_of_an_evening():
    constraints = Constraints(
        never=((1, 2), (3, 4)), fixed=((5, 6),), apart_partner=((7, 8),), stays={9: 2}
    )
    plan = plan_evening(range(1, 15), 6, seed=4, constraints=constraints)
    assert plan.broken == ()
    assert all(9 in one.tables[one.numbers.index(2)] for one in plan.rounds)
    judge(plan.rounds, apart=[[1, 2], [3, 4]], fixed=[[5, 6]], apart_partner=[[7, 8]])


@pytest.mark.parametrize(
    ("seed", "never"),
    [(14, ((3, 4), (3, 6), (1, 2))), (160, ((4, 7), (3, 5), (3, 6), (0, 2), (1, 2)))],
)
def test_wishes_that_no_swap_of_two_leads_to_hold_all_evening(seed, never):
    """Eight at two tables: a swap that mends one constraint breaks another on the way."""
    plan = plan_evening(
        range(8), 8, seed=seed, constraints=Constraints(never=never, fixed=((2, 4),))
    )
    assert plan.broken == ()
    judge(plan.rounds, apart=[list(pair) for pair in never], fixed=[[2, 4]])


@pytest.mark.usefixtures("short_search")
@settings(max_examples=5, deadline=None)
@given(
    st.integers(8, 14),
    st.integers(1, 4),
    st.sampled_from(["club", "no_twos", "sitout"]),
    st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=3),
)
def test_no_wish_of_an_evening_is_broken_silently(players, rounds, policy, apart):
    never = tuple(sorted({(min(pair), max(pair)) for pair in apart if pair[0] != pair[1]}))
    try:
        plan = plan_evening(
            range(players), rounds, seed=1, policy=policy, constraints=Constraints(never=never)
        )
    except PairingRefused as refused:
        contradiction = refused.people
    else:
        contradiction = ()
        named = {(number, tuple(sorted(constraint.people))) for number, constraint in plan.broken}
        seen = {
            (number, pair)
            for number, one in enumerate(plan.rounds, 1)
            for pair in never
            if any(set(pair) <= set(table) for table in one.tables)
        }
        assert named == seen
    assert set(contradiction) <= {one for pair in never for one in pair}


@pytest.mark.usefixtures("short_search")
def test_a_locked_chair_is_kept_all_evening_and_the_others_still_share_the_deal():
    plan = plan_evening(range(12), 8, seed=4, constraints=Constraints(locked={3: (2, 1)}))
    assert plan.broken == ()
    assert all(one.tables[1][1] == 3 for one in plan.rounds)
    assert {line.deals for line in plan.certificate.players if line.player != 3} <= {1, 2, 3}


def test_deals_are_as_level_as_can_be_and_chairs_nearly():
    for players in (8, 16, 24):
        proof = plan_evening(range(players), min(players - 1, 8), seed=3).certificate
        assert proof.dealer.excess == 0
        assert max(max(line.seats) for line in proof.players) <= 4
        assert proof.seats.excess <= players


def test_sit_outs_go_round():
    plan = plan_evening(range(9), 9, seed=1, policy="sitout")
    assert {line.sit_outs for line in plan.certificate.players} == {1}
    judge(plan.rounds, "sitout")


def test_a_clubs_own_table_of_sizes_is_followed():
    plan = plan_evening(range(9), 4, seed=1, table={9: (3, 3, 3)})
    assert all(tuple(map(len, one.tables)) == (3, 3, 3) for one in plan.rounds)
    assert plan.certificate.meeting_repeats.value == 0


@pytest.mark.parametrize(
    ("players", "rounds", "presence", "code"),
    [
        (range(8), 0, {}, "no-rounds"),
        (range(8), 3, {1: (2, 4)}, "bad-presence"),
        (range(8), 3, {1: (3, 2)}, "bad-presence"),
        (range(8), 3, {99: (1, 2)}, "bad-presence"),
        ([1, 2, 2], 3, {}, "player-twice"),
        ([1], 3, {}, "one-player"),
        ([1, 2], 3, {1: (2, 3)}, "one-player"),
    ],
)
def test_an_evening_that_cannot_be_is_refused(players, rounds, presence, code):
    with pytest.raises(PairingRefused) as refused:
        plan_evening(players, rounds, seed=1, presence=presence)
    assert refused.value.code == code


def test_rounds_one_by_one_and_an_evening_ahead_give_the_same_kind_of_round():
    ahead = plan_evening(range(8), 1, seed=1).rounds[0]
    now = plan_round(range(8), seed=1)
    assert tuple(map(len, ahead.tables)) == tuple(map(len, now.tables))
    assert ahead.numbers == now.numbers == (1, 2)
