"""Laps and slams in a league whose pairs meet several times: form, card, points, export."""

import json
from datetime import date

import pytest
from django.urls import reverse

from league.exchange.league_export import league_document
from league.exchange.league_import import BadLeagueFile, import_document
from league.play.models import Result
from league.teams import actions
from league.teams.card import played_games
from league.teams.forms import LeagueForm
from league.teams.queries import match_records, rules_of
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_user
from tests.teams.leagues import PLAIN, a_card, matches, table, with_fixtures, written
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
ONE_PAIR = {"pairs": 1, "turns": 3, "rules": {"laps": True, "slam": True}}
LAPPED = {(1, 1): (23, 15), (2, 1): (21, 17)}


def typed(club, **data):
    first = {name: value for name, value in PLAIN.items() if value is not None}
    first |= {"name": "Winter", "ruleset": a_ruleset(club).pk, "ranking": "games", "target": 21}
    first |= {f"points_{name}": 0 for name in ("win", "draw", "loss", "game")}
    return LeagueForm({**first, **data}, club=club)


def test_the_form_takes_laps_and_slams_where_the_same_pairs_meet_again():
    form = typed(a_club(), pairs=1, turns=3, laps="on", slam="on")
    assert form.is_valid(), form.errors
    assert (form.cleaned_data["rules"]["laps"], form.cleaned_data["rules"]["slam"]) == (True, True)


@pytest.mark.parametrize("name", ["laps", "slam"])
def test_the_form_refuses_them_where_every_two_pairs_meet_once(name):
    form = typed(a_club(), pairs=3, turns=3, **{name: "on"})
    assert form.errors[name] == [
        "This counts only where the same two pairs meet more than once: choose at least 6 games "
        "per pair."
    ]


def test_a_card_carries_points_over_and_players_take_only_what_they_scored():
    league = with_fixtures(2, **ONE_PAIR)
    match = written(matches(league)[0], scores=LAPPED)
    (now,) = match_records([match], league)
    assert (now.met.won, now.met.points) == ((2, 0), (23 + 19, 32))
    taken = Result.objects.filter(session=match.session, position=0)
    assert list(taken.order_by("pk").values_list("points", flat=True)) == [23, 19]
    fixed = {(1, 1): (22, 15), (2, 1): (21, 17)}
    actions.write_card(match, a_card(match, scores=fixed), side=None, by=TEST, at=EIGHT)
    assert list(taken.order_by("pk").values_list("points", flat=True)) == [22, 20]


def test_a_slam_decides_a_best_of_three_and_is_two_games_in_every_table():
    league = with_fixtures(2, **ONE_PAIR)
    match = written(matches(league)[0], scores={(1, 1): (21, 0)})
    (now,) = match_records([match], league)
    assert (now.met.over, now.met.winner) == (True, match.home_id)
    assert table(league).records[match.home_id].won == 2
    games, members, _teams = played_games(league)
    assert [(game.won, members[game.pair[0]].name.split()[0]) for game in games] == [
        (2, match.home.name), (0, match.away.name),
    ]  # fmt: skip


def test_the_match_page_says_where_a_game_began_and_what_it_counts(client):
    league = with_fixtures(2, **ONE_PAIR)
    client.force_login(a_user(club=league.club))
    (match, *_more) = matches(league)
    at = [league.club.slug, league.public_id, match.public_id]
    form = client.get(reverse("team_card", args=at)).context["form"]
    data = {name: form.initial.get(name) or "" for name in form.fields}
    data |= {"held_on": "2026-09-03", "score1_1_home": "24", "score1_1_away": "3"}
    data |= {"score2_1_home": "21", "score2_1_away": "0"}
    answer = client.post(reverse("team_card", args=at), data)
    assert answer.status_code == 302, answer.context["form"].errors
    shown = client.get(reverse("team_match", args=at)).content.decode()
    assert "began at 3–0" in shown
    assert "counts as 2 games" in shown


def test_the_match_page_says_which_game_was_won_by_points_carried_over(client):
    league = with_fixtures(2, **ONE_PAIR)
    league.ruleset = a_ruleset(league.club, "bid-hoosier-four-player", target=21)
    league.save()
    client.force_login(a_user(club=league.club))
    match = written(matches(league)[0], scores={(1, 1): (45, 10)})
    address = reverse("team_match", args=[league.club.slug, league.public_id, match.public_id])
    answer = client.get(address)
    games = [game for _turn, games in answer.context["turns"] for game in games]
    assert [(game.played, game.carried) for game in games] == [
        (True, False), (False, True), (False, False),
    ]  # fmt: skip
    shown = answer.content.decode()
    assert shown.count(f"{match.home.name} won by points carried over") == 1
    assert shown.count("Not played") == 1
    assert "counts as 2 games" not in shown


def test_a_card_takes_no_game_after_a_slam_has_won_the_match(client):
    league = with_fixtures(2, **ONE_PAIR)
    client.force_login(a_user(club=league.club))
    (match, *_more) = matches(league)
    page = reverse("team_card", args=[league.club.slug, league.public_id, match.public_id])
    form = client.get(page).context["form"]
    data = {name: form.initial.get(name) or "" for name in form.fields}
    data |= {"held_on": "2026-09-03", "score1_1_home": "21", "score1_1_away": "0"}
    data |= {"score2_1_home": "21", "score2_1_away": "10"}
    errors = client.post(page, data).context["form"].errors
    assert errors == {
        "score2_1_home": ["This game or the match was already won, so leave it empty."]
    }


def test_the_printed_card_and_the_rules_say_what_is_carried_over(client):
    league = with_fixtures(2, **ONE_PAIR)
    client.force_login(a_user(club=league.club))
    at = [league.club.slug, league.public_id]
    paper = reverse("team_card_print", args=[*at, matches(league)[0].public_id])
    for page in (paper, reverse("team_rules", args=at)):
        shown = client.get(page).content.decode()
        assert "your pair starts the next one with 2 points" in shown
        assert "Slam: a game won with the other side at 0" in shown


def test_laps_and_slams_cannot_change_once_the_fixtures_are_made():
    league = with_fixtures(2, **ONE_PAIR)
    chosen = {name: getattr(league, name) for name in PLAIN} | {"rules": {}}
    chosen |= {"name": league.name, "ruleset": league.ruleset, "target": 21, "by": TEST}
    assert refusal(actions.change_league, league, **chosen) == "fixtures-made"


def test_a_league_with_laps_is_exported_and_imported_unchanged():
    league = with_fixtures(2, **ONE_PAIR)
    written(matches(league)[0], scores=LAPPED, held_on=date(2026, 9, 3))
    first = json.loads(json.dumps(league_document(league)))
    assert first["rules"]["laps"] is True
    made = import_document(league.club, first, by=TEST, at=EIGHT).league
    assert rules_of(made).laps
    assert league_document(made)["tables"] == first["tables"]
    first["cards"][0]["games"] = [[44, 15], [21, 0], [21, 17]]
    with pytest.raises(BadLeagueFile):
        import_document(league.club, first, by=TEST, at=EIGHT)
    first["rules"] |= {"pairs": 3}
    with pytest.raises(BadLeagueFile, match="laps"):
        import_document(league.club, first | {"cards": []}, by=TEST, at=EIGHT)
