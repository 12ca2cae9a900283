"""Dates on which nobody plays: those offered because a round would be on a holiday, and others."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.teams.models import TeamLeague
from league.teams.queries import by_division
from league.teams.rules_forms import MOST_BLANK, read_days

HOLIDAYS = frozenset({(12, 24), (12, 25), (12, 26), (12, 31), (1, 1)})


def holidays_in(league: TeamLeague) -> list[date]:
    """24 to 26 December, 31 December and 1 January, as far as the season spans them."""
    teams = league.teams.filter(withdrawn_at=None).select_related("division")
    most = max(len(many) for _division, many in by_division(league, teams))
    rounds = max(most - 1 + most % 2, 1) * (2 if league.twice else 1) + len(league.blank_days)
    last = league.starts_on + timedelta(days=league.days_between * rounds)
    return [day for day in _days(league.starts_on, last) if (day.month, day.day) in HOLIDAYS]


def _days(first: date, last: date) -> Iterator[date]:
    yield from (first + timedelta(days=n) for n in range((last - first).days + 1))


class BlankDaysForm(forms.Form):
    """The weeks that have no round: holidays to tick, and one day of each other week."""

    holidays = forms.MultipleChoiceField(
        label=_("Holidays in this season"), required=False, widget=forms.CheckboxSelectMultiple
    )
    others = forms.CharField(
        label=_("Other dates, one per line"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "2026-12-24"}),
    )

    def __init__(self, *args: Any, league: TeamLeague, **kwargs: Any) -> None:
        days = [day.isoformat() for day in holidays_in(league)]
        first = {
            "holidays": [day for day in league.blank_days if day in days],
            "others": "\n".join(day for day in league.blank_days if day not in days),
        }
        super().__init__(*args, **{"initial": first, **kwargs})
        self.fields["holidays"].choices = [  # type: ignore[attr-defined]
            (day, date_format(date.fromisoformat(day), gettext("l j F Y"))) for day in days
        ]
        if not days:
            del self.fields["holidays"]

    def clean_others(self) -> list[str]:
        return read_days(self.cleaned_data["others"], MOST_BLANK)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        days = {*data.get("holidays", []), *data.get("others", [])}
        if len(days) > MOST_BLANK:
            self.add_error("others", _("Too many weeks."))
        return {"blank_days": sorted(days)}
