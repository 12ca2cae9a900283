"""A season's calendar from a sheet: what each line would do, then all of it or nothing."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.utils.crypto import constant_time_compare

from league import progress
from league.exchange.club_here import seasons_by_name
from league.exchange.reading import Row
from league.exchange.sessions_sheet import Line, cannot, evenings_on, session_of_line
from league.exchange.sheet_trouble import Trouble, list_changed, refuse_bad_lines
from league.members.actions.people import lock_club
from league.members.audit import Actor
from league.members.models import Club
from league.sessions.actions import make_sessions
from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class SessionsPreview:
    """What a sheet of evenings would do: the new ones, how many are here already, and every
    trouble with its line."""

    new: list[Line]
    known: int
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        return hashlib.sha256(repr(self.new).encode()).hexdigest()[:32]


class _Here:
    """The club's evenings and seasons: all that a verdict rests on."""

    def __init__(self, club: Club) -> None:
        self.nights = set(club.sessions.values_list("held_on", "name"))
        self.seasons = seasons_by_name(club)

    @property
    def facts(self) -> tuple[object, ...]:
        return self.nights, {name: one.pk for name, one in self.seasons.items()}


def preview_sessions(club: Club, rows: Sequence[Row], *, at: datetime) -> SessionsPreview:
    """What each line would do. Changes nothing; a session that is here already stays as it is."""
    return _preview(_Here(club), rows, club.local(at).date())


def _preview(here: _Here, rows: Sequence[Row], today: date) -> SessionsPreview:
    lines, troubles = evenings_on(rows)
    new = [line for line in lines if line.night not in here.nights]
    for line in new:
        troubles += cannot(line, here.seasons, today)
    troubles.sort(key=lambda trouble: trouble.line)
    return SessionsPreview(new, len(lines) - len(new), troubles)


def import_sessions(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Plan every new evening of the sheet.

    Refuses with every bad line and plans nothing; refuses when the sheet would now do something
    else than what was looked at (`agreed`).
    """
    here = _Here(club)
    found = _preview(here, rows, club.local(at).date())
    refuse_bad_lines(found.troubles)
    if not constant_time_compare(agreed, found.agreed):
        raise list_changed()
    nights = [session_of_line(club, line, here.seasons) for line in found.new]
    progress.begin("saving")
    _store(club, nights, here, by=by, at=at)
    return nights


@transaction.atomic
def _store(club: Club, nights: list[Session], here: _Here, *, by: Actor, at: datetime) -> None:
    lock_club(club)
    if _Here(club).facts != here.facts:
        raise list_changed()
    make_sessions(club, nights, by=by, at=at)
    progress.saved(len(nights))
