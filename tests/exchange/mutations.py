"""An archive with one thing changed, as somebody with an editor could: by chance, from a seed."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from league.exchange.archive_writing import archived, lists, pointers

DEEP: Any = "x"
for _level in range(60):
    DEEP = [DEEP]
HUGE = 10**30
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 4, 5, 7, 99, 401, 999, 1000, 32_767, 32_768, 2**31 - 1,
    2**31, 2**53, 2**63, HUGE, -HUGE, 0.5, -0.5, 1e308, float("nan"), float("inf"), "", " ", "x",
    "0", "1", "-1", "2.5", "NaN", "1e9", "Mars/Olympus", "UTC", "\ud800", "a\0b", "a\u202eb",
    "x" * 61, "x" * 201, "x" * 10_000, "0001-01-01", "9999-12-31", "2026-02-30", "2026-11-19",
    "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00", "2026-11-19T20:00:00",
    "2026-11-19T20:00:00+00:00", "24:00:00", "19:30:00", [], {}, [1], [-1], ["x"], [None], [[]],
    [1, 2], [2, 1, 0], {"x": 1}, {"dealer": {}}, {"dealer": 0}, {"5": [9, 9]}, {"extends": "x"},
    DEEP, ["won", "won"], ["nonsense"], ["100", "100"],
)  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """What was changed, in words; the file; the public ids around the row that was changed."""

    what: str
    data: Any
    around: frozenset[str]


def mutations(data: dict[str, Any], *, seed: int) -> Iterator[Mutation]:
    """Changes of the file without end."""
    chance = Random(seed)
    there = [model for model in archived() if data["rows"][model.__name__]]
    while True:
        model = chance.choice(there)
        rows = data["rows"][model.__name__]
        place = chance.randrange(len(rows))
        changed = {**data, "rows": {**data["rows"], model.__name__: list(rows)}}
        row = copy.deepcopy(rows[place])
        changed["rows"][model.__name__][place] = row
        change = chance.choice([*[_field] * 8, *[_inside] * 5, *[_pointer] * 5, _rows, _cut_off])
        what = change(chance, changed["rows"], model, row)
        if changed != data and what:
            name = f"{model.__name__} {place}: {what}"
            yield Mutation(name, changed, frozenset(_around(data["rows"], model, rows[place])))


def _field(chance: Random, rows: Any, model: Any, row: Any) -> str:
    """Another value in a field: any, or another row's."""
    name = chance.choice(sorted(row))
    others = [one[name] for one in rows[model.__name__] if name in one]
    row[name] = copy.deepcopy(chance.choice([*VALUES, *[chance.choice(others)] * 12]))
    field = next((f for f in model._meta.fields if f.name == name), None)
    if field is not None and field.choices and chance.random() < 0.7:
        row[name] = chance.choice([key for key, _label in field.flatchoices])
    return f"{name} = {row[name]!r:.80}"


def _inside(chance: Random, rows: Any, model: Any, row: Any) -> str:
    """A change somewhere within a value that is a list or an object."""
    names = [name for name, value in sorted(row.items()) if isinstance(value, list | dict)]
    if not names:
        return ""
    path = [chance.choice(names)]
    inner = row[path[0]]
    while isinstance(inner, list | dict) and inner:
        keys = sorted(inner, key=str) if isinstance(inner, dict) else list(range(len(inner)))
        key = chance.choice(keys)
        path.append(key)
        if not isinstance(inner[key], list | dict) or not inner[key] or chance.random() < 0.2:
            how = chance.choice(("put", "put", "put", "take", "twice"))
            if how == "put":
                inner[key] = copy.deepcopy(chance.choice(VALUES))
                return f"{path} = {inner[key]!r:.80}"
            if how == "take":
                del inner[key]
            elif isinstance(inner, list):
                inner.insert(key, copy.deepcopy(inner[key]))
            else:
                inner[f"{key}x"] = copy.deepcopy(inner[key])
            return f"{path} {how}"
        inner = inner[key]
    return ""


def _pointer(chance: Random, rows: Any, model: Any, row: Any) -> str:
    """Another row to point at: of the right kind, of another kind, itself, nothing."""
    named = [*pointers(model), *lists(model)]
    if not named:
        return ""
    name, to = chance.choice(named)
    ids = [one["id"] for one in rows[to.__name__]]
    some = chance.choice([*[chance.choice(ids)] * 6, None, row["id"], 0, -1, "1", True, 10**9]
                         if ids else [None, 1])  # fmt: skip
    row[name] = [some, *row[name]] if isinstance(row[name], list) else some
    return f"{name} -> {row[name]!r:.80}"


def _rows(chance: Random, rows: Any, model: Any, row: Any) -> str:
    """A row too many or too few, a field too many or too few."""
    all_ = rows[model.__name__]
    how = chance.choice(("row away", "row twice", "row with another id", "key away", "key more"))
    if how == "row away":
        all_.remove(row)
    elif how == "row twice":
        all_.append(row)
    elif how == "row with another id":
        all_.append({**row, "id": 10**6, **({"public_id": "else"} if "public_id" in row else {})})
    elif how == "key away":
        row.pop(chance.choice(sorted(row)))
    else:
        row["x"] = 1
    return how


def _cut_off(chance: Random, rows: Any, model: Any, row: Any) -> str:
    return f"away with {cut_off(rows, model, row)} that hang on it"


def cut_off(rows: Any, model: Any, row: Any) -> int:
    """A row away with everything that cannot be without it: a file that fits together, with a
    hole in it."""
    gone = _hanging_on(rows, model, row)
    for kind in archived():
        kept = [dict(one) for one in rows[kind.__name__] if (kind, one["id"]) not in gone]
        for one in kept:
            for name, to in pointers(kind):
                one[name] = None if (to, one[name]) in gone else one[name]
            for name, to in lists(kind):
                one[name] = [other for other in one[name] if (to, other) not in gone]
        rows[kind.__name__] = kept
    return len(gone) - 1


def _hanging_on(rows: Any, model: Any, row: Any) -> set[tuple[Any, Any]]:
    """A row, and all that lead to it by pointers that are never empty: kinds and ids."""
    gone, before = {(model, row["id"])}, 0
    while len(gone) > before:
        before = len(gone)
        gone |= {
            (kind, one["id"])
            for kind in archived()
            for one in rows[kind.__name__]
            for name, to in pointers(kind)
            if (to, one[name]) in gone and not kind._meta.get_field(name).null
        }
    return gone


def _around(rows: Any, model: Any, row: Any) -> Iterator[str]:
    """The public ids of a row and of every row it leads to."""
    if "public_id" in row:
        yield row["public_id"]
    for name, to in pointers(model):
        if row[name] is not None and to is not model:
            yield from _around(rows, to, next(o for o in rows[to.__name__] if o["id"] == row[name]))
