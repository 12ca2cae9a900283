"""A team's page: its matches in the league and its cups by their day, and what comes next; the
latest results on the league's page."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.actions import erase_member
from league.members.models import Club
from league.teams import actions
from league.teams.models import Team, TeamLeague
from league.teams.queries import fixtures_of, match_records, tables_of
from league.teams.tables import rows_of
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.teams.leagues import matches, table, two_divisions, with_fixtures, written
from tests.teams.test_closed_league import a_season, eight_on
from tests.teams.test_pages import address, captain

pytestmark = pytest.mark.django_db


def test_a_teams_matches_are_by_their_day_with_cups_and_the_next_one_is_marked(client):
    today = timezone.localdate()
    league = with_fixtures(teams=2, starts_on=today - timedelta(days=10), days_between=7)
    late, played = matches(league, 1)[0], matches(league, 2)[0]
    cup = actions.make_cup(
        league, name="Ship Cup", third_place=False, seed=1, by=TEST, held_on=today
    )
    cup_match = cup.matches.get()
    actions.move_match(
        late, held_on=today + timedelta(days=3), venue="", reason="Snow", by=TEST, anyway=True
    )
    written(played, held_on=played.held_on, at=timezone.now())
    team = late.home
    client.force_login(a_user(club=league.club))
    answer = client.get(address("team", league, team.public_id))
    assert [shown.match for shown in answer.context["matches"]] == [played, cup_match, late]
    assert answer.context["upcoming"].match == cup_match
    shown = " ".join(answer.content.decode().split())
    assert shown.count("next match") == 1
    assert shown.index("Ship Cup") < shown.index("next match") < shown.index("Snow")


def test_captains_fill_in_their_cards_from_the_page_of_their_team_and_from_my_teams(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate())
    match, other = matches(league)
    home = captain(league, match.home)
    card = address("team_card", league, match.public_id)
    for page in (address("team", league, match.home.public_id), address("team_mine", league)):
        shown = home.get(page).content.decode()
        assert shown.count("Fill in the card") == shown.count(card) == 1, page  # not next month's
    theirs = home.get(address("team", league, other.home.public_id)).content.decode()
    assert address("team_card", league, other.public_id) not in theirs


def test_the_captain_is_marked_in_the_list_of_the_team(client):
    league = with_fixtures(teams=2)
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    shown = client.get(address("team", league, team.public_id))
    leaders = [name for name, _page, leads in shown.context["people"] if leads]
    assert leaders == [team.captain.name]
    assert shown.content.decode().count("(captain)") == 1


def test_the_fixtures_of_divisions_are_read_at_once(client, django_assert_num_queries):
    league, _teams = two_divisions()
    client.force_login(a_user(club=league.club))
    client.get(address("team_fixtures", league))
    with django_assert_num_queries(6):
        text = client.get(address("team_fixtures", league)).content.decode()
    assert text.count('<li class="match">') == 4


def test_a_players_own_team_is_marked_in_the_table_and_pinned_below_it_with_its_move(client):
    league = with_fixtures(teams=4)
    first, second = matches(league, 1), matches(league, 2)
    written(first[0], 6, held_on=first[0].held_on)
    written(first[1], 5, held_on=first[1].held_on)
    member = captain(league, first[1].home)
    shown = member.get(address("team_league", league)).content.decode()
    assert "▲" not in shown  # there is no round before
    for match in second:  # the second best so far takes the lead
        written(
            match, 9 if match.home == first[1].home else 0 if match.away == first[1].home else 5
        )
    answer = member.get(address("team_league", league))
    ((_division, rows),) = answer.context["divisions"]
    assert (rows[0].team, rows[0].rank, rows[0].climbed) == (first[1].home, 1, 1)
    shown = " ".join(answer.content.decode().split())
    row = shown[shown.index('<tr class="mine">') :].partition("</tr>")[0]
    assert first[1].home.name in row
    assert "▲" in row
    assert "up 1 place" in row
    pinned = shown[shown.index('class="my-place"') :]
    assert pinned.index(first[1].home.name) < pinned.index("1st place") < pinned.index("4")
    assert '<span class="in-full">Points</span>' in pinned
    assert "places up or down since the table before round 2 (10 September)." in shown
    client.force_login(a_user(club=league.club))
    shown = client.get(address("team_league", league)).content.decode()
    assert "my-place" not in shown
    assert 'class="mine"' not in shown


def test_a_match_brought_forward_moves_no_team_as_if_its_round_were_the_last(client):
    league = with_fixtures(teams=4, pairs=1)
    for match in matches(league, 1):
        written(match, 6, held_on=match.held_on)
    early = matches(league, 5)[0]
    written(early, 9, held_on=matches(league, 2)[0].held_on)
    client.force_login(a_user(club=league.club))
    ((_division, rows),) = client.get(address("team_league", league)).context["divisions"]
    assert not any(row.climbed for row in rows)


def test_a_withdrawal_or_deduction_moves_teams_from_the_table_before_it_and_does_not_change_that():
    league = with_fixtures(teams=4, pairs=1)
    for number, wins in ((1, 6), (2, 5)):
        for match in matches(league, number):
            written(match, wins, held_on=match.held_on)
    before, team = table(league).before, matches(league, 1)[0].home
    first_day = matches(league, 2)[0].held_on
    assert before[team.pk] == 1
    fined = next(key for key, place in before.items() if place == 1 and key != team.pk)
    actions.deduct(Team.objects.get(pk=fined), 4, reason="No card", by=TEST, at=eight_on(first_day))
    assert table(league).before == before
    actions.withdraw_team(team, by=TEST, at=eight_on(first_day))
    now = table(league)
    assert now.before == before
    climbed = {row.team.pk: row.climbed for row in rows_of(now, league.teams.all())}
    assert (climbed[fined], climbed[team.pk]) == (-2, 0)
    Team.objects.filter(pk=team.pk).update(withdrawn_at=eight_on(first_day - timedelta(days=1)))
    assert team.pk not in table(league).before


@pytest.mark.parametrize("seed", range(3))
def test_moves_leave_out_the_last_round_and_what_was_played_since_its_day(seed):
    league, _finished = a_season(seed)
    fixtures, teams = fixtures_of(league), list(league.teams.all())
    started = [m.match for m in fixtures if m.met.has_card and not m.match.is_brought_forward]
    last = max(match.round for match in started)
    first_day = min(m.first_date or m.held_on for m in started if m.round == last)
    (now,) = tables_of(league, teams, fixtures).values()
    since = league.matches.filter(round=last) | league.matches.filter(
        held_on__gte=first_day, given_to=None
    )
    since.update(card=[], given_to=None)
    before = table(league)
    assert now.before == {line.who: line.rank for line in before.lines}
    assert {row.team.pk: row.climbed for row in rows_of(now, teams)} == {
        line.who: now.before[line.who] - line.rank for line in now.lines
    }


def test_the_leagues_page_has_the_six_latest_results_before_its_table_and_one_link_to_all(client):
    league = with_fixtures(teams=4, starts_on=date(2026, 9, 3))
    all_results = f'href="{address("team_fixtures", league)}"'
    client.force_login(a_user(club=league.club))
    for match in league.matches.all():
        match.card, match.held_on = [[21, 15]] * 9, date(2026, 9, 3)
        match.save()
    answer = client.get(address("team_league", league))
    shown = answer.content.decode()
    latest = shown.partition("Latest results</h2>")[2].partition("</section>")[0]
    rounds = [int(n) for n in re.findall(r"Round (\d)", latest)]
    assert rounds == [6, 6, 5, 5, 4, 4]
    assert shown.count(all_results) == 1
    assert "All fixtures and results" in shown
    last = league.matches.order_by("round").last()
    actions.give_match(last, last.home, reason="Snow", by=TEST, at=timezone.now())
    assert f"awarded to {last.home}" in client.get(address("team_league", league)).text


def test_of_results_confirmed_on_one_day_those_played_last_come_first(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=20))
    Club.objects.update(confirm="opponent")
    league.club.refresh_from_db()
    now, played = timezone.now(), [*matches(league, 1), *matches(league, 2)]
    for match in played:
        written(match, held_on=match.held_on, at=now - timedelta(minutes=1), side=0)
        actions.confirm_card(match, side=1, by=TEST, at=now)
    client.force_login(a_user(club=league.club))
    results = client.get(address("team_league", league)).context["results"]
    assert [shown.match for shown in results] == [*played[2:], *played[:2]]


def test_the_leagues_page_has_the_last_results_and_a_captains_own_overdue_match_in_the_open(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=9))
    Club.objects.update(visibility="standings")
    played, overdue = matches(league)
    written(played, held_on=played.held_on, at=timezone.now())
    result = "Latest results</h2>"
    shown = client.get(address("team_league", league)).content.decode()
    folded = '<details class="more" id="overdue"><summary>Overdue'
    assert result in shown
    assert f'<strong class="number end">{match_records([played], league)[0].met.won[0]}' in shown
    shown = " ".join(shown.split()).replace("> <", "><")
    assert folded in shown
    own = captain(league, overdue.home)
    shown = " ".join(own.get(address("team_league", league)).content.decode().split())
    assert folded.replace('"><', '" open><') in shown.replace("> <", "><")


def test_a_result_brought_forward_from_the_round_shown_in_full_is_the_latest(client):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today - timedelta(days=5), days_between=7)
    early = matches(league, 2)[0]
    written(early, held_on=today, at=timezone.now())
    last_week = matches(league, 1)
    for match in last_week:
        written(match, held_on=match.held_on, at=timezone.now())
    client.force_login(a_user(club=league.club))
    answer = client.get(address("team_league", league))
    assert answer.context["now"].number == 2
    assert [shown.match for shown in answer.context["results"]] == [early, *last_week]


def test_a_team_that_leaves_sees_what_it_has_played_and_then_is_offered_no_players(client):
    league = with_fixtures(teams=4, pairs=1)
    first = matches(league)[0]
    team = first.home
    written(first)
    client.force_login(a_user(club=league.club))
    page = address("team", league, team.public_id)
    assert "without walk-overs: 1 of 6." in squeezed(client.get(page).text)
    offered = ("Add a player", "Invite the captain", "Transfer a player to this team")
    text = client.get(page).content.decode()
    assert all(words in text for words in offered)
    actions.withdraw_team(team, by=TEST, at=EIGHT)
    text = client.get(page).content.decode().partition("<main")[2]
    assert "Left on 19 November 2026. If a team leaves" in text
    assert "Bring the team back" in text
    assert not [words for words in (*offered, "Calendar") if words in text]


def test_an_unplayed_match_of_a_team_that_left_says_who_wins_it_or_that_it_is_void(client):
    """L-12: a match that can no longer be played is given to the opponents, unless it is void."""
    league = with_fixtures(teams=2, rules={"withdrawal": "stand"})
    match = matches(league, 1)[0]
    actions.withdraw_team(match.home, by=TEST, at=eight_on(match.held_on))
    assert table(league).records[match.away_id].wins == 2
    client.force_login(a_user(club=league.club))
    sentence = (
        f"{match.home} has left, so this match is not played: {match.away} wins it as a walk-over."
    )
    match_page = address("team_match", league, match.public_id)
    times = {match_page: 1, address("team_fixtures", league): 2}
    times |= {address("team", league, team.public_id): 2 for team in (match.home, match.away)}
    for page, number in times.items():
        assert squeezed(client.get(page).text).count(sentence) == number, page
    printed = client.get(address("team_fixtures_print", league)).text
    assert f"{match}, not played, awarded to {match.away}" in printed
    TeamLeague.objects.update(rules=league.rules | {"withdrawal": "void"})
    written(match)
    printed = client.get(address("team_fixtures_print", league)).text
    assert f"<li>{match}, void</li>" in printed
    shown = client.get(match_page).text
    assert "has left, so this match is not played" not in shown
    assert "A team has left, so this match is void: it does not count." in shown


def test_a_walk_over_is_no_match_played_before_and_after_a_team_leaves(client):
    """L-12: its results stand if half or more of its fixtures have a card."""
    league = with_fixtures(teams=4, starts_on=date(2026, 9, 3), rules={"withdrawal": "half_played"})
    team = league.teams.first()
    own = [m for n in range(1, 7) for m in matches(league, n) if team in (m.home, m.away)]
    for match in own[:2]:
        written(match)
    actions.give_match(own[-1], team, reason="did not come", by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    page = squeezed(client.get(address("team", league, team.public_id)).text)
    assert "with fewer, all are void. A walk-over doesn&#x27;t count as played." in page
    assert "Matches played so far, without walk-overs: 2 of 6." in page
    client.post(address("team_withdraw", league, team.public_id), {"sure": "on"})
    assert "results void" in client.get(address("team_league", league)).text


def test_a_team_whose_captain_is_erased_needs_another(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate())
    team, other = league.teams.all()[:2]
    erase_member(team.captain, by=TEST, at=timezone.now())
    team_page, edit = (address(name, league, team.public_id) for name in ("team", "team_edit"))
    player = captain(league, other).get(team_page).content.decode()
    assert "This team has no captain. Ask an organiser to choose one." in " ".join(player.split())
    client.force_login(a_user(club=league.club))
    step = client.get(address("team_league", league)).context["next"]
    assert (step.page, step.about) == ("team_edit", team.public_id)
    shown = client.get(team_page).content.decode()
    assert f'<a href="{edit}">Choose a captain</a>' in shown
    assert not [words for words in ("Captain:", "Invite the captain") if words in shown]
    form = client.get(edit).context["form"]
    assert form.initial["captain"] == ""
    actions.save_team(
        league, team, by=TEST, name=team.name, venue=team.venue, roomy=False,
        names=form.initial["names"].splitlines(), captain=f"{team.name} 2",
    )  # fmt: skip
    assert "no captain" not in client.get(team_page).content.decode()
    assert client.get(address("team_league", league)).context["next"] is None


def test_an_erased_player_is_on_no_list_of_the_team_and_on_no_new_card(client):
    league = with_fixtures(teams=4)
    team = league.teams.first()
    erased = team.players.get(member__name=f"{team.name} 3").member
    erase_member(erased, by=TEST, at=timezone.now())
    erased.refresh_from_db()
    client.force_login(a_user(club=league.club))
    match = next(m for m in matches(league) if m.side_of(team) is not None)
    for name, about in (("team", team), ("team_edit", team), ("team_card", match)):
        assert erased.name not in client.get(address(name, league, about.public_id)).text


def test_a_team_that_lost_its_captain_to_another_team_needs_one_while_matches_are_open(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate())
    team, other = league.teams.all()[:2]
    client.force_login(a_user(club=league.club))
    league.teams.update(captain=None)
    assert client.get(address("team_league", league)).context["next"] is None
    other.captain = other.players.first().member
    other.save()
    step = client.get(address("team_league", league)).context["next"]
    assert (step.page, step.about) == ("team_edit", team.public_id)


def test_a_match_brought_forward_is_among_the_next_ones_and_a_message_to_both_captains(client):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today + timedelta(7))
    match = matches(league, 3)[0]
    captains = [captain(league, team) for team in (match.home, match.away)]
    client.force_login(a_user(club=league.club))
    move = address("team_match_move", league, match.public_id)
    data = {"held_on": today + timedelta(2), "venue": "", "reason": "The hall is let"}
    client.post(move, data)
    page = client.get(address("team_league", league))
    assert [shown.match for shown in page.context["brought_forward"]] == [match]
    assert "Brought forward, still to be played" in page.text
    for reader in captains:
        text = reader.get(address("team_mine", league)).text
        assert "New day, " in text
        assert ": The hall is let" in text
    client.post(move, data | {"venue": "The Crown"})
    texts = list(match.messages.order_by("pk").values_list("text", flat=True))
    assert len(texts) == 2
    assert texts[-1] == "New venue: The Crown"


def test_leading_players_level_on_every_figure_share_a_place_and_stand_by_name(client):
    league = with_fixtures(teams=4)
    match = matches(league)[0]
    for number, place in enumerate(match.home.players.order_by("-pk")):
        place.member.name = f"{'ABCDEF'[number]} Player"
        place.member.save()
    written(match, 9)
    client.force_login(a_user(club=league.club))
    rows = client.get(address("team_records", league)).context["players"]
    assert [row[:2] for row in rows[:6]] == [("=1", f"{letter} Player") for letter in "ABCDEF"]


def test_a_match_with_only_games_won_shows_no_points(client):
    league = with_fixtures(teams=4, pairs=1)
    match, other = matches(league)
    match.card, match.totals_only = ["home"] * 6 + ["away"] * 3, True
    match.held_on = date(2026, 9, 3)
    match.save()
    written(other)
    records = table(league).records
    assert not records[match.home_id].points_known
    assert records[other.home_id].points_known
    client.force_login(a_user(club=league.club))
    rows = client.get(address("team_league", league)).context["divisions"][0][1]
    assert {row.team.pk: row.difference for row in rows}[match.home_id] == ""


def test_a_walk_over_is_among_the_latest_results_with_the_cards_of_its_round(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=40))
    Club.objects.update(confirm="opponent")
    league.club.refresh_from_db()
    card, awarded = matches(league, 1)
    written(card, held_on=card.held_on, at=timezone.now() - timedelta(hours=1), side=0)
    actions.confirm_card(card, side=1, by=TEST, at=timezone.now())
    actions.give_match(awarded, awarded.home, reason="Snow", by=TEST, at=timezone.now())
    client.force_login(a_user(club=league.club))
    answer = client.get(address("team_league", league))
    assert [shown.match for shown in answer.context["results"]] == [card, awarded]


def test_the_form_of_a_team_says_when_teams_that_share_a_venue_meet_there_on_one_day(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    page = client.get(
        reverse("team_edit", args=[league.club.slug, league.public_id, team.public_id])
    )
    assert "never at home on the same day" not in page.text
    assert "keep their days" in squeezed(page.text)
    assert "Fixtures give a venue one match a day, unless there is room for several." in page.text
