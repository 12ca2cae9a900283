"""Every column of a row counts the same games, and leaving early lifts nobody."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club
from league.play.models import Game, Result
from league.seasons.models import Season
from league.sessions.models import Attendance, Session
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from tests.builders import a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 11, 19, 21, tzinfo=UTC)  # when `recorded` games end
FIRST = Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 8, 10, 8))
SECOND = Sheet(("Rose", "Joan", "Ted", "Bill"), (10, 1, 10, 1))
PEPPER = Sheet(("Joan", "Gus", "Sam", "May"), (30, -12, 30, -12), target=30, preset="pepper")


@pytest.fixture
def club() -> Club:
    club = a_club()
    members_of(club, 12)
    return club


@pytest.fixture
def night(club: Club) -> Session:
    season = Season.objects.create(
        club=club, name="Autumn", starts_on="2026-09-01", place_points=["5", "4", "3", "2", "1"]
    )
    return a_session(club, season=season)


def ann_leaves(night: Session) -> None:
    """Ann loses one game by two points and goes; Bill stays and loses two, the second by nine."""
    recorded(night, [FIRST])
    recorded(night, [SECOND], round_number=2)
    Game.objects.filter(table__round__number=1).update(finished_at=NINE.replace(hour=20))
    who = night.club.members.get(name="Ann")
    Attendance.objects.create(session=night, member=who, left_at=NINE.replace(hour=20, minute=10))


def ranks(standings) -> dict[str, int]:
    return {standings.people[line.who].name: line.rank for line in standings.lines}


def test_who_leaves_early_stands_below_those_who_stayed_and_won_as_many(night: Session) -> None:
    ann_leaves(night)
    found = ranks(session_standings(night, at=timezone.now()))
    assert found["Bill"] < found["Ann"]
    assert found["Joan"] < found["Ann"]


def test_a_season_gives_its_points_by_these_places(night: Session) -> None:
    ann_leaves(night)
    table = season_standings(night.season, at=timezone.now())
    points = {table.people[one.who].name: one.values["season_points"] for one in table.lines}
    assert points["Ann"] < points["Bill"]


def test_where_the_first_figure_can_fall_who_left_stands_below_all_who_stayed(
    night: Session,
) -> None:
    night.measures = ["difference"]
    night.save()
    ann_leaves(night)
    assert ranks(session_standings(night, at=timezone.now()))["Ann"] == 5


def test_points_of_an_unfinished_game_lift_nobody(night: Session) -> None:
    recorded(night, [FIRST])
    recorded(night, [Sheet(("Joan", "Gus"), (9, 0))], round_number=2)
    going_on = Game.objects.filter(table__round__number=2)
    Result.objects.filter(game__in=going_on).update(finished=False, games=0, win_share=0)
    going_on.update(state=Game.State.PLAYING, winners=[], finished_at=None)
    table = session_standings(night, at=timezone.now())
    joan = next(one for one in table.lines if table.people[one.who].name == "Joan")
    assert (joan.values["points"], joan.values["difference"], joan.rank) == (0, 0, 5)


def test_points_of_different_games_are_not_added_up(night: Session, client: Client) -> None:
    recorded(night, [FIRST, PEPPER])
    table = session_standings(night, at=timezone.now())
    assert [one.code for one in table.measures] == ["won", "above", "share"]
    assert not {"points", "difference"} & {one.code for one in table.columns}
    night.measures = ["points", "difference"]
    night.save()
    chosen = session_standings(night, at=timezone.now())
    assert [one.code for one in chosen.measures] == ["share"]
    season = season_standings(night.season, at=timezone.now())
    assert "points" not in {one.code for one in season.columns}
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("session_standings", args=[night.club.slug, night.public_id]))
    assert "Different games were played" in page.content.decode()


def test_nobody_is_named_as_a_winner_while_a_game_is_undecided(
    night: Session, client: Client
) -> None:
    recorded(night, [FIRST])
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    where = reverse("session_standings", args=[night.club.slug, night.public_id])
    client.force_login(a_user(club=night.club))
    assert 'class="podium"' in client.get(where).content.decode()
    Game.objects.update(state=Game.State.DISPUTED)
    Session.objects.filter(pk=night.pk).update(revision=9)
    page = client.get(where).content.decode()
    assert 'class="podium"' not in page
    assert "The winners are named here when every game is finished and confirmed." in page
