"""The activity log, requests of programs by their own ids, and background jobs."""

from datetime import timedelta
from typing import Any, NoReturn

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.members.fields import CopiedField
from league.members.models.accounts import User, new_public_id
from league.members.models.clubs import Club, Role

REFUSAL = "An audit entry is never changed or deleted."


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    """Entries that can only be added and read.

    Only erasing a person (`actions.erasing`) bypasses this, and deleting a session its entries
    lead to.
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


FILES_LAST = timedelta(hours=1)
UNFINISHED_LASTS = timedelta(days=1)


class Job(models.Model):
    """A background job: an import, an export or a large round. At most one of a kind per club.

    Texts and files may contain names of people: they are deleted after a day at most, and when a
    person is erased (`actions.jobs.forget_jobs`).
    """

    class Kind(models.TextChoices):
        IMPORT_PEOPLE = "import-people", _("Import players")
        IMPORT_SESSIONS = "import-sessions", _("Import sessions")
        IMPORT_RESULTS = "import-results", _("Import results")
        IMPORT_HANDS = "import-hands", _("Import hands")
        EXPORT_RESULTS = "export-results", _("Export results")
        EXPORT_CLUB = "export-club", _("Full backup of the club")
        DRAW_ROUND = "draw-round", _("Make the tables")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting to start")
        RUNNING = "running", _("Running")
        READY = "ready", _("Ready to check")
        DONE = "done", _("Done")
        REFUSED = "refused", _("Not done")
        CANCELLED = "cancelled", _("Cancelled. Nothing was changed.")
        INTERRUPTED = "interrupted", _("Interrupted. Nothing was changed.")
        FAILED = "failed", _("Something went wrong. Nothing was changed.")

    class Step(models.TextChoices):
        READING = "reading", _("Reading the file")
        CHECKING = "checking", _("Checking each line")
        PREPARING = "preparing", _("Preparing")
        SAVING = "saving", _("Saving")
        WRITING = "writing", _("Writing the file")

    UNDER_WAY = (State.WAITING, State.RUNNING)
    STARTS_AGAIN = (State.INTERRUPTED, State.FAILED)

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20, choices=Kind)
    task = models.CharField(max_length=100)  # the dotted name of a task
    params = models.JSONField(default=dict)
    least = models.CharField(max_length=12, choices=Role.Rank)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    source = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=10)

    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    step = models.CharField(max_length=12, choices=Step, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    cancelled = models.BooleanField(default=False)
    sentence = models.TextField(blank=True)
    leads_to = models.CharField(max_length=40, blank=True)  # a URL name
    agreed = models.CharField(max_length=64, blank=True)  # a digest of the preview
    preview = models.TextField(blank=True)
    upload = models.BinaryField(null=True)
    file = models.BinaryField(null=True)
    file_name = models.CharField(max_length=200, blank=True)
    file_kind = models.CharField(max_length=10, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "kind"],
                condition=models.Q(state__in=("waiting", "running")),
                name="one_job_of_a_kind_under_way",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_state_display()}"

    @property
    def address(self) -> str:
        """The address of the page with its outcome. Not for the worker, which doesn't load URLs."""
        ids = [self.club.slug]
        if self.state == self.State.READY:
            ids.append(self.public_id)
        elif self.kind == self.Kind.DRAW_ROUND:
            ids.append(self.params["session"])
        return reverse(self.leads_to, args=ids)

    @property
    def leads_on(self) -> bool:
        """Whether its page redirects: to a preview to check, or to the draft that was drawn."""
        is_drawn = self.kind == self.Kind.DRAW_ROUND and self.state == self.State.DONE
        return is_drawn or self.state == self.State.READY

    @property
    def percent(self) -> int | None:
        """The percentage of its step that is done; None if it cannot be counted."""
        return 100 * self.done // self.total if self.total else None
