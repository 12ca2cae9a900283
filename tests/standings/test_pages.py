"""The pages of standings: who sees what, sorted and searched, from a fixed number of queries."""

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.members.models import Club, Member
from league.play.models import Game, Result
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.actions import choose_measures, choose_session_measures
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db

NIGHT = [
    Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7)),
    Sheet(("Joan", "Gus", "Sam"), (15, 9, 12), target=15),
]
LATER = [Sheet(("Rose", "Joan"), (4, 10)), Sheet(("Ann", "Gus", "Bill", "Sam"), (10, 3, 10, 3))]


@pytest.fixture
def club() -> Club:
    club = a_club()
    members_of(club, 12)
    return club


@pytest.fixture
def night(club: Club) -> Session:
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    night = a_session(club, season=season)
    recorded(night, NIGHT)
    return night


@pytest.fixture
def member(club: Club, client: Client) -> Client:
    client.force_login(a_user("rose", club=club, rank="member"))
    return client


def address(night: Session, name: str = "session_standings", *more: str) -> str:
    return reverse(name, args=[night.club.slug, night.public_id, *more])


def order_of(page: str) -> list[str]:
    """The names down the table, top to bottom."""
    return re.findall(r'scope="row" class="name"><a href="[^"]*">([^<]*)</a>', page)


def without_the_key(page: str) -> str:
    """A page but for the key to its revision, which holds the second it was made in."""
    shorter, count = re.subn(r"\?k=[^\"]+", "", page)
    assert count == 1
    return shorter


def test_the_table_ranks_by_games_won_then_for_the_tables_sat_at(
    member: Client, night: Session
) -> None:
    page = member.get(address(night)).content.decode()
    # One win each: Joan's at three hands is worth more; then Rose and Ted share.
    assert order_of(page)[:3] == ["Joan", "Rose", "Ted"]
    assert "First on wins above average: +0.67 (1 won − 0.33 on average) against +0.5" in page
    assert "Tied: level" in page
    assert "1/2 for each game of two sides" in page


def test_the_table_sorts_by_a_heading_and_keeps_the_ranks(member: Client, night: Session) -> None:
    page = member.get(address(night), {"who": "all"}).content.decode()
    assert 'href="?sort=-points"' in page
    page = member.get(address(night), {"sort": "-points"}).content.decode()
    assert order_of(page)[0] == "Joan"
    assert order_of(page)[1] == "Sam"
    assert 'aria-sort="descending"' in page


@pytest.mark.parametrize(
    "questions",
    [
        {"sort": "user__password"},
        {"sort": "name.x"},
        {"page": str(10**30)},
        {"page": "-1"},
        {"page": "٣"},
        {"who": "x"},
        {"by": "x"},
    ],
)
def test_what_is_not_on_the_list_is_as_if_it_had_not_been_asked(
    member: Client, night: Session, questions: dict[str, str]
) -> None:
    response = member.get(address(night), questions)
    assert response.status_code == 200
    assert order_of(response.content.decode())[0] == "Joan"


def test_a_search_hides_lines_and_changes_no_rank(member: Client, night: Session) -> None:
    page = member.get(address(night), {"q": "sam"}).content.decode()
    assert order_of(page) == ["Sam"]
    assert '<td role="cell" class="rank">4</td>' in page


def test_guests_can_be_looked_at_alone(member: Client, night: Session) -> None:
    Member.objects.filter(name="Gus").update(is_guest=True)
    page = member.get(address(night), {"who": "guests"}).content.decode()
    assert order_of(page) == ["Gus"]


def test_the_movement_since_the_round_before_is_said_in_words(
    member: Client, night: Session
) -> None:
    assert "places</span>" not in member.get(address(night)).content.decode()
    recorded(night, LATER, round_number=2)
    Session.objects.filter(pk=night.pk).update(revision=2)
    page = squeezed(member.get(address(night)).content.decode())
    assert re.search(r"▲<span class=\"steps\"> ?\d+</span></span><span [^>]+>up \d+ places?", page)
    assert "down" in page


def test_a_game_still_open_makes_its_players_provisional(member: Client, night: Session) -> None:
    game = Game.objects.get(session=night, table__number=2)
    game.results.update(provisional=True)
    page = member.get(address(night)).content.decode()
    assert "data-revision-url" in page
    assert "Provisional" in page
    assert squeezed(page).count("1 game unfinished or not confirmed.") == 3


def test_a_game_called_off_counts_for_nothing(member: Client, night: Session) -> None:
    Game.objects.filter(session=night, table__number=2).update(state=Game.State.ABANDONED)
    assert "Joan" not in order_of(member.get(address(night)).content.decode())


def test_a_game_being_played_counts_in_no_column_until_it_ends(
    member: Client, night: Session
) -> None:
    Result.objects.filter(game__table__number=2).update(finished=False, win_share=0)
    Game.objects.filter(table__number=2).update(state=Game.State.PLAYING)
    page = member.get(address(night), {"q": "joan"}).content.decode()
    assert ">15</td>" not in page
    assert "1 game unfinished" in squeezed(page)
    assert "No finished game: below everyone who has one." in page
    assert "Only finished games count." in page


def test_the_same_page_again_costs_a_look_up(
    member: Client, night: Session, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cold = member.get(address(night)).content.decode()
    with django_assert_num_queries(6) as first:  # one for a reader without a line: why
        warm = member.get(address(night)).content.decode()
    assert without_the_key(warm) == without_the_key(cold)
    assert not any("GROUP BY" in query["sql"] for query in first.captured_queries)


def test_the_number_of_queries_does_not_grow_with_the_night(
    member: Client, night: Session, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(11):
        member.get(address(night))
    recorded(night, LATER * 5, round_number=2)
    caches["pages"].clear()
    with django_assert_max_num_queries(11):
        member.get(address(night))


@pytest.mark.parametrize("page", ["season_standings", "games_table", "member_record", "print"])
def test_no_page_asks_more_of_a_longer_season(
    member: Client, night: Session, django_assert_max_num_queries: Any, page: str
) -> None:
    slug, rose = night.club.slug, Member.objects.get(name="Rose").public_id
    where = {
        "season_standings": [slug, night.season.public_id],
        "games_table": [slug, night.public_id],
        "member_record": [slug, rose],
        "print": [slug, night.public_id],
    }[page]
    where = reverse("print_standings" if page == "print" else page, args=where)
    with CaptureQueriesContext(connection) as few:
        member.get(where)
    for number in range(2, 6):
        recorded(night, LATER * 2, round_number=number)
        later = a_session(night.club, season=night.season, name=f"Night {number}")
        recorded(later, [*NIGHT, *LATER])
    caches["pages"].clear()
    with django_assert_max_num_queries(len(few) + 1):  # the rules, once several are played by
        member.get(where)
    assert len(few) <= 28  # a player's page has the place in the season from its table


def test_a_new_result_and_a_new_name_are_seen_at_once(member: Client, night: Session) -> None:
    member.get(address(night))
    Member.objects.filter(name="Joan").update(name="Johanna")
    assert "Johanna" in member.get(address(night)).content.decode()
    Member.objects.filter(name="Johanna").update(name="Joan")
    Session.objects.filter(pk=night.pk).update(revision=night.revision + 1)
    recorded(night, LATER, round_number=2)
    assert len(order_of(member.get(address(night)).content.decode())) == 7


def test_the_public_reads_names_as_people_and_club_allow(client: Client, night: Session) -> None:
    Club.objects.update(visibility=Club.Visibility.STANDINGS)
    Member.objects.filter(name="Joan").update(name="Joan Pike")
    Member.objects.filter(name="Ted").update(name="Ted Marsh", shown=Member.Shown.HIDDEN)
    page = client.get(address(night)).content.decode()
    assert "Joan P." in page
    assert "Pike" not in page
    assert "Marsh" not in page
    assert 'name="robots" content="noindex"' in page
    for name in ("session_standings", "print_standings"):
        answer = client.get(reverse(name, args=[night.club.slug, night.public_id]))
        assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (200, "noindex"), name
    assert "X-Robots-Tag" not in client.get(reverse("club", args=[night.club.slug])).headers


def test_a_stranger_sees_nothing_of_a_club_that_shows_nothing(
    client: Client, night: Session
) -> None:
    for name in ("session_standings", "games_table", "print_standings"):
        assert client.get(address(night, name)).status_code in {302, 404}


def test_a_session_of_another_club_is_not_found(client: Client, night: Session) -> None:
    client.force_login(a_user("zed", club=a_club("Other", "other"), rank="owner"))
    assert (
        client.get(reverse("session_standings", args=["other", night.public_id])).status_code == 404
    )


def test_my_own_line_stays_in_view(member: Client, night: Session) -> None:
    rose = Member.objects.get(name="Rose")
    rose.user_id = int(member.session["_auth_user_id"])
    rose.save()
    mine = member.get(address(night)).content.decode().partition('class="my-place"')[2]
    assert "2nd place" in mine
    assert 'games won</span><span class="in-brief">Won</span> <b>1</b>' in mine


def test_a_part_alone_answers_a_live_page(member: Client, night: Session) -> None:
    part = member.get(address(night), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert order_of(part)[0] == "Joan"


def test_a_finished_evening_has_a_podium_its_facts_and_an_address(
    member: Client, night: Session
) -> None:
    Session.objects.update(state=Session.State.CLOSED)
    page = squeezed(member.get(address(night)).content.decode())
    assert "Winners" in page
    assert f"http://testserver{address(night)}" in page
    assert "<dt>Hands</dt><dd>20</dd></div>" in page
    assert (
        page.index("Winners")
        < page.index("<table")
        < page.index("Ranked by")
        < page.index("<dt>Hands")
    )
    assert "data-revision-url" not in page


def test_an_evening_without_hands_says_what_comes(member: Client, club: Club) -> None:
    page = member.get(address(a_session(club))).content.decode()
    assert "No hand has been entered yet" in page


def test_the_season_adds_its_evenings_up_or_takes_the_mean(member: Client, night: Session) -> None:
    second = a_session(night.club, season=night.season, name="Second")
    recorded(second, LATER)
    where = reverse("season_standings", args=[night.club.slug, night.season.public_id])
    total = member.get(where).content.decode()
    assert order_of(total)[0] == "Joan"
    assert ">25</td>" in total
    mean = member.get(where, {"by": "average"}).content.decode()
    assert ">12.5</td>" in mean


def test_a_cancelled_evening_is_not_in_the_season(member: Client, night: Session) -> None:
    Session.objects.update(state=Session.State.CANCELLED)
    where = reverse("season_standings", args=[night.club.slug, night.season.public_id])
    assert order_of(member.get(where).content.decode()) == []


def test_the_games_of_a_night_are_listed_and_chosen_by_size(member: Client, night: Session) -> None:
    page = member.get(address(night, "games_table")).content.decode()
    assert "Rose &amp; Ted" in page
    assert "10 – 7" in page
    assert "15 – 9 – 12" in page
    threes = member.get(address(night, "games_table"), {"size": "3"}).content.decode()
    assert "10 – 7" not in threes


@pytest.mark.parametrize(
    "questions",
    [
        {"sort": "user__password"},
        {"sort": "sides"},
        {"sort": "-table__session__club__name"},
        {"size": "9"},
        {"state": "x' OR 1=1"},
        {"player": "\x01"},
    ],
)
def test_the_games_ask_for_nothing_that_is_not_on_the_list(
    member: Client, night: Session, questions: dict[str, str]
) -> None:
    response = member.get(address(night, "games_table"), questions)
    assert response.status_code == 200


def test_the_games_of_one_person_can_be_chosen(member: Client, night: Session) -> None:
    joan = Member.objects.get(name="Joan").public_id
    page = member.get(address(night, "games_table"), {"player": joan}).content.decode()
    assert "15 – 9 – 12" in page
    assert "10 – 7" not in page


def test_the_printed_table_says_in_a_line_what_it_ranks_by(member: Client, night: Session) -> None:
    page = member.get(address(night, "print_standings")).content.decode()
    assert all(text in page for text in ("Ranked by games won, then wins above average", "=2"))
    assert "First on wins above average" not in page


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_members_download_the_table(member: Client, night: Session, kind: str) -> None:
    response = member.get(address(night, "export_session", kind))
    assert response.status_code == 200
    assert response["Content-Disposition"].endswith(f'.{kind}"')
    assert response["Cache-Control"] == "no-store"


def test_a_record_tells_games_by_table_size(member: Client, night: Session) -> None:
    joan = Member.objects.get(name="Joan")
    page = member.get(reverse("member_record", args=[night.club.slug, joan.public_id]))
    assert "Three-handed" in page.content.decode()
    assert "+0.67" in page.content.decode()


def test_the_record_of_somebody_hidden_is_not_there_in_public(
    client: Client, night: Session
) -> None:
    Club.objects.update(visibility=Club.Visibility.STANDINGS)
    joan = Member.objects.get(name="Joan")
    Member.objects.filter(pk=joan.pk).update(shown=Member.Shown.HIDDEN)
    where = reverse("member_record", args=[night.club.slug, joan.public_id])
    assert client.get(where).status_code == 404


def test_an_organiser_chooses_what_counts_and_in_which_order(
    client: Client, night: Session
) -> None:
    client.force_login(a_user("olive", club=night.club))
    where = reverse("standings_rule", args=[night.club.slug])
    assert client.post(where, {"first": "points", "second": "won"}).status_code == 302
    night.club.refresh_from_db()
    assert night.club.measures == ["points", "won"]
    assert "First on games won" not in client.get(address(night)).content.decode()
    assert order_of(client.get(address(night)).content.decode())[:2] == ["Joan", "Sam"]


def test_the_same_measure_twice_is_refused_at_its_field(client: Client, night: Session) -> None:
    client.force_login(a_user("olive", club=night.club))
    where = reverse("standings_rule", args=[night.club.slug])
    response = client.post(where, {"first": "points", "second": "points"})
    assert response.status_code == 422
    assert "already in the list" in response.content.decode()


def test_a_scorekeeper_may_not_choose_what_counts(client: Client, night: Session) -> None:
    client.force_login(a_user("sue", club=night.club, rank="scorekeeper"))
    assert client.get(reverse("standings_rule", args=[night.club.slug])).status_code == 403


def test_a_drawn_lot_is_said_with_its_seed(member: Client, night: Session) -> None:
    assert "The random draw starts from" not in member.get(address(night)).content.decode()
    choose_session_measures(night, ["won", "lot"], by=TEST)
    page = member.get(address(night)).content.decode()
    assert f"The random draw starts from {night.public_id}" in page
    assert "by random draw" in page


def test_a_session_may_rank_by_a_list_of_its_own(night: Session) -> None:
    choose_measures(night.club, ["points"], by=TEST)
    choose_session_measures(night, ["won", "lot"], by=TEST)
    night.refresh_from_db()
    assert night.measures == ["won", "lot"]
    assert night.revision == 2
    assert night.audit.get().action == "choose measures"
