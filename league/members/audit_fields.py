"""What the activity log calls the choices of a form: by the form's own labels and words.

The areas name their forms here (`name_fields`), since this one knows none of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

Words = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """A choice: its label, "" for none, and the words of its values as far as they are codes."""

    label: Any
    values: Words | forms.ChoiceField

    def words(self, value: Any) -> str | None:
        """A value in words; None if it has none."""
        values = self.values
        if isinstance(values, forms.ChoiceField):
            choices: Iterable[Any] = values.choices  # type: ignore[assignment]
            values = {code: text for code, text in choices if code != ""}
        found = values.get(value) if isinstance(value, str | int) else None
        return None if found is None else str(found)


_NAMED: dict[str, dict[str, Named]] = {}


def name_fields(
    actions: Iterable[str],
    fields: Mapping[str, forms.Field],
    more: Mapping[str, tuple[Any, Words]] | None = None,
) -> None:
    """Name what entries of these actions are about, by the path to it ("rules.late.points"): as a
    field of a form, or as `more` has it, with a label and the words of its values."""
    labelled = {path: field for path, field in fields.items() if field.label}
    named = {path: Named(field.label, _values(field)) for path, field in labelled.items()}
    named |= {path: Named(label, values) for path, (label, values) in (more or {}).items()}
    for action in actions:
        _NAMED.setdefault(action, {}).update(named)


def _values(field: forms.Field) -> Words | forms.ChoiceField:
    chooses = isinstance(field, forms.ChoiceField) and not hasattr(field, "queryset")
    return field if chooses else {}  # type: ignore[return-value]


def named(action: str, path: str) -> Named | None:
    """What the log calls what stands at a path of such an entry; None if nothing of its own."""
    return _NAMED.get(action, {}).get(path)
