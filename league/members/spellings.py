"""Names that may be one person's under another spelling, found among thousands. Pure."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process

from league.members.lookalikes import look
from league.members.names import name_key

ALIKE = 0.86  # of the letters of both names, those that match
SHORT_FORM = 0.95  # how like a name its short form is
MOST_ALIKE = 10  # names that a name is said to be like: more help nobody
Words = tuple[str, ...]


def looks_like(name: str, others: Iterable[str]) -> list[str]:
    """Those among `others` that may be the same person under another spelling, closest first.

    The same words in another order, accents left off, a last name cut to its initial, a slip of
    a letter or two, or characters that look the same; but not those that only differ by a number.
    An equal name is not "like": compare `name_key` for that.
    """
    return Spellings(others).like(name)


class Spellings:
    """Many names, prepared once so that a long list can be compared with all of them.

    Work is bounded for every list, also where everybody's name is like everybody's: a name's near
    spellings are counted to MOST_ALIKE.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: list[str] = []
        self._letters: list[str] = []
        self._by_words: dict[Words, list[int]] = defaultdict(list)
        # Where the last word is one letter, and where it is longer, by that letter.
        self._short: dict[tuple[Words, str], list[int]] = defaultdict(list)
        self._full: dict[tuple[Words, str], list[int]] = defaultdict(list)
        self._by_look: dict[str, list[int]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Know one more name."""
        words, place = _words(name), len(self._names)
        self._names.append(name)
        self._letters.append(" ".join(sorted(words)))
        _first(self._by_words[tuple(sorted(words))], place)
        if len(words) > 1:
            lengths = self._short if len(words[-1]) == 1 else self._full
            _first(lengths[words[:-1], words[-1][0]], place)
        _first(self._by_look[look(name)], place)

    def like(self, name: str) -> list[str]:
        """The near spellings of one name, closest first, MOST_ALIKE of them; see `looks_like`."""
        key, words = name_key(name), _words(name)
        near = {place: likeness / 100 for place, likeness in self._slips(words)}
        near |= dict.fromkeys(self._cut_short(words), SHORT_FORM)
        near |= dict.fromkeys(self._by_words.get(tuple(sorted(words)), ()), 1.0)
        near = {p: like for p, like in near.items() if not _numbered_apart(words, self._names[p])}
        near |= dict.fromkeys(self._by_look.get(look(name), ()), 1.0)
        found = [
            (-likeness, self._names[place])
            for place, likeness in near.items()
            if name_key(self._names[place]) != key
        ]
        return [other for _likeness, other in sorted(found)][:MOST_ALIKE]

    def _slips(self, words: Words) -> list[tuple[int, float]]:
        """Names with nearly the same letters, by place, with the percentage that match."""
        found = process.extract(
            " ".join(sorted(words)),
            self._letters,
            scorer=fuzz.ratio,
            score_cutoff=100 * ALIKE,
            limit=2 * MOST_ALIKE,
        )
        return [(place, likeness) for _letters, likeness, place in found]

    def _cut_short(self, words: Words) -> Sequence[int]:
        """ "Rose Winter" for "Rose W.", and the other way about."""
        if len(words) < 2:
            return ()
        lengths = self._full if len(words[-1]) == 1 else self._short
        return lengths.get((words[:-1], words[-1][0]), ())


def _first(places: list[int], place: int) -> None:
    """Remember a place while there are not many of its kind."""
    if len(places) < 2 * MOST_ALIKE:
        places.append(place)


def _words(name: str) -> Words:
    """The words in plain letters, accents dropped: what is left when one types in a hurry."""
    bare = unicodedata.normalize("NFKD", name_key(name))
    plain = (s if s.isalnum() else " " for s in bare if not unicodedata.combining(s))
    return tuple("".join(plain).split())


def _numbered_apart(words: Words, other: str) -> bool:
    """Whether numbers tell them apart, as "Guest 1" and "Guest 2" on purpose."""
    numbers, theirs = ([w for w in both if w.isdecimal()] for both in (words, _words(other)))
    return bool(numbers and theirs) and numbers != theirs
