"""Exports and imports players as lines of a sheet: a preview of each line, then all or nothing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.forms import EVERY_LINE
from league.exchange.past_games import NO_NAMES, no_name
from league.exchange.sheet_import import Trouble, import_agreed
from league.exchange.sheet_reading import Row
from league.exchange.sheets import cell_label
from league.members.actions.people import known_people, name_trouble, read_email
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.members.paste import Line, Verdict, digest, read_list
from league.members.queries import erased_marks, people_of, was_erased

YES, NO = "yes", "no"
MEMBER, GUEST = "member", "guest"


def people_rows(club: Club) -> Iterator[list[object]]:
    """A line for every player who has their own row, inactive players too."""
    for member in people_of(club):
        yield [
            member.public_id,
            member.name,
            GUEST if member.is_guest else MEMBER,
            member.email,
            YES if member.is_minor else NO,
            member.shown,
            club.local(member.joined_at).date().isoformat(),
            club.local(member.retired_at).date().isoformat() if member.retired_at else "",
        ]


MOST_OF_EMAIL = 254
MOST_DOUBTFUL = 900  # a tick each, in one form: settings.DATA_UPLOAD_MAX_NUMBER_FIELDS


@dataclass(frozen=True, slots=True)
class Preview:
    """What importing a sheet of players would do: a verdict for each line, and every trouble."""

    rows: list[Row]
    lines: list[Line]
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """A digest of what was shown; empty where one form cannot take all the answers."""
        return "" if self.asks_too_much else digest(self.lines)

    @property
    def doubtful(self) -> int:
        """How many names need a decision."""
        return sum(line.asks for line in self.lines)

    @property
    def most(self) -> int:
        """How many decisions one form takes."""
        return MOST_DOUBTFUL

    @property
    def asks_too_much(self) -> bool:
        return self.doubtful > self.most

    @property
    def known(self) -> int:
        """How many lines add no one: players already on the club's list, or twice on the sheet."""
        return len(self.lines) - self.new - self.doubtful

    @property
    def new(self) -> int:
        return sum(line.verdict == Verdict.NEW for line in self.lines)


class _ExistingPeople:
    """The players on the club's list, and marks of erased ones: everything the preview depends
    on."""

    def __init__(self, club: Club) -> None:
        self.names = dict(people_of(club).values_list("public_id", "name"))
        self.known = known_people(club)
        self.erased = erased_marks(club)

    @property
    def facts(self) -> tuple[object, ...]:
        return self.names, self.known, self.erased


def preview_import(club: Club, rows: Sequence[Row]) -> Preview:
    """What importing each line would do. Players on the club's list stay as they are."""
    return _preview(club, rows, _ExistingPeople(club))


def _preview(club: Club, rows: Sequence[Row], existing: _ExistingPeople) -> Preview:
    name_by_code = existing.names
    names = ["" if row["code"] in name_by_code else _one_line(row["name"]) for row in rows]
    judged = read_list(
        "\n".join(names), existing.known, is_erased=was_erased(club, existing.erased)
    )
    by_place = {line.number - 1: line for line in judged}
    lines = [_line(row, by_place.get(place), name_by_code) for place, row in enumerate(rows)]
    troubles = [
        trouble for row, line in zip(rows, lines, strict=True) for trouble in _troubles(row, line)
    ]
    return Preview(list(rows), lines, troubles)


def import_people(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, also: Collection[int] = ()
) -> list[Member]:
    """Add every new player on the sheet, and of the doubtful lines those numbered in `also`
    (0: all of them).

    Refuses with every bad line, or when the sheet would now do something other than what was
    `agreed`; then no one is added. Names are compared before anything is locked.
    """
    return import_agreed(
        club,
        lambda: _ExistingPeople(club),
        lambda existing: _preview(club, rows, existing),
        lambda _existing, preview: _new_people(club, preview, also),
        lambda people: _save(club, people, by=by),
        agreed=agreed,
    )


def _new_people(club: Club, preview: Preview, also: Collection[int]) -> list[Member]:
    return [
        _person(club, row, line)
        for row, line in zip(preview.rows, preview.lines, strict=True)
        if line.verdict == Verdict.NEW
        or (line.asks and (line.number in also or EVERY_LINE in also))
    ]


def _save(club: Club, people: list[Member], *, by: Actor) -> None:
    Member.objects.bulk_create(people)
    if people:
        log_action(club, by, "import people", len(people), new={"names": [p.name for p in people]})


def _one_line(name: str) -> str:
    """The name on one line: a line break becomes a character that no valid name contains."""
    return name.replace("\r", "\0").replace("\n", "\0")


def _line(row: Row, judged: Line | None, name_by_code: dict[str, str]) -> Line:
    if row["code"] in name_by_code:
        name = name_by_code[row["code"]]
        return Line(row.line, name, Verdict.KNOWN, (name,))
    if judged is None:
        return Line(row.line, row["name"], Verdict.BAD, trouble="empty")
    return Line(row.line, judged.name, judged.verdict, judged.like, judged.trouble)


def _troubles(row: Row, line: Line) -> Iterator[Trouble]:
    """What is wrong with each cell of one line."""
    if line.verdict == Verdict.BAD:
        yield Trouble(row.line, "name", name_trouble(line.trouble))
    elif row["name"] in NO_NAMES:
        yield Trouble(row.line, "name", no_name(row["name"]))
    choices: dict[str, tuple[str, ...]] = {"kind": (MEMBER, GUEST), "under 18": (YES, NO)}
    choices["shown in public"] = tuple(Member.Shown.values)
    for column, words in choices.items():
        if row[column] and row[column].casefold() not in words:
            labels = ", ".join(cell_label(column, word) for word in words)
            sentence = _("Enter one of: %(words)s.") % {"words": labels}
            yield Trouble(row.line, column, sentence)
    for column in ("joined", "inactive since"):
        if row[column] and _day(row[column]) is None:
            yield Trouble(row.line, column, _("Enter a date as 2026-11-19."))
    if not _is_email(row["e-mail"]):
        yield Trouble(row.line, "e-mail", _("This is not an e-mail address."))


def _person(club: Club, row: Row, line: Line) -> Member:
    person = Member(club=club, name=line.name, email=read_email(row["e-mail"]))
    person.set_keys()
    person.is_guest = row["kind"].casefold() == GUEST
    person.is_minor = row["under 18"].casefold() == YES
    person.shown = row["shown in public"].casefold() or Member.Shown.AS_CLUB
    joined, retired = _day(row["joined"]), _day(row["inactive since"])
    if joined:
        person.joined_at = _noon(club, joined)
    person.retired_at = _noon(club, retired) if retired else None
    return person


def _is_email(email: str) -> bool:
    try:
        return len(read_email(email)) <= MOST_OF_EMAIL
    except Refused:
        return False


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if 1900 <= day.year <= 2200 else None


def _noon(club: Club, day: date) -> datetime:
    return datetime.combine(day, time(12), tzinfo=club.zone)
