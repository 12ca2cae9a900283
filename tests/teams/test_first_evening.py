"""What a secretary needs on a first evening: holidays in the draw, awards, late cards, the games of
pairs, and where the club shows its leagues."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from league.members.actions import adopt_preset
from league.teams import actions
from league.teams.forms import LeagueForm
from league.teams.led_teams import running_leagues
from league.teams.match_forms import holidays_in
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import rules_of
from league.teams.text import walkover_rule
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import a_league, matches, with_fixtures, written
from tests.teams.test_pages import address, captain

pytestmark = pytest.mark.django_db


def page_of(name, league, *more):
    return reverse(name, args=[league.club.slug, league.public_id, *more])


def test_the_draw_offers_the_holidays_that_the_season_spans_and_leaves_their_weeks_out(client):
    league = a_league(6, starts_on=date(2026, 11, 5))
    client.force_login(a_user(club=league.club))
    offered = {"2026-12-24", "2026-12-25", "2026-12-26", "2026-12-31", "2027-01-01"}
    assert {day.isoformat() for day in holidays_in(league)} == offered
    draw = client.get(page_of("team_draw", league))
    assert "Dates on which nobody plays" in draw.content.decode()
    assert "Add your players" not in draw.content.decode()  # the first night of a club has steps
    days = {"holidays": ["2026-12-24", "2026-12-31"], "others": "2026-11-26"}
    answer = client.post(page_of("team_draw_days", league), days, follow=True)
    assert answer.context["days_form"].initial == {
        "holidays": ["2026-12-24", "2026-12-31"], "others": "26 November 2026",
    }  # fmt: skip
    rounds = [round_.held_on for round_ in answer.context["rounds"]]
    assert len(rounds) == 10
    assert not {date(2026, 11, 26), date(2026, 12, 24), date(2026, 12, 31)} & set(rounds)
    assert date(2027, 1, 7) in rounds


def test_a_draft_stays_the_same_until_it_is_redrawn_or_a_team_changes(client):
    league = a_league(4)
    client.force_login(a_user(club=league.club))
    draft = client.get(page_of("team_draw", league))
    first, again = draft.context["seen"], client.get(page_of("team_draw", league)).context["seen"]
    assert again == first
    assert "It stays the same until you redraw it" in draft.content.decode()
    made = {"seed": draft.context["seed"], "seen": first}
    actions.drop_team(league.teams.last(), by=TEST)
    answer = client.post(page_of("team_fixtures_make", league), made, follow=True)
    assert "Teams or dates have changed, so the fixtures were redrawn." in answer.content.decode()
    assert answer.context["seen"] != first
    redrawn = client.post(page_of("team_redraw", league), follow=True)
    assert "Redrew the fixtures." in redrawn.content.decode()
    assert redrawn.context["seed"] != made["seed"]
    assert client.get(page_of("team_draw", league)).context["seed"] == redrawn.context["seed"]


def test_leading_players_without_a_card_lead_to_the_first_card_and_the_fixtures(client):
    league = with_fixtures(4, pairs=1)
    client.force_login(a_user(club=league.club))
    shown = client.get(page_of("team_records", league)).content.decode()
    first = matches(league)[0]
    assert page_of("team_card", league, first.public_id) in shown
    assert page_of("team_fixtures", league) in shown
    league.matches.update(held_on=date(2099, 1, 1))  # nothing to fill in yet
    shown = client.get(page_of("team_records", league)).content.decode()
    assert "Fill in the card" not in shown
    assert page_of("team_fixtures", league) in shown
    order = "Most games won first, then fewest games played, then the longest unbeaten run."
    assert order not in shown
    written(first)
    shown = client.get(page_of("team_records", league)).content.decode()
    assert order in shown
    assert page_of("team_fixtures", league) not in shown


def test_a_season_in_spring_offers_no_holidays_and_a_wrong_date_is_refused(client):
    league = a_league(4, starts_on=date(2027, 3, 4))
    client.force_login(a_user(club=league.club))
    assert holidays_in(league) == []
    page = client.get(page_of("team_draw", league)).content.decode()
    assert "Dates on which nobody plays" in page
    assert "Other dates" not in page
    answer = client.post(page_of("team_draw_days", league), {"others": "Easter"}, follow=True)
    assert "“Easter” isn&#x27;t a date." in answer.content.decode()
    assert "Easter" in answer.content.decode()  # as it was typed


def test_an_award_says_what_it_does_and_is_made_only_when_that_is_ticked(client):
    league = with_fixtures(4)
    match = matches(league)[0]
    client.force_login(a_user(club=league.club))
    page = client.get(page_of("team_match", league, match.public_id)).content.decode()
    assert walkover_rule(rules_of(league)) in page
    award = {"given_to": match.home.public_id, "reason": "Snow"}
    client.post(page_of("team_match_give", league, match.public_id), award)
    match.refresh_from_db()
    assert not match.is_given
    client.post(page_of("team_match_give", league, match.public_id), {**award, "sure": "on"})
    match.refresh_from_db()
    assert match.given_to == match.home
    awarded = client.get(page_of("team_match", league, match.public_id)).content.decode()
    assert f"Awarded to {match.home}: Snow · Decided by" in " ".join(strip_tags(awarded).split())
    assert "optional" not in page[page.index("Award the match") :]
    other = matches(league)[1]
    neither = {"given_to": "nobody", "reason": "Snow", "sure": "on"}
    client.post(page_of("team_match_give", league, other.public_id), neither)
    other.refresh_from_db()
    assert other.given_nobody


@pytest.mark.parametrize(("points", "offered"), [(1, True), (0, False)])
def test_a_late_card_is_excused_only_where_it_costs_something(client, points, offered):
    late = {"weekday": "sat", "time": "12:00", "points": points, "from": "winner"}
    league = with_fixtures(4, pairs=1)
    TeamLeague.objects.update(rules={**league.rules, "late": late})
    match = written(matches(league)[0], held_on=date(2026, 9, 3))
    assert match.received_at == EIGHT
    client.force_login(a_user(club=league.club))
    page = client.get(page_of("team_match", league, match.public_id)).content.decode()
    assert ("Waive the late-card penalty" in page) is offered


def test_a_league_of_pairs_does_not_offer_games_of_single_players():
    league = a_league(0)
    single = adopt_preset(league.club, preset="call-ace-four", by=TEST)
    form = LeagueForm(club=league.club)
    assert single.players == 4
    assert single not in form.fields["ruleset"].queryset
    assert form.fields["ruleset"].queryset.exists()


def test_a_captain_reads_on_the_clubs_page_that_a_match_of_theirs_is_overdue():
    league = with_fixtures(4, starts_on=date(2020, 11, 19))
    own, other = matches(league)
    page = reverse("club", args=[league.club.slug])
    for match in TeamMatch.objects.filter(league=league).exclude(pk=other.pk):
        match.league = league
        actions.give_match(match, match.home, reason="Snow", by=TEST, at=EIGHT)
    badge = f'href="{address("team_league", league)}#overdue">A match is overdue</a>'
    captains = captain(league, other.home)
    assert badge in captains.get(page).content.decode()
    assert "overdue" not in captain(league, own.home).get(page).content.decode()
    again = next(m for m in matches(league, 2) if m.side_of(other.home) is not None)
    actions.take_match_back(again, by=TEST)
    assert "2 matches are overdue</a>" in captains.get(page).content.decode()


def test_the_clubs_page_lists_leagues_under_way_with_their_next_match_night(client):
    league = with_fixtures(4, starts_on=date(2026, 11, 19))
    actions.give_match(
        matches(league)[0], matches(league)[0].home, reason="Snow", by=TEST, at=EIGHT
    )
    (now,) = running_leagues(league.club, since=date(2026, 11, 20))
    assert now.next_night == date(2026, 11, 26)
    client.force_login(a_user(club=league.club))
    page = client.get(reverse("club", args=[league.club.slug])).content.decode()
    assert "Team leagues" in page
    assert page_of("team_league", league) in page


def test_the_next_match_night_of_a_league_is_one_on_which_a_match_is_played():
    league = with_fixtures(4, starts_on=date(2026, 11, 19), rules={"withdrawal": "stand"})
    off, moved = matches(league)
    actions.withdraw_team(off.home, by=TEST, at=EIGHT)
    actions.move_match(moved, held_on=date(2026, 11, 24), venue="", reason="Snow", by=TEST)
    (now,) = running_leagues(league.club, since=date(2026, 11, 19))
    assert now.next_night == date(2026, 11, 24)


@pytest.mark.parametrize("left", [False, True])
def test_a_match_whose_day_is_past_is_overdue_on_the_screen_and_on_paper(client, left):
    league = with_fixtures(4, starts_on=timezone.localdate() - timedelta(days=3))
    overdue, other = matches(league)
    if left:
        actions.withdraw_team(other.home, by=TEST, at=timezone.now())
    client.force_login(a_user(club=league.club))
    for name, page in (("team_fixtures", ()), ("team_match", (overdue.public_id,))):
        assert "overdue</span>" in client.get(address(name, league, *page)).text, name
    assert "Overdue</h2>" in client.get(address("team_notice", league)).text
    coming = matches(league, 2)[0]
    shown = client.get(address("team_match", league, coming.public_id)).text
    assert ("overdue</span>" in shown, "to play</span>" in shown) == (False, not coming.left_team)


def test_import_comes_first_before_the_fixtures_and_below_the_table_afterwards(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    page = client.get(page_of("team_league", league)).content.decode()
    heading = "Coming from a spreadsheet?"
    assert page.count(heading) == 1
    assert page.index("League table") < page.index(heading)


def test_a_row_of_the_table_has_one_fold_with_its_reason_and_its_figures(client):
    league = with_fixtures(pairs=1)
    client.force_login(a_user(club=league.club))
    first, second = matches(league)
    written(first, 6)
    written(second, 5)
    page = client.get(page_of("team_league", league)).content.decode()
    table = page[page.index("<table") : page.index("</table>")]
    assert table.count("<details") == league.teams.count()
    assert table.count("Details") == league.teams.count()
