"""Forms about one match: put off, given away, disputed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.fields import FormLineField, FormNameField
from league.members.validators import validate_day
from league.teams.models import Team, TeamMatch


class MoveForm(forms.Form):
    """Another day or place for a match."""

    held_on = forms.DateField(
        label=_("Day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        validators=[validate_day],
        help_text=_("Leave empty if the day is still to be agreed."),
    )
    venue = FormNameField(
        label=_("Played at"),
        max_length=60,
        required=False,
        help_text=_("Leave empty for the home team's venue."),
    )
    reason = FormLineField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        first = {"held_on": match.held_on, "venue": match.venue}
        super().__init__(*args, **{"initial": first, **kwargs})


class GiveForm(forms.Form):
    """A match given to one side, with the reason."""

    given_to = forms.ModelChoiceField(
        Team.objects.none(),
        to_field_name="public_id",
        label=_("To"),
        empty_label=_("Choose"),
        required=False,
    )
    nobody = forms.BooleanField(label=_("Neither team came: both lose"), required=False)
    reason = FormLineField(
        label=_("Reason"),
        max_length=200,
        help_text=_(
            "For example, the others didn't come, or lost the play-off of a drawn cup match."
        ),
    )

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sides = Team.objects.filter(pk__in=[match.home_id, match.away_id])
        self.fields["given_to"].queryset = sides  # type: ignore[attr-defined]
        if match.cup_id is not None:
            del self.fields["nobody"]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if (data.get("given_to") is None) is not bool(data.get("nobody")):
            self.add_error("given_to", _("Choose the team that wins, or “Neither team came”."))
        return data


class ReasonForm(forms.Form):
    """What is wrong with a card."""

    reason = FormLineField(label=_("What is wrong"), max_length=200)


class SeenCardForm(forms.Form):
    """The revision of the match that a captain has looked at."""

    seen = forms.IntegerField(required=False, min_value=0)
