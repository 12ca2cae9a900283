"""Fixtures: all teams at home and away, shared venues, postponed and awarded matches."""

import re
from collections import Counter
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.exchange.views.calendar import match_entries, session_entries
from league.sessions.queries import local_date, players_last_time, sessions_of
from league.teams import actions
from league.teams.fixtures import clashes
from league.teams.models import Team, TeamMatch
from league.teams.queries import fixtures_of, players_of
from league.templatetags.figures import date_near
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.teams.leagues import a_league, matches, table, with_fixtures, written
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def test_all_teams_meet_at_home_and_away_one_round_a_week():
    league = with_fixtures(4)
    met = Counter((fixture.met.home, fixture.met.away) for fixture in fixtures_of(league))
    assert len(met) == 12
    assert set(met.values()) == {1}
    days = {fixture.match.round: fixture.match.held_on for fixture in fixtures_of(league)}
    assert days == {n: league.starts_on + timedelta(days=7 * (n - 1)) for n in range(1, 7)}


def test_an_odd_team_has_a_free_week_which_is_no_match():
    league = with_fixtures(5, twice=False)
    assert Counter(fixture.match.round for fixture in fixtures_of(league)) == dict.fromkeys(
        range(1, 6), 2
    )


def test_two_teams_of_one_venue_are_never_at_home_together_however_it_is_spelled():
    league = with_fixtures(8, venues=("The Crown", "the crown ", "The Bell", "The Bell"))
    homes = Counter()
    for fixture in fixtures_of(league):
        team = fixture.match.home
        homes[fixture.match.round, team.venue.strip().casefold()] += 1
    assert set(homes.values()) == {1}
    assert clashes(fixtures_of(league), league.teams.all()) == {}


def test_three_teams_of_one_venue_are_refused_by_its_name_unless_it_is_roomy():
    league = a_league(4, venues=("The Crown",) * 3)
    with pytest.raises(Exception, match="at The Crown:"):
        actions.make_fixtures(league, seed=1, by=TEST)
    Team.objects.update(roomy=True)
    assert len(actions.make_fixtures(league, seed=1, by=TEST)) == 12


def test_fixtures_are_deleted_only_while_nothing_is_played():
    league = with_fixtures(pairs=1)
    actions.discard_fixtures(league, by=TEST)
    actions.make_fixtures(league, seed=2, by=TEST)
    written(matches(league)[0])
    assert refusal(actions.discard_fixtures, league, by=TEST) == "played-already"


def test_a_postponed_match_keeps_its_first_day_and_the_reason():
    league = with_fixtures()
    match = matches(league)[0]
    first = match.held_on
    assert refusal(actions.move_match, match, held_on=None, venue="", reason="", by=TEST) == (
        "no-reason"
    )
    actions.move_match(match, held_on=None, venue="", reason="Snow", by=TEST)
    actions.move_match(match, held_on=first + timedelta(9), venue="", reason="Agreed", by=TEST)
    assert (match.first_date, match.postponed_reason) == (first, "Agreed")
    actions.move_match(match, held_on=first, venue="", reason="After all", by=TEST)
    assert match.first_date is None


def test_two_matches_moved_to_one_day_and_venue_are_shown(client):
    league = with_fixtures(4, venues=("The Crown", "The Crown"))
    crown = [o.match for o in fixtures_of(league) if o.match.home.venue == "The Crown"]
    first = crown[0]
    other = next(m for m in crown if m.home_id != first.home_id)
    first.league = league
    moved = {"venue": "", "reason": "Snow", "by": TEST, "anyway": True}
    actions.move_match(first, held_on=other.held_on, **moved)
    found = clashes(fixtures_of(league), league.teams.all())
    assert found == {(other.held_on, "The Crown"): 2}
    client.force_login(a_user(club=league.club))
    page = client.get(
        reverse("team_match", args=[league.club.slug, league.public_id, first.public_id])
    )
    assert "2 matches at The Crown on" in page.content.decode()


def test_an_awarded_match_is_won_and_the_award_can_be_undone():
    league = with_fixtures()
    match = matches(league)[0]
    stranger = league.teams.exclude(pk__in=[match.home_id, match.away_id]).first()
    assert refusal(actions.give_match, match, stranger, reason="x", **SAY) == "not-in-match"
    actions.give_match(match, match.away, reason="Nobody came", **SAY)
    assert table(league).records[match.away_id].wins == 1
    actions.take_match_back(match, by=TEST)
    assert table(league).records[match.away_id].wins == 0


def test_deducted_points_are_given_back():
    league = with_fixtures()
    team = league.teams.first()
    team.league = league
    taken = actions.deduct(team, 1, reason="Late card", **SAY)
    assert table(league).records[team.pk].deducted == 1
    actions.give_back(taken, **SAY)
    assert table(league).records[team.pk].deducted == 0


def test_settings_that_fixtures_depend_on_cannot_change_afterwards():
    league = with_fixtures()
    team = league.teams.first()
    team.league = league
    assert refusal(actions.drop_team, team, by=TEST) == "fixtures-made"


def test_a_cup_is_played_to_its_end_with_a_play_off_and_a_match_for_third_place():
    league = a_league(5, pairs=2, turns=2)
    cup = actions.make_cup(league, name="Cup", third_place=True, seed=1, by=TEST)
    for expected in (1, 2, 2):
        fixed = actions.draw_cup_matches(cup, held_on=date(2026, 11, 19), by=TEST)
        assert len(fixed) == expected
        for match in fixed:
            match.refresh_from_db()
            match.league = league
            written(match, 2)
            assert refusal(actions.draw_cup_matches, cup, held_on=None, by=TEST)
            actions.give_match(match, match.home, reason="Play-off", **SAY)
    assert refusal(actions.draw_cup_matches, cup, held_on=None, by=TEST) == "nothing-ready"


def test_a_correction_takes_back_the_cup_match_drawn_from_it_unless_that_is_played():
    league = a_league(4)
    cup = actions.make_cup(league, name="Cup", third_place=False, seed=1, by=TEST)
    semi, other = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    for match in (semi, other):
        match.league = league
        written(match, 5)
    (final,) = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    written(semi, 4)
    assert not TeamMatch.objects.filter(pk=final.pk).exists()
    (final,) = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    assert semi.away_id in (final.home_id, final.away_id)
    final.league = league
    written(final, 5)
    with pytest.raises(Exception, match="has been played"):
        written(semi, 5)


def test_the_printed_season_has_each_division_on_a_sheet_with_results_moved_days_and_venues(client):
    league = with_fixtures(4)
    played, moved = matches(league, 1)
    awarded, undated = matches(league, 2)
    written(played, held_on=played.held_on)
    plain = {"reason": "Snow", "by": TEST}
    actions.move_match(moved, held_on=date(2026, 12, 17), venue="The Ship", **plain)
    actions.give_match(awarded, awarded.home, reason="Snow", **SAY)
    actions.move_match(undated, held_on=None, venue="", **plain)
    address = [reverse(f"team_fixtures{print_}", args=[league.club.slug, league.public_id])
               for print_ in ("", "_print")]  # fmt: skip
    client.force_login(a_user(club=league.club))
    assert f'href="{address[1]}"' in client.get(address[0]).content.decode()
    sheet = client.get(address[1]).content.decode()
    for line in (
        f"{played}: 5–4",
        f"{moved}, postponed to Thursday 17 December, The Ship",
        f"{awarded}: awarded to {awarded.home.name}",
        f"{undated}, postponed, day to be agreed",
        str(matches(league, 6)[0]),
        f"{played.home.name}: {played.home.venue}",
    ):
        assert f"<li>{line}</li>" in sheet
    assert sheet.count('<section class="sheet">') == 1
    for number, name in enumerate(("North", "South"), 1):
        division = league.divisions.create(name=name, number=number)
        for team in (played.home, played.away) if number == 2 else (moved.home, moved.away):
            Team.objects.filter(pk=team.pk).update(division=division)
    sheet = client.get(address[1]).content.decode()
    assert sheet.count('<section class="sheet">') == 2
    assert sheet.index("North") < sheet.index(str(moved)) < sheet.index("South")


def test_fixtures_are_in_the_calendars_of_the_club_and_of_their_players():
    league = with_fixtures(4, venues=("The Crown",))
    first = matches(league)[0]
    whole = match_entries(league.club, league.starts_on)
    assert len(whole) == 12
    assert {entry.venue for entry in whole} >= {"The Crown"}
    mine = match_entries(league.club, league.starts_on, players_of(first.home)[0])
    assert len(mine) == 6
    before = next(entry for entry in whole if entry.uid.startswith(first.public_id))
    actions.move_match(first, held_on=before.day + timedelta(1), venue="", reason="Snow", by=TEST)
    after = match_entries(league.club, league.starts_on)
    moved = next(entry for entry in after if entry.uid == before.uid)
    assert (moved.day, moved.sequence) == (before.day + timedelta(1), before.sequence + 1)
    actions.move_match(first, held_on=None, venue="", reason="Snow again", by=TEST)
    assert len(match_entries(league.club, league.starts_on)) == 11


def test_a_match_is_not_listed_as_a_session():
    league = with_fixtures(2, pairs=1)
    match = written(matches(league)[0])
    assert not sessions_of(league.club).exists()
    night = a_session(league.club, held_on=match.session.held_on + timedelta(1))
    assert not players_last_time(night).exists()
    assert [entry.name for entry in session_entries(league.club, date(2026, 1, 1))] == [night.name]


def test_a_calendar_of_one_team_or_league_is_a_link_away_from_its_page(client):
    league = with_fixtures(4)
    today = local_date(league.club, timezone.now())
    TeamMatch.objects.update(held_on=today)
    a_session(league.club, held_on=today)
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    about = {"league": (league, 12), "team": (team, 6)}
    for name, (thing, many) in about.items():
        ids = [league.club.slug, league.public_id, *([team.public_id] if name == "team" else [])]
        shown = client.get(reverse(f"team{'_league' if name == 'league' else ''}", args=ids))
        address = f"{reverse('calendar', args=[league.club.slug])}?{name}={thing.public_id}"
        assert address in shown.content.decode()
        made = client.post(
            reverse("calendar_make", args=[league.club.slug]), {name: thing.public_id}
        )
        assert made.url == address
        feed = client.get(client.get(address).context["about_address"]).content.decode()
        assert feed.count("BEGIN:VEVENT") == many
    assert client.get(address.replace(team.public_id, "nothing")).status_code == 404


def test_the_text_for_the_newspaper_is_in_the_clubs_language_and_its_page_in_the_readers(client):
    league = with_fixtures(teams=4)
    league.club.language = "fr-ca"
    league.club.save()
    reader = a_user(club=league.club)
    reader.language = "de"
    reader.save()
    client.force_login(reader)
    shown = client.get(reverse("team_results_text", args=[league.club.slug, league.public_id]))
    assert "Classement" in shown.context["text"]
    assert "<h1>Ergebnisse als Text</h1>" in shown.content.decode()


@pytest.mark.parametrize("page", ["team_league", "team_fixtures"])
def test_a_match_names_its_day_only_where_it_is_not_the_round_s(client, page):
    """Each match of "Round 1 · 3 December 2026" said "Thu 3 Dec 2026" again."""
    league = with_fixtures(4, starts_on=timezone.localdate())
    moved, _other = matches(league, 1)
    tomorrow = league.starts_on + timedelta(days=1)
    TeamMatch.objects.filter(pk=moved.pk).update(held_on=tomorrow, first_date=league.starts_on)
    client.force_login(a_user(club=league.club))
    text = client.get(reverse(page, args=[league.club.slug, league.public_id])).text
    first_round = text[text.index("Round 1") :].partition("</section>")[0]
    days = re.findall(r'soft small">(\w{3} \d+ \w{3}[^<]*)<', first_round)
    assert days == [f"{tomorrow:%a} {tomorrow.day} {tomorrow:%b}"]


def test_a_day_has_its_year_only_if_that_is_another(monkeypatch):
    monkeypatch.setattr(timezone, "localdate", lambda: date(2026, 11, 30))
    assert date_near(date(2026, 12, 1), "D j M Y") == "Tue 1 Dec"
    assert date_near(date(2026, 12, 1), "F j, Y") == "December 1"
    assert date_near(date(2027, 1, 7), "D j M Y") == "Thu 7 Jan 2027"
