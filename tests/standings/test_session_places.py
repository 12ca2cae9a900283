"""Places that a tournament gives the players of its session, as they are stored."""

import pytest

from league.exchange.archive_writing import archive_of
from league.members.actions import merge_members
from league.standings.actions import save_places
from league.standings.models import GivenPlace, SessionPlace
from tests.builders import EIGHT, TEST, a_club, a_session, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return members_of(a_club(), 4)


@pytest.fixture
def night(players):
    return a_session(players[0].club, players)


def stored(session) -> dict[str, int]:
    return {row.member.name: row.place for row in session.player_places.select_related("member")}


def test_places_are_stored_and_replaced_as_a_whole(night, players):
    rose, ann, ted, bill = players
    save_places(night, {rose.pk: GivenPlace(1), ann.pk: GivenPlace(1), ted.pk: GivenPlace(3)})
    save_places(night, {ann.pk: GivenPlace(1), ted.pk: GivenPlace(2), bill.pk: GivenPlace(3)})
    assert stored(night) == {"Ann": 1, "Ted": 2, "Bill": 3}


def test_no_places_rank_a_session_by_its_games_again(night, players):
    save_places(night, {players[0].pk: GivenPlace(1)})
    save_places(night, {})
    assert not SessionPlace.objects.exists()


def test_saving_leaves_other_sessions_alone(night, players):
    other = a_session(night.club, players, name="Friday night")
    save_places(other, {players[0].pk: GivenPlace(2)})
    save_places(night, {players[0].pk: GivenPlace(1)})
    assert (stored(other), stored(night)) == ({"Rose": 2}, {"Rose": 1})


def test_two_rows_of_one_person_keep_one_place_each_session(night, players):
    rose, ann, *_rest = players
    other = a_session(night.club, players, name="Friday night")
    save_places(night, {rose.pk: GivenPlace(1), ann.pk: GivenPlace(2)})
    save_places(other, {ann.pk: GivenPlace(3)})
    merge_members(ann, into=rose, by=TEST, at=EIGHT)
    assert (stored(night), stored(other)) == ({"Rose": 1}, {"Rose": 3})


def test_a_full_backup_has_the_places(night, players):
    save_places(night, {players[0].pk: GivenPlace(1)})
    rows = archive_of(night.club, at=EIGHT)["rows"]
    assert [row["place"] for row in rows["SessionPlace"]] == [1]
