"""A form made from a ruleset's options: one field each, with what it means and where it is from."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.members.fields import FormNameField
from league.members.rule_options import meaning, option_field, options_of, why, word
from scoring import Ruleset
from scoring.rulesets.options import Option

YES_NO = {"yes": True, "no": False}


class RulesetForm(forms.Form):
    """The options of `rules`, to be changed. `changed_options` are those that differ from it.

    Ranges and combinations are the engine's to judge: its sentences are put at these fields.
    """

    def __init__(self, rules: Ruleset, *args: Any, named: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.groups: list[tuple[str, list[str]]] = []
        if named:
            self.fields["name"] = FormNameField(label=_("Name"), max_length=80, initial=rules.name)
        self._options: list[Option] = []
        for heading, options in options_of(rules):
            self._options += options
            self.groups.append((heading, [option_field(option.name) for option in options]))
            for option in options:
                self.fields[option_field(option.name)] = _field(option, rules)

    @property
    def sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields as the page shows them."""
        return [(heading, [self[name] for name in names]) for heading, names in self.groups]

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        ends = [name for name in ("target", "hands") if told.get(option_field(name)) is not None]
        broken = any(option_field(name) in self.errors for name in ("target", "hands"))
        if len(ends) != 1 and not broken:
            sentence = _("A game goes to a number of points or a number of hands: fill in one.")
            self.add_error(option_field("target"), sentence)
        return told

    @property
    def changed_options(self) -> dict[str, Any]:
        """Only what differs from the ruleset the form began with, as the engine reads it."""
        changed = {}
        for name, before in self._before().items():
            value = self.cleaned_data.get(option_field(name))
            value = tuple(value) if isinstance(value, list) else value
            if value is not None and value != before:
                changed[name] = value
        return changed

    def _before(self) -> dict[str, Any]:
        return {o.name: self.rules.options.get(o.name) for o in self._options}


def _field(option: Option, rules: Ruleset) -> forms.Field:
    """The field that asks for one option."""
    told: dict[str, Any] = {
        "label": meaning(option.name).rstrip("."),
        "help_text": _help(option, rules),
        "initial": _initial(rules.options.get(option.name)),
    }
    if option.kind == "flag":
        choices = [("yes", _("yes")), ("no", _("no"))]
        return forms.TypedChoiceField(choices=choices, coerce=YES_NO.__getitem__, **told)
    if option.kind in ("word", "number_of"):
        choices = [(str(value), word(option.name, value)) for value in option.values]
        coerce = int if option.kind == "number_of" else str
        return forms.TypedChoiceField(choices=choices, coerce=coerce, **told)
    if option.kind in ("suits", "bids"):
        return _several(option, told)
    if option.kind == "word_or_points":
        return WordOrNumber(max_length=12, **told)
    limits = {"min": str(option.lowest), "max": str(option.highest), "inputmode": "numeric"}
    number = forms.NumberInput(attrs=limits)
    return forms.IntegerField(
        required=option.name not in ("target", "hands"), widget=number, **told
    )


def _several(option: Option, told: dict[str, Any]) -> forms.Field:
    values = {"suits": ("c", "d", "h", "s"), "bids": ("high", "low")}[option.kind]
    return forms.TypedMultipleChoiceField(
        choices=[(value, word(option.name, value)) for value in values],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        coerce=str,
        **told,
    )


class WordOrNumber(forms.CharField):
    """A word of the option, or a number of points."""

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value)).strip().lower()
        return int(text) if text.isascii() and text.removeprefix("-").isdigit() else text


def _initial(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return list(value) if isinstance(value, tuple) else value


def _help(option: Option, rules: Ruleset) -> str:
    """Allowed words where they are typed, then the source, the decision and the note."""
    source, decision, note = why(rules, option.name)
    allowed = _("%(words)s, or a number of points.") % {"words": ", ".join(map(str, option.values))}
    parts = [allowed if option.kind == "word_or_points" else ""]
    parts.append(_("Source: %(source)s.") % {"source": source} if source else "")
    parts.append(_("Decision %(number)s.") % {"number": decision} if decision else "")
    return " ".join(filter(None, [*parts, note]))
