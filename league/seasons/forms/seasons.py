"""The form of a season: when it is, and how its evenings count."""

from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.seasons.models import Season

MOST_PLACES, MOST_POINTS = 60, 1000


class SeasonForm(forms.ModelForm):
    """Its name, its first day and, when it is known, its last; then what counts."""

    place_points = forms.CharField(
        label=gettext_lazy("Points for places"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "For the first, the second and so on of each evening: “10 8 6 5 4 3 2 1”. Empty: the"
            " season ranks by what the club's standings rank by."
        ),
    )
    counted_number = forms.IntegerField(
        label=gettext_lazy("How many evenings"),
        required=False,
        min_value=1,
        max_value=400,
        help_text=gettext_lazy(
            "Of the best ones that count, or of the worst that are dropped. Else it says nothing."
        ),
    )
    minimum_evenings = forms.IntegerField(
        label=gettext_lazy("Evenings for a place"),
        required=False,
        min_value=0,
        max_value=400,
        help_text=gettext_lazy("Whoever came to fewer stands below, without a place."),
    )
    attendance_points = forms.DecimalField(
        label=gettext_lazy("Points for coming"),
        required=False,
        min_value=0,
        max_value=100,
        decimal_places=2,
        help_text=gettext_lazy("For every evening somebody came."),
    )

    class Meta:
        model = Season
        fields = [
            "name",
            "starts_on",
            "ends_on",
            "counts",
            "counted_number",
            "place_points",
            "attendance_points",
            "minimum_evenings",
            "guests_count",
        ]
        widgets = {
            name: forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            for name in ("starts_on", "ends_on")
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["place_points"] = " ".join(self.instance.place_points)
        for name in ("counted_number", "minimum_evenings", "attendance_points"):
            self.initial[name] = getattr(self.instance, name) or None

    def clean_place_points(self) -> list[str]:
        """The numbers as texts, without idle zeros: "2.50" is "2.5"."""
        words = str(self.cleaned_data["place_points"]).replace(";", " ").replace(" - ", " ")
        numbers = [_points(word) for word in words.split()]
        if len(numbers) > MOST_PLACES:
            raise forms.ValidationError(_("That is more places than a table has."))
        if any(lower > upper for upper, lower in pairwise(numbers)):
            raise forms.ValidationError(_("A lower place may not give more than a higher one."))
        return [f"{points.normalize():f}" for points in numbers]

    def clean(self) -> None:
        super().clean()
        told = self.cleaned_data
        first, last = told.get("starts_on"), told.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day comes before the first."))
        chosen = told.get("counts") in (Season.Counts.BEST, Season.Counts.DROP)
        if chosen and not told.get("counted_number") and "counted_number" not in self.errors:
            self.add_error("counted_number", _("Say how many evenings."))
        for name in ("counted_number", "minimum_evenings", "attendance_points"):
            if name in told:
                told[name] = told[name] or 0

    def _post_clean(self) -> None:
        """The action, and not the form, writes to the season."""


def _points(word: str) -> Decimal:
    try:
        points = Decimal(word.replace(",", "."))
    except InvalidOperation as error:
        raise forms.ValidationError(
            _("“%(word)s” is not a number of points.") % {"word": word}
        ) from error
    if not points.is_finite() or not 0 <= points <= MOST_POINTS or points.as_tuple().exponent < -2:  # type: ignore[operator]
        raise forms.ValidationError(
            _("Points are from 0 to %(most)d, with two decimals at most.") % {"most": MOST_POINTS}
        )
    return points
