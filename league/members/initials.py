"""Short forms of people's names, which tell those on one list apart. Pure."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import count

from league.members.names import TITLES, name_key, without_titles

MOST_LETTERS = 3  # of a last name, to distinguish short names


def initials(name: str) -> str:
    """The first name and the initial of the last: "Rose Winter" is "Rose W."; "Rose" stays.

    >>> initials("Padraig O Neill"), initials("zoë van der Berg")
    ('Padraig O.', 'zoë van der B.')
    """
    return _shorten(name, 1)


def short_names(names: Sequence[str]) -> list[str]:
    """First names without titles; `distinct_initials` where a first name is not the only one.

    >>> short_names(["Rose Field", "Ann Smith", "Ann Stone", "Ted", "Mrs. D. Pascoe", "Old Tom"])
    ['Rose', 'Ann Sm.', 'Ann St.', 'Ted', 'D. Pascoe', 'Old Tom']
    """
    bare = [without_titles(name) for name in names]
    labels = distinct_initials(bare, may_be_whole=[True] * len(bare))
    first_names = [label.partition(" ")[0] for label in labels]
    counts = Counter(first_names)
    return [
        label if counts[first] > 1 or _is_no_first_name(first) else first
        for first, label in zip(first_names, labels, strict=True)
    ]


def distinct_initials(
    names: Sequence[str], *, may_be_whole: Sequence[bool] | None = None
) -> list[str]:
    """`initials` for people who are listed together, so that no two are the same.

    Where two would be, they get one or two more letters of the last name, at most MOST_LETTERS; if
    that is not enough, a number. Where `may_be_whole` is true, since people may have chosen
    initials, full names replace such numbers, and initials that nobody would know: "D. P.".

    A name that continues another's keeps its addition.

    >>> distinct_initials(["Ann Smith", "Ann Stone", "Ted Marsh", "Ted Marsh B", "Player 10"])
    ['Ann Sm.', 'Ann St.', 'Ted M.', 'Ted M. B', 'Player 10']
    """
    name_counts = Counter(name_key(name) for name in names)
    additions = {p: _split_addition(name, name_counts) for p, name in enumerate(names)}
    places_by_initials = defaultdict(list)
    for place, name in enumerate(names):
        if not additions[place]:
            places_by_initials[initials(name)].append(place)
    labels: dict[int, str] = {}
    for short, places in places_by_initials.items():
        group = [names[place] for place in places]
        found = _distinct_labels(group, places_by_initials) if len(group) > 1 else [short]
        labels |= zip(places, found, strict=True)
    label_of = {name_key(names[place]): label for place, label in labels.items()}
    for place in sorted(range(len(names)), key=lambda place: len(names[place])):
        if split := additions[place]:
            labels[place] = label_of[name_key(names[place])] = f"{label_of[split[0]]} {split[1]}"
    for place, is_open in enumerate(may_be_whole or ()):
        is_unique = name_counts[name_key(names[place])] == 1
        if is_open and is_unique and _is_unclear(labels[place], names[place]):
            labels[place] = names[place]
    return [labels[place] for place in range(len(names))]


def _split_addition(name: str, keys: Mapping[str, int]) -> tuple[str, str] | None:
    """The key of the longest listed full name that this one continues, and the addition, with a
    long word as its initial: "B" after John Smith. None for two of the same name."""
    words = name.split()
    for length in range(len(words) - 1, 1, -1):
        key = name_key(" ".join(words[:length]))
        if key in keys and keys[name_key(name)] == 1 and not BRACKETED.search(key):
            rest = " ".join(words[length:])
            is_note = BRACKETED.fullmatch(rest) or len(rest) <= MOST_LETTERS or _is_suffix(rest)
            return key, rest if is_note else f"{rest[0]}."
    return None


def _is_unclear(label: str, name: str) -> bool:
    """Whether the label is numbered, or nobody would know it: "D. P." or "Old T."."""
    is_numbered = label.removeprefix(f"{initials(name)} ").isdecimal()
    return is_numbered or _is_no_first_name(without_titles(name).partition(" ")[0])


def _is_no_first_name(word: str) -> bool:
    bare = word.rstrip(".").casefold()
    return len(bare) == 1 or bare in TITLES


def _distinct_labels(names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Labels for names with the same initials: as many letters as needed, or else what stands in
    brackets, or a number that makes none of the labels `taken`."""
    labels = [""] * len(names)
    for length in range(2, MOST_LETTERS + 1):
        shortened = [_shorten(name, length) for name in names]
        keys = [short.rstrip(".").casefold() for short in shortened]
        counts = Counter(keys)
        for place, short in enumerate(shortened):
            if not labels[place] and counts[keys[place]] == 1:
                labels[place] = short
    notes = [" ".join(BRACKETED.findall(name)) for name in names]
    note_counts = Counter(note.casefold() for note in notes)
    for place, note in enumerate(notes):
        if not labels[place] and note and note_counts[note.casefold()] == 1:
            labels[place] = f"{initials(names[place])} {note}"
    remaining = sorted(
        (place for place, label in enumerate(labels) if not label), key=lambda p: names[p]
    )
    if len(remaining) == 1:  # the others have notes
        labels[remaining[0]] = initials(names[0])
        return labels
    numbered = (label for n in count(1) if (label := f"{initials(names[0])} {n}") not in taken)
    for place, label in zip(remaining, numbered, strict=False):
        labels[place] = label
    return labels


SUFFIXES = {"jr", "sr", "jnr", "snr", "jun", "sen", "junior", "senior", "ii", "iii", "iv"}


def _is_suffix(word: str) -> bool:
    """Whether a last word is no last name: a number or "Jr."."""
    return word.isdecimal() or word.rstrip(".").casefold() in SUFFIXES


BRACKETED = re.compile(r"\([^()]*\)")  # an addition to a name: an office or a nickname
SAINT = re.compile(r"\b(Ste?)\b\.? (?=\S+$)")  # it belongs to the last name: St. Clair
CLAN = re.compile(r"(?<= )(O|Ó|Ma?c) (?=\S+$)", re.IGNORECASE)  # so do these: O Neill, Mac Donald
PARTICLES = re.compile(  # they stay before the initial: van der Berg, de la Cruz
    r"(?: (?:a[fv]|d[aeiou]|d[ao]s|de[lmnrs]|della|el|l[aeo]s?|te[nr]|van|vo[mn]|zu[mr]?))+"
    r"(?= \S+$)",
    re.IGNORECASE,
)


def _shorten(name: str, letters: int) -> str:
    """The first name and `letters` letters of the last, with a full stop if there are more."""
    plain_name = without_titles(BRACKETED.sub("", name)).strip()
    words = CLAN.sub(r"\1", SAINT.sub(r"\1", plain_name)).split()
    if len(words) < 2:
        return " ".join(words) or name
    if _is_suffix(words[-1]):  # "Mary 2", "Tom Kelly Jr."
        return f"{_shorten(' '.join(words[:-1]), letters)} {words[-1]}"
    last_name = unicodedata.normalize("NFC", words[-1])
    start = next((place for place, char in enumerate(last_name) if char.isalnum()), 0)
    first_letters = last_name[start : start + letters]
    is_whole = letters > 1 and len(last_name) <= start + letters
    particles = PARTICLES.search(" ".join(words))
    initial = f"{first_letters[0].upper()}{first_letters[1:]}{'' if is_whole else '.'}"
    return f"{words[0]}{particles[0] if particles else ''} {initial}"
