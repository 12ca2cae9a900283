"""What is known of each match of a bracket, worked out from the draw and the results."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from league.pairing.formats.knockout.bracket_matches import Kind, Meeting, Part, Source
from league.pairing.formats.pairings import EntryId


class State(StrEnum):
    """How far a match is. `UNUSED`: nobody comes to it."""

    WAITING = "waiting"
    READY = "ready"
    PLAYED = "played"
    WALKOVER = "walkover"
    BYE = "bye"
    UNUSED = "unused"


OPEN = (State.WAITING, State.READY)


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands. A side is None while unknown and when nobody comes (then `known`)."""

    meeting: Meeting
    first: EntryId | None = None
    second: EntryId | None = None
    known: tuple[bool, bool] = (False, False)
    state: State = State.WAITING
    winner: EntryId | None = None
    loser: EntryId | None = None

    @property
    def key(self) -> str:
        return self.meeting.key

    @property
    def part(self) -> Part:
        return self.meeting.part

    @property
    def round(self) -> int:
        return self.meeting.round

    @property
    def number(self) -> int:
        return self.meeting.number

    @property
    def sides(self) -> tuple[EntryId | None, EntryId | None]:
        return self.first, self.second

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.state not in OPEN

    @property
    def out(self) -> tuple[EntryId, ...]:
        """Who came to it and did not win it, once it is over."""
        sides = self.sides if self.over else ()
        return tuple(one for one in sides if one is not None and one != self.winner)


@dataclass(frozen=True, slots=True)
class _Side:
    known: bool
    entry: EntryId | None = None


NOBODY = _Side(known=True)
UNKNOWN = _Side(known=False)


def resolved(
    meetings: Iterable[Meeting],
    results: Mapping[str, tuple[EntryId, EntryId]],
    withdrawn: Collection[EntryId],
) -> dict[str, Match]:
    """Every match by its key. A result counts only between the sides it was made between."""
    known: dict[str, Match] = {}
    for meeting in meetings:
        first, second = _side(meeting.first, known), _side(meeting.second, known)
        match = Match(meeting, first.entry, second.entry, (first.known, second.known))
        known[meeting.key] = _decided(match, results.get(meeting.key), withdrawn)
    return known


def _decided(
    match: Match, result: tuple[EntryId, EntryId] | None, withdrawn: Collection[EntryId]
) -> Match:
    if not all(match.known):
        return match
    came = [one for one in (match.first, match.second) if one is not None]
    if len(came) < 2:
        return _with(match, State.BYE if came else State.UNUSED, *came)
    if result and set(result) == set(came):
        return _with(match, State.PLAYED, *result)
    here = [one for one in came if one not in withdrawn]
    if len(here) == 2:
        return _with(match, State.READY)
    # If both are gone the first goes on, to lose the next match by walk-over.
    return _with(match, State.WALKOVER, *sorted(came, key=lambda one: one not in here))


def _with(
    match: Match, state: State, winner: EntryId | None = None, loser: EntryId | None = None
) -> Match:
    return replace(match, state=state, winner=winner, loser=loser)


def _side(source: Source, known: Mapping[str, Match]) -> _Side:
    """Who comes from there."""
    if source.kind is Kind.DRAWN:
        return _Side(known=True, entry=source.entry)
    match = known[source.match]
    if not match.over:
        return UNKNOWN
    if source.kind is Kind.WINNER:
        return _Side(known=True, entry=match.winner)
    if source.kind is Kind.LOSER:
        return _Side(known=True, entry=match.loser)
    if source.kind is Kind.FIRST_LOSS:
        return _first_loss(source, known)
    if match.winner is None or match.winner != match.second or match.first is None:
        return NOBODY
    return _Side(True, match.first if source.kind is Kind.RESET_FIRST else match.second)


def _first_loss(source: Source, known: Mapping[str, Match]) -> _Side:
    """The loser of a match that was played; else its winner, if they lost the one after it."""
    match = known[source.match]
    who = match.loser if match.state is State.PLAYED else None
    if match.state is not State.PLAYED and match.winner is not None:
        for key in source.then:
            after = known[key]
            if not after.over:
                return UNKNOWN
            if after.loser == match.winner:
                who = match.winner
            if after.state is State.PLAYED:
                break
    return _Side(known=True, entry=who)
