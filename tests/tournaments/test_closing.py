"""A closed tournament is finished: its games count, its winners are named, the evening ends."""

import pytest
from django.urls import reverse

from league.play.actions import write_totals
from league.play.models import Game
from league.sessions.actions import close_session, open_session
from league.tournaments import actions
from league.tournaments.models import Match
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.tournaments.playing import of_pairs, play_round, published, state_of, tables

pytestmark = pytest.mark.django_db


def the_cup(client, *, pairs=4, **choice):
    club = a_club(confirm="opponent")
    client.force_login(a_user(club=club))
    cup = of_pairs(pairs, "knockout", club=club, games=1, **choice)
    published(cup)
    return cup


def win(cup):
    for table in tables(cup):
        write_totals(table, [10, 4], no_hands=True, by=TEST, at=EIGHT)


def page(client, cup, name="tournament"):
    return client.get(reverse(name, args=[cup.club.slug, cup.public_id])).content.decode()


def hub(client, cup, name="session"):
    where = reverse(name, args=[cup.club.slug, cup.session.public_id])
    return client.get(where).content.decode()


def test_closing_confirms_every_game_that_is_over(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    assert Game.objects.get().state == Game.State.FINISHED
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert Game.objects.get().state == Game.State.CONFIRMED


def test_a_disputed_game_stays_disputed(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    Game.objects.update(state=Game.State.DISPUTED)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert Game.objects.get().state == Game.State.DISPUTED


def test_a_closed_tournament_names_its_winners_and_its_session_page_ends_the_evening(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert "<dt>First</dt>" in page(client, cup)
    shown = hub(client, cup)
    assert f"{cup.name} is over" in shown
    assert "Next round with all" not in shown
    assert "Play this session as a tournament" not in shown


def test_a_session_closed_before_its_tournament_is_over_names_no_winners(client):
    club = a_club(visibility="standings")
    client.force_login(a_user(club=club))
    cup = of_pairs(6, "swiss", club=club)
    named = []
    for number in (1, 2, 3):
        published(cup, number)
        play_round(cup, number)
        close_session(cup.session, by=TEST, at=EIGHT)
        shown = (hub(client, cup), hub(client, cup, "session_standings"))
        named.append(tuple("Winners" in one for one in shown))
        said = (hub(client, cup), page(client, cup))
        assert all(("Reopen the session" in one) == (number < 3) for one in said)
        open_session(cup.session, by=TEST, at=EIGHT)
    assert named == [(False, False), (False, False), (True, True)]


def test_a_round_says_which_match_is_the_final_and_which_is_for_third_place(client):
    cup = the_cup(client, third_place=True)
    win(cup)
    published(cup)
    shown = page(client, cup)
    assert "· Final</span>" in shown
    assert "· Third place</span>" in shown
    assert "Other matches" not in shown
    wall = hub(client, cup, "wall")
    assert "<small>Final</small>" in wall
    assert "<small>Third place</small>" in wall
    assert "1 · Final</td>" in page(client, cup, "tournament_print")


def test_a_walk_over_is_called_one_afterwards_with_its_reason(client):
    cup = the_cup(client, pairs=2)
    match = Match.objects.get()
    actions.decide_match(cup, match, 0, how="walkover", by=TEST, at=EIGHT, reason="Car broke down")
    shown = page(client, cup)
    assert "Walk-over: Car broke down" in shown
    assert state_of(cup).last.matches[0].over
