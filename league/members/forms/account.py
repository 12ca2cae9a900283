"""The form about one's own account."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.fields import AnywayField, FormNameField
from league.members.names import LONGEST


class AccountForm(forms.Form):
    display_name = FormNameField(
        label=_("Name shown to others"),
        required=False,
        max_length=LONGEST,
        help_text=_("Organisers see it beside what you did. Empty: your user name."),
    )
    same_name = AnywayField(_("Different person – save anyway"))

    @property
    def chosen(self) -> dict[str, Any]:
        """The name, and whether it may look like somebody else's."""
        told = self.cleaned_data
        return {"name": str(told["display_name"]), "same_name": told["same_name"]}
