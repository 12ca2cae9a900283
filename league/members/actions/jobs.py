"""Background jobs: starting, running, continuing, cancelling and deleting them."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_tasks_db.models import DBTaskResult

from league import worker
from league.access import LADDER, rank_in, reaches
from league.errors import Refused
from league.members.actions.people import lock_club
from league.members.audit import Actor
from league.members.models import Club, Job
from league.members.models.activity import FILES_LAST, UNFINISHED_LASTS

MOST_WAITING = 30  # on the whole site
MOST_PER_CLUB = 3


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of work: its task's dotted name, and the `least` role that may see its jobs."""

    kind: Job.Kind
    task: str
    least: str


def start_job(
    club: Club,
    work: Work,
    *,
    by: Actor,
    params: Mapping[str, object] | None = None,
    upload: bytes | None = None,
) -> Job:
    """Start a background job, or return the club's job of this kind that is under way.

    Refused (`file-is-read`) if that one reads another file, or another user's. Must not be called
    in a transaction: the worker has to see the job.
    """
    notice_lost_jobs()
    forget_old_jobs(timezone.now())
    with transaction.atomic():
        lock_club(club)
        job = _job_under_way(club, work)
        if job is not None and upload is not None:
            _refuse_other_file(job, by, upload)
        if job is None:
            _refuse_too_many(club)
            # The new job replaces an earlier one.
            Job.objects.filter(club=club, kind=work.kind, user=by.user).delete()
            job = Job(
                club=club,
                kind=work.kind,
                task=work.task,
                least=work.least,
                user=by.user,
                source=by.source[:60],
                language=get_language() or "",
                params=dict(params or {}),
                upload=upload,
            )
            _enqueue(job)
    _start_worker()  # even for a job under way, which may have waited while the computer was off
    return job


def _job_under_way(club: Club, work: Work) -> Job | None:
    job = Job.objects.filter(club=club, kind=work.kind, state__in=Job.UNDER_WAY).first()
    if job and LADDER.index(job.least) > LADDER.index(work.least):
        raise _too_many_jobs()  # the job may show more than this user may see
    return job


def _refuse_other_file(job: Job, by: Actor, upload: bytes) -> None:
    """Refuse any file but the same one sent twice: it would be dropped silently."""
    if job.user == by.user and bytes(job.upload or b"") == upload:
        return
    sentence = _("A file of %(name)s is still being read. Send yours again in a few minutes.")
    raise Refused("file-is-read", sentence % {"name": job.user}, status=409)


def continue_job(job: Job, *, task: str = "", params: Mapping[str, object] | None = None) -> None:
    """Continue a job: with its next task, or again with one that was interrupted.

    Refuses (`job-moved-on`) a job that has been continued already.
    """
    notice_lost_jobs()
    with transaction.atomic():
        lock_club(job.club)
        fresh = Job.objects.get(pk=job.pk)
        continuable_states = [Job.State.READY] if task else [*Job.STARTS_AGAIN, Job.State.WAITING]
        under_way = Job.objects.filter(club=job.club, kind=job.kind, state__in=Job.UNDER_WAY)
        if fresh.state not in continuable_states or under_way.exclude(pk=job.pk).exists():
            raise Refused("job-moved-on", _("This step is already done."), status=409)
        if fresh.state != Job.State.WAITING:
            _refuse_too_many(job.club)
            fresh.task = task or fresh.task
            fresh.params = fresh.params if params is None else dict(params)
            _enqueue(fresh)
    _start_worker()


def _start_worker() -> None:
    if has_work():  # in tests, jobs run at once
        worker.start()


def _enqueue(job: Job) -> None:
    job.state, job.step, job.cancelled = Job.State.WAITING, "", False
    job.leads_to = ""  # only a job that is ready has a list to check
    job.done = job.total = 0
    job.made_at = job.changed_at = timezone.now()
    job.save()
    import_string(job.task).enqueue(job.pk)


def cancel_job(job: Job) -> None:
    """Stop a job at its next step without saving anything. Finished jobs stay as they are."""
    notice_lost_jobs()
    job_rows = Job.objects.filter(pk=job.pk)
    changes = {"state": Job.State.CANCELLED, "upload": None, "preview": "", "leads_to": ""}
    stopped = job_rows.filter(state__in=(Job.State.WAITING, Job.State.READY, *Job.STARTS_AGAIN))
    if not stopped.update(**changes, changed_at=timezone.now()):
        job_rows.filter(state=Job.State.RUNNING).update(cancelled=True)


def notice_lost_jobs() -> None:
    """Mark jobs whose worker is gone as interrupted.

    The running jobs are read before checking for a worker: one that starts in between has not
    taken any of them.
    """
    tasks, jobs = _running_work()
    if (tasks or jobs) and not worker.is_at_work():
        _mark_interrupted(tasks, jobs)


def clean_up(at: datetime) -> None:
    """Clean up from an idle, single worker: whatever seems to run was left by an earlier one."""
    _mark_interrupted(*_running_work())
    DBTaskResult.objects.finished().delete()
    forget_old_jobs(at)


def has_work() -> bool:
    """Whether there is anything for a worker to do or to clean up."""
    return DBTaskResult.objects.ready().exists() or any(_running_work())


def _running_work() -> tuple[list[DBTaskResult], list[int]]:
    running = Job.objects.filter(state=Job.State.RUNNING).values_list("pk", flat=True)
    return list(DBTaskResult.objects.running()), list(running)


def _mark_interrupted(tasks: list[DBTaskResult], jobs: list[int]) -> None:
    """Mark tasks and jobs as interrupted: their worker died, and their transactions with it."""
    job_ids = [task.args_kwargs["args"][0] for task in tasks]
    lost_jobs = Job.objects.filter(pk__in=[*job_ids, *jobs], state__in=Job.UNDER_WAY)
    lost_jobs.filter(cancelled=True).update(**_outcome_fields(CANCELLED))
    lost_jobs.update(state=Job.State.INTERRUPTED, changed_at=timezone.now())
    DBTaskResult.objects.running().filter(pk__in=[task.pk for task in tasks]).delete()


def forget_old_jobs(at: datetime) -> None:
    """Delete finished jobs with their files after an hour, and abandoned ones after a day."""
    unfinished_states = (Job.State.READY, *Job.STARTS_AGAIN)
    finished = ~Q(state__in=(*unfinished_states, *Job.UNDER_WAY)) & Q(
        changed_at__lt=at - FILES_LAST
    )
    abandoned = Q(state__in=unfinished_states, changed_at__lt=at - UNFINISHED_LASTS)
    Job.objects.filter(finished | abandoned).delete()


def forget_jobs(club: Club) -> None:
    """Cancel the club's running jobs and delete the rest: files may hold an erased name.

    In this order, so that a job that ends in between is deleted.
    """
    jobs = Job.objects.filter(club=club)
    jobs.update(cancelled=True, upload=None, preview="")
    jobs.exclude(state=Job.State.RUNNING).delete()


def _refuse_too_many(club: Club) -> None:
    under_way = Job.objects.filter(state__in=Job.UNDER_WAY)
    if under_way.filter(club=club).count() < MOST_PER_CLUB and under_way.count() < MOST_WAITING:
        return
    raise _too_many_jobs()


def _too_many_jobs() -> Refused:
    sentence = _("Other work is still under way. Try again in a few minutes.")
    return Refused("too-many-jobs", sentence, status=409)


REPORT_INTERVAL = 0.5  # seconds; each report is a commit

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job. Work that saves something reports it itself (`worker.saved`)."""

    state: Job.State = Job.State.DONE
    sentence: str = ""
    leads_to: str = ""
    preview: str = ""
    agreed: str = ""
    file: bytes | None = None
    file_name: str = ""
    file_kind: str = ""


CANCELLED = Outcome(Job.State.CANCELLED)  # the file is deleted

Words = Callable[[int], str]


class Reporter:
    """Saves the progress of a job, and stops it if it was cancelled."""

    def __init__(self, job: Job, saved: Callable[[int], Outcome] | None) -> None:
        self.job, self.outcome = job, saved
        self.step, self.reported = "", 0.0

    def at(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if step == self.step and now < self.reported + REPORT_INTERVAL:
            return
        self.step, self.reported = step, now
        changes = {"step": step, "done": done, "total": total, "changed_at": timezone.now()}
        self._update_unless_cancelled(changes)

    def saved(self, made: int) -> None:
        if self.outcome is not None:
            self._update_unless_cancelled(_outcome_fields(self.outcome(made)))

    def _update_unless_cancelled(self, changes: dict[str, object]) -> None:
        running = Job.objects.filter(pk=self.job.pk, state=Job.State.RUNNING, cancelled=False)
        if not running.update(**changes):
            raise worker.Cancelled


def run_job(
    pk: int, work: Callable[[Job], Outcome], saved: Callable[[Job, int], Outcome] | None = None
) -> None:
    """Run a waiting job; one that was cancelled since is skipped.

    `saved` returns the outcome for the number of things saved. It is stored in the transaction of
    the work, so that the job's page is right wherever this process is killed.
    """
    waiting_job = Job.objects.filter(pk=pk, state=Job.State.WAITING)
    if not waiting_job.update(state=Job.State.RUNNING, changed_at=timezone.now()):
        return
    job = Job.objects.select_related("club", "user").get(pk=pk)
    on_saved = (lambda made: saved(job, made)) if saved else None
    with translation.override(job.language or None), timezone.override(job.club.zone):
        outcome = _run_work(job, work, Reporter(job, on_saved))
    running = Job.objects.filter(pk=pk, state=Job.State.RUNNING)
    if not running.filter(cancelled=False).update(**_outcome_fields(outcome)):
        running.update(**_outcome_fields(CANCELLED))


def actor_of_job(job: Job) -> Actor:
    """The user who started the job."""
    return Actor(str(job.user), job.user, job.source)


def _run_work(job: Job, work: Callable[[Job], Outcome], reporter: Reporter) -> Outcome:
    try:
        if not reaches(rank_in(job.club, job.user), job.least):
            return Outcome(Job.State.REFUSED, _("Your role in the club no longer allows this."))
        with worker.heard_by(reporter):
            return work(job)
    except Refused as refused:
        sentences = [sentence for field in refused.fields.values() for sentence in field]
        return Outcome(Job.State.REFUSED, "\n".join(sentences or [refused.message]))
    except worker.Cancelled:
        return CANCELLED
    except MemoryError:
        log.exception("A job took more memory than it may.")
        return Outcome(Job.State.REFUSED, _("This file is too large."))
    except Exception:
        log.exception("A job broke.")
        return Outcome(Job.State.FAILED)


def _outcome_fields(outcome: Outcome) -> dict[str, object]:
    """The job's fields for an outcome. The upload is kept only while the job can be continued."""
    changes = {name: getattr(outcome, name) for name in Outcome.__slots__}
    if outcome.state not in (Job.State.READY, *Job.STARTS_AGAIN):
        changes["upload"] = None
    return changes | {"changed_at": timezone.now()}
