"""What is wrong with a sheet somebody brings, in sentences with line and column."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.reading import MOST_ROWS, BadSheet, Row, read_sheet


@dataclass(frozen=True, slots=True)
class Trouble:
    """One cell that cannot be: its line in the file, its column, and why."""

    line: int
    column: str
    sentence: str

    def __str__(self) -> str:
        told = {"line": self.line, "column": self.column, "why": self.sentence}
        return _("Line %(line)d, %(column)s: %(why)s") % told


def refuse_bad_lines(troubles: Sequence[Trouble]) -> None:
    """Refuse a sheet with every bad line of it, when there is one."""
    if troubles:
        message = _("Nothing was taken in: some lines cannot be read.")
        fields = {"file": [str(trouble) for trouble in troubles]}
        raise Refused("bad-lines", message, fields=fields)


def list_changed() -> Refused:
    """The refusal of an order that would now do something else than what was looked at."""
    sentence = _("Something changed since you looked. Here is the list again.")
    return Refused("list-changed", sentence, fields={"file": [sentence]}, status=409)


def refused_sheet(error: BadSheet) -> Refused:
    """The refusal of a file that is no sheet, or not one that was asked for."""
    sentence = {
        "large": _("The file is too large."),
        "bomb": _("The file unpacks to more than any sheet needs. Save it as CSV."),
        "damaged": _("The file cannot be read: it is damaged, or not a CSV or XLSX file."),
        "letters": _("The letters of the file cannot be read. Save it as CSV UTF-8."),
        "empty": _("There is no line below the headings."),
        "quotes": _("A quotation mark is opened here and never closed."),
        "missing": _("A column is missing: %(about)s."),
        "strange": _("These columns mean nothing here: %(about)s."),
        "twice": _("Two columns have the same heading."),
        "wide": _("There are more cells than headings."),
        "long": _("There are more than %(about)s lines."),
        "cell": _("A cell holds too much."),
    }[error.code] % {"about": error.about}
    if error.line:
        sentence = _("Line %(line)d: %(why)s") % {"line": error.line, "why": sentence}
    return Refused(f"sheet_{error.code}", sentence, fields={"file": [sentence]})


def read_rows(
    content: bytes, *, known: Sequence[str], needed: Sequence[str], most: int = MOST_ROWS
) -> list[Row]:
    """The rows of a sheet, or a refusal at the field of the file."""
    try:
        return read_sheet(content, known=known, needed=needed, most=most)
    except BadSheet as error:
        raise refused_sheet(error) from error
