"""The form of a new token for the API."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.forms.people import NameField
from league.members.models import ApiToken


class TokenForm(forms.Form):
    """What the program is called here, and what it may do."""

    name = NameField(label=_("What is it for?"), help_text=_("“Screen in the bar”, say."))
    scope = forms.ChoiceField(
        label=_("What it may do"), choices=ApiToken.Scope.choices, widget=forms.RadioSelect
    )
