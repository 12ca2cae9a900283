"""What the board, its page for ending games and the wall say at the edges of an evening."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member
from league.play.models import Game
from league.seating.actions import publish, take_back
from league.seating.queries import draft_of, live_tables
from league.sessions.actions import close_session, start_clock
from league.sessions.attendance import arrive, leave
from league.sessions.links import wall_link
from league.tournaments import actions
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, published
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    drawn,
    match_of,
    of_pairs,
    play,
    play_round,
    state_of,
    tables,
)
from tests.tournaments.playing import published as published_draw
from tests.tournaments.test_undoing import corrected_after_the_final

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client):
    night, _members = a_night(12)
    published(night)
    client.force_login(a_user(club=night.club))
    return night


def at(name, night, *more):
    return reverse(name, args=[night.club.slug, night.public_id, *more])


def page(client, name, night, query=""):
    return squeezed(client.get(at(name, night) + query).content.decode())


def time_is_up(night):
    return start_clock(night, by=TEST, at=timezone.now() - timedelta(minutes=3), minutes=2)


def test_ending_all_games_says_how_many_tables_have_not_started(client, night):
    write(live_tables(night)[0], (0, 3))
    said = page(client, "end_games", night)
    assert "2 tables have not started: nothing is ended there." in said
    write(live_tables(night)[1], (0, 3))
    said = page(client, "end_games", night)
    assert "1 table has not started: nothing is ended there." in said


def test_closing_is_headed_by_the_tables_that_have_not_started(client, night):
    """“No game is unfinished” stood above tables that had never been played."""
    said = page(client, "disputes", night, "?close=1")
    assert "3 tables have not started" in said
    assert "No game is unfinished" not in said


def test_the_board_leads_to_a_substitute_where_a_player_has_left_in_the_middle(client, night):
    """Only “left” stood beside the name; check-in alone said what the table needs."""
    table = live_tables(night)[0]
    ask = f"Table {table.number} needs a substitute"
    leave(night, table.seats.first().member, by=TEST, at=EIGHT)
    assert ask not in page(client, "board", night)  # it has not begun: the table closes up
    playing = live_tables(night)[1]
    write(playing, (0, 3))
    leave(night, playing.seats.first().member, by=TEST, at=timezone.now())
    said = page(client, "board", night)
    assert f'#substitute">Table {playing.number} needs a substitute</a>' in said


def test_when_time_is_up_the_board_offers_to_end_a_game_only_while_one_is_played(client, night):
    time_is_up(night)
    said = page(client, "board", night)
    assert "Time is up. No game is being played." in said
    assert "tap its table" not in said
    write(live_tables(night)[0], (0, 3))
    said = page(client, "board", night)
    assert "Time is up. To end a game at its score, tap its table." in said
    assert "No game is being played" not in said


def test_a_table_not_started_is_offered_for_the_next_round_only_beside_a_button_to_make_it(
    client, night
):
    assert 'name="table"' not in page(client, "board", night)
    for member in members_of(night.club, 14)[12:]:
        arrive(night, member, by=TEST, at=AT)
    said = page(client, "board", night)
    assert said.count('name="table"') == 3
    assert "Make tables for those waiting" in said


def test_finished_tables_are_said_to_be_ticked_only_where_one_is(client, night):
    write(live_tables(night)[0], (0, 3))
    ticked = "Finished tables are ticked for you."
    before = page(client, "board", night)
    assert ticked not in before
    assert "When a table finishes, make its next round here while the others play." in before
    for table in live_tables(night)[:2]:
        write(table, *[(0, 5)] * 5, at=timezone.now())
    after = page(client, "board", night)
    assert 'name="table" value="1" checked' in after
    assert ticked in after


def test_among_the_tables_to_decide_nothing_is_said_of_the_next_round(client, night):
    table = live_tables(night)[0]
    write(table, (0, 3))
    Game.objects.filter(table=table).update(state=Game.State.DISPUTED)
    forecast = "When a table finishes, make its next round here"
    assert forecast in page(client, "board", night)
    assert forecast not in page(client, "board", night, "?show=decide")


def test_a_score_to_be_confirmed_an_organiser_confirms_on_its_tile(client, night):
    table = live_tables(night)[0]
    night.club.confirm = "opponent"
    night.club.save()
    write(table, *[(0, 5)] * 5, at=timezone.now())
    game = Game.objects.get()
    confirm = reverse("confirm_result", args=[night.club.slug, game.public_id])
    button = f'name="then" value="board" formaction="{confirm}">'
    assert button in page(client, "board", night)
    desk = at("table_desk", night, table.public_id)
    assert f'action="{confirm}"' in client.get(desk).text
    sent = {"chosen": "1", "table": ["1", "2"], "then": "board"}  # what else the board's form sends
    back = client.post(confirm, sent, follow=True)
    assert back.redirect_chain == [(at("board", night), 302)]
    game.refresh_from_db()
    assert game.state == "confirmed"
    assert confirm not in page(client, "board", night)
    client.force_login(a_user("sam", club=night.club, rank="scorekeeper"))
    Game.objects.update(state="finished")
    assert confirm not in page(client, "board", night)


def test_the_wall_of_a_closed_session_shows_the_standings_of_an_unfinished_game(client, night):
    write(live_tables(night)[0], (0, 3))
    close_session(night, by=TEST, at=timezone.now())
    wall = client.get(wall_link(night)).content.decode()
    assert "Thank you for playing" not in wall
    heading = re.search(r"<h2>\s*Standings(.*?)</h2>", wall, re.DOTALL)
    assert heading
    assert "provisional" in heading[1]


def test_the_page_of_a_table_that_was_published_again_leads_to_the_board(client, night):
    old = live_tables(night)[0]
    take_back(night.rounds.get(state="published"), by=TEST, at=AT)
    night.rounds.filter(state="draft").delete()
    published(night, seed=2)
    answer = client.get(at("table_desk", night, old.public_id), follow=True)
    assert answer.redirect_chain[-1][0] == at("board", night)
    assert f"since you opened table {old.number}." in answer.content.decode()
    assert client.get(at("table_desk", night, "no-such-table")).status_code == 404


def test_an_open_page_that_looks_for_news_of_such_a_table_leaves_no_message(client, night):
    old = live_tables(night)[0]
    take_back(night.rounds.get(state="published"), by=TEST, at=AT)
    address = at("table_desk", night, old.public_id)
    client.get(address, headers={"HX-Request": "true"}, follow=True)
    assert "since you opened" not in page(client, "board", night)


def test_the_seating_page_has_one_primary_button_which_makes_the_tables_of_those_waiting(client):
    night, _members = a_night(8)
    client.force_login(a_user(club=night.club))
    said = page(client, "seating", night)
    assert re.findall(r'class="button primary[^>]*> ?([^<]*?) ?<', said) == [
        "Make tables for 8 waiting"
    ]
    assert "<p>8 players are waiting.</p>" in said
    night.attendances.all().delete()
    said = page(client, "seating", night)
    assert re.findall(r'class="button primary[^>]*> ?([^<]*?) ?<', said) == ["Check-in"]


def test_the_session_page_asks_to_check_in_others_only_while_there_are_some(client):
    night, _members = a_night(8)
    client.force_login(a_user(club=night.club))
    said = page(client, "session", night)
    assert "Check in the others" not in said
    seating = reverse("seating", args=[night.club.slug, night.public_id])
    assert f'href="{seating}">Make tables</a>' in said
    Member.objects.create(club=night.club, name="Gwen")
    assert "Check in the others, then make tables." in page(client, "session", night)


def test_a_game_of_an_earlier_round_stays_on_the_board_until_it_is_confirmed(client, night):
    first, second, third = live_tables(night)
    a_game(first, state="finished", hands=1)
    for table in (second, third):
        a_game(table, hands=1)
    published(night)  # the second round
    game = first.games.get()
    link = f"{reverse('game', args=[night.club.slug, game.public_id])}?then=board#decide"
    assert f'<a href="{link}">Table 1, round 1</a>' in page(client, "board", night)
    for table in live_tables(night):
        a_game(table, hands=1)
    for name in ("board", "session"):
        seen = page(client, name, night)
        assert "All tables have finished" in seen, name
        assert "Every table is done" not in seen, name
        assert "1 result needs confirming or a decision." in seen, name
    game.state = "confirmed"
    game.save()
    seen = page(client, "board", night)
    assert link not in seen
    assert "Every table is done" in seen


def test_closing_comes_last_on_the_sessions_page_until_a_hand_is_entered(client, night):
    seen = page(client, "session", night)
    assert seen.index("Close the session…") > seen.index('id="night"')
    write(live_tables(night)[0], (0, 3), at=timezone.now())
    seen = page(client, "session", night)
    assert seen.index("Close the session…") < seen.index('id="night"')


def test_a_game_of_a_later_round_is_listed_with_its_round_at_closing(client, night):
    for table in live_tables(night):
        a_game(table, hands=1)
    published(night)
    a_game(live_tables(night)[1], state="finished", hands=1)
    assert "<b>Table 2 · Round 2</b>" in page(client, "disputes", night)


def test_the_board_and_the_table_of_a_match_to_be_undone_lead_to_the_correction(client):
    cup, semi = corrected_after_the_final()
    client.force_login(a_user(club=cup.club))
    link = reverse("tournament", args=[cup.club.slug, cup.public_id])
    desk = at("table_desk", cup.session, tables(cup)[0].public_id)
    notice = "A corrected result changes the bracket"
    warning = "An earlier result was corrected. Updating the bracket makes this match void."
    board = page(client, "board", cup.session)
    assert f'<a href="{link}#round">See the correction</a>' in board.partition(notice)[2]
    assert warning in board
    assert f'<a href="{link}">Autumn Cup</a>' in client.get(desk).text.partition(warning)[2]
    actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
    board = page(client, "board", cup.session)
    assert notice not in board
    assert warning not in board + client.get(desk).text


def test_after_a_final_became_void_the_wall_says_that_it_is_played_again(client):
    cup, semi = corrected_after_the_final()
    client.force_login(a_user(club=cup.club))
    again = "The final is played again."
    assert again not in page(client, "wall", cup.session)
    actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
    assert page(client, "wall", cup.session).count(again) == 1
    published_draw(cup, seed=3)
    assert again not in page(client, "wall", cup.session)


def test_the_wall_says_after_which_round_the_standings_of_a_swiss_are(client):
    cup = of_pairs(5, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    published_draw(cup)
    assert "after round" not in page(client, "wall", cup.session)
    play_round(cup)
    assert "after round 1</small>" in page(client, "wall", cup.session)
    published_draw(cup, seed=2)
    assert "after round 1</small>" in page(client, "wall", cup.session)
    play(tables(cup)[0], Random(1))
    assert "round 2 in play</small>" in page(client, "wall", cup.session)
    play_round(cup)
    assert "after round 2</small>" in page(client, "wall", cup.session)


def test_the_board_of_a_closed_cup_leads_to_a_correction_first_and_offers_nothing_else(client):
    cup, _semi = corrected_after_the_final()
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    board = page(client, "board", cup.session)
    link = reverse("tournament", args=[cup.club.slug, cup.public_id])
    assert f'class="button primary end" href="{link}">Tournament page</a>' in board
    assert "A corrected result changes the bracket" in board
    assert not re.search("Close its session too|Close the session|[Nn]ext round", board)


def test_after_the_closing_of_a_cup_the_seating_page_offers_a_next_round_and_not_the_board(client):
    cup = of_pairs(4, "swiss", rounds=1)
    published_draw(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    board = page(client, "board", cup.session)
    assert not re.search("[Nn]ext round", board)
    assert "Next round with all 8" in page(client, "seating", cup.session)
    client.post(at("seating_draft", cup.session))
    published_round = publish(draft_of(cup.session), by=TEST, at=EIGHT)
    assert published_round.tables.count() == live_tables(cup.session).count() == 2


@pytest.mark.parametrize(
    ("format", "titles"),
    [("swiss", ["Round 1", "Round 2"]), ("knockout", ["Semi-finals", "Final"])],
)
def test_the_board_names_the_tournament_and_its_round(client, format, titles):
    cup = of_pairs(4, format)
    client.force_login(a_user(club=cup.club))
    for title in titles:
        published_draw(cup)
        assert f"Autumn Cup</a>· {title}</p>" in page(client, "board", cup.session)
        play_round(cup)


def test_the_board_lists_a_pair_with_a_bye_under_bye_and_not_as_without_a_table(client):
    cup = of_pairs(5, "swiss")
    client.force_login(a_user(club=cup.club))
    published_draw(cup)
    state = state_of(cup)
    entry = state.entries[state.byes_of(state.last)[0]]
    board = page(client, "board", cup.session)
    bench = board.partition('aria-label="Bye"')[2].partition("</section>")[0]
    assert f"{entry.member.label} &amp; {entry.partner.label}</span>" in bench
    assert "Without a table" not in board
    assert "without a table" not in page(client, "session", cup.session)


def test_the_seating_page_says_of_a_pair_with_a_bye_that_it_has_one(client):
    cup = of_pairs(5, "swiss")
    client.force_login(a_user(club=cup.club))
    published_draw(cup)
    state = state_of(cup)
    entry = state.entries[state.byes_of(state.last)[0]]
    seating = page(client, "seating", cup.session)
    bench = seating.partition('aria-label="Bye"')[2].partition("</section>")[0]
    assert f"{entry.member.label} &amp; {entry.partner.label}</span>" in bench
    assert "Without a table" not in seating


def test_pairs_outside_a_play_off_do_not_wait_for_a_table_during_it_or_after(client):
    swiss, final = a_swiss_then_a_final()
    client.force_login(a_user(club=final.club))
    in_final = {m.pk for entry in state_of(final).entries.values() for m in entry.people}
    outside = [
        m for e in state_of(swiss).entries.values() for m in e.people if m.pk not in in_final
    ]
    assert len(outside) == 4
    for moment in ("during", "after"):
        board = page(client, "board", final.session)
        assert "Without a table" not in board
        assert not [m.label for m in outside if f">{m.label}<" in board]
        assert "Sitting out" not in page(client, "wall", final.session)
        assert "without a table" not in page(client, "session", final.session)
        if moment == "during":
            play_round(final)
            actions.finish_tournament(final, by=TEST, at=EIGHT)


def test_the_board_leads_to_the_first_tournament_of_a_session_while_it_is_set_up(client):
    """It led to the check-in."""
    cup = of_pairs(4, "swiss")
    client.force_login(a_user(club=cup.club))
    board = reverse("board", args=[cup.club.slug, cup.session.public_id])
    tournament = f'href="{reverse("tournament", args=[cup.club.slug, cup.public_id])}"'
    for title in ("4 entries", "Round 1 is drawn"):
        page = client.get(board).text
        assert title in page
        assert tournament in page
        drawn(cup)
