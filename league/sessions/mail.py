"""The mails about coming sessions: their words, sending them, asking an owner once."""

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
    """One mail that is due: how it is written down as sent (False: not now), and not."""

    to: str
    write: Callable[[], EmailMessage]
    claim: Callable[[], bool]
    release: Callable[[], object]


def language_of(member: Member) -> Any:
    """A block in the language in which somebody reads mail: their account's, else the club's."""
    own = getattr(member, "account_language", "") or ""
    return in_language(own, member.club.language)


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
    day = dated(club_session.held_on, _("l j F"))
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


# An organiser may write down any address. Until its owner has agreed by the link in this one mail,
# nothing else is sent to it. The link says which member and which address it is about: it ends when
# the club writes down another.

_signer = Signer(salt="league.sessions.mail")
A_DAY = Limit(most=20, within=DAY)
"""Of one club, and of all clubs of one owner: the rest are asked on the days after."""


def consent_link(member: Member, email: str) -> str:
    """Where anyone who reads mail at this address agrees to it, or stops it."""
    return on_site(reverse("mail_choice", args=[_signer.sign(f"{member.public_id}.{_of(email)}")]))


def member_of_consent(code: str) -> Member | None:
    """The member this link is about, with `link_email`, the address it was mailed to; None for a
    forged one, and once their address is another."""
    try:
        public_id, _dot, digest = _signer.unsign(code).rpartition(".")
    except BadSignature:
        return None
    members = Member.objects.filter(public_id=public_id, merged_into=None, erased_at=None)
    member = with_account_email(members).select_related("club").first()
    if member is None:
        return None
    for email in (member.email, getattr(member, "account_email", "") or ""):
        if email and constant_time_compare(_of(email), digest):
            member.link_email = email  # type: ignore[attr-defined]
            return member
    return None


def with_account_email(members: QuerySet[Member]) -> QuerySet[Member]:
    """The members with what `address_of` needs to know."""
    own = EmailAddress.objects.filter(user=OuterRef("user"), verified=True, primary=True)
    return members.annotate(
        account_email=Subquery(own.values("email")[:1]), account_language=F("user__language")
    )


def address_of(member: Member) -> str:
    """Where mail to one of `with_account_email` goes: the address the club has, once its owner has
    agreed, else the account's, once that is confirmed; empty where there is none."""
    own = getattr(member, "account_email", "") or ""
    agreed = member.email.casefold() in (own.casefold(), member.confirmed_email.casefold())
    return member.email if agreed and member.email else own


def due_questions(club: Club, nights: Iterable[Session]) -> list[Letter]:
    """The mails that ask members who want reminders, or have signed up, whether they agree."""
    asker = _asker(club)
    if asker is None:
        return []
    coming = SignUp.objects.filter(session__in=list(nights), member=OuterRef("pk"))
    wanted = ~Q(reminders=Member.Reminders.NEVER) | Exists(coming)
    members = with_account_email(club.members.current().filter(wanted).exclude(email=""))
    return [
        _question(member, asker)
        for member in members.select_related("club").order_by("pk")
        if address_of(member) != member.email
        and member.asked_email.casefold() != member.email.casefold()
    ]


def _asker(club: Club) -> User | None:
    """The owner whose mails these are: one who has confirmed an address of their own."""
    owners = Role.objects.filter(club=club, rank=Role.Rank.OWNER, user__is_active=True)
    proved = Exists(EmailAddress.objects.filter(user=OuterRef("user"), verified=True))
    owner = owners.filter(proved | Q(user__is_staff=True)).select_related("user").order_by("pk")
    return next((role.user for role in owner), None)


def _question(member: Member, asker: User) -> Letter:
    email = member.email
    mine = Member.objects.filter(pk=member.pk, email=email)

    def write() -> EmailMessage:
        with language_of(member):
            return question(member.club, email, consent_link(member, email))

    def claim() -> bool:
        limits = [(f"mail:of-club:{member.club_id}", A_DAY), (f"mail:of-owner:{asker.pk}", A_DAY)]
        unasked = mine.exclude(asked_email=email)
        return may_ask_to_confirm(email, *limits) and bool(unasked.update(asked_email=email))

    return Letter(
        to=email,
        write=write,
        claim=claim,
        release=partial(mine.update, asked_email=""),
    )


def _of(email: str) -> str:
    """Stands for an address in a link."""
    return salted_hmac("league.sessions.mail", email.casefold()).hexdigest()[:20]


@transaction.atomic
def agree_to_mail(member: Member, *, email: str, by: Actor) -> None:
    """From now on the club may send mail to this address, where it is the one it has."""
    changes = {}
    if email == member.email:
        changes["confirmed_email"] = email
    if member.reminders == Member.Reminders.NEVER:
        changes["reminders"] = Member.Reminders.MINE
    _choose(member, "agree to mail", by, **changes)


@transaction.atomic
def stop_mail(member: Member, *, by: Actor) -> None:
    """No mail of the club to this member any more; the address is not asked again."""
    never = Member.Reminders.NEVER
    changes = {"confirmed_email": "", "asked_email": member.email, "reminders": never}
    _choose(member, "stop mail", by, **changes)


def _choose(member: Member, action: str, by: Actor, **changes: str) -> None:
    lock_club(member.club)
    same = Member.objects.filter(pk=member.pk, email=member.email)
    if any(getattr(member, name) != value for name, value in changes.items()):
        same.update(**changes)
        log_action(member.club, by, action, member)
