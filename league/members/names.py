"""People's names, as text: how they are cleaned, compared and shortened. Pure."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

LONGEST = 60
MOST_MARKS = 4  # combining marks on one letter: living scripts need no more
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
