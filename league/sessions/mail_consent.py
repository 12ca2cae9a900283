"""Asking whoever owns an address, once, whether a club may send mail there; and the link to say so.

An organiser may write down any address. Until its owner has agreed by the link in this one mail,
nothing else is sent to it. The link says which member and which address it is about: it ends when
the club writes down another.
"""

from collections.abc import Iterable
from functools import partial

from allauth.account.models import EmailAddress
from django.core.signing import BadSignature, Signer
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from league.limits import DAY, Limit
from league.members.account_mail import may_ask_to_confirm, on_site
from league.members.models import Club, Member, Role, User
from league.sessions import mail
from league.sessions.mail import Letter
from league.sessions.models import Session, SignUp

_signer = Signer(salt="league.sessions.mail_consent")
A_DAY = Limit(most=20, within=DAY)
"""Of one club, and of all clubs of one owner: the rest are asked on the days after."""


def consent_link(member: Member, email: str) -> str:
    """Where whoever reads mail at this address agrees to it, or stops it."""
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
    return members.annotate(account_email=Subquery(own.values("email")[:1]))


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
        _question(one, asker)
        for one in members.select_related("club").order_by("pk")
        if address_of(one) != one.email and one.asked_email.casefold() != one.email.casefold()
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

    def claim() -> bool:
        limits = [(f"mail:of-club:{member.club_id}", A_DAY), (f"mail:of-owner:{asker.pk}", A_DAY)]
        unasked = mine.exclude(asked_email=email)
        return may_ask_to_confirm(email, *limits) and bool(unasked.update(asked_email=email))

    return Letter(
        to=email,
        write=partial(mail.question, member.club, email, consent_link(member, email)),
        claim=claim,
        release=partial(mine.update, asked_email=""),
    )


def _of(email: str) -> str:
    """Stands for an address in a link."""
    return salted_hmac("league.sessions.mail_consent", email.casefold()).hexdigest()[:20]
