"""Who is here: arriving, leaving, resting, guests and lists of names."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.errors import Refused
from league.members.actions import retire_member
from league.members.models import Member
from league.seating.actions import draft_round, publish
from league.sessions.attendance import (
    add_guest,
    arrive,
    arrive_all,
    arrive_names,
    leave,
    play_again,
    rest,
)
from league.sessions.models import Attendance
from league.sessions.queries import players_last_time, present, ready
from tests.builders import TEST, a_club, a_session, members_of
from tests.seating.nights import AT, a_night, a_seating_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return a_session(a_club())


def names(people):
    return [one.name for one in people]


def test_saying_twice_that_somebody_is_here_counts_once(night):
    rose = members_of(night.club, 1)[0]
    arrive(night, rose, by=TEST, at=AT)
    arrive(night, rose, by=TEST, at=AT)
    assert Attendance.objects.count() == 1
    assert night.audit.filter(action="arrive").count() == 1


def test_every_order_raises_the_revision_by_one(night):
    rose = members_of(night.club, 1)[0]
    arrive(night, rose, by=TEST, at=AT)
    rest(night, rose, by=TEST)
    play_again(night, rose, by=TEST)
    leave(night, rose, by=TEST, at=AT)
    night.refresh_from_db()
    assert night.revision == 4


def test_a_list_of_people_raises_the_revision_once(night):
    arrive_all(night, members_of(night.club, 9), by=TEST, at=AT)
    night.refresh_from_db()
    assert (night.revision, present(night).count()) == (1, 9)


def test_whoever_rests_is_here_and_not_ready(night):
    rose, ann = members_of(night.club, 2)
    arrive_all(night, [rose, ann], by=TEST, at=AT)
    rest(night, rose, by=TEST)
    assert names(present(night)) == ["Ann", "Rose"]
    assert names(ready(night)) == ["Ann"]


def test_somebody_who_has_played_and_leaves_has_come():
    night, members = a_night(4)
    publish(draft_round(night, by=TEST, seed=1), by=TEST, at=AT)
    leave(night, members[0], by=TEST, at=AT)
    assert Attendance.objects.get(member=members[0]).left_at == AT
    assert members[0] not in present(night)


def test_who_is_deactivated_while_checked_in_is_checked_out_so_that_nobody_seats_them(night):
    rose, ann = members_of(night.club, 2)
    arrive_all(night, [rose, ann], by=TEST, at=AT)
    retire_member(rose, by=TEST, at=AT)
    assert names(ready(night)) == ["Ann"]
    assert night.attendances.get(member=rose).left_at == AT


def test_whoever_comes_back_is_here_and_does_not_rest(night):
    rose = members_of(night.club, 1)[0]
    Attendance.objects.create(session=night, member=rose, left_at=AT, resting=True)
    arrive(night, rose, by=TEST, at=AT)
    assert names(ready(night)) == ["Rose"]


def test_another_clubs_member_is_not_ticked(night):
    stranger = members_of(a_club(slug="other"), 1)[0]
    with pytest.raises(Refused) as refused:
        arrive(night, stranger, by=TEST, at=AT)
    assert refused.value.code == "unknown-member"


def test_a_guest_is_added_by_name_alone(night):
    guest = add_guest(night, "  Vera   Lynn ", by=TEST, at=AT).member
    assert (guest.name, guest.is_guest) == ("Vera Lynn", True)
    assert guest in present(night)


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "Ann\u202egro", "…"])
def test_what_is_no_name_is_refused_at_its_field(night, name):
    with pytest.raises(Refused) as refused:
        add_guest(night, name, by=TEST, at=AT)
    assert "name" in refused.value.fields
    assert not Member.objects.exists()


@pytest.mark.parametrize("name", ["rose winter", "Rose Wynter", "Winter Rose", "Rose W."])
def test_a_guest_who_reads_like_a_member_is_asked_about(night, name):
    rose = Member.objects.create(club=night.club, name="Rose Winter")
    with pytest.raises(Refused) as refused:
        add_guest(night, name, by=TEST, at=AT)
    assert refused.value.code == "similar-name"
    assert refused.value.details["similar"] == [rose]


def test_somebody_really_new_is_added_when_told_so(night):
    Member.objects.create(club=night.club, name="Rose Winter")
    add_guest(night, "Rose Wynter", by=TEST, at=AT, even_if_similar=True)
    assert Member.objects.filter(club=night.club).count() == 2


def test_a_pasted_list_ticks_members_and_adds_the_rest_as_guests(night):
    members_of(night.club, 2)
    arrive_names(night, ["rose", "  Ann ", "Vera", "", "vera"], by=TEST, at=AT)
    assert names(present(night)) == ["Ann", "Rose", "Vera"]
    assert Member.objects.get(name="Vera").is_guest


def test_a_name_two_members_share_is_refused_and_nobody_is_ticked(night):
    for _one in range(2):
        Member.objects.create(club=night.club, name="Ann")
    with pytest.raises(Refused) as refused:
        arrive_names(night, ["Vera", "Ann"], by=TEST, at=AT)
    assert refused.value.code == "two-of-the-name"
    assert not Attendance.objects.exists()


@pytest.mark.parametrize("state", ["closed", "cancelled"])
def test_nobody_is_ticked_once_the_session_is_over(night, state):
    night.state = state
    night.save()
    rose = members_of(night.club, 1)[0]
    with pytest.raises(Refused) as refused:
        arrive(night, rose, by=TEST, at=AT)
    assert refused.value.code == "session-not-open"


def test_last_time_are_the_members_of_the_session_before():
    club = a_seating_club()
    rose, ann, ted = members_of(club, 3)
    guest = Member.objects.create(club=club, name="Vera", is_guest=True)
    a_session(club, [ted], held_on="2026-11-05")
    a_session(club, [rose, ann, guest], held_on="2026-11-12")
    a_session(club, [ted], held_on="2026-11-13", state="cancelled")
    assert names(players_last_time(a_session(club))) == ["Ann", "Rose"]


def test_a_hall_that_is_checked_in_at_once_takes_no_more_queries_than_a_table(
    night, django_assert_max_num_queries
):
    people = members_of(night.club, 40)
    arrive(night, people[0], by=TEST, at=AT)
    leave(night, people[0], by=TEST, at=AT)
    with CaptureQueriesContext(connection) as few:
        arrive_all(night, people[:4], by=TEST, at=AT)
    leave(night, people[0], by=TEST, at=AT)
    with django_assert_max_num_queries(len(few)):
        found = arrive_all(night, people, by=TEST, at=AT)
    assert [one.member for one in found] == people
    assert all(one.pk and one.left_at is None for one in found)
    assert set(ready(night)) == set(people)
    assert night.audit.filter(action="arrive").count() == 1 + 4 + 1 + 36
