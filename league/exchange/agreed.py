"""Doing what somebody agreed to: the same for every kind of import. All of it or nothing, and only
what was looked at."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from django.db import transaction
from django.utils.crypto import constant_time_compare

from league import worker
from league.exchange.sheet_text import Trouble, list_changed, refuse_bad_lines
from league.members.actions.people import lock_club
from league.members.models import Club


class Here(Protocol):
    """What a club has, as far as an import is judged by it."""

    @property
    def facts(self) -> object:
        """All that a verdict rests on: where it is the same, so is the verdict."""


class Found(Protocol):
    """What a look at a file found: its troubles, and the mark of what it would do."""

    @property
    def troubles(self) -> list[Trouble]: ...

    @property
    def agreed(self) -> str: ...


ClubHere = TypeVar("ClubHere", bound=Here)
Looked = TypeVar("Looked", bound=Found)
Made = TypeVar("Made")


def do_agreed(
    club: Club,
    see: Callable[[], ClubHere],
    look: Callable[[ClubHere], Looked],
    make: Callable[[ClubHere, Looked], list[Made]],
    save: Callable[[list[Made]], None],
    *,
    agreed: str,
) -> list[Made]:
    """Make what the file asks for, and save it.

    Everything is read and judged before anything is locked: the hall goes on writing. Under the
    lock only the facts are looked at that the verdict rests on. Refuses with every bad line, and
    (`list-changed`) when the file would now do something else than what was agreed to.
    """
    here = see()
    found = look(here)
    refuse_bad_lines(found.troubles)
    if not found.agreed or not constant_time_compare(agreed, found.agreed):
        raise list_changed()
    made = make(here, found)
    worker.begin("saving")
    store(club, lambda: see().facts == here.facts, made, save)
    return made


@transaction.atomic
def store(
    club: Club, stands: Callable[[], bool], made: list[Made], save: Callable[[list[Made]], None]
) -> None:
    """Save what was made, where the verdict still `stands`."""
    lock_club(club)
    if not stands():
        raise list_changed()
    save(made)
    worker.saved(len(made))
