"""People's names as text: cleaning and comparing them, finding similar ones. Pure."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from functools import cache

from confusable_homoglyphs.utils import load
from idna import valid_contextj
from rapidfuzz import fuzz, process

LONGEST = 60
MOST_MARKS = 4  # marks on one letter, as Unicode's UTS 39 advises

JOINERS = "\u200c\u200d"
_NO_BREAK = re.compile(r"[^\S\r\n\v\f\x1c-\x1f\x85\u2028\u2029]+")  # spaces in a line
_EMOJI_MODIFIERS = re.compile(
    "(?<=[\u203c-\u2bff\u3030-\u303d\U0001f000-\U0001faff])"
    "[\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]+|\ufe0f(?=\u20e3)"
)
# Characters that fonts leave blank although their category is letter, mark or symbol: Unicode's
# default ignorable characters outside C*, the Braille blank and the null notehead; and the two
# replacement characters.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\ufffc\ufffd\U0001d159\U000e0100-\U000e01ef]"
)


class BadName(ValueError):
    """A name that is not accepted; `code` is empty, long, hidden, marks or letters."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def composed(text: str) -> str:
    """The text in normal form: composed (NFC), trimmed, with single spaces.

    Joiners, tags and variation selectors inside emoji are removed: only visible parts are stored.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = unicodedata.normalize("NFC", _EMOJI_MODIFIERS.sub("", text))
    return _NO_BREAK.sub(" ", text).strip(" \t\r\n")


def fault(line: str, *, needs_letter: bool = True) -> str:
    """Why a composed line is not accepted: the code for `BadName`, or "" if it is fine.

    Not accepted are invisible and unassigned characters, line breaks and changes of the writing
    direction (Unicode categories C*, Zl, Zp; default ignorable), letters with stacked marks and,
    for names, lines without any letter or digit. Joiners are accepted where a script needs them,
    by the rules for web addresses (RFC 5892, appendix A).
    """
    if not line:
        return "empty"
    if not (line.isascii() and line.isprintable()):
        if any(_is_hidden(line, place) for place in range(len(line))):
            return "hidden"
        if _has_stacked_marks(line):
            return "marks"
    if needs_letter and not any(char.isalnum() for char in line):
        return "letters"
    return ""


def clean_name(text: str) -> str:
    """Return the name composed; raise `BadName` if it has a fault or is too long."""
    name = composed(text)
    if name and (len(name) > LONGEST or len(name_key(name)) > 2 * LONGEST):
        raise BadName("long")
    if code := fault(name):
        raise BadName(code)
    return name


def _is_hidden(line: str, place: int) -> bool:
    """Whether the character at `place` is invisible or not allowed in a line."""
    char = line[place]
    if char in JOINERS:
        return not _is_valid_joiner(line, place)
    category = unicodedata.category(char)
    return category[0] == "C" or category in ("Zl", "Zp") or bool(_BLANK.match(char))


def _is_valid_joiner(line: str, place: int) -> bool:
    try:
        return valid_contextj(line, place)
    except ValueError:  # next to an unassigned character
        return False


def _has_stacked_marks(line: str) -> bool:
    """Whether a mark has no letter, is repeated, or is one too many on its letter."""
    count, previous = MOST_MARKS, ""
    for char in unicodedata.normalize("NFD", line):
        is_mark = unicodedata.category(char) in ("Mn", "Me")
        count = count + 1 if is_mark else MOST_MARKS if char == " " else 0
        if count > MOST_MARKS or (is_mark and char == previous):
            return True
        previous = char
    return False


def visible(text: str) -> str:
    """The text with every invisible character replaced by a replacement character."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if _is_hidden(text, place) else char for place, char in enumerate(text))


def name_key(name: str) -> str:
    """A key that spellings of one name share: case, encoding of accents and spaces are ignored."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


# What people type without accents, for letters that Unicode doesn't decompose.
_PLAIN_LETTERS = str.maketrans(
    dict(zip("łøđðħŧıĸŋ", "loddhtikn", strict=True))
    | {"æ": "ae", "œ": "oe", "þ": "th"}
    | dict.fromkeys("'’ʼ`´", "")
)


def sort_key(name: str) -> str:
    """The key by which lists of people are sorted and searched: the name's words in plain letters.

    Accents, strokes, case and apostrophes are ignored ("Łukasz" is listed under L, "Bärbel"
    before "Brigitte"), as in English and in German lists (DIN 5007-1), without a collation
    library. Languages that sort such letters after z (Swedish ö, Danish ø) would need one.

    >>> sorted(["Brigitte", "Bärbel", "Zoë O'Neil", "Łukasz", "Oskar", "Ørsted"], key=sort_key)
    ['Bärbel', 'Brigitte', 'Łukasz', 'Ørsted', 'Oskar', "Zoë O'Neil"]
    """
    return " ".join(_plain_words(name))[: 2 * LONGEST]


BY_WORDS = frozenset({"old", "young", "big", "little"})
"""Words before a name that tell two players apart."""
TITLES = BY_WORDS | frozenset(
    {"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "rev", "sir", "madam"}
    | {"herr", "frau", "fr"}
    | {"m", "mme", "mlle", "monsieur", "madame", "mademoiselle", "dre"}
)
"""Titles and by-words before a name, without a full stop, in every language of the site."""


def without_titles(name: str, titles: Container[str] = TITLES) -> str:
    """The name without titles, as long as a first and a last name remain.

    >>> names = ["Mrs. June Pettigrew", "Prof. Dr. Ute Braun", "Mr. Smith"]
    >>> [without_titles(name) for name in names]
    ['June Pettigrew', 'Ute Braun', 'Mr. Smith']
    """
    words = name.split()
    while len(words) > 2 and words[0].rstrip(".").casefold() in titles:
        words = words[1:]
    return " ".join(words)


NICKNAME = re.compile(r"""(?<!\S)["“”„«‘'(\[]([^"“”„«»‘()\[\]]+)["“”»’')\]](?!\S)""")
"""What stands in quotes or brackets beside a name."""


def called_by(name: str) -> frozenset[str]:
    """The names that a player with a nickname is called by, else their only name.

    >>> sorted(called_by('Mr. William "Bill" Tasker'))
    ['Bill Tasker', 'William Tasker']
    """
    bare = without_titles(" ".join(NICKNAME.sub(" ", name).split()) or name, TITLES - BY_WORDS)
    others = bare.split()[1:]
    nicknames = NICKNAME.findall(name)
    return frozenset([bare, *(" ".join([nickname, *others]) for nickname in nicknames)])


# `оlive` with a Cyrillic о, `R0se`, `rnary`, `Ｏｌｉｖｅ` and `Olive.` have the `lookalike_key` of
# the name they imitate. Confusable characters are from Unicode's table (UTS 39, confusables.txt).

MARKS = "\u200e"  # the package adds them to right-to-left letters
# The table maps a capital I and 1 to l; here, so does a small i, and two v map to w.
_LOOKALIKES = (("i", "l"), ("vv", "w"))
SMALL_CAPITAL = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z])")  # most are missing from the table
_SEPARATORS = re.compile(r"[\W_]+")


def lookalike_key(name: str) -> str:
    """A key that is equal for names that look the same at a glance."""
    text = unicodedata.normalize("NFKC", name)
    for _twice in range(2):  # capitals and small letters have different lookalikes
        text = text.translate(_prototypes()).casefold()
    letters = unicodedata.normalize("NFKD", text)
    text = "".join(char for char in letters if not unicodedata.category(char).startswith("M"))
    for char, prototype in _LOOKALIKES:
        text = text.replace(char, prototype)
    return _SEPARATORS.sub("", text)


@cache
def _prototypes() -> dict[int, str]:
    """The prototype of each confusable character, that is, the one that represents its group.

    The table lists only the prototype for such a character, and the whole group for the prototype;
    in a group of two, the first is the prototype.
    """
    table = {
        char.strip(MARKS): [other["c"].strip(MARKS) for other in similar_chars]
        for char, similar_chars in load("confusables.json").items()
    }
    small_capitals = {
        code: match[1].lower()
        for code in range(0x250, 0xA7FF)  # where they all are
        if (match := SMALL_CAPITAL.fullmatch(unicodedata.name(chr(code), "")))
    }
    return small_capitals | {
        ord(char): similar_chars[0]
        for char, similar_chars in table.items()
        if len(char) == 1
        and len(similar_chars) == 1
        and (len(table.get(similar_chars[0], ())) > 1 or similar_chars[0] < char)
    }


LEAST_LIKENESS = 0.86  # share of the letters of both names that match
SHORT_FORM_LIKENESS = 0.95  # of a name to its short form
LEAST_REST_LIKENESS = 0.6  # of the other words of two names that share a word
MOST_ALIKE = 10  # similar names listed for a name
Words = tuple[str, ...]


def looks_like(name: str, others: Iterable[str]) -> list[str]:
    """The `others` that may be another spelling of this name, closest first.

    Similar are names with the same words in another order, without accents or titles, with the
    last name shortened to its initial, with a nickname instead of the first name, with a typo or
    two, or with characters that look the same; but not names that differ only in a number or a
    nickname, or those of two people of one family. Equal names are not listed: compare `name_key`
    for these.
    """
    return Spellings(others).like(name)


class Spellings:
    """An index of names, so that a long list can be compared with all of them.

    The work is bounded even if all names resemble each other: at most MOST_ALIKE similar names are
    listed for a name.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: list[str] = []
        self._letters: list[str] = []
        self._by_words: dict[Words, list[int]] = defaultdict(list)
        # By the last word's first letter: names where it is one letter, and where it is longer.
        self._short: dict[tuple[Words, str], list[int]] = defaultdict(list)
        self._full: dict[tuple[Words, str], list[int]] = defaultdict(list)
        self._by_look: dict[str, list[int]] = defaultdict(list)
        self._by_called: dict[Words, list[int]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Add a name."""
        words, place = _words_without_titles(name), len(self._names)
        self._names.append(name)
        self._letters.append(" ".join(sorted(words)))
        _append_bounded(self._by_words[tuple(sorted(words))], place)
        if len(words) > 1:
            lengths = self._short if len(words[-1]) == 1 else self._full
            _append_bounded(lengths[words[:-1], words[-1][0]], place)
        _append_bounded(self._by_look[lookalike_key(name)], place)
        for called in _words_called(name):
            _append_bounded(self._by_called[called], place)

    def like(self, name: str) -> list[str]:
        """The similar names to this one, closest first, at most MOST_ALIKE; see `looks_like`."""
        key, words = name_key(name), _words_without_titles(name)
        likeness_by_place = {place: likeness / 100 for place, likeness in self._typos(words)}
        likeness_by_place |= dict.fromkeys(self._shortened_forms(words), SHORT_FORM_LIKENESS)
        likeness_by_place |= dict.fromkeys(self._by_words.get(tuple(sorted(words)), ()), 1.0)
        likeness_by_place = {
            p: value
            for p, value in likeness_by_place.items()
            if not _differ_by_number(words, self._names[p])
        }
        likeness_by_place |= dict.fromkeys(self._by_look.get(lookalike_key(name), ()), 1.0)
        likeness_by_place |= dict.fromkeys(self._called_alike(name), 1.0)
        ranked = [
            (-likeness, self._names[place])
            for place, likeness in likeness_by_place.items()
            if name_key(self._names[place]) != key
        ]
        return [other for _likeness, other in sorted(ranked)][:MOST_ALIKE]

    def _typos(self, words: Words) -> list[tuple[int, float]]:
        """The places of names with nearly the same letters, with the percentage that matches."""
        matches = process.extract(
            " ".join(sorted(words)),
            self._letters,
            scorer=fuzz.ratio,
            score_cutoff=100 * LEAST_LIKENESS,
            limit=2 * MOST_ALIKE,
        )
        return [
            (place, likeness)
            for letters, likeness, place in matches
            if not _are_relatives(words, letters.split())
        ]

    def _shortened_forms(self, words: Words) -> Sequence[int]:
        """The places of "Rose Winter" for "Rose W.", and the other way round."""
        if len(words) < 2:
            return ()
        lengths = self._full if len(words[-1]) == 1 else self._short
        return lengths.get((words[:-1], words[-1][0]), ())

    def _called_alike(self, name: str) -> list[int]:
        """The places of names called the same: of two with nicknames, in both ways."""
        called = _words_called(name)
        places = {place for words in called for place in self._by_called.get(words, ())}
        others = {place: _words_called(self._names[place]) for place in places}
        return [p for p, o in others.items() if 1 in (len(called), len(o)) or called == o]


def _append_bounded(places: list[int], place: int) -> None:
    """Append a place unless there are many already."""
    if len(places) < 2 * MOST_ALIKE:
        places.append(place)


def _words_called(name: str) -> set[Words]:
    return {_plain_words(one) for one in called_by(name)}


def _words_without_titles(name: str) -> Words:
    return _plain_words(without_titles(name, TITLES - BY_WORDS))


def _plain_words(name: str) -> Words:
    """The words of a name in plain letters, without accents and punctuation."""
    bare = unicodedata.normalize("NFKD", name_key(name)).translate(_PLAIN_LETTERS)
    plain = "".join(s if s.isalnum() else " " for s in bare if not unicodedata.combining(s))
    return tuple(unicodedata.normalize("NFC", plain).split())


def _are_relatives(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether two names share a word and the other words differ, as in one family."""
    counts, other_counts = Counter(words), Counter(others)
    rest = " ".join(sorted((counts - other_counts).elements()))
    other_rest = " ".join(sorted((other_counts - counts).elements()))
    shares_a_word = bool(counts & other_counts) and bool(rest) and bool(other_rest)
    return shares_a_word and fuzz.ratio(rest, other_rest) < 100 * LEAST_REST_LIKENESS


def _differ_by_number(words: Words, other: str) -> bool:
    """Whether two names differ by a number, as "Guest 1" and "Guest 2" do."""
    numbers = [word for word in words if word.isdecimal()]
    other_numbers = [word for word in _plain_words(other) if word.isdecimal()]
    return bool(numbers and other_numbers) and numbers != other_numbers
