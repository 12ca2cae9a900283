"""Long work beside the pages: starting, doing, cancelling, starting again and forgetting it."""

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
from league.members.models.jobs import FILES_LAST, UNFINISHED_LASTS

MOST_WAITING = 30  # on the whole site
MOST_OF_A_CLUB = 3


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done: the dotted name of its task, and who may see what becomes of it."""

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
    """Let a task work beside the pages. Where one of this kind is under way: that one; refused
    (`file-is-read`) where that one reads another file, or somebody else's.

    Not inside a transaction: the worker has to find what is asked of it.
    """
    notice_lost_jobs()
    forget_old_jobs(timezone.now())
    with transaction.atomic():
        lock_club(club)
        job = _under_way(club, work)
        if job is not None and upload is not None:
            _refuse_other_file(job, by, upload)
        if job is None:
            _refuse_too_many(club)
            Job.objects.filter(club=club, kind=work.kind, user=by.user).delete()  # it is replaced
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
    _start_worker()  # for the first one too: it may have waited while the computer was off
    return job


def _under_way(club: Club, work: Work) -> Job | None:
    there = Job.objects.filter(club=club, kind=work.kind, state__in=Job.UNDER_WAY).first()
    if there and LADDER.index(there.least) > LADDER.index(work.least):
        raise _too_many()  # somebody else's, who may see more
    return there


def _refuse_other_file(job: Job, by: Actor, upload: bytes) -> None:
    """A second press sends the same file again; every other file would be dropped unsaid."""
    if job.user == by.user and bytes(job.upload or b"") == upload:
        return
    sentence = _("A file of %(name)s is still being read. Send yours again in a few minutes.")
    raise Refused("file-is-read", sentence % {"name": job.user}, status=409)


def continue_job(job: Job, *, task: str = "", params: Mapping[str, object] | None = None) -> None:
    """Let a job go on: with its next task, or once more with the one that was cut short.

    Refuses (`job-moved-on`) when it has gone on already.
    """
    notice_lost_jobs()
    with transaction.atomic():
        lock_club(job.club)
        fresh = Job.objects.get(pk=job.pk)
        waits = [Job.State.READY] if task else [*Job.STARTS_AGAIN, Job.State.WAITING]
        under_way = Job.objects.filter(club=job.club, kind=job.kind, state__in=Job.UNDER_WAY)
        if fresh.state not in waits or under_way.exclude(pk=job.pk).exists():
            raise Refused("job-moved-on", _("This step is already done."), status=409)
        if fresh.state != Job.State.WAITING:
            _refuse_too_many(job.club)
            fresh.task = task or fresh.task
            fresh.params = fresh.params if params is None else dict(params)
            _enqueue(fresh)
    _start_worker()


def _start_worker() -> None:
    if something_waits():  # not where jobs run at once, as in tests
        worker.start()


def _enqueue(job: Job) -> None:
    job.state, job.step, job.cancelled = Job.State.WAITING, "", False
    job.leads_to = ""  # to the list that was checked before: only a job that is ready has one
    job.done = job.total = 0
    job.made_at = job.changed_at = timezone.now()
    job.save()
    import_string(job.task).enqueue(job.pk)


def cancel_job(job: Job) -> None:
    """Stop it at its next step, with nothing changed. What is over stays as it is."""
    notice_lost_jobs()
    mine = Job.objects.filter(pk=job.pk)
    changes = {"state": Job.State.CANCELLED, "upload": None, "preview": "", "leads_to": ""}
    over = mine.filter(state__in=(Job.State.WAITING, Job.State.READY, *Job.STARTS_AGAIN))
    if not over.update(**changes, changed_at=timezone.now()):
        mine.filter(state=Job.State.RUNNING).update(cancelled=True)


def notice_lost_jobs() -> None:
    """Say of jobs whose worker is gone that they were interrupted. First those that run are read,
    then it is asked for the worker: one that came since has nothing to do with them."""
    tasks, jobs = _at_work()
    if (tasks or jobs) and not worker.is_at_work():
        _interrupt(tasks, jobs)


def clear_away(at: datetime) -> None:
    """For a worker that is alone and idle: what seems to run was left by one that is gone."""
    _interrupt(*_at_work())
    DBTaskResult.objects.finished().delete()
    forget_old_jobs(at)


def something_waits() -> bool:
    """Whether there is anything for a worker to do or to clear away."""
    return DBTaskResult.objects.ready().exists() or any(_at_work())


def _at_work() -> tuple[list[DBTaskResult], list[int]]:
    running = Job.objects.filter(state=Job.State.RUNNING).values_list("pk", flat=True)
    return list(DBTaskResult.objects.running()), list(running)


def _interrupt(tasks: list[DBTaskResult], jobs: list[int]) -> None:
    """Their worker ended without a word, and with it the transaction of their work."""
    taken = [task.args_kwargs["args"][0] for task in tasks]
    lost = Job.objects.filter(pk__in=[*taken, *jobs], state__in=Job.UNDER_WAY)
    lost.filter(cancelled=True).update(**_changes(CANCELLED))
    lost.update(state=Job.State.INTERRUPTED, changed_at=timezone.now())
    DBTaskResult.objects.running().filter(pk__in=[task.pk for task in tasks]).delete()


def forget_old_jobs(at: datetime) -> None:
    """Delete what is over with all its files, and after a day what nobody went on with."""
    lasting = (Job.State.READY, *Job.STARTS_AGAIN)
    over = ~Q(state__in=(*lasting, *Job.UNDER_WAY)) & Q(changed_at__lt=at - FILES_LAST)
    left = Q(state__in=lasting, changed_at__lt=at - UNFINISHED_LASTS)
    Job.objects.filter(over | left).delete()


def forget_jobs(club: Club) -> None:
    """Cancel what runs and delete the rest: files may hold the name of somebody erased.

    In this order: what ends between the two is found by the second.
    """
    mine = Job.objects.filter(club=club)
    mine.update(cancelled=True, upload=None, preview="")
    mine.exclude(state=Job.State.RUNNING).delete()


def _refuse_too_many(club: Club) -> None:
    under_way = Job.objects.filter(state__in=Job.UNDER_WAY)
    if under_way.filter(club=club).count() < MOST_OF_A_CLUB and under_way.count() < MOST_WAITING:
        return
    raise _too_many()


def _too_many() -> Refused:
    sentence = _("Other work is still under way. Try again in a few minutes.")
    return Refused("too-many-jobs", sentence, status=409)


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


CANCELLED = Outcome(Job.State.CANCELLED)  # nothing of the file stays

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
    mine = Job.objects.filter(pk=pk, state=Job.State.RUNNING)
    if not mine.filter(cancelled=False).update(**_changes(outcome)):
        mine.update(**_changes(CANCELLED))


def actor_of_job(job: Job) -> Actor:
    """Who started it."""
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
        return CANCELLED
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
