"""Past games on a sheet, their hands or their results: what it would do, then all of it or nothing.

Everything is read, judged and folded before anything is locked: the hall goes on writing. Under
the lock only the facts are looked at that this rests on, and then all of it is stored.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from django.db import transaction
from django.utils.crypto import constant_time_compare

from league import progress
from league.exchange.club_here import ClubHere
from league.exchange.evenings import Evening, made_ready, store
from league.exchange.past_games import PastGame, season_troubles
from league.exchange.sheet_trouble import Trouble, list_changed, refuse_bad_lines
from league.members.actions.people import lock_club
from league.members.audit import Actor
from league.play.actions.bring_in import Brought
from league.sessions.models import Session


class Here(Protocol):
    """A kind of sheet beside what its club has: its people, rules and evenings (`now`), and the
    games of the sheet that are here already."""

    now: ClubHere

    @property
    def facts(self) -> tuple[object, ...]:
        """All that a verdict on the sheet rests on: where it is the same, so is the verdict."""

    def has(self, game: Any) -> bool:
        """Whether the game was written down before."""

    def differs(self, game: Any) -> Iterator[Trouble]:
        """Where a game that is here says something else."""

    def cannot(self, game: Any) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""

    def bring(self, game: Any, table: Any, seats: Any, *, by: Actor, at: datetime) -> Brought:
        """A new game with all that is stored of it."""


@dataclass(frozen=True, slots=True)
class GamesPreview:
    """What a sheet of games would do: the games that are new, how many are here already, and
    every trouble with its line."""

    new: Sequence[PastGame]
    known: int
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        told = "\n".join(game.told for game in self.new)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


def look(here: Here, games: Sequence[PastGame], troubles: list[Trouble]) -> GamesPreview:
    """What the sheet would do; a game that is here already stays as it is."""
    new = [game for game in games if not here.has(game)]
    found = [*troubles, *season_troubles(new)]
    for game in progress.counted(games):
        found += here.differs(game) if here.has(game) else here.cannot(game)
    found.sort(key=lambda trouble: trouble.line)
    return GamesPreview(new, len(games) - len(new), found)


def order(
    see: Callable[[], Here],
    games: Sequence[PastGame],
    troubles: list[Trouble],
    *,
    agreed: str,
    by: Actor,
) -> list[Session]:
    """Write every new game down, as its table would have, in closed sessions of its own.

    `see` says what the club has. Refuses with every bad line; refuses when the sheet would now do
    something else than what was looked at (`agreed`).
    """
    here = see()
    found = look(here, games, troubles)
    refuse_bad_lines(found.troubles)
    if not constant_time_compare(agreed, found.agreed):
        raise list_changed()
    evenings = made_ready(here.now, found.new, partial(_brought, here, by), by=by)
    progress.begin("saving")
    _store(evenings, here, see, by=by)
    return [night.session for night in evenings]


def _brought(here: Here, by: Actor, game: Any, table: Any, seats: Any, at: datetime) -> Brought:
    return here.bring(game, table, seats, by=by, at=at)


@transaction.atomic
def _store(evenings: Sequence[Evening], here: Here, see: Callable[[], Here], *, by: Actor) -> None:
    lock_club(here.now.club)
    if see().facts != here.facts:
        raise list_changed()
    store(here.now.club, evenings, by=by)
    progress.saved(len(evenings))
