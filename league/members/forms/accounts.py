"""Forms about one's own account: its name, and a link to reset its password."""

from typing import Any

from allauth.account.forms import ResetPasswordForm, default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from allauth.core.context import request_context
from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.members.fields import AnywayField, FormNameField
from league.members.languages import language_choices
from league.members.names import LONGEST
from league.outgoing_mail import do_beside


class AccountForm(forms.Form):
    display_name = FormNameField(
        label=_("Name shown to others"),
        required=False,
        max_length=LONGEST,
        help_text=_("Organisers see it in the activity log. Leave empty to use your user name."),
    )
    same_name = AnywayField(_("Different person – save anyway"))
    language = forms.ChoiceField(
        label=_("Language"),
        choices=language_choices,
        required=False,
        help_text=_("Of the pages and of the mail you get."),
    )

    @property
    def chosen(self) -> dict[str, Any]:
        """The name, whether it may look like somebody else's, and the language."""
        data = self.cleaned_data
        return {
            "name": str(data["display_name"]),
            "same_name": data["same_name"],
            "language": data["language"],
        }


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
