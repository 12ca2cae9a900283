"""The form of a season."""

from django import forms
from django.utils.translation import gettext as _

from league.seasons.models import Season


class SeasonForm(forms.ModelForm):
    """Its name, its first day and, when it is known, its last."""

    class Meta:
        model = Season
        fields = ["name", "starts_on", "ends_on"]
        widgets = {
            name: forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            for name in ("starts_on", "ends_on")
        }

    def clean(self) -> None:
        super().clean()
        first, last = self.cleaned_data.get("starts_on"), self.cleaned_data.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day comes before the first."))
