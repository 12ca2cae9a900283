"""A closed tournament is finished: its games count, its winners are named, the evening ends."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.models import Member, User
from league.play.actions import write_totals
from league.play.models import Game
from league.sessions.actions import cancel_session, close_session, open_session
from league.tournaments import actions
from league.tournaments.models import Match, Tournament
from league.tournaments.parameters import StageOptions
from tests.builders import EIGHT, TEST, a_club, a_session, a_user
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
        assert ("Reopen the session" in page(client, cup)) == (number < 3)
        assert "Reopen the session" in hub(client, cup)
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
    scores = hub(client, cup, "final_scores")
    assert "Table 1 · Final</b>" in scores
    assert "Table 2 · Third place</b>" in scores
    board = hub(client, cup, "board")
    assert '<p class="soft">Final</p>' in board
    assert '<p class="soft">Third place</p>' in board
    assert "next round" not in board, "after the final there is none"


def test_the_board_of_a_closed_tournament_leads_to_the_end_of_its_session(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    board = hub(client, cup, "board")
    assert "Close its session too, unless there is more to play." in board
    assert "Autumn Cup</a> · Final</p>" in board
    assert "next round" not in board.lower()


def test_a_player_in_the_last_round_reads_of_no_new_seats(client):
    cup = the_cup(client, third_place=True)
    player = tables(cup)[0].seats.first().member
    reader = a_user("player", club=cup.club, rank="member")
    Member.objects.filter(pk=player.pk).update(user=reader)
    organiser = client.session["_auth_user_id"]
    read = []
    for _round in range(2):
        client.force_login(reader)
        read.append("New seats when" in hub(client, cup))
        client.force_login(User.objects.get(pk=organiser))
        win(cup)
        if not _round:
            published(cup)
    assert read == [True, False]


def test_a_walk_over_is_called_one_afterwards_with_its_reason(client):
    cup = the_cup(client, pairs=2)
    match = Match.objects.get()
    actions.decide_match(cup, match, 0, how="walkover", by=TEST, at=EIGHT, reason="Car broke down")
    shown = page(client, cup)
    assert "Walk-over: Car broke down" in shown
    assert state_of(cup).last.matches[0].over


def moved_on(cup, to="Friday night"):
    """The cup's first session, closed, and the session in which it goes on."""
    first = cup.session
    close_session(first, by=TEST, at=EIGHT)
    actions.move_to_session(cup, a_session(cup.club, name=to), by=TEST)
    cup.refresh_from_db()
    return first


def test_a_session_whose_tournament_goes_on_another_day_names_no_winners(client):
    club = a_club(visibility="standings")
    client.force_login(a_user(club=club))
    cup = of_pairs(6, "swiss", club=club, rounds=2)
    published(cup)
    play_round(cup)
    first = moved_on(cup)
    at = [club.slug, first.public_id]
    pages = [
        client.get(reverse(name, args=at)).content.decode()
        for name in ("session", "session_standings", "wall")
    ]
    assert not any("Winners" in page for page in pages)


@pytest.mark.parametrize("end", [close_session, cancel_session])
def test_a_tournament_cut_short_says_it_can_go_on_in_another_session(client, end):
    club = a_club()
    client.force_login(a_user(club=club))
    cup = of_pairs(6, "swiss", club=club)
    published(cup)
    play_round(cup)
    end(cup.session, by=TEST, at=EIGHT)
    said = page(client, cup)
    assert "Continue it in another session, or reopen this one." in said
    assert "#another-day" in said
    assert f"before {cup.name} was over" in hub(client, cup)
    assert "Plan another session first." in page(client, cup, "tournament_edit")
    other = a_session(club, name="Friday night")
    move = reverse("tournament_move", args=[club.slug, cup.public_id])
    client.post(move, {"session": other.public_id})
    cup.refresh_from_db()
    assert cup.session == other


def test_the_print_of_a_closed_bracket_is_its_results_without_the_last_draw(client):
    cup = the_cup(client, pairs=2)
    assert "By name" in page(client, cup, "tournament_print").partition("Standings</h2>")[0]
    win(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert "By name" not in page(client, cup, "tournament_print")


def test_the_entries_name_how_many_have_withdrawn(client):
    cup = the_cup(client)
    assert "withdrawn" not in page(client, cup)
    actions.withdraw_entry(cup.entries.last(), by=TEST, at=EIGHT)
    assert "4 entries, 1 withdrawn" in page(client, cup)


@pytest.mark.parametrize(
    ("drawn", "end"), [(False, actions.cancel_tournament), (True, actions.finish_tournament)]
)
def test_a_closed_tournament_can_be_reopened_on_its_page(client, end, drawn):
    club = a_club()
    client.force_login(a_user(club=club))
    cup = of_pairs(4, "swiss", club=club)
    if drawn:
        published(cup)
        play_round(cup)
    end(cup, by=TEST, at=EIGHT)
    reopen = reverse("tournament_reopen", args=[club.slug, cup.public_id])
    assert all(f'action="{reopen}"' in page(client, cup, n) for n in PAGES_TO_REOPEN)
    client.post(reopen)
    cup.refresh_from_db()
    state = Tournament.State.RUNNING if drawn else Tournament.State.SETUP
    assert (cup.state, cup.finished_at) == (state, None)
    assert not any(f'action="{reopen}"' in page(client, cup, n) for n in PAGES_TO_REOPEN)
    published(cup, seed=2)


PAGES_TO_REOPEN = ("tournament", "tournament_edit")


def test_a_tournament_of_a_closed_session_is_not_reopened(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    close_session(cup.session, by=TEST, at=EIGHT)
    assert "Reopen the tournament" not in page(client, cup)
    with pytest.raises(Refused, match="This session is closed"):
        actions.reopen_tournament(cup, by=TEST)


def test_a_tournament_is_not_reopened_beside_another_one(client):
    cup = the_cup(client, pairs=2)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    choice = StageOptions(hands=2, rounds=3)
    actions.start_tournament(
        cup.session, name="Cup", format="swiss", choice=choice, seed=1, by=TEST
    )
    with pytest.raises(Refused, match="already has a tournament"):
        actions.reopen_tournament(cup, by=TEST)


def test_the_standings_of_a_closed_tournament_have_a_link_to_pass_on(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    assert "Link to this table" not in page(client, cup, "tournament_standings")
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    path = reverse("tournament_standings", args=[cup.club.slug, cup.public_id])
    assert f'Link to this table: <a href="http://testserver{path}">' in page(
        client, cup, "tournament_standings"
    )


def test_the_page_of_a_finished_tournament_says_how_large_it_was_and_what_comes_next(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    member = cup.entries.first().member
    member.user = a_user("own", club=cup.club, rank="member")
    member.save()
    client.force_login(member.user)
    assert "You finished" not in page(client, cup)  # the game is waiting to be confirmed
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    next_week = cup.club.local(timezone.now()).date() + timedelta(days=7)
    a_session(cup.club, name="Next Thursday", held_on=next_week, state="planned")
    text = page(client, cup)
    facts = re.findall(r"<dt>(\w+)</dt>\s*<dd>(\d+)</dd>", text.partition("<table")[0])
    assert facts == [("Pairs", "2"), ("Round", "1"), ("Game", "1")]
    assert "You finished" in text
    assert reverse("tournament_standings", args=[cup.club.slug, cup.public_id]) + "</a>" in text
    assert "standings.xlsx" in text
    assert "Next Thursday" not in text
    close_session(cup.session, by=TEST, at=EIGHT)
    assert "Next Thursday" in page(client, cup)


def test_a_closed_tournament_offers_to_close_its_session_once_and_then_nothing_comes_next(client):
    cup = the_cup(client, pairs=2)
    win(cup)
    says = "The tournament's page says what comes next."
    assert says in unescape(hub(client, cup, "tables_to_enter"))
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    for name in ("session", "board"):
        assert hub(client, cup, name).count("Close the session…") == 1
    close_session(cup.session, by=TEST, at=EIGHT)
    games = unescape(hub(client, cup, "tables_to_enter"))
    assert says not in games
    assert "Go to the tournament" in games
