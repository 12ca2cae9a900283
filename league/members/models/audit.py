"""The activity log, to which entries are only added; and requests of programs by their own ids."""

from datetime import timedelta
from typing import Any, NoReturn

from django.db import models
from django.utils import timezone

from league.members.fields import CopiedField
from league.members.models.accounts import User
from league.members.models.clubs import Club

REFUSAL = "An audit entry is never changed or deleted."


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    """Entries that can only be added and read.

    Only erasing a person (`actions.erasing`) bypasses this.
    """

    def update(self, **fields: Any) -> NoReturn:
        raise TypeError(REFUSAL)

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(REFUSAL)

    def delete(self) -> NoReturn:
        raise TypeError(REFUSAL)


class AuditEntry(models.Model):
    """An entry of the activity log: who did what, when and from where, with old and new values."""

    TEXTS_WITH_NAMES = ("club", ("actor", "subject", "old", "new"))

    club = models.ForeignKey(Club, models.PROTECT, related_name="audit")
    session = models.ForeignKey(
        "league.Session", models.PROTECT, null=True, blank=True, related_name="audit"
    )
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    actor = CopiedField(max_length=80)
    source = CopiedField(max_length=60, blank=True)
    action = models.CharField(max_length=40)
    subject = CopiedField(max_length=120, blank=True)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["club", "-id"], name="audit_by_club")]

    def __str__(self) -> str:
        return f"{self.actor}: {self.action} {self.subject}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk:
            raise TypeError(REFUSAL)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(REFUSAL)


class ProgramRequest(models.Model):
    """A program's request to create an object, by the program's own id, so that it is done once.

    `what` is the kind of object, `made` its public id.
    """

    KEPT_FOR = timedelta(days=30)

    club = models.ForeignKey(Club, models.CASCADE, related_name="program_requests")
    client_id = models.CharField(max_length=40)
    what = models.CharField(max_length=20)
    made = models.CharField(max_length=40, default="")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "client_id"], name="program_request_once")
        ]

    def __str__(self) -> str:
        return self.client_id
