"""The plain-text mails about coming sessions: their words, and handing them to the mail server."""

import logging
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.members.account_mail import on_site
from league.members.models import Club
from league.sessions.models import Session, SignUp

SENDS_NOTHING = "django.core.mail.backends.dummy.EmailBackend"
LONGEST_SUBJECT = 150
HEADERS = {"Auto-Submitted": "auto-generated"}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail that is due: how it is written down as sent (False: not now), and not."""

    to: str
    write: Callable[[], EmailMessage]
    claim: Callable[[], bool]
    release: Callable[[], object]


def mail_is_set() -> bool:
    """Whether the site has a mail server (or, in development, prints its mail)."""
    return bool(settings.EMAIL_BACKEND != SENDS_NOTHING)


def question(club: Club, to: str, link: str) -> EmailMessage:
    """The one mail to an address whose owner has not agreed to mail of this club yet.

    Of what the club has written only its name is in it, and nothing in that is a link.
    """
    site = urlsplit(settings.SITE_ADDRESS).netloc
    context = {"club": without_links(club.name), "site": site, "link": link}
    body = render_to_string("sessions/mail_question.txt", context).strip() + "\n"
    subject = _("[Right Bower] May a Euchre club send you mail?")
    return EmailMessage(subject, body, to=[to], headers=dict(HEADERS))


def reminder(club_session: Session, row: SignUp | None, to: str, stop: str) -> EmailMessage:
    """The mail before a session to somebody who asked for it; `row` is their sign-up."""
    subject = _("%(session)s, %(day)s") % _words(club_session)
    return _mail("sessions/mail_reminder.txt", subject, club_session, to, stop, row=row)


def moved_up(row: SignUp, to: str, stop: str) -> EmailMessage:
    """The mail to somebody who came off the waiting list."""
    subject = _("You have a place: %(session)s, %(day)s") % _words(row.session)
    return _mail("sessions/mail_moved_up.txt", subject, row.session, to, stop, row=row)


def called_off(row: SignUp, to: str, stop: str) -> EmailMessage:
    """The mail to somebody who meant to come to a session that is cancelled."""
    subject = _("Cancelled: %(session)s, %(day)s") % _words(row.session)
    return _mail("sessions/mail_called_off.txt", subject, row.session, to, stop, row=row)


def connected() -> Any:
    """A connection to the mail server for many mails; each opens one of its own if it is down."""
    connection = get_connection(fail_silently=False)
    try:
        connection.open()
    except OSError:
        log.warning("the mail server does not answer")
    return connection


def send(mail: EmailMessage, connection: Any) -> bool:
    """Hand a mail to the server; False where it would not take it."""
    mail.connection = connection
    try:
        return bool(mail.send())
    except (OSError, ValueError) as error:  # the server's trouble, or a header that cannot be
        log.warning("a mail was not sent: %s", type(error).__name__)
        return False


def _mail(
    template: str, subject: str, club_session: Session, to: str, stop: str, **more: Any
) -> EmailMessage:
    path = reverse("session", args=[club_session.club.slug, club_session.public_id])
    coming = reverse("coming", args=[club_session.club.slug])
    context = {"club_session": club_session, "club": club_session.club, "stop": stop, **more}
    context |= {"address": on_site(path), "own": on_site(coming)}
    body = render_to_string(template, context).strip() + "\n"
    return EmailMessage(one_line(subject), body, to=[to], headers=dict(HEADERS))


def _words(club_session: Session) -> dict[str, str]:
    day = date_format(club_session.held_on, "l j F")
    return {"session": club_session.name, "day": day}


def without_links(text: str) -> str:
    """The text as words that no mail program makes a link or a telephone number of."""
    return " ".join(re.sub(r"[^\w\s'’&-]|[\d_]", " ", one_line(text)).split())


def one_line(text: str) -> str:
    """The text without anything that could begin a header of its own, and not too long."""
    plain = "".join(
        " " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text
    )
    return " ".join(plain.split())[:LONGEST_SUBJECT]
