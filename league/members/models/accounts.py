"""The account somebody signs in with, its random ids, and the counts of the site's limiter."""

import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.members.fields import NameField, UserNameField

RANDOM_BYTES = 9


def new_public_id() -> str:
    """An id that cannot be counted through: 72 random bits, safe in an address and, as it does not
    begin with a hyphen, behind a command."""
    drawn = secrets.token_urlsafe(RANDOM_BYTES)
    return f"_{drawn[1:]}" if drawn.startswith("-") else drawn


class User(AbstractUser):
    """An account. Players need none; organisers and anyone who wants a page of their own do."""

    WRITTEN_ON = (_("Account"), "roles")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = UserNameField(
        _("username"),
        max_length=150,
        unique=True,
        help_text=_("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
        validators=[AbstractUser.username_validator],
        error_messages={"unique": _("A user with that username already exists.")},
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
    """How often one key was counted, and until when that holds. Seconds are those since 1970."""

    name = models.CharField(max_length=64, primary_key=True)
    counted = models.PositiveIntegerField()
    opens_at = models.BigIntegerField()
    ends_at = models.BigIntegerField(db_index=True)
