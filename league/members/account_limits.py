"""How often the forms about accounts may be sent, and how long a password may be.

Signing in is counted where passwords are judged (sign_in.py). Everything here is plain: what costs
the server work, or sends mail, is done so often from one address or by one account.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.errors import Refused, refusal_page
from league.limits import HOUR, MINUTE, Limit, network_of, refuse_over
from league.members.sign_in import LONGEST_PASSWORD

NEW_PASSWORDS = Limit(most=10, within=HOUR, wait=4, longest=5 * MINUTE)
BY_ADDRESS = {
    "account_signup": Limit(most=10, within=10),
    "account_reset_password": Limit(most=20, within=MINUTE),
    "account_reset_password_from_key": Limit(most=20, within=MINUTE),
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
        refuse_over(f"{name}:{network_of(request)}", limit)
    elif (limit := BY_ACCOUNT.get(name)) and request.user.is_authenticated:
        refuse_over(f"{name}:{request.user.pk}", limit)
