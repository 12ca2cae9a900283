"""Laps and slam count where they are switched on: in a tournament's matches of several games.

The figures are those of the written rules (D-52 to D-54): what a winner has above the target
starts the next game, a slam counts two games.
"""

import pytest
from django.urls import reverse

from league.play.actions import settle_game, write_totals
from league.play.auth import table_link
from league.play.game_log import open_game_log
from league.play.models import Game
from league.ranking.match_facts import GameFacts, MatchFacts
from league.tournaments.forms import TournamentForm
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import of_pairs, published, state_of, tables

db = pytest.mark.django_db


def facts(*scores, best_of=5, target=5, laps=True, slam=True):
    games = []
    for number, score in enumerate(scores):
        winner = score.index(max(score))
        games.append(GameFacts(number, 4, True, True, score, (winner, winner + 2), target=target))
    return MatchFacts(1, 1, {0: 10, 1: 11}, tuple(games), best_of=best_of, of_pairs=True,
                      laps=laps, slam=slam)  # fmt: skip


def test_the_excess_of_a_game_starts_the_next_one():
    match = facts((8, 1))
    assert (match.carried, match.wins) == ((3, 0), {0: 1, 1: 0})


def test_a_slam_counts_two_games_and_may_end_the_match():
    assert facts((6, 0), best_of=3).over
    assert facts((6, 0)).wins == {0: 2, 1: 0}
    assert not facts((6, 0)).over


def test_carried_points_that_reach_the_target_win_a_game_without_a_hand():
    match = facts((12, 1), best_of=7)
    assert (match.wins[0], match.carried) == (2, (2, 0))
    assert facts((12, 1), (6, 0), best_of=7).over


def test_the_excess_of_the_last_game_lapses_and_without_laps_all_does():
    assert facts((8, 1), best_of=1).carried == ()
    assert facts((8, 1), laps=False).carried == ()
    assert facts((6, 0), slam=False).wins[0] == 1


def test_a_slam_is_two_games_won_and_one_game_played_in_the_table():
    match = facts((6, 0))
    tally = match.tally(match.games[0], 0)
    assert (tally.won, tally.games, tally.points) == (2, 1, 6)


def the_match(cup):
    return state_of(cup).last.matches[0]


@db
def test_the_next_game_of_a_match_begins_with_what_was_carried_and_counts_it_once():
    cup = of_pairs(2, "knockout", games=3, laps=True)
    published(cup)
    write_totals(tables(cup).get(), [12, 4], no_hands=True, by=TEST, at=EIGHT)
    second = tables(cup).get()
    assert second.carried == [2, 0]
    assert open_game_log(second).state.score == (2, 0)
    write_totals(second, [10, 5], no_hands=True, by=TEST, at=EIGHT)
    points = Game.objects.get(table=second).results.get(position=0).points
    assert (points, the_match(cup).points(0), the_match(cup).over) == (8, 20, True)


@db
def test_a_correction_changes_what_the_next_game_begins_with_and_its_phone_hears_of_it(client):
    cup = of_pairs(2, "knockout", games=3, laps=True)
    published(cup)
    first = tables(cup).get()
    write_totals(first, [12, 4], no_hands=True, by=TEST, at=EIGHT)
    second = tables(cup).get()
    shown = client.post(reverse("table_door"), {"code": table_link(second)}, follow=True)
    news = {"seen": shown.context["entry"].stamp}
    address = reverse("table_news", args=[second.public_id])
    assert "data-moved" not in client.get(address, news).content.decode()
    Game.objects.filter(table=first).update(state=Game.State.DISPUTED)
    settle_game(first, "score", reason="misread", score=[11, 4], by=TEST, at=EIGHT)
    second.refresh_from_db()
    assert second.carried == [1, 0]
    assert "data-moved" in client.get(address, news).content.decode()


@pytest.mark.parametrize("name", ["laps", "slam"])
def test_the_setup_refuses_them_for_matches_of_one_game(name):
    form = TournamentForm({"name": "Cup", "games": "1", name: "on"}, format="knockout")
    assert form.errors[name] == ["This counts only in matches of several games."]


@db
def test_a_correction_that_decides_a_match_offers_to_unseat_its_next_game(client):
    cup = of_pairs(2, "knockout", games=3, slam=True)
    client.force_login(a_user(club=cup.club))
    published(cup)
    first = tables(cup).get()
    write_totals(first, [10, 4], no_hands=True, by=TEST, at=EIGHT)
    Game.objects.filter(table=first).update(state=Game.State.DISPUTED)
    settle_game(first, "score", reason="misread", score=[10, 0], by=TEST, at=EIGHT)
    page = reverse("tournament", args=[cup.club.slug, cup.public_id])
    assert "A correction has decided this match" in client.get(page).content.decode()
    match = the_match(cup).key
    client.post(reverse("tournament_unseat", args=[cup.club.slug, cup.public_id, match]))
    assert (the_match(cup).over, len(the_match(cup).games)) == (True, 1)
    assert "A correction has decided" not in client.get(page).content.decode()
