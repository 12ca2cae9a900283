"""The form in which a club says what its standings rank by, in order."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.standings.labels import CHOICES

STEPS = (
    ("first", gettext_lazy("Rank by")),
    ("second", gettext_lazy("then by")),
    ("third", gettext_lazy("then by")),
    ("fourth", gettext_lazy("then by")),
    ("fifth", gettext_lazy("then by")),
)


class RuleForm(forms.Form):
    """Up to five measures, the most important first; a gap is closed, a repeat refused."""

    first = forms.ChoiceField(label=STEPS[0][1], choices=CHOICES)

    def __init__(self, *args: Any, chosen: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for place, (name, label) in enumerate(STEPS):
            if place:
                choices = [("", gettext_lazy("nothing more")), *CHOICES]
                self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
            if place < len(chosen):
                self.fields[name].initial = chosen[place]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        seen: set[str] = set()
        for name, _label in STEPS:
            code = cleaned.get(name)
            if code and code in seen:
                self.add_error(name, _("This is already in the list above."))
            seen.add(code or "")
        return cleaned

    @property
    def codes(self) -> list[str]:
        """The measures chosen, in order."""
        return [code for name, _label in STEPS if (code := self.cleaned_data.get(name))]
