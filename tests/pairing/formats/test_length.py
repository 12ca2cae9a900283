"""How many rounds and matches to expect: counted in tournaments played to their end."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.formats.explanations import Choices, Format, doublings, expected
from league.pairing.formats.groups import knockout_seeds, side_by_side, snake
from league.pairing.formats.knockout import bracket
from league.pairing.formats.round_robins import round_robin
from tests.pairing.formats.brackets import seeds
from tests.pairing.formats.swiss_play import tournament

FIELDS, SEEDS = st.integers(2, 17), st.integers(0, 2**31)


def holds(span, *numbers):
    return all(span.least <= number <= span.most for number in numbers)


def counted(rounds):
    """Rounds, matches, and everybody's matches."""
    met = [(p.first, p.second) for one in rounds for p in one if p.second is not None]
    return len(rounds), len(met), Counter(one for two in met for one in two)


def in_rounds(drawn, seed):
    """A bracket played in rounds of all matches that are ready."""
    rng, rounds = random.Random(seed), []
    while drawn.ready():
        rounds.append(drawn.ready())
        for one in rounds[-1]:
            drawn = drawn.with_result(one.label, rng.choice((one.first, one.second)))
    return rounds


def agrees(expectation, rounds):
    number, matches, each = counted(rounds)
    return (
        holds(expectation.rounds, number)
        and holds(expectation.matches, matches)
        and holds(expectation.each, *each.values())
    )


@given(FIELDS, st.booleans(), st.sampled_from([Format.ROUND_ROBIN, Format.LEAGUE]))
def test_a_round_robin_and_a_league(entries, twice, format):
    rounds = round_robin(range(entries), double=twice)
    expectation = expected(format, entries, Choices(twice=twice))
    assert agrees(expectation, rounds)
    assert expectation.matches.least == expectation.matches.most


@given(FIELDS, SEEDS)
def test_a_swiss_of_the_usual_number_of_rounds(entries, seed):
    many = min(doublings(entries) + 2, entries - 1 + entries % 2)
    rounds = [drawn for _, drawn in tournament(entries, seed, many)]
    assert agrees(expected(Format.SWISS, entries, Choices(rounds=many)), rounds)


@given(FIELDS, SEEDS, st.booleans())
def test_a_knock_out(entries, seed, third_place):
    drawn = bracket(seeds(entries), third_place=third_place)
    expectation = expected(Format.KNOCKOUT, entries, Choices(third_place=third_place))
    assert agrees(expectation, in_rounds(drawn, seed))
    assert expectation.matches.least == entries - 1 + (third_place and entries > 3)


@given(FIELDS, SEEDS, st.booleans())
def test_a_knock_out_with_consolation(entries, seed, third):
    drawn = bracket(seeds(entries), consolation=True, third_place=third)
    choices = Choices(consolation=True, third_place=third)
    expectation = expected(Format.KNOCKOUT, entries, choices)
    assert agrees(expectation, in_rounds(drawn, seed))


@given(FIELDS, SEEDS)
def test_a_double_knock_out(entries, seed):
    drawn = bracket(seeds(entries), double=True)
    rounds = in_rounds(drawn, seed)
    again = any(one.label == "F2-1" for one in rounds[-1])
    expectation = expected(Format.DOUBLE, entries, Choices())
    assert agrees(expectation, rounds)
    assert len(rounds) == (expectation.rounds.most if again else expectation.rounds.least)


@given(st.integers(1, 4), st.integers(2, 4), st.integers(0, 9), SEEDS)
def test_groups_and_then_a_knock_out(groups, through, more, seed):
    entries = groups * through + more
    choices = Choices(groups=groups, through=through)
    drawn = snake(range(entries), groups)
    final = in_rounds(bracket(knockout_seeds(drawn, through)), seed)
    assert agrees(
        expected(Format.GROUPS, entries, choices),
        [*side_by_side([round_robin(one) for one in drawn]), *final],
    )


def test_one_entry_alone_is_no_tournament():
    with pytest.raises(ValueError, match="two entries"):
        expected(Format.SWISS, 1, Choices())
