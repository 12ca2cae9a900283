"""What every format takes and gives: who meets whom, what came of it, and sentences."""

from dataclasses import dataclass, field

# The functions are called like Django's so that the collector of messages finds their sentences.


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message id with what fills it; one that counts has a plural and its `count`."""

    one: str
    many: str = ""
    count: int = 0
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """In English, untranslated."""
        return (self.many if self.many and self.count != 1 else self.one) % self.values


def gettext_noop(sentence: str) -> str:
    """The sentence itself."""
    return sentence


def gettext(sentence: str, **values: object) -> Sentence:
    return Sentence(sentence, values=values)


def ngettext(one: str, many: str, n: int) -> Sentence:
    """A sentence about `%(n)d` of something."""
    return Sentence(one, many, n, {"n": n})


EntryId = int | str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet in a round; `second` is None for a bye.

    The first is at home, where a format knows homes. `label` names the match where the format
    needs to find it again: the key of a match of a bracket, the number of a group.
    """

    first: EntryId
    second: EntryId | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: the hand points each side took, and who won; None for a draw.

    A `walkover` counts as won, but the two have not met.
    """

    first: EntryId
    second: EntryId
    first_points: int
    second_points: int
    winner: EntryId | None
    walkover: bool = False
