"""The deciding hand of a tied match: undone, and overruled by a correction of the game."""

import pytest
from django.urls import reverse

from league.errors import Refused
from league.play.actions import settle_game, write_totals
from league.tournaments import actions
from league.tournaments.draws.knockout import corrections
from league.tournaments.games_of_matches import note_for_table
from league.tournaments.ties import open_ties
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
    turn_round,
)

pytestmark = pytest.mark.django_db
EXTRA_HAND = {"how": "extra_hand", "by": TEST, "at": EIGHT}


def tied(cup):
    """The head table ties; every other table ends with a winner."""
    head, *others = tables(cup)
    write_totals(head, [3, 3], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    for table in others:
        write_totals(table, [4, 2], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    return head


def won_by(table, *seats):
    verdict = {"winners": seats, "reason": "The other pair won it.", "by": TEST, "at": EIGHT}
    settle_game(table, "decided", **verdict)


def first_match(cup, number=1):
    return state_of(cup).rounds[number - 1].matches[0]


@pytest.fixture
def cup():
    cup = a_tournament(8)
    published(cup)
    return cup


def test_correcting_the_winner_of_the_game_corrects_who_won_the_deciding_hand(client, cup):
    head = tied(cup)
    client.force_login(a_user(club=cup.club))
    actions.decide_match(cup, match_of(first_match(cup)), 0, **EXTRA_HAND)
    won_by(head, 1, 3)
    match = first_match(cup)
    assert (match.first, match.decided_by) == (1, "")
    assert note_for_table(head, ["Ann & Bob", "Cat & Dan"]) is None
    hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "One more hand decided who goes on." not in hub
    published(cup, seed=2)
    winners = {match.sides[1], match.sides[3]}
    assert winners <= set(first_match(cup, 2).entries)


def test_a_reopened_game_is_not_decided_by_the_deciding_hand_any_more(cup):
    head = tied(cup)
    actions.decide_match(cup, match_of(first_match(cup)), 0, **EXTRA_HAND)
    settle_game(head, "play_on", reason="Played on.", by=TEST, at=EIGHT)
    assert not first_match(cup).over


def test_a_corrected_tie_says_that_the_next_round_was_drawn_by_the_old_winner(client, cup):
    head = tied(cup)
    client.force_login(a_user(club=cup.club))
    actions.decide_match(cup, match_of(first_match(cup)), 0, **EXTRA_HAND)
    published(cup, seed=2)
    won_by(head, 1, 3)
    hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "A result was corrected after round 2 was drawn." in hub


def test_a_bracket_waits_to_follow_a_corrected_tie_once_its_next_round_is_drawn():
    cup = of_pairs(4, "knockout")
    published(cup)
    head = tied(cup)
    actions.decide_match(cup, match_of(first_match(cup)), 0, **EXTRA_HAND)
    won_by(head, 1, 3)
    assert first_match(cup).first == 1  # nothing was drawn yet
    won_by(head, 0, 2)
    published(cup, seed=2)
    play_round(cup)
    assert corrections(state_of(cup)) == []
    won_by(head, 1, 3)
    (correction,) = corrections(state_of(cup))
    assert (correction.winner, len(correction.undone)) == (1, 1)
    actions.follow_correction(cup, match_of(first_match(cup)), by=TEST, at=EIGHT)
    assert (first_match(cup).first, first_match(cup).decided_by) == (1, "")


def test_who_won_the_deciding_hand_can_be_undone_until_the_next_round_is_drawn(client, cup):
    tied(cup)
    client.force_login(a_user(club=cup.club))
    match = first_match(cup)
    undo = reverse("tournament_take_back_decision", args=[cup.club.slug, cup.public_id, match.key])
    hub = reverse("tournament", args=[cup.club.slug, cup.public_id])
    assert undo not in client.get(hub).text
    actions.decide_match(cup, match_of(match), 0, **EXTRA_HAND)
    assert undo in client.get(hub).text
    assert "Who won the deciding hand?" in client.post(undo, follow=True).text
    assert [tie.key for tie in open_ties(state_of(cup))] == [match.key]
    with pytest.raises(Refused, match="not tied"):
        actions.take_back_decision(cup, match_of(match), by=TEST)
    actions.decide_match(cup, match_of(match), 1, **EXTRA_HAND)
    drawn(cup, seed=2)
    assert undo not in client.get(hub).text
    with pytest.raises(Refused, match="draft"):
        actions.take_back_decision(cup, match_of(match), by=TEST)
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    with pytest.raises(Refused, match="already drawn"):
        actions.take_back_decision(cup, match_of(match), by=TEST)


def test_a_match_that_a_correction_makes_void_does_not_ask_who_won_its_deciding_hand(client):
    cup = of_pairs(4, "knockout")
    client.force_login(a_user(club=cup.club))
    published(cup)
    semi = tables(cup).first()
    play_round(cup)
    published(cup, seed=2)
    turn_round(semi)
    actions.force_round(cup, reason="Wrong pair.", by=TEST, at=EIGHT)
    hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "Update the bracket" in hub
    assert "Who won the deciding hand?" not in hub
