"""Mails about accounts: their recipients, limits and links, and the thread that sends them.

Mail is sent in the background, so that no request waits for it, and response times reveal nothing.
Mails still queued when the server stops are lost; users can request them again. Management commands
send their own mail (sessions/mail.py).

An unconfirmed address only gets the mail that asks to confirm it. No mail contains text chosen by
another user, and all links begin with SITE_ADDRESS, whatever name the browser used for the site.
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

CONFIRMATION_TEMPLATES = (
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
)
CONFIRMATION_MESSAGE = "account/messages/email_confirmation_sent.txt"
# To one unconfirmed address, no matter who requests it: one a day, and a few more in case that one
# is lost.
UNCONFIRMED_TODAY, UNCONFIRMED = Limit(most=1, within=DAY), Limit(most=3, within=30 * DAY)
CONFIRMED = Limit(most=10, within=DAY)
PER_ACCOUNT = Limit(most=5, within=DAY)
# About changes of an account: counted separately, so that other mails don't suppress them.
CHANGES = Limit(most=30, within=DAY)
PER_NETWORK = Limit(most=200, within=DAY)  # allows for a whole club signing up in one hall
OF_SITE, UNCONFIRMED_OF_SITE = Limit(most=5000, within=DAY), Limit(most=500, within=DAY)

SENDS_NOTHING = "django.core.mail.backends.dummy.EmailBackend"
LONGEST_QUEUE = 500
SYNCHRONOUS_BACKEND = "locmem"  # used by tests

log = logging.getLogger(__name__)
_queue: "Queue[Callable[[], object]]" = Queue(LONGEST_QUEUE)
_start_lock = Lock()
_thread: Thread | None = None


def mail_is_set() -> bool:
    """Whether the site sends mail (or, in development, prints it)."""
    return bool(settings.EMAIL_BACKEND != SENDS_NOTHING)


def on_site(path: str) -> str:
    """The full address of a path, by SITE_ADDRESS."""
    return str(settings.SITE_ADDRESS) + path


def address_of_site(request: HttpRequest, path: str) -> str:
    """The full address of a path, to send to others.

    It begins with SITE_ADDRESS if that is set, else with an address that phones in the hall reach.
    """
    return on_site(path) if settings.SITE_ADDRESS_IS_SET else address_for_phones(request, path)


def is_confirmed(email: str) -> bool:
    """Whether this address was confirmed by its owner, or is an administrator's."""
    if EmailAddress.objects.filter(email__iexact=email, verified=True).exists():
        return True
    return User.objects.filter(email__iexact=email, is_staff=True).exists()


def confirm_address_of(user: User) -> None:
    """Mark an account's address as confirmed, for one entered by an administrator."""
    other_addresses = EmailAddress.objects.exclude(user=user)
    if not user.email or other_addresses.filter(email__iexact=user.email, verified=True).exists():
        return
    EmailAddress.objects.filter(user=user).update(primary=False)
    EmailAddress.objects.update_or_create(
        user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
    )


class MailAdapter(DefaultAccountAdapter):
    """Sends allauth's mails within the site's limits, in the background."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        confirmed = is_confirmed(email)
        if not confirmed and template_prefix not in CONFIRMATION_TEMPLATES:
            return
        if context.get("tells_of_a_change"):
            if not count_mail((f"mail:changes:{mailbox(email)}", CHANGES)):
                return
        elif not _count_account_mail(
            email, confirmed, context.get("user"), allauth_context.request
        ):
            log.warning("a mail was not sent: %s has reached its limit", template_prefix)
            return
        site = {"name": "Right Bower", "domain": urlsplit(settings.SITE_ADDRESS).netloc}
        with in_language(getattr(context.get("user"), "language", ""), get_language() or ""):
            mail = self.render_mail(template_prefix, email, context | {"current_site": site})
        send_in_background(mail)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Add a message to the page, but not the one about a mail that the site doesn't send."""
        if mail_is_set() or message_template != CONFIRMATION_MESSAGE:
            super().add_message(request, level, message_template, *args, **kwargs)

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
        """Tell an account's owner of a change, without details from the browser that made it."""
        to = email or EmailAddress.objects.get_primary_email(user)
        if to:
            reset_url = on_site(reverse("account_reset_password"))
            extra = {"reset_url": reset_url, "tells_of_a_change": True}
            self.send_mail(template_prefix, to, {**(context or {}), **extra})

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation, signup: bool
    ) -> None:
        super().send_confirmation_mail(request, emailconfirmation, signup)
        user = emailconfirmation.email_address.user
        if EmailAddress.objects.get_primary_email(user) != emailconfirmation.email_address.email:
            self.send_notification_mail("account/email/email_added", user)

    def send_account_already_exists_mail(self, email: str) -> None:
        reset_url = on_site(reverse("account_reset_password"))
        self.send_mail(
            "account/email/account_already_exists", email, {"password_reset_url": reset_url}
        )


def may_ask_to_confirm(email: str, *extra: tuple[str, Limit]) -> bool:
    """Count one more mail to an unconfirmed address; False if over a limit.

    The limits are those of the address and of the site, and the `extra` ones.
    """
    to = f"mail:to:{mailbox(email)}"
    today = (f"{to}:today", UNCONFIRMED_TODAY)
    counts = [today, (to, UNCONFIRMED), *extra, ("mail:unconfirmed", UNCONFIRMED_OF_SITE)]
    return count_mail(*counts)


def mailbox(email: str) -> str:
    """A key for an address that is the same for all spellings that usually share a mailbox."""
    name, _at, domain = email.casefold().rpartition("@")
    name = name.partition("+")[0]
    if domain in ("gmail.com", "googlemail.com"):
        name, domain = name.replace(".", ""), "gmail.com"
    return f"{name}@{domain}"


def _count_account_mail(
    email: str, confirmed: bool, user: User | None, request: HttpRequest | None
) -> bool:
    limits = [(f"mail:from:{network_of(request)}", PER_NETWORK)] if request else []
    if confirmed:
        to = (f"mail:to:{mailbox(email)}", CONFIRMED)
        return count_mail(*limits, to, ("mail:confirmed", OF_SITE))
    limits += [(f"mail:of:{user.pk}", PER_ACCOUNT)] if user else []
    return may_ask_to_confirm(email, *limits)


def count_mail(*counts: tuple[str, Limit]) -> bool:
    """Count one more for every key; if one is over its limit, count nothing and return False."""
    try:
        with transaction.atomic():  # a refusal rolls back what was counted before it
            for key, limit in counts:
                refuse_over(key, limit)
    except Refused:
        return False
    return True


def send_in_background(mail: EmailMessage) -> None:
    """Send a mail from the background thread."""
    run_in_background(mail.send)


def run_in_background(work: Callable[[], object]) -> None:
    """Run work that sends mail in the background thread; drop it if the queue is full."""
    if settings.EMAIL_BACKEND.split(".")[-2] == SYNCHRONOUS_BACKEND:
        _run(work)
        return
    try:
        _queue.put_nowait(work)
    except Full:
        log.warning("a mail was dropped: %d are waiting", LONGEST_QUEUE)
    _start_thread()


def _start_thread() -> None:
    """Start a daemon thread, so that an unresponsive mail server can't block shutting down."""
    global _thread
    with _start_lock:
        if _thread is None or not _thread.is_alive():
            _thread = Thread(target=_run_queue, name="mail", daemon=True)
            _thread.start()


def _run_queue() -> None:
    while True:
        _run(_queue.get())
        connections.close_all()


def _run(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        log.warning("a mail was not sent: %s", type(error).__name__)
