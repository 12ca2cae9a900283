"""The matches of a bracket: where each side comes from, and how far a match is."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from league.pairing.formats.pairings import EntryId


class Part(StrEnum):
    """The parts of a bracket; only the main one is always there."""

    MAIN = "main"
    LOSERS = "losers"
    CONSOLATION = "consolation"
    THIRD_PLACE = "third_place"
    FINAL = "final"  # of a double knock-out: winners' against losers' champion


LETTERS = {
    Part.MAIN: "M",
    Part.LOSERS: "L",
    Part.CONSOLATION: "C",
    Part.THIRD_PLACE: "T",
    Part.FINAL: "F",
}


class Kind(StrEnum):
    """Where a side comes from.

    `FIRST_LOSS`: the loser of `match`; if that was no match (a bye, a walk-over), then its winner,
    should they lose the one after it: the first of `then`, or the next if that was none.
    `RESET`: the first or second side of the final `match`, if it has to be played again because the
    champion of the losers' rounds won it.
    """

    DRAWN = "drawn"
    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"
    RESET_FIRST = "reset_first"
    RESET_SECOND = "reset_second"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a side comes from: `entry` where it is drawn (None: a bye), else the key `match`."""

    kind: Kind
    match: str = ""
    entry: EntryId | None = None
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Meeting:
    """One place of a bracket where two sides meet, no matter who they turn out to be."""

    part: Part
    round: int
    number: int
    first: Source
    second: Source

    @property
    def key(self) -> str:
        """Names the match for good: `M2-1` is the first match of the second main round."""
        return key(self.part, self.round, self.number)


def key(part: Part, round_number: int, number: int) -> str:
    return f"{LETTERS[part]}{round_number}-{number}"


def seeding(size: int) -> list[int]:
    """The seeds in the order of the first round's places: 1-8, 4-5, 2-7, 3-6 for eight.

    The best two can only meet in the final, the best four only in the semi-finals. `size` is a
    power of two.
    """
    places = [1]
    while len(places) < size:
        both = 2 * len(places) + 1
        places = [seed for place in places for seed in (place, both - place)]
    return places


def main_rounds(entries: Sequence[EntryId]) -> list[list[Meeting]]:
    """The rounds of a single knock-out; the best seeds meet the byes."""
    count = max(1, (len(entries) - 1).bit_length())
    drawn = [
        Source(Kind.DRAWN, entry=entries[seed - 1] if seed <= len(entries) else None)
        for seed in seeding(2**count)
    ]
    return knocked_out(Part.MAIN, drawn)


def knocked_out(part: Part, sides: Sequence[Source]) -> list[list[Meeting]]:
    """Rounds in which neighbours meet until one is left; a power of two of sides."""
    rounds: list[list[Meeting]] = []
    while len(sides) > 1:
        rounds.append(neighbours(part, len(rounds) + 1, sides))
        sides = winners(rounds[-1])
    return rounds


def neighbours(part: Part, number: int, sides: Sequence[Source]) -> list[Meeting]:
    """One round: the first meets the second, the third the fourth, and so on."""
    twos = zip(sides[::2], sides[1::2], strict=True)
    return [Meeting(part, number, n, one, other) for n, (one, other) in enumerate(twos, 1)]


def winners(meetings: Sequence[Meeting]) -> list[Source]:
    return [Source(Kind.WINNER, meeting.key) for meeting in meetings]


def losers(meetings: Sequence[Meeting]) -> list[Source]:
    return [Source(Kind.LOSER, meeting.key) for meeting in meetings]


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


def comers(meetings: Iterable[Meeting]) -> dict[str, int]:
    """How many come to each match, by its key, as the byes of the first round have it."""
    count: dict[str, int] = {}
    for meeting in meetings:
        count[meeting.key] = sum(comes(side, count) for side in (meeting.first, meeting.second))
    return count


def comes(source: Source, count: Mapping[str, int]) -> bool:
    """Whether the byes leave somebody to come from there."""
    if source.kind is Kind.DRAWN:
        return source.entry is not None
    if source.kind is Kind.LOSER:
        return count[source.match] == 2
    return source.kind is not Kind.WINNER or count[source.match] > 0


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


def first_meetings(count: int) -> tuple[tuple[int, ...], ...]:
    """Who meets in the first round of a bracket, as places in the order of the draw, from 0."""
    sides = ((one.first.entry, one.second.entry) for one in main_rounds(range(count))[0])
    return tuple((int(a), int(b)) for a, b in sides if a is not None and b is not None)
