"""The form about one's own account."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.names import LONGEST, BadName, clean_name


class AccountForm(forms.Form):
    display_name = forms.CharField(
        label=_("Name shown to others"),
        required=False,
        max_length=LONGEST * 4,
        help_text=_("Organisers see it beside what you did. Empty: your user name."),
    )

    @property
    def name(self) -> str:
        """The name, cleaned."""
        return str(self.cleaned_data["display_name"])

    def clean_display_name(self) -> str:
        text = str(self.cleaned_data["display_name"])
        try:
            return clean_name(text) if text.strip() else ""
        except BadName as error:
            raise forms.ValidationError(_("This cannot be read as a name.")) from error
