"""The calendar to subscribe to: what is in it, who may read it, and how it is made void."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league.logs import discreet
from league.members.models import Club, Member
from league.sessions.actions import cancel_session, change_session, sign_up
from league.sessions.actions.calendar import revoke_calendar
from league.sessions.links import calendar_link, own_calendar_link
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


def events(client: Client, club: Club) -> list:
    answer = client.get(calendar_link(club))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(answer.content).walk("VEVENT")


def test_sessions_stand_in_it_as_whole_days_with_their_address(client: Client, club: Club) -> None:
    today = timezone.now().date()
    night = a_session(club, name="Cards; and, tea", held_on=today)
    (event,) = events(client, club)
    assert event["SUMMARY"] == "Cards; and, tea (Thursday Euchre)"
    assert event.decoded("DTSTART") == today
    assert event.decoded("DTEND") == today + timedelta(days=1)
    assert (
        event["URL"] == f"http://testserver{reverse('session', args=[club.slug, night.public_id])}"
    )


def test_a_change_keeps_its_identity_and_raises_its_number(client: Client, club: Club) -> None:
    night = a_session(club, held_on=timezone.now().date())
    (before,) = events(client, club)
    change_session(
        night,
        by=TEST,
        at=EIGHT,
        name="Moved",
        held_on=date(2099, 1, 2),
        season=None,
        round_minutes=None,
    )
    (after,) = events(client, club)
    assert after["UID"] == before["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert after.decoded("DTSTART") == date(2099, 1, 2)


def test_a_session_called_off_says_so(client: Client, club: Club) -> None:
    night = a_session(club, held_on=timezone.now().date())
    cancel_session(night, by=TEST, at=EIGHT)
    (event,) = events(client, club)
    assert event["STATUS"] == "CANCELLED"


def test_it_ends_with_the_last_year_and_is_the_clubs_own(client: Client, club: Club) -> None:
    a_session(club, held_on=date(2001, 1, 1))
    a_session(a_club("Other", "other"), held_on=timezone.now().date())
    assert events(client, club) == []


def test_an_address_that_was_made_up_or_made_void_opens_nothing(client: Client, club: Club) -> None:
    old = calendar_link(club)
    revoke_calendar(club, by=TEST)
    assert client.get(old).status_code == 403
    assert client.get(reverse("calendar_feed", args=["thursday.2:guess"])).status_code == 403
    assert client.get(calendar_link(club)).status_code == 200
    assert club.audit.get().action == "revoke calendar"


def test_the_address_never_stands_in_a_log(club: Club) -> None:
    assert calendar_link(club).split("/")[2] not in discreet(f"GET {calendar_link(club)} 200")


def test_a_member_reads_the_address_and_an_organiser_renews_it(client: Client, club: Club) -> None:
    client.force_login(a_user("sue", club=club, rank="member"))
    page = reverse("calendar", args=[club.slug])
    assert calendar_link(club) in client.get(page).content.decode()
    assert "Make a new address" not in client.get(page).content.decode()
    client.force_login(a_user("olive", club=club))
    assert client.post(reverse("calendar_revoke", args=[club.slug])).status_code == 302
    assert calendar_link(club) not in client.get(page).content.decode()


def test_a_longer_year_costs_no_more_queries(
    client: Client, club: Club, django_assert_num_queries
) -> None:
    for day in range(5):
        a_session(club, held_on=timezone.now().date() - timedelta(days=day))
    with django_assert_num_queries(3):
        client.get(calendar_link(club))


@pytest.fixture
def rose(club: Club) -> Member:
    (rose,) = members_of(club, 1)
    rose.user = a_user("rose", club=club, rank="member")
    rose.save()
    return rose


def test_ones_own_calendar_holds_what_one_is_signed_up_for(
    client: Client, club: Club, rose: Member
) -> None:
    day = timezone.now().date() + timedelta(days=3)
    mine, full = (
        a_session(club, name=name, held_on=day, state="planned", begins_at=time(19), places=places)
        for name, places in (("Mine", None), ("Full", 0))
    )
    a_session(club, name="Others", held_on=day, state="planned")
    for night in (mine, full):
        sign_up(night, rose, by=TEST, at=timezone.now())
    answer = client.get(own_calendar_link(rose))
    told = {str(one["SUMMARY"]): one for one in Calendar.from_ical(answer.content).walk("VEVENT")}
    assert {name: str(one["STATUS"]) for name, one in told.items()} == {
        "Mine (Thursday Euchre)": "CONFIRMED",
        "Full (Thursday Euchre)": "TENTATIVE",
    }
    assert told["Mine (Thursday Euchre)"].decoded("DTSTART") == datetime.combine(day, time(19), UTC)


def test_ones_own_address_can_be_made_void_and_ends_with_the_role(
    client: Client, club: Club, rose: Member
) -> None:
    old = own_calendar_link(rose)
    client.force_login(rose.user)
    assert old in client.get(reverse("calendar", args=[club.slug])).content.decode()
    client.post(reverse("own_calendar_revoke", args=[club.slug]))
    assert client.get(old).status_code == 403
    rose.refresh_from_db()
    assert client.get(own_calendar_link(rose)).status_code == 200
    club.roles.all().delete()
    assert client.get(own_calendar_link(rose)).status_code == 403
