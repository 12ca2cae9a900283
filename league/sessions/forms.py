"""Forms of a session."""

from collections.abc import Iterator
from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.members.account_mail import mail_is_set
from league.members.fields import AnywayField, DayField, FormLineField
from league.members.languages import clock, full_day
from league.members.models import Club
from league.sessions.models import (
    LONGEST_ROUND,
    MOST_PLACES,
    MOST_ROUNDS,
    ROUNDS_BEGUN,
    Session,
)
from league.sessions.queries import local_date

TWO_YEARS = timedelta(days=731)


class SessionForm(forms.ModelForm):
    """A session's name, date and time, places, season, note and rounds."""

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

    anyway = AnywayField(_("Move the session to that day"))
    field_order = ("name", "held_on", "anyway")

    class Meta:
        model = Session
        fields = [
            "name",
            "held_on",
            "begins_at",
            "places",
            "season",
            "note",
            "rounds_planned",
            "round_minutes",
        ]
        field_classes = {"held_on": DayField}
        widgets = {
            "begins_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        help_texts = {
            "note": _(
                "“Bring a plate” or “In the Scout hut tonight”: all who see the session read it."
            )
        }

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.club, self.today = club, local_date(club, timezone.now())
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
        """Asks before a day or time that is probably a mistake."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        is_confirmed, held_on = data.pop("anyway", False), data.get("held_on")
        if held_on and not is_confirmed:
            for doubt in list(self._doubts(held_on, data.get("begins_at"))):
                self.fields["anyway"].widget = forms.CheckboxInput()
                self.add_error("held_on", doubt)
        return data

    def _doubts(self, held_on: date, begins_at: time | None) -> Iterator[str]:
        if "held_on" in self.changed_data:
            yield from self._doubts_about_day(held_on)
            if held_on > self.today + TWO_YEARS:
                text = gettext("%(day)s is more than two years away.")
                yield text % {"day": full_day(held_on)}
        planned = self.club.sessions.filter(state=Session.State.PLANNED, of_team_match=False)
        others = planned.exclude(pk=self.instance.pk).filter(held_on=held_on, begins_at=begins_at)
        if {"held_on", "begins_at"} & {*self.changed_data} and others.exists():
            text = gettext("There is already a session on that day.")
            if begins_at:
                text = gettext("There is already a session at %(time)s on that day.")
            yield text % {"time": clock(begins_at)}

    def _doubts_about_day(self, new: date) -> Iterator[str]:
        old, state = self.initial["held_on"], self.instance.state
        if state == Session.State.OPEN and abs(new - old) > timedelta(days=1):
            text = gettext(
                "This session is open: what is entered would count on %(new)s, not on %(old)s."
            )
            yield text % {"new": full_day(new), "old": full_day(old)}
        if state == Session.State.PLANNED and new < self.today:
            yield gettext("%(day)s is past: sign-up would be over.") % {"day": full_day(new)}


class NewSessionForm(SessionForm):
    """A new session: the date is prefilled and the name follows it, so that one tap is enough."""

    anyway = AnywayField(_("Plan it anyway"))

    class Meta(SessionForm.Meta):
        fields = ["name", "held_on", "begins_at", "places", "season", "note"]

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, club=club, **kwargs)
        del self.fields["round_minutes"], self.fields["rounds_planned"]
        self.fields["name"].required = False
        self.fields["name"].help_text = _("Leave empty to name it by its date.")

    def _doubts_about_day(self, new: date) -> Iterator[str]:
        if new < self.today:
            self["anyway"].label = _("Open it anyway")
            text = gettext("%(day)s is past: the session would be opened at once.")
            yield text % {"day": full_day(new)}


class CancelForm(forms.Form):
    """Why a session is cancelled."""

    reason = FormLineField(
        label=_("Reason"),
        max_length=Session._meta.get_field("cancel_reason").max_length,
        required=False,
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _readers_of_reason(club)


def _readers_of_reason(club: Club) -> Any:
    if club.is_public and mail_is_set():
        return _("Members and visitors read it on the club's pages, in calendars and in any mail.")
    if club.is_public:
        return _("Members and visitors read it on the club's pages and in calendars.")
    if mail_is_set():
        return _("Members read it on the club's pages, in calendars and in any mail.")
    return _("Members read it on the club's pages and in calendars.")


class MinutesForm(forms.Form):
    """Minutes for the clock."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=LONGEST_ROUND)
