"""A team joins and the remaining rounds are redrawn: compared with the other way, then chosen."""

from collections import Counter
from datetime import date, time, timedelta

import pytest
from django.utils import timezone

from league.exchange.views.calendar import match_entries
from league.members.models import AuditEntry
from league.teams import actions
from league.teams.fixtures import plan_reschedule
from league.teams.queries import fixtures_of
from tests.builders import TEST, a_user
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_late_team import SIDES, newcomer, stored_matches
from tests.teams.test_pages import address, messages_on
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SEPTEMBER = timezone.make_aware(timezone.datetime(2026, 9, 4, 20))


def test_matches_played_or_dated_by_hand_do_not_change_and_calendars_follow_the_others():
    league = with_fixtures(4, pairs=1, turns=1)
    for match in matches(league):
        written(match, 1)
    given, put_off = matches(league, 2)
    actions.give_match(given, given.home, reason="Snow", by=TEST, at=SEPTEMBER)
    actions.move_match(put_off, held_on=None, venue="", reason="Snow", by=TEST)
    league.matches.update(begins_at=time(18, 15))
    before = stored_matches(league)
    sent = {entry.uid: entry for entry in match_entries(league.club, date(2026, 9, 1))}
    team = newcomer(league)
    plan = plan_reschedule(league, team, seed=7, today=SEPTEMBER.date())
    actions.join_by_reschedule(team, seed=7, seen=plan.seen, by=TEST, at=SEPTEMBER)
    after = stored_matches(league)
    alone = set(before) - set(plan.moving)
    assert len(alone) == 4
    assert {key: after[key] for key in alone} == {key: before[key] for key in alone}
    rounds = Counter((row["round"], row[side]) for row in after.values() for side in SIDES)
    assert set(rounds.values()) == {1}
    met = Counter((row["home_id"], row["away_id"]) for row in after.values())
    assert (len(met), set(met.values())) == (20, {1})
    moved = {match.key for match in plan.moved}
    assert moved
    changed = {key for key in before if after[key]["revision"] > before[key]["revision"]}
    assert changed == moved
    assert {key for key in before if after[key]["begins_at"] is None} == moved
    now = {entry.uid: entry for entry in match_entries(league.club, date(2026, 9, 1))}
    for key in moved:
        uid = f"{after[key]['public_id']}@right-bower"
        assert now[uid].sequence == sent[uid].sequence + 1
        assert now[uid].day == after[key]["held_on"]
    entry = AuditEntry.objects.get(action="join fixtures drawn anew")
    added = max(row["round"] for row in after.values()) - 6
    assert entry.new == {"matches": 8, "moved": len(moved), "rounds_added": added, "seed": 7}
    assert added < 8


def test_a_redraw_that_no_longer_fits_is_refused():
    league = with_fixtures(4, pairs=1, turns=1)
    team = newcomer(league)
    plan = plan_reschedule(league, team, seed=7, today=SEPTEMBER.date())
    (first, _other) = matches(league, 3)
    actions.move_match(first, held_on=None, venue="", reason="Snow", by=TEST)
    before = stored_matches(league)
    say = {"seed": 7, "seen": plan.seen, "by": TEST, "at": SEPTEMBER}
    assert refusal(actions.join_by_reschedule, team, **say) == "plan-changed"
    assert stored_matches(league) == before


def test_an_organiser_sees_both_ways_side_by_side_and_chooses_one(client):
    league = with_fixtures(4, pairs=1, turns=1, starts_on=timezone.now().date() - timedelta(1))
    team = newcomer(league)
    client.force_login(a_user(club=league.club))
    url = address("team_join", league, team.public_id)
    page = client.get(url)
    text = page.content.decode()
    assert "8 more rounds, the last match on" in text
    assert "4 more rounds, the last match on" in text
    assert page.context["rescheduled_last_day"] < page.context["last_day"]
    say = {
        "seed": page.context["seed"],
        "seen": page.context["rescheduled"].seen,
        "way": "reschedule",
    }
    assert len(messages_on(client.post(url, say | {"way": "third"}, follow=True))) == 1
    assert messages_on(client.post(url, say, follow=True)) == ["Added 8 matches."]
    assert max(fixture.match.round for fixture in fixtures_of(league)) == 10
    text = client.get(address("team_fixtures", league)).content.decode()
    assert "The remaining rounds were redrawn for it" in text
    assert "No other match was changed." not in text
    actions.discard_fixtures(league, by=TEST)
    team.refresh_from_db()
    assert not team.drawn_anew
