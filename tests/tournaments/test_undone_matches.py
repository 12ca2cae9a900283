"""Matches that a correction has undone: they count nowhere, and stay undone."""

from collections import Counter
from copy import deepcopy
from functools import partial

import pytest

from league.members.models import Member
from league.play.models import Result
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.standing import standing_of
from league.tournaments.tables import facts_of
from tests.builders import a_user
from tests.tournaments.playing import (
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    turn_round,
)
from tests.tournaments.test_pages import address
from tests.tournaments.test_session_places import recounted
from tests.tournaments.test_undoing import SAY, played_twice, who_meets_whom

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
