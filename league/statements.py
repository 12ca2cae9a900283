"""SQL for the rows of a model, written once a process instead of at every use.

Django builds each statement anew, column by column, and for one row that is most of the work of
reading or writing it. What all phones of a hall send all evening goes this way instead. Every value
passes through its model's field in both directions, as it does in Django, so that both databases
are served; defaults and the models' `save` are not asked, and there are no signals.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import BooleanField, FloatField, ForeignKey, IntegerField, Model

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
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def read(model: type[Row], rest: str, *values: Any) -> list[Row]:
    """The rows of one model. `rest` follows its columns: `FROM … WHERE …`."""
    return [row for (row,) in read_joined((model,), rest, *values)]


def read_joined(models: Sequence[type[Model]], rest: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of several models side by side; `rest` joins their tables, under their own names."""
    shapes = [(model, _shape(model, connection.ops)) for model in models]
    columns = ", ".join(shape.columns for _model, shape in shapes)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} {rest}", values)
        found = cursor.fetchall()
    return [_rows(shapes, list(told)) for told in found]


def insert(row: Model) -> None:
    """Store a new row, and give it its id."""
    sql, fields = _insertion(type(row))
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} VALUES {_places(1, fields)} RETURNING id", _values(row, fields))
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def upsert(rows: Sequence[Model], *, key: Sequence[str], names: Sequence[str]) -> None:
    """Store rows of one model in one statement; where the `key` is there, store these fields."""
    model = type(rows[0])
    sql, fields = _insertion(model)
    on_conflict = _on_conflict(model, tuple(key), tuple(names))
    values = [value for row in rows for value in _values(row, fields)]
    execute(f"{sql} VALUES {_places(len(rows), fields)} {on_conflict}", *values)


def update(row: Model, names: Iterable[str]) -> None:
    """Store these fields of a row that is there."""
    fields = [row._meta.get_field(name) for name in names]
    table = connection.ops.quote_name(row._meta.db_table)
    changed = ", ".join(f"{_quoted(field)} = %s" for field in fields)
    sql = f"UPDATE {table} SET {changed} WHERE id = %s"  # noqa: S608 - names of columns only
    execute(sql, *_values(row, fields), row.pk)


def _rows(shapes: list[tuple[type[Model], _Shape]], told: list[Any]) -> tuple[Model, ...]:
    made, first = [], 0
    for model, shape in shapes:
        own = told[first : first + len(shape.names)]
        first += len(shape.names)
        for place, column, converters in shape.converted:
            for convert in converters:
                own[place] = convert(own[place], column, connection)
        made.append(model.from_db(connection.alias, shape.names, own))
    return tuple(made)


@lru_cache(maxsize=256)
def _shape(model: type[Model], ops: Any) -> _Shape:
    """`ops` are the connection's own: a thread has one, and its converters belong to it."""
    table = model._meta.db_table
    fields = model._meta.concrete_fields
    columns = [field.get_col(table) for field in fields]
    found = [
        ops.get_db_converters(column) + column.get_db_converters(connection) for column in columns
    ]
    return _Shape(
        ", ".join(f"{ops.quote_name(table)}.{_quoted(field)}" for field in fields),
        [field.attname for field in fields],
        [
            (place, column, converters)
            for place, (column, converters) in enumerate(zip(columns, found, strict=True))
            if converters
        ],
    )


@lru_cache(maxsize=64)
def _insertion(model: type[Model]) -> tuple[str, tuple[Any, ...]]:
    fields = tuple(field for field in model._meta.concrete_fields if not field.primary_key)
    columns = ", ".join(_quoted(field) for field in fields)
    return f"INSERT INTO {connection.ops.quote_name(model._meta.db_table)} ({columns})", fields


@lru_cache(maxsize=64)
def _on_conflict(model: type[Model], key: tuple[str, ...], names: tuple[str, ...]) -> str:
    there = ", ".join(_quoted(model._meta.get_field(name)) for name in key)
    columns = [_quoted(model._meta.get_field(name)) for name in names]
    changed = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns)
    return f"ON CONFLICT ({there}) DO UPDATE SET {changed}"


def _places(rows: int, fields: Sequence[Any]) -> str:
    one = f"({', '.join(['%s'] * len(fields))})"
    return ", ".join([one] * rows)


def _values(row: Model, fields: Iterable[Any]) -> list[Any]:
    return [
        getattr(row, field.attname)
        if isinstance(field, AS_THEY_ARE)
        else field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in fields
    ]


def _quoted(field: Any) -> str:
    return str(connection.ops.quote_name(field.column))
