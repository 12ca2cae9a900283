"""Fields for what people write on one line, names and user names above all: in models and forms.

`NameField` is for names, `LineField` for reasons and other words; `FormNameField` and
`FormLineField` are theirs in plain forms. `CopiedField` holds a name copied at the time, an
actor's say, where a refusal would come too late. A test finds model fields that are none of these.
`DayField` is for days in forms.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext as _

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


class DayField(forms.DateField):
    """A day in the browser's own field; one typed reads alike in every language of the site."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_validators = [validate_day]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d", "%d.%m.%Y"], **kwargs)


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


LOOKS_LIKE = {"2": "z", "3": "e", "4": "a", "5": "s", "6": "bg", "7": "t", "8": "b", "9": "gq"}
"""What digits stand for, besides 0 and 1, which `look` has as letters already."""
OFFICES = """
    abuse admin administration administrator contact daemon helpdesk hostmaster info mailer
    moderator nobody noreply official operator organiser organizer owner postmaster program
    rightbower root scorekeeper security server service staff superuser support sysadmin system
    visitor webmaster
"""
"""Names that speak for the site, or that its activity log gives to others than accounts."""
BESIDE_OFFICES = "club help mail our real site team the"
PLAIN = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)


def validate_new(name: str, *, but: Any = None) -> None:
    """Refuse a user name that is not plain, or is read as another account's or a club's address."""
    if not PLAIN.fullmatch(name):
        sentence = _(
            "Use letters from a to z and numbers, with a single dot, hyphen or _ between them."
        )
        if PLAIN.fullmatch(plain := slugify(name)):
            sentence += " " + _("For example: %(name)s") % {"name": plain}
        raise ValidationError(sentence, code="not-plain")
    others = apps.get_model("league", "User")._default_manager.exclude(pk=but)
    clubs = apps.get_model("league", "Club")._default_manager
    taken = (*others.values_list("username", flat=True), *clubs.values_list("slug", flat=True))
    if any(map(_like(name), taken)):
        # One sentence for both: which clubs there are is nothing for strangers.
        sentence = _("This user name is taken, or looks like one that is. Choose another.")
        raise ValidationError(sentence, code="looks-alike")


def refuse_office(name: str) -> None:
    """Refuse a user name that speaks for the site: `admin`, `the.owner`, `Supp0rt-Team2`."""
    if _speaks_for_site().fullmatch(lookalike_key(name)):
        raise ValidationError(_("This user name is for the site itself. Choose another."), "office")


FOR_SIGN_UP = [validate_new, refuse_office]
"""What allauth asks of a user name. Who has the command line or the admin may be `admin`."""


def _like(name: str) -> Callable[[str], bool]:
    """Asks of other names whether they are read as this one."""
    seen = lookalike_key(name)

    def like(other: str) -> bool:
        other = lookalike_key(other)
        return len(other) == len(seen) and all(map(_same, seen, other))

    return like


def _same(one: str, other: str) -> bool:
    """Whether two characters are read as one. Two digits are not: `ann1988` is not `ann1986`."""
    return one == other or other in LOOKS_LIKE.get(one, "") or one in LOOKS_LIKE.get(other, "")


@cache
def _speaks_for_site() -> re.Pattern[str]:
    """An office with nothing but numbers and other such words around it, as `look` leaves it.

    No text can be taken apart in two ways, so that a long one is judged as quickly.
    """
    office, beside = rf"(?:{_any_of(OFFICES)})s?", _any_of(BESIDE_OFFICES)
    around = rf"(?:{office}|{beside}|[{lookalike_key('01')}2-9])*"
    return re.compile(rf"{around}{office}{around}")


def _any_of(words: str) -> str:
    """A pattern of the words, each letter also as a digit that stands for it."""
    return "|".join("".join(map(_letter_or_digit, lookalike_key(word))) for word in words.split())


def _letter_or_digit(letter: str) -> str:
    return f"[{letter}{''.join(digit for digit in LOOKS_LIKE if letter in LOOKS_LIKE[digit])}]"


class UserNameField(PlainColumn, models.CharField):
    """A user name, judged where it is new: at sign-up, in the admin and by `createsuperuser`."""

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        pk = model_instance.pk if model_instance else None
        accounts = self.model._default_manager
        if pk is None or not accounts.filter(pk=pk, username=value).exists():
            validate_new(value, but=pk)
