"""A bracket as it is drawn: its matches, and where each side of a match comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
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
    """One place of a bracket where two sides meet, whoever they turn out to be."""

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
        places = [seed for one in places for seed in (one, both - one)]
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
    return [Source(Kind.WINNER, one.key) for one in meetings]


def losers(meetings: Sequence[Meeting]) -> list[Source]:
    return [Source(Kind.LOSER, one.key) for one in meetings]
