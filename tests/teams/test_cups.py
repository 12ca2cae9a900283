"""A cup beside the league: venues, days, and teams that leave."""

from datetime import date, time, timedelta

import pytest

from league.exchange.views.calendar import match_entries
from league.teams import actions
from league.teams.card_form import CardForm
from league.teams.cups import bracket_of
from league.teams.fixtures import clashes, double_bookings
from league.teams.models import Team, TeamLeague
from league.teams.queries import all_matches_of, fixtures_of, tables_of
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import a_card, a_league, matches, with_fixtures, written
from tests.teams.test_pages import address, captain, draw_a_cup, messages_on
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 26)


def a_cup(league, seed=1):
    cup = actions.make_cup(league, name="Cup", third_place=False, seed=seed, by=TEST)
    cup.league = league
    return cup


def test_a_second_press_draws_no_second_cup():
    league = a_league(4)
    a_cup(league)
    again = {"name": "Cup", "third_place": False, "seed": 2, "by": TEST}
    assert refusal(actions.make_cup, league, **again) == "cup-known"


def test_a_cup_of_an_unknown_league_is_not_found_whatever_is_sent(client):
    league = a_league(4)
    client.force_login(a_user(club=league.club))
    league.public_id = "ofanother123"
    url = address("team_cup_draw", league)
    assert [client.post(url, data).status_code for data in ({}, {"seed": "1"})] == [404, 404]


def test_who_is_drawn_first_plays_away_when_their_venue_has_a_league_match_that_day():
    league = with_fixtures(4)
    cup = a_cup(league)
    first, busy = (cup.places.get(number=n).team for n in (1, 2))
    Team.objects.filter(pk__in=[first.pk, busy.pk]).update(venue="The Crown")
    match = next(m.match for m in fixtures_of(league) if m.match.home_id == busy.pk)
    match.league = league
    actions.move_match(match, held_on=DAY, venue="", reason="Snow", by=TEST)
    fixed = actions.draw_cup_matches(cup, held_on=DAY, by=TEST)
    of_first = next(m for m in fixed if m.side_of(first) is not None)
    assert of_first.home_id != first.pk
    assert clashes(all_matches_of(league), league.teams.all()) == {}


def test_clashes_of_venues_and_teams_are_shown_on_the_draw_and_both_match_pages(client):
    league = with_fixtures(4)
    Team.objects.update(venue="The Crown")
    cup = a_cup(league)
    day = matches(league)[0].held_on
    client.force_login(a_user(club=league.club))
    drawn = client.get(address("team_cup_draw", league), {"name": "Other", "held_on": str(day)})
    assert "Rovers has 2 matches on 3 September 2026." in drawn.content.decode()
    actions.draw_cup_matches(cup, held_on=day, by=TEST)
    found = all_matches_of(league)
    assert set(double_bookings(found).values()) == {2}
    assert clashes(found, league.teams.all())[day, "The Crown"] == 4
    for page in (address("team_fixtures", league), address("team_cup", league, cup.public_id)):
        data = client.get(page).content.decode()
        assert "4 matches at The Crown on 3 September 2026." in data
        assert "Rovers has 2 matches on 3 September 2026." in data


def test_when_a_team_leaves_its_opponent_goes_through_and_the_match_is_no_fixture(client):
    league = a_league(4, pairs=1, turns=1)
    cup = a_cup(league)
    semi, other = actions.draw_cup_matches(cup, held_on=DAY, by=TEST)
    semi.league = other.league = league
    before = {entry.uid: entry for entry in match_entries(league.club, DAY)}
    semi.home.league = league
    actions.withdraw_team(semi.home, by=TEST, at=EIGHT)
    written(other, 1)
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_cup", league, cup.public_id))
    (_title, places), *_more = page.context["bracket"]
    assert [(place.fixed is None, place.walkover) for place in places] == [
        (True, True),
        (False, False),
    ]
    data = client.get(address("team_match", league, semi.public_id)).content.decode()
    assert f"{semi.home.name} has left, so this match is not played" in data
    assert "26 November" not in data
    after = {entry.uid: entry for entry in match_entries(league.club, DAY - timedelta(days=10))}
    off = [uid for uid in after if after[uid].status == "CANCELLED"]
    assert [uid.partition("@")[0] for uid in off] == [semi.public_id]
    assert after[off[0]].sequence == before[off[0]].sequence + 1
    (final,) = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    assert semi.away_id in (final.home_id, final.away_id)


def test_a_team_that_comes_back_takes_the_final_back_that_was_drawn_without_it():
    league = a_league(4, pairs=1, turns=1)
    cup = a_cup(league)
    semi, other = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    semi.league = other.league = semi.home.league = league
    actions.withdraw_team(semi.home, by=TEST, at=EIGHT)
    written(other, 1)
    (final,) = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    actions.return_team(semi.home, by=TEST, at=EIGHT)
    assert not cup.matches.filter(pk=final.pk).exists()
    assert not bracket_of(cup).over
    actions.withdraw_team(semi.home, by=TEST, at=EIGHT)
    (final,) = actions.draw_cup_matches(cup, held_on=None, by=TEST)
    final.league = league
    written(final, 1)
    assert refusal(actions.return_team, semi.home, by=TEST, at=EIGHT) == "played-on"


def test_a_cup_is_made_exactly_as_its_draw_was_seen_with_days_and_venues(client):
    league = with_fixtures(5, venues=("The Crown", "The Crown"))
    client.force_login(a_user(club=league.club))
    url = address("team_cup_draw", league)
    params = {"name": "Cup", "third_place": "on", "held_on": matches(league)[0].held_on}
    seeds = {client.get(url, params).context["seed"] for _look in range(3)}
    assert (len(seeds), league.cups.count()) == (3, 0)
    page = client.get(url, params)
    draw, seed = page.context["draw"], page.context["seed"]
    data = page.content.decode()
    assert [team.name in data for team in draw.byes] == [True] * 3
    say = params | {"seed": seed, "seen": draw.seen}
    assert messages_on(client.post(url, say, follow=True)) == ["Added Cup."]
    cup = league.cups.get()
    assert [place.team for place in cup.places.all()] == list(draw.teams)
    fixed = [(m.place, m.home, m.away, m.held_on) for m in cup.matches.order_by("number")]
    assert fixed == [(m.place, m.home, m.away, m.held_on) for m in draw.matches]
    assert (cup.seed, cup.third_place) == (seed, True)
    assert bracket_of(cup).meetings == draw.bracket.meetings


def test_a_cup_is_not_made_if_something_changed_since_its_draw_was_seen(client):
    league = with_fixtures(4)
    client.force_login(a_user(club=league.club))
    url = address("team_cup_draw", league)
    page = client.get(url, {"name": "Cup"})
    say = {"name": "Cup", "seed": page.context["seed"], "seen": page.context["draw"].seen}
    gone = league.teams.first()
    gone.league = league
    actions.withdraw_team(gone, by=TEST, at=EIGHT)
    again = client.post(url, say, follow=True)
    assert messages_on(again) == ["Something has changed. Check the draw again."]
    assert (league.cups.count(), len(again.context["draw"].teams)) == (0, 3)
    assert messages_on(draw_a_cup(client, league, name="Cup")) == ["Added Cup."]
    assert league.matches.exclude(cup=None).count() == 0


def test_a_draw_without_a_name_asks_for_it_and_one_team_makes_no_cup(client):
    league = a_league(1)
    client.force_login(a_user(club=league.club))
    url = address("team_cup_draw", league)
    assert client.get(url).status_code == 200
    assert client.get(url, {"held_on": "never"}).status_code == 422
    assert messages_on(client.get(url, {"name": "Cup"}, follow=True)) == [
        "It takes at least two teams."
    ]
    assert len(messages_on(client.post(url, {"name": "", "seed": "x"}, follow=True))) == 1


def test_the_best_of_the_table_go_into_a_bracket_in_one_press_seeded_by_place(client):
    league = with_fixtures(6, pairs=1)
    for match in matches(league):
        written(match, 5)
    client.force_login(a_user("olive", club=league.club))
    where = address("team_cup_draw", league)
    look = client.get(where, {"name": "Finals", "best": "4"})
    assert "Seeded by their places in the table." in look.content.decode()
    seen = {"name": "Finals", "best": "4", "seed": look.context["seed"]}
    client.post(where, {**seen, "seen": look.context["draw"].seen})
    cup = league.cups.get(name="Finals")
    rows = tables_of(league, list(league.teams.all()), fixtures_of(league))[None].lines[:4]
    assert [place.team_id for place in cup.places.order_by("number")] == [row.who for row in rows]
    pairs = {frozenset((m.first, m.second)) for m in bracket_of(cup).ready()}
    first, second, third, fourth = (row.who for row in rows)
    assert pairs == {frozenset((first, fourth)), frozenset((second, third))}


def test_a_final_of_more_teams_than_the_table_has_is_refused():
    again = {"name": "Cup", "third_place": False, "seed": 2, "best": 8, "by": TEST}
    assert refusal(actions.make_cup, a_league(4), **again) == "too-few"


def test_the_card_of_a_cup_match_has_no_deadline_and_costs_nobody_points(client):
    """A cup does not count in the table, so its card can't be late."""
    league = a_league(4)
    late = {"weekday": "sat", "time": "12:00", "points": 1, "from": "winner"}
    TeamLeague.objects.update(rules={**league.rules, "late": late})
    league.refresh_from_db()
    match, other = actions.draw_cup_matches(a_cup(league), held_on=DAY, by=TEST)
    match.league = league
    client.force_login(a_user(club=league.club))
    open_page = client.get(address("team_match", league, other.public_id)).content.decode()
    assert "has to arrive" not in open_page
    assert "A walk-over gives" not in open_page
    assert "received" not in CardForm(match=match, league=league, organiser=True).fields
    card = a_card(match, 6, held_on=date(2026, 11, 12))  # received a week later
    actions.write_card(match, card, side=None, by=TEST, at=EIGHT)
    page = client.get(address("team_match", league, match.public_id)).content.decode()
    assert "The card came late" not in page


def test_a_round_gets_another_day_and_a_neutral_venue_but_none_before_the_round_before():
    """STA 8c: at a venue and on a date to be decided."""
    league = a_league(4, pairs=1, turns=1)
    cup = a_cup(league)
    semis = actions.draw_cup_matches(cup, held_on=DAY, by=TEST)
    later = DAY - timedelta(days=14)
    cup.matches.update(begins_at=time(18, 15))
    moved = actions.draw_cup_matches(cup, held_on=later, venue="Village Hall", by=TEST)
    assert [match.pk for match in moved] == [match.pk for match in semis]
    shown = {(match.held_on, match.begins_at, match.venue) for match in cup.matches.all()}
    assert shown == {(later, None, "Village Hall")}
    for match in cup.matches.select_related("home", "away"):
        match.league = league
        written(match, 1, held_on=later)
    early = {"held_on": later - timedelta(days=1), "by": TEST}
    assert refusal(actions.draw_cup_matches, cup, **early) == "too-early"
    (final,) = actions.draw_cup_matches(cup, held_on=later, venue="The Hall", by=TEST)
    assert final.venue == "The Hall"


def test_a_round_that_is_made_without_a_day_is_not_said_to_have_one(client):
    league = a_league(4)
    client.force_login(a_user(club=league.club))
    url = address("team_cup_round", league, a_cup(league).public_id)
    assert messages_on(client.post(url, follow=True)) == ["Added 2 matches without a day."]
    day = {"held_on": str(DAY)}
    assert messages_on(client.post(url, day, follow=True)) == ["Set the day of 2 matches."]


def test_the_draws_bracket_has_the_day_of_the_first_matches(client):
    league = a_league(4)
    client.force_login(a_user(club=league.club))
    url = address("team_cup_draw", league)
    draw = client.get(url, {"name": "Cup", "held_on": str(DAY)}).content.decode()
    assert draw.count("26 November") == 2  # of both semi-finals; the final has none yet
    assert draw.count("No day yet") == 1


def test_the_cups_page_links_both_teams_to_their_match_and_says_where_it_is_played(client):
    league = a_league(4)
    client.force_login(a_user(club=league.club))
    cup = a_cup(league)
    match = actions.draw_cup_matches(cup, held_on=DAY, by=TEST)[0]
    page = client.get(address("team_cup", league, cup.public_id)).content.decode()
    link = f'href="{address("team_match", league, match.public_id)}">'
    for team in (match.home, match.away):
        assert f"{link}{team.name}</a>" in page
    assert f"· {match.venue or match.home.venue}" in page


def test_a_cups_page_begins_with_its_open_matches_and_the_captains_card(client):
    league = with_fixtures(teams=6, pairs=1)
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST,
                           held_on=date(2026, 11, 19))  # fmt: skip
    first, other = cup.matches.order_by("number")
    page = address("team_cup", league, cup.public_id)
    card = [address("team_card", league, match.public_id) for match in (first, other)]
    shown = captain(league, first.home).get(page).content.decode()
    assert shown.index("Matches to play") < shown.index(card[0]) < shown.index('class="bracket"')
    assert card[1] not in shown
    client.force_login(a_user(club=league.club))
    shown = client.get(page).content.decode()
    assert shown.index(card[1]) < shown.index("Move these matches to another day")
    assert "The next matches" not in shown
    for match in (first, other):
        match.league = league
        written(match)
    shown = client.get(page).content.decode()
    assert shown.index("The next matches") < shown.index('class="bracket"')
    assert "Move these matches" not in shown
    assert "Matches to play" not in shown


def test_a_team_that_has_left_is_marked_in_the_bracket(client):
    league = with_fixtures(teams=6)
    cup = a_cup(league)
    team = cup.places.first().team
    actions.withdraw_team(team, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    assert (
        f"{team.name} (left)"
        in client.get(address("team_cup", league, cup.public_id)).content.decode()
    )


def test_a_disputed_card_of_a_cup_is_what_an_organiser_decides_next(client):
    league = with_fixtures(teams=4, pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST,
                           held_on=date(2026, 11, 19))  # fmt: skip
    match = cup.matches.first()
    match.league = league
    written(match, side=0)
    actions.dispute_card(match, reason="Game 2", side=1, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    step = client.get(address("team_league", league)).context["next"]
    assert (step.page, step.about) == ("team_match", match.public_id)
