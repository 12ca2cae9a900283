"""The words of sheets: their headings, an example of each, and what is wrong with one, by line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.match import NO_MATCH, Match
from league.exchange.reading import MOST_ROWS, BadSheet, Columns, Row, read_sheet

MEMBERS = ("code", "name", "kind", "e-mail", "under age", "shown in public", "joined", "retired")
PLAYERS = tuple(f"player {seat}" for seat in range(1, 9))
POINTS = tuple(f"points {seat}" for seat in range(1, 9))
FOUR = 4  # the seats whose cells stand together; those of larger tables come last
MORE = (*PLAYERS[FOUR:], *POINTS[FOUR:])
HANDS = (
    "date", "session", "game", "table", "hand", *PLAYERS[:FOUR], "dealer", "outcome",
    *POINTS[:FOUR], "record", "adjusted", "out of turn", "ended", "winners", "season", "round",
    "rules", *MORE,
)  # fmt: skip
# A hand written by people instead of a record: who called (a seat, 1 to 4), alone or not, and the
# outcome.
BY_HAND = ("called by", "alone")
# A game of which only the score is known, a line each.
RESULTS = (
    "date", "session", "season", "round", "game", "table", *PLAYERS[:FOUR], *POINTS[:FOUR], "ended",
    "winners", "rules", *MORE,
)  # fmt: skip
# A club's evenings: what an organiser plans, and what our own export says beside it.
PLANNED = ("date", "session", "begins", "places", "season", "minutes a round")
SESSIONS = (*PLANNED, "state", "tables", "people")


@dataclass(frozen=True, slots=True)
class Trouble:
    """One cell that cannot be: its line in the file, its column, and why."""

    line: int
    column: str
    sentence: str

    def __str__(self) -> str:
        where = {"line": self.line, "column": self.column, "why": self.sentence}
        return _("Line %(line)d, %(column)s: %(why)s") % where


def to_eight(cells: Iterable[object]) -> list[object]:
    """A cell for every seat that a table can have."""
    filled = list(cells)
    return [*filled, *[""] * (len(PLAYERS) - len(filled))]


def refuse_bad_lines(troubles: Sequence[Trouble]) -> None:
    """Refuse a sheet with every bad line of it, when there is one."""
    if troubles:
        message = _("Nothing was imported: some lines can't be read.")
        fields = {"file": [str(trouble) for trouble in troubles]}
        raise Refused("bad-lines", message, fields=fields)


def list_changed() -> Refused:
    """The refusal of an order that would now do something else than what was looked at."""
    sentence = _("Something has changed. Check the list again.")
    return Refused("list-changed", sentence, fields={"file": [sentence]}, status=409)


def refused_sheet(error: BadSheet) -> Refused:
    """The refusal of a file that is no sheet, or not one that was asked for."""
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
)


@dataclass(frozen=True, slots=True)
class Example:
    """The headings of a sheet, and lines that show what belongs under them."""

    headings: Sequence[str]
    lines: Sequence[Sequence[object]]


def examples(today: date) -> dict[str, Example]:
    """The examples by the kind of sheet, with days that would do today."""
    past, coming = (today - timedelta(7)).isoformat(), (today + timedelta(7)).isoformat()
    four = ("Rose", "Ann", "Ted", "Bill")
    joined = ("", "Rose Whitfield", "member", "", "no", "club", past, "")
    return {
        "people": Example(MEMBERS, [joined]),
        "sessions": Example(PLANNED, [(coming, "Thursday night", "19:30", "", "", "")]),
        "results": Example(
            RESULTS[: -len(MORE)],
            [
                (past, "Thursday night", "", 1, "A", 1, *four, 10, 7, 10, 7, "", "", ""),
                (past, "Thursday night", "", 2, "B", 1, *four, 8, 6, 8, 6, "time", "", ""),
            ],
        ),
        "hands": Example(
            HANDS_EXAMPLE,
            [
                (past, "Thursday night", "A", 1, 1, *four, 1, "made", 2, "no"),
                (past, "Thursday night", "A", 1, 2, *four, 2, "euchred", 1, "no"),
            ],
        ),
    }
