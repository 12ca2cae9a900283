"""Checking passwords and codes: limits by device, account and address, always at the same cost."""

import secrets
from collections.abc import Callable
from time import monotonic
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league import limits
from league.compiled_sql import read
from league.errors import Refused, refusal_page
from league.limits import DAY, HOUR, MINUTE, NOT_BEFORE, Limit, network_of, refuse_over, too_many
from league.members.models import User

# A cookie marks devices from which an account has signed in (OWASP calls it a device cookie). Wrong
# passwords from elsewhere don't count against such a device, nor its own against others. The cookie
# is sent to the account pages only.

COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; the longest that browsers allow
MOST_ACCOUNTS = 10
_signer = Signer(salt="league.members.sign_in")


def device_of(request: HttpRequest, user: User | None) -> str:
    """The random id of the device if this account has signed in from it, or ""."""
    device, accounts = _read_cookie(request)
    return device if user is not None and str(user.pk) in accounts else ""


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add this account to the device cookie."""
    device, accounts = _read_cookie(request)
    recent_accounts = [str(user.pk), *(account for account in accounts if account != str(user.pk))]
    value = ".".join([device or secrets.token_urlsafe(16), *recent_accounts[:MOST_ACCOUNTS]])
    response.set_cookie(
        _cookie_name(),
        _signer.sign(value),
        max_age=COOKIE_AGE,
        path=reverse("account_login").removesuffix("login/"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read_cookie(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, *accounts = _signer.unsign(request.COOKIES.get(_cookie_name(), "")).split(".")
    except BadSignature:
        return "", []
    return device, accounts


def _cookie_name() -> str:
    """The cookie's name; its prefix makes browsers refuse it over plain HTTP."""
    return "__Secure-device" if settings.SESSION_COOKIE_SECURE else "device"


# Checking a password takes a fifth of a second of processor time, on an old laptop over a second.
# Three rules (docs/server.md) keep guessing from taking over accounts or the processor, and never
# lock out users who know their password. Attempts are counted before they are hashed.
#
# 1. A device from which the account has signed in is always checked: only its own attempts count.
# 2. Attempts on an account from all other devices are limited by what was typed, whether or not
#    there is such an account. Only an address that has tried it before, or whose neighbours have,
#    waits because of others: so guesses from elsewhere don't delay a new device.
# 3. Wrong passwords from other devices take at most a third of the time. Once half of that is used
#    up, unknown names are no longer checked. The other half is for accounts: their wrong passwords
#    are then answered like unknown names, with the same delay, and only a right one reveals that it
#    was checked. So trying thousands of names, from any number of addresses, locks out nobody whose
#    name isn't known. Once that half is used up too, only accounts with few attempts today are
#    checked, and first attempts from addresses where the account has signed in before.

LONGEST_PASSWORD = 1000
LONGEST_LOGIN = 254  # of an e-mail address; SQLite can't search for 50 kB of text
ON_DEVICE = Limit(most=10, within=HOUR, wait=2, longest=MINUTE)
# Wrong passwords for one account from one address.
OF_ACCOUNT_HERE = Limit(most=5, within=DAY, wait=2, longest=MINUTE)
# Attempts from this address, and from its neighbours, before those from elsewhere count here too.
FIRST_HERE, FIRST_AROUND = 2, 8
SIGNED_IN_HERE = 90 * DAY
OF_ACCOUNT = Limit(most=50, within=DAY, wait=1, longest=30)
OF_ACCOUNT_NOW = Limit(most=6, within=30)
# Right passwords count too, since they cost the same.
SIGN_INS = Limit(most=20, within=MINUTE)
WRONG_CODES = Limit(most=5, within=DAY, wait=15, longest=5 * MINUTE)
IN_A_CROWD = 3  # seconds until an answer by the third rule, longer than a hash takes
TRY_AGAIN = 5  # seconds
FEW_WRONG = 3


class HashingBudget:
    """The time that a process may spend on wrong passwords from unknown devices.

    It is a share of all time, plus a small reserve: a thread that is hashing serves nobody else.
    """

    SHARE, RESERVE = 1 / 6, 0.5  # the reserve is in seconds: the delay that a burst may cause

    def __init__(self) -> None:
        self._left, self._at = self.RESERVE, monotonic()

    def left(self) -> float:
        """The seconds available now."""
        now = monotonic()
        self._left = min(self.RESERVE, self._left + (now - self._at) * self.SHARE)
        self._at = now
        return self._left

    def spend(self, seconds: float) -> None:
        """Count the time a wrong password took: wall-clock time, which is what others waited."""
        self._left -= seconds


shared_budget, account_budget = HashingBudget(), HashingBudget()


class OneHash(AuthenticationBackend):
    """Signs in by user name or e-mail, with one hash whether or not there is such an account.

    It raises `PermissionDenied`, so that no other backend hashes a wrong password again.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        login = credentials.get("username") or credentials.get("email") or ""
        password = credentials.get("password") or ""
        if not login or not password or len(password) > LONGEST_PASSWORD:
            raise PermissionDenied
        user = account_of(login) if len(login) <= LONGEST_LOGIN else None
        attempt = PasswordAttempt(request, login, user) if request is not None else None
        _check_password(user, password, attempt)
        assert user is not None
        if not self.user_can_authenticate(user):
            self._stash_user(user)  # allauth then says that the account is inactive
            raise PermissionDenied
        return user

    def get_user(self, user_id: int) -> User | None:
        """The user of a session, as in Django's own backend. Runs for every page."""
        user = next(iter(read(User, "FROM league_user WHERE id = %s", user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None


def _check_password(user: User | None, password: str, attempt: "PasswordAttempt | None") -> None:
    """Raise `PermissionDenied` for a wrong password, after the same work for unknown names."""
    started_at = monotonic()
    if not (user or User()).check_password(password):
        if attempt:
            attempt.was_wrong(took=monotonic() - started_at)
        raise PermissionDenied
    if attempt:
        attempt.was_right()


def account_of(login: str) -> User | None:
    """The account that this user name or e-mail address signs in to.

    Of several accounts with one address, it is the one that has confirmed it. A user name takes
    precedence over an unconfirmed address. The queries are the same in all cases.
    """
    by_address = sorted(
        filter_users_by_email(login, prefer_verified=True, for_login=True), key=lambda u: u.pk
    )
    confirmed = EmailAddress.objects.filter(email=login.lower(), verified=True).exists()
    by_name = get_user_by_username(login)
    users = [*by_address, by_name] if confirmed else [by_name, *by_address]
    return next((user for user in users if user is not None), None)


class PasswordAttempt:
    """An attempt to sign in, counted before the password is checked; refused if over a limit.

    Attempts from unknown devices count for what was typed: if a user name and an e-mail address of
    one account were counted together, a refusal would reveal that they belong together.
    """

    def __init__(self, request: HttpRequest, login: str, user: User | None) -> None:
        login_key = login.strip().casefold()
        self.account = str(user.pk) if user else f"nobody:{login_key}"
        self.device, network = device_of(request, user), network_of(request)
        self.request, self.started_at, self.in_a_crowd = request, monotonic(), False
        if self.device:
            self.tries = {f"guess-device:{self.device}:{self.account}": ON_DEVICE}
            self.sign_ins = f"devices:{self.account}"
        else:
            self._limit_unknown_device(login_key, network)
        message = _("Too many wrong passwords from here or for this account.")
        with transaction.atomic():  # a refusal rolls back what was counted before it
            for key, limit in {**self.tries, self.sign_ins: SIGN_INS}.items():
                refuse_over(key, limit, message)
        if self.in_a_crowd and user is None:
            self.was_wrong(took=0)

    def _limit_unknown_device(self, login_key: str, network: str) -> None:
        """Choose the keys to count, and refuse at once where the time of the third rule is up."""
        # What was typed comes last, so that it can't produce another key.
        here_key = f"guess-here:{network}:{login_key}"
        around_key = f"guess-around:{limits.provider_of(self.request)}:{login_key}"
        self.tries = {here_key: OF_ACCOUNT_HERE}
        is_first_here = limits.counted(here_key) < FIRST_HERE
        is_first = is_first_here and limits.counted(around_key) < FIRST_AROUND
        if not is_first:
            self.tries[f"guess-anywhere:{login_key}"] = OF_ACCOUNT
            self.tries[f"guess-now:{login_key}"] = OF_ACCOUNT_NOW
        self.sign_ins = f"sign-in:{login_key}"
        self.around, self.signed_in_here = around_key, f"signed-in:{self.account}:{network}"
        self.in_a_crowd = shared_budget.left() <= 0
        is_used_up = self.in_a_crowd and account_budget.left() <= 0
        is_expected = is_first and limits.counted(self.signed_in_here) > 0
        wrong_key = wrong_elsewhere_key(self.account)
        if is_used_up and not is_expected and limits.counted(wrong_key) >= FEW_WRONG:
            raise self._out_of_time_refusal()

    def was_right(self) -> None:
        with transaction.atomic():
            for key in self.tries:
                limits.forget(key)
            if not self.device:
                limits.add(self.signed_in_here, SIGNED_IN_HERE)

    def was_wrong(self, *, took: float) -> None:
        if self.device:
            return
        (account_budget if self.in_a_crowd else shared_budget).spend(took)
        with transaction.atomic():
            limits.give_back(self.sign_ins)
            limits.add(wrong_elsewhere_key(self.account), DAY)
            limits.add(self.around, DAY)
        if self.in_a_crowd:
            raise self._out_of_time_refusal()

    def _out_of_time_refusal(self) -> Refused:
        """The refusal by the third rule, the same whether or not the password was checked."""
        self.request.META[NOT_BEFORE] = self.started_at + IN_A_CROWD
        return too_many(TRY_AGAIN, _("Too many wrong passwords are being tried. Check yours."))


class CountedCode:
    """A form for a two-factor code. Codes are short, so wrong ones are counted."""

    user: User

    def clean_code(self) -> str:
        device = device_of(context.request, self.user)
        key = f"code:{self.user.pk}:{device}"
        refuse_over(key, WRONG_CODES, _("Too many wrong codes for this account."))
        code: str = super().clean_code()  # type: ignore[misc]  # of allauth's form
        limits.forget(key)
        return code


class SecondStepForm(CountedCode, AuthenticateForm):
    pass


class SecondStepAgainForm(CountedCode, ReauthenticateForm):
    pass


def wrong_elsewhere_key(account: str) -> str:
    return f"wrong-elsewhere:{account}"


def wrong_passwords(user: User) -> int:
    """The number of wrong passwords for an account today, from unknown devices."""
    return limits.counted(wrong_elsewhere_key(str(user.pk)))


# Signing in is limited above, where passwords are checked. These are plain limits, per address or
# per account, on forms that cost the server work or send mail.

NEW_PASSWORDS = Limit(most=10, within=HOUR, wait=4, longest=5 * MINUTE)
BY_ADDRESS = {
    "account_signup": Limit(most=10, within=10),
    "account_reset_password": Limit(most=20, within=MINUTE),
    "account_reset_password_from_key": Limit(most=20, within=MINUTE),
}
# Resetting a password has to work while others guess from the same address. So these forms are
# counted per e-mail address typed, and per browser that opened a link.
EXTRA_KEYS: dict[str, Callable[[HttpRequest], str]] = {
    "account_reset_password": lambda request: request.POST.get("email", "").strip().casefold(),
    "account_reset_password_from_key": lambda request: request.session.session_key or "",
}
BY_ACCOUNT = {
    "account_change_password": NEW_PASSWORDS,
    "account_set_password": NEW_PASSWORDS,
    "admin:password_change": NEW_PASSWORDS,
    "account_email": Limit(most=10, within=MINUTE),
}
WRONG_LINKS = Limit(most=30, within=10 * MINUTE)
"""Forged or expired links of mails, per address. Valid ones always work."""


class AccountLimitsMiddleware:
    """Refuses forms sent too often and passwords that are too long, before any view; and too many
    forged or expired links of mails."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if _is_dead_link_page(response):
            try:
                refuse_over(f"wrong-mail-link:{network_of(request)}", WRONG_LINKS)
            except Refused as refused:
                return refusal_page(request, refused)
        return response

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if request.method != "POST" or request.resolver_match is None:
            return None
        try:
            _refuse_long_passwords(request)
            _count_form(request, request.resolver_match.view_name)
        except Refused as refused:
            return refusal_page(request, refused)
        return None


def _is_dead_link_page(response: HttpResponse) -> bool:
    """Whether this is allauth's page for a link that is forged, used or expired."""
    context = getattr(response, "context_data", None) or {}
    return "token_fail" in context or context.get("confirmation", response) is None


def _refuse_long_passwords(request: HttpRequest) -> None:
    for name, values in request.POST.lists():
        if "password" in name and any(len(value) > LONGEST_PASSWORD for value in values):
            message = _("A password can have up to %(most)d characters.")
            message %= {"most": LONGEST_PASSWORD}
            raise Refused("password-too-long", message, fields={name: [message]})


def _count_form(request: HttpRequest, view_name: str) -> None:
    if limit := BY_ADDRESS.get(view_name):
        extra_key = EXTRA_KEYS[view_name](request) if view_name in EXTRA_KEYS else ""
        refuse_over(f"{view_name}:{network_of(request)}:{extra_key}", limit)
    elif (limit := BY_ACCOUNT.get(view_name)) and request.user.is_authenticated:
        refuse_over(f"{view_name}:{request.user.pk}", limit)
