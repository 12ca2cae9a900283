"""Matches whose games no longer count, and matches that are played again."""

import json
import re
from datetime import date, timedelta

import pytest

from league.exchange.archive_restoring import restore
from league.exchange.archive_writing import archive_of
from league.play.models import Game
from league.sessions.models import Session
from league.teams import actions
from league.teams.queries import match_records
from league.teams.tables import state_of
from tests.builders import EIGHT, TEST, a_user
from tests.exchange.test_archive import emptied
from tests.teams.leagues import a_card, matches, table, with_fixtures, written
from tests.teams.test_fixtures import refusal
from tests.teams.test_pages import address, captain, messages_on

pytestmark = pytest.mark.django_db

SAY = {"reason": "The committee ordered a replay", "by": TEST, "at": EIGHT}
LATER = EIGHT + timedelta(days=1)
REPLAY = date(2099, 9, 3)


def record_of(match):
    (record,) = match_records([match], match.league)
    return record


def test_the_last_games_that_decide_a_match_are_not_made_void():
    league = with_fixtures()
    match = written(matches(league)[0], 9)
    everything = dict.fromkeys(range(9), "void")
    assert refusal(actions.give_games, match, everything, **SAY) == "undecided"
    match.refresh_from_db()
    assert record_of(match).met.won == (9, 0)
    actions.give_games(match, dict.fromkeys(range(8), "void"), **SAY)
    assert record_of(match).met.won == (1, 0)


def test_a_match_of_which_no_game_counts_is_not_played_and_gives_no_points():
    league = with_fixtures()
    match = matches(league)[0]
    written(match, 9, held_on=match.held_on)
    match.card = ["void"] * 9
    match.save()
    assert state_of(record_of(match)) == "to_play"
    assert {record.played for record in table(league).records.values()} == {0}


def test_a_match_is_played_again_on_another_day_and_the_old_card_stays_in_its_history(client):
    league = with_fixtures(starts_on=date(2026, 9, 3))
    match = written(matches(league)[0], 9)
    home = captain(league, match.home)
    client.force_login(a_user(club=league.club))
    page = address("team_match", league, match.public_id)
    shown = client.get(page).text
    assert "Play it again" in shown
    reasons = re.findall(r'id="(\w+_reason)"', shown)
    assert len(reasons) == len(set(reasons)) == 3
    data = {"held_on": str(REPLAY), "reason": SAY["reason"]}
    again = address("team_match_again", league, match.public_id)
    assert messages_on(client.post(again, {**data, "reason": ""}, follow=True)) == [
        "Reason: Add a short reason."
    ]
    answer = client.post(again, data, follow=True)
    assert messages_on(answer) == ["Saved. The day is Thursday 3 September 2099."]
    match.refresh_from_db()
    assert (match.is_untouched, match.held_on) == (True, REPLAY)
    assert {record.played for record in table(league).records.values()} == {0}
    assert {game.state for game in Game.objects.all()} == {Game.State.ABANDONED}
    assert "To be played again: The committee ordered a replay" in answer.text
    assert [event["what"] for event in answer.context["history"]] == [
        "Filled in match card", "Ordered replay of match",
    ]  # fmt: skip
    mine = home.get(address("team_mine", league)).context["led"]
    assert match in [shown.match for shown in mine[0].coming]


def test_a_match_to_be_played_again_says_so_in_place_of_postponed_until_its_new_card(client):
    league = with_fixtures(teams=4, starts_on=date(2026, 9, 3))
    league.club.visibility = "standings"
    league.club.save()
    match = written(matches(league)[0], 9)
    actions.play_again(match, held_on=REPLAY, **SAY)
    actions.move_match(match, held_on=REPLAY + timedelta(1), venue="", reason="Snow", by=TEST)
    leader = captain(league, match.home)
    for page in ("team_fixtures", "team_mine", "team", "team_match"):
        part = {"team": match.home, "team_match": match}.get(page)
        url = address(page, league, *([part.public_id] if part else []))
        shown = leader.get(url).text
        assert "To be played again: The committee ordered a replay" in shown, page
        assert "ostponed" not in shown, page
    public = client.get(address("team_fixtures", league)).text
    assert "To be played again\n" in public
    assert SAY["reason"] not in public
    assert (
        "to be played again, Friday 4 September"
        in client.get(address("team_fixtures_print", league)).text
    )
    lists = dict(client.get(address("team_notice", league)).context["to_play"])
    assert [line.split(",")[0] for line in lists["To be played again"]] == [str(match)]
    assert "Postponed, still to be played" not in lists
    written(match, 4)
    match.refresh_from_db()
    assert not match.is_replay
    second_leg = league.matches.get(home=match.away, away=match.home)
    actions.move_card(match, second_leg, by=TEST, at=EIGHT)  # no decision stands against it


def test_a_cup_match_to_be_played_again_says_so_on_the_notice(client):
    league = with_fixtures(teams=2, pairs=1)
    cup = actions.make_cup(league, name="Cup", third_place=False, seed=1, by=TEST)
    actions.draw_cup_matches(cup, held_on=date(2026, 11, 19), by=TEST)
    match = cup.matches.get()
    match.league = league
    actions.play_again(written(match), held_on=REPLAY, **SAY)
    client.force_login(a_user(club=league.club))
    (shown,) = client.get(address("team_notice", league)).context["cups"]
    assert [line.rpartition(", ")[2] for line in shown.to_play] == ["to be played again"]


def test_the_card_of_a_replay_is_a_new_one_and_the_old_decision_is_not_about_it(client):
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    match = written(matches(league)[0], 9)
    actions.give_games(match, {0: "away"}, **SAY)
    actions.play_again(match, held_on=None, **SAY)
    actions.write_card(match, a_card(match, 4), side=0, by=TEST, at=LATER)
    assert record_of(match).met.won == (4, 5)
    actions.confirm_card(match, side=1, by=TEST, at=LATER)
    client.force_login(a_user(club=league.club))
    shown = client.get(address("team_match", league, match.public_id)).context
    assert shown["decided"] is None
    assert shown["confirmed"].said_as == TEST.label
    assert len(shown["history"]) == 5


def test_an_awarded_match_or_one_without_a_card_is_not_played_again():
    league = with_fixtures()
    first, second = matches(league)
    assert refusal(actions.play_again, first, held_on=None, **SAY) == "no-card"
    written(second)
    actions.give_match(second, second.home, reason="Snow", by=TEST, at=EIGHT)
    assert refusal(actions.play_again, second, held_on=None, **SAY) == "no-card"


@pytest.mark.django_db(transaction=True)
def test_the_old_card_of_a_replay_is_not_among_the_sessions_of_a_restored_club():
    league = with_fixtures()
    actions.play_again(written(matches(league)[0]), held_on=None, **SAY)
    data = json.loads(json.dumps(archive_of(league.club, at=EIGHT)))
    emptied()
    restored = restore(data, by=TEST)
    assert Session.objects.get(club=restored).of_team_match
