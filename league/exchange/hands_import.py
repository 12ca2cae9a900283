"""Evenings written down elsewhere: what a sheet of hands would do, then all of it or nothing."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.crypto import constant_time_compare

from league.exchange.evenings import Evening, made_ready, store
from league.exchange.hands_here import Here
from league.exchange.hands_sheet import SheetGame, games_on
from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble, list_changed, refuse_bad_lines
from league.members.actions.people import lock_club
from league.members.audit import Actor
from league.members.models import Club
from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class HandsPreview:
    """What a sheet of hands would do: the games that are new, how many are here already, and
    every trouble with its line."""

    new: list[SheetGame]
    known: int
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        told = [(str(g.day), g.session, g.game, g.table, g.players, g.records) for g in self.new]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:32]

    @property
    def hands(self) -> int:
        return sum(len(game.records) for game in self.new)


def preview_hands(club: Club, rows: Sequence[Row], *, at: datetime) -> HandsPreview:
    """What the sheet would do. Changes nothing; a game that is here already stays as it is."""
    games, troubles = games_on(rows)
    return _preview(Here(club, games, club.local(at).date()), games, troubles)


def _preview(here: Here, games: list[SheetGame], troubles: list[Trouble]) -> HandsPreview:
    new = [game for game in games if not here.has(game)]
    for game in games:
        troubles += here.differs(game) if here.has(game) else here.cannot(game)
    troubles.sort(key=lambda trouble: trouble.line)
    return HandsPreview(new, len(games) - len(new), troubles)


def import_hands(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Write every new game down, as its table would have, in closed sessions of its own.

    Everything is read, judged and folded before anything is locked: the hall goes on writing.
    Under the lock only the facts are looked at that this rests on, and then all of it is stored.
    """
    games, troubles = games_on(rows)
    here = Here(club, games, club.local(at).date())
    found = _preview(here, games, troubles)
    refuse_bad_lines(found.troubles)
    if not constant_time_compare(agreed, found.agreed):
        raise list_changed()
    evenings = made_ready(club, found.new, here.people, here.rules, by=by)
    _store(club, evenings, games, here, by=by)
    return [night.session for night in evenings]


@transaction.atomic
def _store(
    club: Club, evenings: Sequence[Evening], games: Sequence[SheetGame], here: Here, *, by: Actor
) -> None:
    lock_club(club)
    if Here(club, games, here.today).facts != here.facts:
        raise list_changed()
    store(club, evenings, by=by)
