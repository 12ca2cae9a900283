"""Which mails about upcoming sessions are due, and sending each of them once.

A mail is recorded as sent before it is sent, and the record is removed if sending fails. So
neither two runs at once nor a run that is killed send a mail twice.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.utils.translation import ngettext

from league.limits import DAY, Limit
from league.members.account_mail import count_mail, mail_is_set, mailbox
from league.members.models import Club, Member
from league.sessions import mail
from league.sessions.attendance import fill_places
from league.sessions.mail import Letter, address_of, consent_link, due_questions, with_account_email
from league.sessions.models import Reminder, Session, SignUp
from league.sessions.queries import current_sign_ups, local_date, start_of, takes_sign_ups

log = logging.getLogger(__name__)
Reminders = Member.Reminders
PER_ADDRESS = Limit(most=20, within=DAY)
PER_CLUB, PER_SITE = Limit(most=5_000, within=DAY), Limit(most=20_000, within=DAY)
DAYS_AHEAD = 400
"""How far ahead sessions are considered, to keep the queries short."""


class Sent(NamedTuple):
    """How many mails were sent, how many the mail server refused, and the slugs of clubs whose
    mails could not be determined."""

    sent: int
    failed: int
    broken: tuple[str, ...] = ()


def coming_sessions(club: Club, at: datetime) -> list[Session]:
    """The club's planned and open sessions that are not over, the next first."""
    sessions = Session.objects.filter(
        club=club,
        state__in=(Session.State.PLANNED, Session.State.OPEN),
        held_on__range=(at.date() - timedelta(days=1), at.date() + timedelta(days=DAYS_AHEAD)),
    )
    sessions = sessions.select_related("club").order_by("held_on", "pk")
    return [session for session in sessions if takes_sign_ups(session, at)]


def _cancelled_sessions(club: Club, at: datetime) -> list[Session]:
    """The cancelled sessions that would not have begun yet and have players to notify."""
    sessions = Session.objects.filter(
        club=club,
        state=Session.State.CANCELLED,
        held_on__range=(at.date() - timedelta(days=1), at.date() + timedelta(days=DAYS_AHEAD)),
        sign_ups__told_off_at=None,
        sign_ups__isnull=False,
    )
    sessions = sessions.select_related("club").distinct().order_by("held_on", "pk")
    return [session for session in sessions if _is_to_come(session, at)]


def _is_to_come(session: Session, at: datetime) -> bool:
    return not _has_begun(session, at) and session.held_on >= local_date(session.club, at)


def mails_if_cancelled(session: Session, at: datetime) -> dict[str, Any]:
    """Who has signed up, and how many of them would get a mail if it were cancelled now."""
    rows, sends_mail = current_sign_ups().filter(session=session), mail_is_set()
    goes_out = sends_mail and _is_to_come(session, at)
    return {
        "signed_up": [row.member.name for row in rows],
        "mails": len(list(_cancellation_letters(session, at))) if goes_out else 0,
        "sends_mail": sends_mail,
    }


def cancelled_text(session: Session, at: datetime) -> str:
    """How many players have signed up for a session that is cancelled, and how many of them get a
    mail; "" if none have, or if it would be over. Ask before it is cancelled."""
    data = mails_if_cancelled(session, at)
    if not data["signed_up"] or not _is_to_come(session, at):
        return ""
    count, mails = len(data["signed_up"]), data["mails"]
    text = ngettext(
        "%(n)d player has signed up: let them know.",
        "%(n)d players have signed up: let them know.",
        count,
    )
    if mails:
        text = ngettext(
            "%(n)d player has signed up. E-mails about this: %(mails)d.",
            "%(n)d players have signed up. E-mails about this: %(mails)d.",
            count,
        )
    return text % {"n": count, "mails": mails}


def fill_open_places(club: Club, at: datetime) -> None:
    """Give away the places of members deactivated since, in every upcoming session."""
    for session in coming_sessions(club, at):
        if session.places is not None and session.sign_ups.filter(placed_at=None).exists():
            fill_places(session, at=at)


def due_letters(club: Club, at: datetime, *, hours: int) -> list[Letter]:
    """The mails of a club that are due.

    They go to members who got a place from the waiting list, who want reminders of sessions that
    begin within `hours`, who signed up for a session that was moved, cancelled or reopened, or
    whose consent is needed.
    """
    sessions = coming_sessions(club, at)
    letters_due = due_questions(club, sessions)
    for session in sessions:
        letters_due += _place_letters(session, at)
        letters_due += _move_letters(session, at)
        if start_of(session) - at <= timedelta(hours=hours) and not _has_begun(session, at):
            letters_due += _reminder_letters(session, at)
    for session in _cancelled_sessions(club, at):
        letters_due += _cancellation_letters(session, at)
    return letters_due


def send_due(at: datetime, *, hours: int) -> Sent:
    """Send the mails that are due. An error in one club's data doesn't affect other clubs."""
    sent = failed = 0
    broken_clubs: list[str] = []
    connection = None
    for club in clubs_with_sessions(at):
        try:
            fill_open_places(club, at)
            letters = due_letters(club, at, hours=hours)
            connection = connection or (mail.open_connection() if letters else None)
            for letter in letters:
                was_sent = _send(club, letter, connection)
                sent, failed = sent + (was_sent is True), failed + (was_sent is False)
        except Exception:
            log.exception("the mails of the club %s cannot be sent", club.slug)
            broken_clubs.append(club.slug)
    if connection is not None:
        connection.close()
    return Sent(sent, failed, tuple(broken_clubs))


def count_due(at: datetime, *, hours: int) -> Sent:
    """How many mails would be sent now."""
    count, broken_clubs = 0, []
    for club in clubs_with_sessions(at):
        try:
            count += len(due_letters(club, at, hours=hours))
        except Exception:
            log.exception("the mails of the club %s cannot be counted", club.slug)
            broken_clubs.append(club.slug)
    return Sent(count, 0, tuple(broken_clubs))


def clubs_with_sessions(at: datetime) -> QuerySet[Club]:
    """The clubs that may have a mail to send."""
    soon = (at.date() - timedelta(days=1), at.date() + timedelta(days=DAYS_AHEAD))
    return Club.objects.filter(sessions__held_on__range=soon).distinct().order_by("pk")


def _send(club: Club, letter: Letter, connection: Any) -> bool | None:
    """Whether a mail was sent; None if another run sent it, or a limit is reached."""
    if not letter.claim():
        return None
    was_sent = None
    try:
        if _count_within_limits(club, letter.to):
            was_sent = mail.send(letter.write(), connection)
    finally:
        if not was_sent:
            letter.release()
    return was_sent


def _count_within_limits(club: Club, to: str) -> bool:
    """Count one more mail to this address, of the club and of the site; False if over a limit."""
    return count_mail(
        (f"mail:of-sessions:{mailbox(to)}", PER_ADDRESS),
        (f"mail:of-sessions-of:{club.pk}", PER_CLUB),
        ("mail:of-sessions", PER_SITE),
    )


def _write_mail(
    write: Callable[..., EmailMessage], *args: object, member: Member, to: str
) -> EmailMessage:
    """Compose a mail in its reader's language, with a link to stop mail."""
    with mail.language_of(member):
        reader = mail.Reader(to, consent_link(member, to), has_account=member.user_id is not None)
        return write(*args, reader)


def with_address(members: QuerySet[Member]) -> QuerySet[Member]:
    """The active ones of these members, annotated with what `address_of` needs."""
    current = members.filter(retired_at=None, merged_into=None)
    return with_account_email(current).order_by("pk")


def _has_begun(session: Session, at: datetime) -> bool:
    """Whether the session's start time, if it has one, is past."""
    return session.begins_at is not None and start_of(session) <= at


def _reminder_letters(session: Session, at: datetime) -> Iterable[Letter]:
    rows = {row.member_id: row for row in current_sign_ups().filter(session=session)}
    members = session.club.members.exclude(pk__in=session.attendances.values("member"))
    members = members.exclude(pk__in=session.reminders.values("member"))
    for member in with_address(members.exclude(reminders=Reminders.NEVER)):
        row, address = rows.get(member.pk), address_of(member)
        is_wanted = member.reminders == Reminders.ALL or (
            row is not None and row.placed_at is not None
        )
        if address and is_wanted:
            yield _reminder_letter(session, member, row, address, at)


def _reminder_letter(
    session: Session, member: Member, row: SignUp | None, address: str, at: datetime
) -> Letter:
    def claim() -> bool:
        return Reminder.objects.get_or_create(
            session=session, member=member, defaults={"sent_at": at}
        )[1]

    return Letter(
        to=address,
        write=partial(_write_mail, mail.reminder_mail, session, row, member=member, to=address),
        claim=claim,
        release=Reminder.objects.filter(session=session, member=member).delete,
    )


def _place_letters(session: Session, at: datetime) -> Iterable[Letter]:
    moved_up = current_sign_ups().filter(session=session, moved_up=True, told_at=None)
    placed = moved_up.exclude(placed_at=None).exclude(member__reminders=Reminders.NEVER)
    for row, member, address in _addressed(session, placed):
        yield _place_letter(row, member, address, at)


def moved_text(session: Session, at: datetime) -> str:
    """How many players have signed up for a session that was moved or reopened, how many of them
    get a mail, and who gets none; "" if none have signed up, or if it would be over."""
    members = [row.member for row in current_sign_ups().filter(session=session)]
    if not members or not _is_to_come(session, at):
        return ""
    mailed = {row.member_id for row, *_to in _move_rows(session, at)} if mail_is_set() else set()
    others = [member.name for member in members if member.pk not in mailed]
    texts = []
    if mailed:
        text = ngettext(
            "%(n)d player has signed up. E-mails about the change: %(mails)d.",
            "%(n)d players have signed up. E-mails about the change: %(mails)d.",
            len(members),
        )
        texts.append(text % {"n": len(members), "mails": len(mailed)})
    if others:
        text = ngettext(
            "Let the player who gets no e-mail know of the change: %(names)s.",
            "Let the %(n)d players who get no e-mail know of the change: %(names)s.",
            len(others),
        )
        texts.append(text % {"n": len(others), "names": ", ".join(others)})
    return " ".join(texts)


def _move_letters(session: Session, at: datetime) -> Iterable[Letter]:
    for row, member, address in _move_rows(session, at):
        yield _move_letter(row, member, address)


def _move_rows(session: Session, at: datetime) -> Iterable[tuple[SignUp, Member, str]]:
    """Who gets a mail that a session was moved, or reopened after the mail that it is cancelled:
    all who signed up and have an address, even without reminders."""
    if _has_begun(session, at):
        return []
    changed = Q(move_unsent=True) | Q(told_off_at__isnull=False)
    return _addressed(session, current_sign_ups().filter(changed, session=session))


def _move_letter(row: SignUp, member: Member, address: str) -> Letter:
    sign_up = SignUp.objects.filter(pk=row.pk)
    due = {"move_unsent": row.move_unsent, "told_off_at": row.told_off_at}

    # It may have been cancelled again since the list was read.
    unsent = sign_up.exclude(session__state=Session.State.CANCELLED).filter(**due)
    return Letter(
        to=address,
        write=partial(_write_mail, mail.move_mail, row, member=member, to=address),
        claim=lambda: bool(unsent.update(move_unsent=False, told_off_at=None)),
        release=lambda: sign_up.update(**due),
    )


def _cancellation_letters(session: Session, at: datetime) -> Iterable[Letter]:
    """Mails to all members signed up for a cancelled session, even without reminders."""
    signed_up = current_sign_ups().filter(session=session, told_off_at=None)
    for row, member, address in _addressed(session, signed_up):
        yield _cancellation_letter(row, member, address, at)


def _addressed(
    session: Session, sign_ups: Iterable[SignUp]
) -> Iterator[tuple[SignUp, Member, str]]:
    """Those of a session's sign-ups whose members have an address, with the member and that."""
    rows = {row.member_id: row for row in sign_ups}
    for member in with_address(Member.objects.filter(pk__in=rows)):
        if address := address_of(member):
            row = rows[member.pk]
            row.session = session
            member.club = session.club
            yield row, member, address


def _cancellation_letter(row: SignUp, member: Member, address: str, at: datetime) -> Letter:
    sign_up = SignUp.objects.filter(pk=row.pk)
    untold = sign_up.filter(told_off_at=None, session__state=Session.State.CANCELLED)
    return Letter(
        to=address,
        write=partial(_write_mail, mail.cancellation_mail, row, member=member, to=address),
        claim=lambda: bool(untold.update(told_off_at=at)),
        release=lambda: sign_up.update(told_off_at=None),
    )


def _place_letter(row: SignUp, member: Member, address: str, at: datetime) -> Letter:
    sign_up = SignUp.objects.filter(pk=row.pk)
    return Letter(
        to=address,
        write=partial(_write_mail, mail.place_mail, row, member=member, to=address),
        claim=lambda: bool(sign_up.filter(told_at=None).update(told_at=at)),
        release=lambda: sign_up.update(told_at=None),
    )
