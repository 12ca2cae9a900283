"""Matches that a correction has undone, and corrections that a bracket has yet to follow."""

from collections import Counter
from copy import deepcopy
from functools import partial
from html import unescape

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.models import Member
from league.play.actions import settle_game
from league.play.models import Game, Result
from league.seating.models import Table
from league.sessions.actions import close_session, open_session
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Match
from league.tournaments.next_step import next_action
from league.tournaments.standing import standing_of
from league.tournaments.tables import facts_of
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    turn_round,
)
from tests.tournaments.test_closing import hub
from tests.tournaments.test_closing import page as of_cup
from tests.tournaments.test_next_step import page
from tests.tournaments.test_pages import address
from tests.tournaments.test_session_places import recounted
from tests.tournaments.test_undoing import (
    SAY,
    corrected_after_the_final,
    played_twice,
    who_meets_whom,
)

pytestmark = pytest.mark.django_db


def match_facts_now(cup, match):
    return next(m for f in state_of(cup).rounds for m in f.matches if m.key == match.key).games


def test_a_void_match_for_third_place_keeps_its_name(client):
    cup, (_final, third) = played_twice(again=False)
    reader = a_user("player", club=cup.club, rank="member")
    entry = state_of(cup).entries[third.entries[0]]
    Member.objects.filter(pk=entry.member_id).update(user=reader)
    client.force_login(reader)
    page = client.get(address("tournament", cup)).text
    assert "Third place:" in page.partition("my-seat")[2].partition("</section>")[0]
    assert page.count("· Third place</span>") == 1  # on its card


def test_a_void_match_for_third_place_is_not_called_the_final():
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    published(cup)
    rows = [match_of(facts) for facts in state_of(cup).last.matches]
    for row in rows:
        row.place = ""
    assert [row.title for row in rows] == ["Final", "Third place"]


@pytest.fixture(scope="class")
def drawn_again(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, played_twice())


class TestDrawnAgain:
    """The final and the match for third place were undone by a correction and drawn again."""

    def test_an_undone_match_counts_neither_in_the_tournament_nor_anywhere_else(self, drawn_again):
        cup, undone = drawn_again()
        assert [m.undone for m in state_of(cup).published[1].matches] == [True, True]
        play_round(cup, seed=3)
        state = state_of(cup)
        tallies = standing_of(state).tallies
        won = Counter(m.sides[m.first] for facts in state.published for m in facts.matches if m.over
                      and not m.undone)  # fmt: skip
        for entry, (tally,) in tallies.items():
            assert (tally.games, tally.won) == (2, won[entry])
            assert tally.match_points == won[entry]
        careers = Counter(
            Result.objects.filter(session=cup.session).values_list("member", flat=True)
        )
        assert set(careers.values()) == {2}
        assert all(game.counts is False for match in undone for game in match_facts_now(cup, match))
        assert recounted(check=True)[0] == 0

    def test_the_new_final_shows_no_points_of_the_match_that_was_undone(self, drawn_again):
        cup, _undone = drawn_again()
        (column,) = [p for p in bracket_parts(state_of(cup), str)[0].rounds if p.title == "Final"]
        assert [side.score for side in column.matches[0].sides] == ["", ""]

    def test_an_undone_match_stays_undone_when_the_result_is_corrected_back(self, drawn_again):
        cup, undone = drawn_again()
        semi = state_of(cup).published[0].matches[0]
        play_round(cup, seed=3)
        turn_round(Table.objects.get(pk=semi.games[0].table))
        actions.follow_correction(cup, match_of(semi), **SAY)
        assert not bracket_of(state_of(cup)).over
        published(cup, seed=4)
        actions.take_draw_back(cup, **SAY)
        published(cup, seed=5)
        assert set(who_meets_whom(cup)) == {match.entries for match in undone}

    def test_a_round_whose_matches_were_all_undone_is_not_counted_and_listed_as_void(
        self, client, drawn_again
    ):
        cup, _undone = drawn_again()
        play_round(cup, seed=3)
        actions.finish_tournament(cup, **SAY)
        assert facts_of(state_of(cup)).rounds == 2
        client.force_login(a_user(club=cup.club))
        hub = client.get(address("tournament", cup)).text
        links = [hub.partition(f'{address("tournament_round", cup, n)}">')[2] for n in (2, 3)]
        assert [text.partition("</a>")[0] for text in links] == ["Final (void)", "Final"]


@pytest.fixture(scope="class")
def corrected(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, corrected_after_the_final())


class TestAfterACorrection:
    """A semi-final of a knock-out was corrected after the final."""

    def test_once_the_bracket_follows_a_correction_the_undone_matches_are_to_be_redrawn(
        self, corrected
    ):
        cup, semi = corrected()
        actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
        step = next_action(state_of(cup), None)
        assert step.text == "Now redraw the matches that are void."
        assert step.label == "Draw the final"

    def test_the_sessions_page_says_that_a_correction_waits_before_the_tournament_is_closed(
        self, client, corrected
    ):
        cup, _semi = corrected()
        client.force_login(a_user(club=cup.club))
        address = reverse("session", args=[cup.club.slug, cup.session.public_id])
        step = client.get(address).context["step"]
        assert step.title == "A corrected result changes the bracket"
        assert step.text == "The tournament's page says what comes next."
        assert step.url == reverse("tournament", args=[cup.club.slug, cup.public_id])

    @pytest.mark.parametrize("name", ["final_scores", "tables_to_enter"])
    def test_the_pages_on_which_scores_are_entered_name_a_correction_that_waits(
        self, client, name, corrected
    ):
        cup, semi = corrected()
        client.force_login(a_user(club=cup.club))
        final = state_of(cup).last.matches[0]
        for match in (semi, final):
            table = Table.objects.get(pk=match.games[0].table)
            table.totals_only = True
            table.save()
            Game.objects.filter(table=table).update(totals=table.games.get().score)
        shown = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
        link = f'href="{reverse("tournament", args=[cup.club.slug, cup.public_id])}#round"'
        assert link in shown
        assert "Updating the bracket makes this match void." in shown
        if name == "tables_to_enter":
            assert "This result was corrected after later matches were drawn." in shown
        entry = reverse("table_entry", args=[Table.objects.get(pk=final.games[0].table).public_id])
        assert "Updating the bracket makes this match void." in client.get(entry).text

    def test_on_the_page_of_a_void_round_nothing_can_be_corrected(self, client, corrected):
        cup, semi = corrected()
        actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
        published(cup, seed=3)
        client.force_login(a_user(club=cup.club))
        says = [
            "To correct a result, tap its table." in page(client, "tournament_round", cup, n)
            for n in (1, 2)
        ]
        assert says == [True, False]

    def test_a_waiting_correction_is_named_before_a_session_is_closed_and_after_it(
        self, client, corrected
    ):
        cup, semi = corrected()
        client.force_login(a_user(club=cup.club))
        address = reverse("disputes", args=[cup.club.slug, cup.session.public_id])
        link = f'href="{reverse("tournament", args=[cup.club.slug, cup.public_id])}#round"'

        def warns():
            read = client.get(address).text
            says = "A corrected result changes the bracket" in read and link in read
            assert says is ("Every game is finished" not in read)
            return says

        assert warns()
        actions.finish_tournament(cup, by=TEST, at=EIGHT)
        assert warns()
        close_session(cup.session, by=TEST, at=EIGHT)
        assert warns()
        open_session(cup.session, by=TEST, at=EIGHT)
        actions.reopen_tournament(cup, by=TEST)
        actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
        assert not warns()

    def test_void_matches_have_no_table_on_the_board_the_wall_and_the_prints(
        self, client, corrected
    ):
        cup, semi = corrected()
        actions.follow_correction(cup, Match.objects.get(pk=semi.key), by=TEST, at=EIGHT)
        client.force_login(a_user(club=cup.club))
        of_session = {
            name: client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
            for name in (
                "board",
                "wall",
                "print_tickets",
                "print_chart",
                "print_movement",
                "print_sheets",
            )
        }
        assert not [name for name, text in of_session.items() if "Table 1" in text]
        assert reverse("tournament", args=[cup.club.slug, cup.public_id]) in of_session["board"]
        entered = client.get(
            reverse("tables_to_enter", args=[cup.club.slug, cup.session.public_id])
        ).text
        void = squeezed(entered).partition("<small>Final</small>")[2].partition("</li>")[0]
        assert "Void" in void
        assert "<small>Void</small>" not in entered
        assert "Not played" not in entered
        link = reverse("tournament", args=[cup.club.slug, cup.public_id])
        assert (
            f'href="{link}"' in entered.partition("The tournament's page says what comes next.")[2]
        )
        assert "Make tables" not in entered
        assert " · void</td>" in of_cup(client, cup, "tournament_print")
        for name in ("print_chart", "print_movement"):
            assert "Nothing to print yet" in of_session[name]
            assert f'href="{link}"' in of_session[name]
        assert f'href="{link}"' in hub(client, cup, "paper").partition("Nothing to print yet")[2]
        assert "<h2>The bracket follows the corrected result</h2>" in of_session["board"]
        assert "Now redraw the matches that are void." in of_session["board"]
        assert "No tables yet" not in of_session["board"]
        assert reverse("tournament", args=[cup.club.slug, cup.public_id]) in hub(
            client, cup, "seating"
        )
        table = Match.objects.filter(place="").first().games.get().table
        with pytest.raises(Refused) as refused:
            settle_game(table, "stands", reason="Sure", by=TEST, at=EIGHT)
        assert refused.value.code == "undone-match"

    def test_the_game_of_a_void_match_reads_void_and_offers_no_decision_that_is_refused(
        self, client, corrected
    ):
        cup, semi = corrected()
        actions.follow_correction(cup, Match.objects.get(pk=semi.key), by=TEST, at=EIGHT)
        client.force_login(a_user(club=cup.club))
        game = Match.objects.filter(place="").first().games.get().table.games.get()
        address = reverse("game", args=[cup.club.slug, game.public_id])
        read = client.get(address).text
        assert "<b>Void</b>" in read
        assert "Not played" not in read
        assert 'id="decide"' not in read
        correct = reverse("table_correct", args=[game.table.public_id, 1])
        assert game.hands_written
        assert correct not in read
        settles = reverse("settle_game", args=[cup.club.slug, game.public_id])
        refused = client.post(settles, {"decision": "stands", "reason": "Sure"}).text
        assert "A corrected result made this match void: its game counts nowhere." in unescape(
            refused
        )

    def test_no_place_is_read_in_a_closed_cup_while_a_correction_waits(self, client, corrected):
        cup, semi = corrected()
        actions.finish_tournament(cup, by=TEST, at=EIGHT)
        player = state_of(cup).entries[semi.entries[0]].member
        player.user = a_user("ted", club=cup.club, rank="member")
        player.save()
        client.force_login(player.user)
        open_pages = of_cup(client, cup).partition("my-seat")[2], hub(client, cup)
        close_session(cup.session, by=TEST, at=EIGHT)
        for text in (*open_pages, hub(client, cup)):
            assert "A result was corrected: wait for the organiser." in text
            assert "You finished" not in text
