"""A cup for pairs of the squads, on other days than the league's matches."""

from datetime import date, timedelta

import pytest
from django.test import Client

from league.errors import Refused
from league.members.actions import merge_members
from league.teams import actions
from league.teams.breaks import week_of
from league.teams.cup_forms import read_pairs, squads_in_pairs
from league.teams.cups import pairs_bracket
from league.teams.fixtures import days_of
from league.teams.queries import players_of
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import a_league, matches, with_fixtures, written
from tests.teams.test_pages import address, captain, messages_on

pytestmark = pytest.mark.django_db
FREE = date(2027, 5, 6)


def a_cup(league, most=4):
    pairs = read_pairs(league, squads_in_pairs(league))[:most]
    return actions.make_pairs_cup(league, name="Pairs", pairs=pairs, seed=1, by=TEST)


def play(match, home=21, away=15, through=None):
    return actions.record_pairs_result(match, home=home, away=away, through=through, by=TEST)


def test_the_squads_are_offered_two_by_two_and_read_back_as_pairs_of_one_team():
    league = with_fixtures(2)
    text = squads_in_pairs(league)
    assert text.splitlines()[:2] == ["Rovers 1 & Rovers 2", "Rovers 3 & Rovers 4"]
    assert len(read_pairs(league, text)) == 6


def test_the_pairs_of_a_team_s_last_match_are_offered_and_the_others_two_by_two(
    django_assert_num_queries,
):
    league = with_fixtures(2, pairs=2)
    first, again = matches(league, 1)[0], matches(league, 2)[0]
    squad = players_of(first.home)
    actions.save_team(
        league, first.home, by=TEST, name=first.home.name, venue="", roomy=False,
        names=[p.name for p in squad] + ["Spare 1", "Spare 2"],
    )  # fmt: skip
    one, two, three, four = players_of(first.away)
    written(first, 3, away=[one, two, three, four], held_on=date(2026, 11, 12))
    written(again, 3, home=[four, one, three, two], away=squad)
    with django_assert_num_queries(3):
        lines = squads_in_pairs(league).splitlines()
    away, home = first.away.name, first.home.name
    assert [line for line in lines if away in line] == [
        f"{away} 4 & {away} 1",
        f"{away} 3 & {away} 2",
    ]
    assert [line for line in lines if away not in line] == [
        f"{home} 1 & {home} 2",
        f"{home} 3 & {home} 4",
        "Spare 1 & Spare 2",
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Rovers 1", "write two names"),
        ("Rovers 1 & Nobody", "Nobody isn't in a team of this league."),
        ("Rovers 1 & United 1", "a pair is two players of one team"),
        ("Rovers 1 & rovers 1", "a pair is two players of one team"),
        ("United 1 & United 2\nUnited 2 & United 3", "one pair only"),
        ("United 1 & United 2", "at least two pairs"),
    ],
)
def test_a_line_that_is_not_a_pair_is_named(line, sentence):
    with pytest.raises(Refused) as refused:
        read_pairs(with_fixtures(2), line)
    assert sentence in refused.value.fields["pairs"][0]


def test_a_cup_is_played_to_its_winners_and_a_corrected_result_takes_the_next_day_back():
    league = with_fixtures(2)
    cup = a_cup(league)
    first, second = actions.set_pairs_day(cup, held_on=FREE, by=TEST)
    later = FREE + timedelta(days=7)
    first, second = actions.set_pairs_day(cup, held_on=later, by=TEST)  # it can change
    assert set(cup.matches.values_list("held_on", flat=True)) == {later}
    play(first)
    play(second, None, None, second.away)
    (final,) = actions.set_pairs_day(cup, held_on=FREE, by=TEST)
    assert final.sides == (first.home_id, second.away_id)
    play(first, 15, 21)
    assert cup.matches.count() == 2
    (final,) = actions.set_pairs_day(cup, held_on=FREE, by=TEST)
    play(final)
    with pytest.raises(Refused, match="later match"):
        play(first, 21, 15)
    now = pairs_bracket(list(cup.pairs.all()), list(cup.matches.all()))
    assert now.champion == first.away_id
    with pytest.raises(Refused, match="can't be deleted"):
        actions.drop_pairs_cup(cup, by=TEST)


@pytest.mark.parametrize(("home", "away"), [(21, 21), (None, 21), (None, None)])
def test_a_result_has_a_winner(home, away):
    cup = a_cup(with_fixtures(2))
    match = actions.set_pairs_day(cup, held_on=FREE, by=TEST)[0]
    with pytest.raises(Refused, match="two different scores"):
        play(match, home, away)


def test_no_round_is_on_a_day_on_which_a_team_of_its_pairs_plays(client):
    league = with_fixtures(2)
    cup, busy = a_cup(league), matches(league)[0].held_on
    with pytest.raises(Refused, match="Choose a day without a match of these teams"):
        actions.set_pairs_day(cup, held_on=busy, by=TEST)
    actions.set_pairs_day(cup, held_on=FREE, by=TEST)
    actions.move_match(matches(league)[0], held_on=FREE, venue="", reason="Snow", by=TEST)
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_pairs", league, cup.public_id)).content.decode()
    assert "is on 6 May 2027, like a match of this cup." in " ".join(page.split())


def test_fixtures_drawn_after_a_pairs_cup_leave_its_week_free():
    league = a_league(4)
    cup = a_cup(league)
    day = league.starts_on
    actions.set_pairs_day(cup, held_on=day, by=TEST)
    assert week_of(days_of(league)(1)) > week_of(day)


def test_a_pair_of_a_team_that_leaves_is_out():
    league = with_fixtures(2)
    cup = a_cup(league)
    for match in actions.set_pairs_day(cup, held_on=FREE, by=TEST):
        play(match)
    team = cup.pairs.first().team
    actions.withdraw_team(team, by=TEST, at=EIGHT)
    now = pairs_bracket(list(cup.pairs.select_related("team")), list(cup.matches.all()))
    assert team.pk not in {cup.pairs.get(pk=match.first).team_id for match in now.ready()}


def test_two_players_of_one_cup_cannot_be_merged():
    league = with_fixtures(2)
    pair = a_cup(league).pairs.first()
    with pytest.raises(Refused, match="both play in Pairs"):
        merge_members(pair.first, into=pair.second, by=TEST, at=EIGHT)


def test_an_organiser_runs_a_pairs_cup_on_the_pages_and_members_only_see_it(client):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club))
    new = address("team_pairs_new", league)
    assert "Rovers 1 &amp; Rovers 2" in client.get(new).content.decode()
    assert client.post(new, {"name": "Pairs", "pairs": "Rovers 1"}).status_code == 422
    pairs = "Rovers 1 & Rovers 2\nUnited 1, United 2"
    done = client.post(new, {"name": "Pairs", "pairs": pairs}, follow=True)
    assert messages_on(done) == ["Added Pairs."]
    cup = league.pairs_cups.get()
    day = address("team_pairs_round", league, cup.public_id)
    assert messages_on(client.post(day, {"held_on": str(FREE)}, follow=True)) == [
        "Set the day of 1 match."
    ]
    match = cup.matches.get()
    result = address("team_pairs_result", league, cup.public_id, match.place)
    data = {f"{match.place}-home": "21", f"{match.place}-away": "9"}
    page = client.post(result, data, follow=True).content.decode()
    assert "Winners: Rovers" in page or "Winners: United" in page
    assert "21–9" in page
    assert cup.name in client.get(address("team_league", league)).content.decode()
    member = captain(league, league.teams.first())
    page = member.get(address("team_pairs", league, cup.public_id)).content.decode()
    assert "Save the result" not in page
    assert member.post(result, data).status_code == 403
    assert Client().get(address("team_pairs", league, cup.public_id)).status_code == 302


def test_a_pairs_cup_offers_the_results_first_and_nothing_once_the_league_is_closed(client):
    league = with_fixtures(2)
    cup = a_cup(league)
    actions.set_pairs_day(cup, held_on=FREE, by=TEST)
    client.force_login(a_user(club=league.club))
    page = address("team_pairs", league, cup.public_id)
    shown = client.get(page).content.decode()
    assert shown.index("Save the result") < shown.index("Move these matches to another day")
    actions.set_league_state(league, "finished", by=TEST, at=EIGHT)
    shown = client.get(page).content.decode()
    for gone in ("Save the result", "Move these matches", "Delete the cup", "Set the day"):
        assert gone not in shown, gone
