"""Substitutes between the turns of a match: who played which games, and what a card refuses."""

import pytest

from league.play.models import Game
from league.seating.models import Seat
from league.teams import actions
from league.teams.card import card_of
from league.teams.card_form import CardForm
from league.teams.queries import players_of
from tests.builders import EIGHT, TEST, members_of
from tests.teams.leagues import matches, with_fixtures
from tests.teams.test_pages import address, captain, filled_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return matches(with_fixtures(squad_rules={"substitutes": True}, borrowed=1))[0]


def with_substitute(match, *, out, turn="2", member=None):
    who = member or members_of(match.league.club, 1)[0]
    data = {"sub1_in": who.public_id, "sub1_out": out.public_id, "sub1_turn": turn}
    return who, filled_in(match, 5, held_on="2026-09-03") | data


def save_card(match, data, **about):
    form = CardForm(data, match=match, league=match.league, **about)
    assert form.is_valid(), form.errors
    actions.write_card(match, form.card(), side=None, by=TEST, at=EIGHT)
    match.refresh_from_db()
    return form


def games_of(match, member):
    seats = Seat.objects.filter(session=match.session_id, member=member, until_hand=None)
    return sorted(seats.values_list("table__round__number", flat=True))


def test_a_substitute_plays_from_a_turn_on_and_the_replaced_player_until_then(match):
    out = players_of(match.home)[0]
    who, data = with_substitute(match, out=out)
    save_card(match, data)
    assert (games_of(match, out), games_of(match, who)) == ([1], [2, 3])
    (substitute,) = card_of(match, match.league).substitutes
    assert (substitute.member, substitute.out, substitute.turn) == (who, out, 2)
    url = address("team_match", match.league, match.public_id)
    page = captain(match.league, match.home).get(url)
    assert f"{who} came in for {out} from game 4." in page.content.decode()


def test_the_players_to_choose_from_are_by_team_and_the_others_are_borrowed(match):
    form = CardForm(match=match, league=match.league)
    teams = [match.home.name, match.away.name, "Borrowed"]
    for name in ("sub1_in", "sub1_out"):
        assert [group for group, _people in form.fields[name].choices[1:]] == teams
    own, borrowed = (people for _group, people in form.fields["home1_1"].choices[1:])
    assert {name for _key, name in own} == {player.name for player in players_of(match.home)}
    assert borrowed


def test_the_card_opens_with_its_substitute_and_saved_again_changes_nothing(match):
    out = players_of(match.away)[3]
    who, data = with_substitute(match, out=out, turn="3")
    save_card(match, data)
    form = CardForm(match=match, league=match.league, organiser=True)
    assert form.has_substitutes
    again = {name: form[name].value() for name in form.fields} | {"why": "Misread"}
    before = list(Game.objects.order_by("pk").values("pk", "totals"))
    save_card(match, {k: v for k, v in again.items() if v}, organiser=True)
    assert (games_of(match, out), games_of(match, who)) == ([1, 2], [3])
    assert list(Game.objects.order_by("pk").values("pk", "totals")) == before
    del data["sub1_in"], data["sub1_out"], data["sub1_turn"]
    save_card(match, data)
    assert games_of(match, out) == [1, 2, 3]


def test_a_substitute_is_not_on_the_card_and_replaces_a_player_who_is(match):
    first, second = players_of(match.home)[:2]
    stranger = members_of(match.league.club, 1)[0]
    for out, member, field in ((first, second, "sub1_in"), (stranger, stranger, "sub1_out")):
        _who, data = with_substitute(match, out=out, member=member)
        assert set(CardForm(data, match=match, league=match.league).errors) == {field}
    _who, data = with_substitute(match, out=first, turn="", member=stranger)
    assert set(CardForm(data, match=match, league=match.league).errors) == {"sub1_turn"}


def test_a_borrowed_substitute_counts_against_the_leagues_limit(match):
    match.league.borrowed = 0
    match.league.save()
    out = players_of(match.home)[0]
    rival = players_of(match.away)
    data = filled_in(match, 5, held_on="2026-09-03")
    data |= {"sub1_in": rival[0].public_id, "sub1_out": out.public_id, "sub1_turn": "2"}
    assert set(CardForm(data, match=match, league=match.league).errors) == {"sub1_in"}


def test_a_league_whose_six_play_all_games_has_no_substitutes():
    """STA 9b: the same six players play all games of a match."""
    match = matches(with_fixtures())[0]
    form = CardForm(match=match, league=match.league)
    assert not [name for name in form.fields if name.startswith("sub")]
