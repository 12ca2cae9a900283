"""People's names, as text: how they are cleaned, compared and shortened. Pure."""

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

LONGEST = 60
MOST_MARKS = 4  # combining marks on one letter: living scripts need no more
ALIKE = 0.86


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
    words = name.split()
    if len(words) < 2:
        return name
    last = unicodedata.normalize("NFC", words[-1])
    first_sign = next((sign for sign in last if sign.isalnum()), last[0])
    return f"{words[0]} {first_sign.upper()}."


def _plain(name: str) -> str:
    """Letters and digits only, accents dropped: what is left when one types in a hurry."""
    bare = unicodedata.normalize("NFKD", name_key(name))
    return "".join(s if s.isalnum() else " " for s in bare if not unicodedata.combining(s))


def looks_like(name: str, others: Iterable[str]) -> list[str]:
    """Those among `others` that may be the same person under another spelling, closest first.

    The same words in another order, accents left off, a last name cut to its initial, or a slip
    of a letter or two. An equal name is not "like": compare `name_key` for that.
    """
    key = name_key(name)
    found = [(_likeness(name, other), other) for other in others if name_key(other) != key]
    return [other for likeness, other in sorted(found, key=lambda x: (-x[0], x[1])) if likeness]


def _likeness(one: str, other: str) -> float:
    a, b = sorted(_plain(one).split()), sorted(_plain(other).split())
    if a == b:
        return 1.0
    if _cut_short(one, other) or _cut_short(other, one):
        return 0.95
    matcher = SequenceMatcher(None, " ".join(a), " ".join(b), autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    likeness = matcher.ratio()
    return likeness if likeness >= ALIKE else 0.0


def _cut_short(short: str, full: str) -> bool:
    """Whether "Rose W" or "Rose W." is a short form of "Rose Winter"."""
    a, b = _plain(short).split(), _plain(full).split()
    return (
        len(a) == len(b) >= 2
        and a[:-1] == b[:-1]
        and len(a[-1]) == 1
        and len(b[-1]) > 1
        and b[-1].startswith(a[-1])
    )
