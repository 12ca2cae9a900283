"""Judging passwords and codes: how often, from where, always with the same work."""

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

# Wrong passwords from elsewhere do not count against such a device, nor its own against others
# (OWASP calls these device cookies). The cookie goes to the pages about accounts alone.

SECONDS = 400 * 24 * 60 * 60  # as long as browsers keep any
MOST_ACCOUNTS = 10
_signer = Signer(salt="league.members.sign_in")


def device_of(request: HttpRequest, user: User | None) -> str:
    """The random id of the device, if this account has signed in from it; else nothing."""
    device, accounts = _read(request)
    return device if user is not None and str(user.pk) in accounts else ""


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Note on the device that this account has signed in from it."""
    device, accounts = _read(request)
    known = [str(user.pk), *(account for account in accounts if account != str(user.pk))]
    value = ".".join([device or secrets.token_urlsafe(16), *known[:MOST_ACCOUNTS]])
    response.set_cookie(
        _cookie(),
        _signer.sign(value),
        max_age=SECONDS,
        path=reverse("account_login").removesuffix("login/"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, *accounts = _signer.unsign(request.COOKIES.get(_cookie(), "")).split(".")
    except BadSignature:
        return "", []
    return device, accounts


def _cookie() -> str:
    """The prefix makes browsers refuse such a cookie over plain HTTP."""
    return "__Secure-device" if settings.SESSION_COOKIE_SECURE else "device"


# A password costs a fifth of a second of processor time, on an old laptop more than one. Three
# rules (docs/server.md) keep guesses from taking accounts or the computer, and keep out nobody who
# knows the password. Tries are counted before they are hashed.
#
# 1. A device from which the account has signed in is always judged: its own tries alone count.
# 2. An account is tried only so often from all other devices, whether there is such an account or
#    not: what was typed counts. Only an address that has tried it already, or whose neighbours
#    have, has to wait for others: so guesses from elsewhere hold up no new device.
# 3. Wrong passwords from other devices take a third of the time. When half of it is used up, names
#    of nobody are judged no more; the other half is for accounts, whose wrong passwords are then
#    answered like names of nobody, and as late: only a right one tells that it was judged. So those
#    who try thousands of names, from any number of addresses, keep out nobody whose name they do
#    not know. When that half is used up too, accounts that few have tried today are judged still,
#    and first tries from addresses where the account has signed in before.

LONGEST_PASSWORD = 1000
LONGEST_LOGIN = 254  # of an e-mail address; SQLite looks for no text of 50 kB
ON_DEVICE = Limit(most=10, within=HOUR, wait=2, longest=MINUTE)
# One account's wrong ones from one address, in a day, and in half a minute.
OF_ACCOUNT_HERE = Limit(most=5, within=DAY, wait=2, longest=MINUTE)
# Wrong ones before what others tried counts here too: from this address, and from those around it.
FIRST_HERE, FIRST_AROUND = 2, 8
SIGNED_IN_HERE = 90 * DAY
OF_ACCOUNT = Limit(most=50, within=DAY, wait=1, longest=30)
OF_ACCOUNT_NOW = Limit(most=6, within=30)
# Right ones too, since they cost the same.
SIGN_INS = Limit(most=20, within=MINUTE)
WRONG_CODES = Limit(most=5, within=DAY, wait=15, longest=5 * MINUTE)
IN_A_CROWD = 3  # seconds to an answer of the third rule, longer than a hash takes
TRY_AGAIN = 5  # seconds
FEW = 3


class HashingTime:
    """What wrong passwords from devices that no account knows may take of a process: a share of
    its time, and a little ahead. One thread that hashes answers nobody else."""

    SHARE, AHEAD = 1 / 6, 0.5  # seconds: as long as everybody may have to wait for a burst

    def __init__(self) -> None:
        self._left, self._at = self.AHEAD, monotonic()

    def left(self) -> float:
        """The seconds that are put by now."""
        now = monotonic()
        self._left = min(self.AHEAD, self._left + (now - self._at) * self.SHARE)
        self._at = now
        return self._left

    def spend(self, seconds: float) -> None:
        """Count a wrong password: how long it took in real time, which is what others waited."""
        self._left -= seconds


for_all, for_accounts = HashingTime(), HashingTime()


class OneHash(AuthenticationBackend):
    """Signs in by user name or e-mail, with one hash whether there is such an account or not.

    The last that is asked: a password that is wrong here is not hashed again by another.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        login = credentials.get("username") or credentials.get("email") or ""
        password = credentials.get("password") or ""
        if not login or not password or len(password) > LONGEST_PASSWORD:
            raise PermissionDenied
        user = account_of(login) if len(login) <= LONGEST_LOGIN else None
        guess = Guess(request, login, user) if request is not None else None
        begun = monotonic()
        if not (user or User()).check_password(password):
            if guess:
                guess.was_wrong(took=monotonic() - begun)
            raise PermissionDenied
        assert user is not None
        if guess:
            guess.was_right()
        if not self.user_can_authenticate(user):
            self._stash_user(user)  # allauth then says that the account is switched off
            raise PermissionDenied
        return user

    def get_user(self, user_id: int) -> User | None:
        """Whose session this is, as Django's own backend finds her; every page begins with it."""
        user = next(iter(read(User, "FROM league_user WHERE id = %s", user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None


def account_of(login: str) -> User | None:
    """The one account that this user name or e-mail address signs in to.

    Of several with one address the one that has confirmed it; a user name comes before an address
    that nobody has confirmed. The same questions are asked whatever there is.
    """
    by_address = sorted(
        filter_users_by_email(login, prefer_verified=True, for_login=True), key=lambda u: u.pk
    )
    confirmed = EmailAddress.objects.filter(email=login.lower(), verified=True).exists()
    by_name = get_user_by_username(login)
    users = [*by_address, by_name] if confirmed else [by_name, *by_address]
    return next((user for user in users if user is not None), None)


class Guess:
    """One password that is about to be judged, counted beforehand; refuses one too many.

    From elsewhere it counts for what was typed: were a user name and an e-mail address of one
    account counted together, a refusal would tell that they belong together.
    """

    def __init__(self, request: HttpRequest, login: str, user: User | None) -> None:
        typed = login.strip().casefold()
        self.account = str(user.pk) if user else f"nobody:{typed}"
        self.device, network = device_of(request, user), network_of(request)
        self.request, self.begun, self.in_a_crowd = request, monotonic(), False
        if self.device:
            self.tries = {f"guess-device:{self.device}:{self.account}": ON_DEVICE}
            self.sign_ins = f"devices:{self.account}"
        else:
            # What was typed stands last: nothing that is typed makes the key of something else.
            here = f"guess-here:{network}:{typed}"
            around = f"guess-around:{limits.provider_of(request)}:{typed}"
            self.tries = {here: OF_ACCOUNT_HERE}
            first = limits.counted(here) < FIRST_HERE and limits.counted(around) < FIRST_AROUND
            if not first:
                self.tries[f"guess-anywhere:{typed}"] = OF_ACCOUNT
                self.tries[f"guess-now:{typed}"] = OF_ACCOUNT_NOW
            self.sign_ins = f"sign-in:{typed}"
            self.around, self.signed_in_here = around, f"signed-in:{self.account}:{network}"
            self.in_a_crowd = for_all.left() <= 0
            used_up = self.in_a_crowd and for_accounts.left() <= 0
            expected = first and limits.counted(self.signed_in_here) > 0
            if used_up and not expected and limits.counted(wrong_elsewhere(self.account)) >= FEW:
                raise self._no_time()
        message = _("Too many wrong passwords from here or for this account.")
        with transaction.atomic():  # a refusal takes back what was counted before it
            for key, limit in {**self.tries, self.sign_ins: SIGN_INS}.items():
                refuse_over(key, limit, message)
        if self.in_a_crowd and user is None:
            self.was_wrong(took=0)

    def was_right(self) -> None:
        with transaction.atomic():
            for key in self.tries:
                limits.forget(key)
            if not self.device:
                limits.add(self.signed_in_here, SIGNED_IN_HERE)

    def was_wrong(self, *, took: float) -> None:
        if self.device:
            return
        (for_accounts if self.in_a_crowd else for_all).spend(took)
        with transaction.atomic():
            limits.give_back(self.sign_ins)
            limits.add(wrong_elsewhere(self.account), DAY)
            limits.add(self.around, DAY)
        if self.in_a_crowd:
            raise self._no_time()

    def _no_time(self) -> Refused:
        """The one answer of the third rule, whether the password was judged or not."""
        self.request.META[NOT_BEFORE] = self.begun + IN_A_CROWD
        return too_many(TRY_AGAIN, _("Too many wrong passwords are being tried. Check yours."))


class CountedCode:
    """A form for a code of two-factor sign-in, of which there are few: wrong ones are counted."""

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


def wrong_elsewhere(account: str) -> str:
    return f"wrong-elsewhere:{account}"


def wrong_passwords(user: User) -> int:
    """How many wrong ones were tried for an account today from devices it does not know."""
    return limits.counted(wrong_elsewhere(str(user.pk)))


# Signing in is counted where passwords are judged (sign_in.py). Everything here is plain: what
# costs the server work, or sends mail, is done so often from one address or by one account.

NEW_PASSWORDS = Limit(most=10, within=HOUR, wait=4, longest=5 * MINUTE)
BY_ADDRESS = {
    "account_signup": Limit(most=10, within=10),
    "account_reset_password": Limit(most=20, within=MINUTE),
    "account_reset_password_from_key": Limit(most=20, within=MINUTE),
}
# The way in while others guess, so that nobody blocks it from the same address: counted for the
# mail address that is typed, and for the browser that came with a link.
APART: dict[str, Callable[[HttpRequest], str]] = {
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
"""Links of mails, from one address, that open nothing. Right ones always open."""


class AccountLimitsMiddleware:
    """Refuses a form that is sent too often, and any password that is too long, before a view; and
    links of mails that open nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if _opens_nothing(response):
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
            _count(request, request.resolver_match.view_name)
        except Refused as refused:
            return refusal_page(request, refused)
        return None


def _opens_nothing(response: HttpResponse) -> bool:
    """Whether this is allauth's page for a link that is forged, used or expired."""
    context = getattr(response, "context_data", None) or {}
    return "token_fail" in context or context.get("confirmation", response) is None


def _refuse_long_passwords(request: HttpRequest) -> None:
    for name, values in request.POST.lists():
        if "password" in name and any(len(value) > LONGEST_PASSWORD for value in values):
            message = _("A password can have up to %(most)d characters.")
            message %= {"most": LONGEST_PASSWORD}
            raise Refused("password-too-long", message, fields={name: [message]})


def _count(request: HttpRequest, name: str) -> None:
    if limit := BY_ADDRESS.get(name):
        whose = APART[name](request) if name in APART else ""
        refuse_over(f"{name}:{network_of(request)}:{whose}", limit)
    elif (limit := BY_ACCOUNT.get(name)) and request.user.is_authenticated:
        refuse_over(f"{name}:{request.user.pk}", limit)
