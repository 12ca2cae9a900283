"""A season in divisions: its tables, its end, the season after it, and what is kept."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.exchange.archive_restoring import restore
from league.exchange.archive_writing import archive_of
from league.members.actions import merge_members
from league.members.models import Club, Member
from league.seasons.actions import (
    choose_outcomes,
    place_members,
    reopen_season,
    set_divisions,
    start_next_season,
)
from league.seasons.models import Placement, Season
from league.sessions.models import Session
from league.standings.season_closing import end_season
from league.standings.season_queries import season_standings
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded
from tests.standings.test_pages import order_of

pytestmark = pytest.mark.django_db

# Rose, Ann, Ted and Bill are the first division, the other four the second.
SHEETS = [
    Sheet(("Rose", "Ann"), (10, 6)),
    Sheet(("Ted", "Bill"), (10, 8)),
    Sheet(("Rose", "Ted"), (10, 9)),
    Sheet(("Ann", "Bill"), (10, 1)),
    Sheet(("Joan", "Gus"), (6, 10)),
    Sheet(("Bill", "Gus"), (3, 10)),
]


@pytest.fixture
def club() -> Club:
    club = a_club()
    members_of(club, 8)
    return club


def who(name: str) -> Member:
    return Member.objects.get(name=name)


@pytest.fixture
def season(club: Club) -> Season:
    season = Season.objects.create(
        club=club, name="Autumn", starts_on="2026-09-01", place_points=["4", "3", "2", "1"]
    )
    set_divisions(season, ["First", "Second"], moving=1, by=TEST)
    first, second = season.divisions.all()
    people = list(club.members.order_by("pk"))
    placed = dict.fromkeys(people[:4], first) | dict.fromkeys(people[4:], second)
    place_members(season, placed, by=TEST)
    night = a_session(club, season=season, held_on="2026-09-03", state=Session.State.CLOSED)
    recorded(night, SHEETS)
    return season


def outcomes(season: Season) -> dict[str, str]:
    placements = season.placements.exclude(outcome="stay").values_list("member__name", "outcome")
    return dict(placements)


def ended(season: Season) -> Season:
    return end_season(season, by=TEST, at=EIGHT)


def test_each_division_has_a_table_of_its_own_with_places_among_its_people(
    season: Season,
) -> None:
    first, second = season.divisions.all()
    table = season_standings(season, at=EIGHT, division=second)
    assert [table.people[line.who].name for line in table.lines] == ["Gus", "Joan"]
    # Joan is fifth of the whole evening, but second of her division: three points.
    assert [line.values["season_points"] for line in table.lines] == [4, 3]
    assert len(season_standings(season, at=EIGHT, division=first).lines) == 4
    assert len(season_standings(season, at=EIGHT).lines) == 6


def test_the_page_shows_ones_own_division_first_and_the_others_at_a_tap(
    season: Season, client: Client
) -> None:
    gus = who("Gus")
    gus.user = a_user("gus", club=season.club, rank="member")
    gus.save()
    page = reverse("season_standings", args=[season.club.slug, season.public_id])
    client.force_login(gus.user)
    assert order_of(client.get(page).content.decode()) == ["Gus", "Joan"]
    assert len(order_of(client.get(page, {"division": "1"}).content.decode())) == 4
    assert len(order_of(client.get(page, {"division": "all"}).content.decode())) == 6
    for odd in ("9", "x", "\0", "9" * 50, "٣"):
        assert client.get(page, {"division": odd}).status_code in (200, 400)
    sheet = reverse("export_season", args=[season.club.slug, season.public_id, "csv"])
    assert client.get(sheet, {"division": "2"}).content.decode("utf-8-sig").count("\n") == 3


def test_closing_names_a_champion_for_each_and_proposes_who_moves(season: Season) -> None:
    ended(season)
    won = {(one.member.name, one.division.name) for one in season.champions.all()}
    assert won == {("Rose", "First"), ("Gus", "Second")}
    assert outcomes(season) == {"Bill": "down", "Gus": "up"}
    reopen_season(season, by=TEST)
    assert set(season.placements.values_list("outcome", flat=True)) == {""}


def test_the_organiser_decides_otherwise_and_the_next_season_starts_with_it(
    season: Season,
) -> None:
    ended(season)
    chosen = {who("Gus"): "stay", who("Joan"): "up", who("Ted"): "out"}
    choose_outcomes(season, chosen, by=TEST)
    after = start_next_season(season, name="Winter", starts_on="2027-01-07", by=TEST)
    placed = {one.member.name: one.division.name for one in after.placements.all()}
    assert {name: placed.get(name) for name in ("Joan", "Gus", "Bill", "Ted", "Rose")} == {
        "Joan": "First",
        "Gus": "Second",
        "Bill": "Second",
        "Ted": None,
        "Rose": "First",
    }
    assert (after.follows, after.place_points, after.moving) == (season, ["4", "3", "2", "1"], 1)
    assert outcomes(season)["Ted"] == "out"


def test_once_the_next_has_begun_what_was_decided_stays(season: Season) -> None:
    ended(season)
    choose_outcomes(season, {who("Gus"): "stay"}, by=TEST)
    start_next_season(season, name="Winter", starts_on="2027-01-07", by=TEST)
    for again in (
        lambda: choose_outcomes(season, {who("Gus"): "stay"}, by=TEST),
        lambda: start_next_season(season, name="Other", starts_on="2027-01-07", by=TEST),
    ):
        with pytest.raises(Refused, match="has begun already"):
            again()
    reopen_season(season, by=TEST)
    ended(season)
    assert outcomes(season) == {"Bill": "down"}


@pytest.mark.parametrize(("name", "to"), [("Rose", "up"), ("Joan", "down"), ("Rose", "away")])
def test_nobody_moves_where_there_is_no_division(season: Season, name: str, to: str) -> None:
    ended(season)
    with pytest.raises(Refused):
        choose_outcomes(season, {who(name): to}, by=TEST)


def test_what_does_not_fit_is_refused(season: Season) -> None:
    with pytest.raises(Refused, match="Take the players out of Second first"):
        set_divisions(season, ["First"], moving=1, by=TEST)
    other = a_club("Other", "other")
    (stranger,) = members_of(other, 1)
    with pytest.raises(Refused, match="no such division"):
        place_members(season, {stranger: season.divisions.first()}, by=TEST)
    with pytest.raises(Refused, match="is not closed"):
        choose_outcomes(season, {who("Gus"): "up"}, by=TEST)
    ended(season)
    with pytest.raises(Refused, match="This season is closed"):
        place_members(season, {who("Gus"): None}, by=TEST)


def test_an_organiser_does_it_all_on_the_pages(season: Season, client: Client) -> None:
    client.force_login(a_user("olive", club=season.club))

    def at(name: str) -> str:
        return reverse(name, args=[season.club.slug, season.public_id])

    data = {"names": "Gold\n Silver \nBronze", "moving": "2"}
    assert client.post(at("season_divisions"), data).status_code == 302
    assert [one.name for one in season.divisions.all()] == ["Gold", "Silver", "Bronze"]
    bad = client.post(at("season_divisions"), {"names": "Gold\ngold", "moving": "99"})
    assert bad.status_code == 422
    assert set(bad.context["form"].errors) == {"names", "moving"}
    client.post(at("season_place"), {who("Joan").public_id: "3", who("Gus").public_id: ""})
    assert Placement.objects.get(member=who("Joan")).division.name == "Bronze"
    assert not Placement.objects.filter(member=who("Gus")).exists()
    assert client.post(at("season_place"), {who("Rose").public_id: "7"}).status_code == 422
    assert "Close this season first" in client.get(at("season_next")).content.decode()
    client.post(at("season_close"))
    assert "Start the next season" in client.get(at("season_next")).content.decode()
    client.post(at("season_outcomes"), {who("Rose").public_id: "stay"})
    unsaved = {who("Joan").public_id: "out"}  # a move that was chosen goes with the start
    begin = {"name": "Winter", "starts_on": "2027-01-07", **unsaved}
    assert client.post(at("season_next"), begin).status_code == 302
    assert Season.objects.get(name="Winter").placements.count() == 6
    record = reverse("member_record", args=[season.club.slug, who("Joan").public_id])
    assert "Bronze" in client.get(record).content.decode()
    actions = set(season.club.audit.values_list("action", flat=True))
    assert {"set divisions", "place members", "start next season"} <= actions


def test_one_person_under_two_names_has_one_place(season: Season) -> None:
    merge_members(who("Joan"), into=who("Rose"), by=TEST, at=EIGHT)
    assert season.placements.get(member=who("Rose")).division.name == "First"
    assert season.placements.count() == 7


def test_divisions_come_along_in_the_clubs_archive(club: Club) -> None:
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01", moving=1)
    set_divisions(season, ["First", "Second"], moving=1, by=TEST)
    second = season.divisions.last()
    place_members(season, dict.fromkeys(club.members.all(), second), by=TEST)
    Season.objects.update(closed_at=EIGHT)
    Placement.objects.filter(member=who("Gus")).update(outcome="up")
    start_next_season(season, name="Winter", starts_on="2027-01-07", by=TEST)
    data = json.loads(json.dumps(archive_of(club, at=EIGHT)))
    for name in ("Season", "Member"):
        for row in data["rows"][name]:
            row["public_id"] = row["public_id"][::-1]
    again = restore(data, by=TEST, slug="again")
    winter = again.seasons.get(name="Winter")
    assert winter.follows.name == "Autumn"
    assert winter.placements.get(member__name="Gus").division.name == "First"
    assert winter.follows.placements.count() == 8
