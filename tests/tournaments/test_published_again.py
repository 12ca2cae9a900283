"""A round of a tournament that is drawn and published again after a correction."""

import pytest
from django.urls import reverse

from league.live.place import tables_before
from league.live.room import room
from league.play.actions import undo_last_hand, write_totals
from league.play.game_log import open_game_log
from league.seating.models import Round, Table
from league.seating.queries import moves_in_round
from league.tournaments import actions
from tests.builders import EIGHT, TEST, a_user, game_at
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_tournament,
    play_round,
    published,
    state_of,
    tables,
    turn_round,
    write_one,
)

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


def test_a_round_with_a_hand_says_why_it_cannot_be_unpublished_and_what_ending_it_counts(client):
    cup = a_tournament(8)
    client.force_login(a_user(club=cup.club))
    published(cup)
    page = reverse("tournament", args=[cup.club.slug, cup.public_id])
    unpublish = reverse("tournament_take_back", args=[cup.club.slug, cup.public_id])
    why = "To unpublish this draw, first undo"
    hub = client.get(page).text
    assert (unpublish in hub, why in hub) == (True, False)
    assert "1–0 counts as a win, 0–0 as a tie" in hub
    table = tables(cup).first()
    game_at(table)
    write_one(table, open_game_log(table), 0, 3)
    hub = squeezed(client.get(page).text)
    assert (unpublish in hub, why in hub) == (False, True)
    undo_last_hand(table, by=TEST, at=EIGHT, number=1, version=1, as_organiser=True)
    assert unpublish in client.get(page).text
    other = tables(cup).last()
    write_totals(other, [3, 1], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    assert "1 table has hands or a score." in squeezed(client.get(page).text)
