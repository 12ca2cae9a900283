"""A pasted list of names: what each line would do, before anything is saved. Pure."""

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from league import worker
from league.members.names import BadName, Spellings, clean_name, name_key, visible

MOST_LINES = 300
LONGEST_LINE = 500


class Verdict(StrEnum):
    NEW = "new"
    KNOWN = "known"
    LIKE = "like"
    TWICE = "twice"
    ERASED = "erased"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person already on the list: their name and all its spellings, earlier ones included."""

    name: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the list. `like` are names of people it may be; `trouble` is a `BadName` code."""

    number: int
    name: str
    verdict: Verdict
    like: tuple[str, ...] = field(default=())
    trouble: str = ""

    @property
    def asks(self) -> bool:
        """Whether the user has to decide what this line means."""
        return self.verdict in (Verdict.LIKE, Verdict.ERASED)


def read_list(
    text: str,
    people: Sequence[KnownPerson],
    *,
    is_erased: Callable[[str], bool] = lambda name: False,
) -> list[Line]:
    """Every line with its verdict, in order; empty lines are skipped.

    `is_erased` returns whether a person with this name was erased.
    """
    register = _Register(people, is_erased)
    lines = worker.counted(list(_numbered_rows(text)))
    return [register.judge(number, raw) for number, raw in lines]


BULLET = re.compile(
    r"^\s*(?:[-*+•–—·▪◦‣☐☑✓✔]+\s*|\[[ xX]?\]\s*|\(?#?\d{1,3}[.):]\s*"
    r"|#?\d{1,3}\s+(?:[-–—]\s+)?(?=[^\W\d]))+"
)
BRACKETS = re.compile(r"[(\[](\w)[^()\[\]]*[)\]]")
QUOTED = re.compile(r'\s*"(?:[^"]|"")*"\s*(?:$|([,;\t]))')
"""The first cell of a CSV file, in quotes."""
MAIL = re.compile(r"[<(\[]?[^\s<>()\[\],;]+@[^\s<>()\[\],;]+[>)\]]?")
_DIGITS = r"(?:\b(?:tel|phone|mobile|mob|cell)\b\.?:?\s*)?(?<!\w)\+?\(?\d[\d\s().\-/]{5,}\d(?!\w)"
PHONE = re.compile(rf"[(\[]\s*{_DIGITS}\s*[)\]]|{_DIGITS}", re.IGNORECASE)
CONTACT = re.compile(f"{MAIL.pattern}|{PHONE.pattern}", re.IGNORECASE)
SEPARATORS = " \t-–—:|/"
"""Characters between a name and what came before or after it."""
SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "esq", "md", "phd"}
HEADINGS = {
    "name", "names", "player", "players", "first name", "given name", "last name", "surname",
    "family name", "full name", "email", "e-mail", "email address", "phone", "telephone", "mobile",
    "no", "no.", "number", "#",
}  # fmt: skip


def tidy(text: str) -> str:
    """A pasted list as one plain name per line.

    Bullets, numbers, and e-mail and phone columns are removed, "Surname, First" is reversed, and
    lines of headings become empty. A note in brackets is removed, unless it alone distinguishes
    two players: see `notes_in`.

    >>> tidy("1. Field, Rose (treasurer)\\n- Ann Stone <ann@example.org>")
    'Rose Field\\nAnn Stone'
    """
    return "\n".join(name for name, _note in _names_and_notes(text))


def notes_in(text: str) -> list[str]:
    """What `tidy` removes: e-mail addresses, phone numbers and notes.

    A note is in brackets after a name and begins with a small letter, as in "Rose Field
    (treasurer)"; "(Rosie)" is part of the name.
    """
    rows = [row for row in text.splitlines() if len(row) <= LONGEST_LINE]
    contacts = [match[0] for row in rows for match in CONTACT.finditer(row)]
    return [contact.strip("<>()[] ") for contact in contacts] + [
        note for _name, note in _names_and_notes(text) if note
    ]


def _names_and_notes(text: str) -> list[tuple[str, str]]:
    """The name in every line, and the note that was removed from it."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    names = [_find_name(row) for row in rows]
    notes = [_find_note(name) for name in names]
    short_names = [
        " ".join(name.replace(note, " ").split()) if note else name
        for name, note in zip(names, notes, strict=True)
    ]
    counts = Counter(map(str.casefold, short_names))
    return [
        (short_name, note) if counts[short_name.casefold()] == 1 else (name, "")
        for name, short_name, note in zip(names, short_names, notes, strict=True)
    ]


def _find_note(name: str) -> str:
    match = BRACKETS.search(name)
    return match[0] if match and match[1].islower() and match[0] != name else ""


def _find_name(row: str) -> str:
    if len(row) > LONGEST_LINE:  # neither a name nor a row of a list
        return row
    if quoted := QUOTED.match(row):
        row = "\t".join(next(csv.reader([row.strip()], delimiter=quoted[1] or ",")))
    text = PHONE.sub(" ", MAIL.sub(" ", BULLET.sub("", row)))
    by_comma = "\t" not in text and ";" not in text
    cells = _split_cells(text, "," if by_comma else r"[\t;]")
    if not cells or all(cell.casefold() in HEADINGS for cell in cells):
        return ""
    first_cell, *rest = cells
    if not by_comma:  # columns of a spreadsheet: a full name, or its two parts
        is_whole_name = " " in first_cell or not rest
        return _find_name(first_cell) if is_whole_name else f"{first_cell} {rest[0]}"
    if len(cells) != 2:
        return ", ".join(cells)
    return _given_name_first(first_cell, rest[0])


def _split_cells(row: str, separator: str) -> list[str]:
    cells = [" ".join(part.split()).strip(SEPARATORS) for part in re.split(separator, row)]
    return [cell for cell in cells if any(map(str.isalnum, cell))]


def _given_name_first(surname: str, given: str) -> str:
    given_names = given.split()
    suffix = given_names.pop() if given_names[-1].casefold().replace(".", "") in SUFFIXES else ""
    return " ".join([*given_names, surname, suffix]).rstrip()


def count_lines(text: str) -> int:
    """The number of lines that are not empty."""
    return sum(1 for _line in _numbered_rows(text))


def digest(lines: Sequence[Line]) -> str:
    """A digest of the lines a user has checked, to detect that they have changed since."""
    text = "\n".join(f"{x.number}|{x.name}|{x.verdict}|{','.join(x.like)}" for x in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _numbered_rows(text: str) -> Iterator[tuple[int, str]]:
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, row in enumerate(rows, 1):
        raw = row.strip(" \t,;")
        if raw:
            yield number, raw


class _Register:
    """The people known so far: those of the club and those on lines already read."""

    def __init__(self, people: Sequence[KnownPerson], is_erased: Callable[[str], bool]) -> None:
        self.owner = {spelling: person.name for person in people for spelling in person.spellings}
        self.by_key = {name_key(spelling): name for spelling, name in self.owner.items()}
        self.spellings = Spellings(self.owner)
        self.in_list: set[str] = set()
        self.is_erased = is_erased

    def judge(self, number: int, raw: str) -> Line:
        try:
            name = clean_name(raw)
        except BadName as error:
            return Line(number, visible(raw[:80]), Verdict.BAD, trouble=error.code)
        line = self._compare(number, name)
        if line.verdict != Verdict.KNOWN:
            self.in_list.add(name_key(name))
        if line.verdict in (Verdict.NEW, Verdict.LIKE, Verdict.ERASED):
            self.owner[name] = name
            self.spellings.add(name)
        return line

    def _compare(self, number: int, name: str) -> Line:
        key = name_key(name)
        if key in self.by_key:
            return Line(number, name, Verdict.KNOWN, (self.by_key[key],))
        if key in self.in_list:
            return Line(number, name, Verdict.TWICE)
        if self.is_erased(name):
            return Line(number, name, Verdict.ERASED)
        like = tuple(dict.fromkeys(self.owner[near] for near in self.spellings.like(name)))
        return Line(number, name, Verdict.LIKE if like else Verdict.NEW, like)
