"""What tables rank by: the usual list, which fits the tables played; a season's own; best games."""

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club
from league.seasons.models import Season
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from tests.builders import a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db
OF_FOUR = Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))
OF_THREE = Sheet(("Joan", "Gus", "Sam"), (15, 9, 12), target=15)
LATER = Sheet(("Rose", "Joan", "Bill", "Gus"), (10, 2, 10, 2))


@pytest.fixture
def club() -> Club:
    club = a_club()
    members_of(club, 12)
    return club


@pytest.fixture
def season(club: Club) -> Season:
    return Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")


@pytest.fixture
def organiser(club: Club, client: Client) -> Client:
    client.force_login(a_user("olive", club=club))
    return client


def codes(standings) -> list[str]:
    return [measure.code for measure in standings.measures]


def test_tables_of_one_size_are_not_compared_as_if_they_were_mixed(club: Club) -> None:
    night = a_session(club)
    recorded(night, [OF_FOUR])
    assert codes(session_standings(night, at=timezone.now())) == ["won", "win_rate", "difference"]


def test_tables_of_several_sizes_compare_by_what_their_wins_are_worth(
    organiser: Client, club: Club
) -> None:
    night = a_session(club)
    recorded(night, [OF_FOUR])
    page = reverse("session_standings", args=[club.slug, night.public_id])
    assert "expected" not in organiser.get(page).content.decode()
    recorded(night, [OF_THREE], round_number=2)
    measures = codes(session_standings(night, at=timezone.now()))
    assert measures == ["won", "above", "share", "difference"]
    type(night).objects.filter(pk=night.pk).update(revision=5)
    shown = organiser.get(page).content.decode()
    assert "Wins above average" in shown
    assert "because the tables differ in size" in shown


def test_a_season_ranks_by_a_list_of_its_own(organiser: Client, club: Club, season: Season) -> None:
    night = a_session(club, season=season)
    recorded(night, [OF_FOUR])
    where = reverse("season_rule", args=[club.slug, season.public_id])
    assert organiser.post(where, {"first": "points", "second": "lot"}).status_code == 302
    season.refresh_from_db()
    assert codes(season_standings(season, at=timezone.now())) == ["points", "lot"]
    assert codes(session_standings(night, at=timezone.now()))[0] == "won"


def test_of_a_season_of_best_games_only_these_count_and_the_page_says_so(
    organiser: Client, club: Club, season: Season
) -> None:
    recorded(a_session(club, season=season), [OF_FOUR])
    recorded(a_session(club, season=season, held_on="2026-11-20"), [LATER])
    Season.objects.filter(pk=season.pk).update(counts="best_games", counted_number=1)
    season.refresh_from_db()
    table = season_standings(season, at=timezone.now())
    won = {table.people[line.who].name: line.values["won"] for line in table.lines}
    assert (won["Rose"], won["Bill"], won["Gus"]) == (1, 1, 0)
    page = organiser.get(reverse("season_standings", args=[club.slug, season.public_id]))
    text = page.content.decode()
    assert "best finished game counts" in text
    assert "1 of 2 games count." in text


def test_only_a_table_that_ranks_by_the_usual_list_says_that_sizes_put_more_points_lower(
    organiser: Client, club: Club, season: Season
) -> None:
    night = a_session(club, season=season)
    four = Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 9, 10, 9))
    recorded(night, [four, Sheet(("Joan", "Gus", "Sam"), (10, 6, 2))])
    page = reverse("season_standings", args=[club.slug, season.public_id])
    sentence = "A player with more points can be lower here, because the tables differ in size."
    assert sentence in organiser.get(page).text
    for rules in ({"place_points": ["1"]}, {"measures": ["lone_marches", "won", "win_rate"]}):
        Season.objects.update(**{"place_points": [], "measures": [], **rules})
        caches["pages"].clear()
        text = organiser.get(page).text
        assert "Ranked by" in text
        assert sentence not in text


def test_best_games_and_points_for_places_do_not_go_together(
    organiser: Client, club: Club, season: Season
) -> None:
    where = reverse("season_edit", args=[club.slug, season.public_id])
    form = {"name": "Autumn", "starts_on": "2026-09-01", "counts": "best_games"}
    refused = organiser.post(where, form | {"counted_number": "5", "place_points": "10 8"})
    assert refused.status_code == 422
    assert "Points for places are for whole sessions" in refused.content.decode()
    assert organiser.post(where, form | {"counted_number": "5"}).status_code == 302


@pytest.mark.parametrize("sizes", [(4,), (4, 3)])
def test_nothing_is_said_of_mixed_tables_where_all_are_of_one_size(organiser, club, sizes):
    night = a_session(club)
    recorded(night, [OF_FOUR, OF_THREE][: len(sizes)])
    ranking = organiser.get(reverse("standings_rule", args=[club.slug]))
    table = organiser.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    offered = dict(ranking.context["form"].fields["first"].choices)
    assert ("above" in offered) == ("Wins above average" in ranking.text) == (3 in sizes)
    for text in (ranking.text, table):
        assert ("three-handed" in text) == (3 in sizes)
