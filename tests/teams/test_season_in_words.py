"""What a league's pages, texts, calendar and log say in the course of a season."""

import re
from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.urls import reverse

from league.errors import Refused
from league.exchange.views.calendar import match_entries
from league.members.models import AuditEntry
from league.teams import actions
from league.teams.match_forms import GiveGameForm
from league.teams.models import TeamLeague
from league.teams.queries import players_of
from tests.builders import EIGHT, TEST, a_ruleset, a_user
from tests.teams.leagues import PLAIN, a_league, matches, with_fixtures, written
from tests.teams.test_pages import address
from tests.teams.test_rules_pages import save_form

pytestmark = pytest.mark.django_db


def test_a_league_is_not_made_twice_while_the_first_of_its_name_is_open():
    league = a_league(2)
    again = {**PLAIN, "name": "WINTER league", "target": 21, "seed": 1}
    again |= {"ruleset": a_ruleset(league.club), "by": TEST}
    with pytest.raises(Refused, match="There is an open league of this name") as refused:
        actions.make_league(league.club, **again)
    assert "name" in refused.value.fields
    actions.set_league_state(league, TeamLeague.State.CANCELLED, by=TEST, at=EIGHT)
    assert actions.make_league(league.club, **again).pk


def test_a_namesake_in_another_team_is_refused_with_the_way_to_go_on():
    league = a_league(2)
    _rovers, united = league.teams.all()
    words = "Rovers 1 plays for Rovers. Another Rovers 1? Write Rovers 1 (United)."
    with pytest.raises(Refused, match=re.escape(words)):
        actions.sign_on(united, name="rovers 1", by=TEST, at=EIGHT)
    actions.sign_on(united, name="Rovers 1 (United)", by=TEST, at=EIGHT, same_name=True)


def test_the_newspapers_table_has_a_line_for_each_team_and_names_the_champions(client):
    league = with_fixtures(teams=2, twice=False)
    team = league.teams.first()
    team.name = "The Worshipful Company of Playing Card Makers"
    team.save()
    match = matches(league)[0]
    actions.give_match(match, match.home, reason="Snow", by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    text = client.get(address("team_results_text", league)).context["text"]
    rows = text.partition("Table\n")[2].splitlines()[:2]
    assert rows[0].startswith("1 United: Played 1 · Won 1 · Lost 0 · ")
    assert rows[1].startswith(f"2 {team.name}: ")
    assert rows[0].count("(champions)") == 1
    assert "(champions)" not in rows[1]


def test_a_deduction_stands_once_below_the_table(client):
    league = with_fixtures(teams=2)
    team = league.teams.first()
    actions.deduct(team, 3, reason="No-show", by=TEST, at=EIGHT)
    page = address("team_league", league)
    client.force_login(a_user(club=league.club, rank="member"))
    text = client.get(page).text
    assert f"* Points deducted from {team}: 3 (No-show)" in text
    assert text.count("Points deducted from") == 1
    assert f"* Points deducted from {team}: 3" in client.get(address("team_notice", league)).text


def test_a_played_match_that_is_void_since_a_team_left_is_cancelled_in_the_calendar():
    league = with_fixtures(teams=4, rules={"withdrawal": "void"}, pairs=1)
    match = written(matches(league)[0])
    day = match.held_on - timedelta(days=1)
    before = {entry.uid: entry for entry in match_entries(league.club, day)}
    match.home.league = league
    actions.withdraw_team(match.home, by=TEST, at=EIGHT)
    (entry,) = [e for e in match_entries(league.club, day) if match.public_id in e.uid]
    assert (before[entry.uid].status, entry.status) == ("CONFIRMED", "CANCELLED")
    assert entry.sequence > before[entry.uid].sequence


def test_a_decision_without_a_reason_asks_for_a_short_one():
    match = matches(with_fixtures(2))[0]
    form = GiveGameForm({}, match=match)
    assert form.errors["reason"] == ["Add a short reason."]


def test_the_log_says_what_changed_in_a_leagues_rules_and_nothing_where_nothing_did(client):
    league = with_fixtures(teams=2)
    client.force_login(a_user("olive", club=league.club))
    changed = AuditEntry.objects.filter(action="change league rules")
    save_form(client, "team_rules_edit", league)
    assert not changed.exists()
    day = league.starts_on + timedelta(days=7)
    save_form(client, "team_rules_edit", league, blank_days=day.isoformat())
    assert changed.count() == 1
    text = client.get(reverse("audit", args=[league.club.slug])).text
    assert "Weeks without matches: <ins>10 Sep 2026" in text


def test_what_bringing_a_team_back_does_is_said_before(client):
    league = with_fixtures(teams=4)
    team = league.teams.first()
    team.league = league
    actions.withdraw_team(team, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    text = client.get(address("team", league, team.public_id)).text
    assert "Its matches count again" in text


def test_the_log_names_the_league_where_two_leagues_have_teams_of_one_name(client):
    league = with_fixtures(teams=2, starts_on=date(2099, 9, 3))
    other = actions.start_second_competition(
        league, name="Second", walkover=Fraction(1), by=TEST, at=EIGHT
    )
    match = matches(league)[0]
    moved = {"held_on": date(2099, 9, 24), "venue": "", "reason": "Snow", "by": TEST}
    actions.move_match(match, **moved)
    actions.leave_message(match, text="Snow", by=TEST, at=EIGHT)
    team = {"name": match.home.name, "venue": "The Bell", "roomy": False, "by": TEST}
    names = [player.name for player in players_of(match.home)]
    actions.save_team(league, match.home, names=names, **team)
    actions.play_again(written(match), held_on=None, reason="Appeal", by=TEST, at=EIGHT)
    client.force_login(a_user("olive", club=league.club))
    text = client.get(reverse("audit", args=[league.club.slug])).text
    own, its = (address("team_league", one) for one in (league, other))
    for words in (
        "Moved or postponed team match:", "Sent match message:", "Saved team:",
        "Ordered replay of match:",
    ):  # fmt: skip
        row = text.partition(words)[2].partition("</td>")[0]
        assert f'href="{own}"' in row, words
        assert f'href="{its}"' not in row, words
    assert league.public_id not in unquoted(text)


def unquoted(text):
    """A page without its addresses."""
    return re.sub(r'"[^"]*"', "", text)
