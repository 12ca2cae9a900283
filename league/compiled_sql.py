"""SQL statements for the rows of a model, built once per process instead of for every query.

Django builds each statement column by column, which is most of the work of reading or writing a
single row. The queries that phones send all evening, and those that pages of clubs, sessions and
standings begin with, use this module instead. Values are converted by their model's fields in both
directions, as in Django, so that both databases work; field defaults, the models' `save` and
signals are skipped.
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

# Fields whose values need no conversion for a database.
UNCONVERTED = (IntegerField, FloatField, BooleanField, ForeignKey)
PARSED_FROM_TEXT = {
    "DateTimeField": parse_datetime,
    "DateField": parse_date,
    "TimeField": parse_time,
}
# SQL that aggregates rows into one JSON value, with a list for each row.
AS_JSON = {
    "sqlite": "json_group_array(json_array({}))",
    "postgresql": "coalesce(json_agg(json_build_array({})), '[]')::text",
}
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class _Shape:
    """The columns to read of a model: their SQL, their attributes, and converters by position."""

    model: type[Model]
    columns: str
    names: list[str]
    converted: list[tuple[int, Any, Any]]


def execute(sql: str, *values: Any) -> int:
    """Run a statement, and return how many rows it changed."""
    with _database().cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def fetch_row(sql: str, *values: Any) -> tuple[Any, ...] | None:
    """Run a statement, and return the first row of its result, or None."""
    with _database().cursor() as cursor:
        cursor.execute(sql, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def read(model: type[Row], rest: str, *values: Any) -> list[Row]:
    """The rows of one model. `rest` is the SQL that follows its columns: `FROM … WHERE …`."""
    return [row for (row,) in read_joined((model,), rest, *values)]


def read_joined(models: Sequence[type[Model]], rest: str, *values: Any) -> list[tuple[Any, ...]]:
    """Tuples of rows of several models; `rest` joins their tables, without aliases."""
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
    """The values of some fields, given by attribute, of the rows of one model; `rest` is as for
    `read`."""
    database = database_to_read()
    shape = _shape(model, database, tuple(names))
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {shape.columns} {rest}", values)
        rows = cursor.fetchall()
    return [tuple(_converted(shape, list(row), database)) for row in rows]


def read_together(*queries: tuple[type[Model], str, Sequence[Any]]) -> list[list[Any]]:
    """The rows of several models, read in one statement. A query is a model, its `rest` and values
    as for `read`; its rows are unordered.

    The rows of each query arrive as one JSON value. Models with float fields are refused, since
    older SQLite versions would round them.
    """
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
    """Store a new row, set its id, and return what `returning` selects."""
    database = _database()
    sql, fields = _insert_statement(type(row))
    with database.cursor() as cursor:
        values = _values(row, fields, database)
        cursor.execute(
            f"{sql} VALUES {_placeholders(1, len(fields))} RETURNING id, ({returning})", values
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
    """Store rows of a model, given by attribute, in one statement; of a row whose `key` exists
    only the fields in `names` are updated."""
    database = _database()
    sql, fields = _insert_statement(model)
    on_conflict = _on_conflict(model, tuple(key), tuple(names))
    if database.vendor == "postgresql":
        execute(f"{sql} {_from_json(model)} {on_conflict}", _json(rows, fields, database))
        return
    values = [value for row in rows for value in _prepared(row, fields, database)]
    execute(f"{sql} VALUES {_placeholders(len(rows), len(fields))} {on_conflict}", *values)


def update(row: Model, names: Sequence[str]) -> None:
    """Store the fields in `names` of an existing row."""
    sql, fields = _update_statement(type(row), tuple(names))
    execute(sql, *_values(row, fields, _database()), row.pk)


def _database() -> Any:
    return connections[DEFAULT_DB_ALIAS]


def _rows(shapes: list[_Shape], values: list[Any], database: Any) -> tuple[Model, ...]:
    rows, start = [], 0
    for shape in shapes:
        end = start + len(shape.names)
        rows.append(_row(shape, values[start:end], database))
        start = end
    return tuple(rows)


def _row(shape: _Shape, values: list[Any], database: Any) -> Model:
    """An instance as `from_db` makes it, but without its check of every field."""
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
    """The shape for one connection, and so for one thread: the converters belong to it."""
    table: str = model._meta.db_table
    fields: Sequence[Any] = _fields(model, only) or model._meta.concrete_fields
    if in_json and any(isinstance(field, FloatField) for field in fields):
        raise TypeError(f"{model.__name__} has fractions, and is not to be read as JSON.")
    columns = [field.get_col(table) for field in fields]
    column_converters = [_converters(column, database, in_json=in_json) for column in columns]
    names = [f"{_quoted(table)}.{_quoted(field.column)}" for field in fields]
    if in_json and database.vendor == "sqlite":  # it stores JSON as text
        names = [
            f"json({name})" if isinstance(field, JSONField) else name
            for name, field in zip(names, fields, strict=True)
        ]
    return _Shape(
        model,
        ", ".join(names),
        [field.attname for field in fields],
        [
            (place, column, convert)
            for place, (column, converters) in enumerate(
                zip(columns, column_converters, strict=True)
            )
            for convert in converters
        ],
    )


def _converters(column: Any, database: Any, *, in_json: bool) -> list[Any]:
    """The functions that convert a column's database value. Inside a JSON value, JSON fields are
    already decoded, and PostgreSQL gives times as text."""
    if in_json and isinstance(column.target, JSONField):
        return []
    if in_json and database.vendor == "postgresql":
        parse = PARSED_FROM_TEXT.get(column.target.get_internal_type())
        return [lambda values, *_column: parse(values) if values else None] if parse else []
    return [*database.ops.get_db_converters(column), *column.get_db_converters(database)]


@lru_cache(maxsize=64)
def _insert_statement(model: type[Model]) -> tuple[str, list[Any]]:
    fields: list[Any] = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(_quoted(field.column) for field in fields)
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({columns})", fields


@lru_cache(maxsize=64)
def _from_json(model: type[Model]) -> str:
    """SQL that turns one JSON value into rows. psycopg parses a statement with more than fifty
    values every time, which is more work than the rest of the call."""
    table, fields = _quoted(model._meta.db_table), _insert_statement(model)[1]
    columns = ", ".join(_quoted(field.column) for field in fields)
    return f"SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)"  # noqa: S608


def _json(rows: Iterable[Mapping[str, Any]], fields: list[Any], database: Any) -> str:
    names = [field.column for field in fields]
    values = [dict(zip(names, _prepared(row, fields, database), strict=True)) for row in rows]
    return json.dumps(values, default=str)


@lru_cache(maxsize=64)
def _update_statement(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[Any]]:
    fields = _fields(model, names)
    changed = ", ".join(f"{_quoted(field.column)} = %s" for field in fields)
    sql = f"UPDATE {_quoted(model._meta.db_table)} SET {changed} WHERE id = %s"  # noqa: S608 - names
    return sql, fields


@lru_cache(maxsize=64)
def _on_conflict(model: type[Model], key: tuple[str, ...], names: tuple[str, ...]) -> str:
    key_columns = ", ".join(_quoted(field.column) for field in _fields(model, key))
    columns = [_quoted(field.column) for field in _fields(model, names)]
    changed = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns)
    return f"ON CONFLICT ({key_columns}) DO UPDATE SET {changed}"


def _fields(model: type[Model], names: Iterable[str]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


@lru_cache(maxsize=64)
def _placeholders(rows: int, fields: int) -> str:
    row = f"({', '.join(['%s'] * fields)})"
    return ", ".join([row] * rows)


def _values(row: Model, fields: Iterable[Any], database: Any) -> list[Any]:
    return _prepared(row.__dict__, fields, database)


def _prepared(row: Mapping[str, Any], fields: Iterable[Any], database: Any) -> list[Any]:
    """The values of a row, prepared for the database."""
    return [
        row[field.attname]
        if isinstance(field, UNCONVERTED)
        else field.get_db_prep_save(row[field.attname], database)
        for field in fields
    ]


def _quoted(name: str) -> str:
    return str(_database().ops.quote_name(name))
