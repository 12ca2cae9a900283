"""Who is to have which mail about coming sessions, and each of them once.

A mail is written down as sent before it is handed over, and taken back if that fails: two runs at
once, or one that is killed, never send it twice.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.core.mail import EmailMessage
from django.db.models import QuerySet

from league.limits import DAY, Limit
from league.members.account_mail import count_mail, mailbox
from league.members.models import Club, Member
from league.sessions import mail
from league.sessions.actions import fill_places
from league.sessions.mail import Letter, address_of, consent_link, due_questions, with_account_email
from league.sessions.models import Reminder, Session, SignUp
from league.sessions.queries import begins, current_sign_ups, local_date, takes_sign_ups

log = logging.getLogger(__name__)
Reminders = Member.Reminders
TO_ONE = Limit(most=20, within=DAY)
OF_CLUB, OF_SITE = Limit(most=5_000, within=DAY), Limit(most=20_000, within=DAY)
AHEAD = 400
"""Days: nobody plans further, so that what is looked through stays short."""


class Sent(NamedTuple):
    """How many mails went, how many the mail server would not take, and the clubs (their web
    addresses) whose mails could not be worked out."""

    sent: int
    failed: int
    broken: tuple[str, ...] = ()


def coming_sessions(club: Club, at: datetime) -> list[Session]:
    """The club's sessions that are not over yet, the next first."""
    nights = Session.objects.filter(
        club=club,
        state__in=(Session.State.PLANNED, Session.State.OPEN),
        held_on__range=(at.date() - timedelta(days=1), at.date() + timedelta(days=AHEAD)),
    )
    nights = nights.select_related("club").order_by("held_on", "pk")
    return [night for night in nights if takes_sign_ups(night, at)]


def _cancelled(club: Club, at: datetime) -> list[Session]:
    """The sessions that are cancelled and would not have begun yet."""
    nights = Session.objects.filter(
        club=club,
        state=Session.State.CANCELLED,
        held_on__range=(at.date() - timedelta(days=1), at.date() + timedelta(days=AHEAD)),
        sign_ups__told_off_at=None,
        sign_ups__isnull=False,
    )
    nights = nights.select_related("club").distinct().order_by("held_on", "pk")
    return [n for n in nights if not _begun(n, at) and n.held_on >= local_date(n.club, at)]


def fill_all(club: Club, at: datetime) -> None:
    """Give the places left by people who retired, in every coming session with a limit."""
    for night in coming_sessions(club, at):
        if night.places is not None and night.sign_ups.filter(placed_at=None).exists():
            fill_places(night, at=at)


def letters(club: Club, at: datetime, *, hours: int) -> list[Letter]:
    """The mails of a club that are due: of those who moved up, of sessions that begin within
    `hours`, to those who meant to come to one that is cancelled, and to those whose address is
    not known to be theirs."""
    nights = coming_sessions(club, at)
    due = due_questions(club, nights)
    for night in nights:
        due += _moved_up(night, at)
        if begins(night) - at <= timedelta(hours=hours) and not _begun(night, at):
            due += _reminders(night, at)
    for night in _cancelled(club, at):
        due += _called_off(night, at)
    return due


def send_due(at: datetime, *, hours: int) -> Sent:
    """Send what is due. A club whose data are broken keeps no other from its mails."""
    sent = failed = 0
    broken: list[str] = []
    connection = None
    for club in clubs_with_sessions(at):
        try:
            fill_all(club, at)
            due = letters(club, at, hours=hours)
            connection = connection or (mail.connected() if due else None)
            for letter in due:
                went = _send(club, letter, connection)
                sent, failed = sent + (went is True), failed + (went is False)
        except Exception:
            log.exception("the mails of the club %s cannot be sent", club.slug)
            broken.append(club.slug)
    if connection is not None:
        connection.close()
    return Sent(sent, failed, tuple(broken))


def count_due(at: datetime, *, hours: int) -> Sent:
    """How many mails would be sent now."""
    due, broken = 0, []
    for club in clubs_with_sessions(at):
        try:
            due += len(letters(club, at, hours=hours))
        except Exception:
            log.exception("the mails of the club %s cannot be counted", club.slug)
            broken.append(club.slug)
    return Sent(due, 0, tuple(broken))


def clubs_with_sessions(at: datetime) -> QuerySet[Club]:
    """The clubs that may have a mail to send."""
    soon = (at.date() - timedelta(days=1), at.date() + timedelta(days=AHEAD))
    return Club.objects.filter(sessions__held_on__range=soon).distinct().order_by("pk")


def _send(club: Club, letter: Letter, connection: Any) -> bool | None:
    """Whether a mail went; None where somebody has sent it, or it has to wait for its limits."""
    if not letter.claim():
        return None
    went = None
    try:
        if _counts(club, letter.to):
            went = mail.send(letter.write(), connection)
    finally:
        if not went:
            letter.release()
    return went


def _counts(club: Club, to: str) -> bool:
    """Count one more mail to this address, of the club and of the site; False where one is full."""
    return count_mail(
        (f"mail:of-sessions:{mailbox(to)}", TO_ONE),
        (f"mail:of-sessions-of:{club.pk}", OF_CLUB),
        ("mail:of-sessions", OF_SITE),
    )


def _written(
    write: Callable[..., EmailMessage], *about: object, member: Member, to: str
) -> EmailMessage:
    """A mail about something, in its reader's language."""
    with mail.language_of(member):
        return write(*about, to, consent_link(member, to))


def with_address(members: QuerySet[Member]) -> QuerySet[Member]:
    """Those of the members who may come, with what `address_of` needs to know."""
    current = members.filter(retired_at=None, merged_into=None)
    return with_account_email(current).order_by("pk")


def _begun(night: Session, at: datetime) -> bool:
    """Whether it is too late to remind: the hour, where one is given, has come."""
    return night.begins_at is not None and begins(night) <= at


def _reminders(night: Session, at: datetime) -> Iterable[Letter]:
    rows = {row.member_id: row for row in current_sign_ups().filter(session=night)}
    members = night.club.members.exclude(pk__in=night.attendances.values("member"))
    members = members.exclude(pk__in=night.reminders.values("member"))
    for member in with_address(members.exclude(reminders=Reminders.NEVER)):
        row, address = rows.get(member.pk), address_of(member)
        wanted = member.reminders == Reminders.ALL or (
            row is not None and row.placed_at is not None
        )
        if address and wanted:
            yield _reminder(night, member, row, address, at)


def _reminder(
    night: Session, member: Member, row: SignUp | None, address: str, at: datetime
) -> Letter:
    def claim() -> bool:
        return Reminder.objects.get_or_create(
            session=night, member=member, defaults={"sent_at": at}
        )[1]

    return Letter(
        to=address,
        write=partial(_written, mail.reminder, night, row, member=member, to=address),
        claim=claim,
        release=Reminder.objects.filter(session=night, member=member).delete,
    )


def _moved_up(night: Session, at: datetime) -> Iterable[Letter]:
    rows = current_sign_ups().filter(session=night, moved_up=True, told_at=None)
    waiting = {row.member_id: row for row in rows.exclude(placed_at=None)}
    members = Member.objects.filter(pk__in=waiting).exclude(reminders=Reminders.NEVER)
    for member in with_address(members):
        if address := address_of(member):
            row = waiting[member.pk]
            row.session = night
            member.club = night.club
            yield _news(row, member, address, at)


def _called_off(night: Session, at: datetime) -> Iterable[Letter]:
    """Anyone who signed up hears of it, asked to be reminded or not: they would stand at the
    door."""
    signed_up = current_sign_ups().filter(session=night, told_off_at=None)
    rows = {row.member_id: row for row in signed_up}
    for member in with_address(Member.objects.filter(pk__in=rows)):
        if address := address_of(member):
            row = rows[member.pk]
            row.session = night
            member.club = night.club
            yield _bad_news(row, member, address, at)


def _bad_news(row: SignUp, member: Member, address: str, at: datetime) -> Letter:
    mine = SignUp.objects.filter(pk=row.pk)
    off = mine.filter(told_off_at=None, session__state=Session.State.CANCELLED)
    return Letter(
        to=address,
        write=partial(_written, mail.called_off, row, member=member, to=address),
        claim=lambda: bool(off.update(told_off_at=at)),
        release=lambda: mine.update(told_off_at=None),
    )


def _news(row: SignUp, member: Member, address: str, at: datetime) -> Letter:
    mine = SignUp.objects.filter(pk=row.pk)
    return Letter(
        to=address,
        write=partial(_written, mail.moved_up, row, member=member, to=address),
        claim=lambda: bool(mine.filter(told_at=None).update(told_at=at)),
        release=lambda: mine.update(told_at=None),
    )
