"""User names: plain characters, and none that poses as another account, a club or the site.

Whoever signs in by such a name would be taken for the other, so a new one is refused, and not
asked about. It holds no @ either, as somebody's e-mail address does. Names from before this rule
stay and open their accounts.

Digits are judged here like the letters they are typed for (`r0s3`, `t3d`). Names of players and
teams are not: "Team 4" and "Team A" are two.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from league.members.fields import PlainColumn
from league.members.names import look

LETTERS = {"2": "z", "3": "e", "4": "a", "5": "s", "6": "bg", "7": "t", "8": "b", "9": "gq"}
"""What digits stand for, besides 0 and 1, which `look` has as letters already."""
OFFICES = """
    abuse admin administration administrator contact daemon helpdesk hostmaster info mailer
    moderator nobody noreply official operator organiser organizer owner postmaster program
    rightbower root scorekeeper security server service staff superuser support sysadmin system
    visitor webmaster
"""
"""Names that speak for the site, or that its activity log gives to others than accounts."""
BESIDE_OFFICES = "club help mail our real site team the"
PLAIN = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)


def validate_new(name: str, *, but: Any = None) -> None:
    """Refuse a user name that is not plain, or is read as another account's or a club's address."""
    if not PLAIN.fullmatch(name):
        sentence = _(
            "Use letters from a to z and numbers, with a single dot, hyphen or _ between them."
        )
        raise ValidationError(sentence, code="not-plain")
    others = apps.get_model("league", "User")._default_manager.exclude(pk=but)
    clubs = apps.get_model("league", "Club")._default_manager
    taken = (*others.values_list("username", flat=True), *clubs.values_list("slug", flat=True))
    if any(map(_like(name), taken)):
        # One sentence for both: which clubs there are is nothing for strangers.
        sentence = _("This user name is taken, or looks like one that is. Choose another.")
        raise ValidationError(sentence, code="looks-alike")


def refuse_office(name: str) -> None:
    """Refuse a user name that speaks for the site: `admin`, `the.owner`, `Supp0rt-Team2`."""
    if _speaks_for_site().fullmatch(look(name)):
        raise ValidationError(_("This user name is for the site itself. Choose another."), "office")


FOR_SIGN_UP = [validate_new, refuse_office]
"""What allauth asks of a user name. Who has the command line or the admin may be `admin`."""


def _like(name: str) -> Callable[[str], bool]:
    """Asks of other names whether they are read as this one."""
    seen = look(name)

    def like(other: str) -> bool:
        other = look(other)
        return len(other) == len(seen) and all(map(_same, seen, other))

    return like


def _same(one: str, other: str) -> bool:
    """Whether two characters are read as one. Two digits are not: `ann1988` is not `ann1986`."""
    return one == other or other in LETTERS.get(one, "") or one in LETTERS.get(other, "")


@cache
def _speaks_for_site() -> re.Pattern[str]:
    """An office with nothing but numbers and other such words around it, as `look` leaves it.

    No text can be taken apart in two ways, so that a long one is judged as quickly.
    """
    office, beside = rf"(?:{_any_of(OFFICES)})s?", _any_of(BESIDE_OFFICES)
    around = rf"(?:{office}|{beside}|[{look('01')}2-9])*"
    return re.compile(rf"{around}{office}{around}")


def _any_of(words: str) -> str:
    """A pattern of the words, each letter also as a digit that stands for it."""
    return "|".join("".join(map(_letter_or_digit, look(word))) for word in words.split())


def _letter_or_digit(letter: str) -> str:
    return f"[{letter}{''.join(digit for digit in LETTERS if letter in LETTERS[digit])}]"


class UserNameField(PlainColumn, models.CharField):
    """A user name, judged where it is new: at sign-up, in the admin and by `createsuperuser`."""

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        pk = model_instance.pk if model_instance else None
        accounts = self.model._default_manager
        if pk is None or not accounts.filter(pk=pk, username=value).exists():
            validate_new(value, but=pk)
