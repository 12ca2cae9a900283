"""Exports and imports sessions as lines of a sheet: a preview of each line, then all or nothing."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from itertools import count

from django.core.exceptions import ValidationError
from django.db.models import Count
from django.utils.translation import gettext as _

from league.exchange.past_games import (
    LONGEST,
    day_of,
    is_word,
    no_season,
    number_of,
    seasons_by_name,
    time_of,
)
from league.exchange.sheet_import import Trouble, import_agreed
from league.exchange.sheet_reading import Row
from league.members.audit import Actor
from league.members.fields import FormLineField
from league.members.models import Club
from league.members.names import composed, name_key
from league.seasons.models import Season
from league.seating.models import Round
from league.sessions.actions import make_sessions
from league.sessions.models import LONGEST_ROUND as MOST_MINUTES
from league.sessions.models import MOST_PLACES, Session
from league.sessions.queries import evening_name, sessions_of

OVER = (Session.State.CLOSED, Session.State.CANCELLED)
COUNTED = ("tables", "people")
REASON = FormLineField(max_length=200, required=False)


@dataclass(frozen=True, slots=True)
class Line:
    """One session of the sheet, with its season by name."""

    line: int
    day: date
    name: str
    begins_at: time | None
    places: int | None
    season: str
    minutes: int | None
    state: str
    cancel_reason: str

    @property
    def night(self) -> tuple[date, str]:
        return self.day, self.name


def sessions_on(club: Club, rows: Sequence[Row]) -> tuple[list[Line], list[Trouble]]:
    """The sessions of a sheet, and every invalid cell.

    Two sessions with the same day and name are a mistake, unless they give a state: then they come
    from our own export, and a club may have both.
    """
    lines: list[Line] = []
    troubles: list[Trouble] = []
    seen: dict[tuple[date, str], int] = {}
    for row in rows:
        row_troubles = list(_troubles(row))
        if not row_troubles:
            line = _line(club, row)
            if not row["session"]:
                line = _numbered(line, lines)
            first = seen.setdefault(line.night, line.line)
            if first == line.line or line.state:
                lines.append(line)
            else:
                sentence = _("This session is already on line %(line)d.") % {"line": first}
                row_troubles.append(Trouble(row.line, "session", sentence))
        troubles += row_troubles
    return lines, troubles


def session_of_line(club: Club, line: Line, seasons: Mapping[str, Season]) -> Session:
    """The unsaved session of a line."""
    return Session(
        club=club,
        name=line.name,
        held_on=line.day,
        begins_at=line.begins_at,
        places=line.places,
        season=seasons.get(name_key(line.season)),
        round_minutes=line.minutes,
        cancel_reason=line.cancel_reason,
        state=line.state if line.state in OVER else Session.State.OPEN,
    )


def new_session_troubles(
    line: Line, seasons: Mapping[str, Season], today: date
) -> Iterator[Trouble]:
    """Why a new session cannot be planned; one that is over is imported as it was."""
    if line.state in OVER:
        if line.day > today and line.state == Session.State.CLOSED:
            yield Trouble(line.line, "date", _("This day is in the future."))
    elif line.day < today:
        sentence = _("This day is in the past. Import past sessions with their hands or results.")
        yield Trouble(line.line, "date", sentence)
    season = seasons.get(name_key(line.season))
    if season and season.closed_at and line.state not in OVER:
        yield Trouble(line.line, "season", _("This season is closed. Reopen it first."))


def unknown_season_troubles(
    lines: Sequence[Line], seasons: Mapping[str, Season]
) -> Iterator[Trouble]:
    """The seasons that the club doesn't have, each once: at the first line that names it."""
    first_lines = {line.season: line.line for line in reversed(lines) if line.season}
    for season, line in first_lines.items():
        if name_key(season) not in seasons:
            yield Trouble(line, "season", no_season(season))


def session_rows(club: Club) -> Iterator[list[object]]:
    """A line for every session of the club, the earliest first. Three queries."""
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
            night.cancel_reason,
        ]


def _tables_played(club: Club) -> Iterator[tuple[int, int]]:
    published = club.sessions.filter(tables__round__state=Round.State.PUBLISHED)
    yield from published.annotate(played=Count("tables")).values_list("pk", "played")


def _line(club: Club, row: Row) -> Line:
    day = date.fromisoformat(row["date"])
    return Line(
        row.line,
        day,
        composed(row["session"]) or evening_name(club, day),
        time_of(row["begins"]),
        number_of(row["places"], MOST_PLACES) or None,
        row["season"],
        number_of(row["minutes a round"], MOST_MINUTES) or None,
        row["state"].casefold(),
        REASON.clean(row["reason"]) if row["state"].casefold() == Session.State.CANCELLED else "",
    )


def _numbered(line: Line, lines: Sequence[Line]) -> Line:
    """A line without a name, numbered if the sheet has a session at another time of that day."""
    same_day = {one.name: one.begins_at for one in lines if one.day == line.day}
    if line.name not in same_day or line.begins_at in same_day.values():
        return line
    numbered = (f"{line.name} ({number})" for number in count(2))
    return replace(line, name=next(name for name in numbered if name not in same_day))


def _troubles(row: Row) -> Iterator[Trouble]:
    """What is wrong with each cell of one line."""
    if day_of(row["date"]) is None:
        yield Trouble(row.line, "date", _("Enter a date as 2026-11-19."))
    if row["session"] and not is_word(row["session"], LONGEST["session"]):
        limit = {"most": LONGEST["session"]}
        yield Trouble(row.line, "session", _("Enter a name of at most %(most)d letters.") % limit)
    if row["begins"] and time_of(row["begins"]) is None:
        yield Trouble(row.line, "begins", _("Enter a time as 19:30."))
    for column, most in (("places", MOST_PLACES), ("minutes a round", MOST_MINUTES)):
        if row[column] and not number_of(row[column], most):
            sentence = _("Enter a number from 1 to %(most)d.") % {"most": most}
            yield Trouble(row.line, column, sentence)
    if row["state"] and row["state"].casefold() not in Session.State.values:
        words = ", ".join(Session.State.values)
        yield Trouble(row.line, "state", _("Enter one of: %(words)s.") % {"words": words})
    try:
        REASON.clean(row["reason"])
    except ValidationError as error:
        yield Trouble(row.line, "reason", " ".join(error.messages))
    for column in COUNTED:
        if row[column] and not row[column].isdecimal():
            yield Trouble(row.line, column, _("This column is worked out for you. Leave it empty."))


@dataclass(frozen=True, slots=True)
class SessionsPreview:
    """What importing a sheet of sessions would do: the new ones, how many the club already has,
    and every trouble with its line."""

    new: list[Line]
    known: int
    troubles: list[Trouble]

    @property
    def needs_season(self) -> bool:
        return any(trouble.column == "season" for trouble in self.troubles)

    @property
    def agreed(self) -> str:
        """A digest of what was shown."""
        return hashlib.sha256(repr(self.new).encode()).hexdigest()[:32]


class _ExistingSessions:
    """The club's sessions and seasons: everything the preview depends on."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.nights = Counter(club.sessions.values_list("held_on", "name"))
        self.seasons = seasons_by_name(club)

    @property
    def facts(self) -> tuple[object, ...]:
        seasons = self.seasons.values()
        return self.nights, [(s.name, s.pk, s.starts_on, s.ends_on, s.closed_at) for s in seasons]

    def season_on(self, day: date) -> str:
        """The season that the form for a new session would offer on that day."""
        seasons = (season for season in self.seasons.values() if season.closed_at is None)
        on_day = (s.name for s in seasons if s.starts_on <= day <= (s.ends_on or date.max))
        return next(on_day, "")


def preview_sessions(club: Club, rows: Sequence[Row], *, at: datetime) -> SessionsPreview:
    """What importing each line would do; sessions the club already has stay as they are."""
    return _preview(_ExistingSessions(club), rows, club.local(at).date())


def _preview(existing: _ExistingSessions, rows: Sequence[Row], today: date) -> SessionsPreview:
    lines, troubles = sessions_on(existing.club, rows)
    if not any("season" in row.cells for row in rows):
        lines = [replace(line, season=existing.season_on(line.day)) for line in lines]
    lines = [_closed_if_past(line, today) for line in lines]
    unmatched, new = existing.nights.copy(), []
    for line in lines:
        if unmatched[line.night] > 0:
            unmatched[line.night] -= 1  # the club has this session
        else:
            new.append(line)
    for line in new:
        troubles += new_session_troubles(line, existing.seasons, today)
    troubles += unknown_season_troubles(new, existing.seasons)
    troubles.sort(key=lambda trouble: trouble.line)
    return SessionsPreview(new, len(lines) - len(new), troubles)


def _closed_if_past(line: Line, today: date) -> Line:
    """The line, closed if it is a past session that our own export lists as open."""
    is_past = line.state and line.state not in OVER and line.day < today
    return replace(line, state=Session.State.CLOSED) if is_past else line


def import_sessions(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Plan every new session of the sheet.

    Refuses with every bad line, or when the sheet would now do something other than what was
    `agreed`; then nothing is planned.
    """
    today = club.local(at).date()
    return import_agreed(
        club,
        lambda: _ExistingSessions(club),
        lambda existing: _preview(existing, rows, today),
        lambda existing, preview: [
            session_of_line(club, line, existing.seasons) for line in preview.new
        ],
        lambda nights: make_sessions(club, nights, by=by, at=at),
        agreed=agreed,
    )
