"""Seasons: a club's sessions counted together."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, Member, new_public_id


class Season(models.Model):
    """A stretch of sessions with standings of its own.

    How its evenings count: `counts`, with `counted_number` for the best or the dropped ones.
    `place_points` are the points for the first, second, ... of each evening, as texts ("2.5").
    """

    class Counts(models.TextChoices):
        TOTAL = "total", _("All evenings added up")
        AVERAGE = "average", _("The mean evening")
        BEST = "best", _("Each one's best evenings")
        DROP = "drop", _("All evenings but the worst")

    TEXTS_WITH_NAMES = ("club", ("name",))

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = models.CharField(_("name"), max_length=80)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    counts = models.CharField(_("what counts"), max_length=10, choices=Counts, default=Counts.TOTAL)
    counted_number = models.PositiveSmallIntegerField(_("how many evenings"), default=0)
    minimum_evenings = models.PositiveSmallIntegerField(_("evenings for a place"), default=0)
    guests_count = models.BooleanField(_("guests are in the table"), default=True)
    attendance_points = models.DecimalField(
        _("points for coming"), max_digits=5, decimal_places=2, default=0
    )
    place_points = models.JSONField(_("points for places"), default=list, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        ordering = ["-starts_on"]

    def __str__(self) -> str:
        return self.name


class Champion(models.Model):
    """Somebody who had the first place of a season when it was closed."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="champions")
    member = models.ForeignKey(Member, models.PROTECT, related_name="seasons_won")

    class Meta:
        ordering = ["season", "member"]
        constraints = [
            models.UniqueConstraint(fields=["season", "member"], name="champion_once_a_season")
        ]

    @classmethod
    def join_members(cls, gone: Member, stays: Member) -> None:
        """A season both shared is won once by the one person they are."""
        seasons = set(cls.objects.filter(member=stays).values_list("season", flat=True))
        theirs = cls.objects.filter(member=gone)
        theirs.filter(season__in=seasons).delete()
        theirs.update(member=stays)
