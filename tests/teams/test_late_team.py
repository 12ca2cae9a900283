"""A team that joins after the fixtures are made: previewed, added, and no other match changes."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from league.members.models import AuditEntry
from league.teams import actions
from league.teams.fixtures import plan_of
from league.teams.models import TeamMatch
from league.teams.queries import fixtures_of
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, table, with_fixtures, written
from tests.teams.test_pages import address, messages_on
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SIDES = ("home_id", "away_id")
OCTOBER = datetime(2026, 10, 1, 20, tzinfo=UTC)


def newcomer(league, name="Swifts", venue=""):
    people = [f"{name} {n}" for n in range(2 * league.pairs)]
    text = {"name": name, "venue": venue, "roomy": False, "names": people, "captain": people[0]}
    team = actions.save_team(league, None, by=TEST, **text)
    team.league = league
    return team


def join_late(league, name="Swifts", at=OCTOBER, **more):
    team = newcomer(league, name, **more)
    plan = plan_of(league, team, seed=7, today=at.date())
    actions.join_fixtures(team, seed=7, seen=plan.seen, by=TEST, at=at)
    return team


def stored_matches(league):
    return {row["id"]: row for row in TeamMatch.objects.filter(league=league).values()}


def week_of(league, day):
    return (day - league.starts_on).days // league.days_between


def matches_by_week(league):
    """How often each team plays in each week."""
    found = Counter()
    for fixture in fixtures_of(league):
        week = week_of(league, fixture.match.held_on)
        found.update((week, team) for team in fixture.met.teams)
    return found


def test_it_meets_all_teams_at_home_and_away_in_free_weeks_and_no_match_changes():
    league = with_fixtures(5, pairs=1, turns=1)
    first, other = matches(league)
    written(first, 1)
    moved = {"venue": "", "reason": "Snow", "by": TEST, "anyway": True}
    actions.move_match(other, held_on=date(2026, 10, 15), **moved)
    before = stored_matches(league)
    team = join_late(league)
    after = stored_matches(league)
    assert {key: after[key] for key in before} == before
    new_matches = [after[key] for key in after if key not in before]
    met = Counter((fixture["home_id"], fixture["away_id"]) for fixture in new_matches)
    other_teams = league.teams.exclude(pk=team.pk).values_list("pk", flat=True)
    assert met == Counter(
        [(team.pk, rival) for rival in other_teams] + [(rival, team.pk) for rival in other_teams]
    )
    assert min(fixture["held_on"] for fixture in new_matches) > OCTOBER.date()
    busy = matches_by_week(league)
    assert {
        busy[week_of(league, o["held_on"]), o[side]] for o in new_matches for side in SIDES
    } == {1}
    assert len({fixture["round"] for fixture in new_matches}) == 10
    assert {fixture["round"] for fixture in new_matches} & set(range(6, 11))


def test_a_team_that_left_makes_room_and_cannot_return_into_weeks_that_are_taken():
    league = with_fixtures(4, pairs=1, turns=1)
    gone = league.teams.last()
    gone.league = league
    actions.withdraw_team(gone, by=TEST, at=EIGHT - timedelta(days=99))
    join_late(league, at=OCTOBER - timedelta(days=40))
    assert max(fixture.match.round for fixture in fixtures_of(league)) == 6
    assert refusal(actions.return_team, gone, by=TEST, at=EIGHT) == "joined-since"


def test_a_plan_that_no_longer_fits_is_not_added():
    league = with_fixtures(3, pairs=1, turns=1)
    team = newcomer(league)
    plan = plan_of(league, team, seed=7, today=OCTOBER.date())
    say = {"seed": 7, "seen": plan.seen, "by": TEST}
    late = OCTOBER + timedelta(days=14)
    assert refusal(actions.join_fixtures, team, at=late, **say) == "plan-changed"
    actions.join_fixtures(team, at=OCTOBER, **say)
    assert refusal(actions.join_fixtures, team, at=OCTOBER, **say) == "joined-already"
    assert refusal(actions.drop_team, team, by=TEST) == "fixtures-made"
    entry = AuditEntry.objects.get(action="join fixtures")
    assert entry.new == {"matches": 6, "rounds_added": 5, "seed": 7}


def test_deleted_fixtures_are_made_again_with_all_teams():
    league = with_fixtures(3, pairs=1, turns=1)
    team = join_late(league)
    actions.discard_fixtures(league, by=TEST)
    actions.make_fixtures(league, seed=1, by=TEST)
    team.refresh_from_db()
    assert (team.joined_at, league.matches.count()) == (None, 12)


def test_an_organiser_enters_a_late_team_sees_its_matches_and_adds_them(client):
    league = with_fixtures(3, pairs=1, turns=1)
    league.starts_on = timezone.now().date()
    league.club.visibility = "standings"
    league.club.save()
    text = {"name": "Swifts", "names": "Ann\nBob", "captain": "Ann", "venue": "The Swan"}
    url = address("team_new", league)
    client.force_login(a_user(club=league.club))
    assert "no other match changes" in client.get(url).content.decode()
    page = client.post(url, text, follow=True)
    team = league.teams.get(name="Swifts")
    assert len(page.context["rows"]) == 6
    assert messages_on(page) == ["Added Swifts. New players: Ann, Bob."]
    assert "6 matches, 3 of them at home" in page.content.decode()
    assert client.get(address("team_league", league)).context["next"].page == "team_join"
    plan, seed = page.context["plan"], page.context["seed"]
    url = address("team_join", league, team.public_id)
    assert messages_on(client.post(url, {"seed": seed, "seen": "other"}, follow=True)) == [
        "Something has changed. Check the matches again."
    ]
    page = client.post(url, {"seed": seed, "seen": plan.seen}, follow=True)
    assert messages_on(page) == ["Added 6 matches."]
    assert len(page.context["matches"]) == 6
    assert client.get(url).context["plan"] is None
    assert client.post(url, {"seed": "x"}).status_code == 302
    client.logout()
    for name in ("team_fixtures", "team"):
        more = [team.public_id] if name == "team" else []
        text = client.get(address(name, league, *more)).content.decode()
        assert "Swifts joined on" in text
        assert "No other match was changed." in text


def test_the_table_counts_a_late_teams_matches_as_any_others():
    league = with_fixtures(3, pairs=1, turns=1)
    team = join_late(league)
    match = next(m.match for m in fixtures_of(league) if team.pk in m.met.teams)
    match.league = league
    written(match, 1 if match.home_id == team.pk else 0)
    assert table(league).lines[0].who == team.pk
