"""People's names, as text: how they are cleaned, compared and shortened. Pure."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

LONGEST = 60
MOST_MARKS = 4  # combining marks on one letter: living scripts need no more
ALIKE = 0.86
LETTERS = 3  # of a last name, at most, to tell short names apart


class BadName(ValueError):
    """A name that cannot be taken; `code` says why: empty, long, hidden, marks or letters."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_name(text: str, *, longest: int = LONGEST) -> str:
    """The name composed (NFC), trimmed, with single spaces.

    Refuses what cannot be seen or turns the writing direction (Unicode categories C*), letters
    under heaps of marks, and names without any letter or digit.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise BadName("empty")
    if len(name) > longest or len(name_key(name)) > 2 * LONGEST:
        raise BadName("long")
    if any(unicodedata.category(sign).startswith("C") for sign in text.strip() if sign != "\t"):
        raise BadName("hidden")
    if _heaped(name):
        raise BadName("marks")
    if not any(sign.isalnum() for sign in name):
        raise BadName("letters")
    return name


def visible(text: str) -> str:
    """The text with every sign that cannot be seen made one that can."""
    return "".join("\ufffd" if unicodedata.category(s).startswith("C") else s for s in text)


def _heaped(name: str) -> bool:
    run = 0
    for sign in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.combining(sign) else 0
        if run > MOST_MARKS:
            return True
    return False


def name_key(name: str) -> str:
    """What two spellings of one name share: case, accents' encoding and spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def initials(name: str) -> str:
    """First name and the initial of the last: "Rose Winter" is "Rose W."; "Rose" stays."""
    return _short(name, 1)


def initials_apart(names: Sequence[str]) -> list[str]:
    """The same for people who are named beside one another, so that no two read alike.

    Where they would, a letter or two more of the last name is given, never more than LETTERS;
    where that does not help, a number: whoever asked for initials is not named in full for it.

    >>> initials_apart(["Ann Smith", "Ann Stone", "Ted Marsh", "Player 10", "Player 11"])
    ['Ann Sm.', 'Ann St.', 'Ted M.', 'Player 10', 'Player 11']
    """
    alike = defaultdict(list)
    for place, name in enumerate(names):
        alike[initials(name)].append(place)
    told: dict[int, str] = {}
    for short, places in alike.items():
        group = [names[place] for place in places]
        told |= zip(places, _apart(group) if len(group) > 1 else [short], strict=True)
    return [told[place] for place in range(len(names))]


def _apart(names: Sequence[str]) -> list[str]:
    """Names of one short form, each with as many letters as set it off, else numbered."""
    told = [""] * len(names)
    for length in range(2, LETTERS + 1):
        cut = [_short(name, length) for name in names]
        bare = [one.rstrip(".").casefold() for one in cut]
        seen = Counter(bare)
        for place, one in enumerate(cut):
            if not told[place] and seen[bare[place]] == 1:
                told[place] = one
    left = sorted((place for place, t in enumerate(told) if not t), key=lambda p: names[p])
    for number, place in enumerate(left, 1):
        told[place] = f"{initials(names[place])} {number}"
    return told


def _short(name: str, letters: int) -> str:
    """First name and so many letters of the last, with a point where there would be more."""
    words = name.split()
    if len(words) < 2:
        return name
    last = unicodedata.normalize("NFC", words[-1])
    begin = next((place for place, sign in enumerate(last) if sign.isalnum()), 0)
    cut = last[begin : begin + letters]
    whole = letters > 1 and len(last) <= begin + letters
    return f"{words[0]} {cut[0].upper()}{cut[1:]}{'' if whole else '.'}"


def looks_like(name: str, others: Iterable[str]) -> list[str]:
    """Those among `others` that may be the same person under another spelling, closest first.

    The same words in another order, accents left off, a last name cut to its initial, or a slip
    of a letter or two. An equal name is not "like": compare `name_key` for that.
    """
    return Spellings(others).like(name)


class Spellings:
    """Many names, prepared once so that a long list can be compared with all of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._known = [(name, name_key(name), _words(name)) for name in names]

    def add(self, name: str) -> None:
        """Know one more name."""
        self._known.append((name, name_key(name), _words(name)))

    def like(self, name: str) -> list[str]:
        """The near spellings of one name, closest first; see `looks_like`."""
        key, words = name_key(name), _words(name)
        matcher = SequenceMatcher(None, "", " ".join(sorted(words)), autojunk=False)
        found = [
            (_likeness(words, other_words, matcher), other)
            for other, other_key, other_words in self._known
            if other_key != key
        ]
        return [other for likeness, other in sorted(found, key=_closest_first) if likeness]


def _closest_first(found: tuple[float, str]) -> tuple[float, str]:
    return -found[0], found[1]


def _words(name: str) -> tuple[str, ...]:
    """The words in plain letters, accents dropped: what is left when one types in a hurry."""
    bare = unicodedata.normalize("NFKD", name_key(name))
    plain = (s if s.isalnum() else " " for s in bare if not unicodedata.combining(s))
    return tuple("".join(plain).split())


def _likeness(words: tuple[str, ...], other: tuple[str, ...], matcher: Any) -> float:
    if sorted(words) == sorted(other):
        return 1.0
    if _cut_short(words, other) or _cut_short(other, words):
        return 0.95
    matcher.set_seq1(" ".join(sorted(other)))
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    likeness: float = matcher.ratio()
    return likeness if likeness >= ALIKE else 0.0


def _cut_short(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether "Rose W." is a short form of "Rose Winter"."""
    return (
        len(short) == len(full) >= 2
        and short[:-1] == full[:-1]
        and len(short[-1]) == 1
        and len(full[-1]) > 1
        and full[-1].startswith(short[-1])
    )
