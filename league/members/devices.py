"""The devices an account has signed in from: a signed cookie that lasts, and opens nothing.

Wrong passwords from elsewhere do not count against such a device, nor its own against others
(OWASP calls these device cookies). The cookie goes to the pages about accounts alone.
"""

import secrets

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from league.members.models import User

SECONDS = 400 * 24 * 60 * 60  # as long as browsers keep any
MOST_ACCOUNTS = 10
_signer = Signer(salt="league.members.devices")


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
