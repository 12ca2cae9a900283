"""The form about one's own account."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.fields import FormNameField
from league.members.names import LONGEST


class AccountForm(forms.Form):
    display_name = FormNameField(
        label=_("Name shown to others"),
        required=False,
        max_length=LONGEST,
        help_text=_("Organisers see it beside what you did. Empty: your user name."),
    )

    @property
    def name(self) -> str:
        """The name, cleaned."""
        return str(self.cleaned_data["display_name"])
