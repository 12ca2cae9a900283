"""A closed tournament is finished: its games count, its winners are named, the evening ends."""

import pytest
from django.urls import reverse

from league.play.actions import write_totals
from league.play.models import Game
from league.tournaments import actions
from league.tournaments.models import Match
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.tournaments.playing import of_pairs, published, state_of, tables

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


def hub(client, cup):
    where = reverse("session", args=[cup.club.slug, cup.session.public_id])
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
    assert "<dt>Winners</dt>" in page(client, cup)
    shown = hub(client, cup)
    assert f"{cup.name} is over" in shown
    assert "Next round with all" not in shown
    assert "Play this session as a tournament" not in shown


def test_a_round_says_which_match_is_the_final_and_which_is_for_third_place(client):
    cup = the_cup(client, third_place=True)
    win(cup)
    published(cup)
    shown = page(client, cup)
    assert "· Final</span>" in shown
    assert "· Third place</span>" in shown
    assert "Other matches" not in shown


def test_a_walk_over_is_called_one_afterwards_with_its_reason(client):
    cup = the_cup(client, pairs=2)
    match = Match.objects.get()
    actions.decide_match(cup, match, 0, how="walkover", by=TEST, at=EIGHT, reason="Car broke down")
    shown = page(client, cup)
    assert "Walk-over: Car broke down" in shown
    assert state_of(cup).last.matches[0].over
