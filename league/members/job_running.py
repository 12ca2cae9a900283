"""What happens to a job while it is worked on: its progress, its end, and nothing half done."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league import worker
from league.access import rank_in, reaches
from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Job

REPORTS_EVERY = 0.5  # seconds: each report is a commit

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of it. Work that changes something says so itself (`progress.saved`)."""

    state: Job.State = Job.State.DONE
    sentence: str = ""
    leads_to: str = ""
    preview: str = ""
    agreed: str = ""
    file: bytes | None = None
    file_name: str = ""
    file_kind: str = ""


Words = Callable[[int], str]


class Reporter:
    """Writes how far a job has come, and stops it where somebody has cancelled it."""

    def __init__(self, job: Job, saved: Callable[[int], Outcome] | None) -> None:
        self.job, self.outcome = job, saved
        self.step, self.reported = "", 0.0

    def at(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if step == self.step and now < self.reported + REPORTS_EVERY:
            return
        self.step, self.reported = step, now
        changes = {"step": step, "done": done, "total": total, "changed_at": timezone.now()}
        self._unless_cancelled(changes)

    def saved(self, made: int) -> None:
        if self.outcome is not None:
            self._unless_cancelled(_changes(self.outcome(made)))

    def _unless_cancelled(self, changes: dict[str, object]) -> None:
        mine = Job.objects.filter(pk=self.job.pk, state=Job.State.RUNNING, cancelled=False)
        if not mine.update(**changes):
            raise worker.Cancelled


def run_job(
    pk: int, work: Callable[[Job], Outcome], saved: Callable[[Job, int], Outcome] | None = None
) -> None:
    """Do a job that waits; one that was cancelled meanwhile is passed over.

    `saved` says what became of work that saved so much. It is written in the transaction of the
    work: wherever this process is killed, the job's page says what is true.
    """
    waiting = Job.objects.filter(pk=pk, state=Job.State.WAITING)
    if not waiting.update(state=Job.State.RUNNING, changed_at=timezone.now()):
        return
    job = Job.objects.select_related("club", "user").get(pk=pk)
    on_saved = (lambda made: saved(job, made)) if saved else None
    with translation.override(job.language or None), timezone.override(job.club.zone):
        outcome = _outcome(job, work, Reporter(job, on_saved))
    Job.objects.filter(pk=pk, state=Job.State.RUNNING).update(**_changes(outcome))


def actor_of_job(job: Job) -> Actor:
    """Whoever started it."""
    return Actor(str(job.user), job.user, job.source)


def _outcome(job: Job, work: Callable[[Job], Outcome], reporter: Reporter) -> Outcome:
    try:
        if not reaches(rank_in(job.club, job.user), job.least):
            return Outcome(Job.State.REFUSED, _("Your role in the club no longer allows this."))
        with worker.heard_by(reporter):
            return work(job)
    except Refused as refused:
        sentences = [one for many in refused.fields.values() for one in many]
        return Outcome(Job.State.REFUSED, "\n".join(sentences or [refused.message]))
    except worker.Cancelled:
        return Outcome(Job.State.CANCELLED)
    except MemoryError:
        log.exception("A job took more memory than it may.")
        return Outcome(Job.State.REFUSED, _("This file is too large."))
    except Exception:
        log.exception("A job broke.")
        return Outcome(Job.State.FAILED)


def _changes(outcome: Outcome) -> dict[str, object]:
    """What is stored of an outcome. The upload stays only while somebody may go on with it."""
    changes = {name: getattr(outcome, name) for name in Outcome.__slots__}
    if outcome.state not in (Job.State.READY, *Job.STARTS_AGAIN):
        changes["upload"] = None
    return changes | {"changed_at": timezone.now()}
