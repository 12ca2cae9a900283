"""An archive made into a club again: all of it, with equal figures, or nothing."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from league.exchange.archive.shape import (
    FORMAT,
    VERSION,
    archived,
    lists,
    plain_fields,
    pointers,
)
from league.members.audit import Actor, note
from league.members.models import Club
from league.play.models import Game
from league.play.recounting import differences, with_everything

AT_A_TIME = 500  # rows a statement

Ids = dict[type[models.Model], dict[int, int]]


class BadArchive(ValueError):
    """A file that is no archive of this version, or that cannot be restored here."""


@transaction.atomic
def restore(data: object, *, by: Actor, slug: str = "") -> Club:
    """The club of an archive, made anew with rows of its own. `slug` gives it another address.

    Raises BadArchive, and changes nothing, when the file is none or another version's, when a
    club or row of it is here already, or when a recount from the hands gives other figures.
    """
    rows = _checked(data)
    if slug:
        rows["Club"][0]["slug"] = slug
    ids: Ids = {}
    try:
        with transaction.atomic():
            for model in archived():
                ids[model] = _make(model, rows[model.__name__], ids)
            for model in archived():
                _fill_lists(model, rows[model.__name__], ids)
    except IntegrityError as error:
        raise BadArchive(f"This club, or a part of it, is here already ({error}).") from error
    club = Club.objects.get(pk__in=ids[Club].values())
    _refuse_other_figures(club)
    note(club, by, "restore club", club.slug)
    return club


def _checked(data: object) -> dict[str, list[dict[str, Any]]]:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadArchive("This is no archive of a club.")
    if data.get("version") != VERSION:
        raise BadArchive(f"This archive has version {data.get('version')}, not {VERSION}.")
    rows = data.get("rows")
    wanted = {model.__name__ for model in archived()}
    if not isinstance(rows, dict) or set(rows) != wanted:
        raise BadArchive("The archive has other kinds of rows than this version of Right Bower.")
    for name, listed in rows.items():
        if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
            raise BadArchive(f"{name}: not a list of rows.")
    if len(rows["Club"]) != 1:
        raise BadArchive("An archive holds one club.")
    return {name: [dict(row) for row in listed] for name, listed in rows.items()}


def _make(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> dict[int, int]:
    """Rows of one model, made; their old ids and new. Pointers within the model come last."""
    own = [name for name, to in pointers(model) if to is model]
    made = [_row(model, row, ids, leave=own) for row in rows]
    model._base_manager.bulk_create(made, batch_size=AT_A_TIME)
    new = {row["id"]: one.pk for row, one in zip(rows, made, strict=True)}
    if len(new) < len(rows):
        raise BadArchive(f"{model.__name__}: two rows have one id.")
    for name in own:
        changed = [
            (one, row[name]) for row, one in zip(rows, made, strict=True) if row[name] is not None
        ]
        for one, old in changed:
            setattr(one, f"{name}_id", _new_id(model, name, old, new))
        model._base_manager.bulk_update([one for one, _old in changed], [name], AT_A_TIME)
    return new


def _row(
    model: type[models.Model], row: dict[str, Any], ids: Ids, *, leave: list[str]
) -> models.Model:
    fields = {field.name: field for field in plain_fields(model)}
    points = dict(pointers(model))
    many = [name for name, _to in lists(model)]
    if set(row) != {"id", *fields, *points, *many} or type(row["id"]) is not int:
        wrong = sorted(set(row) ^ {"id", *fields, *points, *many})
        raise BadArchive(f"{model.__name__}: other fields than this version's: {wrong}.")
    values = {name: _value(model, field, row[name]) for name, field in fields.items()}
    for name, to in points.items():
        if name not in leave and row[name] is not None:
            values[f"{name}_id"] = _new_id(model, name, row[name], ids[to])
    return model(**values)


def _value(model: type[models.Model], field: "models.Field[Any, Any]", told: Any) -> Any:
    """A field's value, of its type, within its length and choices."""
    if told is None and field.null:
        return None
    try:
        value = field.to_python(told)
        field.run_validators(value)
    except (ValidationError, TypeError, ValueError, OverflowError) as error:
        raise BadArchive(f"{model.__name__}.{field.name}: {told!r:.60} cannot be.") from error
    choices = {key for key, _label in field.flatchoices} if field.choices else None
    if choices is not None and field.blank:
        choices.add("")
    if value is None or (choices is not None and value not in choices):
        raise BadArchive(f"{model.__name__}.{field.name}: {told!r:.60} cannot be.")
    return value


def _new_id(model: type[models.Model], name: str, old: Any, new: Mapping[int, int]) -> int:
    if not isinstance(old, int) or old not in new:
        raise BadArchive(f"{model.__name__}.{name}: there is no row {old!r:.20}.")
    return new[old]


def _fill_lists(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> None:
    for name, to in lists(model):
        field: Any = model._meta.get_field(name)
        mine, theirs = field.m2m_field_name(), field.m2m_reverse_field_name()
        through = field.remote_field.through
        made = [
            through(
                **{
                    f"{mine}_id": ids[model][row["id"]],
                    f"{theirs}_id": _new_id(model, name, old, ids[to]),
                }
            )
            for row in rows
            for old in row[name]
        ]
        through._base_manager.bulk_create(made, batch_size=AT_A_TIME)


def _refuse_other_figures(club: Club) -> None:
    """What is stored of every game has to be what its hands say."""
    games = with_everything(Game.objects.filter(session__club=club).order_by("pk"))
    for found in differences(games.iterator(chunk_size=AT_A_TIME)):
        what = "; ".join(found.what[:3])
        raise BadArchive(f"Game {found.game.public_id} does not agree with its hands: {what}.")
