"""The calendar to subscribe to: what is in it, who may read it, and how it is made void."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league.logs import discreet
from league.members.actions import erase_member
from league.members.actions.roles import remove_role
from league.members.models import Club, Member, Role, User
from league.sessions.actions import cancel_session, change_session
from league.sessions.attendance import sign_up
from league.sessions.links import calendar_link, make_calendar_link, revoke_calendar_link
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


def a_reader(club: Club, name: str = "sue") -> Role:
    """Somebody's role in the club, with a link to its calendar."""
    a_user(name, club=club, rank="member")
    return make_calendar_link(Role.objects.get(user__username=name), by=TEST, at=timezone.now())


def own_calendar_link(member: Member) -> str:
    return calendar_link(Role.objects.get(user=member.user), "own_calendar_feed")


def events(client: Client, club: Club) -> list:
    role = club.roles.first() or a_reader(club)
    answer = client.get(calendar_link(role))
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


def test_a_session_with_an_hour_says_where_and_until_when(client: Client, club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(venue="The Crown; Market St, 4", session_minutes=150)
    a_session(club, held_on=timezone.now().date(), begins_at=time(19, 30))
    (event,) = events(client, club)
    assert event["LOCATION"] == "The Crown; Market St, 4"
    assert event.decoded("DTEND") - event.decoded("DTSTART") == timedelta(minutes=150)


def test_a_member_takes_one_session_into_a_calendar(client: Client, club: Club) -> None:
    night = a_session(club, held_on=timezone.now().date())
    client.force_login(a_reader(club).user)
    link = reverse("session_calendar", args=[club.slug, night.public_id])
    assert link in client.get(reverse("coming", args=[club.slug])).content.decode()
    (alone,) = Calendar.from_ical(client.get(link).content).walk("VEVENT")
    (among,) = events(client, club)
    assert alone.to_ical() == among.to_ical()


def test_a_visitor_s_calendar_says_where_a_session_is_as_its_public_page_does(
    client: Client,
) -> None:
    club = a_club(visibility="standings", venue="The Crown")
    night = a_session(club, held_on=timezone.now().date())
    link = reverse("session_calendar", args=[club.slug, night.public_id])
    (event,) = Calendar.from_ical(client.get(link).content).walk("VEVENT")
    assert event["LOCATION"] == "The Crown"


@pytest.mark.parametrize("name", [r"AC\DC", r"Bar\Nick; A, B", r"tail\n\\"])
def test_a_backslash_in_a_name_stays_one(client: Client, club: Club, name: str) -> None:
    a_session(club, name=name, held_on=timezone.now().date())
    (event,) = events(client, club)
    assert event["SUMMARY"] == f"{name} (Thursday Euchre)"


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


def test_a_link_that_was_made_up_replaced_or_stopped_opens_nothing(
    client: Client, club: Club
) -> None:
    role = a_reader(club)
    old = calendar_link(role)
    new = calendar_link(make_calendar_link(role, by=TEST, at=timezone.now()))
    assert client.get(old).status_code == 403
    assert client.get(reverse("calendar_feed", args=[f"{role.pk}.2:guess"])).status_code == 403
    assert client.get(new).status_code == 200
    revoke_calendar_link(role, by=TEST)
    assert client.get(new).status_code == 403


def test_who_has_left_the_club_reads_its_calendar_no_more(client: Client, club: Club) -> None:
    role, other = a_reader(club), a_reader(club, "bob")
    link = calendar_link(role)
    assert client.get(link).status_code == 200
    remove_role(role, by=TEST, at=EIGHT)
    assert client.get(link).status_code == 403
    assert client.get(calendar_link(other)).status_code == 200


def test_a_link_stays_dead_when_the_role_is_given_again(client: Client, club: Club) -> None:
    role = a_reader(club)
    link = calendar_link(role)
    remove_role(role, by=TEST, at=EIGHT)
    Role.objects.create(club=club, user=role.user, rank="member", calendar_since=EIGHT)
    assert client.get(link).status_code == 403


def test_a_link_stops_while_the_account_is_switched_off(client: Client, club: Club) -> None:
    link = calendar_link(role := a_reader(club))
    User.objects.filter(pk=role.user_id).update(is_active=False)
    assert client.get(link).status_code == 403


def test_the_address_never_stands_in_a_log(club: Club) -> None:
    link = calendar_link(a_reader(club))
    assert link.split("/")[2] not in discreet(f"GET {link} 200")


def test_everybody_makes_replaces_and_stops_a_link_of_their_own(client: Client, club: Club) -> None:
    client.force_login(a_user("sue", club=club, rank="member"))
    page = reverse("calendar", args=[club.slug])
    assert "address" not in client.get(page).context
    links = []
    for _time in range(2):
        assert client.post(reverse("calendar_make", args=[club.slug])).status_code == 302
        links.append(calendar_link(club.roles.get()))
        assert links[-1] in client.get(page).content.decode()
    assert links[0] != links[1]
    assert client.post(reverse("calendar_revoke", args=[club.slug])).status_code == 302
    assert "address" not in client.get(page).context
    assert [client.get(link).status_code for link in links] == [403, 403]


def test_a_longer_year_costs_no_more_queries(
    client: Client, club: Club, django_assert_num_queries
) -> None:
    for day in range(5):
        a_session(club, held_on=timezone.now().date() - timedelta(days=day))
    link = calendar_link(a_reader(club))
    with django_assert_num_queries(3):
        client.get(link)


@pytest.fixture
def rose(club: Club) -> Member:
    (rose,) = members_of(club, 1)
    rose.user = a_reader(club, "rose").user
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
    events = {str(one["SUMMARY"]): one for one in Calendar.from_ical(answer.content).walk("VEVENT")}
    assert {name: str(one["STATUS"]) for name, one in events.items()} == {
        "Mine (Thursday Euchre)": "CONFIRMED",
        "Full (Thursday Euchre)": "TENTATIVE",
    }
    assert events["Mine (Thursday Euchre)"].decoded("DTSTART") == datetime.combine(
        day, time(19), UTC
    )


def test_the_link_to_ones_own_dates_ends_with_the_link_to_the_clubs(
    client: Client, club: Club, rose: Member
) -> None:
    old = own_calendar_link(rose)
    client.force_login(rose.user)
    client.post(reverse("calendar_make", args=[club.slug]))
    assert client.get(old).status_code == 403
    new = own_calendar_link(rose)
    assert new in client.get(reverse("calendar", args=[club.slug])).content.decode()
    assert client.get(new).status_code == 200
    erase_member(rose, by=TEST, at=EIGHT)
    assert client.get(new).status_code == 403


def test_of_very_many_sessions_the_nearest_stand_in_it(
    client: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.exchange.views.calendar.MOST_ENTRIES", 3)
    today = timezone.now().date()
    for days in (300, -30, 1, -2, 20, 500):
        a_session(club, name=f"{days}", held_on=today + timedelta(days=days))
    names = [event["SUMMARY"].split(" ")[0] for event in events(client, club)]
    assert names == ["-2", "1", "20"]
