"""Moving a whole round of a league, and all after it, to other days."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.exchange.views.calendar import match_entries
from league.members.audit_changes import changes
from league.members.models import AuditEntry
from league.seasons.models import Season
from league.teams import actions
from league.teams.models import TeamLeague
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_fixtures import refusal
from tests.teams.test_pages import address, captain, messages_on
from tests.teams.test_rules_pages import save_form

pytestmark = pytest.mark.django_db

FIRST = date(2099, 9, 3)
WEEK = timedelta(days=7)
MOVED = {"later": False, "reason": "Snow", "by": TEST, "at": EIGHT, "anyway": True}


def days_of(league, *rounds):
    return [[match.held_on for match in matches(league, n)] for n in rounds]


def move(client, league, number, day, **sent):
    data = {"first_day": str(day), "later": "this", "reason": "Snow", **sent}
    return client.post(address("team_round_move", league, number), data, follow=True)


@pytest.fixture
def league(client):
    league = with_fixtures(teams=4, pairs=1, starts_on=FIRST)
    client.force_login(a_user(club=league.club))
    return league


def test_a_round_is_moved_from_the_fixtures_with_one_entry_in_the_log(client, league):
    second = matches(league, 1)[1]
    actions.move_match(second, held_on=FIRST + timedelta(2), venue="", reason="Fair", by=TEST)
    before = {entry.uid: entry.sequence for entry in match_entries(league.club, FIRST)}
    fixtures = client.get(address("team_fixtures", league)).text
    assert f'href="{address("team_round_move", league, 1)}"' in fixtures
    shown = client.get(address("team_round_move", league, 1)).text
    assert all(str(match) in shown for match in matches(league))
    day = FIRST - timedelta(days=2)
    answer = move(client, league, 1, day)
    assert messages_on(answer) == ["Moved 2 matches."]
    assert days_of(league, 1, 2) == [[day, day + timedelta(2)], [FIRST + WEEK] * 2]
    assert "Brought forward from 3 September: Snow" in answer.text
    for match in matches(league):
        assert match.messages.last().text.startswith("New day, ")
        entry = next(e for e in match_entries(league.club, day) if match.public_id in e.uid)
        assert (entry.day, entry.sequence) == (match.held_on, before[entry.uid] + 1)
    logged = AuditEntry.objects.get(action="move league round")
    named = [str(match) for match in matches(league, 1)]
    assert logged.new == {"round": 1, "matches": named, "held_on": str(day), "reason": "Snow"}
    assert AuditEntry.objects.filter(action="move team match").count() == 1
    (row,) = (
        client.get(reverse("audit", args=[league.club.slug]), {"about": "who postponed the round"})
        .context["table"]
        .rows
    )
    assert row.record == logged
    words = {change.label: (change.old, change.new) for change in changes(logged)}
    assert words["Date"] == ("3 Sep 2099", "1 Sep 2099")
    assert (words["Round"][1], words["Matches"][1], words["Reason"][1]) == (
        "1",
        ", ".join(named),
        "Snow",
    )


def test_a_round_and_all_after_it_move_by_as_many_days_and_back(client, league):
    before = days_of(league, *range(1, 7))
    answer = move(client, league, 2, FIRST + 3 * WEEK, later="later")
    assert messages_on(answer) == ["Moved 10 matches."]
    assert days_of(league, *range(1, 7)) == [
        before[0], *([day + 2 * WEEK for day in days] for days in before[1:])
    ]  # fmt: skip
    assert AuditEntry.objects.get(action="move league round").new["rounds"] == "2–6"
    move(client, league, 2, FIRST + WEEK, later="later")
    assert days_of(league, *range(1, 7)) == before
    assert not league.matches.exclude(first_date=None, postponed_reason="").exists()


def test_matches_played_awarded_or_without_a_day_stay(client):
    league = with_fixtures(teams=8, pairs=1, starts_on=date(2026, 9, 3))
    client.force_login(a_user(club=league.club))
    played, given, dayless, left = matches(league)
    written(played, side=0, held_on=played.held_on)
    actions.give_match(given, given.home, reason="Absent", by=TEST, at=EIGHT)
    actions.move_match(dayless, held_on=None, venue="", reason="Flood", by=TEST)
    (moved,) = actions.move_round(league, 1, first_day=FIRST, **MOVED)
    assert moved == left
    assert [match.held_on for match in matches(league)] == [date(2026, 9, 3)] * 2 + [None, FIRST]
    written(left)
    page = address("team_round_move", league, 1)
    assert page not in client.get(address("team_fixtures", league)).text
    assert messages_on(client.get(page, follow=True)) == ["This round has no match to move."]
    assert refusal(actions.move_round, league, 1, first_day=FIRST, **MOVED) == "nothing-to-move"


def test_odd_days_of_a_round_are_named_with_their_matches_and_used_only_on_purpose(client, league):
    save_form(client, "team_rules_edit", league, blank_days=str(FIRST + 3 * WEEK))
    league.matches.filter(round=4).update(held_on=FIRST + 4 * WEEK)
    before = days_of(league, 1, 2)
    page = move(client, league, 1, FIRST + 3 * WEEK)
    first, second = matches(league)
    assert page.status_code == 409
    assert page.context["form"].errors["first_day"] == [
        f"Thursday 24 September, {first}, {second}: No matches are planned in this week."
        " Tick below to use it anyway."
    ]
    assert "Use these days anyway" in page.text
    page = move(client, league, 1, FIRST + WEEK)
    assert [error.partition(": ")[2] for error in page.context["form"].errors["first_day"]] == [
        f"{match.home} & {match.away} have another match that day. Tick below to use it anyway."
        for match in (first, second)
    ]
    page = move(client, league, 1, date(2026, 9, 3))
    assert "This day is in the past. Tick below to use it anyway." in page.text
    assert days_of(league, 1, 2) == before
    move(client, league, 1, FIRST + WEEK, anyway="on")
    assert days_of(league, 1) == [[FIRST + WEEK] * 2]


def test_rounds_that_move_together_are_not_in_the_way_of_each_other(client, league):
    assert messages_on(move(client, league, 1, FIRST + WEEK, later="later")) == [
        "Moved 12 matches."
    ]
    ends = {"starts_on": FIRST, "ends_on": FIRST + 6 * WEEK}
    season = Season.objects.create(club=league.club, name="Winter", **ends)
    TeamLeague.objects.filter(pk=league.pk).update(season=season)
    page = move(client, league, 1, FIRST + 2 * WEEK, later="later")
    (error,) = page.context["form"].errors["first_day"]
    assert "This day is outside the season." in error


def test_a_round_is_moved_to_another_day_and_with_a_reason(client, league):
    assert move(client, league, 1, FIRST).context["form"].errors["first_day"] == [
        "The round is on this day now. Choose another day."
    ]
    assert move(client, league, 1, FIRST + WEEK, reason="").context["form"].errors == {
        "reason": ["Add a short reason."]
    }


def test_after_a_week_off_each_round_is_the_next_and_the_last_one_on_its_new_day(client):
    """All later matches were “postponed, still to be played”, and no round the next."""
    today = timezone.localdate()
    league = with_fixtures(teams=6, pairs=1, starts_on=today - 3 * WEEK)
    client.force_login(a_user(club=league.club))
    for match in matches(league, 1):
        written(match, held_on=match.held_on, at=timezone.now() - 3 * WEEK)
    actions.move_round(league, 2, first_day=today - WEEK, **MOVED | {"later": True})
    alone = matches(league, 4)[0]
    actions.move_match(alone, held_on=today + 20 * WEEK, venue="", reason="Flu", by=TEST)
    for number, ago in ((2, WEEK), (3, 0 * WEEK)):
        notice = client.get(address("team_notice", league)).context
        titles = [title.partition(",")[0] for title, _lines in notice["to_play"]]
        assert titles[:2] == ["Next: round 3", "Postponed"]
        assert client.get(address("team_league", league)).context["now"].number == 3
        for match in matches(league, number):
            written(match, held_on=match.held_on, at=timezone.now() - ago)
        notice = client.get(address("team_notice", league)).context
        ((title, lines),) = notice["results"]
        assert title.startswith(f"Results of round {number}, {(today - ago).day} ")
        assert lines == [f"{match}: 3–0" for match in matches(league, number)]
        front = client.get(address("team_league", league)).context
        assert front["moved_since"] == (number, today - ago)
        assert [shown.match for shown in front["put_off"]] == [alone] * (number == 2)
    first, second, _third = (
        client.get(address("team_fixtures", league)).context["rounds"][3].matches
    )
    assert [first.state, second.state] == ["postponed", "to_play"]
    heading = client.get(address("team_fixtures", league)).context["rounds"][3].held_on
    assert heading == today + WEEK == second.match.held_on
    led = captain(league, second.match.home).get(address("team_mine", league)).text
    assert f"Postponed from {today.day} " in led


def test_a_season_brought_forward_has_a_next_and_a_last_round(client):
    today = timezone.localdate()
    league = with_fixtures(teams=4, pairs=1, starts_on=today)
    client.force_login(a_user(club=league.club))
    actions.move_round(league, 1, first_day=today - WEEK, **MOVED | {"later": True})
    for match in matches(league, 1):
        written(match, held_on=match.held_on, at=timezone.now() - WEEK)
    notice = client.get(address("team_notice", league)).context
    assert notice["week"].round.number == 1
    assert [title.partition(",")[0] for title, _lines in notice["to_play"]] == ["Next: round 2"]
