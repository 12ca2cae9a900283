"""Fields for what people write on one line, names above all: in models, and so in every form.

`NameField` is for names, `LineField` for reasons and other words; `FormNameField` and
`FormLineField` are theirs in plain forms. `CopiedField` holds a name copied at the time, an
actor's say, where a refusal would come too late. A test finds model fields that are none of these.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from league.members.names import LONGEST, composed, fault, visible


def name_trouble(code: str) -> str:
    """The sentence for one of `BadName`'s codes."""
    return {
        "empty": _("Write a name."),
        "long": _("A name has at most %(most)d letters.") % {"most": LONGEST},
        "hidden": _("This has invisible characters. Type it again."),
        "marks": _("This has too many accents on one letter."),
        "letters": _("A name has at least one letter."),
    }[code]


def validate_line(text: str) -> None:
    """Refuse what cannot be read on one line; nothing is no fault."""
    _validate(text, needs_letter=False)


def validate_name(text: str) -> None:
    """Refuse what cannot be read as a name; nothing is no fault."""
    _validate(text, needs_letter=True)


def validate_names(names: Any) -> None:
    """Refuse what is no list of names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValidationError(_("This is not a list of names."), code="list")
    for name in names:
        validate_name(name)


def _validate(text: str, *, needs_letter: bool) -> None:
    code = fault(text, needs_letter=needs_letter) if text else ""
    if code:
        raise ValidationError(name_trouble(code), code=code)


class FormLineField(forms.CharField):
    """A line in a plain form."""

    default_validators = [validate_line]

    def to_python(self, value: Any) -> str:
        return composed(super().to_python(value) or "")


class FormNameField(FormLineField):
    """A name in a plain form."""

    default_validators = [validate_name]


class AnywayField(forms.BooleanField):
    """A tick that answers a question of a refusal; hidden until one asks for it."""

    widget = forms.HiddenInput

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, required=False)


class PlainColumn(models.Field):
    """A field whose rules are not the database's: migrations know its plain kind."""

    plain_kind = "django.db.models.CharField"

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, self.plain_kind, args, kwargs


class LineField(PlainColumn, models.CharField):
    """One line that people write; composed before it is judged or stored."""

    default_validators = [validate_line]
    form_field: type[forms.CharField] = FormLineField

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return composed(text) if isinstance(text, str) else text

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": self.form_field, **kwargs})


class NameField(LineField):
    """A name that people write: a line with at least one letter or digit."""

    default_validators = [validate_name]
    form_field = FormNameField


class NamesField(PlainColumn, models.JSONField):
    """A list of names."""

    plain_kind = "django.db.models.JSONField"
    default_validators = [validate_names]


class CopiedField(PlainColumn, models.CharField):
    """A name as it was when it was copied; what cannot be seen in it is made visible."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return visible(text) if isinstance(text, str) else text
