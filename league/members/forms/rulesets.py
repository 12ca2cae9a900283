"""A form made from a ruleset's options: one field each, as a club would ask for it."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.members.fields import FormNameField
from league.members.rule_options import (
    WITHOUT_EFFECT,
    first_asked,
    meaning,
    option_field,
    options_of,
    plain_name,
    search_words,
    title,
    value_words,
    word,
)
from league.members.rule_texts import QUESTIONS
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
        self.groups: list[tuple[str, list[Option]]] = options_of(rules)
        if named:
            self.fields["name"] = FormNameField(
                label=_("What your club calls these rules"),
                max_length=80,
                initial=plain_name(rules),
            )
        self._options = [option for _heading, options in self.groups for option in options]
        first = {"target", "hands", *first_asked(rules)}
        for option in self._options:
            field = _field(option, rules, option.name in first)
            if option.name in WITHOUT_EFFECT:
                field.disabled, field.help_text = True, WITHOUT_EFFECT[option.name]
            self.fields[option_field(option.name)] = field

    @property
    def sections(self) -> list[tuple[str, list[tuple[forms.BoundField, str]], bool]]:
        """(heading, fields with the words they are found by, whether one of them is wrong)."""
        return [
            (
                heading,
                [(self[option_field(o.name)], search_words(o.name).lower()) for o in options],
                any(option_field(o.name) in self.errors for o in options),
            )
            for heading, options in self.groups
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        ends = [name for name in ("target", "hands") if data.get(option_field(name)) is not None]
        broken = any(option_field(name) in self.errors for name in ("target", "hands"))
        if len(ends) != 1 and not broken:
            sentence = _("Give either the points to win or the number of hands, not both.")
            self.add_error(option_field("target"), sentence)
        return data

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


def _field(option: Option, rules: Ruleset, asked_first: bool) -> forms.Field:
    """The field that asks for one option."""
    data: dict[str, Any] = {
        **_words(option, asked_first),
        "initial": _initial(rules.options.get(option.name)),
    }
    if option.kind == "flag":
        choices = [("yes", _("yes")), ("no", _("no"))]
        return forms.TypedChoiceField(choices=choices, coerce=YES_NO.__getitem__, **data)
    if option.kind in ("word", "number_of"):
        choices = [(str(value), value_words(option.name, value)) for value in option.values]
        coerce = int if option.kind == "number_of" else str
        return forms.TypedChoiceField(choices=choices, coerce=coerce, **data)
    if option.kind in ("suits", "bids"):
        return _several(option, data)
    if option.kind == "word_or_points":
        return WordOrNumber(max_length=12, **data)
    limits = {"min": str(option.lowest), "max": str(option.highest), "inputmode": "numeric"}
    number = forms.NumberInput(attrs=limits)
    if option.name in ("target", "hands"):
        return EitherField(required=False, widget=number, **data)
    return forms.IntegerField(widget=number, **data)


def _words(option: Option, asked_first: bool) -> dict[str, str]:
    """The label and the help: a question with an example, or a name with a sentence."""
    question = QUESTIONS.get(option.name) if asked_first else None
    label = str(question.text) if question else title(option.name)
    parts = [str(question.example) if question else meaning(option.name)]
    if option.kind == "word_or_points":
        words = ", ".join(f"“{value}”" for value in option.values)
        parts.append(_("Write a number, or %(words)s.") % {"words": words})
    return {"label": label, "help_text": " ".join(parts)}


def _several(option: Option, data: dict[str, Any]) -> forms.Field:
    values = {"suits": ("c", "d", "h", "s"), "bids": ("high", "low")}[option.kind]
    return forms.TypedMultipleChoiceField(
        choices=[(value, word(option.name, value)) for value in values],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        coerce=str,
        **data,
    )


class EitherField(forms.IntegerField):
    """One of two of which exactly one is filled in: its label does not say "optional"."""

    one_of_two = True


class WordOrNumber(forms.CharField):
    """A word of the option, or a number of points."""

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value)).strip().lower()
        return int(text) if text.isascii() and text.removeprefix("-").isdigit() else text


def _initial(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return list(value) if isinstance(value, tuple) else value
