"""Forms that move a match, or a whole round, to another day."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.fields import NO_REASON, AnywayField, DayField, FormLineField, FormNameField
from league.teams.actions.moving import day_faults
from league.teams.models import TeamMatch


class MoveForm(forms.Form):
    """Another day, start time or venue for a match."""

    held_on = DayField(
        label=_("Day"),
        required=False,
        help_text=_("Leave empty if the day is still to be agreed."),
    )
    begins_at = forms.TimeField(
        label=_("Start time"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text=_("Leave empty for the league's start time."),
    )
    venue = FormNameField(
        label=_("Played at"),
        max_length=60,
        required=False,
        help_text=_("Leave empty for the home team's venue."),
    )
    reason = FormLineField(
        label=_("Reason (needed for another day)"), max_length=200, required=False
    )
    anyway = AnywayField(_("Use this day anyway"))

    def __init__(self, *args: Any, match: TeamMatch, at: datetime, **kwargs: Any) -> None:
        initial = {name: getattr(match, name) for name in ("held_on", "begins_at", "venue")}
        super().__init__(*args, **{"initial": initial, **kwargs})
        self.match, self.at = match, at
        if self.is_bound and (self.data.get("anyway") or self.has_error("held_on", "odd")):
            self.fields["anyway"].widget = forms.CheckboxInput()

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        day = data.get("held_on", self.match.held_on)
        if day != self.match.held_on and not data.get("reason"):
            text = _("Say why the day changes.")
            self.add_error("reason", text if day else _("Say why it has no day yet."))
        if day and day != self.match.held_on and not data["anyway"]:
            for _code, fault in day_faults(self.match.league, self.match, day, self.at):
                self.add_error("held_on", forms.ValidationError(fault, code="odd"))
        return data


class PlayAgainForm(MoveForm):
    """The day of a replay, and why the old card no longer counts."""

    begins_at = None  # type: ignore[assignment]
    venue = None  # type: ignore[assignment]
    reason = FormLineField(label=_("Reason"), max_length=200, error_messages=NO_REASON)


class MoveRoundForm(forms.Form):
    """Another first day for a round, and whether all later rounds move with it."""

    first_day = DayField(
        label=_("New first day"),
        help_text=_("The day of the first match. The others move by as many days."),
    )
    later = forms.TypedChoiceField(
        label=_("What moves?"),
        choices=[
            ("this", _("Only this round")),
            ("later", _("This round and all after it, by as many days")),
        ],
        coerce=lambda choice: choice == "later",
        initial="this",
        widget=forms.RadioSelect,
    )
    reason = FormLineField(label=_("Reason"), max_length=200, error_messages=NO_REASON)
    anyway = AnywayField(_("Use these days anyway"))
