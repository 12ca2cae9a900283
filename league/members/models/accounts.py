"""Accounts, random public ids, and the counters of the site's rate limiter."""

import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.members.fields import NameField, UserNameField

RANDOM_BYTES = 9


def new_public_id() -> str:
    """A random id of 72 bits that cannot be guessed or enumerated.

    It is safe in addresses and, as it doesn't begin with a hyphen, as an argument of commands.
    """
    token = secrets.token_urlsafe(RANDOM_BYTES)
    return f"_{token[1:]}" if token.startswith("-") else token


class User(AbstractUser):
    """An account. Players don't need one; organisers do, and players who want their own page."""

    WRITTEN_ON = (_("Account"), "roles")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = UserNameField(
        _("user name"),
        max_length=150,
        unique=True,
        help_text=_("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
        validators=[AbstractUser.username_validator],
        error_messages={"unique": _("This user name is taken. Choose another.")},
    )
    display_name = NameField(_("name shown to others"), max_length=60, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)

    def __str__(self) -> str:
        return self.display_name or self.username

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


class LimitCount(models.Model):
    """A counter of the rate limiter: its count and when it expires, in seconds since 1970."""

    name = models.CharField(max_length=64, primary_key=True)
    counted = models.PositiveIntegerField()
    opens_at = models.BigIntegerField()
    ends_at = models.BigIntegerField(db_index=True)
