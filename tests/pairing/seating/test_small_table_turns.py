"""Whose turn it is for a small table: who has had least, what a newcomer missed counted as had."""

from league.pairing.seating import PlayedRound
from league.pairing.seating.history import tally
from league.pairing.seating.small_table_turns import Due, turn_records, turns


def ranks(players, history, *, out=False):
    return dict(zip(players, turns(tally(players, history), out=out), strict=True))


FIRST = PlayedRound(((1, 2, 3, 4), (5, 6)))
SECOND = PlayedRound(((5, 6, 1, 2), (3, 4)))


def test_those_who_have_had_none_come_before_those_who_have():
    due = ranks(range(1, 7), [FIRST])
    assert {due[one].rank for one in (1, 2, 3, 4)} == {0}
    assert due[5].rank == due[6].rank == 1


def test_having_had_it_last_decides_between_those_who_have_had_it_as_often():
    due = ranks(range(1, 7), [FIRST, SECOND])
    assert due[1] == due[2] == Due(0, again=False)
    assert due[5] == due[6] == Due(1, again=False)
    assert due[3] == due[4] == Due(1, again=True)


def test_nobody_is_due_twice_running_before_one_who_has_had_it_less():
    # 9 came late: what they missed counts for more than the one small table 3 and 4 have had.
    history = [FIRST, FIRST, FIRST, FIRST, SECOND]
    due = ranks((3, 4, 9), history)
    assert due[9].rank < due[3].rank == due[4].rank
    without = ranks((5, 9), history)
    assert without[9].rank < without[5].rank


def test_nor_is_one_who_came_forward_for_that_before_a_third_who_has_had_it_less_still():
    # 3 has had it twice, 8, who came later, once, both also the last time; 9 comes only now.
    without_three = PlayedRound(((3, 1, 2, 8), (4, 5), (6, 7)))
    before = [
        PlayedRound(((1, 2, 4, 5), (3, 6), (7, 10))),
        PlayedRound(((3, 6, 7, 10), (1, 2), (4, 5))),
        PlayedRound(((3, 6, 7, 10), (1, 2), (4, 5))),
    ]
    after = [without_three, without_three, PlayedRound(((1, 2, 4, 5), (3, 8), (6, 7)))]
    due = ranks((3, 8, 9), [*before, *after])
    assert due[9] < due[8] < due[3]


def test_what_a_late_arrival_missed_counts_as_had():
    history = [FIRST, SECOND, PlayedRound(((3, 4, 5, 6), (1, 2)))]
    due = ranks((1, 2, 5, 9), [*history, FIRST])
    assert due[1].rank == 0 or due[2].rank == 0
    assert min(due[1], due[2]) < due[9] < due[5]


def test_being_short_last_session_is_no_ones_turn_tonight():
    week = PlayedRound(FIRST.tables, age=1)
    assert set(ranks(range(1, 7), [week]).values()) == {Due(0, again=False)}


def test_sit_outs_have_turns_of_their_own():
    history = [PlayedRound(((1, 2, 3, 4),), (5,))]
    due = ranks(range(1, 6), history, out=True)
    assert due[5].rank == 1
    assert {due[one].rank for one in (1, 2, 3, 4)} == {0}
    assert {one.rank for one in ranks(range(1, 6), history).values()} == {0}


# Everybody placed has a small table, and 1 and 2 are not placed.
WITHOUT = PlayedRound(((3, 4), (5, 6)))
TOGETHER = PlayedRound(((1, 2), (3, 4, 5, 6)))


def test_who_plays_on_at_a_slow_table_has_not_been_away():
    history = [TOGETHER, *[WITHOUT] * 4]
    assert turn_records(tally((1, 3), history), out=False)[0].level


def test_who_left_a_table_that_ended_is_not_made_to_catch_up_more_than_two():
    # 2 is placed again without 1, so the table they shared is over and 1 has left.
    gone = [TOGETHER, PlayedRound(((2, 3), (5, 6)))]
    assert turn_records(tally((1, 3), [*gone, WITHOUT]), out=False)[0].level
    assert not turn_records(tally((1, 3), [*gone, *[WITHOUT] * 4]), out=False)[0].level
