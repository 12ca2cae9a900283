"""A person's page and two people compared: from real hands, with fixed queries, as names allow."""

import re

import pytest
from django.contrib.auth import get_user
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.members.models import Club, Member
from league.play.actions import call_time
from league.play.models import Game
from league.ranking.measures import MEASURES
from league.ranking.statistics import Rate
from league.seasons.models import Champion, Season
from league.seating.actions import substitute
from league.seating.models import Table
from league.sessions.attendance import arrive
from league.sessions.models import Session
from league.standings.careers import career_of
from league.standings.queries import session_standings
from league.standings.views import members
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_game_table,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
)
from tests.pages import squeezed
from tests.play.hands import write

pytestmark = pytest.mark.django_db

# Chair 0 is Rose, then Ann, Ted, Bill; the deal starts with Rose and goes round.
HANDS = [(0, 3), (0, 5), (1, 2), (0, 1), (2, 4), (3, 3)]


@pytest.fixture
def table() -> Table:
    table = a_game_table()
    write(table, *HANDS)
    return table


def called(name: str) -> Member:
    return Member.objects.get(name=name)


def page_of(name: str, which: str = "member_record") -> str:
    member = called(name)
    return reverse(which, args=[member.club.slug, member.public_id])


@pytest.fixture
def member(table: Table, client: Client) -> Client:
    client.force_login(a_user("sue", club=Club.objects.get(), rank="member"))
    return client


def test_the_first_screen_says_the_place_in_the_season_games_won_and_titles(
    member: Client, table: Table
) -> None:
    club = table.session.club
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    past = Season.objects.create(club=club, name="Spring", starts_on="2026-03-01")
    Session.objects.update(season=season)
    Champion.objects.create(season=past, member=called("Rose"))
    finish(table, 0)
    page = member.get(page_of("Rose")).content.decode()
    tiles = re.sub(r"<[^>]+>|\s+", " ", page.partition("<dl")[2].partition("</dl>")[0])
    assert re.search("Place in Autumn +1st +of 4 players", tiles)
    assert re.search("Games won +1 of 1", tiles)
    assert re.search("Title +1 +Spring", tiles)


def test_figures_come_from_the_recorded_hands_each_from_how_many(table: Table) -> None:
    found = career_of(called("Rose")).habits
    assert found["called"] == Rate(3, 6)
    assert found["made"] == Rate(2, 3)
    assert found["euchred"] == Rate(1, 3)
    assert found["euchres"] == Rate(1, 2)  # Ann was euchred, Bill was not
    assert found["marches"] == Rate(1, 4)


def test_a_struck_hand_counts_for_nobody(table: Table) -> None:
    table.games.get().hands.filter(number=2).update(struck=True)
    assert career_of(called("Rose")).habits["made"] == Rate(1, 2)


def test_hands_are_credited_to_who_sat_on_the_chair(table: Table) -> None:
    table.seats.filter(position=0).update(until_hand=2)
    assert career_of(called("Rose")).habits["called"] == Rate(2, 2)


def test_the_page_says_each_figure_and_from_how_many(member: Client) -> None:
    page = member.get(page_of("Rose")).content.decode()
    assert "50% (3 of 6)" in page
    assert "2 of 3" in page
    assert "% (2 of 3)" not in page  # too few for a percentage
    assert "Left of the dealer" in page
    assert "Points up or down a hand" in page


def test_the_trend_is_a_drawing_with_its_words_and_a_table(member: Client, table: Table) -> None:
    finish(table, 2)
    finish(another(table), 0)
    page = member.get(page_of("Rose")).content.decode()
    assert '<svg viewBox="0 0 640 232" role="group" aria-labelledby="trend-says">' in page
    assert "highest" in page
    assert page.count('<g class="dot"') == 2
    assert "Every session as a table" in page
    assert "style=" not in page


def another(table: Table) -> Table:
    session = a_session(table.session.club, held_on="2026-11-26")
    table.seats.update(seated=False)
    people = [called(name) for name in ("Rose", "Ann", "Ted", "Bill")]
    return a_table(session, people, table.ruleset)


def finish(table: Table, maker: int) -> None:
    """Marches of one side until the game is over."""
    while table.games.filter(state=Game.State.PLAYING).exists() or not table.games.exists():
        write(table, (maker, 5))


def test_a_players_own_side_stands_first_in_their_latest_games(
    member: Client, table: Table
) -> None:
    finish(table, 0)
    said = []
    for name in ("Rose", "Ann"):
        page = member.get(page_of(name)).content.decode()
        latest = page.partition('class="list latest"')[2].partition("</li>")[0]
        assert latest.index(name) < latest.index("against")
        said += re.findall(r">(Won|Lost) (\d+) – (\d+)", latest)
    (outcome, own, other), lost = said
    assert (outcome, *lost) == ("Won", "Lost", other, own)


def test_of_two_who_had_one_seat_in_turn_the_game_is_for_the_second(member: Client) -> None:
    club_session = a_session(Club.objects.get(), members_of(Club.objects.get(), 8)[4:])
    *players, vera = [row.member for row in club_session.attendances.order_by("pk")]
    table = a_table(
        club_session, players, a_ruleset(club_session.club, "guide-cutthroat-three-handed")
    )
    write(table, (0, 3), (1, 3))
    substitute(table, 0, vera, by=TEST)
    write(table, (0, 5), (0, 5), (0, 5))
    page = squeezed(member.get(page_of(players[0].name)).content.decode())
    assert f"{players[0].name}, then {vera.name}" in page
    assert "<dd>–</dd>" in page
    latest = page.partition('class="list latest"')[2].partition("</li>")[0]
    assert "left after 2 hands" in latest
    assert f"for {vera.name}</a>" in latest
    assert "Won" not in latest
    assert ">won<" not in latest
    page = squeezed(member.get(page_of(vera.name)).content.decode())
    assert f"<strong>{players[0].name}, then {vera.name}</strong>" in page
    assert "Won 1" in page.partition('class="list latest"')[2].partition("</li>")[0]
    assert "0 of 0</dd>" not in page


def test_the_hands_of_a_game_left_before_its_end_count_in_the_session(table: Table) -> None:
    vera = Member.objects.create(club=table.session.club, name="Vera")
    arrive(table.session, vera, by=TEST, at=EIGHT)
    substitute(table, 0, vera, by=TEST)
    finish(table, 1)
    (step,) = career_of(called("Rose")).trend
    tallies = session_standings(table.session, at=EIGHT).tallies[called("Rose").pk]
    assert step.a_hand.of == 6
    assert step.a_hand.share == MEASURES["difference_a_hand"].value(tallies)
    assert step.won == Rate(0, 0)
    assert career_of(called("Rose")).company == []


def test_every_game_of_a_player_can_be_reached(
    member: Client, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(table, 0)
    for _ in range(6):
        table = another(table)
        finish(table, 1)
    games = page_of("Rose", "member_games")
    assert f'href="{games}"' in member.get(page_of("Rose")).text
    assert member.get(games).text.count('class="score') == 7
    monkeypatch.setattr(members, "GAMES_PER_PAGE", 4)
    assert 'rel="next" href="?page=2"' in member.get(games).text
    assert member.get(games, {"page": 2}).text.count('class="score') == 3


def test_a_player_s_games_are_listed_by_the_month(member: Client, table: Table) -> None:
    finish(table, 0)
    later = another(table)
    finish(later, 1)
    games = page_of("Rose", "member_games")
    assert 'name="month"' not in member.get(games).text
    Session.objects.filter(pk=later.session_id).update(held_on="2026-10-08")
    text = member.get(games).text
    assert ">October 2026<" in text
    assert text.count('class="score') == 2
    assert "Games won: 1 of 2" in text
    text = member.get(games, {"month": "2026-10"}).text
    assert "Games won: 0 of 1" in text
    assert '<option value="2026-10" selected>' in text
    assert text.count('class="score') == 1
    assert member.get(games, {"month": "x"}).text.count('class="score') == 2


def test_partners_and_opponents_are_told_with_results(member: Client, table: Table) -> None:
    finish(table, 0)
    met = {one.who: one for one in career_of(called("Rose")).company}
    assert met[called("Ted").pk].together == Rate(1, 1)
    assert met[called("Ann").pk].against == Rate(1, 1)
    page = member.get(page_of("Rose")).content.decode()
    assert ">1 of 1<" in page


def test_one_season_can_be_looked_at_alone(member: Client, table: Table) -> None:
    season = Season.objects.create(club=table.session.club, name="Spring", starts_on="2027-01-01")
    page = member.get(page_of("Rose"), {"season": season.public_id}).content.decode()
    assert "No games yet" in page
    Session.objects.update(season=season)
    assert career_of(called("Rose"), season).habits["called"].of == 6


def test_a_longer_record_costs_no_more_queries(member: Client, table: Table) -> None:
    finish(table, 0)
    member.get("/")  # signs in
    with CaptureQueriesContext(connection) as few:
        member.get(page_of("Rose"))
    for _ in range(3):
        table = another(table)
        finish(table, 1)
    with CaptureQueriesContext(connection) as many:
        member.get(page_of("Rose"))
    assert len(many) == len(few) <= 21


def test_a_record_seen_before_goes_through_no_hands(
    member: Client, table: Table, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    finish(table, 0)
    rose = page_of("Rose")
    cold = member.get(rose).content
    with django_assert_num_queries(11) as queries:
        assert member.get(rose).content == cold
    assert not any("league_hand" in query["sql"] for query in queries.captured_queries)


def test_a_kept_record_shows_the_next_game_and_a_hidden_name_at_once(
    member: Client, client: Client, table: Table
) -> None:
    Club.objects.update(visibility=Club.Visibility.STANDINGS, names_in_public=Club.Names.FULL)
    finish(table, 0)
    stranger = Client()
    for visitor in (member, stranger):
        assert visitor.get(page_of("Rose")).content.decode().count("Ann") >= 2
    Member.objects.filter(name="Ann").update(shown=Member.Shown.HIDDEN)
    assert "Ann" not in stranger.get(page_of("Rose")).content.decode()
    assert "Ann" in member.get(page_of("Rose")).content.decode()
    before = member.get(page_of("Rose")).content
    finish(another(table), 1)
    assert member.get(page_of("Rose")).content != before


def test_a_game_stopped_at_equal_scores_is_tied_and_no_streak_counts_it(
    member: Client, table: Table
) -> None:
    write(table, (1, 5), (1, 3))  # both sides have 6
    call_time(table, by=TEST, at=EIGHT)
    for page in ("member_record", "member_games"):
        text = squeezed(member.get(page_of("Rose", page)).content.decode())
        assert "Tied 6 – 6" in text
        assert "Won 6 – 6" not in text
        assert '<span class="only-heard">won</span>' not in text
    record = squeezed(member.get(page_of("Rose")).content.decode())
    assert "Longest winning streak: 0. Longest losing streak: 0." in record


def test_two_people_stand_side_by_side(member: Client, table: Table) -> None:
    finish(table, 0)
    page = member.get(page_of("Rose", "member_compare"), {"with": called("Ann").public_id})
    text = page.content.decode()
    assert "Rose and Ann" in text
    assert re.search(r"Against each other, Rose won [01] of 1\.", text)
    assert "2 of 3" not in text  # the marches since are counted too


def test_where_nobody_is_asked_for_the_reader_is_compared_or_who_was_met_most(
    client: Client, member: Client, table: Table
) -> None:
    finish(table, 0)
    compare = page_of("Rose", "member_compare")
    assert re.search("Rose and (Ann|Bill|Ted)", member.get(compare).content.decode())
    Member.objects.filter(name="Ted").update(user=get_user(member))
    assert "Rose and Ted" in member.get(compare).content.decode()
    Member.objects.filter(name="Ted").update(user=None)
    called("Rose").results.all().delete()
    assert "Compare Rose" in member.get(compare).content.decode()


def test_whom_nobody_may_see_cannot_be_compared(client: Client, table: Table) -> None:
    Club.objects.update(visibility=Club.Visibility.STANDINGS)
    Member.objects.filter(name="Ann").update(name="Ann Hill", shown=Member.Shown.HIDDEN)
    hidden = called("Ann Hill")
    page = client.get(page_of("Rose", "member_compare"), {"with": hidden.public_id})
    assert page.status_code == 200
    assert hidden.public_id not in page.content.decode()
    assert "Hill" not in page.content.decode()
    assert client.get(page_of("Ann Hill", "member_compare")).status_code == 404
    finish(table, 0)
    record = client.get(page_of("Rose")).content.decode()
    assert "Hill" not in record
    assert hidden.public_id not in record


def test_all_tables_stand_first_and_not_twice_where_all_are_of_one_size(
    member: Client, table: Table
) -> None:
    finish(table, 0)
    page = member.get(page_of("Rose")).content.decode()
    assert "Four-handed" in page
    assert "All tables" not in page
    three = [called(name) for name in ("Rose", "Ann", "Ted")]
    session = a_session(table.session.club, held_on="2026-12-03")
    finish(a_table(session, three, a_ruleset(session.club, "nanaimo-three-handed")), 0)
    page = member.get(page_of("Rose")).content.decode()
    assert page.index("All tables") < page.index("Three-handed") < page.index("Four-handed")


def test_who_has_not_played_yet_is_led_to_the_coming_sessions(client: Client) -> None:
    club = a_club()
    night = a_session(club, members_of(club, 1))
    client.force_login(a_user("sue", club=night.club, rank="member"))
    assert reverse("coming", args=[night.club.slug]) in client.get(page_of("Rose")).text
