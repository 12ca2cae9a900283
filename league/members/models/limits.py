"""The counts of the site's limiter (league/limits.py), which alone reads and writes them."""

from django.db import models


class LimitCount(models.Model):
    """How often one key was counted, and until when that holds. Seconds are those since 1970."""

    name = models.CharField(max_length=64, primary_key=True)
    counted = models.PositiveIntegerField()
    opens_at = models.BigIntegerField()
    ends_at = models.BigIntegerField(db_index=True)
