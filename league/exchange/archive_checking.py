"""Checks every row of an archive by its model's own rules, before anything is stored."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import islice
from math import isfinite
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import models
from django.utils.dateparse import parse_date, parse_datetime, parse_time
from django.utils.translation import gettext as _

from league.exchange.archive_writing import archived, lists, plain_fields, pointers
from league.members.fields import CopiedField, LineField
from league.members.names import fault
from league.members.validators import validate_day

DEEPEST = 12  # levels of nested lists and objects; a hand with every card has six
LARGEST = 2**53  # every program reads whole numbers up to this one exactly
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def read_json(content: bytes) -> Any:
    """The file's content. Raises ValueError for invalid JSON, a repeated name in an object, or
    NaN."""
    try:
        return json.loads(content, object_pairs_hook=_unique_names, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError(_("It is nested too deeply.")) from error


def troubles(value: Any, depth: int = 0) -> Iterator[str]:
    """Why a value cannot be stored in any field: its characters, numbers or nesting."""
    if depth > DEEPEST:
        yield _("It is nested too deeply.")
    elif isinstance(value, str):
        if _UNSTORABLE.search(value):
            yield _("It has characters that cannot be stored.")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from troubles(name, depth + 1)
            yield from troubles(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from troubles(item, depth + 1)
    elif isinstance(value, int | float) and not (isfinite(value) and abs(value) <= LARGEST):
        yield _("A number is too large.")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError(_("A name appears twice in one object."))
    return fields


def _no_number(text: str) -> Any:
    raise ValueError(_("%(text)s is not a number.") % {"text": text})


SMALL, USUAL = 32_767, 2**31 - 1  # the largest small and normal integers of every database
# Fields that count up by one, and must have room to do so after a restore; and those from 1.
COUNTERS = {"revision", "version", "link_version", "door_version", "wall_version"}
FROM_ONE = {"number", "round", *COUNTERS} - {"revision"}
MOST_COUNTED = 10**9
LONGEST_SHOWN = 40

IDS = ("public_id", "client_id")
IN_ADDRESSES = re.compile(r"[A-Za-z0-9_-]+")
CODE = re.compile(r"[ -~]*")

Rows = Mapping[str, list[dict[str, Any]]]
Made = dict[type[models.Model], dict[int, models.Model]]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with an archive: the row, the field, and why."""

    row: str
    field: str
    sentence: str

    def __str__(self) -> str:
        where = _("%(row)s, %(field)s") % {"row": self.row, "field": self.field}
        return f"{where if self.field else self.row}: {self.sentence}"


def row_faults(rows: Rows) -> Iterator[Fault]:
    """What is wrong with each row: its id, field names, values and pointers."""
    ids = {model: _ids(rows[model.__name__]) for model in archived()}
    for model in archived():
        seen: set[int] = set()
        for place, row in enumerate(rows[model.__name__], 1):
            where = name_of(model, place)
            if type(row.get("id")) is not int:
                yield Fault(where, "id", _("This is not a number."))
                continue
            if row["id"] in seen:
                yield Fault(where, "id", _("Another row has this id."))
            seen.add(row["id"])
            yield from _faults_of_row(model, row, where, ids)


def name_of(model: type[models.Model], place: int) -> str:
    """A row's name in error messages: its model and its place in the file, from 1."""
    return f"{model.__name__} {place}"


def _ids(rows: list[dict[str, Any]]) -> set[int]:
    return {row["id"] for row in rows if type(row.get("id")) is int}


def _faults_of_row(
    model: type[models.Model],
    row: dict[str, Any],
    where: str,
    ids: Mapping[type[models.Model], set[int]],
) -> Iterator[Fault]:
    fields = {field.name: field for field in plain_fields(model)}
    pointer_targets, list_targets = dict(pointers(model)), dict(lists(model))
    expected = {"id", *fields, *pointer_targets, *list_targets}
    if set(row) != expected:
        for name in sorted(expected - set(row)):
            yield Fault(where, name, _("This field is missing."))
        for name in sorted(set(row) - expected):
            yield Fault(where, f"{name:.{LONGEST_SHOWN}}", _("There is no such field."))
        return
    for name, target in pointer_targets.items():
        if row[name] is None and model._meta.get_field(name).null:
            continue
        if type(row[name]) is not int or row[name] not in ids[target]:
            yield Fault(where, name, _("It names a %(kind)s that is missing.") % _kind(target))
    for name, target in list_targets.items():
        row_ids = row[name]
        if not isinstance(row_ids, list) or len(set(map(str, row_ids))) < len(row_ids):
            yield Fault(where, name, _("This is not a list of rows."))
        elif not all(type(row_id) is int and row_id in ids[target] for row_id in row_ids):
            yield Fault(where, name, _("It names a %(kind)s that is missing.") % _kind(target))
    yield from _value_faults(model, row, fields, where)


def _kind(model: type[models.Model]) -> dict[str, str]:
    return {"kind": model.__name__}


def _value_faults(
    model: type[models.Model], row: dict[str, Any], fields: Mapping[str, Any], where: str
) -> Iterator[Fault]:
    values, is_valid = {}, True
    for name, field in fields.items():
        try:
            values[name] = value_of(field, row[name])
        except ValidationError as error:
            is_valid = False
            yield from (Fault(where, name, sentence) for sentence in error.messages)
    if is_valid:
        values |= {f"{name}_id": row[name] for name, _target in pointers(model)}
        yield from _clean_faults(model, values, where)


def _clean_faults(model: type[models.Model], values: dict[str, Any], where: str) -> Iterator[Fault]:
    """What the model's `clean` objects to."""
    try:
        model(**values).clean()
    except ValidationError as error:
        for name, sentences in _by_field(error).items():
            yield from (Fault(where, name, sentence) for sentence in sentences)


def _by_field(error: ValidationError) -> dict[str, list[str]]:
    if hasattr(error, "error_dict"):
        by_field: dict[str, list[str]] = error.message_dict
        return {
            ("" if n == NON_FIELD_ERRORS else n): sentences for n, sentences in by_field.items()
        }
    return {"": error.messages}


def value_of(field: "models.Field[Any, Any]", data: Any) -> Any:
    """The value of a field from an archive, validated as a form would.

    Raises ValidationError.
    """
    if data is None:
        if field.null:
            return None
        raise ValidationError(_("This field cannot be null."))
    for sentence in islice(troubles(data), 1):
        raise ValidationError(sentence)
    value = _typed(field, data)
    if isinstance(field, models.CharField) and not _has_valid_characters(field, value):
        raise ValidationError(_("It has characters that cannot be in a code."))
    if value == "" and not field.blank:
        raise ValidationError(_("This field cannot be empty."))
    if field.choices and value not in _choices(field):
        raise ValidationError(
            _("“%(value)s” is not one of the choices."),
            params={"value": f"{value:.{LONGEST_SHOWN}}"},
        )
    if isinstance(field, models.JSONField):
        _validate_json(field, value)
    elif value not in field.empty_values or not field.blank:
        field.run_validators(value)
    return value


def _validate_json(field: models.JSONField, value: Any) -> None:
    """Run the field's validators, and refuse empty values of another type than its default.

    Django itself skips every empty value. Fields without validators (old and new values in the
    activity log) take any value.
    """
    default = field.get_default()
    if not field.validators:
        return
    if value == default and type(value) is type(default):
        return
    if value in field.empty_values and type(value) is not type(default):
        raise ValidationError(_("This value has the wrong type."))
    for validator in field.validators:
        validator(value)


def _has_valid_characters(field: models.CharField, value: str) -> bool:
    """Whether a code, which no person types, has only the characters of codes; lines of text have
    validators of their own."""
    if isinstance(field, CopiedField):
        return not fault(value, needs_letter=False) if value else True
    if isinstance(field, LineField | models.EmailField) or field.name == "name_key":
        return True  # a name's key follows from the name, whatever the file says
    return (IN_ADDRESSES if field.name in IDS else CODE).fullmatch(value) is not None


def _choices(field: "models.Field[Any, Any]") -> set[Any]:
    return {key for key, _label in field.flatchoices or ()} | ({""} if field.blank else set())


def _typed(field: "models.Field[Any, Any]", data: Any) -> Any:
    """The value, converted from the one type that an archive uses for the field."""
    kind, read = next(reading for cls, reading in TYPES if isinstance(field, cls))
    is_kind = isinstance(data, kind)
    if not is_kind or (isinstance(data, bool) and kind not in (bool, object)):
        raise ValidationError(_("This value has the wrong type."))
    return read(field, data)


def _whole(field: "models.Field[Any, Any]", data: int) -> int:
    small = models.SmallIntegerField | models.PositiveSmallIntegerField
    most = SMALL if isinstance(field, small) else USUAL
    least = 0 if field.get_internal_type().startswith("Positive") else -most
    least = 1 if field.name in FROM_ONE else least
    most = min(most, MOST_COUNTED) if field.name in COUNTERS else most
    if not least <= data <= most:
        raise ValidationError(
            _("Choose a number from %(least)d to %(most)d."), params={"least": least, "most": most}
        )
    return data


def _moment(field: "models.Field[Any, Any]", data: str) -> datetime:
    moment = _parsed(parse_datetime, data)
    if moment is None or moment.tzinfo is None:
        raise ValidationError(_("This is not a date and time."))
    if not EARLIEST <= moment < LATEST:
        validate_day(moment)
    return moment


def _day(field: "models.Field[Any, Any]", data: str) -> date:
    day = _parsed(parse_date, data)
    if day is None:
        raise ValidationError(_("This is not a date."))
    validate_day(day)
    return day


def _hour(field: "models.Field[Any, Any]", data: str) -> time:
    hour = _parsed(parse_time, data)
    if hour is None or hour.tzinfo is not None:
        raise ValidationError(_("This is not a time of day."))
    return hour


def _parsed(parse: Any, data: str) -> Any:
    try:
        return parse(data)
    except (ValueError, OverflowError):
        return None


def _same(field: "models.Field[Any, Any]", data: Any) -> Any:
    return field.to_python(data)


# The years of a club, with a day's margin for time zones.
EARLIEST, LATEST = datetime(1899, 12, 31, tzinfo=UTC), datetime(2201, 1, 2, tzinfo=UTC)

# The JSON type of each kind of field, and how to read it; the first matching kind counts.
TYPES: tuple[tuple[type, tuple[Any, Any]], ...] = (
    (models.BooleanField, (bool, _same)),
    (models.DecimalField, (str, _same)),
    (models.FloatField, ((int, float), _same)),
    (models.IntegerField, (int, _whole)),
    (models.DateTimeField, (str, _moment)),
    (models.DateField, (str, _day)),
    (models.TimeField, (str, _hour)),
    (models.CharField, (str, _same)),
    (models.TextField, (str, _same)),
    (models.JSONField, (object, _same)),
)
