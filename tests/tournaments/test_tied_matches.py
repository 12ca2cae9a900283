"""A tied match: in a bracket one more hand decides it, in a Swiss it is a result."""

import re
from copy import deepcopy

import pytest
from django.urls import reverse

from league.play.actions import write_totals
from league.play.text import score_text
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.next_step import next_action
from league.tournaments.parameters import StageOptions, Unplayed
from league.tournaments.standing import standing_of
from league.tournaments.text import explanation
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.pages import squeezed
from tests.tournaments.playing import match_of, of_pairs, published, state_of

pytestmark = pytest.mark.django_db
DECIDES = "Tied: one more hand decides it."
PAGES = ("board", "final_scores", "tables_to_enter", "wall")


def ties(cup, place=0):
    """A match of the round ends 7 to 7."""
    match = state_of(cup).last.matches[place]
    table = Table.objects.select_related("session__club", "ruleset").get(pk=match.games[-1].table)
    write_totals(table, [7, 7], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    return table


def read(client, cup, name, *more):
    answer = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id, *more]))
    return squeezed(answer.content.decode())


@pytest.fixture(scope="module")
def shared(club_of_the_module):
    with club_of_the_module():
        cup = of_pairs(4, "knockout")
        published(cup)
        yield cup


@pytest.fixture
def cup(shared, client):
    client.force_login(a_user(club=shared.club))
    return deepcopy(shared)


def address(name, cup, *more):
    return reverse(name, args=[cup.club.slug, cup.public_id, *more])


def test_every_page_of_a_tied_match_of_a_bracket_says_what_decides_it(client, cup):
    ties(cup)
    for name in PAGES:
        page = read(client, cup, name)
        assert page.count(DECIDES) == (2 if name == "wall" else 1)  # at its table, in the bracket
        leads = f'href="{address("tournament", cup)}#round"' in page
        assert leads is (name != "wall")
    match = state_of(cup).last.matches[0]
    actions.decide_match(cup, match_of(match), 1, how="extra_hand", by=TEST, at=EIGHT)
    assert not [name for name in PAGES if DECIDES in read(client, cup, name)]


def test_the_board_the_wall_and_the_sessions_page_do_not_count_a_tied_table_as_done(client, cup):
    ties(cup)
    other = state_of(cup).last.matches[1]
    walkover = {"how": "walkover", "by": TEST, "at": EIGHT, "reason": "ill"}
    actions.decide_match(cup, match_of(other), 0, **walkover)
    board = read(client, cup, "board")
    assert "1 of 2 tables of the round is done.<strong>1 table is tied.</strong>" in board
    assert "Finished 1" in board
    assert "1 of 2 tables finished" in read(client, cup, "wall")
    assert "Find your table" not in read(client, cup, "wall")
    assert "1 done · 1 tied" in read(client, cup, "session")
    hub = squeezed(client.get(address("tournament", cup)).text)
    assert "1 table is tied" in hub
    assert "See the tied table</a>" in hub
    match = state_of(cup).last.matches[0]
    actions.decide_match(cup, match_of(match), 1, how="extra_hand", by=TEST, at=EIGHT)
    assert "Every table of the round is done." in read(client, cup, "board")
    assert "2 of 2 tables finished" in read(client, cup, "wall")
    assert "2 done" in read(client, cup, "session")


def test_the_pages_of_its_table_say_so_too(client, cup):
    table = ties(cup)
    game = reverse("game", args=[cup.club.slug, table.games.get().public_id])
    entry = reverse("table_entry", args=[table.public_id])
    pages = [client.get(game).text, client.get(entry).text]
    pages.append(read(client, cup, "table_desk", table.public_id))
    assert all(DECIDES in page for page in pages)


def test_the_rounds_page_leads_to_where_the_winner_of_a_tied_match_is_entered(client, cup):
    ties(cup)
    page = squeezed(client.get(address("tournament_round", cup, 1)).text)
    link = f'<a href="{address("tournament", cup)}#round">Enter who won it</a>'
    assert f"{DECIDES}{link}" in page


def as_player(client, cup, table):
    """Signs in as a player at this table."""
    ted = a_user("ted", club=cup.club, rank="member")
    member = table.seats.first().member
    member.user = ted
    member.save()
    client.force_login(ted)


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_who_tied_reads_so_on_the_pages_of_the_tournament_and_the_session_and_at_home(
    client, format
):
    cup = of_pairs(4, format, club=a_club(slug="own"))
    published(cup)
    as_player(client, cup, ties(cup))
    pages = [client.get(address("tournament", cup)).text, read(client, cup, "session")]
    pages.append(client.get(reverse("club", args=[cup.club.slug])).text)
    for page in pages:
        assert f"You tied {score_text([7, 7])}" in page


def test_a_player_reads_on_the_tournaments_page_that_one_more_hand_decides_the_match(client, cup):
    as_player(client, cup, ties(cup))
    page = client.get(address("tournament", cup)).text
    assert f"You tied {score_text([7, 7])}" in page
    assert "Your match is tied: one more hand decides it." in page


def test_a_tied_match_of_a_bracket_is_no_half_match_won(cup):
    ties(cup)
    assert {line.values["match_points"] for line in standing_of(state_of(cup)).lines} == {0}
    match = state_of(cup).last.matches[0]
    actions.decide_match(cup, match_of(match), 1, how="extra_hand", by=TEST, at=EIGHT)
    assert max(line.values["match_points"] for line in standing_of(state_of(cup)).lines) == 1


def test_a_tied_match_of_a_swiss_is_over(client):
    cup = of_pairs(4, "swiss", rounds=3, club=a_club(slug="own"))
    client.force_login(a_user(club=cup.club))
    published(cup)
    ties(cup)
    ties(cup, 1)
    for name in PAGES:
        assert DECIDES not in read(client, cup, name)
    hub = squeezed(client.get(address("tournament", cup)).text)
    assert '<li class="match state-done">' in hub
    assert "<summary>Walk-over</summary>" not in hub
    assert next_action(state_of(cup), 3).text == "No one else sees the draw until you publish it."


def test_the_winner_of_the_deciding_hand_reads_so_on_every_page_with_the_score(client, cup):
    table = ties(cup)
    match = state_of(cup).last.matches[0]
    as_player(client, cup, table)
    member = table.seats.first().member
    won = {"how": "extra_hand", "by": TEST, "at": EIGHT}
    score, record = score_text([7, 7]), [cup.club.slug, member.public_id]
    for winner, text in ((0, "won"), (1, "lost")):
        actions.decide_match(cup, match_of(match), winner, **won)
        hub = client.get(address("tournament", cup)).text
        pages = [hub, read(client, cup, "session")]
        pages.append(client.get(reverse("club", args=[cup.club.slug])).text)
        for page in pages:
            assert f"You {text} by one more hand, {score}" in page
        assert "One more hand decided this match." in hub  # on its card
        assert hub.count("One more hand decided it.") == 1  # in the bracket
        assert (
            f"Semi-final · {text} by one more hand"
            in client.get(reverse("member_games", args=record)).text
        )
    wall = read(client, cup, "wall")
    assert wall.count("One more hand decided it.") == 2  # at its table and in the bracket
    paper = squeezed(client.get(address("tournament_print", cup)).text)
    assert paper.count("Equal scores with a ✓: one more hand decided it.") == 1
    assert "One more hand decided it." not in paper


def test_without_a_deciding_hand_the_printed_bracket_explains_none(client, cup):
    assert "one more hand" not in client.get(address("tournament_print", cup)).text


@pytest.mark.parametrize("format", ["swiss", "round_robin"])
def test_the_rules_of_a_tournament_call_a_match_without_a_winner_tied_not_drawn(format):
    for unplayed in Unplayed:
        text = " ".join(explanation(format, StageOptions(unplayed=unplayed)))
        assert "one for a match won, half for a tie" in text
        assert not re.search("a draw|as drawn|drew", text)
