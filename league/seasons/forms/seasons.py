"""The form of a season: when it is, and how its evenings count."""

from copy import copy
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.seasons.models import Season
from league.seasons.validators import (
    MOST_ATTENDANCE,
    MOST_EVENINGS,
    points_of,
    validate_place_points,
)


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
        max_value=MOST_EVENINGS,
        help_text=gettext_lazy(
            "Of the best ones that count, or of the worst that are dropped. Else it says nothing."
        ),
    )
    minimum_evenings = forms.IntegerField(
        label=gettext_lazy("Evenings for a place"),
        required=False,
        min_value=0,
        max_value=MOST_EVENINGS,
        help_text=gettext_lazy("Whoever came to fewer stands below, without a place."),
    )
    attendance_points = forms.DecimalField(
        label=gettext_lazy("Points for coming"),
        required=False,
        min_value=0,
        max_value=MOST_ATTENDANCE,
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
        listed = [f"{points_of(word).normalize():f}" for word in words.split()]
        validate_place_points(listed)
        return listed

    def clean(self) -> None:
        super().clean()
        told = self.cleaned_data
        for name in ("counted_number", "minimum_evenings", "attendance_points"):
            if name in told:
                told[name] = told[name] or 0

    def _post_clean(self) -> None:
        """The model's rules judge a copy: the action, and not the form, writes to the season."""
        self.instance = copy(self.instance)
        super()._post_clean()  # type: ignore[misc]  # stubs lack it
