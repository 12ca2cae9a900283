"""Keys by which a program of the club's own asks the API."""

from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.members.fields import NameField
from league.members.models.accounts import User
from league.members.models.clubs import Club


class ApiToken(models.Model):
    """What one program may do in one club. Only a hash of its secret is kept.

    A token opens no more than its maker may do at the moment it is used: it stops working with
    her role and her account. `used_at` is the hour of its last use, not the second.
    """

    class Scope(models.TextChoices):
        PUBLIC = "public", _("Read what anybody may see, names as in public")
        READ = "read", _("Read what members see")
        RECORD = "record", _("Read, and write down hands at every table")
        ORGANISE = "organise", _("Read everything, who did what too, and correct hands at any time")

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("API access"), "tokens")

    club = models.ForeignKey(Club, models.CASCADE, related_name="tokens")
    name = NameField(_("name"), max_length=60)
    scope = models.CharField(_("what it may do"), max_length=10, choices=Scope)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name

    def was_used(self, at: datetime) -> None:
        """Remember the hour: one write an hour, however much it asks."""
        hour = at.replace(minute=0, second=0, microsecond=0)
        if self.used_at is None or self.used_at < hour:
            self.used_at = hour
            self.save(update_fields=["used_at"])
