"""Refuses passwords that are easy to guess: common words with a year, keyboard rows, repetition.

zxcvbn estimates how many guesses a password withstands by an attacker who has lists of leaked
passwords, names and words. It is used twice: on the password as typed, and on what is left of it
without the words that an attacker of this site would try first.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, cast

from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    UserAttributeSimilarityValidator,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

from league.members.models import Club

ENOUGH = 1e9
"""Guesses that the password as typed must withstand: more than three common words in a row do."""
ENOUGH_LEFT = 1e7
"""Guesses that the rest without the site's and the user's own words must withstand."""
LOOKED_AT = 40
"""Characters that are judged: 40 are enough, and the estimate takes longer with each."""
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
NUMBER = re.compile(r"[\d\s()+./-]+")  # a telephone number, a card number, a date
UNSEEN = ("Mn", "Cf", "Cc")
MANY_READINGS = "({[<|+%!"
"""Characters that can replace several letters each; zxcvbn takes seconds if there are many."""
UNSHIFTED = str.maketrans("!@#$%^&*()", "1234567890")  # a row of keys, every other one with shift
LETTERS = {"0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "$": "s", "@": "a"}
READINGS = [str.maketrans(LETTERS | {"1": letter, "!": letter}) for letter in "il"]

zxcvbn("x")  # the first call modifies its word lists, which would not be thread-safe later


class NotLikeTheUser(UserAttributeSimilarityValidator):
    """Django's validator, explained with the apostrophes of the other texts."""

    def get_help_text(self) -> str:
        return _("Your password can't be too similar to your other personal information.")


class NotCommon(CommonPasswordValidator):
    """Django's validator, explained with the apostrophes of the other texts."""

    def get_help_text(self) -> str:
        return _("Your password can't be a commonly used password.")


class HardToGuess:
    """A password validator for Django (AUTH_PASSWORD_VALIDATORS)."""

    def validate(self, password: str, user: Any = None) -> None:
        plain = _plain(password)[:LOOKED_AT]
        if NUMBER.fullmatch(plain):
            sentence = _("This password is easy to guess: it is only a number.")
            raise ValidationError(f"{sentence} {_advice()}", code="password-easy")
        for estimate in (_estimate(plain), _estimate(plain.translate(UNSHIFTED))):
            if estimate["guesses"] < ENOUGH:
                raise _refusal(estimate)
        if _estimate(without(plain, own_words(user)))["guesses"] < ENOUGH_LEFT:
            sentence = _("This password is easy to guess: names and card-game words don't count.")
            raise ValidationError(f"{sentence} {_advice()}", code="password-easy")

    def get_help_text(self) -> str:
        return _(
            "Three or four unrelated words make a good password. Names and card-game words don't "
            "count."
        )


def _plain(password: str) -> str:
    """The password in plain letters, without accents, width variants and invisible characters."""
    letters = unicodedata.normalize("NFKD", password)
    return "".join(letter for letter in letters if unicodedata.category(letter) not in UNSEEN)


def own_words(user: Any) -> list[str]:
    """The words an attacker would try first: about Euchre, the site's clubs and the user."""
    texts = [getattr(user, name, "") or "" for name in ("username", "display_name", "email")]
    texts += _club_names(user)
    words = set(SITE_WORDS.split())
    for text in texts:
        parts = re.findall(r"\w+", text.casefold())
        words |= {"".join(parts), " ".join(parts), *parts}
    return sorted((w for w in words if len(w) >= SHORTEST_WORD), key=lambda w: (-len(w), w))


def without(password: str, words: Iterable[str]) -> str:
    """The rest of a password without years and these words, in any case or leetspeak spelling."""
    letters = "".join(sign for sign in password if sign.isalnum() or sign in "@$!")
    rest = letters if 2 * len(letters) >= len(password) else password
    for word in words:
        for reading in READINGS:
            folded = rest.casefold().translate(reading)
            if len(folded) == len(rest):  # casefold lengthens a few letters; positions must match
                rest = _without_word(rest, folded, word)
    return YEARS.sub("", rest)


def _without_word(text: str, folded: str, word: str) -> str:
    """The text without the places where its `folded` form has the word."""
    pieces, start = [], 0
    while (index := folded.find(word, start)) >= 0:
        pieces.append(text[start:index])
        start = index + len(word)
    return "".join(pieces) + text[start:]


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
