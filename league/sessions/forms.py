"""Forms of a session."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.members.fields import DayField
from league.members.models import Club
from league.sessions.models import LONGEST_ROUND, MOST_PLACES, MOST_ROUNDS, Session


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
        season.queryset = club.seasons.all()  # type: ignore[attr-defined]
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


class NewSessionForm(SessionForm):
    """A new session: the date is prefilled and the name follows it, so that one tap is enough."""

    class Meta(SessionForm.Meta):
        fields = ["name", "held_on", "begins_at", "places", "season"]

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, club=club, **kwargs)
        del self.fields["round_minutes"], self.fields["rounds_planned"]
        self.fields["name"].required = False
        self.fields["name"].help_text = _("Leave empty to name it by its date.")


class MinutesForm(forms.Form):
    """Minutes for the clock."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=LONGEST_ROUND)
