"""Moving a match: days that are asked about, and what the captains read."""

from datetime import date, time, timedelta

import pytest
from django.utils import timezone

from league.exchange.views.calendar import match_entries
from league.members.models import Member
from league.seasons.models import Season
from league.teams import actions
from league.teams.models import TeamLeague
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_fixtures import refusal
from tests.teams.test_pages import address, captain, messages_on
from tests.teams.test_rules_pages import save_form

pytestmark = pytest.mark.django_db

MOVED = {"venue": "", "reason": "Snow", "by": TEST, "at": EIGHT}


def test_a_day_that_is_past_or_outside_the_season_is_used_only_on_purpose():
    league = with_fixtures()
    days = {"starts_on": date(2026, 9, 1), "ends_on": date(2027, 4, 30)}
    season = Season.objects.create(club=league.club, name="Winter", **days)
    TeamLeague.objects.filter(pk=league.pk).update(season=season)
    match = matches(league)[0]
    for day, code in ((date(2026, 11, 18), "day-past"), (date(2027, 5, 1), "out-of-season")):
        assert refusal(actions.move_match, match, held_on=day, **MOVED) == code
        actions.move_match(match, held_on=day, anyway=True, **MOVED)
        assert match.held_on == day


def test_the_tick_for_such_a_day_is_on_the_page_once_it_was_refused(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    match = matches(league)[0]
    page = address("team_match", league, match.public_id)
    assert "Use this day anyway" not in client.get(page).content.decode()
    data = {"held_on": "2026-09-01", "reason": "Derby"}
    move = address("team_match_move", league, match.public_id)
    answer = client.post(move, data, follow=True)
    assert messages_on(answer) == ["Day: This day is in the past. Tick below to use it anyway."]
    assert "Use this day anyway" in answer.content.decode()
    answer = client.post(move, {**data, "anyway": "on"}, follow=True)
    assert messages_on(answer) == ["Saved. The day is Tuesday 1 September 2026."]


def test_a_day_on_which_a_team_plays_already_is_used_only_on_purpose(client):
    league = with_fixtures(starts_on=date(2099, 9, 3))
    client.force_login(a_user(club=league.club))
    match, later = matches(league)[0], matches(league, 2)[0]
    data = {"held_on": str(later.held_on), "reason": "Derby"}
    move = address("team_match_move", league, match.public_id)
    (refused,) = messages_on(client.post(move, data, follow=True))
    assert (
        refused == f"Day: {match.home} & {match.away} have another match that day."
        " Tick below to use it anyway."
    )
    match.refresh_from_db()
    assert match.held_on == date(2099, 9, 3)
    client.post(move, {**data, "anyway": "on"})
    match.refresh_from_db()
    assert match.held_on == later.held_on


@pytest.mark.parametrize(
    ("day", "says"),
    [("", "Say why it has no day yet."), ("2099-12-10", "Say why the day changes.")],
)
def test_another_day_needs_a_reason_and_no_tick_is_offered_instead(client, day, says):
    league = with_fixtures(starts_on=date(2099, 9, 3))
    client.force_login(a_user(club=league.club))
    match = matches(league)[0]
    page = client.get(address("team_match", league, match.public_id)).content.decode()
    label = "Reason (needed for another day)"
    assert label in page
    move = address("team_match_move", league, match.public_id)
    answer = client.post(move, {"held_on": day}, follow=True)
    assert messages_on(answer) == [f"{label}: {says}"]
    assert "Use this day anyway" not in answer.content.decode()
    client.post(move, {"held_on": "2099-09-03", "venue": "The Ship"})
    match.refresh_from_db()
    assert match.venue == "The Ship"  # the day is the same, so no reason is needed


def test_all_that_is_wrong_with_another_day_is_on_the_page_at_once(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    first, second = matches(league)[0], matches(league, 2)[0]
    move = address("team_match_move", league, first.public_id)
    answer = client.post(move, {"held_on": str(second.held_on)}, follow=True)
    form = answer.context["move_form"]
    assert form.errors["reason"] == ["Say why the day changes."]
    assert form.errors["held_on"] == [
        "This day is in the past. Tick below to use it anyway.",
        f"{first.home} & {first.away} have another match that day. Tick below to use it anyway.",
    ]
    assert "Use this day anyway" in answer.content.decode()


def test_a_postponed_match_is_the_latest_of_the_teams_form_and_the_key_says_so(client):
    league = with_fixtures(teams=4, pairs=1)
    home = matches(league)[0].home
    own = [match for n in (1, 2) for match in matches(league, n) if match.side_of(home) is not None]
    for match, day in zip(own, (date(2026, 9, 20), own[1].held_on), strict=True):
        is_won = match == own[0]
        written(match, 9 if is_won == (match.home == home) else 0, held_on=day)
    client.force_login(a_user(club=league.club))
    answer = client.get(address("team_league", league))
    ((_division, rows),) = answer.context["divisions"]
    assert [row.form for row in rows if row.team == home] == [("lost", "won")]
    assert "Form: the last five results by day of play, the latest last." in answer.content.decode()


def test_captains_read_who_can_move_a_match_and_how_to_ask(client):
    league = with_fixtures(starts_on=date(2099, 9, 3))
    match = matches(league)[0]
    home = captain(league, match.home)
    page, mine = address("team_match", league, match.public_id), address("team_mine", league)
    sentence = "Another day or time? Ask an organiser to move this match"
    assert sentence in home.get(page).content.decode()
    assert "an organiser can move it." in home.get(mine).content.decode()
    league.secretary = Member.objects.create(club=league.club, name="Sue Secretary")
    league.save()
    sentence = "Another day or time? Ask Sue Secretary, the league secretary, to move this match"
    assert sentence in home.get(page).content.decode()
    assert "Sue Secretary, the league secretary, can move it." in home.get(mine).content.decode()
    client.force_login(a_user(club=league.club))
    assert "Another day" not in client.get(page).content.decode()  # they move it themselves
    written(match, held_on=date(2026, 9, 3))
    assert "Another day" not in home.get(page).content.decode()


@pytest.mark.parametrize(
    ("moved", "says"),
    [
        ({"held_on": date(2026, 12, 10)}, "New day, Thursday 10 December: Snow"),
        (
            {"held_on": date(2027, 1, 7), "venue": "The Ship"},
            "New day, Thursday 7 January 2027, The Ship: Snow",
        ),
        ({"held_on": date(2026, 9, 3), "venue": "The Ship"}, "New venue: The Ship"),
        (
            {"held_on": date(2026, 12, 10), "begins_at": time(18, 15), "venue": "The Ship"},
            "New day, Thursday 10 December, 6:15 p.m., The Ship: Snow",
        ),
        (
            {"held_on": date(2026, 9, 3), "begins_at": time(18, 15), "venue": "The Ship"},
            "New start time: 6:15 p.m., The Ship",
        ),
    ],
)
def test_the_captains_read_the_year_if_it_is_another_and_the_venue_if_it_is_new(moved, says):
    match = matches(with_fixtures())[0]
    assert match.held_on == date(2026, 9, 3)
    actions.move_match(match, **{**MOVED, **moved})
    assert match.messages.get().text == says


def test_the_printed_fixtures_say_which_matches_were_moved(client):
    league = with_fixtures(starts_on=date(2099, 9, 3))
    (put_off, open_day), (early, _same) = matches(league, 1), matches(league, 2)
    for match, day in (
        (put_off, date(2099, 9, 6)),
        (open_day, None),
        (early, date(2099, 9, 8)),
    ):
        actions.move_match(match, held_on=day, **MOVED)
    client.force_login(a_user(club=league.club))
    shown = client.get(address("team_fixtures_print", league)).content.decode()
    assert f"<li>{put_off}, postponed to Sunday 6 September" in shown
    assert f"<li>{open_day}, postponed, day to be agreed" in shown
    assert f"<li>{early}, brought forward to Tuesday 8 September" in shown


def test_the_form_that_moves_a_match_says_when_matches_start_and_where_that_is_changed(client):
    """It had a day and no time, and did not say where the time was."""
    league = with_fixtures(starts_on=date(2099, 9, 3))
    client.force_login(a_user(club=league.club))
    page = address("team_match", league, matches(league)[0].public_id)
    settings = address("team_league_edit", league)
    form = client.get(page).content.decode().partition("Postpone or move the match")[2]
    assert "No start time yet." in form
    assert f'<a href="{settings}#id_starts_at">Set the start time</a>' in form
    league.fixture_rules = {**league.fixture_rules, "starts_at": "19:30"}
    league.save()
    form = client.get(page).content.decode().partition("Postpone or move the match")[2]
    assert "Matches start at 7:30 p.m., unless one has its own time." in form
    assert "Leave empty for the league's start time." in form


def test_a_match_has_a_start_time_of_its_own_wherever_its_day_stands(client):
    """Only the league's could be given, and a message had to say the other."""
    league = with_fixtures(teams=4, starts_on=timezone.localdate() + timedelta(days=1))
    league.fixture_rules = {**league.fixture_rules, "starts_at": "19:30"}
    league.save()
    client.force_login(a_user(club=league.club))
    match = matches(league)[0]
    sent = {"held_on": str(match.held_on), "begins_at": "18:15", "venue": ""}
    move = address("team_match_move", league, match.public_id)
    answer = client.post(move, sent, follow=True).content.decode()
    assert "p.m.." not in answer
    assert ", 6:15 p.m." in answer.partition("<h1>")[2].partition("</p>")[0]
    assert 'name="begins_at" value="18:15"' in answer
    assert match.messages.get().text == "New start time: 6:15 p.m."
    leader = captain(league, match.home)
    own = "team_match", "team_card_print"
    listed = "team_fixtures", "team_fixtures_print", "team_notice", "team_results_text", "team_mine"
    pages = {name: address(name, league, match.public_id) for name in own}
    pages |= {name: address(name, league) for name in listed}
    silent = [n for n, page in pages.items() if "6:15 p.m." not in leader.get(page).text]
    assert silent == []
    entry, other = match_entries(league.club, match.held_on)[:2]
    assert (entry.begins.time(), other.begins.time()) == (time(18, 15), time(19, 30))
    client.post(move, {**sent, "begins_at": ""})
    assert "6:15 p.m." not in client.get(pages["team_fixtures"]).text
    assert match.messages.last().text == "New start time: 7:30 p.m."


def test_a_break_names_the_published_matches_in_it_and_moving_one_there_is_asked_about(client):
    league = with_fixtures(teams=4, starts_on=date(2099, 9, 3))
    client.force_login(a_user(club=league.club))
    first, second = matches(league, 2)
    break_on = str(first.held_on - timedelta(days=2))
    save_form(client, "team_rules_edit", league, blank_days=break_on)
    links = [
        f'<a href="{address("team_match", league, match.public_id)}">{match}</a>'
        for match in (first, second)
    ]
    answer = client.get(address("team_rules", league))
    assert f"to be moved: {', '.join(links)}." in answer.text
    shown = client.get(address("team_fixtures", league)).text
    assert shown.count("No matches are planned in the week of 10 September 2099.") == 2
    assert all(link in shown for link in links)
    move = address("team_match_move", league, matches(league)[0].public_id)
    sent = {"held_on": str(first.held_on - timedelta(days=1)), "reason": "Snow"}
    assert messages_on(client.post(move, sent, follow=True)) == [
        "Day: No matches are planned in this week. Tick below to use it anyway."
    ]
    for match in (first, second):
        actions.move_match(match, **{**MOVED, "held_on": date(2099, 12, 3), "at": None})
    save_form(client, "team_rules_edit", league, blank_days=break_on)
    assert "still to be moved" not in client.get(address("team_rules", league)).text
