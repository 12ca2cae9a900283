"""Finds rows of the activity log by the words that a secretary types."""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from league.members.little_words import LITTLE_WORDS
from league.members.presets import folded

# A number belongs to the word before it: "table 2".
NUMBERED_WORD = re.compile(r"\S*[^\d\s]\S*(?: \d+\b)*|\d+(?: \d+\b)*")
ENDING = re.compile(r"(?<=\w{4})(?:ings?|e[ds]|[esd])$")
APOSTROPHES = re.compile("['’ʼ`´]")


def words_to_find(text: str) -> list[str]:
    """The words of the text without the little ones, unless there are only such."""
    little = set(str(LITTLE_WORDS).split())
    words = text.split()
    telling = [
        word
        for number, word in enumerate(words)
        if _plain(word) not in little or _is_name(word, is_first=number == 0)
    ]
    return telling or words


def fitting_rows(rows: Mapping[int, str], text: str) -> tuple[list[int], bool]:
    """The keys of the rows that have all the words to find in this text; if no row has, of those
    that have most of them, the rarest at that, and True."""
    found = NUMBERED_WORD.findall(folded(" ".join(words_to_find(text))))
    wanted = [words for words in found if len(words) > 1] or found
    having = {words: {key for key, row in rows.items() if _has(row, words)} for words in wanted}
    for name in _lettered_names(text):
        if keys := {key for key, row in rows.items() if f" {name} " in f"{row} "}:
            having[name] = keys
    counts = Counter(key for keys in having.values() for key in keys)
    most = max(counts.values(), default=0)
    if 2 * most <= len(having):
        return [], False
    rarity = {
        key: sum(1 / len(keys) for keys in having.values() if key in keys)
        for key, count in counts.items()
        if count == most
    }
    rarest = max(rarity.values())
    return [key for key in rarity if rarity[key] == rarest], most < len(having)


def _lettered_names(text: str) -> list[str]:
    """Each single letter of the text with the word before it, as in a team's name: "crown b"."""
    words = folded(text).split()
    return [f"{word} {letter}" for word, letter in pairwise(words) if len(letter) == 1]


def _plain(word: str) -> str:
    return folded(APOSTROPHES.sub("", word)).strip()


def _is_name(word: str, *, is_first: bool) -> bool:
    """Whether a little word is a name here: "Will" within a sentence, or the letter of a team."""
    return word[:1].isupper() and not is_first


def _has(row: str, words: str) -> bool:
    """Whether the row has a word that begins like this one, but for its ending, and the numbers
    after it: at that word, or anywhere if it has none there."""
    if f" {words}" in row:
        return True
    word, *numbers = words.split()
    beginning = f" {ENDING.sub('', word)}"
    if not numbers or word.isdecimal():
        return not numbers and beginning in row
    is_numbered = re.search(rf"{re.escape(beginning)}\w* \d", row)
    return beginning in row and not is_numbered and all(f" {n} " in f"{row} " for n in numbers)
