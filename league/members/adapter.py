"""What allauth asks the site about accounts, besides its settings."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse

from league.limits import Limit, refuse_over
from league.members.account_mail import MailAdapter
from league.members.devices import remember_device
from league.members.models import User
from league.members.sign_up import may_sign_up, refuse_sign_up, spend_invitation

SIGN_UPS = Limit(most=60, within=60)  # on the whole site: each costs a hash


class AccountAdapter(MailAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """A new account. Asked once more whether it may be: the page may be an hour old."""
        refuse_sign_up(request)
        refuse_over("sign-up", SIGN_UPS)
        user = super().save_user(request, user, form, commit)
        spend_invitation(request, user)
        return user

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """After the second step too: from now on this device is one of the account's."""
        response: HttpResponse = super().post_login(request, user, **how)
        remember_device(request, response, user)
        return response
