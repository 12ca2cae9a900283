"""A session moved or reopened: which of the players who signed up get a mail."""

from datetime import UTC, date, datetime, time

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.members.account_mail import SENDS_NOTHING
from league.members.models import Club, Member
from league.sessions import actions, attendance
from league.sessions.models import Session
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed
from tests.sessions.test_reminders import NOON, sent, wishing

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(time_zone="America/Toronto")


@pytest.fixture
def night(club: Club) -> Session:
    return a_session(club, held_on=date(2026, 11, 19), begins_at=time(19), state="planned")


def moved(night: Session, **changes: object) -> Session:
    night.refresh_from_db()
    names = ("name", "held_on", "begins_at", "places", "season", "round_minutes")
    fields = {name: getattr(night, name) for name in names} | changes
    return actions.change_session(night, by=TEST, at=NOON, **fields)


def test_who_signed_up_hears_once_that_the_night_has_another_day_or_time_and_is_reminded_again(
    club: Club, night: Session
) -> None:
    """They heard nothing, and who had been reminded of the old day was not of the new one."""
    rose, ann, ted = wishing(club, "never", 3)
    Member.objects.filter(pk=ann.pk).update(reminders="mine")
    Member.objects.filter(pk=rose.pk).update(user=a_user("rose", club=club, rank="member"))
    for one in (rose, ann):
        attendance.sign_up(night, one, by=TEST, at=NOON)
    assert sent() == ["ann@example.org"]
    moved(night, places=8)
    assert sent() == []
    moved(night, held_on=date(2026, 11, 27), begins_at=time(20))
    assert sent() == ["ann@example.org", "rose@example.org"]
    assert mail.outbox[-1].subject == "New date or time: Thursday night, Friday 27 November"
    assert "It is now on:\nFriday 27 November 2026, 8 p.m.\n\n" in mail.outbox[-1].body
    withdraws = [reverse("coming", args=[club.slug]) in one.body for one in mail.outbox[-2:]]
    assert withdraws == [True, False]  # without an account that page can't be used
    assert "Can't you come? Please tell an organiser." in mail.outbox[-1].body
    attendance.sign_up(night, ted, by=TEST, at=NOON)
    assert sent() == []
    assert sent(datetime(2026, 11, 27, 12, tzinfo=UTC)) == ["ann@example.org"]
    moved(night, begins_at=None)
    assert sent() == ["ann@example.org", "rose@example.org", "ted@example.org"]
    assert "It is now on:\nFriday 27 November 2026\n\n" in mail.outbox[-1].body
    moved(night, held_on=date(2026, 11, 28))
    actions.cancel_session(night, by=TEST, at=NOON)
    assert {one.subject[:9] for one in mail.outbox[-len(sent()) :]} == {"Cancelled"}


def test_who_heard_that_the_night_is_cancelled_hears_once_that_it_takes_place_after_all(
    client: Client, club: Club, night: Session
) -> None:
    for one in wishing(club, "never", 2):
        attendance.sign_up(night, one, by=TEST, at=NOON)
    Session.objects.update(held_on=date(2041, 11, 19))
    night.refresh_from_db()
    actions.cancel_session(night, by=TEST, at=NOON)
    at = datetime(2041, 11, 18, 12, tzinfo=UTC)
    assert sent(at) == ["ann@example.org", "rose@example.org"]
    client.force_login(a_user(club=club))
    page = reverse("session_open", args=[club.slug, night.public_id])
    says = squeezed(client.post(page, follow=True).text)
    assert "2 players have signed up. E-mails about the change: 2." in says
    moved(night, begins_at=time(20))
    assert sent(at) == ["ann@example.org", "rose@example.org"]
    subject = "It takes place after all: Thursday night, Tuesday 19 November"
    assert mail.outbox[-1].subject == subject
    assert "takes place after all:\nTuesday 19 November 2041, 8 p.m.\n\n" in mail.outbox[-1].body
    assert sent(at) == []
    actions.cancel_session(night, by=TEST, at=NOON)
    assert sent(at) == ["ann@example.org", "rose@example.org"]
    assert mail.outbox[-1].subject.startswith("Cancelled")


def test_who_moves_a_session_reads_whether_those_who_signed_up_get_a_mail(
    client: Client, club: Club, night: Session, settings
) -> None:
    page = reverse("session_edit", args=[club.slug, night.public_id])
    client.force_login(a_user(club=club))

    def says(day: str, **more: str) -> str:
        data = {"name": night.name, "held_on": day, "begins_at": "19:00", "anyway": "on", **more}
        return squeezed(client.post(page, data, follow=True).text)

    assert "signed up:" not in says("2041-11-19")
    for member in wishing(club, "never", 3):
        attendance.sign_up(night, member, by=TEST, at=NOON)
    Member.objects.filter(name="Ann").update(email="")
    have = "3 players have signed up"
    said = says("2041-11-20")
    assert f"{have}. E-mails about the change: 2." in said
    assert "Let the player who gets no e-mail know of the change: Ann." in said
    assert have not in says("2041-11-20", places="20").partition("<h1")[0]
    settings.EMAIL_BACKEND = SENDS_NOTHING
    said = says("2041-11-20", begins_at="20:00")
    assert "Let the 3 players who get no e-mail know of the change: Rose, Ann, Ted." in said
    assert have not in says("2020-11-20", begins_at="20:00")


def test_who_signed_up_reads_of_another_day_or_time_beside_their_sign_up(
    club: Club, night: Session, client: Client
) -> None:
    rose, ann = people = members_of(club, 2)
    for one in people:
        one.user = a_user(one.name.lower(), club=club, rank="member")
        one.save()
    pages = {page: reverse(page, args=[club.slug]) for page in ("club", "coming")}
    pages["session"] = reverse("session", args=[club.slug, night.public_id])

    def silent(member: Member) -> list[str]:
        client.force_login(member.user)
        return [p for p, url in pages.items() if "New date or time" not in client.get(url).text]

    Session.objects.update(held_on=date(2041, 11, 19))
    attendance.sign_up(night, rose, by=TEST, at=NOON)
    assert silent(rose) == [*pages]
    moved(night, held_on=date(2041, 11, 20))
    attendance.sign_up(night, ann, by=TEST, at=NOON)
    assert silent(rose) == []
    assert silent(ann) == [*pages]
    moved(night, held_on=date(2041, 11, 21), begins_at=None)
    client.force_login(rose.user)
    for url in pages.values():
        assert "Before: Tuesday 19 November, 7 p.m." in squeezed(client.get(url).text).replace(
            '<span class="soft">', ""
        )
    moved(night, held_on=date(2041, 11, 19), begins_at=time(19))
    assert silent(rose) == [*pages]


def test_a_move_that_is_taken_back_before_the_mail_goes_out_mails_nobody(
    club: Club, night: Session
) -> None:
    attendance.sign_up(night, wishing(club, "never", 1)[0], by=TEST, at=NOON)
    moved(night, held_on=date(2026, 11, 27))
    moved(night, held_on=date(2026, 11, 19))
    assert sent() == []
