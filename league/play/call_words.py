"""The calls of the bidding in the words of a language: "passe, aufnehmen allein".

A call may be typed in the words of any language of the site, and comes back in the reader's. What
is stored is neither: `league.play.entry` reads the words that stand on the left here.
"""

import re
from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.play.text import SPECIALS, SUIT_NAMES

# The first word is shown, the others are read as well.
WORDS = {
    "pass": pgettext_lazy("words of a call", "pass, passes"),
    "order-up": pgettext_lazy("words of a call", "order up, orders up"),
    "name": pgettext_lazy("words of a call", "name, names"),
    "bid": pgettext_lazy("words of a call", "bid, bids"),
    "alone": pgettext_lazy("words of a call", "alone, loner"),
    "go-under": pgettext_lazy("words of a call", "go under, goes under"),
    "redeal": pgettext_lazy("words of a call", "deal again, redeal"),
    "mcevoy": pgettext_lazy("words of a call", "mcevoy"),
    "farmers": _("farmer's hand"),
    "no_ace_no_face": pgettext_lazy("words of a call", "no ace no face"),
}
IN_ONE_PIECE = re.compile(r"[^\d,]+")  # no "7 alone", which may be a bid of 7 and alone


def plain_calls(text: str) -> str:
    """What was typed, in the words that are stored: "Passe, Herz allein" is "pass, name h alone".

    The reader's own language comes first where two languages have one word. A word of none stays.
    """
    return _exchanged(text, *_read(translation.get_language() or settings.LANGUAGE_CODE))


def said_calls(text: str) -> str:
    """The other way round: stored words in the reader's."""
    return _exchanged(text, *_shown(translation.get_language() or settings.LANGUAGE_CODE))


def _exchanged(text: str, pattern: re.Pattern[str], words: dict[str, str]) -> str:
    return pattern.sub(lambda found: words[found[0].casefold()], text)


@cache
def _read(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Every language's words with what is stored for them, this one's before the others'."""
    words: dict[str, str] = {}
    for code in (language, settings.LANGUAGE_CODE, *dict(settings.LANGUAGES)):
        with translation.override(code):
            for stored, own in _words().items():
                for word in own:
                    words.setdefault(word.casefold(), stored)
    return _any_of(words), words


@cache
def _shown(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    with translation.override(language):
        words = {stored: own[0] for stored, own in _words().items()}
    return _any_of(words), words


def _words() -> dict[str, list[str]]:
    """What is stored, with the words for it in the language that is spoken now."""
    calls = {stored: [one.strip() for one in str(own).split(",")] for stored, own in WORDS.items()}
    suits = {code: [str(name)] for code, name in SUIT_NAMES.items()}
    specials = {code: [str(name)] for code, name in SPECIALS.items()}
    words = specials | suits | calls
    return {stored: own for stored, own in words.items() if all(map(IN_ONE_PIECE.fullmatch, own))}


def _any_of(words: dict[str, str]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)
