"""A corrected result of a bracket while a match that relied on it has not begun."""

from copy import deepcopy
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from league.play.auth import table_code
from league.play.game_log import open_game_log
from league.seating.models import Seat, Table
from league.tournaments import actions
from league.tournaments.draws.knockout import corrections
from league.tournaments.ties import ties_to_decide
from tests.builders import EIGHT, TEST, a_club, a_user, game_at
from tests.tournaments.playing import (
    match_of,
    of_pairs,
    play,
    play_round,
    published,
    state_of,
    turn_round,
    write_one,
)
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


@pytest.fixture(scope="module")
def shared(club_of_the_module):
    with club_of_the_module():
        yield corrected()


@pytest.fixture
def repair(shared):
    return deepcopy(shared)


def corrected():
    """A double knock-out of six; one match of round 2 is played, then a result of round 1 that
    another match of round 2 relied on is corrected. Returns it, its corrected match and winner."""
    cup = of_pairs(6, "double")
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    round_1, round_2 = (facts.matches for facts in state_of(cup).published)
    turned, played = next(
        (one, other)
        for one in round_1
        for other in round_2
        if one.by_games is not None and not set(one.entries) & set(other.entries)
    )
    play(Table.objects.get(pk=played.games[0].table), Random(1))
    winner = turned.sides[1 - turned.first]
    turn_round(Table.objects.get(pk=turned.games[0].table))
    return cup, turned, winner


def test_the_right_pair_takes_the_table_of_a_match_that_has_not_begun_with_one_press(
    client, repair
):
    cup, turned, winner = repair
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament", cup)).text
    assert "has not begun: updating the bracket puts the right pair in." in page
    answer = client.post(address("tournament_follow", cup, turned.key), follow=True)
    assert [str(message) for message in answer.context["messages"]] == ["Updated the bracket."]
    state = state_of(cup)
    assert corrections(state) == []
    assert not any(match.undone for facts in state.rounds for match in facts.matches)
    (match,) = [m for m in state.last.matches if winner in m.entries and m.place.startswith("M")]
    seats = Seat.objects.filter(table=match.games[0].table, seated=True)
    people = {member.pk for key in match.entries for member in state.entries[key].people}
    assert set(seats.values_list("member", flat=True)) == people
    play_round(cup, seed=3)
    published(cup, seed=3)


def test_its_table_says_not_to_begin_until_the_bracket_is_updated(client, repair):
    cup, _turned, _winner = repair
    client.force_login(a_user(club=cup.club))
    board = client.get(reverse("board", args=[cup.club.slug, cup.session.public_id])).text
    assert "Don&#x27;t begin: the bracket needs updating." in board


def test_while_a_match_that_relied_on_it_is_on_the_bracket_does_not_follow(repair):
    cup, turned, winner = repair
    loser = turned.sides[turned.first]
    (match,) = [m for m in state_of(cup).last.matches if {winner, loser} & set(m.entries)][:1]
    table = Table.objects.get(pk=match.games[0].table)
    game_at(table)
    write_one(table, open_game_log(table), 0, 3)
    assert refusal(actions.follow_correction, cup, match_of(turned), **SAY) == "round-open"


def test_a_game_without_a_hand_that_the_update_took_out_is_tied_nowhere(client, repair):
    cup, turned, _winner = repair
    client.force_login(a_user(club=cup.club))
    actions.force_round(cup, reason="Too late", by=TEST, at=EIGHT)
    actions.follow_correction(cup, match_of(turned), **SAY)
    state = state_of(cup)
    assert ties_to_decide(state) == []
    for name in ("board", "wall"):
        page = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
        assert "tied" not in page.lower()
    page = client.get(address("tournament", cup)).text
    assert "Who won the deciding hand?" not in page
    published(cup, seed=3)


def test_a_match_that_will_be_void_is_ended_at_its_own_table_whose_phone_says_so(client):
    """The notice said to end the round, which stops the other tables too."""
    cup = of_pairs(4, "knockout", third_place=True, club=a_club(slug="own"))
    published(cup)
    semi = Table.objects.select_related("session__club", "ruleset").get(
        pk=state_of(cup).last.matches[0].games[0].table
    )
    play_round(cup)
    published(cup, seed=2)
    final = Table.objects.select_related("session__club", "ruleset").get(
        pk=state_of(cup).last.matches[0].games[0].table
    )
    game_at(final)
    write_one(final, open_game_log(final), 0, 3)
    phone = Client()
    phone.post(reverse("table_door"), {"code": table_code(final)})
    news = reverse("table_news", args=[final.public_id])
    void = "Updating the bracket makes this match void."
    assert void not in phone.get(news).text
    turn_round(semi)
    assert void in phone.get(news).text
    client.force_login(a_user(club=cup.club))
    hub = client.get(address("tournament", cup)).text
    desk = reverse("table_desk", args=[cup.club.slug, cup.session.public_id, final.public_id])
    assert "To stop it now, end the game at its table:" in hub
    assert f'<li><a href="{desk}">' in hub
    assert "End the game" in client.get(desk).text
