"""Every column of a row counts the same games, and only games that compare."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club, Member
from league.play.models import Game, Result
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.actions import save_places
from league.standings.models import GivenPlace
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from tests.builders import a_club, a_session, a_user, members_of
from tests.pages import squeezed
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db
FIRST = Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 8, 10, 8))
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


def test_winners_who_are_tied_read_that_on_a_phone_too(night: Session, client: Client) -> None:
    recorded(night, [FIRST])
    people = Member.objects.filter(results__session=night).distinct()[:3]
    save_places(night, {one.pk: GivenPlace(1 + min(n, 1)) for n, one in enumerate(people)})
    Session.objects.update(state=Session.State.CLOSED, revision=9)
    client.force_login(a_user(club=night.club))
    where = reverse("session_standings", args=[night.club.slug, night.public_id])
    podium = squeezed(client.get(where).text).partition('class="podium"')[2]
    assert podium.count("Second<span>, tied</span>") == 2  # the class "decided" hides it there
