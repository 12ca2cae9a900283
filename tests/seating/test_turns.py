"""Whose turn it is for a small table: who has had least, what a newcomer missed counted as had."""

from league.seating.history import tally
from league.seating.plan import PlayedRound
from league.seating.turns import turns


def ranks(players, history, *, out=False):
    return dict(zip(players, turns(tally(players, history), out=out), strict=True))


FIRST = PlayedRound(((1, 2, 3, 4), (5, 6)))
SECOND = PlayedRound(((5, 6, 1, 2), (3, 4)))


def test_those_who_have_had_none_come_before_those_who_have():
    rank = ranks(range(1, 7), [FIRST])
    assert {rank[one] for one in (1, 2, 3, 4)} == {0}
    assert rank[5] == rank[6] == 1


def test_having_had_it_last_decides_between_those_who_have_had_it_as_often():
    rank = ranks(range(1, 7), [FIRST, SECOND])
    assert rank[1] == rank[2] == 0
    assert rank[5] == rank[6] < rank[3] == rank[4]


def test_nobody_is_due_twice_running_before_one_who_has_had_it_less():
    # 9 came late: what they missed counts for more than the one small table 3 and 4 have had.
    history = [FIRST, FIRST, FIRST, FIRST, SECOND]
    rank = ranks((3, 4, 9), history)
    assert rank[9] < rank[3] == rank[4]
    without = ranks((5, 9), history)
    assert without[9] < without[5]


def test_what_a_late_arrival_missed_counts_as_had():
    history = [FIRST, SECOND, PlayedRound(((3, 4, 5, 6), (1, 2)))]
    rank = ranks((1, 2, 5, 9), [*history, FIRST])
    assert rank[1] == 0 or rank[2] == 0
    assert rank[9] > min(rank[1], rank[2])
    assert rank[9] < rank[5]


def test_being_short_last_session_is_no_ones_turn_tonight():
    week = PlayedRound(FIRST.tables, age=1)
    assert set(ranks(range(1, 7), [week]).values()) == {0}


def test_sit_outs_have_turns_of_their_own():
    history = [PlayedRound(((1, 2, 3, 4),), (5,))]
    rank = ranks(range(1, 6), history, out=True)
    assert rank[5] == 1
    assert {rank[one] for one in (1, 2, 3, 4)} == {0}
    assert set(ranks(range(1, 6), history).values()) == {0}
