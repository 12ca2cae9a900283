"""A pasted list of names: what each line would do, before anything is done. Pure."""

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
class Known:
    """A person already on the list: the name and every earlier spelling of it."""

    name: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list. `like` names who it may be; `trouble` is a code of `BadName`."""

    number: int
    name: str
    verdict: Verdict
    like: tuple[str, ...] = field(default=())
    trouble: str = ""

    @property
    def asks(self) -> bool:
        """Whether a person has to say what this line means."""
        return self.verdict in (Verdict.LIKE, Verdict.ERASED)


def read_list(
    text: str, people: Sequence[Known], *, is_erased: Callable[[str], bool] = lambda name: False
) -> list[Line]:
    """Every line with its verdict, in order; empty lines are passed over.

    `is_erased` says whether someone with this name once asked to be forgotten.
    """
    register = _Register(people, is_erased)
    lines = worker.counted(list(_written(text)))
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
LEFT_OVER = " \t-–—:|/"
"""Signs that stood between a name and what was beside it."""
SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "esq", "md", "phd"}
HEADINGS = {
    "name", "names", "player", "players", "first name", "given name", "last name", "surname",
    "family name", "full name", "email", "e-mail", "email address", "phone", "telephone", "mobile",
    "no", "no.", "number", "#",
}  # fmt: skip


def tidy(text: str) -> str:
    """A pasted list as one plain name a line: without bullets, numbers, e-mail and phone columns,
    and with "Surname, First" the right way round. Lines of headings become empty. A note in
    brackets goes, unless it alone tells two players apart: see `notes_in`.

    >>> tidy("1. Field, Rose (treasurer)\\n- Ann Stone <ann@example.org>")
    'Rose Field\\nAnn Stone'
    """
    return "\n".join(name for name, _note in _read(text))


def notes_in(text: str) -> list[str]:
    """What `tidy` leaves out beside the names: e-mail addresses, phone numbers, and what stands in
    brackets after a name and begins with a small letter, as in "Rose Field (treasurer)"; "(Rosie)"
    is part of a name."""
    rows = [row for row in text.splitlines() if len(row) <= LONGEST_LINE]
    contacts = [match[0] for row in rows for match in CONTACT.finditer(row)]
    return [contact.strip("<>()[] ") for contact in contacts] + [
        note for _name, note in _read(text) if note
    ]


def _read(text: str) -> list[tuple[str, str]]:
    """The name of every line, and the note that was left out of it."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    names = [_name_in(row) for row in rows]
    notes = [_note_in(name) for name in names]
    plain = [
        " ".join(name.replace(note, " ").split()) if note else name
        for name, note in zip(names, notes, strict=True)
    ]
    many = Counter(map(str.casefold, plain))
    return [
        (short, note) if many[short.casefold()] == 1 else (name, "")
        for name, short, note in zip(names, plain, notes, strict=True)
    ]


def _note_in(name: str) -> str:
    match = BRACKETS.search(name)
    return match[0] if match and match[1].islower() and match[0] != name else ""


def _name_in(row: str) -> str:
    if len(row) > LONGEST_LINE:  # no name and no row of a list
        return row
    if quoted := QUOTED.match(row):
        row = "\t".join(next(csv.reader([row.strip()], delimiter=quoted[1] or ",")))
    plain = PHONE.sub(" ", MAIL.sub(" ", BULLET.sub("", row)))
    by_comma = "\t" not in plain and ";" not in plain
    parts = re.split(r"," if by_comma else r"[\t;]", plain)
    cells = [" ".join(part.split()).strip(LEFT_OVER) for part in parts]
    cells = [cell for cell in cells if any(map(str.isalnum, cell))]
    if not cells or all(cell.casefold() in HEADINGS for cell in cells):
        return ""
    first, *rest = cells
    if not by_comma:  # the columns of a spreadsheet: a whole name, or two halves
        return _name_in(first) if " " in first or not rest else f"{first} {rest[0]}"
    if len(cells) != 2:
        return ", ".join(cells)
    given = rest[0].split()
    suffix = given.pop() if given[-1].casefold().replace(".", "") in SUFFIXES else ""
    return " ".join([*given, first, suffix]).rstrip()


def count_lines(text: str) -> int:
    """How many lines there are to read."""
    return sum(1 for _line in _written(text))


def digest(lines: Sequence[Line]) -> str:
    """What somebody agreed to when they saw these lines: another digest, another agreement."""
    seen = "\n".join(f"{x.number}|{x.name}|{x.verdict}|{','.join(x.like)}" for x in lines)
    return hashlib.sha256(seen.encode()).hexdigest()[:32]


def _written(text: str) -> Iterator[tuple[int, str]]:
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, row in enumerate(rows, 1):
        raw = row.strip(" \t,;")
        if raw:
            yield number, raw


class _Register:
    """Everybody known so far: the people of the club, then the lines already read."""

    def __init__(self, people: Sequence[Known], is_erased: Callable[[str], bool]) -> None:
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
