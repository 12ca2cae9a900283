"""SQL for the rows of a model, written once a process instead of at every use.

Django builds each statement anew, column by column, and for one row that is most of the work of
reading or writing it. What all phones of a hall send all evening goes this way instead, and what
every page of a club, a session or standings begins with. Every value passes through its model's
field in both directions, as it does in Django, so that both databases are served; defaults and the
models' `save` are not asked, and there are no signals.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    BooleanField,
    FloatField,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
)
from django.db.models.base import ModelState
from django.utils.dateparse import parse_date, parse_datetime, parse_time

from league.database import database_to_read

# Numbers need no field to make them ready for a database.
AS_THEY_ARE = (IntegerField, FloatField, BooleanField, ForeignKey)
PARSED_FROM_TEXT = {
    "DateTimeField": parse_datetime,
    "DateField": parse_date,
    "TimeField": parse_time,
}
# How rows become one JSON value, and one row of them a list.
AS_JSON = {
    "sqlite": "json_group_array(json_array({}))",
    "postgresql": "coalesce(json_agg(json_build_array({})), '[]')::text",
}
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class _Shape:
    """A model's columns as they are read: their SQL, their attributes, what converts which."""

    model: type[Model]
    columns: str
    names: list[str]
    converted: list[tuple[int, Any, Any]]


def execute(sql: str, *values: Any) -> int:
    """Run a statement; how many rows it changed."""
    with _database().cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def returned(sql: str, *values: Any) -> tuple[Any, ...] | None:
    """Run a statement that returns of one row; what it returned, None where there was no row."""
    with _database().cursor() as cursor:
        cursor.execute(sql, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def read(model: type[Row], rest: str, *values: Any) -> list[Row]:
    """The rows of one model. `rest` follows its columns: `FROM … WHERE …`."""
    return [row for (row,) in read_joined((model,), rest, *values)]


def read_joined(models: Sequence[type[Model]], rest: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of several models side by side; `rest` joins their tables, under their own names."""
    database = database_to_read()
    shapes = [_shape(model, database) for model in models]
    columns = ", ".join(shape.columns for shape in shapes)
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {columns} {rest}", values)
        rows = cursor.fetchall()
    return [_rows(shapes, list(values), database) for values in rows]


def read_values(
    model: type[Model], names: Sequence[str], rest: str, *values: Any
) -> list[tuple[Any, ...]]:
    """These fields alone of the rows of one model, by attribute; `rest` as for `read`."""
    database = database_to_read()
    shape = _shape(model, database, tuple(names))
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {shape.columns} {rest}", values)
        rows = cursor.fetchall()
    return [tuple(_converted(shape, list(row), database)) for row in rows]


def read_together(*queries: tuple[type[Model], str, Sequence[Any]]) -> list[list[Any]]:
    """The rows of several models in one statement: of each, with its `rest` and values, what
    `read` would return, in no order. The rows of each come as one JSON value, which is why their
    models may have no fractions: an older SQLite would shorten them."""
    database = database_to_read()
    sql, shapes = _lists(tuple((model, rest) for model, rest, _values in queries), database)
    with database.cursor() as cursor:
        cursor.execute(sql, [value for _model, _rest, values in queries for value in values])
        lists = map(json.loads, cursor.fetchone())
    return [
        [_row(shape, values, database) for values in rows]
        for shape, rows in zip(shapes, lists, strict=True)
    ]


def insert(row: Model, *, returning: str = "NULL") -> Any:
    """Store a new row, and give it its id; what `returning` selects is returned."""
    database = _database()
    sql, fields = _insertion(type(row))
    with database.cursor() as cursor:
        values = _values(row, fields, database)
        cursor.execute(
            f"{sql} VALUES {_places(1, len(fields))} RETURNING id, ({returning})", values
        )
        row.pk, answer = cursor.fetchone()
    row._state.adding, row._state.db = False, database.alias
    return answer


def upsert(
    model: type[Model],
    rows: Sequence[Mapping[str, Any]],
    *,
    key: Sequence[str],
    names: Sequence[str],
) -> None:
    """Store rows of a model, given by attribute, in one statement; where the `key` is there,
    store these fields."""
    database = _database()
    sql, fields = _insertion(model)
    on_conflict = _on_conflict(model, tuple(key), tuple(names))
    if database.vendor == "postgresql":
        execute(f"{sql} {_from_json(model)} {on_conflict}", _json(rows, fields, database))
        return
    values = [value for row in rows for value in _ready(row, fields, database)]
    execute(f"{sql} VALUES {_places(len(rows), len(fields))} {on_conflict}", *values)


def update(row: Model, names: Sequence[str]) -> None:
    """Store these fields of a row that is there."""
    sql, fields = _change(type(row), tuple(names))
    execute(sql, *_values(row, fields, _database()), row.pk)


def _database() -> Any:
    return connections[DEFAULT_DB_ALIAS]


def _rows(shapes: list[_Shape], values: list[Any], database: Any) -> tuple[Model, ...]:
    made, first = [], 0
    for shape in shapes:
        after = first + len(shape.names)
        made.append(_row(shape, values[first:after], database))
        first = after
    return tuple(made)


def _row(shape: _Shape, values: list[Any], database: Any) -> Model:
    """A row of a model, as `from_db` makes it, which asks at every field whether it was read."""
    row = shape.model.__new__(shape.model)
    row.__dict__.update(zip(shape.names, _converted(shape, values, database), strict=True))
    row._state = ModelState()
    row._state.adding, row._state.db = False, database.alias
    return row


def _converted(shape: _Shape, values: list[Any], database: Any) -> list[Any]:
    for place, column, convert in shape.converted:
        values[place] = convert(values[place], column, database)
    return values


@lru_cache(maxsize=64)
def _lists(queries: tuple[tuple[type[Model], str], ...], database: Any) -> tuple[str, list[_Shape]]:
    shapes = [_shape(model, database, in_json=True) for model, _rest in queries]
    lists = [
        f"(SELECT {AS_JSON[database.vendor].format(shape.columns)} {rest})"
        for shape, (_model, rest) in zip(shapes, queries, strict=True)
    ]
    return f"SELECT {', '.join(lists)}", shapes


@lru_cache(maxsize=256)
def _shape(
    model: type[Model], database: Any, only: tuple[str, ...] = (), *, in_json: bool = False
) -> _Shape:
    """Of one connection, which is one thread's: its converters belong to it."""
    table: str = model._meta.db_table
    fields: Sequence[Any] = _fields(model, only) or model._meta.concrete_fields
    if in_json and any(isinstance(field, FloatField) for field in fields):
        raise TypeError(f"{model.__name__} has fractions, and is not to be read as JSON.")
    columns = [field.get_col(table) for field in fields]
    by_column = [_converters(column, database, in_json=in_json) for column in columns]
    names = [f"{_quoted(table)}.{_quoted(field.column)}" for field in fields]
    if in_json and database.vendor == "sqlite":  # JSON is kept as text there
        is_json = [isinstance(field, JSONField) for field in fields]
        names = [f"json({name})" if so else name for name, so in zip(names, is_json, strict=True)]
    return _Shape(
        model,
        ", ".join(names),
        [field.attname for field in fields],
        [
            (place, column, convert)
            for place, (column, converters) in enumerate(zip(columns, by_column, strict=True))
            for convert in converters
        ],
    )


def _converters(column: Any, database: Any, *, in_json: bool) -> list[Any]:
    """What makes a value out of what the database tells; in JSON, JSON is made with all the rest,
    and PostgreSQL tells times as text."""
    if in_json and isinstance(column.target, JSONField):
        return []
    if in_json and database.vendor == "postgresql":
        parse = PARSED_FROM_TEXT.get(column.target.get_internal_type())
        return [lambda values, *_column: parse(values) if values else None] if parse else []
    return [*database.ops.get_db_converters(column), *column.get_db_converters(database)]


@lru_cache(maxsize=64)
def _insertion(model: type[Model]) -> tuple[str, list[Any]]:
    fields: list[Any] = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(_quoted(field.column) for field in fields)
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({columns})", fields


@lru_cache(maxsize=64)
def _from_json(model: type[Model]) -> str:
    """Rows out of one JSON value. psycopg reads a statement of more than fifty values anew each
    time, which is more work than all the rest of sending it."""
    table, fields = _quoted(model._meta.db_table), _insertion(model)[1]
    columns = ", ".join(_quoted(field.column) for field in fields)
    return f"SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)"  # noqa: S608


def _json(rows: Iterable[Mapping[str, Any]], fields: list[Any], database: Any) -> str:
    names = [field.column for field in fields]
    values = [dict(zip(names, _ready(row, fields, database), strict=True)) for row in rows]
    return json.dumps(values, default=str)


@lru_cache(maxsize=64)
def _change(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[Any]]:
    fields = _fields(model, names)
    changed = ", ".join(f"{_quoted(field.column)} = %s" for field in fields)
    sql = f"UPDATE {_quoted(model._meta.db_table)} SET {changed} WHERE id = %s"  # noqa: S608 - names
    return sql, fields


@lru_cache(maxsize=64)
def _on_conflict(model: type[Model], key: tuple[str, ...], names: tuple[str, ...]) -> str:
    there = ", ".join(_quoted(field.column) for field in _fields(model, key))
    columns = [_quoted(field.column) for field in _fields(model, names)]
    changed = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns)
    return f"ON CONFLICT ({there}) DO UPDATE SET {changed}"


def _fields(model: type[Model], names: Iterable[str]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


@lru_cache(maxsize=64)
def _places(rows: int, fields: int) -> str:
    one = f"({', '.join(['%s'] * fields)})"
    return ", ".join([one] * rows)


def _values(row: Model, fields: Iterable[Any], database: Any) -> list[Any]:
    return _ready(row.__dict__, fields, database)


def _ready(row: Mapping[str, Any], fields: Iterable[Any], database: Any) -> list[Any]:
    """The values of a row as the database takes them."""
    return [
        row[field.attname]
        if isinstance(field, AS_THEY_ARE)
        else field.get_db_prep_save(row[field.attname], database)
        for field in fields
    ]


def _quoted(name: str) -> str:
    return str(_database().ops.quote_name(name))
