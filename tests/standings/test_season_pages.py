"""The pages of a season: its rules, its table on any day, closing it, past champions."""

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.members.actions.merging import merge_members
from league.members.models import Club, Member
from league.play.models import Game, Result
from league.seasons.actions import reopen_season, save_season
from league.seasons.models import Champion, Season
from league.sessions.models import Session
from league.standings.season_closing import end_season
from league.standings.season_queries import season_standings
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of
from tests.pages import squeezed
from tests.standings.played import Sheet, recorded
from tests.standings.test_pages import order_of

pytestmark = pytest.mark.django_db

FIRST = [Sheet(("Rose", "Ann"), (10, 6)), Sheet(("Ted", "Bill"), (10, 2))]
SECOND = [Sheet(("Rose", "Bill"), (4, 10))]
RULES = {
    "name": "Autumn",
    "starts_on": "2026-09-01",
    "counts": "best",
    "counted_number": "1",
    "place_points": "10 8 6 2.50",
    "attendance_points": "1",
    "guests_count": "on",
}


@pytest.fixture
def club() -> Club:
    club = a_club()
    members_of(club, 6)
    return club


@pytest.fixture
def season(club: Club) -> Season:
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    closed = {"season": season, "state": Session.State.CLOSED}
    recorded(a_session(club, **closed, held_on="2026-09-03"), FIRST)
    recorded(a_session(club, **closed, held_on="2026-09-10"), SECOND)
    return season


@pytest.fixture
def organiser(club: Club, client: Client) -> Client:
    client.force_login(a_user("olive", club=club))
    return client


def where(season: Season, name: str = "season_standings") -> str:
    return reverse(name, args=[season.club.slug, season.public_id])


def test_a_season_shows_who_moved_since_the_session_before(
    organiser: Client, season: Season
) -> None:
    table = season_standings(season, at=EIGHT)
    moved = {table.people[who].name: rank for who, rank in table.before.items()}
    assert moved == {"Ted": 1, "Rose": 2, "Ann": 3, "Bill": 4}
    rows = organiser.get(where(season)).text.split("<tr ")
    bill = next(row for row in rows if "Bill</a>" in row)
    assert "up 2 places" in " ".join(bill.split())
    assert "▲▼: places up or down since the session before." in " ".join(rows)
    first = organiser.get(where(season), {"upto": "2026-09-03"}).text
    assert "▲▼" not in first
    assert 'class="moved"' not in first
    Season.objects.update(minimum_evenings=2)
    assert 'class="moved"' not in organiser.get(where(season)).text  # nobody had a place before


def test_the_rules_are_saved_and_said_on_the_page_with_the_sum(
    organiser: Client, season: Season
) -> None:
    response = organiser.post(where(season, "season_edit"), RULES)
    assert response.status_code == 302
    season.refresh_from_db()
    assert season.place_points == ["10", "8", "6", "2.5"]
    page = organiser.get(where(season)).content.decode()
    assert "best session counts, whenever it was." in page
    assert "from the first down: 10, 8, 6, 2.5." in page
    # Bill: 10 for the second evening (none for the first: 2.5 dropped) and 2 for coming.
    assert "1 of 2 sessions count." in page
    assert "Points for places: 10." in page
    assert order_of(page)[0] == "Bill"
    assert ">12</td>" in page
    assert page.index(">12</td>") < page.index("Ranked by")  # on a phone the table is seen first


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("place_points", "8 10"),
        ("place_points", "ten"),
        ("place_points", "NaN"),
        ("place_points", "1e9"),
        ("place_points", "1.005"),
        ("counted_number", ""),
        ("attendance_points", "-1"),
        ("ends_on", "2026-08-01"),
    ],
)
def test_rules_that_cannot_be_are_refused_at_their_field(
    organiser: Client, season: Season, field: str, text: str
) -> None:
    response = organiser.post(where(season, "season_edit"), {**RULES, field: text})
    assert response.status_code == 422
    assert field in response.context["form"].errors
    season.refresh_from_db()
    assert season.counts == "total"


def test_the_table_can_be_seen_as_it_stood_on_a_past_day(organiser: Client, season: Season) -> None:
    now = organiser.get(where(season)).content.decode()
    then = organiser.get(where(season), {"upto": "2026-09-03"}).content.decode()
    assert "Bill" in order_of(now)[:3]
    assert order_of(then)[-1] == "Bill"
    assert "As the table stood after 3 September 2026" in then


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "\x01", "9" * 50])
def test_a_day_that_is_none_is_as_if_it_had_not_been_asked(
    organiser: Client, season: Season, day: str
) -> None:
    assert organiser.get(where(season), {"upto": day}).status_code == 200


def test_guests_can_be_left_out_of_the_season(organiser: Client, season: Season) -> None:
    Member.objects.filter(name="Rose").update(is_guest=True)
    Season.objects.update(guests_count=False)
    assert "Rose" not in order_of(organiser.get(where(season)).content.decode())


def test_whoever_came_too_seldom_stands_below_without_a_place(
    organiser: Client, season: Season
) -> None:
    Season.objects.update(minimum_evenings=2)
    page = organiser.get(where(season)).content.decode()
    assert set(order_of(page)[:2]) == {"Bill", "Rose"}
    assert page.count("1 session short of a place") == 2


def test_closing_writes_down_the_champions_and_the_list_of_seasons_shows_them(
    organiser: Client, season: Season
) -> None:
    Season.objects.create(club=season.club, name="Spring", starts_on="2027-01-01")
    assert organiser.post(where(season, "season_close")).status_code == 302
    first = {line.who for line in season_standings(season, at=EIGHT).lines if line.rank == 1}
    assert {one.member_id for one in season.champions.all()} == first
    assert "Champion" in organiser.get(where(season)).content.decode()
    listed = organiser.get(reverse("standings", args=[season.club.slug])).content.decode()
    assert "Champion: " in listed


def test_a_closed_season_is_not_changed_or_closed_twice_but_can_be_opened(season: Season) -> None:
    end_season(season, by=TEST, at=EIGHT)
    with pytest.raises(Refused, match="This season is closed"):
        end_season(season, by=TEST, at=EIGHT)
    with pytest.raises(Refused, match="This season is closed"):
        save_season(
            season.club, by=TEST, name="X", starts_on=EIGHT.date(), ends_on=None, season=season
        )
    reopen_season(season, by=TEST)
    assert not Champion.objects.exists()
    with pytest.raises(Refused, match="is not closed"):
        reopen_season(season, by=TEST)


def test_a_season_with_a_game_still_open_is_not_closed(season: Season) -> None:
    Game.objects.filter(score=[10, 6]).update(state=Game.State.DISPUTED)
    disputed = season.sessions.filter(games__state=Game.State.DISPUTED).first()
    assert disputed is not None
    with pytest.raises(Refused, match=f"still open: {disputed.name}"):
        end_season(season, by=TEST, at=EIGHT)


def test_a_season_with_a_session_still_open_is_not_closed(season: Season) -> None:
    a_session(season.club, season=season, name="Tonight")
    with pytest.raises(Refused, match="is still open: Tonight"):
        end_season(season, by=TEST, at=EIGHT)


def test_a_season_in_which_nobody_has_a_place_is_not_closed(season: Season) -> None:
    Season.objects.update(minimum_evenings=5)
    with pytest.raises(Refused, match="Nobody has a place"):
        end_season(season, by=TEST, at=EIGHT)


def test_two_rows_of_one_champion_become_one(season: Season) -> None:
    rose, joan = Member.objects.get(name="Rose"), Member.objects.get(name="Joan")
    Champion.objects.bulk_create(Champion(season=season, member=one) for one in (rose, joan))
    merge_members(joan, into=rose, by=TEST, at=EIGHT)
    assert [one.member for one in season.champions.all()] == [rose]


def test_a_visitor_of_a_club_without_a_season_is_led_to_what_is_public(client: Client) -> None:
    club = a_club(visibility="standings")
    page = client.get(reverse("standings", args=[club.slug])).content.decode()
    assert reverse("sessions", args=[club.slug]) not in page.partition("<h1>")[2]
    assert reverse("club", args=[club.slug]) in page.partition("<h1>")[2]


def test_an_organiser_is_led_from_an_empty_season_to_a_session(
    organiser: Client, club: Club
) -> None:
    empty = Season.objects.create(club=club, name="Spring", starts_on="2027-03-01")
    night = a_session(club)
    assert "New session" in organiser.get(where(empty)).text
    page = reverse("session_standings", args=[club.slug, night.public_id])
    assert "Go to check-in" in organiser.get(page).text
    a_table(night, members_of(club, 4), a_ruleset(club))
    board = reverse("board", args=[club.slug, night.public_id])
    assert f'href="{board}">Open the board</a>' in organiser.get(page).text
    organiser.force_login(a_user("sue", club=club, rank="member"))
    assert "New session" not in organiser.get(where(empty)).text


def test_when_a_correction_puts_another_player_first_organisers_of_a_closed_season_read_it(
    organiser: Client, season: Season
) -> None:
    says = "The table has changed since the season was closed."
    end_season(season, by=TEST, at=EIGHT)
    assert says not in organiser.get(where(season)).text
    Result.objects.filter(member__name="Ted").update(win_share=0, points=0)
    season.sessions.update(revision=F("revision") + 1)
    page = squeezed(organiser.get(where(season)).text)
    assert "Champion: Ted" in page
    assert f"{says} First now: Rose, Bill." in page
    notice = page[: page.index(says)].rpartition("<form")[2]
    assert f'action="{where(season, "season_reopen")}"' in notice
    member = Client()
    member.force_login(a_user("sue", club=season.club, rank="member"))
    assert says not in member.get(where(season)).text
    reopen_season(season, by=TEST)
    end_season(season, by=TEST, at=EIGHT)
    assert says not in organiser.get(where(season)).text
