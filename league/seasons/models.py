"""Seasons: a club's sessions counted together."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, new_public_id


class Season(models.Model):
    """A stretch of sessions with standings of its own."""

    TEXTS_WITH_NAMES = ("club", ("name",))

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = models.CharField(_("name"), max_length=80)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)

    class Meta:
        ordering = ["-starts_on"]

    def __str__(self) -> str:
        return self.name
