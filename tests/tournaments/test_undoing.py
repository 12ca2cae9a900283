"""Taking a published draw back; what a correction in a bracket undoes."""

from copy import deepcopy
from functools import partial

import pytest
from django.urls import reverse

from league.members.models import Member
from league.play.actions import settle_game
from league.play.game_log import open_game_log
from league.play.models import Game
from league.seating.models import Table
from league.sessions.actions import close_session
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws import rounds_due
from league.tournaments.draws.knockout import bracket_of, corrections
from league.tournaments.next_step import next_action
from league.tournaments.queries import entry_name
from league.tournaments.round_sheets import round_sheet
from league.tournaments.standing import standing_of
from tests.builders import EIGHT, TEST, a_user, game_at
from tests.tournaments.playing import (
    a_tournament,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
    turn_round,
    write_one,
)
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def who_meets_whom(cup):
    return [match.entries for match in state_of(cup).rounds[-1].matches]


@pytest.mark.parametrize("format", ["progressive", "knockout"])
def test_a_published_draw_is_a_draft_again_while_nobody_has_played(format):
    cup = of_pairs(4, format) if format != "progressive" else a_tournament(8)
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    before = who_meets_whom(cup)
    actions.take_draw_back(cup, **SAY)
    assert state_of(cup).draft is not None
    assert who_meets_whom(cup) == before
    actions.publish_draw(cup, **SAY)
    assert who_meets_whom(cup) == before
    assert tables(cup).count() == len([m for m in state_of(cup).last.matches if m.games])
    play_round(cup, seed=2)
    assert not state_of(cup).last.open_matches


def test_a_draw_in_which_a_hand_is_entered_stands():
    cup = a_tournament(8)
    published(cup)
    table = tables(cup).first()
    game_at(table)
    write_one(table, open_game_log(table), 0, 3)
    assert not state_of(cup).is_untouched
    assert refusal(actions.take_draw_back, cup, **SAY) == "hands-entered"


def test_without_a_published_round_there_is_nothing_to_take_back():
    assert refusal(actions.take_draw_back, a_tournament(8), **SAY) == "not-published"


def test_taking_the_first_draw_back_lets_entries_change_again_once_it_is_thrown_away():
    cup = of_pairs(4, "knockout")
    published(cup)
    actions.take_draw_back(cup, **SAY)
    actions.discard_draw(cup, by=TEST)
    entry = next(iter(state_of(cup).entries.values()))
    actions.drop_entry(entry, by=TEST)
    cup.refresh_from_db()
    assert cup.state == "setup"


def corrected_before_the_final():
    """A knock-out of four in which a semi-final is put right when the final is published."""
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    semi = state_of(cup).last.matches[0]
    published(cup, seed=2)
    turn_round(Table.objects.get(pk=semi.games[0].table))
    return cup, semi


def corrected_after_the_final():
    """A knock-out of four in which a semi-final is put right when the final has been played."""
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    semi = state_of(cup).last.matches[0]
    published(cup, seed=2)
    play_round(cup, seed=2)
    turn_round(Table.objects.get(pk=semi.games[0].table))
    return cup, semi


def played_twice(*, again=True):
    """A semi-final corrected after the final and the match for third place, drawn `again`."""
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    semi = state_of(cup).last.matches[0]
    published(cup, seed=2)
    play_round(cup, seed=2)
    turn_round(Table.objects.get(pk=semi.games[0].table))
    undone = state_of(cup).last.matches
    actions.follow_correction(cup, match_of(semi), **SAY)
    if again:
        published(cup, seed=3)
    return cup, undone


def test_the_page_takes_a_draw_back_and_shows_the_draft(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    client.force_login(a_user(club=cup.club))
    assert "Unpublish this draw" in client.get(address("tournament", cup)).content.decode()
    answer = client.post(address("tournament_take_back", cup), follow=True)
    assert answer.redirect_chain[-1][0] == address("tournament_draw", cup)


def test_a_swiss_says_that_a_round_was_drawn_from_a_result_corrected_since(client):
    cup = of_pairs(4, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    notice = "A result was corrected after round 2 was drawn."
    published(cup)
    table = tables(cup).first()
    play_round(cup)
    published(cup, seed=2)
    assert notice not in client.get(address("tournament", cup)).text
    settle_game(table, "stands", reason="As it is.", **SAY)
    assert notice not in client.get(address("tournament", cup)).text
    turn_round(table)
    page = client.get(address("tournament", cup)).text
    assert notice in page
    assert page.count("Unpublish this draw") == 2
    games = [table.games.get(), game_at(tables(cup).first())]
    pages = [reverse("game", args=[cup.club.slug, game.public_id]) for game in games]
    assert [notice in client.get(page).text for page in pages] == [True, False]
    assert address("tournament", cup) in client.get(pages[0]).text.partition(notice)[2]
    client.force_login(a_user("plain", club=cup.club, rank="member"))
    assert notice not in client.get(pages[0]).text
    client.force_login(cup.club.roles.get(rank="organiser").user)
    actions.take_draw_back(cup, **SAY)
    reminder = "A result was corrected since this draw."
    assert reminder in client.get(address("tournament_draw", cup)).text
    actions.publish_draw(cup, **SAY)
    assert notice not in client.get(address("tournament", cup)).text
    actions.take_draw_back(cup, **SAY)
    actions.draw_round(cup, by=TEST, seed=3)
    assert reminder not in client.get(address("tournament_draw", cup)).text


@pytest.fixture(scope="class")
def after_final(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, corrected_after_the_final())


class TestAfterTheFinal:
    """A semi-final of a knock-out was corrected after the final."""

    def test_a_correction_names_what_it_undoes_and_the_bracket_follows_when_told(self, after_final):
        cup, semi = after_final()
        final = state_of(cup).last.matches[0]
        (found,) = corrections(state_of(cup))
        assert (found.entry, found.undone) == (semi.sides[1 - semi.first], (final.key,))
        assert actions.follow_correction(cup, match_of(semi), **SAY) == [final.key]
        assert corrections(state_of(cup)) == []
        assert not bracket_of(state_of(cup)).over
        published(cup, seed=3)
        assert found.entry in state_of(cup).last.matches[0].entries
        play_round(cup, seed=3)
        assert bracket_of(state_of(cup)).over
        assert refusal(actions.follow_correction, cup, match_of(semi), **SAY) == "not-corrected"

    def test_an_undone_match_whose_game_is_resumed_by_mistake_keeps_no_round_open(
        self, after_final
    ):
        cup, semi = after_final()
        actions.follow_correction(cup, match_of(semi), **SAY)
        table = Table.objects.get(pk=state_of(cup).last.matches[0].games[0].table)
        Game.objects.filter(table=table).update(state=Game.State.PLAYING, winners=[])
        assert not state_of(cup).last.open_matches

    def test_a_player_of_an_undone_match_reads_so_and_its_round_says_that_it_counts_nowhere(
        self, client, after_final
    ):
        cup, semi = after_final()
        actions.follow_correction(cup, match_of(semi), **SAY)
        entry = state_of(cup).entries[state_of(cup).last.matches[0].entries[0]]
        reader = a_user("player", club=cup.club, rank="member")
        Member.objects.filter(pk=entry.member_id).update(user=reader)
        client.force_login(reader)
        page = client.get(address("tournament", cup)).text
        text = "Your match is void: an earlier result was corrected"
        assert text in page
        assert "You won" not in page
        session_page = reverse("session", args=[cup.club.slug, cup.session.public_id])
        night = client.get(session_page).text.partition("your-place")[2].partition("</section>")[0]
        assert "You won" not in night
        assert f"{text}. You have played your last match." in night
        home = client.get(reverse("club", args=[cup.club.slug])).text
        assert f"{text}. You have played your last match." in home
        assert "this match is void, and its games count nowhere" in page

    def test_a_bracket_that_has_to_follow_a_correction_is_not_to_be_closed_yet(self, after_final):
        cup, _semi = after_final()
        step = next_action(state_of(cup), rounds_due(state_of(cup)))
        assert (step.title, step.page) == ("A corrected result changes the bracket", "ties")

    def test_until_then_the_picture_and_the_match_mark_the_winner_by_the_corrected_games(
        self, client, after_final
    ):
        cup, semi = after_final()
        state = state_of(cup)
        winner = state.entries[semi.sides[1 - semi.first]]
        name = entry_name(winner, str)
        (slot, *_rest) = bracket_parts(state, str)[0].rounds[0].slots
        assert [side.name for side in slot.match.sides if side.won] == [name]
        sheet = round_sheet(state, state.published[0], str).matches[0]
        assert [side.won for side in sheet.sides] == [bool(semi.first), not semi.first]
        client.force_login(a_user(club=cup.club))
        page = client.get(address("tournament", cup)).content.decode()
        assert "corrected: bracket not updated yet" in page
        wall = client.get(reverse("wall", args=[cup.club.slug, cup.session.public_id])).text
        tables = wall.partition('class="wall-table')[2].partition("</div>")[0]
        assert "an earlier result was corrected" in tables
        assert "corrected: bracket not updated yet" not in tables
        assert "corrected: bracket not updated yet" in wall.partition('class="tree')[2]
        assert "The figures count the corrected result" in page

    def test_until_then_all_figures_count_the_corrected_result_and_the_places_the_old_one(
        self, after_final
    ):
        cup, semi = after_final()
        places = bracket_of(state_of(cup)).places()
        state = state_of(cup)
        winner = semi.sides[1 - semi.first]
        (tally,) = standing_of(state).tallies[winner]
        assert (tally.match_points, tally.won) == (1, 1)
        assert places[winner] == 3

    def test_the_page_tells_what_a_correction_undoes_and_follows_it(self, client, after_final):
        cup, semi = after_final()
        client.force_login(a_user(club=cup.club))
        page = client.get(address("tournament", cup)).content.decode()
        assert "Updating the bracket makes this match void: it no longer counts anywhere" in page
        url = address("tournament_follow", cup, semi.key)
        answer = client.post(url, follow=True)
        assert [str(m) for m in answer.context["messages"]] == [
            "Updated the bracket; 1 match is void and no longer counts anywhere."
        ]

    def test_only_an_organiser_reads_what_updating_the_bracket_undoes(self, client, after_final):
        cup, _semi = after_final()
        cup.club.visibility = "standings"
        cup.club.save()
        for account in (None, a_user("member", club=cup.club, rank="member")):
            if account:
                client.force_login(account)
            page = client.get(address("tournament", cup)).text
            assert "The organiser has not updated the bracket yet." in page
            assert "Updating the bracket" not in page

    def test_a_closed_tournament_of_a_closed_session_is_reopened_with_it_to_follow_a_correction(
        self, client, after_final
    ):
        cup, semi = after_final()
        actions.finish_tournament(cup, **SAY)
        client.force_login(a_user(club=cup.club))
        session_page = reverse("session", args=[cup.club.slug, cup.session.public_id])
        for reopened in ("The tournament is closed. Reopen it", "The tournament and its session"):
            hub = client.get(address("tournament", cup)).text
            assert "A corrected result changes the bracket" in hub
            assert reopened in hub
            assert address("tournament_follow", cup, semi.key) not in hub
            said = client.get(session_page).text
            assert "A corrected result changes the bracket" in said
            assert (
                "final" not in said.replace("semi-final", "").split("A corrected result")[1][:300]
            )
            close_session(cup.session, **SAY)
        hub = client.post(address("tournament_reopen_all", cup), follow=True).text
        assert address("tournament_follow", cup, semi.key) in hub
        client.post(address("tournament_follow", cup, semi.key))
        assert corrections(state_of(cup)) == []


@pytest.fixture(scope="class")
def before_final(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, corrected_before_the_final())


class TestBeforeTheFinal:
    """A semi-final was corrected when the final was published."""

    def test_a_correction_found_after_publishing_is_followed_by_taking_the_draw_back(
        self, before_final
    ):
        cup, first = before_final()
        actions.take_draw_back(cup, **SAY)
        assert refusal(actions.publish_draw, cup, **SAY) == "result-changed"
        published(cup, seed=3)
        assert first.sides[1 - first.first] in state_of(cup).last.matches[0].entries

    def test_the_pages_lead_from_a_correction_to_a_new_draw_while_nobody_has_played(
        self, client, before_final
    ):
        cup, first = before_final()
        client.force_login(a_user(club=cup.club))
        hub = client.get(address("tournament", cup)).content.decode()
        assert "No one has played this round yet: unpublish it first." in hub
        assert address("tournament_follow", cup, first.key) not in hub  # it would be refused
        draft = client.post(address("tournament_take_back", cup), follow=True).content.decode()
        assert "A result has changed since this draw." in draft
        assert address("tournament_publish", cup) not in draft
        draft = client.post(address("tournament_draw_round", cup), follow=True).content.decode()
        assert "A result has changed" not in draft
        assert address("tournament_publish", cup) in draft

    def test_while_the_next_round_is_played_no_page_says_that_the_update_undoes_nothing(
        self, client, before_final
    ):
        cup, _first = before_final()
        client.force_login(a_user(club=cup.club))
        (final,) = tables(cup)
        game_at(final)
        write_one(final, open_game_log(final), 0, 3)
        hub = client.get(address("tournament", cup)).content.decode()
        assert "makes no other match void" not in hub
        assert "You can update it when this match is done" in hub
        play_round(cup, seed=2)
        hub = client.get(address("tournament", cup)).content.decode()
        assert "Updating the bracket makes this match void" in hub

    def test_the_page_of_an_earlier_round_of_a_bracket_says_what_a_correction_does_there(
        self, client, before_final
    ):
        cup, _semi = before_final()
        client.force_login(a_user(club=cup.club))
        page = client.get(address("tournament_round", cup, 1)).text
        assert "rounds already drawn don't" not in page
        assert "the tournament's page shows how to update the bracket" in page
