"""A sheet of a club's evenings: its lines out, and what a line says that comes in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time

from django.db.models import Count
from django.utils.translation import gettext as _

from league.exchange.club_here import no_season
from league.exchange.past_games import LONGEST, day_of, is_word, number_of
from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble
from league.members.models import Club
from league.members.names import composed, name_key
from league.seasons.models import Season
from league.seating.models import Round
from league.sessions.models import LONGEST_ROUND as MOST_MINUTES
from league.sessions.models import MOST_PLACES, Session
from league.sessions.queries import evening_name, sessions_of

CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::00)?", re.ASCII)
NOT_YET = ("", Session.State.PLANNED, Session.State.OPEN)
COUNTED = ("tables", "people")


@dataclass(frozen=True, slots=True)
class Line:
    """One evening of the sheet; the season by its name."""

    line: int
    day: date
    name: str
    begins_at: time | None
    places: int | None
    season: str
    minutes: int | None
    state: str

    @property
    def night(self) -> tuple[date, str]:
        return self.day, self.name


def evenings_on(rows: Sequence[Row]) -> tuple[list[Line], list[Trouble]]:
    """The evenings of a sheet, and every cell of it that cannot be."""
    lines: list[Line] = []
    troubles: list[Trouble] = []
    seen: dict[tuple[date, str], int] = {}
    for row in rows:
        found = list(_troubles(row))
        if not found:
            line = _line(row)
            first = seen.setdefault(line.night, line.line)
            if first == line.line:
                lines.append(line)
            else:
                sentence = _("This session is on line %(line)d already.") % {"line": first}
                found.append(Trouble(row.line, "session", sentence))
        troubles += found
    return lines, troubles


def session_of_line(club: Club, line: Line, seasons: Mapping[str, Season]) -> Session:
    """The session that a line makes, not stored."""
    return Session(
        club=club,
        name=line.name,
        held_on=line.day,
        begins_at=line.begins_at,
        places=line.places,
        season=seasons.get(name_key(line.season)),
        round_minutes=line.minutes,
    )


def cannot(line: Line, seasons: Mapping[str, Season], today: date) -> Iterator[Trouble]:
    """Why a new evening cannot be planned."""
    if line.day < today:
        sentence = _("This day is over. Past evenings come in with their hands or results.")
        yield Trouble(line.line, "date", sentence)
    if line.season and name_key(line.season) not in seasons:
        yield Trouble(line.line, "season", no_season(line.season))
    if line.state not in NOT_YET:
        yield Trouble(line.line, "state", _("A new session is planned: leave this empty."))


def session_rows(club: Club) -> Iterator[list[object]]:
    """A line for every evening of the club, the first one first. Three queries."""
    tables = dict(_tables_played(club))
    for night in reversed(sessions_of(club)):
        yield [
            night.held_on.isoformat(),
            night.name,
            f"{night.begins_at:%H:%M}" if night.begins_at else "",
            night.places or "",
            night.season.name if night.season else "",
            night.round_minutes or "",
            night.state,
            tables.get(night.pk, 0),
            night.came,  # type: ignore[attr-defined]
        ]


def _tables_played(club: Club) -> Iterator[tuple[int, int]]:
    published = club.sessions.filter(tables__round__state=Round.State.PUBLISHED)
    counted = published.annotate(played=Count("tables"))
    yield from counted.values_list("pk", "played")


def _line(row: Row) -> Line:
    day = date.fromisoformat(row["date"])
    return Line(
        row.line,
        day,
        composed(row["session"]) or evening_name(day),
        _clock(row["begins"]),
        number_of(row["places"], MOST_PLACES) or None,
        row["season"],
        number_of(row["minutes a round"], MOST_MINUTES) or None,
        row["state"].casefold(),
    )


def _troubles(row: Row) -> Iterator[Trouble]:
    """What is wrong with the cells of one line, taken by themselves."""
    if day_of(row["date"]) is None:
        yield Trouble(row.line, "date", _("Write a date as 2026-11-19."))
    if row["session"] and not is_word(row["session"], LONGEST["session"]):
        told = {"most": LONGEST["session"]}
        yield Trouble(row.line, "session", _("Write a name of at most %(most)d letters.") % told)
    if row["begins"] and _clock(row["begins"]) is None:
        yield Trouble(row.line, "begins", _("Write a time as 19:30."))
    for column, most in (("places", MOST_PLACES), ("minutes a round", MOST_MINUTES)):
        if row[column] and not number_of(row[column], most):
            sentence = _("Write a number from 1 to %(most)d.") % {"most": most}
            yield Trouble(row.line, column, sentence)
    if row["state"] and row["state"].casefold() not in Session.State.values:
        words = ", ".join(Session.State.values)
        yield Trouble(row.line, "state", _("Write one of: %(words)s.") % {"words": words})
    for column in COUNTED:
        if row[column] and not row[column].isdecimal():
            yield Trouble(row.line, column, _("This column is counted: leave it empty."))


def _clock(text: str) -> time | None:
    """A time as 19:30."""
    told = CLOCK.fullmatch(text)
    if told is None or int(told[1]) > 23 or int(told[2]) > 59:
        return None
    return time(int(told[1]), int(told[2]))
