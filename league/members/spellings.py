"""Names that may be one person's under another spelling, found among thousands. Pure."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from math import ceil, floor
from typing import Any

from league.members.names import name_key

ALIKE = 0.86  # of the letters of both names, those that match
Words = tuple[str, ...]


def looks_like(name: str, others: Iterable[str]) -> list[str]:
    """Those among `others` that may be the same person under another spelling, closest first.

    The same words in another order, accents left off, a last name cut to its initial, or a slip
    of a letter or two. An equal name is not "like": compare `name_key` for that.
    """
    return Spellings(others).like(name)


class Spellings:
    """Many names, prepared once so that a long list can be compared with all of them.

    Every name knows its threes of letters, and whoever is near shares some of them: only those
    are compared letter by letter.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._known: list[tuple[str, str, Words, int]] = []
        self._by_words: dict[Words, list[int]] = defaultdict(list)
        self._by_initial: dict[tuple[Words, str], list[int]] = defaultdict(list)
        self._by_three: dict[tuple[str, int], list[int]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Know one more name."""
        words, place = _words(name), len(self._known)
        letters = " ".join(sorted(words))
        self._known.append((name, name_key(name), words, len(letters)))
        self._by_words[tuple(sorted(words))].append(place)
        if words:
            self._by_initial[words[:-1], words[-1][0]].append(place)
        for three in _threes(letters):
            self._by_three[three].append(place)

    def like(self, name: str) -> list[str]:
        """The near spellings of one name, closest first; see `looks_like`."""
        key, words = name_key(name), _words(name)
        letters = " ".join(sorted(words))
        matcher = SequenceMatcher(None, "", letters, autojunk=False)
        found = []
        for place in self._near(words, letters):
            other, other_key, other_words, _length = self._known[place]
            if other_key != key:
                found.append((_likeness(words, other_words, matcher), other))
        return [other for likeness, other in sorted(found, key=_closest_first) if likeness]

    def _near(self, words: Words, letters: str) -> set[int]:
        """All that can be like a name, and few that are not."""
        shared: Counter[int] = Counter()
        for three in _threes(letters):
            shared.update(self._by_three.get(three, ()))
        least = _least_shared_with_any(len(letters))
        near = {
            place
            for place, count in shared.items()
            if count >= least and count >= _least_shared(len(letters) + self._known[place][3])
        }
        near.update(self._by_words.get(tuple(sorted(words)), ()))
        if words:
            near.update(self._by_initial.get((words[:-1], words[-1][0]), ()))
        return near


def _threes(letters: str) -> list[tuple[str, int]]:
    """Each three letters in a row, with both ends marked; one that comes again is another."""
    ended, seen = f"^{letters}$", Counter[str]()
    found = []
    for start in range(len(ended) - 2):
        three = ended[start : start + 3]
        seen[three] += 1
        found.append((three, seen[three]))
    return found


@lru_cache(maxsize=512)
def _least_shared_with_any(letters: int) -> int:
    """The least of `_least_shared` with a name of any length that can be like one so long."""
    shortest, longest = letters * ALIKE / (2 - ALIKE), letters * (2 - ALIKE) / ALIKE
    lengths = range(floor(shortest), ceil(longest) + 1)
    return min(_least_shared(letters + length) for length in lengths)


@lru_cache(maxsize=512)
def _least_shared(letters: int) -> int:
    """How many threes two names share at least that are alike and have so many letters together.

    Of n letters at least m = ALIKE * n / 2 match, so n - 2m do not: these cut what matches, with
    its marked ends m + 2 letters, into n - 2m + 1 runs at most, and a run has two threes fewer
    than letters: (m + 2) - 2 (n - 2m + 1) = 5m - 2n.
    """
    return 5 * ceil(ALIKE * letters / 2 - 1e-9) - 2 * letters


def _closest_first(found: tuple[float, str]) -> tuple[float, str]:
    return -found[0], found[1]


def _words(name: str) -> Words:
    """The words in plain letters, accents dropped: what is left when one types in a hurry."""
    bare = unicodedata.normalize("NFKD", name_key(name))
    plain = (s if s.isalnum() else " " for s in bare if not unicodedata.combining(s))
    return tuple("".join(plain).split())


def _likeness(words: Words, other: Words, matcher: Any) -> float:
    if sorted(words) == sorted(other):
        return 1.0
    if _cut_short(words, other) or _cut_short(other, words):
        return 0.95
    matcher.set_seq1(" ".join(sorted(other)))
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    likeness: float = matcher.ratio()
    return likeness if likeness >= ALIKE else 0.0


def _cut_short(short: Words, full: Words) -> bool:
    """Whether "Rose W." is a short form of "Rose Winter"."""
    return (
        len(short) == len(full) >= 2
        and short[:-1] == full[:-1]
        and len(short[-1]) == 1
        and len(full[-1]) > 1
        and full[-1].startswith(short[-1])
    )
