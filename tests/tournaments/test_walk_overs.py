"""A walk-over ends its table on every page, and can be taken back until a later round is drawn."""

from copy import deepcopy
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.live.room import room
from league.live.wall import _finder
from league.play.actions import call_time, resume, settle_game, write_totals
from league.play.game_log import open_game_log
from league.play.models import Game
from league.play.text import score_text
from league.seating.models import Table
from league.sessions.links import door_link
from league.tournaments import actions
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of
from tests.builders import EIGHT, TEST, a_club, a_user, game_at
from tests.pages import squeezed
from tests.tournaments.playing import (
    drawn,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    write_one,
)
from tests.tournaments.playing import tables as live_tables

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}
TROPHY = '<span class="word">won</span>'


@pytest.fixture(scope="module")
def shared(club_of_the_module):
    with club_of_the_module():
        cup = of_pairs(4, "knockout")
        published(cup)
        give(cup)
        yield cup


@pytest.fixture
def cup(shared):
    """Two semi-finals, one of them just given to the pair at the first position."""
    return deepcopy(shared)


def in_another_club(format="knockout", **choice):
    return of_pairs(4, format, club=a_club(slug="own"), **choice)


def give(cup, place=0, winner=0):
    match = state_of(cup).last.matches[place]
    row = match_of(match)
    actions.decide_match(cup, row, winner, how="walkover", reason="No show", **SAY)
    return row


def given(cup):
    return state_of(cup).last.matches[0]


def table_of(cup):
    return Table.objects.select_related("session__club", "ruleset", "round").get(
        pk=given(cup).games[0].table
    )


def text_of(answer):
    return unescape(squeezed(answer.content.decode()))


def read(client, cup, name, *more):
    return text_of(client.get(reverse(name, args=[cup.club.slug, cup.session.public_id, *more])))


def as_player(client, cup, position):
    """Signs in as a player of the walk-over."""
    user = a_user("ted", club=cup.club, rank="member")
    entry = state_of(cup).entries[given(cup).sides[position]]
    entry.member.user = user
    entry.member.save()
    client.force_login(user)


def test_a_walk_over_ends_its_table_on_every_page(client, cup):
    client.force_login(a_user(club=cup.club))
    number = table_of(cup).number
    board = read(client, cup, "board")
    assert "walk-over" in board
    assert board.count("not started") == 1
    assert "1 not started · 1 done" in read(client, cup, "session")
    scores = read(client, cup, "final_scores")
    to_enter, saved = scores.split('id="saved"')
    assert f"<b>Table {number}</b>" not in to_enter
    assert f"<b>Table {number}</b>" in saved
    assert "walk-over</span>" in saved
    assert ">Correct" not in saved
    wall = read(client, cup, "wall")
    assert "1 of 2 tables finished" in wall
    assert wall.count("deals first") == 1
    assert "<small>walk-over</small>" in wall
    entered = read(client, cup, "tables_to_enter")
    assert "Walk-over" in entered
    assert "Score sheet" not in entered
    desk = read(client, cup, "table_desk", table_of(cup).public_id)
    assert "walk-over" in desk
    for text in ("deals first", "conceded", "Hand by hand", "Enter hands", "Break up this table"):
        assert text not in desk


def test_the_wall_sends_nobody_to_the_table_of_a_walk_over(cup):
    the_room = room(cup.session, at=timezone.now())
    found = {name for name, _tile, _before in _finder(the_room, [], str, {})}
    seated = {seat.member.name for seat in table_of(cup).seats.select_related("member")}
    assert len(found) == 4
    assert found.isdisjoint(seated)


@pytest.mark.parametrize(("position", "line"), [(0, "You won"), (1, "You lost")])
def test_who_has_a_walk_over_reads_so_on_the_sessions_page_and_at_home(client, cup, position, line):
    as_player(client, cup, position)
    page = read(client, cup, "session")
    assert f"{line} by walk-over" in page
    assert "New seats when" not in page
    home = text_of(client.get(reverse("club", args=[cup.club.slug])))
    assert f"{line} by walk-over" in home
    assert "You: table" not in home


def test_who_checked_in_at_the_door_reads_of_the_walk_over_instead_of_a_seat(client, cup):
    loser = state_of(cup).entries[given(cup).sides[1]].member
    client.post(door_link(cup.session), {"member": loser.public_id})
    page = text_of(client.get(f"{door_link(cup.session)}seat"))
    assert ": You lost by walk-over</h2>" in page.partition('id="my-seat"')[2]


def test_the_table_of_a_walk_over_says_so_on_its_phone_and_on_its_games_page(client, cup):
    client.force_login(a_user(club=cup.club))
    table = table_of(cup)
    phone = text_of(client.get(reverse("table_entry", args=[table.public_id])))
    assert "This match is a walk-over" in phone
    assert "“No show”" in phone
    game = reverse("game", args=[cup.club.slug, table.games.get().public_id])
    page = text_of(client.get(game))
    assert "Walk-over" in page
    for text in ("conceded", "Not played", "No hands yet", "Open the table", "against"):
        assert text not in page
    assert "Don't count this game" not in page
    assert "open its round on the tournament's page" in page


def test_a_walk_over_taken_back_is_played_again(client, cup):
    client.force_login(a_user(club=cup.club))
    hub = text_of(client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])))
    assert hub.count("Take back the walk-over") == 1
    url = [cup.club.slug, cup.public_id, given(cup).key]
    answer = client.post(reverse("tournament_take_back_walkover", args=url), follow=True)
    assert "Took back the walk-over. The match is open again." in text_of(answer)
    assert not given(cup).over
    assert len(live_tables(cup)) == 2
    play_round(cup)
    assert given(cup).played
    assert given(cup).decided_by == ""
    Game.objects.filter(table=table_of(cup)).update(state=Game.State.CONFIRMED)
    phone = text_of(client.get(reverse("table_entry", args=[table_of(cup).public_id])))
    assert "No show" not in phone


def test_a_table_whose_walk_over_is_taken_back_shows_no_score_like_others_not_started(cup):
    actions.take_back_walkover(cup, match_of(given(cup)), **SAY)
    tiles = room(cup.session, at=timezone.now()).tiles
    assert [(tile.state, tile.score) for tile in tiles] == [("ready", [])] * 2


def test_no_paper_for_a_table_is_printed_for_a_walk_over(client, cup):
    client.force_login(a_user(club=cup.club))
    number = f"Table {table_of(cup).number}"
    assert number not in read(client, cup, "print_sheets")
    assert number not in read(client, cup, "print_tickets")
    loser = state_of(cup).entries[given(cup).sides[1]].member
    assert loser.name not in read(client, cup, "print_chart")
    draw = reverse("tournament_print", args=[cup.club.slug, cup.public_id])
    assert text_of(client.get(draw)).count("· walk-over") == 1


def test_a_walk_over_of_a_game_that_was_on_goes_on_when_taken_back(client):
    cup = in_another_club()
    published(cup)
    write_a_hand(cup)
    give(cup)
    assert given(cup).games[0].over
    actions.take_back_walkover(cup, match_of(given(cup)), **SAY)
    game = table_of(cup).games.get()
    assert (game.state, game.hands_played) == (Game.State.PLAYING, 1)


def write_a_hand(cup):
    from tests.play.hands import write

    write(table_of(cup), (1, 5))


def test_no_walk_over_is_taken_back_once_a_later_round_is_drawn(cup):
    match = match_of(given(cup))
    play_round(cup)
    drawn(cup)
    with pytest.raises(Refused, match="Discard the draft of the next round first") as refused:
        actions.take_back_walkover(cup, match, **SAY)
    assert refused.value.code == "draft-open"
    actions.publish_draw(cup, **SAY)
    with pytest.raises(Refused, match="already drawn: unpublish it first") as refused:
        actions.take_back_walkover(cup, match, **SAY)
    assert refused.value.code == "round-gone"


def test_only_a_walk_over_at_a_table_is_taken_back(cup):
    other = match_of(state_of(cup).last.matches[1])
    with pytest.raises(Refused, match="not a walk-over"):
        actions.take_back_walkover(cup, other, **SAY)


def test_a_table_with_a_walk_over_takes_no_score_and_no_decision(cup):
    table, sentence = table_of(cup), "take it back on the tournament's page"
    with pytest.raises(Refused, match=sentence):
        write_totals(table, [4, 10], as_organiser=True, no_hands=True, **SAY)
    with pytest.raises(Refused, match=sentence):
        settle_game(table, "decided", reason="They came", winners=[1, 3], **SAY)
    with pytest.raises(Refused, match=sentence):
        resume(table, as_organiser=True, **SAY)


def test_a_walk_over_of_a_game_that_was_on_takes_no_decision_either():
    cup = in_another_club()
    published(cup)
    write_a_hand(cup)
    give(cup)
    with pytest.raises(Refused, match="take it back on the tournament's page"):
        settle_game(table_of(cup), "decided", reason="They came", winners=[1, 3], **SAY)


def test_the_places_say_why_a_pair_that_never_played_is_last(client):
    cup = in_another_club()
    published(cup)
    give(cup)
    play_round(cup)
    absent = given(cup).sides[1]
    rows = rows_of(state_of(cup), standing_of(state_of(cup)), str)
    assert [row.who for row in rows if row.no_show] == [absent]
    client.force_login(a_user(club=cup.club))
    for name in ("tournament", "tournament_standings", "tournament_print"):
        page = text_of(client.get(reverse(name, args=[cup.club.slug, cup.public_id])))
        assert page.count("(lost by walk-over)") == 1


def earlier_page(client, cup):
    return text_of(client.get(reverse("tournament_round", args=[cup.club.slug, cup.public_id, 1])))


def turned(client, cup, match):
    url = reverse("tournament_turn_walkover", args=[cup.club.slug, cup.public_id, match.pk])
    return text_of(client.post(url, {"reason": "They came late"}, follow=True))


@pytest.mark.parametrize("hands", [0, 1])
def test_a_walk_over_of_an_earlier_round_is_given_to_the_other_pair(client, hands):
    cup = in_another_club()
    client.force_login(a_user(club=cup.club))
    published(cup)
    if hands:
        write_a_hand(cup)
    give(cup)
    match, loser = match_of(given(cup)), given(cup).sides[1]
    play_round(cup)
    published(cup)
    play_round(cup, seed=2)
    assert "Give it to the other pair" in earlier_page(client, cup)
    said = turned(client, cup, match)
    assert "Updated the bracket; 1 match is void" in said
    semi = state_of(cup).rounds[0].matches[0]
    assert semi.sides[semi.first] == loser
    assert semi.reason == "They came late"
    game = Game.objects.get(table=semi.games[0].table)
    assert (game.winners, game.reopened, game.is_walkover) == ([1, 3], False, not hands)
    published(cup, seed=3)
    assert loser in state_of(cup).last.matches[0].entries


def test_the_page_of_an_earlier_round_says_what_comes_before_a_changed_walk_over(client, cup):
    client.force_login(a_user(club=cup.club))
    match = match_of(given(cup))
    play_round(cup)
    published(cup)
    page = earlier_page(client, cup)
    assert "unpublish the next round and discard its draft" in page
    assert "Give it to the other pair" not in page
    table = table_of(cup)
    game_at(table)
    write_one(table, open_game_log(table), 0, 3)
    assert "when all tables of the latest round are done" in earlier_page(client, cup)
    assert "1 table is still playing" in turned(client, cup, match)


def test_a_walk_over_of_an_earlier_swiss_round_changes_the_standings_only(client):
    cup = in_another_club("swiss")
    client.force_login(a_user(club=cup.club))
    published(cup)
    give(cup)
    match, first = match_of(given(cup)), given(cup)
    play_round(cup)
    published(cup)
    play_round(cup, seed=2)
    assert "The other pair has the walk-over now." in turned(client, cup, match)
    after = state_of(cup).rounds[0].matches[0]
    assert (first.winner, after.winner) == (0, 1)
    assert not state_of(cup).last.open_matches


def test_board_wall_and_game_show_who_has_a_walk_over(client, cup):
    client.force_login(a_user(club=cup.club))
    assert read(client, cup, "board").count(TROPHY) == 1
    assert '<em class="won"><svg' in read(client, cup, "wall")
    game = reverse("game", args=[cup.club.slug, table_of(cup).games.get().public_id])
    page = text_of(client.get(game))
    assert "won the match." in page
    assert "A walk-over decided this match." in page


@pytest.fixture
def tied():
    """Two semi-finals, one of them tied."""
    cup = in_another_club(hands=2, tie="extra_hand")
    published(cup)
    table = table_of(cup)
    game_at(table)
    call_time(table, **SAY)
    return cup


def test_a_tied_match_reads_tied_until_one_more_hand_decides_it(client, tied):
    client.force_login(a_user(club=tied.club))
    assert given(tied).tied
    board, wall = read(client, tied, "board"), read(client, tied, "wall")
    assert "</svg>tied</span>" in board
    assert TROPHY not in board
    assert "Tied: one more hand decides it." in wall
    actions.decide_match(tied, match_of(given(tied)), 1, how="extra_hand", **SAY)
    board, wall = read(client, tied, "board"), read(client, tied, "wall")
    assert "</svg>tied</span>" not in board
    assert board.count(TROPHY) == 1
    assert '<em class="won"><svg' in wall
    game = reverse("game", args=[tied.club.slug, table_of(tied).games.get().public_id])
    assert "One more hand decided this match." in text_of(client.get(game))


def test_whose_match_is_tied_reads_that_one_more_hand_decides_it(client, tied):
    """It read "You play Walter & Ines next", against whom the match had just been tied."""
    as_player(client, tied, 1)
    home = text_of(client.get(reverse("club", args=[tied.club.slug])))
    for page in (read(client, tied, "session"), home):
        assert "Your match is tied: one more hand decides it." in page
        assert "Your next seat appears here" not in page


def test_who_won_one_more_hand_reads_so_on_the_sessions_page_and_at_home(client, tied):
    actions.decide_match(tied, match_of(given(tied)), 1, how="extra_hand", **SAY)
    play_round(tied)
    as_player(client, tied, 1)
    home = text_of(client.get(reverse("club", args=[tied.club.slug])))
    for page in (read(client, tied, "session"), home):
        assert f"You won by one more hand, {score_text([0, 0])}" in page
        assert "next." in page
        assert "Your next seat appears here" not in page


def test_who_is_knocked_out_waits_for_no_table_on_the_seating_and_sessions_pages(client, cup):
    play_round(cup)
    published(cup)
    client.force_login(a_user(club=cup.club))
    for name in ("seating", "session"):
        assert "without a table" not in read(client, cup, name).lower()


@pytest.mark.parametrize("given_one", [True, False])
def test_the_cross_table_says_once_what_its_signs_of_a_walk_over_mean(client, given_one):
    cup = in_another_club("swiss")
    published(cup)
    if given_one:
        give(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    page = client.get(reverse("tournament_print", args=[cup.club.slug, cup.public_id]))
    assert text_of(page).count("+ and −: won and lost by walk-over.") == given_one
