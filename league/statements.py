"""SQL for the rows of a model, written once a process instead of at every use.

Django builds each statement anew, column by column, and for one row that is most of the work of
reading or writing it. What all phones of a hall send all evening goes this way instead. Every value
passes through its model's field in both directions, as it does in Django, so that both databases
are served; defaults and the models' `save` are not asked, and there are no signals.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import BooleanField, FloatField, ForeignKey, IntegerField, Model

from league.replica import database_to_read

# Numbers need no field to make them ready for a database.
AS_THEY_ARE = (IntegerField, FloatField, BooleanField, ForeignKey)
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class _Shape:
    """A model's columns as they are read: their SQL, their attributes, what converts which."""

    columns: str
    names: list[str]
    converted: list[tuple[int, Any, list[Any]]]


def execute(sql: str, *values: Any) -> int:
    """Run a statement; how many rows it changed."""
    with _database().cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def returned(sql: str, *values: Any) -> tuple[Any, ...] | None:
    """Run a statement that returns of one row; what it returned, None where there was no row."""
    with _database().cursor() as cursor:
        cursor.execute(sql, values)
        found: tuple[Any, ...] | None = cursor.fetchone()
        return found


def read(model: type[Row], rest: str, *values: Any) -> list[Row]:
    """The rows of one model. `rest` follows its columns: `FROM … WHERE …`."""
    return [row for (row,) in read_joined((model,), rest, *values)]


def read_joined(models: Sequence[type[Model]], rest: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of several models side by side; `rest` joins their tables, under their own names."""
    database = database_to_read()
    shapes = [(model, _shape(model, database)) for model in models]
    columns = ", ".join(shape.columns for _model, shape in shapes)
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {columns} {rest}", values)
        found = cursor.fetchall()
    return [_rows(shapes, list(told), database) for told in found]


def insert(row: Model, *, asking: str = "NULL") -> Any:
    """Store a new row, and give it its id; what the same statement asks besides, is returned."""
    database = _database()
    sql, fields = _insertion(type(row))
    with database.cursor() as cursor:
        told = _values(row, fields, database)
        cursor.execute(f"{sql} VALUES {_places(1, len(fields))} RETURNING id, ({asking})", told)
        row.pk, answer = cursor.fetchone()
    row._state.adding, row._state.db = False, database.alias
    return answer


def insert_many(rows: Sequence[Model]) -> None:
    """Store new rows of one model; they are given no ids."""
    if rows:
        database = _database()
        sql, fields = _insertion(type(rows[0]))
        with database.cursor() as cursor:
            told = [_values(row, fields, database) for row in rows]
            cursor.executemany(f"{sql} VALUES {_places(1, len(fields))}", told)


def upsert(rows: Sequence[Model], *, key: Sequence[str], names: Sequence[str]) -> None:
    """Store rows of one model in one statement; where the `key` is there, store these fields."""
    database, model = _database(), type(rows[0])
    sql, fields = _insertion(model)
    on_conflict = _on_conflict(model, tuple(key), tuple(names))
    if database.vendor == "postgresql":
        execute(f"{sql} {_from_json(model)} {on_conflict}", _json(rows, fields, database))
        return
    values = [value for row in rows for value in _values(row, fields, database)]
    execute(f"{sql} VALUES {_places(len(rows), len(fields))} {on_conflict}", *values)


def update(row: Model, names: Sequence[str]) -> None:
    """Store these fields of a row that is there."""
    sql, fields = _change(type(row), tuple(names))
    execute(sql, *_values(row, fields, _database()), row.pk)


def _database() -> Any:
    return connections[DEFAULT_DB_ALIAS]


def _rows(
    shapes: list[tuple[type[Model], _Shape]], told: list[Any], database: Any
) -> tuple[Model, ...]:
    made, first = [], 0
    for model, shape in shapes:
        own = told[first : first + len(shape.names)]
        first += len(shape.names)
        for place, column, converters in shape.converted:
            for convert in converters:
                own[place] = convert(own[place], column, database)
        made.append(model.from_db(database.alias, shape.names, own))
    return tuple(made)


@lru_cache(maxsize=256)
def _shape(model: type[Model], database: Any) -> _Shape:
    """Of one connection, which is one thread's: its converters belong to it."""
    table: str = model._meta.db_table
    fields: Sequence[Any] = model._meta.concrete_fields
    columns = [field.get_col(table) for field in fields]
    found = [
        database.ops.get_db_converters(column) + column.get_db_converters(database)
        for column in columns
    ]
    return _Shape(
        ", ".join(f"{_quoted(table)}.{_quoted(field.column)}" for field in fields),
        [field.attname for field in fields],
        [
            (place, column, converters)
            for place, (column, converters) in enumerate(zip(columns, found, strict=True))
            if converters
        ],
    )


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


def _json(rows: Iterable[Model], fields: list[Any], database: Any) -> str:
    names = [field.column for field in fields]
    told = [dict(zip(names, _values(row, fields, database), strict=True)) for row in rows]
    return json.dumps(told, default=str)


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
    return [
        getattr(row, field.attname)
        if isinstance(field, AS_THEY_ARE)
        else field.get_db_prep_save(getattr(row, field.attname), database)
        for field in fields
    ]


def _quoted(name: str) -> str:
    return str(_database().ops.quote_name(name))
