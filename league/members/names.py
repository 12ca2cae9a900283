"""People's names as text: cleaned, compared and shortened; and which may be one person's. Pure."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

from confusable_homoglyphs.utils import load
from idna import valid_contextj
from rapidfuzz import fuzz, process

LONGEST = 60
MOST_MARKS = 4  # marks on one letter, as Unicode's UTS 39 advises
LETTERS = 3  # of a last name, at most, to tell short names apart

JOINERS = "\u200c\u200d"
_NO_BREAK = re.compile(r"[^\S\r\n\v\f\x1c-\x1f\x85\u2028\u2029]+")  # spaces in a line
_OF_EMOJI = re.compile(
    "(?<=[\u203c-\u2bff\u3030-\u303d\U0001f000-\U0001faff])"
    "[\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]+|\ufe0f(?=\u20e3)"
)
# What fonts leave blank though its category says letter, mark or symbol: Unicode's default
# ignorable characters outside C*, the blank of Braille, the notehead without ink; and the two
# that stand for something lost.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\ufffc\ufffd\U0001d159\U000e0100-\U000e01ef]"
)


class BadName(ValueError):
    """A name that cannot be taken; `code` says why: empty, long, hidden, marks or letters."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def composed(text: str) -> str:
    """The text in one spelling: composed (NFC), trimmed, with single spaces.

    Joiners, tags and variation selectors inside an emoji go: it is stored as its visible parts.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = unicodedata.normalize("NFC", _OF_EMOJI.sub("", text))
    return _NO_BREAK.sub(" ", text).strip(" \t\r\n")


def fault(line: str, *, needs_letter: bool = True) -> str:
    """Why a composed line cannot be taken: the code for `BadName`, or "" where it can.

    Refuses what cannot be seen, turns the writing direction, is a line break or has no meaning
    (Unicode categories C*, Zl, Zp; default ignorable), letters under heaps of marks, and, for
    names, lines without any letter or digit. Joiners are taken where a script needs them, by the
    rules for web addresses (RFC 5892, appendix A).
    """
    if not line:
        return "empty"
    if not (line.isascii() and line.isprintable()):
        if any(_is_hidden(line, place) for place in range(len(line))):
            return "hidden"
        if _is_heaped(line):
            return "marks"
    if needs_letter and not any(sign.isalnum() for sign in line):
        return "letters"
    return ""


def clean_name(text: str) -> str:
    """The name composed, or `BadName` where it has a fault or is too long."""
    name = composed(text)
    if name and (len(name) > LONGEST or len(name_key(name)) > 2 * LONGEST):
        raise BadName("long")
    if code := fault(name):
        raise BadName(code)
    return name


def _is_hidden(line: str, place: int) -> bool:
    """Whether the character there shows nothing, or may not be in a line at all."""
    sign = line[place]
    if sign in JOINERS:
        return not _joins(line, place)
    category = unicodedata.category(sign)
    return category[0] == "C" or category in ("Zl", "Zp") or bool(_BLANK.match(sign))


def _joins(line: str, place: int) -> bool:
    try:
        return valid_contextj(line, place)
    except ValueError:  # beside a character of no meaning
        return False


def _is_heaped(line: str) -> bool:
    """Whether a mark stands on nothing or comes twice, or too many are on one letter."""
    run, before = MOST_MARKS, ""
    for sign in unicodedata.normalize("NFD", line):
        mark = unicodedata.category(sign) in ("Mn", "Me")
        run = run + 1 if mark else MOST_MARKS if sign == " " else 0
        if run > MOST_MARKS or (mark and sign == before):
            return True
        before = sign
    return False


def visible(text: str) -> str:
    """The text with a replacement character for every one that cannot be seen."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if _is_hidden(text, place) else sign for place, sign in enumerate(text))


def name_key(name: str) -> str:
    """What two spellings of one name share: case, accents' encoding and spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


# What people type when they leave accents off; Unicode takes none of these apart by itself.
_PLAIN = str.maketrans(
    dict(zip("łøđðħŧıĸŋ", "loddhtikn", strict=True))
    | {"æ": "ae", "œ": "oe", "þ": "th"}
    | dict.fromkeys("'’ʼ`´", "")
)


def sort_key(name: str) -> str:
    """What lists of people are sorted by, and searched in: the name's words in plain letters.

    Accents, strokes, case and apostrophes do not count ("Łukasz" stands with the L, "Bärbel"
    before "Brigitte"): the rule of English, the one language of the site, and of German lists
    (DIN 5007-1), without a collation library. A language that files such letters at the end of
    the alphabet (Swedish ö, Danish ø) would need one.

    >>> sorted(["Brigitte", "Bärbel", "Zoë O'Neil", "Łukasz", "Oskar", "Ørsted"], key=sort_key)
    ['Bärbel', 'Brigitte', 'Łukasz', 'Ørsted', 'Oskar', "Zoë O'Neil"]
    """
    return " ".join(_words(name))[: 2 * LONGEST]


TITLES = frozenset(
    {"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "sir", "madam"}
    | {"herr", "frau", "fr"}
    | {"m", "mme", "mlle", "monsieur", "madame", "mademoiselle", "dre"}
)
"""What stands before a name and is nobody's: without its point, in every language of the site."""


def untitled(name: str) -> str:
    """The name without the titles before it, where a first and a last name are left.

    >>> untitled("Mrs. June Pettigrew"), untitled("Prof. Dr. Ute Braun"), untitled("Mr. Smith")
    ('June Pettigrew', 'Ute Braun', 'Mr. Smith')
    """
    words = name.split()
    while len(words) > 2 and words[0].rstrip(".").casefold() in TITLES:
        words = words[1:]
    return " ".join(words)


def initials(name: str) -> str:
    """First name and the initial of the last: "Rose Winter" is "Rose W."; "Rose" stays."""
    return _short(name, 1)


def initials_apart(
    names: Sequence[str], *, may_be_whole: Sequence[bool] | None = None
) -> list[str]:
    """The same for people who are named beside one another, so that no two read alike.

    Where they would, a letter or two more of the last name is given, never more than LETTERS;
    where that does not help, a number: anyone who asked for initials is not named in full for it,
    unless `may_be_whole` says so at their place.

    >>> initials_apart(["Ann Smith", "Ann Stone", "Ted Marsh", "Player 10", "Player 11"])
    ['Ann Sm.', 'Ann St.', 'Ted M.', 'Player 10', 'Player 11']
    """
    alike = defaultdict(list)
    for place, name in enumerate(names):
        alike[initials(name)].append(place)
    labels: dict[int, str] = {}
    for short, places in alike.items():
        group = [names[place] for place in places]
        labels |= zip(places, _apart(group) if len(group) > 1 else [short], strict=True)
    same = Counter(name_key(name) for name in names)
    for place, is_open in enumerate(may_be_whole or ()):
        if (
            is_open
            and same[name_key(names[place])] == 1
            and _is_numbered(labels[place], names[place])
        ):
            labels[place] = names[place]
    return [labels[place] for place in range(len(names))]


def _is_numbered(label: str, name: str) -> bool:
    return label.startswith(f"{initials(name)} ") and label != name


def _apart(names: Sequence[str]) -> list[str]:
    """Names of one short form, each with as many letters as set it off, else numbered."""
    labels = [""] * len(names)
    for length in range(2, LETTERS + 1):
        cut = [_short(name, length) for name in names]
        bare = [one.rstrip(".").casefold() for one in cut]
        seen = Counter(bare)
        for place, one in enumerate(cut):
            if not labels[place] and seen[bare[place]] == 1:
                labels[place] = one
    left = sorted(
        (place for place, label in enumerate(labels) if not label), key=lambda p: names[p]
    )
    for number, place in enumerate(left, 1):
        labels[place] = f"{initials(names[place])} {number}"
    return labels


BESIDE = re.compile(r"\([^()]*\)")
"""What stands beside a name: an office, a nickname."""


def _short(name: str, letters: int) -> str:
    """First name and so many letters of the last, with a point where there would be more."""
    words = untitled(BESIDE.sub("", name)).split()
    if len(words) < 2:
        return " ".join(words) or name
    last = unicodedata.normalize("NFC", words[-1])
    begin = next((place for place, sign in enumerate(last) if sign.isalnum()), 0)
    cut = last[begin : begin + letters]
    whole = letters > 1 and len(last) <= begin + letters
    return f"{words[0]} {cut[0].upper()}{cut[1:]}{'' if whole else '.'}"


# `оlive` with a Cyrillic о, `R0se`, `rnary`, `Ｏｌｉｖｅ` and `Olive.` have the `look` of what they
# imitate. Which characters are confused is Unicode's table (UTS 39, confusables.txt).

MARKS = "\u200e"  # the package puts them around letters that are written from the right
# A small i is taken for an l as the table takes a capital one and the 1; two v stand as a w.
_CLOSE = (("i", "l"), ("vv", "w"))
SMALL_CAPITAL = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z])")  # the table lacks most of them
_BETWEEN = re.compile(r"[\W_]+")


def look(name: str) -> str:
    """What stays of a name when it is seen from afar: equal for names that look the same."""
    seen = unicodedata.normalize("NFKC", name)
    for _twice in range(2):  # a capital letter looks like something else than its small one
        seen = seen.translate(_prototypes()).casefold()
    letters = unicodedata.normalize("NFKD", seen)
    seen = "".join(sign for sign in letters if not unicodedata.category(sign).startswith("M"))
    for sign, other in _CLOSE:
        seen = seen.replace(sign, other)
    return _BETWEEN.sub("", seen)


@cache
def _prototypes() -> dict[int, str]:
    """Of each character that may be taken for another, the one that stands for all of them.

    The table names the prototype alone beside such a character, and all of them beside the
    prototype; of only two, the first stands for both.
    """
    table = {
        sign.strip(MARKS): [other["c"].strip(MARKS) for other in others]
        for sign, others in load("confusables.json").items()
    }
    small_capitals = {
        code: match[1].lower()
        for code in range(0x250, 0xA7FF)  # where they all are
        if (match := SMALL_CAPITAL.fullmatch(unicodedata.name(chr(code), "")))
    }
    return small_capitals | {
        ord(sign): others[0]
        for sign, others in table.items()
        if len(sign) == 1
        and len(others) == 1
        and (len(table.get(others[0], ())) > 1 or others[0] < sign)
    }


ALIKE = 0.86  # of the letters of both names, those that match
SHORT_FORM = 0.95  # how like a name its short form is
SAME_WORD = 0.6  # below it, what is left beside an equal word is another person's
MOST_ALIKE = 10  # names that a name is said to be like: more help nobody
Words = tuple[str, ...]


def looks_like(name: str, others: Iterable[str]) -> list[str]:
    """Those among `others` that may be the same person under another spelling, closest first.

    The same words in another order, accents left off, a last name cut to its initial, a slip of
    a letter or two, or characters that look the same; but not those that only differ by a number,
    nor two of one family.
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
        ranked = [
            (-likeness, self._names[place])
            for place, likeness in near.items()
            if name_key(self._names[place]) != key
        ]
        return [other for _likeness, other in sorted(ranked)][:MOST_ALIKE]

    def _slips(self, words: Words) -> list[tuple[int, float]]:
        """Names with nearly the same letters, by place, with the percentage that match."""
        matches = process.extract(
            " ".join(sorted(words)),
            self._letters,
            scorer=fuzz.ratio,
            score_cutoff=100 * ALIKE,
            limit=2 * MOST_ALIKE,
        )
        return [
            (place, likeness)
            for letters, likeness, place in matches
            if not _relatives(words, letters.split())
        ]

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
    """The words in plain letters: what is left of a name that is typed in a hurry."""
    bare = unicodedata.normalize("NFKD", name_key(name)).translate(_PLAIN)
    plain = "".join(s if s.isalnum() else " " for s in bare if not unicodedata.combining(s))
    return tuple(unicodedata.normalize("NFC", plain).split())


def _relatives(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether they share a word and the rest is two names, as Gwen and Ben of one family."""
    one, other = Counter(words), Counter(others)
    left, right = (" ".join(sorted(rest.elements())) for rest in (one - other, other - one))
    shared = bool(one & other) and bool(left) and bool(right)
    return shared and fuzz.ratio(left, right) < 100 * SAME_WORD


def _numbered_apart(words: Words, other: str) -> bool:
    """Whether numbers tell them apart, as "Guest 1" and "Guest 2" on purpose."""
    numbers, theirs = ([w for w in both if w.isdecimal()] for both in (words, _words(other)))
    return bool(numbers and theirs) and numbers != theirs
