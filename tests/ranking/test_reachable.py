"""Which places are still within reach: equal to trying every way the rest can go."""

from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.ranking import RankingError
from league.ranking.reachable import PlaceReach, best_places, most_points, reach_by_wins

shares = st.sampled_from([Fraction(0), Fraction(1), Fraction(2), Fraction(3), Fraction(3, 2)])


def place(of, totals, *, last):
    """Somebody's place, behind those level with them (`last`) or before them."""
    own = totals[of]
    return 1 + sum(
        value > own or (last and value == own) for other, value in totals.items() if other != of
    )


@settings(max_examples=30)
@given(
    st.lists(shares, min_size=4, max_size=5),
    st.integers(0, 1),
    st.integers(0, 2),
    st.integers(1, 2),
    st.integers(0, 1),
)
def test_wins_reach_what_trying_every_round_reaches(values, gone, rounds, winners, together):
    """In a round up to so many more win as win games `together`."""
    won = dict(enumerate(values))
    playing = [who for who in won if who >= gone]
    if 2 * winners > len(playing):
        winners = 1
    most = winners + together
    ends, counts = [], range(winners, most + 1)
    subsets = [pick for count in counts for pick in combinations(playing, count)]
    for picks in product(subsets, repeat=rounds):
        ends.append({who: w + sum(who in pick for pick in picks) for who, w in won.items()})
    found = reach_by_wins(won, playing, rounds=rounds, winners=winners, most_winners=most)
    assert found == {
        who: PlaceReach(
            min(place(who, end, last=False) for end in ends),
            max(place(who, end, last=True) for end in ends),
        )
        for who in won
    }


def test_more_winners_than_tables_can_have_are_refused():
    with pytest.raises(RankingError):
        reach_by_wins({1: Fraction(0), 2: Fraction(0)}, [1, 2], rounds=1, winners=2)


points = st.sampled_from([Fraction(3), Fraction(1), Fraction(0)])


@pytest.mark.parametrize("counting", [None, 2])
@settings(max_examples=30)
@given(
    st.lists(st.lists(points, min_size=1, max_size=3), min_size=3, max_size=3), st.integers(0, 2)
)
def test_a_season_reaches_what_trying_every_evening_reaches(counting, taken, evenings):
    """Of an evening any two or more come in any order; the fourth is somebody new."""
    gives = (Fraction(3), Fraction(1))
    comers = [p for n in (2, 3, 4) for p in permutations(range(4), n)]

    def total(who, nights):
        more = [
            gives[night.index(who)] if night.index(who) < 2 else Fraction(0)
            for night in nights
            if who in night
        ]
        return sum(sorted([*taken[who], *more], reverse=True)[:counting], Fraction(0))

    best = dict.fromkeys(range(3), 9)
    for nights in product(comers, repeat=evenings):
        end = {who: total(who, nights) for who in range(3)}
        best = {who: min(best[who], place(who, end, last=False)) for who in best}
    now = {who: total(who, ()) for who in range(3)}
    most = {
        who: most_points(taken[who], evenings, first=gives[0], counting=counting)
        for who in range(3)
    }
    assert best_places(now, most) == best
