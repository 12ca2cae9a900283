"""The words of sheets, headings and cells, in the languages of the site.

A CSV file has them as they stand on the left here, for programs. A spreadsheet is read by people
and has the reader's. What comes in may have those of any language.
"""

import re
from collections.abc import Collection
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import pgettext, pgettext_lazy

COLUMNS = {
    "code": pgettext_lazy("a column of a sheet", "code"),
    "name": pgettext_lazy("a column of a sheet", "name"),
    "kind": pgettext_lazy("a column of a sheet", "kind"),
    "e-mail": pgettext_lazy("a column of a sheet", "e-mail"),
    "under age": pgettext_lazy("a column of a sheet", "under age"),
    "shown in public": pgettext_lazy("a column of a sheet", "shown in public"),
    "joined": pgettext_lazy("a column of a sheet", "joined"),
    "retired": pgettext_lazy("a column of a sheet", "retired"),
    "first name": pgettext_lazy("a column of a sheet", "first name"),
    "surname": pgettext_lazy("a column of a sheet", "surname"),
    "date": pgettext_lazy("a column of a sheet", "date"),
    "session": pgettext_lazy("a column of a sheet", "session"),
    "season": pgettext_lazy("a column of a sheet", "season"),
    "round": pgettext_lazy("a column of a sheet", "round"),
    "table": pgettext_lazy("a column of a sheet", "table"),
    "game": pgettext_lazy("a column of a sheet", "game"),
    "hand": pgettext_lazy("a column of a sheet", "hand"),
    "dealer": pgettext_lazy("a column of a sheet", "dealer"),
    "outcome": pgettext_lazy("a column of a sheet", "outcome"),
    "record": pgettext_lazy("a column of a sheet", "record"),
    "adjusted": pgettext_lazy("a column of a sheet", "adjusted"),
    "out of turn": pgettext_lazy("a column of a sheet", "out of turn"),
    "ended": pgettext_lazy("a column of a sheet", "ended"),
    "winners": pgettext_lazy("a column of a sheet", "winners"),
    "rules": pgettext_lazy("a column of a sheet", "rules"),
    "carried": pgettext_lazy("a column of a sheet", "carried"),
    "tournament": pgettext_lazy("a column of a sheet", "tournament"),
    "format": pgettext_lazy("a column of a sheet", "format"),
    "match": pgettext_lazy("a column of a sheet", "match"),
    "winner": pgettext_lazy("a column of a sheet", "winner"),
    "decided by": pgettext_lazy("a column of a sheet", "decided by"),
    "reason": pgettext_lazy("a column of a sheet", "reason"),
    "ended early": pgettext_lazy("a column of a sheet", "ended early"),
    "group": pgettext_lazy("a column of a sheet", "group"),
    "place": pgettext_lazy("a column of a sheet", "place"),
    "seed": pgettext_lazy("a column of a sheet", "seed"),
    "late": pgettext_lazy("a column of a sheet", "late"),
    "bye of": pgettext_lazy("a column of a sheet", "bye of"),
    "session round": pgettext_lazy("a column of a sheet", "session round"),
    "called by": pgettext_lazy("a column of a sheet", "called by"),
    "alone": pgettext_lazy("a column of a sheet", "alone"),
    "begins": pgettext_lazy("a column of a sheet", "begins"),
    "places": pgettext_lazy("a column of a sheet", "places"),
    "minutes a round": pgettext_lazy("a column of a sheet", "minutes a round"),
    "state": pgettext_lazy("a column of a sheet", "state"),
    "tables": pgettext_lazy("a column of a sheet", "tables"),
    "people": pgettext_lazy("a column of a sheet", "people"),
    "team": pgettext_lazy("a column of a sheet", "team"),
    "division": pgettext_lazy("a column of a sheet", "division"),
    "house": pgettext_lazy("a column of a sheet", "house"),
    "venue": pgettext_lazy("a column of a sheet", "venue"),
    "captain": pgettext_lazy("a column of a sheet", "captain"),
    "player": pgettext_lazy("a column of a sheet", "player"),
    "players": pgettext_lazy("a column of a sheet", "players"),
    "points off": pgettext_lazy("a column of a sheet", "points off"),
    "left": pgettext_lazy("a column of a sheet", "left"),
    "planned": pgettext_lazy("a column of a sheet", "planned"),
    "home": pgettext_lazy("a column of a sheet", "home"),
    "away": pgettext_lazy("a column of a sheet", "away"),
    "home games": pgettext_lazy("a column of a sheet", "home games"),
    "away games": pgettext_lazy("a column of a sheet", "away games"),
    "home points": pgettext_lazy("a column of a sheet", "home points"),
    "away points": pgettext_lazy("a column of a sheet", "away points"),
    "awarded": pgettext_lazy("a column of a sheet", "awarded"),
}
YES_OR_NO = {
    "yes": pgettext_lazy("in a cell of a sheet", "yes"),
    "no": pgettext_lazy("in a cell of a sheet", "no"),
}
CELLS: dict[str, dict[str, Any]] = {
    "kind": {
        "member": pgettext_lazy("in a cell of a sheet", "member"),
        "guest": pgettext_lazy("in a cell of a sheet", "guest"),
        "tournament": pgettext_lazy("in a cell of a sheet", "tournament"),
        "entry": pgettext_lazy("in a cell of a sheet", "entry"),
        "match": pgettext_lazy("in a cell of a sheet", "match"),
        "bye": pgettext_lazy("in a cell of a sheet", "bye"),
    },
    "under age": YES_OR_NO,
    "alone": YES_OR_NO,
    "late": YES_OR_NO,
    "out of turn": YES_OR_NO,
    "shown in public": {
        "club": pgettext_lazy("in a cell of a sheet", "club"),
        "name": pgettext_lazy("in a cell of a sheet", "name"),
        "initials": pgettext_lazy("in a cell of a sheet", "initials"),
        "hidden": pgettext_lazy("in a cell of a sheet", "hidden"),
    },
    "outcome": {
        "made": pgettext_lazy("in a cell of a sheet", "made"),
        "march": pgettext_lazy("in a cell of a sheet", "march"),
        "euchred": pgettext_lazy("in a cell of a sheet", "euchred"),
        "passed out": pgettext_lazy("in a cell of a sheet", "passed out"),
        "struck": pgettext_lazy("in a cell of a sheet", "struck"),
    },
    "ended": {
        "time": pgettext_lazy("in a cell of a sheet", "time"),
        "decision": pgettext_lazy("in a cell of a sheet", "decision"),
        "unfinished": pgettext_lazy("in a cell of a sheet", "unfinished"),
    },
    "state": {
        "planned": pgettext_lazy("in a cell of a sheet", "planned"),
        "open": pgettext_lazy("in a cell of a sheet", "open"),
        "closed": pgettext_lazy("in a cell of a sheet", "closed"),
        "cancelled": pgettext_lazy("in a cell of a sheet", "cancelled"),
        "running": pgettext_lazy("in a cell of a sheet", "under way"),
        "finished": pgettext_lazy("in a cell of a sheet", "finished"),
        "withdrawn": pgettext_lazy("in a cell of a sheet", "withdrawn"),
    },
    "decided by": {
        "extra_hand": pgettext_lazy("in a cell of a sheet", "one more hand"),
        "cut": pgettext_lazy("in a cell of a sheet", "cut"),
        "walkover": pgettext_lazy("in a cell of a sheet", "walk-over"),
    },
}
MARKS = {
    "home": pgettext_lazy("in a cell of a sheet", "home"),
    "away": pgettext_lazy("in a cell of a sheet", "away"),
    "nobody": pgettext_lazy("in a cell of a sheet", "nobody"),
    "void": pgettext_lazy("in a cell of a sheet", "void"),
}
MOST = 40  # columns of one kind
NUMBERS = range(1, MOST + 1)
NAMES = ("player", "points", "game", "entry")
NUMBERED = re.compile(r"(player|points|game|entry) (\d+)")
CELLS |= {"awarded": MARKS, **{f"game {n}": MARKS for n in NUMBERS}}


def said_column(column: str) -> str:
    """The heading of a column in the reader's language; what is no column stays as it is."""
    if found := NUMBERED.fullmatch(column):
        said = {
            "player": pgettext("a column of a sheet", "player %(n)s"),
            "points": pgettext("a column of a sheet", "points %(n)s"),
            "game": pgettext("a column of a sheet", "game %(n)s"),
            "entry": pgettext("a column of a sheet", "entry %(n)s"),
        }
        return said[found[1]] % {"n": found[2]}
    return str(COLUMNS.get(column, column))


def said_columns(columns: Collection[str]) -> str:
    """Several headings, one after the other."""
    return ", ".join(map(said_column, columns))


def said_cell(column: str, cell: Any) -> Any:
    """What stands in a cell of this column in the reader's language."""
    return str(CELLS[column].get(cell, cell)) if column in CELLS else cell


def column_of(heading: str, known: Collection[str]) -> str:
    """The column of those `known` that a heading, in small letters, names in some language; else
    the heading."""
    meant = heading if heading in known else _columns().get(heading, heading)
    return meant if meant in known else heading


def cell_of(column: str, cell: str) -> str:
    """What a cell of this column says, as programs have it."""
    return _cells(column).get(cell.casefold(), cell) if column in CELLS else cell


@cache
def _columns() -> dict[str, str]:
    """Every heading of every language, in small letters, with its column."""
    names = [*COLUMNS, *(f"{kind} {n}" for kind in NAMES for n in NUMBERS)]
    return {_in_language(code, said_column, name): name for code in _languages() for name in names}


@cache
def _cells(column: str) -> dict[str, str]:
    words = [(code, word) for code in _languages() for word in CELLS[column]]
    return {_in_language(code, said_cell, column, word): word for code, word in words}


def _in_language(code: str, say: Any, *words: str) -> str:
    with translation.override(code):
        return str(say(*words)).casefold()


def _languages() -> list[str]:
    return [*dict(settings.LANGUAGES), settings.LANGUAGE_CODE]
