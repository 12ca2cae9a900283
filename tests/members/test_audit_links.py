"""The leagues and pages of entries of the activity log."""

import re
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from league.members import actions
from league.members.audit import log_action
from league.members.models import AuditEntry
from league.play.models import Game
from league.seasons.actions import save_season
from league.teams.actions import (
    deduct,
    drop_cup,
    drop_team,
    give_match,
    make_cup,
    move_match,
    record_decision,
    save_team,
    set_league_state,
    start_next_league,
    withdraw_team,
)
from league.teams.models import TeamLeague
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    members_of,
)
from tests.play.hands import write
from tests.teams.leagues import a_league, matches, with_fixtures, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club(time_zone="America/Vancouver")


def a_season(club):
    days = {"starts_on": date(2026, 9, 1), "ends_on": date(2026, 12, 20)}
    rules = {"attendance_points": Decimal(0), "place_points": [], "guests_count": False}
    return save_season(club, season=None, by=TEST, name="Autumn", **days, **rules)


def log(organiser, club, **query):
    return organiser.get(reverse("audit", args=[club.slug]), query)


def actions_found(organiser, club, **query):
    return [row.record.action for row in log(organiser, club, **query).context["table"].rows]


def test_an_entry_about_a_match_leads_to_the_match(organiser, club):
    card = written(matches(with_fixtures(2, club=club))[0])
    other = matches(card.league, 2)[0]
    log_action(club, TEST, "leave match message", other)
    page = organiser.get(reverse("audit", args=[club.slug])).text
    for match in (card, other):
        ids = [club.slug, match.league.public_id, match.public_id]
        assert f'<a href="{reverse("team_match", args=ids)}">' in page


def test_an_entry_about_a_game_leads_to_the_game_that_was_on_at_its_table(organiser, club):
    members = members_of(club, 4)
    table = a_table(a_session(club, members), members, a_ruleset(club))
    write(table, (1, 5))
    first = table.games.get()
    later = Game.objects.create(
        session=table.session, table=table, ruleset=first.ruleset, number=2, state="finished"
    )
    Game.objects.update(started_at=EIGHT + timedelta(days=9999))

    def leads_to(game):
        page = organiser.get(reverse("audit", args=[club.slug]), {"action": "record hand"}).text
        return f'<a href="{reverse("game", args=[club.slug, game.public_id])}">' in page

    assert leads_to(first)
    assert not leads_to(later)
    Game.objects.update(started_at=EIGHT - timedelta(days=9999))
    assert leads_to(later)


def test_an_entry_about_a_team_leads_to_it_if_only_one_has_the_name(organiser, club):
    league = with_fixtures(2, club=club)
    team = league.teams.first()
    deduct(team, 1, reason="Late card", by=TEST, at=EIGHT)
    link = f'<a href="{reverse("team", args=[club.slug, league.public_id, team.public_id])}">'
    page = reverse("audit", args=[club.slug]) + "?action=deduct+points"
    assert link in organiser.get(page).text
    a_league(2, club=club, pairs=1)
    assert link not in organiser.get(page).text


def shown(organiser, club, **query):
    """The log's second column as text."""
    cells = re.findall(r"<td[^>]*>(.*?)</td>", log(organiser, club, **query).text, re.S)
    return [" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in cells[2::5]]


def test_everything_in_a_league_is_found_by_the_leagues_name(organiser, club):
    league = with_fixtures(2, club=club)
    first, second = matches(league)[0], matches(league, 2)[0]
    written(first)
    give_match(second, second.home, reason="Snow", by=TEST, at=EIGHT)
    deduct(first.home, 1, reason="Late card", by=TEST, at=EIGHT)
    record_decision(league, "Play on", match=first, by=TEST, at=EIGHT)
    withdraw_team(second.away, by=TEST, at=EIGHT)
    log_action(club, TEST, "save team", first.home)
    a_session(club, name="Harvest night")
    log_action(club, TEST, "add member", "Gus")
    found = actions_found(organiser, club, about="winter league")
    for action in (
        *("save team", "give team match", "deduct points", "decide in league", "withdraw team"),
        *("write match card", "write totals", "make team league", "make fixtures"),
    ):
        assert action in found, action
    assert "add member" not in found


def test_an_entry_about_a_team_or_match_names_the_league_and_leads_to_it(organiser, club):
    league = with_fixtures(2, club=club)
    match = written(matches(league)[0])
    deduct(match.home, 1, reason="Late card", by=TEST, at=EIGHT)
    assert shown(organiser, club, action="deduct points") == [
        f"Deducted points: {match.home} (Winter League)"
    ]
    (card,) = shown(organiser, club, action="write match card")
    assert card.startswith(f"Filled in match card: {match} (Winter League, ")
    league_page = reverse("team_league", args=[club.slug, league.public_id])
    for action in ("deduct points", "make team league", "write match card"):
        assert f'<a href="{league_page}">' in log(organiser, club, action=action).text


def test_entries_under_an_earlier_name_are_found_by_the_league_and_the_teams_name_today(
    organiser, club
):
    league = with_fixtures(2, club=club)
    team, match = league.teams.first(), matches(league)[0]
    deduct(team, 1, reason="No scorer", by=TEST, at=EIGHT)
    move_match(match, held_on=None, venue="", reason="Snow", by=TEST)
    for name in ("The Anchor", "The Lobster"):
        names = [place.member.name for place in team.players.all()]
        rest = {"venue": "", "roomy": False, "names": names, "captain": ""}
        save_team(league, team, by=TEST, name=name, **rest)
    for about in ("winter deducted", "lobster deducted", "winter snow", "lobster snow"):
        assert len(actions_found(organiser, club, about=about)) == 1, about


def test_of_leagues_with_the_same_teams_an_entry_names_the_one_that_was_open(organiser, club):
    league = with_fixtures(2, club=club)
    team = league.teams.first()
    deduct(team, 1, reason="Late card", by=TEST, at=EIGHT)
    entry = AuditEntry.objects.latest("pk")
    closed = set_league_state(league, "finished", by=TEST, at=entry.at + timedelta(seconds=1))
    following = start_next_league(
        closed,
        name="Spring League",
        starts_on=date(2027, 1, 7),
        moves={},
        seed=1,
        by=TEST,
        at=entry.at,
    )
    later = entry.at + timedelta(seconds=2)
    TeamLeague.objects.filter(pk=following.pk).update(made_at=later)
    deducted = {"club": club, "actor": "Rose", "action": "deduct points"}
    AuditEntry.objects.create(**deducted, subject=team.name, at=later)
    assert shown(organiser, club, action="deduct points") == [
        f"Deducted points: {team} (Spring League)",
        f"Deducted points: {team} (Winter League)",
    ]


def test_a_removed_team_or_cup_is_found_by_its_leagues_name(organiser, club):
    league = a_league(4, club=club)
    cup = make_cup(league, name="Plate", third_place=False, seed=1, by=TEST)
    drop_cup(cup, by=TEST)
    drop_team(league.teams.first(), by=TEST)
    found = actions_found(organiser, club, about="winter league")
    assert {"drop team", "drop cup"} <= {*found}


def test_an_entry_about_house_rules_a_player_or_a_season_leads_to_it(organiser, club):
    rules, (ann, ted) = a_ruleset(club), members_of(club, 2)
    newer = actions.revise_ruleset(rules, by=TEST, options={"made": 2})
    actions.edit_member(ann, name="Anna", by=TEST)
    actions.retire_member(ted, by=TEST, at=EIGHT)
    season = a_season(club)
    page = log(organiser, club).text
    for name, row in (
        ("ruleset", newer),
        ("member_edit", ann),
        ("member_edit", ted),
        ("season_standings", season),
    ):
        assert f'<a href="{reverse(name, args=[club.slug, row.public_id])}">' in page, row


def test_an_entry_about_one_of_two_namesakes_leads_to_neither(organiser, club):
    for _namesake in range(2):
        actions.add_member(club, name="Ann", same_name=True, by=TEST)
    page = log(organiser, club, action="add member").text.partition("<tbody")[2]
    assert "/members/" not in page


def test_entries_about_roles_invitations_and_settings_lead_to_their_pages(organiser, club):
    log_action(club, TEST, "change role", "ted", new={"rank": "scorekeeper"})
    log_action(club, TEST, "invite", new={"rank": "member"})
    log_action(club, TEST, "change settings", club)
    for action, name in (
        ("change role", "roles"),
        ("invite", "roles"),
        ("change settings", "club_settings"),
    ):
        rows = log(organiser, club, action=action).text.partition("<tbody")[2]
        assert re.search(rf'<a href="{reverse(name, args=[club.slug])}">\w', rows), action
