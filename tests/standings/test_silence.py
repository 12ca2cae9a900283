"""Games nobody has confirmed: open in the tables until silence accepts them, and not longer."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.models import Club, Member
from league.play.models import Game
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.careers import ratings_of
from league.standings.queries import session_standings
from league.standings.season_closing import end_season
from league.standings.season_queries import season_standings
from tests.builders import TEST, a_game_table, a_user
from tests.play.hands import write

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 11, 19, 21, tzinfo=UTC)
BEFORE, AFTER = NINE + timedelta(minutes=29), NINE + timedelta(minutes=30)


@pytest.fixture
def night() -> Session:
    """One game, won ten to nothing at nine; it is accepted by itself half an hour later."""
    caches["pages"].clear()
    table = a_game_table()
    club = table.session.club
    club.confirm, club.auto_accept_minutes = Club.Confirm.OPPONENT, 30
    club.save()
    table.session.season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    table.session.save()
    write(table, *[(0, 5)] * 5, at=NINE)
    assert Game.objects.get().state == Game.State.FINISHED
    return table.session


def open_games(night: Session, at: datetime) -> int:
    of_season = season_standings(night.season, at=at)
    of_night = session_standings(night, at=at)
    assert of_season.open_games == of_night.open_games
    assert of_season.until == of_night.until == (AFTER if of_night.open_games else None)
    return len(of_night.open_games)


def test_a_game_is_open_until_silence_accepts_it_and_not_longer(night: Session) -> None:
    assert (open_games(night, BEFORE), open_games(night, AFTER)) == (4, 0)
    assert len(ratings_of(night.club, at=BEFORE)) == 0
    assert len(ratings_of(night.club, at=AFTER)) == 4


def test_a_season_is_closed_once_silence_has_accepted_its_last_game(night: Session) -> None:
    Session.objects.update(state=Session.State.CLOSED)
    with pytest.raises(Refused, match="games are still open"):
        end_season(night.season, by=TEST, at=BEFORE)
    end_season(night.season, by=TEST, at=AFTER)
    won = {one.member.name for one in night.season.champions.all()}
    assert won == {"Rose", "Ted"}


@pytest.mark.parametrize("change", [{"state": "disputed"}, {"reopened": True}])
def test_silence_accepts_no_game_that_is_disputed_or_opened_again(
    night: Session, change: dict[str, object]
) -> None:
    Game.objects.update(**change)
    assert len(session_standings(night, at=AFTER).open_games) == 4


@pytest.mark.parametrize("page", ["session_standings", "season_standings"])
def test_a_page_that_was_kept_loses_the_mark_when_the_time_is_over(
    night: Session, client: Client, page: str
) -> None:
    of = night if page == "session_standings" else night.season
    address = reverse(page, args=[night.club.slug, of.public_id])
    client.force_login(a_user("sue", club=night.club, rank="member"))
    soon = timezone.now() + timedelta(hours=1)
    Game.objects.update(accept_at=soon)
    assert "Provisional" in client.get(address).content.decode()
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr("django.utils.timezone.now", lambda: soon)
        assert "Provisional" not in client.get(address).content.decode()
    assert Member.objects.count() == 4
