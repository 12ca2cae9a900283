"""Standings rendered once and kept: under what was asked, the names shown and the revision."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.translation import get_language

from league.standings.asked import Asked
from league.standings.queries import Standings
from league.standings.tables import Row, rows_of, table_of

PER_PAGE = 60
KEPT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Part:
    """The rendered table, and each row for what stands outside it (my own line, the podium)."""

    html: str
    rows: tuple[Row, ...]
    provisional: bool

    def row_of(self, who: int | None) -> Row | None:
        return next((row for row in self.rows if row.who == who), None)

    @property
    def podium(self) -> list[Row]:
        """Whoever has one of the first three ranks."""
        return [row for row in self.rows if row.rank <= 3]


def part_for(
    what: Iterable[object],
    names: dict[int, str],
    asked: Asked,
    standings: Callable[[], Standings],
    context: dict[str, Any],
) -> Part:
    """The table as asked: from the cache where the same has been shown to somebody before.

    `what` names the thing and its revision. The names are part of the key, so a name that
    changes or is hidden is gone at once. A search is never kept: there is no end of them.
    """
    key = _key((*what, asked, get_language(), sorted(names.items())))
    part: Part | None = None if asked.search else caches["pages"].get(key)
    if part is None:
        part = _part(names, asked, standings(), context)
        if not asked.search:
            caches["pages"].set(key, part, KEPT_SECONDS)
    return part


def _key(parts: Iterable[object]) -> str:
    return "standings:" + hashlib.sha256(repr(tuple(parts)).encode()).hexdigest()


def _part(
    names: dict[int, str], asked: Asked, standings: Standings, context: dict[str, Any]
) -> Part:
    rows = rows_of(standings, names)
    shown = [row for row in rows if fits(row, asked)]
    table = table_of(standings, shown, order_by=asked.sort, caption=context.get("caption", ""))
    pages = max(1, -(-len(shown) // PER_PAGE))
    table.paginate(page=min(asked.page, pages), per_page=PER_PAGE)
    html = render_to_string(
        "standings/_standings.html",
        {
            **context,
            "table": table,
            "standings": standings,
            "asked": asked,
            "request": SimpleNamespace(GET=asked.query()),
        },
    )
    return Part(html, tuple(rows), standings.provisional)


def fits(row: Row, asked: Asked) -> bool:
    """Whether a line is among those asked for; ranks stay those of the whole table."""
    if asked.who and row.is_guest != (asked.who == "guests"):
        return False
    return asked.search.casefold() in row.key
