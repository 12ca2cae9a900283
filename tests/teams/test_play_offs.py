"""Play-offs: only if one is due, played as a match with a card, and undone."""

from datetime import date

import pytest
from django.urls import reverse

from league.ranking.team_league import Reach, reaches
from league.teams import actions
from league.teams.models import TeamMatch
from league.teams.presets import ST_AUSTELL
from league.teams.promotion import due_play_offs, recorded_promotion_play_offs
from league.teams.queries import rules_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.teams.leagues import table, two_divisions, with_fixtures, written
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def page(name, league, *more):
    return reverse(name, args=[league.club.slug, league.public_id, *more])


def level_league(teams=2, **chosen):
    """A league whose teams are all level: every match is won at home by the same score."""
    league = with_fixtures(teams, rules=dict(ST_AUSTELL.rules), **chosen)
    for match in TeamMatch.objects.filter(league=league):
        match.league = league
        written(match)
    return league


def test_level_teams_share_a_place_until_their_play_off_is_recorded_and_when_it_is_taken_back():
    league = level_league()
    home, away = league.teams.all()
    assert [line.rank for line in table(league).lines] == [1, 1]
    assert set(reaches(table(league), rules_of(league)).values()) == {
        Reach(1, 1)
    }  # the final table
    made = actions.record_play_off(league, "level", [away, home], **SAY)
    assert [line.who for line in table(league).lines] == [away.pk, home.pk]
    assert due_play_offs(league) == []
    actions.take_back_play_off(made, by=TEST)
    assert [line.rank for line in table(league).lines] == [1, 1]


def test_a_play_off_is_recorded_only_between_teams_for_whom_one_is_due():
    league, teams = two_divisions(play_off=1)
    (due,) = due_play_offs(league)
    assert due.name == "United – Albion"
    strangers = [teams["Albion"], teams["Rovers"]]
    assert refusal(actions.record_play_off, league, "move", strangers, **SAY) == "not-due"
    right = [teams["Albion"], teams["United"]]
    assert refusal(actions.record_play_off, league, "level", right, **SAY) == "not-due"
    actions.record_play_off(league, "move", right, **SAY)
    assert refusal(actions.record_play_off, league, "move", right, **SAY) == "not-due"


def cup_matches(league):
    found = list(TeamMatch.objects.exclude(cup=None).filter(league=league).order_by("pk"))
    for match in found:
        match.league = match.cup.league = league
    return found


def test_a_play_off_is_played_as_a_match_recorded_listed_and_taken_back_over_the_pages(client):
    league, teams = two_divisions(play_off=1)
    client.force_login(a_user(club=league.club))
    shown = client.get(page("team_league", league))
    assert "Play-off due: United – Albion" in shown.content.decode()
    about = {"about": due_play_offs(league)[0].key}
    data = {**about, "held_on": "2026-11-19", "venue": "The Ship", "best_of": "3"}
    client.post(page("team_play_off_match", league), data)
    first, second, third = cup_matches(league)
    assert (first.venue, first.held_on) == ("The Ship", date(2026, 11, 19))
    assert (second.home_id, second.held_on) == (first.away_id, None)  # at home in turn
    written(first, 5 if first.home == teams["Albion"] else 4)
    ((_due, form, more),) = client.get(page("team_league", league)).context["due"]
    assert (form.initial, more) == ({"place1": teams["Albion"].public_id}, None)
    written(second, 5 if second.home == teams["United"] else 4)
    actions.drop_cup(third.cup, by=TEST)
    ((_due, form, more),) = client.get(page("team_league", league)).context["due"]
    assert (form.initial, bool(more)) == ({}, True)  # one each: another match may follow
    client.post(page("team_play_off", league), {**about, "place1": teams["Albion"].public_id})
    shown = client.get(page("team_league", league))
    (play_off,) = shown.context["play_offs"]
    assert play_off.teams == [teams["Albion"], teams["United"]]
    assert shown.context["ending"]["moves"]
    back = page("team_play_off_back", league, play_off.recorded.pk)
    actions.set_league_state(league, "finished", **SAY)
    closed = client.get(page("team_league", league))
    assert back not in closed.content.decode()
    refused = client.post(back, follow=True).content.decode()
    assert "This league is closed. Reopen it to change anything." in refused
    assert league.play_offs.count() == 1
    actions.set_league_state(league, "running", **SAY)
    assert back in client.get(page("team_league", league)).content.decode()
    client.post(back)
    assert client.get(page("team_league", league)).context["play_offs"] == []


def test_at_the_end_the_next_step_names_the_play_off_due(client):
    league, teams = two_divisions(play_off=1)
    client.force_login(a_user(club=league.club))

    def read():
        answer = client.get(page("team_league", league))
        return answer.context["next"]

    following = read()
    assert (following.title, following.closes) == ("Play-off due: United – Albion", False)
    text = client.get(page("team_league", league)).text
    assert text.index('href="#play-offs-due"') < text.index('id="play-offs-due"')
    actions.record_play_off(league, "move", [teams["Albion"], teams["United"]], **SAY)
    following = read()
    assert following.closes
    league.play_offs.all().delete()
    actions.record_play_off(league, "move", [teams["United"], teams["Albion"]], **SAY)
    actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST)
    assert "Still open: Ship Cup." in read().text


def test_readers_see_that_level_teams_play_off_until_their_result_is_recorded(client):
    league = level_league()
    client.force_login(a_user(club=league.club, rank="member"))
    home, away = league.teams.all()
    badge, waiting = "plays off for its place", f"Play-offs\n{home.name} – {away.name}\n"

    def read(name):
        return client.get(page(name, league))

    assert read("team_league").content.decode().count(badge) == 2
    assert waiting in read("team_results_text").context["text"]
    sheet = read("team_notice").content.decode()
    assert sheet.index("<h2>Play-offs</h2>") < sheet.index(f"<li>{home.name} – {away.name}</li>")
    (due,) = due_play_offs(league)
    day = date(2099, 12, 3)
    actions.make_play_off_match(league, due.kind, due.teams, held_on=day, venue="", by=TEST)
    text = read("team_results_text").context["text"]
    assert waiting not in text
    assert f"{home.name} – {away.name}, Thursday 3 December, {home.venue}" in text
    actions.record_play_off(league, "level", [away, home], **SAY)
    assert badge not in read("team_league").content.decode()


def test_a_confirmed_card_decides_the_play_off_by_itself_whatever_is_recorded(client):
    league = level_league()
    client.force_login(a_user(club=league.club))
    (due,) = due_play_offs(league)
    actions.make_play_off_match(league, due.kind, due.teams, held_on=None, venue="", by=TEST)
    (match,) = cup_matches(league)
    actions.record_play_off(league, due.kind, [match.away, match.home], **SAY)
    written(match, 5)
    assert [line.who for line in table(league).lines] == [match.home_id, match.away_id]
    read = client.get(page("team_league", league))
    ((kind, teams),) = [(one.kind, one.teams) for one in read.context["play_offs"]]
    assert (kind, teams) == ("teams level in the table", [match.home, match.away])
    content = read.content.decode()
    assert f"{match.home.name} – {match.away.name}: 5–4 (19 November)" in content
    assert "Play-off due" not in content
    text = client.get(page("team_results_text", league)).context["text"]
    assert f"1 {match.home.name}" in text
    wrong = [match.away, match.home]
    assert refusal(actions.record_play_off, league, due.kind, wrong, **SAY) == "card-decides"
    data = {"about": due.key, "place1": match.away.public_id}
    refused = client.post(page("team_play_off", league), data, follow=True).content.decode()
    assert "The confirmed card decides this play-off. If it is wrong, fix the card." in refused
    written(match, 4)
    assert [line.who for line in table(league).lines] == [match.away_id, match.home_id]


def test_a_tied_play_off_card_decides_with_its_deciding_game(client):
    league = level_league(pairs=2, turns=2)
    (due,) = due_play_offs(league)
    actions.make_play_off_match(league, due.kind, due.teams, held_on=None, venue="", by=TEST)
    (match,) = cup_matches(league)
    written(match, 2)
    assert due_play_offs(league)
    actions.decide_cup_match(match, home=8, away=10, by=TEST)
    assert [line.who for line in table(league).lines] == [match.away_id, match.home_id]
    assert due_play_offs(league) == []
    match.away.captain.user = a_user(club=league.club, rank="member")
    match.away.captain.save()
    client.force_login(match.away.captain.user)
    read = client.get(page("team_match", league, match.public_id)).content.decode()
    assert "You won 2–2, deciding game 10–8." in read


def test_a_play_off_waits_until_its_card_is_confirmed(client):
    club = a_club(confirm="opponent")
    league = level_league(club=club)
    for match in TeamMatch.objects.filter(league=league):
        actions.confirm_card(match, side=None, **SAY)
    (due,) = due_play_offs(league)
    actions.make_play_off_match(league, due.kind, due.teams, held_on=None, venue="", by=TEST)
    (match,) = cup_matches(league)
    match.home.captain.user = a_user(club=club, rank="member")
    match.home.captain.save()
    written(match, 5, side=0)
    assert due_play_offs(league)
    client.force_login(match.home.captain.user)
    read = client.get(page("team_match", league, match.public_id)).content.decode()
    assert "not confirmed yet." in read
    assert "The table counts it" not in read  # a cup match is not in the table
    actions.confirm_card(match, side=None, **SAY)
    assert due_play_offs(league) == []


def test_the_best_of_three_is_decided_by_the_second_win():
    league, teams = two_divisions(play_off=1)
    (due,) = due_play_offs(league)
    data = {"held_on": None, "venue": "", "best_of": 3}
    actions.make_play_off_match(league, due.kind, due.teams, by=TEST, **data)
    first, second, _third = cup_matches(league)
    for match in (first, second):
        assert due_play_offs(league)
        written(match, 5 if match.home == teams["Albion"] else 4)
    assert due_play_offs(league) == []
    ending = recorded_promotion_play_offs(league, rules_of(league))
    assert ending == [(teams["Albion"].pk, teams["United"].pk)]


def test_the_table_for_another_website_says_that_a_play_off_decided_a_tie(client):
    league = level_league()
    home, away = league.teams.all()
    league.club.visibility = "standings"
    league.club.save()
    actions.record_play_off(league, "level", [away, home], **SAY)
    assert "play-off" in client.get(page("team_embed", league)).text.partition("<tbody>")[2]
