"""A round of a tournament that is drawn and published again after a correction."""

import pytest

from league.live.place import tables_before
from league.live.room import room
from league.seating.models import Round, Table
from league.seating.queries import moves_in_round
from league.tournaments import actions
from tests.builders import EIGHT, TEST
from tests.tournaments.playing import a_tournament, play_round, published, state_of, turn_round

pytestmark = pytest.mark.django_db


def test_the_wall_and_the_print_name_the_same_table_a_player_comes_from():
    cup = a_tournament(12)
    published(cup)
    play_round(cup)
    first = state_of(cup).last.matches[0]
    published(cup, seed=2)
    turn_round(Table.objects.get(pk=first.games[0].table))
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    published(cup, seed=3)
    before = tables_before(room(cup.session, at=EIGHT).tiles)
    moves = moves_in_round(cup.session.rounds.get(number=2, state=Round.State.PUBLISHED))
    printed = {move.member.pk: (move.before, move.now) for move in moves}
    assert before
    for member, table in before.items():
        assert table == printed[member][0]
        assert table != printed[member][1]
