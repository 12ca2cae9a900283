"""Nobody is passed over where any seating at all spares them that: judged by going through all."""

import random

import pytest

from league.pairing import PairingRefused
from league.pairing.seating import Constraints, PlayedRound, composition, plan_round
from tests.pairing.seating.evenings import KINDS
from tests.pairing.seating.every_way import OUT, SMALL, Room, Turns


def test_another_group_of_equal_claim_sits_out_when_the_first_cannot():
    # The sixth seating of the random evening 60: 1, 2 and 7 were sent out, 2 for the second time,
    # though 1, 7 and 11 could go: the tables 4-2-5-0 and 8-3-9-12 keep every constraint.
    constraints = Constraints(
        never=((0, 1), (2, 3)),
        fixed=((4, 5),),
        apart_partner=((6, 7),),
        together=((8, 9),),
        guests=frozenset((1, 6, 10)),
    )
    played = [
        PlayedRound(((0, 5, 10, 4), (3, 8, 9, 6), (1, 7, 11, 12)), (2,)),
        PlayedRound(((12, 3, 0, 7), (9, 10, 8, 11), (5, 1, 4, 2))),
        PlayedRound(((10, 2, 12, 0), (4, 11, 5, 3), (8, 9, 1, 7))),
        PlayedRound(((2, 0, 9, 8), (4, 12, 5, 1), (11, 3, 7, 10))),
        PlayedRound(((7, 2, 1, 11), (9, 4, 8, 5)), (0, 3, 12)),
    ]
    here = {0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12}
    for seed in (6005, 1, 2):
        plan = plan_round(here, seed=seed, history=played, constraints=constraints, policy="sitout")
        assert plan.broken == ()
        assert not {0, 2, 3, 12} & set(plan.out)


def drawn(rng, people, policy):
    """A round as it might have been played, by no rule at all."""
    people = rng.sample(sorted(people), len(people))
    seats = iter(people)
    sizes = composition(len(people), policy).sizes
    return PlayedRound(tuple(tuple(next(seats) for _ in range(size)) for size in sizes), (*seats,))


def a_room(rng, coming, going):
    """Five to twelve people, rounds played, people come since and gone, and constraints."""
    people = list(range(rng.randint(5, 12)))
    policy = rng.choice(("club", "no_twos", "sitout"))
    here = set(people) if rng.random() < 0.5 else set(people[:-2])
    rounds, level = [], set(here)
    for _ in range(rng.randint(1, 5)):
        rounds.append(drawn(rng, here, policy))
        if rng.random() < coming:
            here.add(rng.choice(people))
        if rng.random() < going and len(here) > 5:
            here.remove(rng.choice(sorted(here)))
            level &= here
    return here, level, policy, rounds, some_wishes(rng, people)


def some_wishes(rng, people):
    """Pairs that do not contradict each other in themselves."""
    first, second, third, fourth = rng.sample(people, 4)
    bound = [(first, second), (third, fourth)]

    def pairs(most):
        drawn = (tuple(rng.sample(people, 2)) for _ in range(rng.randint(0, most)))
        return tuple(pair for pair in drawn if set(pair) not in map(set, bound))

    return Constraints(
        never=pairs(4),
        fixed=tuple(bound[:1]) if rng.random() < 0.4 else (),
        apart_partner=pairs(2),
        together=tuple(bound[1:]) if rng.random() < 0.4 else (),
    )


def turns_of(rounds, room, level, kind):
    """Who has had a kind of place how often, counted from the rounds."""
    had, last = {}, set()
    for one in rounds:
        small = {who for table in one.tables if len(table) < 4 for who in table}
        now = small if kind == SMALL else set(one.out)
        last = (last - set(one.present)) | now
        for who in now:
            had[who] = had.get(who, 0) + 1
    able = room.able(kind)
    return Turns(had, last, able, level & able)


def judged(seed, coming=0.3, going=0.2):
    """What a room planned at random comes to: refused, unkept, fair, forced, or a failing."""
    here, level, policy, rounds, constraints = a_room(random.Random(seed), coming, going)
    sizes = composition(len(here), policy).sizes
    room = Room(here, sizes, {kind: getattr(constraints, kind) for kind in KINDS})
    try:
        plan = plan_round(here, seed=seed, history=rounds, constraints=constraints, policy=policy)
    except PairingRefused:
        return "refused though it can be seated" if room.seatable() else "refused"
    if plan.broken:
        return "a wish broken though all can be kept" if room.seatable() else "unkept"
    small = {who for table in plan.tables if len(table) < 4 for who in table}
    turns = [turns_of(rounds, room, level, kind) for kind in (SMALL, OUT)]
    if not any(one.passing(now) for one, now in zip(turns, (small, set(plan.out)), strict=True)):
        return "fair"
    return "somebody passed over needlessly" if room.fair(*turns) else "forced"


# Some rooms at random, and some in which a search that stays with its first group fails. In 421
# the fewest turns out of order and passing over nobody are two things.
@pytest.mark.parametrize("seed", [*range(20), 24, 41, 168, 313, 421, 494])
def test_a_room_is_refused_a_wish_broken_or_somebody_passed_over_only_where_it_must_be(seed):
    assert judged(seed) in {"refused", "unkept", "fair", "forced"}


def test_those_here_all_the_time_are_spared_where_not_all_who_came_back_can_be_too():
    assert judged(10561, coming=0.7, going=0.7) in {"fair", "forced"}
