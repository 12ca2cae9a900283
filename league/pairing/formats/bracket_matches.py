"""The matches of a bracket: where each side comes from, and the state of each match."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from league.pairing.formats.pairings import EntryId


class Part(StrEnum):
    """The parts of a bracket; every bracket has a main part."""

    MAIN = "main"
    LOSERS = "losers"
    CONSOLATION = "consolation"
    THIRD_PLACE = "third_place"
    FINAL = "final"  # of a double knock-out: champions of the winners' and the losers' rounds


LETTERS = {
    Part.MAIN: "M",
    Part.LOSERS: "L",
    Part.CONSOLATION: "C",
    Part.THIRD_PLACE: "T",
    Part.FINAL: "F",
}


class Kind(StrEnum):
    """Where a side comes from.

    `FIRST_LOSS`: the loser of `match`. If that was not played (a bye, a walk-over), its winner if
    they lose their next match: the first of `next_matches` that is played.
    `RESET_FIRST`, `RESET_SECOND`: a side of the final `match`, if it has to be played again because
    the champion of the losers' rounds won it.
    """

    DRAWN = "drawn"
    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"
    RESET_FIRST = "reset_first"
    RESET_SECOND = "reset_second"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a side comes from: the `entry` if drawn (None: a bye), else a match, by its key."""

    kind: Kind
    match: str = ""
    entry: EntryId | None = None
    next_matches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Meeting:
    """A place in a bracket where two sides meet, whichever entries they turn out to be."""

    part: Part
    round: int
    number: int
    first: Source
    second: Source

    @property
    def key(self) -> str:
        """The permanent key of the match: `M2-1` is the first match of the second main round."""
        return key(self.part, self.round, self.number)


def key(part: Part, round_number: int, number: int) -> str:
    return f"{LETTERS[part]}{round_number}-{number}"


def seeding(size: int) -> list[int]:
    """Return the seeds in the order of the first round's places: 1-8, 4-5, 2-7, 3-6 for eight.

    The best two can only meet in the final, the best four only from the semi-finals on. `size` is
    a power of two.
    """
    seeds = [1]
    while len(seeds) < size:
        pair_sum = 2 * len(seeds) + 1
        seeds = [new_seed for seed in seeds for new_seed in (seed, pair_sum - seed)]
    return seeds


def main_rounds(entries: Sequence[EntryId]) -> list[list[Meeting]]:
    """Return the rounds of a single knock-out; the best seeds have the byes."""
    count = max(1, (len(entries) - 1).bit_length())
    drawn_sides = [
        Source(Kind.DRAWN, entry=entries[seed - 1] if seed <= len(entries) else None)
        for seed in seeding(2**count)
    ]
    return elimination_rounds(Part.MAIN, drawn_sides)


def elimination_rounds(part: Part, sides: Sequence[Source]) -> list[list[Meeting]]:
    """Return rounds in which neighbours meet until one is left; `sides` is a power of two long."""
    rounds: list[list[Meeting]] = []
    while len(sides) > 1:
        rounds.append(pair_neighbours(part, len(rounds) + 1, sides))
        sides = winners(rounds[-1])
    return rounds


def pair_neighbours(part: Part, number: int, sides: Sequence[Source]) -> list[Meeting]:
    """Return one round: the first side meets the second, the third the fourth, and so on."""
    pairs = zip(sides[::2], sides[1::2], strict=True)
    return [Meeting(part, number, n, first, second) for n, (first, second) in enumerate(pairs, 1)]


def winners(meetings: Sequence[Meeting]) -> list[Source]:
    return [Source(Kind.WINNER, meeting.key) for meeting in meetings]


def losers(meetings: Sequence[Meeting]) -> list[Source]:
    return [Source(Kind.LOSER, meeting.key) for meeting in meetings]


class State(StrEnum):
    """The state of a match. `UNUSED`: it has no sides."""

    WAITING = "waiting"
    READY = "ready"
    PLAYED = "played"
    WALKOVER = "walkover"
    BYE = "bye"
    UNUSED = "unused"


OPEN = (State.WAITING, State.READY)


@dataclass(frozen=True, slots=True)
class Match:
    """A match and its state. A side is None while unknown and, if known, when it is empty."""

    meeting: Meeting
    first: EntryId | None = None
    second: EntryId | None = None
    sides_known: tuple[bool, bool] = (False, False)
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
    def defeated(self) -> tuple[EntryId, ...]:
        """The entries in it that did not win, once it is over."""
        sides = self.sides if self.over else ()
        return tuple(entry for entry in sides if entry is not None and entry != self.winner)


@dataclass(frozen=True, slots=True)
class _Side:
    is_known: bool
    entry: EntryId | None = None


NOBODY = _Side(is_known=True)
UNKNOWN = _Side(is_known=False)


def resolve_matches(
    meetings: Iterable[Meeting],
    results: Mapping[str, tuple[EntryId, EntryId]],
    withdrawn: Collection[EntryId],
) -> dict[str, Match]:
    """Return every match by its key. A result counts only while the match has the same sides."""
    matches: dict[str, Match] = {}
    for meeting in meetings:
        first = _resolve_side(meeting.first, matches)
        second = _resolve_side(meeting.second, matches)
        match = Match(meeting, first.entry, second.entry, (first.is_known, second.is_known))
        matches[meeting.key] = _decide(match, results.get(meeting.key), withdrawn)
    return matches


def _decide(
    match: Match, result: tuple[EntryId, EntryId] | None, withdrawn: Collection[EntryId]
) -> Match:
    """Return the match with its state, and its winner and loser if decided."""
    if not all(match.sides_known):
        return match
    entries = [entry for entry in match.sides if entry is not None]
    if len(entries) < 2:
        return _with_state(match, State.BYE if entries else State.UNUSED, *entries)
    if result and set(result) == set(entries):
        return _with_state(match, State.PLAYED, *result)
    active = [entry for entry in entries if entry not in withdrawn]
    if len(active) == 2:
        return _with_state(match, State.READY)
    # If both have withdrawn, the first goes on and loses the next match by walk-over.
    return _with_state(match, State.WALKOVER, *sorted(entries, key=lambda e: e not in active))


def _with_state(
    match: Match, state: State, winner: EntryId | None = None, loser: EntryId | None = None
) -> Match:
    return replace(match, state=state, winner=winner, loser=loser)


def _resolve_side(source: Source, matches: Mapping[str, Match]) -> _Side:
    """Return the entry that comes from a source, as far as it is known."""
    if source.kind is Kind.DRAWN:
        return _Side(is_known=True, entry=source.entry)
    match = matches[source.match]
    if not match.over:
        return UNKNOWN
    if source.kind is Kind.WINNER:
        return _Side(is_known=True, entry=match.winner)
    if source.kind is Kind.LOSER:
        return _Side(is_known=True, entry=match.loser)
    if source.kind is Kind.FIRST_LOSS:
        return _first_loss(source, matches)
    if match.winner is None or match.winner != match.second or match.first is None:
        return NOBODY
    return _Side(True, match.first if source.kind is Kind.RESET_FIRST else match.second)


def count_sides(meetings: Iterable[Meeting]) -> dict[str, int]:
    """Return how many sides each match will have, by its key, given the byes of the first round."""
    counts: dict[str, int] = {}
    for meeting in meetings:
        sides = (meeting.first, meeting.second)
        counts[meeting.key] = sum(has_entry(side, counts) for side in sides)
    return counts


def has_entry(source: Source, side_counts: Mapping[str, int]) -> bool:
    """Whether the byes of the first round leave an entry to come from a source."""
    if source.kind is Kind.DRAWN:
        return source.entry is not None
    if source.kind is Kind.LOSER:
        return side_counts[source.match] == 2
    return source.kind is not Kind.WINNER or side_counts[source.match] > 0


def _first_loss(source: Source, matches: Mapping[str, Match]) -> _Side:
    """Return the loser of a match that was played, or else its winner if they lose the next."""
    match = matches[source.match]
    entry = match.loser if match.state is State.PLAYED else None
    if match.state is not State.PLAYED and match.winner is not None:
        for key in source.next_matches:
            next_match = matches[key]
            if not next_match.over:
                return UNKNOWN
            if next_match.loser == match.winner:
                entry = match.winner
            if next_match.state is State.PLAYED:
                break
    return _Side(is_known=True, entry=entry)


def first_meetings(count: int) -> tuple[tuple[int, ...], ...]:
    """Return who meets in the first round of a bracket, as places in the draw, from 0."""
    sides = ((match.first.entry, match.second.entry) for match in main_rounds(range(count))[0])
    return tuple((int(a), int(b)) for a, b in sides if a is not None and b is not None)
