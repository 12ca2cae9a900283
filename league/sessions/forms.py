"""Forms of a session."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.members.fields import AnywayField, DayField, FormLineField
from league.members.languages import full_day
from league.members.models import Club
from league.sessions.models import (
    LONGEST_ROUND,
    MOST_PLACES,
    MOST_ROUNDS,
    ROUNDS_BEGUN,
    Session,
)
from league.sessions.queries import local_date


class SessionForm(forms.ModelForm):
    """A session's name, date and time, places, season and rounds."""

    round_minutes = forms.IntegerField(
        label=_("Round length (minutes)"),
        required=False,
        min_value=1,
        max_value=LONGEST_ROUND,
        help_text=_("Leave empty to play without a clock."),
    )

    rounds_planned = forms.IntegerField(
        label=_("Rounds planned"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text=_(
            "Shows players which places they can still reach. Leave empty if you don't know yet."
        ),
    )

    places = forms.IntegerField(
        label=_("Max players"),
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("Extra sign-ups go on a waiting list. Leave empty for no limit."),
    )

    other_day = AnywayField(_("Move the session to that day"))
    field_order = ("name", "held_on", "other_day")

    class Meta:
        model = Session
        fields = [
            "name",
            "held_on",
            "begins_at",
            "places",
            "season",
            "rounds_planned",
            "round_minutes",
        ]
        field_classes = {"held_on": DayField}
        widgets = {
            "begins_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        season = self.fields["season"]
        season.label = _("Season")
        is_offered = Q(closed_at=None) | Q(pk=self.instance.season_id)
        season.queryset = club.seasons.filter(is_offered)  # type: ignore[attr-defined]
        season.empty_label = _("No season")  # type: ignore[attr-defined]
        length, minutes = club.session_minutes, self.instance.round_minutes
        if minutes and length >= minutes and "rounds_planned" in self.fields:
            fitting_rounds = ngettext(
                "%(n)d round of %(minutes)d min fits in your club's %(length)d min.",
                "At most %(n)d rounds of %(minutes)d min fit in your club's %(length)d min.",
                length // minutes,
            ) % {"n": length // minutes, "minutes": minutes, "length": length}
            rounds = self.fields["rounds_planned"]
            rounds.help_text = f"{fitting_rounds} {rounds.help_text}"

    def clean_rounds_planned(self) -> int | None:
        """Not fewer rounds than have begun."""
        planned: int | None = self.cleaned_data["rounds_planned"]
        if planned and "rounds_planned" in self.changed_data:
            begun = sum(rounds_begun(self.instance) for rounds_begun in ROUNDS_BEGUN)
            if planned < begun:
                message = gettext("Round %(n)d has begun: plan at least that many.")
                raise forms.ValidationError(message % {"n": begun})
        return planned

    def clean(self) -> dict[str, Any]:
        """Asks before a session that is open moves by more than a day, with all its results."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        is_confirmed = data.pop("other_day", False)
        old, new = self.initial.get("held_on", date.max), data.get("held_on")
        is_open = self.instance.pk and self.instance.state == Session.State.OPEN
        if is_open and new and abs(new - old) > timedelta(days=1) and not is_confirmed:
            self.fields["other_day"].widget = forms.CheckboxInput()
            message = gettext(
                "This session is open: what is entered would count on %(new)s, not on %(old)s."
            )
            self.add_error("held_on", message % {"new": full_day(new), "old": full_day(old)})
        return data


class NewSessionForm(SessionForm):
    """A new session: the date is prefilled and the name follows it, so that one tap is enough."""

    past_day = AnywayField(_("Open it anyway"))
    field_order = ("name", "held_on", "past_day")

    class Meta(SessionForm.Meta):
        fields = ["name", "held_on", "begins_at", "places", "season"]

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, club=club, **kwargs)
        del self.fields["round_minutes"], self.fields["rounds_planned"], self.fields["other_day"]
        self.fields["name"].required = False
        self.fields["name"].help_text = _("Leave empty to name it by its date.")
        self.today = local_date(club, timezone.now())

    def clean(self) -> dict[str, Any]:
        """Asks before a session on a past day is opened at once."""
        data = super().clean()
        is_confirmed, held_on = data.pop("past_day", False), data.get("held_on")
        if held_on and held_on < self.today and not is_confirmed:
            self.fields["past_day"].widget = forms.CheckboxInput()
            message = gettext("%(day)s is past: the session would be opened at once.")
            self.add_error("held_on", message % {"day": full_day(held_on)})
        return data


class CancelForm(forms.Form):
    """Why a session is cancelled."""

    reason = FormLineField(
        label=_("Reason"),
        max_length=Session._meta.get_field("cancel_reason").max_length,
        required=False,
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = (
            _("Members and visitors read it on the club's pages, in calendars and in any mail.")
            if club.is_public
            else _("Members read it on the club's pages, in calendars and in any mail.")
        )


class MinutesForm(forms.Form):
    """Minutes for the clock."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=LONGEST_ROUND)
