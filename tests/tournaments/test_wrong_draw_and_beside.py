"""A draw found wrong after a score, and what players read of a consolation and of several games."""

import pytest
from django.urls import reverse

from league.play.actions import abandon_game, resume, write_totals
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.models import Match
from league.tournaments.next_step import draft_reminder
from league.tournaments.own_match import next_for
from league.tournaments.ties import open_ties
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
    turn_round,
)
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal, tie_all

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def score(table, *points):
    write_totals(table, list(points), **SAY, as_organiser=True, no_hands=True)


def first_losers(cup):
    """A player of each pair that lost in the latest round."""
    state = state_of(cup)
    matches = state.last.matches
    return [state.entries[m.sides[1 - m.first]].member for m in matches if m.first is not None]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("knockout", "You play on in the consolation."),
        ("double", "You play on in the losers' bracket."),
    ],
)
def test_who_lost_the_first_match_reads_in_which_part_the_pair_plays_on(format, text):
    cup = of_pairs(8, format, consolation=format == "knockout")
    published(cup)
    score(tables(cup).first(), 10, 8)
    (player,) = first_losers(cup)
    assert next_for(cup, player).startswith(text)
    assert "You are still in" not in next_for(cup, player)
    winner = state_of(cup).entries[state_of(cup).last.matches[0].sides[0]].member
    assert "play on in" not in next_for(cup, winner)


@pytest.mark.parametrize("format", ["progressive", "swiss"])
def test_a_draw_found_wrong_after_a_score_can_be_unpublished_once_the_score_is_void(client, format):
    cup = a_tournament(8) if format == "progressive" else of_pairs(4, format)
    published(cup)
    client.force_login(a_user(club=cup.club))
    table = tables(cup).first()
    score(table, *((4, 1) if format == "progressive" else (10, 8)))
    unpublish = address("tournament_take_back", cup)
    hub = squeezed(client.get(address("tournament", cup)).text)
    assert unpublish not in hub
    assert "first undo its hands or mark its game as not played." in hub
    abandon_game(table, reason="Wrong draw.", **SAY)
    hub = client.get(address("tournament", cup)).text
    assert unpublish in hub
    assert "Marked as not played: it counts for no one." in hub
    scores = reverse("final_scores", args=[cup.club.slug, cup.session.public_id])
    assert "void" in client.get(scores).text.partition("Saved")[2]
    client.post(unpublish)
    assert state_of(cup).draft is not None
    actions.publish_draw(cup, **SAY)
    assert not Match.objects.filter(games__table=table).exists()
    old = Table.objects.get(pk=table.pk)
    assert refusal(resume, old, **SAY, as_organiser=True) == "undone-match"
    assert refusal(score, old, 3, 2) == "undone-match"
    play_round(cup)
    assert not state_of(cup).last.open_matches


def test_a_walk_over_still_keeps_a_round_published(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    match = Match.objects.get(pk=state_of(cup).last.matches[0].key)
    actions.decide_match(cup, match, 0, how="walkover", reason="ill", **SAY)
    client.force_login(a_user(club=cup.club))
    assert address("tournament_take_back", cup) not in client.get(address("tournament", cup)).text


@pytest.mark.parametrize("movement", ["by-standing", "random-draw"])
def test_a_tie_is_not_asked_about_where_nobody_moves_by_winning(movement):
    cup = a_tournament(8, movement=movement)
    published(cup)
    tie_all(cup)
    assert open_ties(state_of(cup)) == []
    assert drawn(cup).number == 2


def test_a_tie_in_the_last_round_is_not_asked_about():
    cup = a_tournament(8, rounds=1)
    published(cup)
    tie_all(cup)
    assert open_ties(state_of(cup)) == []


@pytest.mark.parametrize("round_", [1, 2])
def test_an_unpublished_round_says_that_a_corrected_result_changes_the_bracket(client, round_):
    cup = of_pairs(8, "knockout")
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    published(cup, 3)
    final = state_of(cup).last.matches[0].entries
    earlier = next(m for m in state_of(cup).rounds[round_ - 1].matches if m.sides[m.first] in final)
    turn_round(Table.objects.get(pk=earlier.games[0].table))
    actions.take_draw_back(cup, **SAY)
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament_draw", cup)).text
    assert "These pairings follow from the bracket" not in page
    assert ("Redraw" in page) == (round_ == 2)
    if round_ == 1:
        text = "A corrected result changes the bracket. Discard this draft, then update it."
        assert text == draft_reminder(state_of(cup))
        assert text in page


def test_a_best_of_three_is_won_by_games_and_its_earlier_games_can_be_corrected(client):
    cup = of_pairs(2, "knockout", games=3)
    published(cup)
    client.force_login(a_user(club=cup.club))
    scores = reverse("final_scores", args=[cup.club.slug, cup.session.public_id])
    score(tables(cup).get(), 10, 8)
    saved = client.get(scores).text.partition('id="saved"')[2]
    assert "Correct" in saved
    score(tables(cup).get(), 7, 10)
    assert "game 1" in client.get(scores).text.partition('id="saved"')[2]
    score(tables(cup).get(), 10, 9)
    state = state_of(cup)
    for position, result in enumerate(("You won 2–1", "You lost 1–2")):
        player = state.entries[state.last.matches[0].sides[position]].member
        player.user = a_user(f"player-{position}", club=cup.club, rank="member")
        player.save()
        client.force_login(player.user)
        for page, args in (("club", []), ("session", [cup.session.public_id])):
            text = client.get(reverse(page, args=[cup.club.slug, *args])).text
            assert result in text.replace("\u2009", "")
