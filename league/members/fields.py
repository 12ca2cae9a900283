"""Fields for text that people write, such as names and user names, in models and forms.

`NameField` is for names, `LineField` for reasons and other text; `FormNameField` and
`FormLineField` are their counterparts in plain forms. `LinesField` is for several lines.
`CopiedField` holds a copy of a name, such as an actor's, where a refusal would come too late. A
test finds text fields of models that are none of these. `DayField` is for dates in forms.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from league.members.names import LONGEST, composed, fault, lookalike_key, visible
from league.members.validators import validate_day


def name_trouble(code: str) -> str:
    """The sentence for one of `BadName`'s codes."""
    return {
        "empty": _("Enter a name."),
        "long": _("A name has at most %(most)d letters.") % {"most": LONGEST},
        "hidden": _("This has invisible characters. Type it again."),
        "marks": _("This has too many accents on one letter."),
        "letters": _("A name has at least one letter."),
    }[code]


def validate_line(text: str) -> None:
    """Refuse text that can't be read on one line; empty text is accepted."""
    _validate(text, needs_letter=False)


def validate_name(text: str) -> None:
    """Refuse text that can't be read as a name; empty text is accepted."""
    _validate(text, needs_letter=True)


def validate_lines(text: str) -> None:
    """Refuse text with a line that can't be read; empty lines are accepted."""
    for line in text.split("\n"):
        validate_line(line)


def composed_lines(text: str) -> str:
    """The text with each of its lines composed, without empty lines around it."""
    return "\n".join(map(composed, text.splitlines())).strip("\n")


def validate_names(names: Any) -> None:
    """Refuse anything but a list of names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValidationError(_("This is not a list of names."), code="list")
    for name in names:
        validate_name(name)


def _validate(text: str, *, needs_letter: bool) -> None:
    code = fault(text, needs_letter=needs_letter) if text else ""
    if code:
        raise ValidationError(name_trouble(code), code=code)


class DayField(forms.DateField):
    """A date in the browser's date field; typed dates have one format in all languages."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_validators = [validate_day]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d", "%d.%m.%Y"], **kwargs)


NO_REASON = {"required": lazy("Add a short reason.")}


class FormLineField(forms.CharField):
    """A line in a plain form."""

    default_validators = [validate_line]

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Without `maxlength`: browsers would cut a long line silently."""
        attrs = super().widget_attrs(widget)
        return {name: value for name, value in attrs.items() if name != "maxlength"}

    def to_python(self, value: Any) -> str:
        return composed(super().to_python(value) or "")


class FormNameField(FormLineField):
    """A name in a plain form."""

    default_validators = [validate_name]


class LineArea(forms.Textarea):
    """A line that grows on a narrow screen, so that it is shown whole."""

    def __init__(self) -> None:
        super().__init__(attrs={"rows": 1})

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str | None:
        value = super().value_from_datadict(data, files, name)
        return " ".join(value.splitlines()) if value else value


class FormLinesField(forms.CharField):
    """Text of several lines in a plain form."""

    widget = forms.Textarea
    default_validators = [validate_lines]

    def to_python(self, value: Any) -> str:
        return composed_lines(super().to_python(value) or "")


class AnywayField(forms.BooleanField):
    """A checkbox to confirm what a refusal asks; hidden until then."""

    widget = forms.HiddenInput

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, required=False)


class PlainColumn(models.Field):
    """A field that migrations see as its plain kind, since its rules don't affect the database."""

    plain_kind = "django.db.models.CharField"

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, self.plain_kind, args, kwargs


class LineField(PlainColumn, models.CharField):
    """A line that people write; composed before it is validated and stored."""

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


class LinesField(PlainColumn, models.TextField):
    """Text of several lines that people write; each is composed before it is stored."""

    plain_kind = "django.db.models.TextField"
    default_validators = [validate_lines]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.validators.append(MaxLengthValidator(kwargs["max_length"]))  # as a CharField has

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return composed_lines(text) if isinstance(text, str) else text

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": FormLinesField, **kwargs})


class NamesField(PlainColumn, models.JSONField):
    """A list of names."""

    plain_kind = "django.db.models.JSONField"
    default_validators = [validate_names]


class CopiedField(PlainColumn, models.CharField):
    """A copy of a name, with invisible characters made visible."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return visible(text) if isinstance(text, str) else text


DIGIT_LETTERS = {"2": "z", "3": "e", "4": "a", "5": "s", "6": "bg", "7": "t", "8": "b", "9": "gq"}
"""Letters that digits look like. `lookalike_key` already turns 0 and 1 into letters."""
RESERVED_NAMES = """
    abuse admin administration administrator contact daemon helpdesk hostmaster info mailer
    moderator nobody noreply official operator organiser organizer owner postmaster program
    rightbower root scorekeeper security server service staff superuser support sysadmin system
    visitor webmaster
"""
"""Names that suggest the site's staff, or that the activity log uses for other actors."""
RESERVED_AFFIXES = "club help mail our real site team the"
PLAIN = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)


def validate_new_username(name: str, *, except_for: Any = None) -> None:
    """Refuse a user name that isn't plain, or looks like another account's or a club's address."""
    if not PLAIN.fullmatch(name):
        sentence = _(
            "Use letters from a to z and numbers, with a single dot, hyphen or _ between them."
        )
        if PLAIN.fullmatch(suggestion := slugify(name)):
            sentence += " " + _("For example: %(name)s") % {"name": suggestion}
        raise ValidationError(sentence, code="not-plain")
    other_users = apps.get_model("league", "User")._default_manager.exclude(pk=except_for)
    clubs = apps.get_model("league", "Club")._default_manager
    taken_names = (
        *other_users.values_list("username", flat=True),
        *clubs.values_list("slug", flat=True),
    )
    if any(map(_lookalike_test(name), taken_names)):
        # One sentence for both, so that strangers don't learn which clubs there are.
        sentence = _("This user name is taken, or looks like one that is. Choose another.")
        raise ValidationError(sentence, code="looks-alike")


def refuse_reserved_name(name: str) -> None:
    """Refuse a user name that suggests the site's staff: `admin`, `the.owner`, `Supp0rt-Team2`."""
    if _reserved_pattern().fullmatch(lookalike_key(name)):
        raise ValidationError(_("This user name is for the site itself. Choose another."), "office")


FOR_SIGN_UP = [validate_new_username, refuse_reserved_name]
"""allauth's validators of user names. With the command line or the admin, `admin` is allowed."""


def _lookalike_test(name: str) -> Callable[[str], bool]:
    """Return a function that tells whether another name looks like this one."""
    key = lookalike_key(name)

    def looks_alike(other: str) -> bool:
        other = lookalike_key(other)
        return len(other) == len(key) and all(map(_are_lookalikes, key, other))

    return looks_alike


def _are_lookalikes(char: str, other: str) -> bool:
    """Whether two characters look alike. Two digits never do: `ann1988` is not `ann1986`."""
    return (
        char == other
        or other in DIGIT_LETTERS.get(char, "")
        or char in DIGIT_LETTERS.get(other, "")
    )


@cache
def _reserved_pattern() -> re.Pattern[str]:
    """A pattern for the lookalike keys of reserved names, with only digits and affixes around them.

    No text can match in two ways, so that long texts are matched as quickly.
    """
    reserved, affix = rf"(?:{_alternatives(RESERVED_NAMES)})s?", _alternatives(RESERVED_AFFIXES)
    filler = rf"(?:{reserved}|{affix}|[{lookalike_key('01')}2-9])*"
    return re.compile(rf"{filler}{reserved}{filler}")


def _alternatives(words: str) -> str:
    """A pattern for any of the words, with digits that look like its letters."""
    return "|".join("".join(map(_letter_or_digit, lookalike_key(word))) for word in words.split())


def _letter_or_digit(letter: str) -> str:
    digits = (digit for digit, letters in DIGIT_LETTERS.items() if letter in letters)
    return f"[{letter}{''.join(digits)}]"


class UserNameField(PlainColumn, models.CharField):
    """A user name, validated when it is new: at sign-up, in the admin, by `createsuperuser`."""

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        pk = model_instance.pk if model_instance else None
        accounts = self.model._default_manager
        if pk is None or not accounts.filter(pk=pk, username=value).exists():
            validate_new_username(value, except_for=pk)
