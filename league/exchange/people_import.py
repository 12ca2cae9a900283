"""People as lines of a sheet, out and in: what each line would do, then all or nothing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.forms import EVERY_LINE
from league.exchange.past_games import NO_NAMES, no_name
from league.exchange.sheet_import import Trouble, do_agreed
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
    """A line for everybody who has a row of their own, retired people too."""
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
    """What a sheet of people would do: a verdict a line, and every trouble with its line."""

    rows: list[Row]
    lines: list[Line]
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """Stands for what was shown; another list or another club, another value. Empty where
        there is more to answer than one form takes."""
        return "" if self.asks_too_much else digest(self.lines)

    @property
    def doubtful(self) -> int:
        """How many names somebody has to say a word about."""
        return sum(line.asks for line in self.lines)

    @property
    def most(self) -> int:
        """How many of those one form takes."""
        return MOST_DOUBTFUL

    @property
    def asks_too_much(self) -> bool:
        return self.doubtful > self.most

    @property
    def known(self) -> int:
        """How many lines add nobody: who is on the list already, or twice in this one."""
        return len(self.lines) - self.new - self.doubtful

    @property
    def new(self) -> int:
        return sum(line.verdict == Verdict.NEW for line in self.lines)


class _Here:
    """Who is on the club's list, and who asked to be forgotten: all that a verdict rests on."""

    def __init__(self, club: Club) -> None:
        self.names = dict(people_of(club).values_list("public_id", "name"))
        self.known = known_people(club)
        self.erased = erased_marks(club)

    @property
    def facts(self) -> tuple[object, ...]:
        return self.names, self.known, self.erased


def preview_import(club: Club, rows: Sequence[Row]) -> Preview:
    """What each line would do. Changes nothing. People already there stay as they are."""
    return _preview(club, rows, _Here(club))


def _preview(club: Club, rows: Sequence[Row], club_lists: _Here) -> Preview:
    here = club_lists.names
    names = ["" if row["code"] in here else _one_line(row["name"]) for row in rows]
    judged = read_list(
        "\n".join(names), club_lists.known, is_erased=was_erased(club, club_lists.erased)
    )
    by_place = {line.number - 1: line for line in judged}
    lines = [_line(row, by_place.get(place), here) for place, row in enumerate(rows)]
    troubles = [
        trouble for row, line in zip(rows, lines, strict=True) for trouble in _of(row, line)
    ]
    return Preview(list(rows), lines, troubles)


def import_people(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, also: Collection[int] = ()
) -> list[Member]:
    """Add everybody new on the sheet, and of the doubtful lines those numbered in `also`
    (0: all of them).

    Refuses with every bad line and adds nobody; refuses when the sheet would now do something
    else than what was looked at (`agreed`). Names are compared before anything is locked.
    """
    return do_agreed(
        club,
        lambda: _Here(club),
        lambda here: _preview(club, rows, here),
        lambda _here, preview: _new_people(club, preview, also),
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
    """A name that cannot end its line; a break inside becomes a sign no name may hold."""
    return name.replace("\r", "\0").replace("\n", "\0")


def _line(row: Row, judged: Line | None, here: dict[str, str]) -> Line:
    if row["code"] in here:
        return Line(row.line, here[row["code"]], Verdict.KNOWN, (here[row["code"]],))
    if judged is None:
        return Line(row.line, row["name"], Verdict.BAD, trouble="empty")
    return Line(row.line, judged.name, judged.verdict, judged.like, judged.trouble)


def _of(row: Row, line: Line) -> Iterator[Trouble]:
    """What is wrong with one line, every cell of it."""
    if line.verdict == Verdict.BAD:
        yield Trouble(row.line, "name", name_trouble(line.trouble))
    elif row["name"] in NO_NAMES:
        yield Trouble(row.line, "name", no_name(row["name"]))
    choices: dict[str, tuple[str, ...]] = {"kind": (MEMBER, GUEST), "under age": (YES, NO)}
    choices["shown in public"] = tuple(Member.Shown.values)
    for column, words in choices.items():
        if row[column] and row[column].casefold() not in words:
            labels = ", ".join(cell_label(column, word) for word in words)
            sentence = _("Enter one of: %(words)s.") % {"words": labels}
            yield Trouble(row.line, column, sentence)
    for column in ("joined", "retired"):
        if row[column] and _day(row[column]) is None:
            yield Trouble(row.line, column, _("Enter a date as 2026-11-19."))
    if not _usable(row["e-mail"]):
        yield Trouble(row.line, "e-mail", _("This is not an e-mail address."))


def _person(club: Club, row: Row, line: Line) -> Member:
    person = Member(club=club, name=line.name, email=read_email(row["e-mail"]))
    person.set_keys()
    person.is_guest = row["kind"].casefold() == GUEST
    person.is_minor = row["under age"].casefold() == YES
    person.shown = row["shown in public"].casefold() or Member.Shown.AS_CLUB
    joined, retired = _day(row["joined"]), _day(row["retired"])
    if joined:
        person.joined_at = _noon(club, joined)
    person.retired_at = _noon(club, retired) if retired else None
    return person


def _usable(email: str) -> bool:
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
