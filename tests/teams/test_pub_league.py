"""A pub league on the site: squads, short teams, two captains' cards, late cards, divisions."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.models import Member
from league.teams import actions
from league.teams.models import TeamLeague
from league.teams.presets import FALMOUTH, GUERNSEY, ST_AUSTELL
from league.teams.queries import fixtures_of, match_records, players_of, tables_of
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import a_card, a_league, matches, scores_of, table, with_fixtures, written
from tests.teams.test_pages import address, captain
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def league_by(preset, **chosen):
    return with_fixtures(
        4, rules=dict(preset.rules), squad_rules=dict(preset.squads), **{"borrowed": 1, **chosen}
    )


def points_of(league, team):
    return table(league).records[team.pk].points


def test_a_late_card_costs_a_point_until_it_is_lifted_with_a_reason():
    league = league_by(FALMOUTH)
    match = matches(league)[0]
    card = a_card(match, 6, held_on=date(2026, 9, 2))
    actions.write_card(match, card, side=None, by=TEST, at=EIGHT)  # weeks after the Saturday
    assert points_of(league, match.home) == 5
    actions.lift_late(match, reason="The post was on strike", by=TEST)
    assert points_of(league, match.home) == 6


def test_a_captain_reads_which_late_card_cost_their_team_a_point():
    league = league_by(FALMOUTH)
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    card = a_card(match, 6, held_on=date(2026, 9, 2))
    actions.write_card(match, card, side=None, by=TEST, at=EIGHT)
    says, mine = f">late card, {match}</a>", address("team_mine", league)
    team = address("team", league, match.home.public_id)
    pages = [home.get(mine), away.get(mine), home.get(team)]
    assert [says in page.text for page in pages] == [True, False, True]
    actions.lift_late(match, reason="The post was on strike", by=TEST)
    assert says not in home.get(mine).text


def test_a_card_that_an_organiser_had_in_time_is_not_late():
    league = league_by(FALMOUTH)
    match = matches(league)[0]
    card = a_card(match, 6, held_on=date(2026, 9, 2))
    in_time = datetime(2026, 9, 5, 11, 0, tzinfo=UTC)
    card = type(card)(card.held_on, card.home, card.away, card.scores, in_time)
    actions.write_card(match, card, side=None, **SAY)
    assert points_of(league, match.home) == 6


def test_the_games_of_a_pair_that_did_not_come_are_given_to_the_others():
    league = league_by(ST_AUSTELL)
    match = matches(league)[0]
    card = a_card(match, 9)
    scores = {key: score for key, score in card.scores.items() if key[1] != 3}
    short = type(card)(card.held_on, [*card.home[:2], None], card.away, scores)
    actions.write_card(match, short, side=None, **SAY)
    (now,) = match_records([match], league)
    assert now.met.won == (6, 3)
    assert now.met.points == (6 * 21, 6 * 15 + 3 * 21)
    three = type(card)(card.held_on, [card.home[0], None, None], card.away, {})
    assert refusal(actions.write_card, match, three, side=None, **SAY) == "too-few"


def test_an_ineligible_players_game_is_awarded_by_a_decision_that_can_be_undone():
    league = league_by(FALMOUTH)
    match = written(matches(league)[0], 9)
    actions.give_games(match, {0: "away", 1: "void"}, reason="Not registered", **SAY)
    (now,) = match_records([match], league)
    assert now.met.won == (7, 1)
    assert league.decisions.get().text == "Not registered (game 1 was 21–15, game 2 was 21–15)"
    actions.give_games(match, {0: None, 1: None}, reason="He was", **SAY)
    assert match_records([match], league)[0].met.won == (9, 0)


def test_the_other_captains_equal_card_confirms_and_a_different_one_is_kept_for_a_decision():
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    first, second = matches(league)
    written(first, 5, side=0)
    written(first, 5, side=1)
    assert match_records([first], league)[0].counts
    written(second, 5, side=0)
    written(second, 4, side=1)
    assert match_records([second], league)[0].is_disputed
    copy = second.copies.get()
    assert (copy.team, copy.games[4]) == (second.away, [15, 21])
    assert match_records([second], league)[0].met.won == (5, 4)  # the first card stands meanwhile
    written(second, 4)
    assert match_records([second], league)[0].counts


def test_a_transfer_moves_the_player_and_keeps_earlier_games_valid():
    league = league_by(FALMOUTH)
    match = written(matches(league)[0], 6)
    player, target = players_of(match.home)[5], match.away
    moved = {"day": date(2026, 11, 20), "agreed": True, **SAY}
    actions.transfer_player(player, target, **moved)
    assert player in players_of(target)
    assert player not in players_of(match.home)
    assert points_of(league, match.home) == 6
    assert refusal(actions.transfer_player, player, match.home, **moved) == "transferred-often"
    moved |= {"anyway": True}
    assert refusal(actions.transfer_player, player, match.home, **moved) == "no-reason"
    actions.transfer_player(player, match.home, reason="His team folded", **moved)
    (kept,) = league.decisions.all()
    assert kept.text == f"{player.name} → {match.home.name}: His team folded"


def test_a_transfer_from_before_a_game_asks_first_and_takes_nothing_from_it():
    league = league_by(FALMOUTH)
    match = written(matches(league)[0], 6)
    player = players_of(match.home)[5]
    moved = {"day": match.held_on, "agreed": True, **SAY}
    with pytest.raises(Refused, match=f"{player.name} played for {match.home.name} on") as refused:
        actions.transfer_player(player, match.away, **moved)
    assert list(refused.value.fields) == ["anyway"]
    actions.transfer_player(player, match.away, anyway=True, **moved)
    assert points_of(league, match.home) == 6


def test_a_player_borrowed_twice_is_refused_the_third_time_unless_the_organiser_says_so():
    league = league_by(FALMOUTH)
    borrowed = Member.objects.create(club=league.club, name="Zoe")
    weeks = (date(2026, 9, 2), date(2026, 9, 9), date(2026, 9, 16))
    for number, day in enumerate(weeks, 1):
        match = matches(league, number)[0]
        home = [borrowed, *players_of(match.home)[1:6]]
        card = a_card(match, 6, home=home, held_on=day)
        if number < 3:
            actions.write_card(match, card, side=None, **SAY)
    with pytest.raises(Refused, match="borrowed 2 times") as refused:
        actions.write_card(match, card, side=None, **SAY)
    assert (refused.value.code, refused.value.asks) == ("borrowed-often", "anyway")
    actions.write_card(match, card, side=None, anyway=True, **SAY)
    assert match_records([match], league)[0].met.over


def test_divisions_have_fixtures_and_tables_of_their_own():
    league = a_league(6)
    chosen = {"rules": {**league.rules, "moves": [{"upper": "Premier", "lower": "First", "up": 1,
                                                   "down": 1}]}}  # fmt: skip
    plain = {"squad_rules": {}, "sections": False, "blank_days": ["2026-09-10"], "by": TEST}
    actions.change_rules(league, divisions=["Premier", "First"], **chosen, **plain)
    upper, lower = league.divisions.all()
    for number, team in enumerate(league.teams.all()):
        team.division = upper if number < 3 else lower
        team.save()
    actions.make_fixtures(league, seed=1, by=TEST)
    league = TeamLeague.objects.get()
    fixtures = fixtures_of(league)
    assert len(fixtures) == 12
    assert {
        fixture.match.home.division_id == fixture.match.away.division_id for fixture in fixtures
    } == {True}
    assert date(2026, 9, 10) not in {fixture.match.held_on for fixture in fixtures}
    assert {fixture.match.half for fixture in fixtures if fixture.match.round <= 3} == {1}
    assert {fixture.match.half for fixture in fixtures if fixture.match.round > 3} == {2}
    tables = tables_of(league, league.teams.all(), fixtures)
    assert [(str(division), len(table.lines)) for division, table in tables.items()] == [
        ("Premier", 3), ("First", 3),
    ]  # fmt: skip
    actions.change_rules(league, divisions=["Top", "First"], rules={}, **plain)
    assert [division.name for division in league.divisions.all()] == ["Top", "First"]
    assert upper.teams.count() == 3
    alone = {"divisions": ["Top"], "rules": {}, **plain}
    assert refusal(actions.change_rules, league, **alone) == "division-in-use"


def test_the_next_season_has_the_same_teams_with_who_went_up_and_down():
    league = a_league(4)
    rules = {"moves": [{"upper": "1", "lower": "2", "up": 1, "down": 1}]}
    plain = {"squad_rules": {}, "sections": False, "blank_days": [], "by": TEST}
    actions.change_rules(league, rules=rules, divisions=["1", "2"], **plain)
    upper, lower = league.divisions.all()
    for number, team in enumerate(league.teams.all()):
        team.division = upper if number < 2 else lower
        team.save()
    teams = list(league.teams.all())
    chosen = {"name": "Next Winter", "starts_on": date(2027, 9, 2), "seed": 1, **SAY}
    moves = {teams[1].pk: "2", teams[2].pk: "1"}
    assert refusal(actions.start_next_league, league, moves=moves, **chosen) == "still-playing"
    actions.set_league_state(league, "finished", **SAY)
    made = actions.start_next_league(league, moves=moves, **chosen)
    assert refusal(actions.start_next_league, league, moves=moves, **chosen) == "league-known"
    divisions = {team.name: str(team.division) for team in made.teams.all()}
    assert divisions == {"Rovers": "1", "United": "2", "Albion": "1", "Rangers": "2"}
    assert [len(players_of(team)) for team in made.teams.all()] == [6, 6, 6, 6]
    assert made.rules == rules
    assert made.state == "setup"


def test_a_match_to_which_neither_team_came_is_lost_by_both():
    league = league_by(FALMOUTH)
    match = matches(league)[0]
    actions.give_match(match, None, reason="Snow", **SAY)
    record = table(league).records[match.home_id]
    assert (record.losses, record.walkovers, record.points) == (1, 1, 0)


def test_a_card_of_five_wins_is_enough_in_a_league_with_rules_of_its_own():
    league = league_by(ST_AUSTELL)
    match = matches(league)[0]
    written(match, scores=dict(list(scores_of(league, 9).items())[:5]))
    assert points_of(league, match.home) == 2


def test_a_transfer_that_leaves_a_team_too_small_or_without_its_captain_asks_first(client):
    league = league_by(GUERNSEY, borrowed=0)  # six in a squad at least
    match = matches(league)[0]
    captain, target = match.home.captain, match.away
    client.force_login(a_user(club=league.club))
    address = reverse("team", args=[league.club.slug, league.public_id, target.public_id])
    page = client.get(address).content.decode()
    assert f"{captain.name} ({match.home.name}, captain)" in page
    data = {"member": captain.public_id, "day": "2026-11-19", "agreed": "on"}
    answer = client.post(f"{address}transfer/", data, follow=True).content.decode()
    assert f"Players left in {match.home.name}: 5. A squad needs at least 6." in answer
    assert f"{captain.name} is the captain of {match.home.name}, which is left" in answer
    assert captain in players_of(match.home)
    client.post(f"{address}transfer/", {**data, "anyway": "on"})
    assert captain in players_of(target)
