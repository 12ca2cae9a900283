"""Asking for a link to reset a password: the same answer and work, whatever address is typed."""

from typing import Any

from allauth.account.forms import ResetPasswordForm, default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from allauth.core.context import request_context
from django.http import HttpRequest

from league.outgoing_mail import do_beside


class AskForResetForm(ResetPasswordForm):
    """Looks for accounts of the address beside the request, whose time would tell of them."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email = str(self.cleaned_data["email"])
        do_beside(lambda: _send_links(request, email))
        return email


def _send_links(request: HttpRequest, email: str) -> None:
    active = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    with request_context(request):
        request_password_reset(request, email, active, default_token_generator)
