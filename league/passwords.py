"""Refuses passwords that are easy to guess: common words with a year, keyboard rows, repetition.

zxcvbn estimates how many guesses a password withstands, as somebody would guess who knows lists
of leaked passwords, names and words. It is asked twice: about the password as typed, and about
what is left of it without the words that anybody would try first here.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

from league.members.models import Club

ENOUGH = 1e9
"""Guesses the password as typed must withstand: above three common words in a row."""
ENOUGH_LEFT = 1e7
"""Guesses what is left must withstand without the site's and the person's own words."""
LOOKED_AT = 40
"""Letters that are judged. The estimate takes longer with each; 40 unguessable ones suffice."""
MOST_CLUBS = 20
SHORTEST_WORD = 3

SITE_WORDS = (
    "euchre right left bower rightbower leftbower trump trumps loner alone lone march maker "
    "dealer kitty partner tricks trick cards card ace king queen jack joker spades spade hearts "
    "heart diamonds diamond clubs club games game score scores deal shuffle night league "
    "tournament season password passwort admin welcome letmein login "
    "correcthorsebatterystaple"
)
YEARS = re.compile(r"(?:19|20)\d\d")
NUMBER = re.compile(r"[\d\s()+./-]+")  # of a telephone, a card, a day
UNSEEN = ("Mn", "Cf", "Cc")
MANY_READINGS = "({[<|+%!"
"""Signs that may each stand for several letters: zxcvbn takes seconds for all of them together."""
UNSHIFTED = str.maketrans("!@#$%^&*()", "1234567890")  # a row of keys, every other one with shift
LETTERS = {"0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "$": "s", "@": "a"}
READINGS = [str.maketrans(LETTERS | {"1": one, "!": one}) for one in "il"]

zxcvbn("x")  # it changes its word lists at its first use: before any two threads use them


class HardToGuess:
    """Django's password validator of the site (AUTH_PASSWORD_VALIDATORS)."""

    def validate(self, password: str, user: Any = None) -> None:
        plain = _plain(password)[:LOOKED_AT]
        if NUMBER.fullmatch(plain):
            sentence = _("This password is easy to guess: it is only a number.")
            raise ValidationError(f"{sentence} {_advice()}", code="password-easy")
        for whole in (_estimate(plain), _estimate(plain.translate(UNSHIFTED))):
            if whole["guesses"] < ENOUGH:
                raise _refusal(whole)
        if _estimate(without(plain, own_words(user)))["guesses"] < ENOUGH_LEFT:
            sentence = _("Without names and words of card games, this password is easy to guess.")
            raise ValidationError(f"{sentence} {_advice()}", code="password-easy")

    def get_help_text(self) -> str:
        return _("Three or four unrelated words make a good password.")


def _plain(password: str) -> str:
    """The password without accents, other widths of letters, and what cannot be seen."""
    letters = unicodedata.normalize("NFKD", password)
    return "".join(sign for sign in letters if unicodedata.category(sign) not in UNSEEN)


def own_words(user: Any) -> list[str]:
    """What somebody would try first: words about Euchre, this site's clubs and this person."""
    texts = [getattr(user, name, "") or "" for name in ("username", "display_name", "email")]
    texts += _club_names(user)
    words = set(SITE_WORDS.split())
    for text in texts:
        parts = re.findall(r"\w+", text.casefold())
        words |= {"".join(parts), " ".join(parts), *parts}
    return sorted((w for w in words if len(w) >= SHORTEST_WORD), key=lambda w: (-len(w), w))


def without(password: str, words: Iterable[str]) -> str:
    """What is left of a password without these words, however they are written, and years."""
    letters = "".join(sign for sign in password if sign.isalnum() or sign in "@$!")
    left = letters if 2 * len(letters) >= len(password) else password
    for word in words:
        for reading in READINGS:
            folded = left.casefold().translate(reading)
            if len(folded) == len(left):  # a few letters grow when folded: leave those as they are
                left = _cut(left, folded, word)
    return YEARS.sub("", left)


def _cut(text: str, folded: str, word: str) -> str:
    """The text without the places where `found`, its reading, has the word."""
    pieces, begin = [], 0
    while (at := folded.find(word, begin)) >= 0:
        pieces.append(text[begin:at])
        begin = at + len(word)
    return "".join(pieces) + text[begin:]


def _estimate(password: str) -> Mapping[str, Any]:
    if len(set(password) & set(MANY_READINGS)) > 2:
        password = password.translate(str.maketrans(MANY_READINGS, "-" * len(MANY_READINGS)))
    if not password:
        return {"guesses": 0, "sequence": []}
    return cast(Mapping[str, Any], zxcvbn(password))


def _club_names(user: Any) -> Iterable[str]:
    names = Club.objects.values_list("name", flat=True)
    own = names.filter(roles__user=user.pk) if getattr(user, "pk", None) else names.none()
    return chain(own[:MOST_CLUBS], names.order_by("pk")[:MOST_CLUBS])


def _refusal(estimate: Mapping[str, Any]) -> ValidationError:
    patterns = {part["pattern"] for part in estimate["sequence"]}
    if "spatial" in patterns:
        sentence = _("This password is easy to guess: it follows a row of keys.")
    elif patterns & {"repeat", "sequence"}:
        sentence = _("This password is easy to guess: it repeats itself or counts up.")
    else:
        sentence = _("This password is easy to guess: it is made of common words, names or dates.")
    return ValidationError(f"{sentence} {_advice()}", code="password-easy")


def _advice() -> str:
    return _("Use three or four unrelated words.")
