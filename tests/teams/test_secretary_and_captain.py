"""A league's secretary, a captain's page, and the table embedded in another website."""

import re
from datetime import date, timedelta
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.languages import moment
from league.members.models import AuditEntry, Club, Member, Role
from league.teams import actions
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import fixtures_of, players_of
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import a_card, a_league, matches, with_fixtures, written
from tests.teams.test_pages import address, captain, filled_in, messages_on

pytestmark = pytest.mark.django_db


def test_a_secretary_runs_their_own_league_and_no_other(client):
    league, other = with_fixtures(pairs=1), None
    other = a_league(2, club=league.club, pairs=1)
    user = a_user("sec", club=league.club, rank="member")
    secretary = Member.objects.create(club=league.club, name="Sue Secretary", user=user)
    TeamLeague.objects.filter(pk=league.pk).update(secretary=secretary)
    match = matches(league)[0]
    client.force_login(user)
    assert client.get(address("team_rules_edit", league)).status_code == 200
    assert client.get(address("team_rules_edit", other)).status_code == 403
    assert client.post(address("team_draw", other)).status_code in (403, 405)
    card = address("team_card", league, match.public_id)
    assert client.post(card, filled_in(match, 5)).status_code == 302
    assert client.get(address("team_league", league)).context["organiser"]
    assert not client.get(address("team_league", other)).context["organiser"]
    assert "secretary" not in client.get(address("team_league_edit", league)).context["form"].fields


def test_an_organiser_gives_a_league_its_secretary(client):
    league = with_fixtures()
    user = a_user("sec", club=league.club, rank="member")
    secretary = Member.objects.create(club=league.club, name="Sue Secretary", user=user)
    client.force_login(a_user(club=league.club))
    page = address("team_league_edit", league)
    form = client.get(page).context["form"]
    data = {
        k: getattr(v, "pk", v) for k, v in form.initial.items() if v is not None and v is not False
    }
    data |= {"twice": "on", "secretary": secretary.public_id}
    answer = client.post(page, data)
    assert answer.status_code == 302, answer.context["form"].errors
    league.refresh_from_db()
    assert league.secretary == secretary


def test_a_captains_page_has_their_own_teams_and_those_of_their_house_only():
    league = with_fixtures(starts_on=date(2099, 9, 3))
    own, same, *others = league.teams.all()
    league.teams.filter(pk__in=[own.pk, same.pk]).update(house="The Ship")
    page = captain(league, own).get(address("team_mine", league))
    assert [led_team.team for led_team in page.context["led"]] == [own, same]
    assert len(page.context["led"][0].coming) == 3
    stranger = captain(league, others[0]).get(address("team_mine", league))
    assert [led_team.team for led_team in stranger.context["led"]] == [others[0]]


def test_a_public_league_is_embedded_elsewhere_without_players_names(client):
    league = with_fixtures(2, pairs=1)
    written(matches(league)[0])
    assert client.get(address("team_embed", league)).status_code == 302  # to sign in
    league.club.visibility = "standings"
    league.club.save()
    answer = client.get(address("team_embed", league))
    page = answer.content.decode()
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert "Rovers" in page
    assert "Rovers 1" not in page
    assert "<script" not in page


def test_a_secretary_who_leads_a_team_writes_its_card_as_captain_and_the_other_confirms_it():
    """STA 7a: both captains sign."""
    league = with_fixtures(squad_rules={"both_confirm": True}, pairs=1)
    match = matches(league)[0]
    client = captain(league, match.home)
    league.secretary = match.home.captain
    league.save()
    card = address("team_card", league, match.public_id)
    client.post(card, filled_in(match, 5, held_on="2026-09-03"))
    match.refresh_from_db()
    assert match.written_by is None  # the other captain has no account
    other = matches(league, 2)[0]
    if league.secretary_id not in (other.home.captain_id, other.away.captain_id):
        other = matches(league, 2)[1]
    mine = other.home if other.home.captain_id == league.secretary_id else other.away
    opponent = other.away if mine == other.home else other.home
    captain(league, opponent)
    page = address("team_card", league, other.public_id)
    client.post(page, filled_in(other, 5, held_on="2026-09-10"))
    other.refresh_from_db()
    assert other.written_by == mine
    shown = client.get(address("team_match", league, other.public_id)).content.decode()
    assert f"Waiting for {opponent.captain.name} to confirm it." in shown
    assert "Confirm the card" not in shown
    confirm = address("team_match_confirm", league, other.public_id)
    answer = client.post(confirm, follow=True).content.decode()
    assert "You entered this card, so the other captain confirms it." in answer.replace(
        "&#x27;", "'"
    )


def test_an_organiser_who_leads_a_team_saves_a_true_card_against_the_squad_rules_a_captain_asks():
    league = with_fixtures()
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    client, opponent = captain(league, match.home), captain(league, match.away)
    Role.objects.filter(user=match.home.captain.user).update(rank="organiser")
    other = matches(league)[1]
    borrowed = players_of(match.home)[5]
    home = [borrowed, *players_of(other.home)[:5]]
    actions.write_card(other, a_card(other, home=home), side=None, by=TEST, at=EIGHT)
    page = address("team_card", league, match.public_id)
    data = filled_in(match, 5)
    asks = "If these players are right, ask the organisers."
    refused = opponent.post(page, data).content.decode()
    assert f"{borrowed.name} has played for {other.home.name} in the week of this match." in refused
    assert asks in refused
    refused = client.post(page, data).content.decode()
    assert "These players are right" in refused
    assert asks not in refused
    assert client.post(page, {**data, "anyway": "on"}).status_code == 302
    match.refresh_from_db()
    assert match.written_by == match.home  # the other captain still confirms it


def test_a_message_is_named_on_the_leagues_page_and_to_the_captains_of_its_match_only(client):
    league = with_fixtures()
    match, another = matches(league)
    captains = [captain(league, team) for team in (match.home, match.away, another.home)]
    url = address("team_match_message", league, match.public_id)
    captains[0].post(url, {"text": "Game five was 21-7"})
    client.force_login(a_user(club=league.club))
    assert "Game five was 21-7" in client.get(address("team_league", league)).content.decode()
    shown = [client.get(address("team_mine", league)).content.decode() for client in captains]
    assert ["Game five was 21-7" in text for text in shown] == [False, True, False]
    public = captains[2].get(address("team_league", league)).content.decode()
    assert "Game five was 21-7" not in public


def test_the_leagues_page_names_each_match_and_opens_the_card_of_who_may_fill_it_in(client):
    league = with_fixtures(pairs=1)
    match = matches(league)[0]
    link = (
        f'href="{address("team_match", league, match.public_id)}">{match.home} – {match.away}</a>'
    )
    card = f'href="{address("team_card", league, match.public_id)}"'
    stranger = league.teams.exclude(pk__in=[match.home_id, match.away_id]).first()
    client.force_login(a_user(club=league.club))
    for reader, may in ((client, True), (captain(league, match.home), True),
                        (captain(league, stranger), False)):  # fmt: skip
        page = reader.get(address("team_league", league)).content.decode()
        assert link in page
        assert (card in page) == may
    written(match)
    page = client.get(address("team_league", league)).content.decode()
    assert link in page
    assert card not in page


def test_my_teams_says_below_the_captains_players_who_else_may_play():
    league = with_fixtures(borrowed=2)
    text = captain(league, league.teams.first()).get(address("team_mine", league)).content.decode()
    players = text.index("Players</h3>")
    rule = "A team may borrow 2 players for a match. A player can&#x27;t play for two teams"
    assert players < text.index(rule)


def test_my_teams_lists_what_is_overdue_apart_and_cup_matches_too():
    league = with_fixtures(pairs=1)
    match = matches(league)[0]
    client = captain(league, match.home)
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST)
    cup.league = league
    actions.draw_cup_matches(cup, held_on=date(2099, 1, 1), by=TEST)
    TeamMatch.objects.update(held_on=date(2099, 1, 1))
    TeamMatch.objects.filter(pk=match.pk).update(held_on=date(2020, 1, 1))
    page = client.get(address("team_mine", league))
    led, text = page.context["led"][0], page.content.decode()
    assert text.index("Overdue</h3>") < text.index("Next matches</h3>")
    assert [fixture.match.pk for fixture in led.overdue] == [match.pk]
    assert match.pk not in [fixture.match.pk for fixture in led.coming]
    match = matches(league)[0]
    written(match, held_on=match.held_on)
    led = client.get(address("team_mine", league)).context["led"][0]
    assert [fixture.match.pk for fixture in led.last] == [match.pk]
    TeamMatch.objects.filter(cup=None).exclude(pk=match.pk).delete()
    led = client.get(address("team_mine", league)).context["led"][0]
    assert [fixture.match.cup for fixture in led.coming] == [cup]


def test_my_teams_has_the_walk_overs_of_a_team_that_left_and_the_points_deducted():
    today = timezone.localdate()
    league = with_fixtures(starts_on=today - timedelta(days=3), rules={"withdrawal": "stand"})
    past = matches(league)[0]
    own, gone = past.home, past.away
    actions.withdraw_team(gone, by=TEST, at=timezone.now())
    actions.deduct(own, 1, reason="Late card", by=TEST, at=EIGHT)
    actions.give_back(
        actions.deduct(own, 3, reason="Mistake", by=TEST, at=EIGHT), by=TEST, at=EIGHT
    )
    (coming,) = (r.match for r in fixtures_of(league) if r.is_off and r.match.home == gone
                 and r.match.away == own)  # fmt: skip
    TeamMatch.objects.filter(pk=coming.pk).update(held_on=today)
    page = captain(league, own).get(address("team_mine", league))
    (led,) = page.context["led"]
    assert [shown.match for shown in led.last] == [past]
    assert coming == led.coming[0].match
    assert page.text.count(f"{gone} has left, so this match is not played: {own} wins it") == 2
    assert "<strong>1:</strong> Late card" in page.text
    assert "Mistake" not in page.text


def test_moving_a_match_says_the_new_day(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    move = address("team_match_move", league, matches(league)[0].public_id)
    for day, says in (
        ("2099-12-10", "Saved. The day is Thursday 10 December 2099."),
        ("2099-12-10", "Nothing changed."),
        ("", "Saved: the day is still to be agreed."),
    ):
        answer = client.post(move, {"held_on": day, "reason": "Illness"}, follow=True)
        assert messages_on(answer) == [says]


def test_a_request_for_another_day_is_near_the_top_of_the_organisers_page_until_answered(client):
    league = with_fixtures()
    match = matches(league)[0]
    url = address("team_match_message", league, match.public_id)
    club = reverse("club", args=[league.club.slug])
    home = captain(league, match.home)
    home.post(url, {"text": "Could we play on Friday?"})
    client.force_login(a_user(club=league.club))
    text = client.get(club).text
    assert f">{match}</a>" in text
    assert text.index("Could we play on Friday?") < text.index("<h2>Team leagues</h2>")
    data = {"last": re.search(r'name="last" value="(\d+)"', text)[1], "page": "club"}
    answer = client.post(address("team_messages_read", league), data, follow=True)
    assert answer.request["PATH_INFO"] == club
    assert "Could we play on Friday?" not in answer.text
    home.post(url, {"text": "Or on Saturday?"})
    assert "Or on Saturday?" in client.get(club).text
    client.post(url, {"text": "Saturday is fine"})
    assert "Or on Saturday?" not in client.get(club).text


def test_messages_marked_as_read_are_gone_until_another_one_comes(client):
    league = with_fixtures()
    match = matches(league)[0]
    home, away = (captain(league, team) for team in (match.home, match.away))
    url = address("team_match_message", league, match.public_id)
    mine, club = address("team_mine", league), reverse("club", args=[league.club.slug])
    home.post(url, {"text": "Game five was 21-7"})
    text = away.get(mine).text
    assert "Mark as read" in text
    assert "Messages on matches" in away.get(club).text
    data = {"last": re.search(r'name="last" value="(\d+)"', text)[1], "page": "mine"}
    answer = away.post(address("team_messages_read", league), data, follow=True)
    assert answer.request["PATH_INFO"] == mine
    assert "Game five was 21-7" not in answer.text
    assert "Messages on matches" not in away.get(club).text
    home.post(url, {"text": "Or game six"})
    assert "Or game six" in away.get(mine).text


def test_an_invited_captain_is_greeted_as_the_captain(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    made = client.post(address("team_invite", league, team.public_id))
    note = f"You are the captain of {team}: you fill in and confirm its cards."
    client.force_login(a_user("newcomer"))
    page = client.get(urlsplit(made.context["link"]).path, follow=True)
    assert note in page.content.decode()
    mine = address("team_mine", league)
    linked = note.replace(str(team), f'<a href="{mine}">{team}</a>')
    assert linked in client.post(reverse("invitation"), follow=True).content.decode()
    page = client.get(address("team_league", league)).content.decode()
    assert page.index(mine) < page.index('href="#league-table"')  # first of the page's buttons


def test_a_captain_sees_on_the_first_page_that_a_card_waits():
    league = with_fixtures(pairs=1)
    Club.objects.update(confirm="opponent")
    league.club.refresh_from_db()
    match = written(matches(league)[0], side=0)
    sentence = f"{league}: a card is waiting for you to confirm it"
    away, home = captain(league, match.away), captain(league, match.home)
    shown = away.get(reverse("home")).content.decode()
    assert sentence in shown
    assert address("team_mine", league) in shown
    assert sentence not in home.get(reverse("home")).content.decode()
    actions.confirm_card(match, side=1, by=TEST, at=EIGHT)
    assert sentence not in away.get(reverse("home")).content.decode()


def test_a_withdrawal_has_its_reason_in_the_log_and_among_the_decisions(client):
    league = with_fixtures(2)
    team = league.teams.first()
    client.force_login(a_user(club=league.club))
    data = {"sure": "on", "reason": "Too few players"}
    client.post(address("team_withdraw", league, team.public_id), data)
    entry = AuditEntry.objects.get(action="withdraw team")
    assert entry.new["reason"] == "Too few players"
    assert (
        f"{team} has left the league. Too few players"
        in client.get(address("team_rules", league)).text
    )


def test_the_decisions_have_the_walk_overs_against_a_team_that_left(client):
    league = with_fixtures(2)
    TeamLeague.objects.filter(pk=league.pk).update(rules={**league.rules, "withdrawal": "stand"})
    match = matches(league)[0]
    actions.withdraw_team(match.away, by=TEST, at=EIGHT, reason="No players")
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_rules", league))
    text = f"Awarded to {match.home}: {match.away} has left the league."
    assert [decision.text for decision in page.context["decisions"]] == [
        f"{match.away} has left the league. No players", text, text,
    ]  # fmt: skip
    assert f">{match}</a>" in page.text


def test_the_decisions_have_the_points_deducted_the_awards_and_a_team_brought_back(client):
    league = with_fixtures()
    match = matches(league)[0]
    actions.withdraw_team(match.away, by=TEST, at=EIGHT, reason="No players")
    actions.return_team(match.away, by=TEST, at=EIGHT + timedelta(days=1))
    back = actions.deduct(match.home, 2, reason="A mistake", by=TEST, at=EIGHT)
    actions.give_back(back, by=TEST, at=EIGHT)
    at = EIGHT + timedelta(days=2)
    actions.deduct(match.home, 1, reason="No scorer", by=TEST, at=at)
    actions.give_match(match, match.home, reason="Snow", by=TEST, at=at + timedelta(days=1))
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_rules", league))
    assert [decision.text for decision in page.context["decisions"]] == [
        f"Awarded to {match.home}: Snow",
        f"Points deducted from {match.home}: 1 (No scorer)",
        f"{match.away} is back in the league.",
        f"{match.away} has left the league. No players",
        f"Points deducted from {match.home}: 2 (A mistake) (given back)",
    ]
    assert f">{match}</a>" in page.text


def test_members_read_who_deducted_points_and_gave_them_back_and_when(client):
    league = with_fixtures(2)
    team = league.teams.first()
    fine = actions.deduct(team, 1, reason="No card", by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club, rank="member"))
    page = address("team", league, team.public_id)
    assert f'No card <span class="soft">Test, {moment(EIGHT)}</span>' in client.get(page).text
    actions.give_back(fine, by=TEST, at=EIGHT + timedelta(days=1))
    shown = client.get(page).text
    assert f'(given back) <span class="soft">Test, {moment(EIGHT + timedelta(days=1))}' in shown
