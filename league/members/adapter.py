"""What allauth asks the site about accounts, besides its settings."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse

from league.members.devices import remember_device
from league.members.models import User


class AccountAdapter(DefaultAccountAdapter):
    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """After the second step too: from now on this device is one of the account's."""
        response: HttpResponse = super().post_login(request, user, **how)
        remember_device(request, response, user)
        return response
