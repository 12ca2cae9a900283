"""People's names, as text: how they are cleaned, compared and shortened. Pure."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from idna import valid_contextj

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


def clean_name(text: str, *, longest: int = LONGEST) -> str:
    """The name composed, or `BadName` where it has a fault or is too long."""
    name = composed(text)
    if name and (len(name) > longest or len(name_key(name)) > 2 * LONGEST):
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
