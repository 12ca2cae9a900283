"""Reminders by mail: who gets one, when, never twice; and the news of having moved up."""

from datetime import UTC, date, datetime, time, timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.account_mail import SENDS_NOTHING, on_site
from league.members.models import Club, Member
from league.sessions import actions, attendance, reminders
from league.sessions.mail import one_line
from league.sessions.models import Reminder, Session
from league.sessions.reminders import due_letters, send_due
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.fixture
def club() -> Club:
    return a_club(time_zone="America/Toronto")


@pytest.fixture
def night(club: Club) -> Session:
    """Tomorrow at seven in the evening in Toronto: midnight of the 20th in UTC."""
    return a_session(club, held_on=date(2026, 11, 19), begins_at=time(19), state="planned")


def wishing(club: Club, choice: str, count: int = 1) -> list[Member]:
    people = members_of(club, count)
    for one in people:
        one.reminders, one.email = choice, f"{one.name.lower()}@example.org"
        one.confirmed_email = one.email
        one.save()
    return people


def sent(at: datetime = NOON, hours: int = 48) -> list[str]:
    before = len(mail.outbox)
    send_due(at, hours=hours)
    return sorted(one.to[0] for one in mail.outbox[before:])


def test_it_goes_to_those_who_asked_and_have_an_address_once(club: Club, night: Session) -> None:
    rose, ann, ted, bill, joan = wishing(club, "mine", 5)
    for one in (rose, ann, ted):
        attendance.sign_up(night, one, by=TEST, at=NOON)
    Member.objects.filter(pk=ann.pk).update(email="")
    Member.objects.filter(pk=ted.pk).update(reminders="never")
    Member.objects.filter(pk=bill.pk).update(reminders="all")
    assert sent() == ["bill@example.org", "rose@example.org"]
    assert sent() == []
    assert joan.email not in {one.to[0] for one in mail.outbox}
    assert Reminder.objects.count() == 2


def test_it_is_in_words_with_day_hour_and_address(club: Club, night: Session) -> None:
    (rose,) = wishing(club, "all")
    Member.objects.filter(pk=rose.pk).update(user=a_user("rose", club=club, rank="member"))
    sent()
    (one,) = mail.outbox
    assert one.subject == "Thursday night, Thursday 19 November"
    assert "Thursday night (Thursday Euchre), Thursday 19 November 2026." in one.body
    assert "Begins at 7 p.m.\n" in one.body
    assert reverse("session", args=[club.slug, night.public_id]) in one.body
    assert "You are not signed up yet" in one.body
    assert one.content_subtype == "plain"


def test_a_player_without_an_account_is_sent_to_an_organiser_not_to_a_page(
    club: Club, night: Session
) -> None:
    """The pages to sign up, withdraw and choose mails are for people who can sign in."""
    Session.objects.update(places=1)
    rose, ann = wishing(club, "all", 2)
    sent()
    assert mail.outbox[-1].body.count("http") == 1
    assert "To sign up, tell an organiser." in mail.outbox[-1].body
    for one in (rose, ann):
        attendance.sign_up(night, one, by=TEST, at=NOON)
    attendance.withdraw(night, rose, by=TEST, at=NOON)
    sent()
    place = mail.outbox[-1]
    assert (place.to, place.body.count("http")) == (["ann@example.org"], 1)
    assert "please tell an organiser so the next player gets the place." in place.body


@pytest.mark.parametrize(
    ("at", "hours", "due"),
    [
        (datetime(2026, 11, 18, 23, 59, tzinfo=UTC), 24, False),  # 24 hours and a minute before
        (datetime(2026, 11, 19, 0, 0, tzinfo=UTC), 24, True),
        (datetime(2026, 11, 19, 23, 59, tzinfo=UTC), 24, True),
        (datetime(2026, 11, 20, 0, 0, tzinfo=UTC), 24, False),  # it has begun
    ],
)
def test_it_goes_within_the_hours_before_and_not_once_it_has_begun(
    club: Club, night: Session, at: datetime, hours: int, due: bool
) -> None:
    wishing(club, "all")
    assert bool(sent(at, hours)) is due


def test_without_an_hour_the_day_begins_at_midnight_on_the_clubs_clock(
    club: Club, night: Session
) -> None:
    Session.objects.update(begins_at=None)
    wishing(club, "all")
    midnight = datetime(2026, 11, 19, 5, tzinfo=UTC)
    assert sent(midnight - timedelta(hours=24, minutes=1), 24) == []
    assert sent(midnight + timedelta(hours=20), 24) == ["rose@example.org"]


def test_nobody_is_reminded_of_a_night_called_off_or_that_they_are_at(
    club: Club, night: Session
) -> None:
    (rose,) = wishing(club, "all")
    attendance.arrive(night, rose, by=TEST, at=NOON)
    assert sent() == []
    attendance.leave(night, rose, by=TEST, at=NOON)
    actions.cancel_session(night, by=TEST, at=NOON)
    assert sent() == []


def test_an_address_of_an_account_counts_once_it_is_proved(club: Club, night: Session) -> None:
    (rose,) = wishing(club, "all")
    rose.email, rose.user = "", a_user("rose", club=club, rank="member")
    rose.save()
    EmailAddress.objects.create(user=rose.user, email="r@example.org", primary=True)
    assert sent() == []
    EmailAddress.objects.update(verified=True)
    assert sent() == ["r@example.org"]


def test_who_comes_off_the_waiting_list_is_told_once(club: Club, night: Session) -> None:
    Session.objects.update(places=1)
    rose, ann = wishing(club, "mine", 2)
    for one in (rose, ann):
        attendance.sign_up(night, one, by=TEST, at=NOON)
    early = NOON - timedelta(days=3)
    assert sent(early, 1) == []
    attendance.withdraw(night, rose, by=TEST, at=NOON)
    assert sent(early, 1) == ["ann@example.org"]
    assert mail.outbox[-1].subject.startswith("You have a place: Thursday night")
    assert sent(early, 1) == []


def test_a_mail_the_server_does_not_take_is_tried_again_and_stops_no_other(
    club: Club, night: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishing(club, "all", 2)
    real = mail.EmailMessage.send

    def refuses(self: mail.EmailMessage, *args: object) -> int:
        if self.to == ["rose@example.org"]:
            raise OSError("the mail server is down")
        return real(self)

    monkeypatch.setattr(mail.EmailMessage, "send", refuses)
    assert send_due(NOON, hours=48) == (1, 1, ())
    monkeypatch.undo()
    assert sent() == ["rose@example.org"]


def test_a_club_whose_mails_cannot_be_worked_out_keeps_no_other_from_its_own(
    club: Club, night: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishing(club, "all", 1)
    other = a_club("Other", "other")
    a_session(other, held_on=date(2026, 11, 19), begins_at=time(19), state="planned")
    rose = members_of(other, 1)[0]
    Member.objects.filter(pk=rose.pk).update(
        reminders="all", email="rose@other.example", confirmed_email="rose@other.example"
    )
    real = reminders.fill_open_places

    def breaks(broken: Club, at: datetime) -> None:
        if broken == club:
            raise KeyError("nonsense")
        real(broken, at)

    monkeypatch.setattr(reminders, "fill_open_places", breaks)
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    with pytest.raises(SystemExit) as ended:
        call_command("remind", "--hours", "48", stderr=StringIO())
    assert ended.value.code == 1
    assert [one.to for one in mail.outbox] == [["rose@other.example"]]


def test_two_runs_at_once_send_one_mail(club: Club, night: Session) -> None:
    """Both have seen that it is due before either has written it down."""
    wishing(club, "all")
    Session.objects.update(places=0)
    night.refresh_from_db()
    attendance.sign_up(night, club.members.get(), by=TEST, at=NOON)
    Session.objects.update(places=1)
    attendance.fill_places(night, at=NOON)
    runs = [due_letters(club, NOON + timedelta(minutes=late), hours=48) for late in (0, 1)]
    assert [[one.claim() for one in run] for run in runs] == [[True, True], [False, False]]


EVIL = "Night\r\nBcc: all@example.org\n\u2028Subject: x"


def test_no_name_or_address_puts_a_header_of_its_own_into_a_mail(
    club: Club, night: Session
) -> None:
    """A form lets none of this in; an old archive or the admin may."""
    Session.objects.update(name=EVIL)
    Club.objects.update(name="C\nCc: b@example.org")
    wishing(club, "all", 2)
    Member.objects.filter(name="Rose").update(
        email="r@example.org\nBcc: c@example.org",
        confirmed_email="r@example.org\nBcc: c@example.org",
    )
    assert send_due(NOON, hours=48) == (1, 1, ())
    (one,) = mail.outbox
    message = one.message()
    assert message["Bcc"] is None
    assert message["Cc"] is None
    assert str(message["Subject"]).startswith("Night Bcc: all@example.org Subject: x")
    assert one_line("a\0" + "b" * 999) == "a " + "b" * 148


def test_the_command_says_what_it_sent_and_refuses_without_a_mail_server(
    club: Club, settings, capsys: pytest.CaptureFixture
) -> None:
    a_session(club, held_on=timezone.now().date() + timedelta(days=1), state="planned")
    wishing(club, "all")
    call_command("remind", "--hours", "72", "--dry-run")
    call_command("remind", "--hours", "72")
    assert capsys.readouterr().out.split("\n")[:2] == ["1 due.", "1 sent, 0 failed."]
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    with pytest.raises(CommandError, match="No mail server"):
        call_command("remind")


def test_a_member_chooses_on_their_own_page_and_nothing_else_is_taken(
    club: Club, client: Client
) -> None:
    (rose,) = members_of(club, 1)
    rose.user = a_user("rose", club=club, rank="member")
    rose.save()
    client.force_login(rose.user)
    choose = reverse("reminders", args=[club.slug])
    assert client.post(choose, {"reminders": "all"}).status_code == 302
    assert client.post(choose, {"reminders": "al\0l"}).status_code in (400, 422)
    again = client.post(choose, {"reminders": "no-such-choice"})
    assert (again.status_code, 'name="reminders"' in again.content.decode()) == (422, True)
    rose.refresh_from_db()
    assert rose.reminders == "all"
    assert club.audit.get().new == {"reminders": "all"}


def test_who_signed_up_hears_once_that_the_night_is_cancelled(club: Club, night: Session) -> None:
    rose, ann, ted, bill = wishing(club, "never", 4)
    Member.objects.filter(pk=bill.pk).update(email="")
    night.places = 1
    night.save()
    for one in (rose, ann, bill):
        attendance.sign_up(night, one, by=TEST, at=NOON)
    assert sent() == []
    actions.cancel_session(night, by=TEST, at=NOON, reason="The hall's roof leaks & drips")
    assert sent() == ["ann@example.org", "rose@example.org"]
    assert "is cancelled.\nThe hall's roof leaks & drips\n\nYou had" in mail.outbox[-1].body
    assert mail.outbox[-1].subject == "Cancelled: Thursday night, Thursday 19 November"
    assert "Thursday 19 November 2026, is cancelled." in mail.outbox[-1].body
    what_else = f"What else is coming:\n{on_site(reverse('club', args=[club.slug]))}\n"
    assert what_else in mail.outbox[-1].body  # open to players without an account
    assert ted.email not in {one.to[0] for one in mail.outbox}
    actions.open_session(night, by=TEST, at=NOON)
    actions.cancel_session(night, by=TEST, at=NOON)
    assert sent() == []


def test_a_night_that_is_opened_again_or_over_is_not_told_as_cancelled(
    club: Club, night: Session
) -> None:
    (rose,) = wishing(club, "never")
    attendance.sign_up(night, rose, by=TEST, at=NOON)
    actions.cancel_session(night, by=TEST, at=NOON)
    (letter,) = due_letters(club, NOON, hours=48)
    actions.open_session(night, by=TEST, at=NOON)
    assert not letter.claim()
    actions.cancel_session(night, by=TEST, at=NOON)
    assert sent(NOON + timedelta(days=2)) == []
    assert sent() == ["rose@example.org"]


def test_before_cancelling_the_page_says_who_gets_a_mail(
    client: Client, club: Club, night: Session, settings
) -> None:
    page = reverse("session_edit", args=[club.slug, night.public_id])
    client.force_login(a_user(club=club))
    night.held_on = date(2041, 11, 19)
    night.save()

    def says() -> str:
        return squeezed(client.get(page).text).partition("Cancel the session")[2]

    assert "have signed up" not in says()
    for member in wishing(club, "never", 3):
        attendance.sign_up(night, member, by=TEST, at=NOON)
    Member.objects.filter(name="Ann").update(email="")
    signed_up = "3 players have signed up and will see it on the club's page."
    assert f"{signed_up} 2 of them get an e-mail." in says()
    assert "Rose, Ann, Ted" in says().partition("<button")[0]
    Member.objects.update(email="")
    assert f"{signed_up} Nobody gets an e-mail, so let them know." in says()
    settings.EMAIL_BACKEND = SENDS_NOTHING
    assert f"{signed_up} This site doesn't send e-mail, so let them know." in says()
