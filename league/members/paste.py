"""A pasted list of names: what each line would do, before anything is saved. Pure."""

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count

from league import worker
from league.members.names import BadName, Spellings, clean_name, name_key, sort_key, visible

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
    """A line of the list. `like` are names of people it may be; `trouble` is a `BadName` code;
    `apart` is a suggestion that tells a name written twice from the first one."""

    number: int
    name: str
    verdict: Verdict
    like: tuple[str, ...] = field(default=())
    trouble: str = ""
    apart: str = ""

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
    return judge_names(list(_numbered_rows(text)), people, is_erased=is_erased)


def judge_names(
    numbered_rows: Sequence[tuple[int, str]],
    people: Sequence[KnownPerson],
    *,
    is_erased: Callable[[str], bool] = lambda name: False,
) -> list[Line]:
    """The verdict on each name, which comes with the number of its line; see `read_list`."""
    register = _Register(people, is_erased)
    return [register.judge(number, raw) for number, raw in worker.counted(numbered_rows)]


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
AROUND_CONTACT = re.compile(r"^\((?!\d+\).)|\)$")
"""Brackets around a contact, unlike those around an area code."""
CONTACT = re.compile(f"{MAIL.pattern}|{PHONE.pattern}", re.IGNORECASE)
PAID = re.compile(r"\s+(paid\b.*?)[\s✓✔☑]*$")
TICKS = re.compile(r"[\s✓✔☑]+$")
TITLE = re.compile(
    r"\s*(?:members|players|membres|joueurs|mitglieder|spieler)\b.*\b(?:19|20)\d\d\b", re.I
)
"""A line above the list, "Members 2026"."""
SEPARATORS = " \t-–—:|/"
"""Characters between a name and what came before or after it."""
EDGES = " \t,;"
_OUTSIDE_BRACKETS = r"(?![^()\[\]]*[)\]])"
COLUMNS = rf"[\t;]{_OUTSIDE_BRACKETS}"
COMMA = rf",{_OUTSIDE_BRACKETS}"
AND = rf"(?:\s*[&+/]\s*|\s+(?:and|et|und(?!\s+zu\b))\s+){_OUTSIDE_BRACKETS}"
DASH = re.compile(rf"\s+[-–—]\s+{_OUTSIDE_BRACKETS}")
"""Between a name and a note."""
PARTICLES = {
    "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "la", "le", "st", "st.",
    "ten", "ter", "van", "von", "zu",
}  # fmt: skip
SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "esq", "md", "phd"}
HEADINGS = {
    "name", "names", "player", "players", "first", "first name", "given name", "forename", "last",
    "last name", "surname", "family name", "full name", "email", "e-mail", "mail", "email address",
    "e-mail address", "phone", "phone number", "telephone", "tel", "mobile", "cell", "address",
    "paid", "note", "notes", "no", "no.", "number", "#",
    "vorname", "nachname", "familienname", "spieler", "mitglied", "e-mail-adresse", "telefon",
    "telefonnummer", "handy", "mobil", "anschrift", "adresse", "bezahlt", "notiz", "nr", "nr.",
    "nummer",
    "nom", "noms", "prénom", "nom de famille", "nom complet", "joueur", "joueurs", "membre",
    "courriel", "adresse courriel", "téléphone", "numéro de téléphone", "tél", "tél.", "cellulaire",
    "payé", "numéro", "n°",
}  # fmt: skip


def tidy(text: str, team: str = "") -> str:
    """A pasted list as one plain name per line.

    Bullets, numbers, and e-mail and phone columns are removed, "Surname, First" is reversed, and
    lines of headings become empty. Several names on a line become a line each. Notes are
    removed, except one in brackets that alone distinguishes two players: see `notes_in`, or that
    is their `team`.

    >>> tidy("1. Field, Rose (treasurer)\\n- Ann Stone <ann@example.org>")
    'Rose Field\\nAnn Stone'
    >>> tidy("Ivor Pym; Dot Yardley\\nBob Lead & Jo Lead - late")
    'Ivor Pym\\nDot Yardley\\nBob Lead\\nJo Lead'
    """
    return "\n".join("\n".join(names) for names, _left_out in _read_rows(text, team))


def notes_in(text: str) -> list[str]:
    """What `tidy` removes: contacts, notes, headings and columns without a name.

    A note follows a hyphen between spaces, or is in brackets and begins with a small letter or
    has three words or more; "(Rosie)" is part of the name.
    """
    return [note for _names, left_out in _read_rows(text) for note in left_out]


def couples_in(text: str) -> list[tuple[str, list[str]]]:
    """The names that stand for several players with one surname, and who they are."""
    names = [_take_notes(name)[0] for row in _split_rows(text) for name in _read_row(row)[0]]
    return [(name, _split_couple(name)) for name in names if len(_split_couple(name)) > 1]


def numbered_names(text: str) -> list[tuple[int, str]]:
    """The names that `tidy` finds, each with the number of its line in the pasted list."""
    return [
        (number, name.strip(EDGES))
        for number, (names, _left_out) in enumerate(_read_rows(text), 1)
        for name in names
        if name.strip(EDGES)
    ]


def _read_rows(text: str, team: str = "") -> list[tuple[list[str], list[str]]]:
    """The names in every line, and what was left out of it."""
    rows = [_read_row(row) for row in _split_rows(text)]
    plain_names = [
        [_take_notes(one, team) for name in names for one in _split_couple(name)]
        for names, _left_out in rows
    ]
    counts = Counter(plain.casefold() for names in plain_names for plain, _notes in names)
    return [
        (
            [
                plain if counts[plain.casefold()] == 1 else " ".join([plain, *notes])
                for plain, notes in names
            ],
            left_out
            + [note for plain, notes in names if counts[plain.casefold()] == 1 for note in notes],
        )
        for names, (_names, left_out) in zip(plain_names, rows, strict=True)
    ]


def _take_notes(name: str, team: str = "") -> tuple[str, list[str]]:
    """The name without its notes in brackets, and these."""
    notes = [
        match[0]
        for match in BRACKETS.finditer(name)
        if match[0] != name
        and sort_key(match[0]) != sort_key(team)
        and (match[1].islower() or len(match[0].split()) > 2)
    ]
    for note in notes:
        name = name.replace(note, " ")
    return " ".join(name.split()), notes


def _read_row(row: str) -> tuple[list[str], list[str]]:
    if len(row) > LONGEST_LINE:  # neither a name nor a row of a list
        return [row], []
    if quoted := QUOTED.match(row):
        row = "\t".join(next(csv.reader([row.strip()], delimiter=quoted[1] or ",")))
    text = BULLET.sub("", row)
    left_out = [AROUND_CONTACT.sub("", match[0].strip("<>[] ")) for match in CONTACT.finditer(text)]
    text = PHONE.sub(" ", MAIL.sub(" ", text))
    left_out += PAID.findall(text)
    text = TICKS.sub("", PAID.sub("", text))
    if TITLE.match(text) or all(
        cell.casefold() in HEADINGS for cell in _split_cells(text, r"[\t;,|]")
    ):
        heading = " ".join(text.split()).strip(SEPARATORS + EDGES)
        return [], left_out + ([heading] if heading else [])
    cells, rest = _cells_with_names(_split_cells(text, COLUMNS), is_list="\t" not in text)
    names = []
    for cell in cells:
        found, notes = _read_cell(cell)
        names += found
        left_out += notes
    return names, left_out + rest


def _cells_with_names(cells: list[str], *, is_list: bool) -> tuple[list[str], list[str]]:
    """The cells that are names, and the others.

    The first is a full name, or the first two are its parts. The others are names only in a list.
    """
    first_cell, *rest = cells
    if " " not in first_cell and rest:
        return [f"{first_cell} {rest[0]}"], rest[1:]
    return _full_names(first_cell, rest) if is_list else ([first_cell], rest)


def _full_names(first: str, others: list[str]) -> tuple[list[str], list[str]]:
    """The first and those of the others that are full names, and what is left."""
    names = [other for other in others if _is_full_name(other, first)]
    return [first, *names], [other for other in others if other not in names]


def _is_full_name(text: str, first: str) -> bool:
    """Whether a part of a line is a name of two or more words, written as the first part is."""
    words = BRACKETS.sub(" ", text).split()
    if len(words) < 2 or words[0][0].isdigit():
        return False
    is_lower = words[0][0].islower() and words[0] not in PARTICLES
    return first[0].islower() or not is_lower


def _read_cell(cell: str) -> tuple[list[str], list[str]]:
    """The names in a cell, and its notes: "Bob Lead & Jo Lead - late"."""
    cell, *notes = DASH.split(cell, maxsplit=1)
    parts = _split_cells(cell, AND)
    names = []
    for part in parts if all(_is_full_name(part, parts[0]) for part in parts) else [cell]:
        found, rest = _read_commas(part)
        names += found
        notes += rest
    return names, [note.strip(SEPARATORS) for note in notes]


def _split_couple(name: str) -> list[str]:
    """Jo Dumont and Pat Dumont for "Jo & Pat Dumont"; any other name as it is."""
    *given_names, last = _split_cells(name, AND)
    words = BRACKETS.sub(" ", last).split()
    start = len(words) - 1
    while start > 0 and words[start - 1].casefold() in PARTICLES:
        start -= 1
    has_surname = start > 0 and bool(given_names) and _is_full_name(last, given_names[0])
    if not has_surname or any(" " in given for given in given_names):
        return [name]
    surname = " ".join(words[start:])
    return [*(f"{given} {surname}" for given in given_names), last]


def _read_commas(text: str) -> tuple[list[str], list[str]]:
    """The names in a part with commas, and what is left: "Field, Rose" is a name, surname first."""
    cells: list[str] = []
    for cell in _split_cells(text, COMMA):
        if cells and _is_suffix(cell):
            cells[-1] += f" {cell}"
        else:
            cells.append(cell)
    if len(cells) < 2:
        return cells, []
    first_cell, *rest = cells
    words = first_cell.split()
    is_surname = len(words) == 1 or words[0].casefold() in PARTICLES
    if len(cells) > 2 and is_surname:
        return [", ".join(cells)], []
    if is_surname or (len(cells) == 2 and " " not in rest[0] and not rest[0][0].islower()):
        return [_given_name_first(first_cell, rest[0])], []
    return _full_names(first_cell, rest)


def _split_cells(row: str, separator: str) -> list[str]:
    cells = [" ".join(part.split()).strip(SEPARATORS) for part in re.split(separator, row)]
    return [cell for cell in cells if any(map(str.isalnum, cell))]


def _is_suffix(word: str) -> bool:
    return word.casefold().replace(".", "") in SUFFIXES


def _given_name_first(surname: str, given: str) -> str:
    given_names = given.split()
    suffix = given_names.pop() if _is_suffix(given_names[-1]) else ""
    return " ".join([*given_names, surname, suffix]).rstrip()


def count_lines(text: str) -> int:
    """The number of lines that are not empty."""
    return sum(1 for _line in _numbered_rows(text))


def digest(lines: Sequence[Line]) -> str:
    """A digest of the lines a user has checked, to detect that they have changed since."""
    text = "\n".join(f"{x.number}|{x.name}|{x.verdict}|{','.join(x.like)}" for x in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _numbered_rows(text: str) -> Iterator[tuple[int, str]]:
    for number, row in enumerate(_split_rows(text), 1):
        raw = row.strip(EDGES)
        if raw:
            yield number, raw


def _split_rows(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def numbered_name(name: str, taken_keys: Container[str]) -> str:
    """The first of "Mary 2", "Mary 3" … that is not taken."""
    return next(numbered for n in count(2) if name_key(numbered := f"{name} {n}") not in taken_keys)


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
        self.in_list.add(name_key(name))
        if line.verdict in (Verdict.NEW, Verdict.LIKE, Verdict.ERASED):
            self.owner[name] = name
            self.spellings.add(name)
        return line

    def _compare(self, number: int, name: str) -> Line:
        key = name_key(name)
        if key in self.in_list:
            apart = numbered_name(name, self.by_key.keys() | self.in_list)
            self.in_list.add(name_key(apart))
            return Line(number, name, Verdict.TWICE, apart=apart)
        if key in self.by_key:
            return Line(number, name, Verdict.KNOWN, (self.by_key[key],))
        if self.is_erased(name):
            return Line(number, name, Verdict.ERASED)
        like = tuple(dict.fromkeys(self.owner[one] for one in self.spellings.like(name)))
        return Line(number, name, Verdict.LIKE if like else Verdict.NEW, like)
