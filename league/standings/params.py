"""The parameters of a table, read from the address: only what is on the list counts."""

from collections.abc import Set
from dataclasses import dataclass
from datetime import date

from django.http import QueryDict
from django.utils.http import urlencode

LONGEST_SEARCH = 60
WHO = ("", "members", "guests")


@dataclass(frozen=True, slots=True)
class Params:
    """Sort (a column, "-" before it for the other way), page, search, who, and of a season: the
    mean evening instead of its own rule, the last day that counts, and the division (its number,
    "all", or "" for the one that is shown first)."""

    sort: str = "rank"
    page: int = 1
    search: str = ""
    who: str = ""
    by: str = ""
    upto: date | None = None
    division: str = ""

    def query(self) -> QueryDict:
        """The same as the query of an address: what the links of a table are made from."""
        given = {"sort": self.sort, "page": str(self.page), "q": self.search}
        given |= {"who": self.who, "by": self.by}
        given |= {"upto": self.upto.isoformat() if self.upto else ""}
        given |= {"division": self.division}
        usual = dict.fromkeys(given, "") | {"sort": "rank", "page": "1"}
        return QueryDict(urlencode({k: v for k, v in given.items() if v != usual[k]}))


def params_of(query: QueryDict, sortable: Set[str]) -> Params:
    """Anything unknown, too long or out of range is as if it had not been said."""
    sort = query.get("sort", "rank")
    page = query.get("page", "1")
    return Params(
        sort=sort if sort.removeprefix("-") in sortable else "rank",
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 5 and int(page) else 1,
        search=query.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH],
        who=query.get("who", "") if query.get("who", "") in WHO else "",
        by="average" if query.get("by") == "average" else "",
        upto=_day(query.get("upto", "")),
        division=_division(query.get("division", "")),
    )


def _division(text: str) -> str:
    known = text == "all" or (text.isascii() and text.isdigit() and len(text) < 4)
    return text if known else ""


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None
