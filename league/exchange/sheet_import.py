"""What all imports of sheets share: an example of each kind, the errors of a sheet by line, and
saving what was previewed and agreed to, all or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol, TypeVar

from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from league import worker
from league.errors import Refused
from league.exchange.sheet_reading import (
    MOST_ROWS,
    NO_MATCH,
    BadSheet,
    Columns,
    Match,
    Row,
    read_sheet,
)
from league.exchange.sheets import (
    BY_HAND,
    FOUR,
    MEMBERS,
    MORE,
    PLANNED,
    PLAYERS,
    POINTS,
    RESULTS,
    ROUNDS,
    column_label,
)
from league.members.actions.people import lock_club
from league.members.models import Club

Made = TypeVar("Made")
HANDS_EXAMPLE = (
    "date",
    "session",
    "game",
    "table",
    "hand",
    *PLAYERS[:FOUR],
    "dealer",
    "outcome",
    *BY_HAND,
    "ended",
)


@dataclass(frozen=True, slots=True)
class Trouble:
    """One invalid cell: its line in the file, its column, and why."""

    line: int
    column: str
    sentence: str

    def __str__(self) -> str:
        where = {"line": self.line, "column": column_label(self.column), "why": self.sentence}
        return _("Line %(line)d, %(column)s: %(why)s") % where


class ExistingData(Protocol):
    """What the club already has, as far as the result of an import depends on it."""

    @property
    def facts(self) -> object:
        """Everything the preview depends on: equal facts give an equal preview."""


class Preview(Protocol):
    """What importing a file would do: its troubles, and a digest of its effect (`agreed`)."""

    @property
    def troubles(self) -> list[Trouble]: ...

    @property
    def agreed(self) -> str: ...


Existing = TypeVar("Existing", bound=ExistingData)
AnyPreview = TypeVar("AnyPreview", bound=Preview)


def import_agreed(
    club: Club,
    load: Callable[[], Existing],
    check: Callable[[Existing], AnyPreview],
    make: Callable[[Existing, AnyPreview], list[Made]],
    save: Callable[[list[Made]], None],
    *,
    agreed: str,
) -> list[Made]:
    """Make the objects a file describes, save them, and return them.

    The file is read and checked before the club is locked, so that the hall can go on writing;
    under the lock only the facts behind the preview are compared. Refuses with every bad line, or
    with `list-changed` when the file would now do something other than what was agreed to.
    """
    existing = load()
    preview = check(existing)
    refuse_bad_lines(preview.troubles)
    if not preview.agreed or not constant_time_compare(agreed, preview.agreed):
        raise list_changed()
    made = make(existing, preview)
    worker.begin("saving")
    store(club, lambda: load().facts == existing.facts, made, save)
    return made


@transaction.atomic
def store(
    club: Club, is_current: Callable[[], bool], made: list[Made], save: Callable[[list[Made]], None]
) -> None:
    """Save what was made; refuses unless the preview `is_current`."""
    lock_club(club)
    if not is_current():
        raise list_changed()
    save(made)
    worker.saved(len(made))


def refuse_bad_lines(troubles: Sequence[Trouble]) -> None:
    """Refuse a sheet that has bad lines, naming all of them."""
    if troubles:
        message = _("Nothing was imported: some lines can't be read.")
        fields = {"file": [str(trouble) for trouble in troubles]}
        raise Refused("bad-lines", message, fields=fields)


def list_changed() -> Refused:
    """The refusal of an import that would now do something other than its preview said."""
    sentence = _("This is not the list you checked. Check it again.")
    return Refused("list-changed", sentence, fields={"file": [sentence]}, status=409)


def refused_sheet(error: BadSheet) -> Refused:
    """The refusal of a file that cannot be read as a sheet, or lacks the expected columns."""
    sentence = {
        "large": _("The file is too large."),
        "bomb": _("The file is too large when unpacked. Save it as CSV."),
        "xls": _("This is an old Excel file (.xls), or a protected one. Save it as XLSX or CSV."),
        "ods": _("This is an OpenDocument sheet (.ods). Save it as XLSX or CSV."),
        "pdf": _("This is a PDF. Save the sheet itself, as XLSX or CSV."),
        "html": _("This is a web page, whatever its name says. Save it as XLSX or CSV."),
        "formula": _(
            "This cell has a formula without its result. Open the file in a spreadsheet program, "
            "save it, and try again."
        ),
        "damaged": _("The file cannot be read: it is damaged, or not a CSV or XLSX file."),
        "letters": _("The letters in this file can't be read. Save it as CSV UTF-8."),
        "empty": _("There is no line below the headings."),
        "quotes": _("A quotation mark here is never closed."),
        "missing": _("A column is missing: %(about)s."),
        "strange": _("These columns aren't used here: %(about)s."),
        "twice": _("Two columns have the same heading."),
        "wide": _("There are more cells than headings."),
        "long": _("There are more than %(about)s lines."),
        "cell": _("A cell is too long."),
    }[error.code] % {"about": error.about}
    if error.line:
        sentence = _("Line %(line)d: %(why)s") % {"line": error.line, "why": sentence}
    return Refused(f"sheet-{error.code}", sentence, fields={"file": [sentence]})


def read_rows(
    content: bytes, columns: Columns, *, most: int = MOST_ROWS, match: Match = NO_MATCH
) -> list[Row]:
    """The rows of a sheet, or a refusal at the field of the file."""
    try:
        return read_sheet(content, columns, most=most, match=match)
    except BadSheet as error:
        raise refused_sheet(error) from error


@dataclass(frozen=True, slots=True)
class Example:
    """The headings of a sheet, and sample lines."""

    headings: Sequence[str]
    lines: Sequence[Sequence[object]]


def examples(today: date) -> dict[str, Example]:
    """The examples by kind of sheet, with dates that would be valid today."""
    past, coming = (today - timedelta(7)).isoformat(), (today + timedelta(7)).isoformat()
    four = ("Rose", "Ann", "Ted", "Bill")
    final = {"round": 1, "match": 1, "table": 1, "entry 1": 1, "entry 2": 2, "place": "M1-1"}
    final |= {"date": past, "session": "Club night", "session round": 1, "game": "A"}
    final |= dict(zip((*PLAYERS[:FOUR], *POINTS), (*four, 10, 7, 10, 7), strict=False))
    cup: list[dict[str, object]] = [
        {"kind": "tournament", "format": "knockout", "state": "finished"},
        {"kind": "entry", "entry 1": 1, "player 1": "Rose", "player 2": "Ted"},
        {"kind": "entry", "entry 1": 2, "player 1": "Ann", "player 2": "Bill"},
        {"kind": "match", **final},
    ]
    cup = [{"tournament": "Autumn Cup", **line} for line in cup]
    joined = ("", "Rose Whitfield", "member", "", "no", "club", past, "")
    return {
        "people": Example(MEMBERS, [joined]),
        "sessions": Example(PLANNED, [(coming, "Club night", "19:30", "", "", "")]),
        "results": Example(
            RESULTS[: -len(MORE)],
            [
                (past, "Club night", "", 1, "A", 1, *four, 10, 7, 10, 7, "", "", "", ""),
                (past, "Club night", "", 2, "B", 1, *four, 8, 6, 8, 6, "time", "", "", ""),
            ],
        ),
        "tournaments": Example(ROUNDS, [[line.get(name, "") for name in ROUNDS] for line in cup]),
        "hands": Example(
            HANDS_EXAMPLE,
            [
                (past, "Club night", "A", 1, 1, *four, 1, "made", 2, "no", ""),
                (past, "Club night", "A", 1, 2, *four, 2, "euchred", 1, "no", "time"),
            ],
        ),
    }
