"""The form for a ruleset: a field for each option, as a club would ask about it."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from league.errors import Refused
from league.members.actions.rulesets import build_ruleset
from league.members.fields import FormNameField, LineArea
from league.members.forms.shapes import (
    changed_shape_parts,
    changed_special_bids,
    shape_fields,
    special_fields,
)
from league.members.game_facts import DECK_WORDS
from league.members.idle_rules import WITHOUT_EFFECT, idle_reasons
from league.members.rule_options import (
    asked_first,
    grouped_options,
    meaning,
    option_field,
    plain_name,
    search_words,
    title,
    value_of,
    word,
)
from league.members.rule_questions import question_of
from scoring import Ruleset, RulesetError, idle_options, reshaped, ruleset
from scoring.rulesets.options import Option

YES_NO = {"yes": True, "no": False}
TYPED = {
    "none": pgettext_lazy("typed in place of a number", "none"),
    "off": pgettext_lazy("typed in place of a number", "off"),
    "bid": pgettext_lazy("typed in place of a number", "bid"),
    "nothing": pgettext_lazy("typed in place of a number", "nothing"),
    "target": pgettext_lazy("typed in place of a number", "target"),
}
"""The words to type into fields for a word or a number."""


class RulesetForm(forms.Form):
    """The name, deck, special bids and options of `rules`, to be changed.

    `changed_shape`, `changed_specials` and `changed_options` are the changes. `current_name` is
    the club's name for the rules so far; `asks_players` adds a field for the number of players.

    The engine validates ranges and combinations; its sentences are shown at these fields.
    """

    def __init__(
        self,
        rules: Ruleset,
        *args: Any,
        current_name: str = "",
        asks_players: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        never = {name for name, idle in idle_options(rules).items() if not idle.wakers}
        self.groups: list[tuple[str, list[Option]]] = grouped_options(rules, without=never)
        self.fields["name"] = FormNameField(
            label=_("What your club calls these rules"),
            max_length=80,
            widget=LineArea(),
            initial=current_name or plain_name(rules),
        )
        shape, specials = shape_fields(rules, asks_players=asks_players), special_fields(rules)
        self.fields |= shape | specials
        self._shape, self._specials = list(shape), list(specials)
        self._options = [option for _heading, options in self.groups for option in options]
        question_names = {"target", "hands", *asked_first(rules)}
        idle = idle_reasons(rules)
        for option in self._options:
            field = _option_field(option, rules, option.name in question_names)
            if option.name in idle:
                field.help_text = f"{field.help_text} {idle[option.name]}"
            if option.name in WITHOUT_EFFECT:
                field.disabled = True
                field.help_text = f"{field.help_text} {WITHOUT_EFFECT[option.name]}"
            self.fields[option_field(option.name)] = field

    @property
    def sections(self) -> list[tuple[str, list[tuple[forms.BoundField, str]], bool]]:
        """(heading, fields with their search words, whether one of them has an error)."""
        return [
            (
                heading,
                [(self[option_field(o.name)], self._search_words(o)) for o in options],
                any(option_field(o.name) in self.errors for o in options),
            )
            for heading, options in self.groups
        ]

    def _search_words(self, option: Option) -> str:
        """The words by which a field is found: also those of its help text and its choices."""
        field = self.fields[option_field(option.name)]
        choices = [] if option.kind == "flag" else getattr(field, "choices", [])
        texts = [field.label, field.help_text, *(words for _value, words in choices)]
        return " ".join([search_words(option.name), *map(str, texts)]).lower()

    @property
    def shape_section(self) -> list[tuple[forms.BoundField, str]]:
        """The fields for players, deck and hand, each with its search words."""
        return [(self[n], f"{self[n].label} {DECK_WORDS} {n}".lower()) for n in self._shape]

    @property
    def bid_rows(self) -> list[list[forms.BoundField]]:
        """A row of fields for each special bid; the last one is for a new bid."""
        rows: dict[str, list[forms.BoundField]] = {}
        for name in self._specials:
            rows.setdefault(name.split("_")[1], []).append(self[name])
        return list(rows.values())

    @property
    def bid_words(self) -> str:
        """The search words for the special bids."""
        names = [str(row[0].value() or "") for row in self.bid_rows]
        return " ".join([_("Special bids"), *names]).lower()

    @property
    def new_bid_row(self) -> bool:
        """Whether the last row is for a new special bid."""
        return not self.bid_rows[-1][0].initial

    @property
    def bids_wrong(self) -> bool:
        return any(name in self.errors for name in self._specials)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        given_ends = [
            name for name in ("target", "hands") if data.get(option_field(name)) is not None
        ]
        has_errors = any(option_field(name) in self.errors for name in ("target", "hands"))
        if len(given_ends) != 1 and not has_errors:
            sentence = (
                _("Enter either the points to win or the number of hands, not both.")
                if given_ends
                else _("Enter the points to win or the number of hands.")
            )
            self.add_error(option_field("target"), sentence)
        if not self.errors:
            self._refuse_idle()
        elif not any(name in self.errors for name in (*self._shape, *self._specials)):
            self._add_engine_errors()
        return data

    def _add_engine_errors(self) -> None:
        """Add what the engine says of the other fields, so that all faults are shown at once."""
        try:
            data = reshaped(self.rules, self.changed_shape, self.changed_specials)
            build_ruleset(data, self.changed_options)
        except RulesetError:  # said once the others are fixed
            return
        except Refused as refused:
            for name in refused.fields.keys() & self.fields.keys() - self.errors.keys():
                self.add_error(name, refused.fields[name])

    def _refuse_idle(self) -> None:
        """Refuse changed options that have no effect, with the reason."""
        changed = self.changed_options
        try:
            data = reshaped(self.rules, self.changed_shape, self.changed_specials)
            rules = ruleset(data, changed)
        except RulesetError:  # the action shows the engine's sentences
            return
        plain_tricks = {special.tricks for special in rules.specials if special.plain}
        if "min" in changed and plain_tricks.issuperset(range(changed["min"], rules.hand_size + 1)):
            sentence = _("From here up every bid is a special bid. Choose a lower number.")
            self.add_error(option_field("min"), sentence)
        reasons = idle_reasons(rules)
        for name in changed.keys() & reasons.keys():
            self.add_error(option_field(name), reasons[name])

    @property
    def changed_shape(self) -> dict[str, Any]:
        """The changed parts of the shape."""
        return changed_shape_parts(self.rules, self.cleaned_data)

    @property
    def changed_specials(self) -> list[dict[str, Any]] | None:
        """All special bids if one of them was changed, else None."""
        has_bids = "bid_0_name" in self.data
        return changed_special_bids(self.rules, self.cleaned_data) if has_bids else None

    @property
    def changed_options(self) -> dict[str, Any]:
        """The changed options only, as the engine reads them."""
        changed = {}
        for name, initial_value in self._initial_options().items():
            value = self.cleaned_data.get(option_field(name))
            value = tuple(value) if isinstance(value, list) else value
            if value is not None and value != initial_value:
                changed[name] = value
        return changed

    def _initial_options(self) -> dict[str, Any]:
        return {o.name: self.rules.options.get(o.name) for o in self._options}


class VariantForm(RulesetForm):
    """Only the rules that clubs ask about first, to be changed for a table or a session."""

    def __init__(self, rules: Ruleset, *args: Any, **kwargs: Any) -> None:
        super().__init__(rules, *args, **kwargs)
        first = {option_field(option.name) for option in self.groups[0][1]}
        self.fields = {name: field for name, field in self.fields.items() if name in first}


def _option_field(option: Option, rules: Ruleset, is_question: bool) -> forms.Field:
    """The form field for an option."""
    data: dict[str, Any] = {
        **_label_and_help(option, rules, is_question),
        "initial": _initial_value(rules.options.get(option.name)),
    }
    if option.kind == "flag":
        choices = [("yes", _("yes")), ("no", _("no"))]
        return forms.TypedChoiceField(choices=choices, coerce=YES_NO.__getitem__, **data)
    if option.kind in ("word", "number_of"):
        choices = [(str(value), value_of(rules, option.name, value)) for value in option.values]
        coerce = int if option.kind == "number_of" else str
        return forms.TypedChoiceField(choices=choices, coerce=coerce, **data)
    if option.kind in ("suits", "bids"):
        return _multiple_choice_field(option, rules, data)
    if option.kind == "word_or_points":
        return WordOrNumber(option, **data)
    limits = {"min": str(option.lowest), "max": str(option.highest), "inputmode": "numeric"}
    number = forms.NumberInput(attrs=limits)
    if option.name in ("target", "hands"):
        return EitherField(required=False, widget=number, **data)
    return forms.IntegerField(widget=number, **data)


def _label_and_help(option: Option, rules: Ruleset, is_question: bool) -> dict[str, str]:
    """The label and help text: a question with an example, or a name with a sentence."""
    question = question_of(rules, option.name) if is_question else None
    label = str(question.text) if question else title(option.name)
    parts = [str(question.example) if question else meaning(option.name)]
    if option.kind == "word_or_points":
        words = ", ".join(_("“%(word)s”") % {"word": TYPED[value]} for value in option.values)
        parts.append(_("Enter a number, or %(words)s.") % {"words": words})
    return {"label": label, "help_text": " ".join(parts)}


def _multiple_choice_field(option: Option, rules: Ruleset, data: dict[str, Any]) -> forms.Field:
    values: tuple[str, ...] = ("c", "d", "h", "s")
    if option.kind == "bids":  # with a table of values there is one for no trump
        values = ("high",) if rules.options["values"] == "avondale" else ("high", "low")
    return forms.TypedMultipleChoiceField(
        choices=[(value, word(option.name, value)) for value in values],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        coerce=str,
        **data,
    )


class EitherField(forms.IntegerField):
    """One of two fields of which exactly one is required: its label doesn't say "optional"."""

    one_of_two = True


class WordOrNumber(forms.CharField):
    """A word in the reader's language, or a number of points.

    The engine's own words are accepted in every language.
    """

    def __init__(self, option: Option, *, initial: Any, **kwargs: Any) -> None:
        super().__init__(max_length=20, initial=TYPED.get(initial, initial), **kwargs)
        self.codes = {str(TYPED[code]).lower(): code for code in option.values}

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value)).strip().lower()
        is_number = text.isascii() and text.removeprefix("-").isdigit()
        return int(text) if is_number else self.codes.get(text, text)


def _initial_value(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return list(value) if isinstance(value, tuple) else value
