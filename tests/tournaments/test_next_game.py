"""A match of several games seats its next game by itself, once the last one is accepted."""

from copy import deepcopy
from functools import partial
from random import Random

import pytest

from league.play.actions import confirm_game, redo_hand, undo_last_hand
from league.play.game_log import open_game_log
from league.play.models import Game
from league.seating.models import Round, Table
from tests.builders import EIGHT, TEST, a_club, game_at
from tests.tournaments.playing import (
    of_pairs,
    play,
    published,
    state_of,
    tables,
    write_one,
)

pytestmark = pytest.mark.django_db


def first_wins(table):
    game_at(table)
    while not (log := open_game_log(table)).state.over:
        write_one(table, log, 0, 5)


def a_match_of_three():
    cup = of_pairs(2, "knockout", games=3)
    published(cup)
    return cup


def test_which_pair_deals_first_is_drawn_by_lot_for_each_game_of_a_match():
    """Not the pair that is first in the draw, the better seed, every time."""
    cup = of_pairs(16, "swiss", games=3)
    published(cup, seed=1)
    assert len({table.first_dealer for table in tables(cup)}) == 4
    for table in list(tables(cup)):
        first_wins(table)
    later = tables(cup).values_list("first_dealer", flat=True)
    assert len(set(later)) == 4


def test_a_match_of_one_game_and_a_draft_under_way_are_left_alone():
    cup = of_pairs(4, "swiss", games=1)
    published(cup)
    table = tables(cup).first()
    play(table, Random(1))
    confirm_game(table, by=TEST, at=EIGHT)
    assert Table.objects.filter(session=cup.session).count() == 2


def test_where_a_game_waits_to_be_confirmed_the_next_one_waits_too():
    club = a_club(confirm="opponent")
    cup = of_pairs(2, "knockout", club=club, games=3)
    published(cup)
    table = tables(cup).get()
    first_wins(table)
    assert tables(cup).get() == table
    confirm_game(table, by=TEST, at=EIGHT)
    assert tables(cup).get() != table


def test_a_draft_of_the_organisers_is_not_thrown_away_for_a_next_game():
    club = a_club(confirm="opponent")
    cup = of_pairs(2, "knockout", club=club, games=3)
    published(cup)
    table = tables(cup).get()
    first_wins(table)
    a_draft = Round.objects.create(session=cup.session, number=9, seed=1)
    confirm_game(table, by=TEST, at=EIGHT)
    assert tables(cup).get() == table
    assert Round.objects.filter(pk=a_draft.pk).exists()


def undo(table):
    last = open_game_log(table).hands[-1]
    which = {"number": last.number, "version": last.version, "by": TEST, "at": EIGHT}
    undo_last_hand(table, **which)
    return which


@pytest.fixture(scope="class")
def match_of_three(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, a_match_of_three())


class TestAMatchOfThree:
    """Two pairs meet in a match of three games."""

    def test_where_results_count_at_once_the_next_game_is_seated_at_the_same_table(
        self, match_of_three
    ):
        cup = match_of_three()
        first = tables(cup).get()
        first_wins(first)
        second = tables(cup).get()
        assert (second.pk != first.pk, second.number) == (True, first.number)
        assert {seat.member_id for seat in second.seats.all()} == {
            seat.member_id for seat in first.seats.all()
        }
        first_wins(second)
        match = state_of(cup).last.matches[0]
        assert (match.over, match.wins[0], len(match.games)) == (True, 2, 2)

    def test_an_undo_takes_the_next_game_away_again_while_nobody_has_played_in_it(
        self, match_of_three
    ):
        cup = match_of_three()
        first = tables(cup).get()
        first_wins(first)
        assert tables(cup).get() != first
        undone = undo(first)
        assert tables(cup).get() == first
        game = Game.objects.get(table=first)
        assert (game.state, game.reopened) == (Game.State.PLAYING, False)
        assert all(seat.seated for seat in first.seats.all())
        redo_hand(Table.objects.get(pk=first.pk), client_id="the-same-again", **undone)
        assert tables(cup).get() != first
        assert len(state_of(cup).last.matches[0].games) == 2

    def test_an_undo_leaves_a_next_game_in_which_a_hand_was_played(self, match_of_three):
        cup = match_of_three()
        first = tables(cup).get()
        first_wins(first)
        second = tables(cup).get()
        game_at(second)
        write_one(second, open_game_log(second), 0, 5)
        undo(first)
        assert tables(cup).get() == second
        assert Game.objects.get(table=first).reopened
