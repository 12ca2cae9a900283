"""Forms of a cup: its draw, and the days of its rounds."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.fields import FormNameField
from league.teams.forms import day_field
from league.teams.match_forms import SeenForm


class CupForm(forms.Form):
    """A cup of the league's teams."""

    name = FormNameField(label=_("Name"), max_length=80)
    best = forms.IntegerField(
        label=_("Only the best of the table"),
        required=False,
        min_value=2,
        max_value=64,
        help_text=_(
            "For finals: so many teams, seeded by their places. Leave empty for a cup of all teams,"
            " drawn at random."
        ),
    )
    third_place = forms.BooleanField(label=_("With a match for third place"), required=False)
    held_on = day_field(
        label=_("Day of the first matches"),
        required=False,
        help_text=_("Leave empty to set the day later, on the cup's page."),
    )


class CupSeenForm(CupForm, SeenForm):
    """A cup drawn, as the organiser has looked at it."""


class CupRoundForm(forms.Form):
    """The day of the next matches of a cup."""

    held_on = day_field(label=_("Day"), required=False)
