"""A club's rulesets: every version ever made, unchanged."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.members.fields import NameField
from league.members.models.accounts import User
from league.members.models.clubs import Club
from league.members.models.ids import new_public_id
from league.members.validators import validate_ruleset
from scoring import RulesetError, ruleset

MAY_CHANGE = frozenset({"is_default", "retired"})


class RulesetQuerySet(models.QuerySet["ClubRuleset"]):
    def update(self, **fields: Any) -> int:
        if not MAY_CHANGE.issuperset(fields):
            raise TypeError("A ruleset version is never changed: make a new version.")
        return super().update(**fields)


class ClubRuleset(models.Model):
    """One version of a club's ruleset for a table size. Never changed once made: games keep it.

    `body` is the whole ruleset as the engine reads it; `preset` the id of the preset it began
    with. Only what does not touch a game may change later: the default mark and retirement.
    """

    WRITTEN_ON = (_("House rules"), "ruleset", "public_id")

    club = models.ForeignKey(Club, models.PROTECT, related_name="rulesets")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    players = models.PositiveSmallIntegerField(_("players"))
    version = models.PositiveSmallIntegerField(default=1)
    preset = models.CharField(max_length=60, blank=True)
    body = models.JSONField(validators=[validate_ruleset])
    is_default = models.BooleanField(default=False)
    retired = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    objects = RulesetQuerySet.as_manager()

    class Meta:
        ordering = ["players", "name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "players", "version"], name="one_ruleset_version"
            ),
            models.UniqueConstraint(
                fields=["club", "players"],
                condition=Q(is_default=True),
                name="one_default_ruleset_a_size",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.players}), version {self.version}"

    def clean(self) -> None:
        """The rules are for tables of `players`."""
        try:
            players = ruleset(self.body).players
        except RulesetError:  # told by the field
            return
        if players != self.players:
            raise ValidationError({"players": _("The rules are for another number of players.")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        changed = kwargs.get("update_fields")
        if self.pk and (changed is None or not MAY_CHANGE.issuperset(changed)):
            raise TypeError("A ruleset version is never changed: make a new version.")
        super().save(*args, **kwargs)
