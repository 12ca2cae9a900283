"""The mails about accounts: to whom they may go, how many, where their links lead, and the thread
that sends them: nobody waits for a mail, or learns from its time. What waits when the server stops
is lost; anyone who misses a mail asks for it again. Commands send for themselves
(sessions/mail.py).

An address that its owner has not confirmed gets the mail that asks to confirm it, and no other.
No mail holds words that somebody else chose; every link begins with SITE_ADDRESS, whatever name
the visitor's browser used for the site.
"""

import logging
from collections.abc import Callable
from queue import Full, Queue
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.core import context as allauth_context
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

from league.errors import Refused
from league.limits import DAY, Limit, network_of, refuse_over
from league.members.languages import in_language
from league.members.models import User
from league.network import address_for_phones

CONFIRMS = ("account/email/email_confirmation", "account/email/email_confirmation_signup")
# To one address that is not confirmed, no matter who asks; and later, should the first have got
# lost.
UNCONFIRMED_TODAY, UNCONFIRMED = Limit(most=1, within=DAY), Limit(most=3, within=30 * DAY)
CONFIRMED = Limit(most=10, within=DAY)
OF_ACCOUNT = Limit(most=5, within=DAY)
CHANGES = Limit(most=30, within=DAY)  # of an account: counted apart, so no other mail hides one
FROM_NETWORK = Limit(most=200, within=DAY)  # a hall, where a whole club signs up in an evening
OF_SITE, UNCONFIRMED_OF_SITE = Limit(most=5000, within=DAY), Limit(most=500, within=DAY)

SENDS_NOTHING = "django.core.mail.backends.dummy.EmailBackend"
MOST_WAITING = 500
AT_ONCE = "locmem"  # of tests, which look at what was sent

log = logging.getLogger(__name__)
_waiting: "Queue[Callable[[], object]]" = Queue(MOST_WAITING)
_starting = Lock()
_thread: Thread | None = None


def mail_is_set() -> bool:
    """Whether the site has a mail server (or, in development, prints its mail)."""
    return bool(settings.EMAIL_BACKEND != SENDS_NOTHING)


def on_site(path: str) -> str:
    """A path as an address that leads here from anywhere."""
    return str(settings.SITE_ADDRESS) + path


def address_of_site(request: HttpRequest, path: str) -> str:
    """A path as an address to send to others: the site's own where it is set, else one that
    phones of the hall reach (its computer has no name of its own)."""
    return on_site(path) if settings.SITE_ADDRESS_IS_SET else address_for_phones(request, path)


def is_confirmed(email: str) -> bool:
    """Whether its owner has confirmed this address, or an administrator signs in with it."""
    if EmailAddress.objects.filter(email__iexact=email, verified=True).exists():
        return True
    return User.objects.filter(email__iexact=email, is_staff=True).exists()


def confirm_for(user: User) -> None:
    """Take an account's address as confirmed: an administrator has entered it."""
    others = EmailAddress.objects.exclude(user=user)
    if not user.email or others.filter(email__iexact=user.email, verified=True).exists():
        return
    EmailAddress.objects.filter(user=user).update(primary=False)
    EmailAddress.objects.update_or_create(
        user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
    )


class MailAdapter(DefaultAccountAdapter):
    """allauth's mails, as the site sends them."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        confirmed = is_confirmed(email)
        if not confirmed and template_prefix not in CONFIRMS:
            return
        if context.get("tells_of_a_change"):
            if not count_mail((f"mail:changes:{mailbox(email)}", CHANGES)):
                return
        elif not _may_send(email, confirmed, context.get("user"), allauth_context.request):
            log.warning("a mail was not sent: %s has reached its limit", template_prefix)
            return
        site = {"name": "Right Bower", "domain": urlsplit(settings.SITE_ADDRESS).netloc}
        with in_language(getattr(context.get("user"), "language", ""), get_language() or ""):
            mail = self.render_mail(template_prefix, email, context | {"current_site": site})
        hand_over(mail)

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation
    ) -> str:
        return on_site(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _, token = key.partition("-")
        return on_site(
            reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
        )

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell an account's owner of a change, without the words of whose browser made it."""
        to = email or EmailAddress.objects.get_primary_email(user)
        if to:
            reset = on_site(reverse("account_reset_password"))
            more = {"reset_url": reset, "tells_of_a_change": True}
            self.send_mail(template_prefix, to, {**(context or {}), **more})

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation, signup: bool
    ) -> None:
        super().send_confirmation_mail(request, emailconfirmation, signup)
        user = emailconfirmation.email_address.user
        if EmailAddress.objects.get_primary_email(user) != emailconfirmation.email_address.email:
            self.send_notification_mail("account/email/email_added", user)

    def send_account_already_exists_mail(self, email: str) -> None:
        reset = on_site(reverse("account_reset_password"))
        self.send_mail("account/email/account_already_exists", email, {"password_reset_url": reset})


def may_ask_to_confirm(email: str, *more: tuple[str, Limit]) -> bool:
    """Count one more mail to an address that is not confirmed; False where there were too many,
    to it, on the site, or of one of `more`."""
    to = f"mail:to:{mailbox(email)}"
    today = (f"{to}:today", UNCONFIRMED_TODAY)
    counts = [today, (to, UNCONFIRMED), *more, ("mail:unconfirmed", UNCONFIRMED_OF_SITE)]
    return count_mail(*counts)


def mailbox(email: str) -> str:
    """What counts as one address: all spellings that usually lead to one mailbox."""
    name, _at, domain = email.casefold().rpartition("@")
    name = name.partition("+")[0]
    if domain in ("gmail.com", "googlemail.com"):
        name, domain = name.replace(".", ""), "gmail.com"
    return f"{name}@{domain}"


def _may_send(email: str, confirmed: bool, user: User | None, request: HttpRequest | None) -> bool:
    more = [(f"mail:from:{network_of(request)}", FROM_NETWORK)] if request else []
    if confirmed:
        to = (f"mail:to:{mailbox(email)}", CONFIRMED)
        return count_mail(*more, to, ("mail:confirmed", OF_SITE))
    more += [(f"mail:of:{user.pk}", OF_ACCOUNT)] if user else []
    return may_ask_to_confirm(email, *more)


def count_mail(*counts: tuple[str, Limit]) -> bool:
    """Count one more of everything, or, where one of them is full, of nothing."""
    try:
        with transaction.atomic():  # a refusal takes back what was counted before it
            for key, limit in counts:
                refuse_over(key, limit)
    except Refused:
        return False
    return True


def hand_over(mail: EmailMessage) -> None:
    """Send this mail soon."""
    do_beside(mail.send)


def do_beside(work: Callable[[], object]) -> None:
    """Do soon what ends in a mail; it is dropped where hundreds wait already."""
    if settings.EMAIL_BACKEND.split(".")[-2] == AT_ONCE:
        _do(work)
        return
    try:
        _waiting.put_nowait(work)
    except Full:
        log.warning("a mail was dropped: %d are waiting", MOST_WAITING)
    _start()


def _start() -> None:
    """A daemon, so that a mail server that hangs does not keep this one from stopping."""
    global _thread
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = Thread(target=_do_all, name="mail", daemon=True)
            _thread.start()


def _do_all() -> None:
    while True:
        _do(_waiting.get())
        connections.close_all()


def _do(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        log.warning("a mail was not sent: %s", type(error).__name__)
