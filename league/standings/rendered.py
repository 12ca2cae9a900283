"""Standings rendered once and kept: under what was asked, the names shown and the revision."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import NamedTuple, TypeVar

from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.translation import get_language

from league.members.models import Club, Member
from league.standings.asked import Asked
from league.standings.queries import Standings, names
from league.standings.shown import Shown
from league.standings.tables import Row, rows_of, table_of

PER_PAGE = 60
KEPT_SECONDS = 3600
Made = TypeVar("Made")


class Place(NamedTuple):
    """What is said of a line outside the table: on the podium, or as the reader's own.

    A plain tuple, because a page that was kept unpacks one for everybody.
    """

    who: int
    rank: int
    name: str
    missing: int
    decided: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The rendered table, and every line's place for what stands outside it.

    It is good `until` the moment when silence accepts a game that is open in it.
    """

    html: str
    places: tuple[Place, ...]
    provisional: bool
    until: datetime | None = None

    def place_of(self, who: int | None) -> Place | None:
        return next((place for place in self.places if place.who == who), None)

    @property
    def podium(self) -> list[Place]:
        """Whoever has one of the first three ranks."""
        return [place for place in self.places if place.rank <= 3]


def part_for(
    what: Iterable[object],
    club: Club,
    rank: str | None,
    shown: Shown,
    asked: Asked,
    standings: Callable[[dict[int, Member]], Standings],
    caption: str,
    *,
    at: datetime,
) -> Part:
    """The table as asked: from the cache where the same has been shown to somebody before.

    `what` names the thing and its revision. All that names depend on is part of the key, so a
    name that changes or is hidden is gone at once. A search is never kept: there is no end of them.
    """
    what = (*what, caption, naming(club, rank), shown.rows, asked)

    def made() -> Part:
        people = shown.people()
        return _part(standings(people), names(people, club, rank), asked, club, caption)

    if asked.search:
        return made()
    return kept("standings", what, made, good=lambda p: p.until is None or p.until > at)


def naming(club: Club, rank: str | None) -> tuple[str, ...]:
    """What of a club decides how a viewer of this rank reads names, and where their pages are."""
    return (club.slug, "" if rank else f"{club.visibility} {club.names_in_public}")


def kept(
    kind: str,
    what: Iterable[object],
    make: Callable[[], Made],
    *,
    good: Callable[[Made], bool] = bool,
) -> Made:
    """What is made of this, in this language: from the cache where it was made before.

    `what` is told in full by its `repr`, and names whatever the result depends on. What is no
    longer `good` is made again; what is empty always is.
    """
    told = repr((*what, get_language()))
    key = f"{kind}:{hashlib.sha256(told.encode()).hexdigest()}"
    found: Made | None = caches["pages"].get(key)
    if found is None or not good(found):
        found = make()
        caches["pages"].set(key, found, KEPT_SECONDS)
    return found


def _part(
    standings: Standings, named: dict[int, str], asked: Asked, club: Club, caption: str
) -> Part:
    rows = rows_of(standings, named)
    wanted = [row for row in rows if fits(row, asked)]
    table = table_of(standings, wanted, order_by=asked.sort, caption=caption)
    pages = max(1, -(-len(wanted) // PER_PAGE))
    table.paginate(page=min(asked.page, pages), per_page=PER_PAGE)
    context = {"club": club, "caption": caption, "table": table, "standings": standings}
    context |= {"asked": asked, "request": SimpleNamespace(GET=asked.query())}
    html = render_to_string("standings/_standings.html", context)
    places = (Place(r.who, r.rank, r.name, r.missing, r.decided, r.why) for r in rows)
    return Part(html, tuple(places), standings.provisional, standings.until)


def fits(row: Row, asked: Asked) -> bool:
    """Whether a line is among those asked for; ranks stay those of the whole table."""
    if asked.who and row.is_guest != (asked.who == "guests"):
        return False
    return asked.search.casefold() in row.key
