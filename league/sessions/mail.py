"""Mails about upcoming sessions: composing and sending them, and asking for consent."""

import logging
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from league.limits import DAY, Limit
from league.members.account_mail import may_ask_to_confirm, on_site
from league.members.actions.people import lock_club
from league.members.audit import Actor, log_action
from league.members.languages import dated, in_language
from league.members.models import Club, Member, Role, User
from league.sessions.models import Session, SignUp

LONGEST_SUBJECT = 150
HEADERS = {"Auto-Submitted": "auto-generated"}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that is due. `claim` records it as sent (False: not now); `release` undoes that."""

    to: str
    write: Callable[[], EmailMessage]
    claim: Callable[[], bool]
    release: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a mail is for: their address, the link that stops mail, and whether they can sign in."""

    to: str
    stop: str
    has_account: bool


def language_of(member: Member) -> Any:
    """A context manager for the language of a member's mail: their account's, else the club's."""
    account_language = getattr(member, "account_language", "") or ""
    return in_language(account_language, member.club.language)


def consent_mail(club: Club, to: str, link: str) -> EmailMessage:
    """The only mail sent to an address whose owner has not agreed to mail from this club.

    The club's name is the only text by the club in it, with everything removed that could be a
    link.
    """
    site = urlsplit(settings.SITE_ADDRESS).netloc
    context = {"club": without_links(club.name), "site": site, "link": link}
    body = render_to_string("sessions/mail_question.txt", context).strip() + "\n"
    subject = _("[Right Bower] May a Euchre club send you mail?")
    return EmailMessage(subject, body, to=[to], headers=dict(HEADERS))


def reminder_mail(club_session: Session, row: SignUp | None, reader: Reader) -> EmailMessage:
    """The mail before a session to a member who wants reminders; `row` is their sign-up."""
    subject = _("%(session)s, %(day)s") % _subject_words(club_session)
    return _session_mail("sessions/mail_reminder.txt", subject, club_session, reader, row=row)


def place_mail(row: SignUp, reader: Reader) -> EmailMessage:
    """The mail to a member who got a place from the waiting list."""
    subject = _("You have a place: %(session)s, %(day)s") % _subject_words(row.session)
    return _session_mail("sessions/mail_moved_up.txt", subject, row.session, reader, row=row)


def move_mail(row: SignUp, reader: Reader) -> EmailMessage:
    """The mail to a member who signed up for a session that has another day or start time, or that
    takes place after the mail that it is cancelled."""
    subject = _("New date or time: %(session)s, %(day)s")
    if row.told_off_at:
        subject = _("It takes place after all: %(session)s, %(day)s")
    subject %= _subject_words(row.session)
    return _session_mail("sessions/mail_moved.txt", subject, row.session, reader, row=row)


def cancellation_mail(row: SignUp, reader: Reader) -> EmailMessage:
    """The mail to a member who signed up for a session that is cancelled."""
    subject = _("Cancelled: %(session)s, %(day)s") % _subject_words(row.session)
    return _session_mail("sessions/mail_called_off.txt", subject, row.session, reader, row=row)


def open_connection() -> Any:
    """Open a connection for many mails; if the server is down, each mail tries its own."""
    connection = get_connection(fail_silently=False)
    try:
        connection.open()
    except OSError:
        log.warning("the mail server does not answer")
    return connection


def send(mail: EmailMessage, connection: Any) -> bool:
    """Send a mail; False if the server refused it."""
    mail.connection = connection
    try:
        return bool(mail.send())
    except (OSError, ValueError) as error:  # a failing server, or an impossible header
        log.warning("a mail was not sent: %s", type(error).__name__)
        return False


def _session_mail(
    template: str, subject: str, club_session: Session, reader: Reader, **extra: Any
) -> EmailMessage:
    path = reverse("session", args=[club_session.club.slug, club_session.public_id])
    coming_path, club_path = (
        reverse(name, args=[club_session.club.slug]) for name in ("coming", "club")
    )
    context = {"club_session": club_session, "club": club_session.club, **extra}
    context |= {"address": on_site(path), "own": on_site(coming_path)}
    context |= {"stop": reader.stop, "has_account": reader.has_account}
    context["club_page"] = on_site(club_path)
    body = render_to_string(template, context).strip() + "\n"
    return EmailMessage(one_line(subject), body, to=[reader.to], headers=dict(HEADERS))


def _subject_words(club_session: Session) -> dict[str, str]:
    day = dated(club_session.held_on, _("l j F"))
    return {"session": club_session.name, "day": day}


def without_links(text: str) -> str:
    """The text without anything that a mail program could turn into a link or phone number."""
    return " ".join(re.sub(r"[^\w\s'’&-]|[\d_]", " ", one_line(text)).split())


def one_line(text: str) -> str:
    """The text on one line, so that it cannot start another header, and shortened."""
    plain = "".join(
        " " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text
    )
    return " ".join(plain.split())[:LONGEST_SUBJECT]


# An organiser can enter any address. Until its owner has agreed through the link in the consent
# mail, nothing else is sent to it. The link identifies the member and the address: it expires when
# the club changes the address.

_signer = Signer(salt="league.sessions.mail")
QUESTIONS_PER_DAY = Limit(most=20, within=DAY)
"""Per club, and per owner of clubs; the remaining members are asked on the following days."""


def consent_link(member: Member, email: str) -> str:
    """The address of the page where the reader of this mail agrees to mail or stops it."""
    return on_site(
        reverse("mail_choice", args=[_signer.sign(f"{member.public_id}.{_address_digest(email)}")])
    )


def member_of_consent(code: str) -> Member | None:
    """The member of a consent link, with the address it was sent to as `link_email`.

    None for a forged link, and once the member's address has changed.
    """
    try:
        public_id, _dot, digest = _signer.unsign(code).rpartition(".")
    except BadSignature:
        return None
    members = Member.objects.filter(public_id=public_id, merged_into=None, erased_at=None)
    member = with_account_email(members).select_related("club").first()
    if member is None:
        return None
    for email in (member.email, getattr(member, "account_email", "") or ""):
        if email and constant_time_compare(_address_digest(email), digest):
            member.link_email = email  # type: ignore[attr-defined]
            return member
    return None


def with_account_email(members: QuerySet[Member]) -> QuerySet[Member]:
    """Annotate members with what `address_of` needs."""
    addresses = EmailAddress.objects.filter(user=OuterRef("user"), verified=True, primary=True)
    return members.annotate(
        account_email=Subquery(addresses.values("email")[:1]), account_language=F("user__language")
    )


def address_of(member: Member) -> str:
    """The address for mail to a member of `with_account_email`; empty if there is none.

    The address that the club has, once its owner has agreed; else the account's confirmed one.
    """
    account_email = getattr(member, "account_email", "") or ""
    agreed_emails = (account_email.casefold(), member.confirmed_email.casefold())
    has_agreed = member.email.casefold() in agreed_emails
    return member.email if has_agreed and member.email else account_email


def due_questions(club: Club, sessions: Iterable[Session]) -> list[Letter]:
    """The consent mails to members who want reminders or have signed up for one of `sessions`."""
    owner = _asking_owner(club)
    if owner is None:
        return []
    sign_ups = SignUp.objects.filter(session__in=list(sessions), member=OuterRef("pk"))
    wants_mail = ~Q(reminders=Member.Reminders.NEVER) | Exists(sign_ups)
    members = with_account_email(club.members.current().filter(wants_mail).exclude(email=""))
    return [
        _consent_letter(member, owner)
        for member in members.select_related("club").order_by("pk")
        if address_of(member) != member.email
        and member.asked_email.casefold() != member.email.casefold()
    ]


def _asking_owner(club: Club) -> User | None:
    """The owner on whose behalf consent is asked: one with a confirmed address of their own."""
    owners = Role.objects.filter(club=club, rank=Role.Rank.OWNER, user__is_active=True)
    has_confirmed = Exists(EmailAddress.objects.filter(user=OuterRef("user"), verified=True))
    roles = (
        owners.filter(has_confirmed | Q(user__is_staff=True)).select_related("user").order_by("pk")
    )
    return next((role.user for role in roles), None)


def _consent_letter(member: Member, owner: User) -> Letter:
    email = member.email
    rows = Member.objects.filter(pk=member.pk, email=email)

    def write() -> EmailMessage:
        with language_of(member):
            return consent_mail(member.club, email, consent_link(member, email))

    def claim() -> bool:
        limits = [
            (f"mail:of-club:{member.club_id}", QUESTIONS_PER_DAY),
            (f"mail:of-owner:{owner.pk}", QUESTIONS_PER_DAY),
        ]
        unasked = rows.exclude(asked_email=email)
        return may_ask_to_confirm(email, *limits) and bool(unasked.update(asked_email=email))

    return Letter(
        to=email,
        write=write,
        claim=claim,
        release=partial(rows.update, asked_email=""),
    )


def _address_digest(email: str) -> str:
    """A digest that stands for an address in a link."""
    return salted_hmac("league.sessions.mail", email.casefold()).hexdigest()[:20]


@transaction.atomic
def agree_to_mail(member: Member, *, email: str, by: Actor) -> None:
    """Record a member's consent to mail at this address, if it is the one the club has."""
    changes = {}
    if email == member.email:
        changes["confirmed_email"] = email
    if member.reminders == Member.Reminders.NEVER:
        changes["reminders"] = Member.Reminders.MINE
    _save_choice(member, "agree to mail", by, **changes)


@transaction.atomic
def stop_mail(member: Member, *, by: Actor) -> None:
    """Stop all mail of the club to this member; they are not asked again at this address."""
    never = Member.Reminders.NEVER
    changes = {"confirmed_email": "", "asked_email": member.email, "reminders": never}
    _save_choice(member, "stop mail", by, **changes)


def _save_choice(member: Member, action: str, by: Actor, **changes: str) -> None:
    lock_club(member.club)
    matching = Member.objects.filter(pk=member.pk, email=member.email)
    if any(getattr(member, name) != value for name, value in changes.items()):
        matching.update(**changes)
        log_action(member.club, by, action, member)
