"""The notice board and the newspaper's text list matches by day; the text has the whole table."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.teams import actions
from tests.builders import TEST, a_user
from tests.teams.leagues import a_card, matches, with_fixtures, written

pytestmark = pytest.mark.django_db


def page(client, name, league):
    client.force_login(a_user(club=league.club))
    return client.get(reverse(name, args=[league.club.slug, league.public_id])).content.decode()


@pytest.mark.parametrize("name", ["team_notice", "team_results_text"])
def test_matches_to_play_are_listed_by_day(client, name):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today + timedelta(days=9))
    first, second = matches(league)
    actions.move_match(first, held_on=today + timedelta(days=12), venue="", reason="Snow", by=TEST)
    shown = page(client, name, league)
    assert shown.index(f"{second},") < shown.index(f"{first},")


@pytest.mark.parametrize("name", ["team_notice", "team_results_text"])
def test_results_are_listed_by_day(client, name):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today - timedelta(days=5))
    first, second = matches(league)
    moved_to = today - timedelta(days=2)
    actions.move_match(first, held_on=moved_to, venue="", reason="Snow", by=TEST)
    for match in (first, second):
        written(match, held_on=match.held_on, at=timezone.now())
    shown = page(client, name, league)
    assert shown.index(f"{second}:") < shown.index(f"{first}:")


@pytest.mark.parametrize("name", ["team_notice", "team_results_text"])
def test_a_card_received_in_time_and_entered_after_the_next_round_is_a_late_result(client, name):
    today, now = timezone.localdate(), timezone.now()
    league = with_fixtures(teams=4, starts_on=today - timedelta(days=8))
    on_paper, at_once = matches(league, 1)
    written(at_once, held_on=at_once.held_on, at=now - timedelta(days=8))
    for match in matches(league, 2):
        written(match, held_on=match.held_on, at=now - timedelta(days=1))
    card = a_card(on_paper, held_on=on_paper.held_on)
    card = replace(card, received=now - timedelta(days=7))
    actions.write_card(on_paper, card, side=None, by=TEST, at=now)
    shown = page(client, name, league).partition("<main")[2]
    assert f"{on_paper}: 5–4" in shown.partition("Late results")[2]
    assert f"{at_once}: 5–4" not in shown


@pytest.mark.parametrize("name", ["team_notice", "team_results_text"])
def test_a_dispute_decided_later_and_a_match_awarded_ahead_are_among_the_results(client, name):
    today, now = timezone.localdate(), timezone.now()
    league = with_fixtures(teams=4, starts_on=today - timedelta(days=8))
    disputed, agreed = matches(league, 1)
    awarded = matches(league, 3)[0]
    for match in (disputed, agreed):
        written(match, held_on=match.held_on, side=0, at=now - timedelta(days=8))
    actions.dispute_card(disputed, reason="No", side=1, by=TEST, at=now - timedelta(days=7))
    for match in matches(league, 2):
        written(match, held_on=match.held_on, at=now - timedelta(days=1))
    actions.settle_dispute(disputed, None, reason="Sheets agree", by=TEST, at=now)
    actions.give_match(awarded, awarded.home, reason="Too few players", by=TEST, at=now)
    shown = page(client, name, league).partition("<main")[2]
    assert f"{disputed}: 5–4" in shown.partition("Late results")[2]
    assert str(awarded) in shown.partition("Results of round 3")[2].partition("Late results")[0]
    assert f"{agreed}: 5–4" not in shown


@pytest.mark.parametrize("name", ["team_notice", "team_results_text"])
def test_each_walk_over_against_a_team_that_left_is_listed_once(client, name):
    today = timezone.localdate()
    rules = {"withdrawal": "stand"}
    league = with_fixtures(teams=4, starts_on=today - timedelta(days=2), rules=rules)
    played, with_gone = matches(league)
    gone = with_gone.home
    actions.withdraw_team(gone, by=TEST, at=timezone.now() - timedelta(days=3))
    written(played, held_on=played.held_on, at=timezone.now())
    shown = page(client, name, league).partition("<main")[2]
    assert f"{with_gone}: awarded to {with_gone.away}" in shown
    others = [m for n in range(2, 7) for m in matches(league, n) if m.side_of(gone) is not None]
    assert len(others) == 5
    listed = ", ".join(str(match) for match in others)
    assert listed in shown.partition("Walk-overs against a team that left")[2]
    assert all(shown.count(str(match)) == 1 for match in (with_gone, *others))
    front = client.get(reverse("team_league", args=[league.club.slug, league.public_id])).text
    latest = front.partition("Latest results</h2>")[2].partition("</section>")[0]
    assert f'<span class="soft end">awarded to {with_gone.away}</span>' in latest
    assert not any(str(match) in latest for match in others)


def test_a_match_awarded_ahead_is_listed_before_any_round_is_played(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() + timedelta(days=2))
    awarded = matches(league, 1)[0]
    actions.give_match(awarded, awarded.home, reason="Flood", by=TEST, at=timezone.now())
    shown = page(client, "team_results_text", league)
    assert str(awarded) in shown.partition("Results of round 1")[2]


def test_the_text_names_the_club_and_its_table_has_won_and_lost(client):
    league = with_fixtures(teams=2)
    match = matches(league)[0]
    written(match)
    text = page(client, "team_results_text", league).partition('id="results"')[2]
    assert f">{league.club.name}\n{league.name}\n" in text
    assert f"1 {match.home}: Played 1 · Won 1 · Lost 0 · Points 2" in text.splitlines()
    assert f"2 {match.away}: Played 1 · Won 0 · Lost 1 · Points 0" in text


def test_the_text_has_draws_only_where_there_are_any(client):
    league = with_fixtures(teams=2, pairs=2, turns=2)
    written(matches(league)[0], 2)
    text = page(client, "team_results_text", league)
    assert ": Played 1 · Won 0 · Drawn 1 · Lost 0 · " in text


def test_an_overdue_match_is_on_the_notice_and_not_in_the_newspaper(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=3))
    played, overdue = matches(league)
    written(played, at=timezone.now(), held_on=played.held_on)
    assert f"{overdue}," in page(client, "team_notice", league).partition("Overdue</h2>")[2]
    address = reverse("team_results_text", args=[league.club.slug, league.public_id])
    text = client.get(address).context["text"]
    assert "Overdue" not in text
    assert f"{overdue}," not in text
