"""Forms of seasons and of their divisions."""

from collections.abc import Iterable
from copy import copy
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.members.fields import DayField, FormNameField
from league.members.models import Club, Member
from league.seasons.models import (
    MOST_ATTENDANCE,
    MOST_DIVISIONS,
    MOST_EVENINGS,
    MOST_MOVING,
    Division,
    Season,
    points_of,
    validate_place_points,
)


def refuse_taken_name(name: str, others: QuerySet[Season]) -> None:
    if others.filter(name__iexact=name).exists():
        raise forms.ValidationError(_("There is another season of this name."))


class SeasonForm(forms.ModelForm):
    """A season's name, first day and, if known, last day; and what counts."""

    place_points = forms.CharField(
        label=gettext_lazy("Points for places"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "For the first, the second and so on of each session: “10 8 6 5 4 3 2 1”. Leave empty"
            " to rank the season as the club's standings do."
        ),
    )
    counted_number = forms.IntegerField(
        label=gettext_lazy("How many sessions or games"),
        required=False,
        min_value=1,
        max_value=MOST_EVENINGS,
        help_text=gettext_lazy(
            "For best sessions, best games or dropped sessions. Otherwise leave empty."
        ),
    )
    minimum_evenings = forms.IntegerField(
        label=gettext_lazy("Sessions needed for a place"),
        required=False,
        min_value=0,
        max_value=MOST_EVENINGS,
        help_text=gettext_lazy("Players with fewer sessions are listed below, without a place."),
    )
    attendance_points = forms.DecimalField(
        label=gettext_lazy("Attendance points"),
        required=False,
        min_value=0,
        max_value=MOST_ATTENDANCE,
        decimal_places=2,
        help_text=gettext_lazy("For every session a player came to."),
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
        field_classes = {"starts_on": DayField, "ends_on": DayField}

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.initial["place_points"] = " ".join(self.instance.place_points)
        for name in ("counted_number", "minimum_evenings", "attendance_points"):
            self.initial[name] = getattr(self.instance, name) or None

    def clean_place_points(self) -> list[str]:
        """The numbers as texts, without trailing zeros: "2.50" becomes "2.5"."""
        words = str(self.cleaned_data["place_points"]).replace(";", " ").replace(" - ", " ")
        texts = [f"{points_of(word).normalize():f}" for word in words.split()]
        validate_place_points(texts)
        return texts

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        refuse_taken_name(name, self.club.seasons.exclude(pk=self.instance.pk))
        return str(name)

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        for name in ("counted_number", "minimum_evenings", "attendance_points"):
            if name in data:
                data[name] = data[name] or 0

    def _post_clean(self) -> None:
        """Validate a copy, so that the action, and not the form, changes the season."""
        self.instance = copy(self.instance)
        super()._post_clean()  # type: ignore[misc]  # stubs lack it


LONGEST_NAME = 60


class DivisionsForm(forms.Form):
    """The names of a season's divisions, the highest first, and how many go up and down."""

    names = forms.CharField(
        label=gettext_lazy("Divisions"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("One name per line, the highest first. Leave empty for one table."),
    )
    moving = forms.IntegerField(
        label=gettext_lazy("How many go up and down"),
        min_value=0,
        max_value=MOST_MOVING,
        help_text=gettext_lazy("Between two neighbours, when the season is closed."),
    )

    def clean_names(self) -> list[str]:
        """The names; refuses duplicates and too many."""
        lines = str(self.cleaned_data["names"]).splitlines()
        name_field = FormNameField(max_length=LONGEST_NAME)
        names = [name_field.clean(line) for line in lines if line.strip()]
        if len(names) > MOST_DIVISIONS:
            words = ngettext(
                "A season has at most %(n)d division.",
                "A season has at most %(n)d divisions.",
                MOST_DIVISIONS,
            )
            raise forms.ValidationError(words % {"n": MOST_DIVISIONS})
        if len({name.casefold() for name in names}) < len(names):
            raise forms.ValidationError(_("Two divisions have the same name."))
        return names


class PeopleForm(forms.Form):
    """A choice for each of many people; the name of a person's field is their public id."""

    def __init__(
        self,
        people: Iterable[tuple[Member, str]],
        choices: Iterable[tuple[str, Any]],
        data: Any = None,
    ) -> None:
        super().__init__(data)
        self.people = {member.public_id: member for member, _current in people}
        choice_list = list(choices)
        for member, current in people:
            self.fields[member.public_id] = forms.ChoiceField(
                label=member.name, choices=choice_list, required=False, initial=current
            )

    @property
    def chosen_values(self) -> dict[Member, str]:
        """The choices made, for the people who were in the submitted form."""
        return {
            self.people[name]: choice
            for name, choice in self.cleaned_data.items()
            if name in self.data
        }


def division_choices(divisions: Iterable[Division]) -> list[tuple[str, str]]:
    """The divisions of a season as choices, after one for none."""
    return [("", _("in none")), *((str(division.number), division.name) for division in divisions)]


class NextSeasonForm(forms.Form):
    """The name and first day of the next season."""

    name = FormNameField(label=gettext_lazy("Name"), max_length=80)
    starts_on = DayField(label=gettext_lazy("First day"))

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        refuse_taken_name(name, self.club.seasons.all())
        return str(name)
