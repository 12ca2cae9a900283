"""Which long work is under way, as a visitor may see it."""

from datetime import timedelta

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone

from league import worker
from league.access import reaches
from league.members.models import Club, Job

STARTING = timedelta(minutes=1)  # how long a worker may take to begin on a slow computer
LARGE = ("preview", "upload", "file")


def job_of(club: Club, public_id: str, rank: str | None) -> Job:
    """One job, for whoever may do what it does; 404 for others."""
    job = _light(club).filter(public_id=public_id).first()
    if job is None or not reaches(rank, job.least):
        raise Http404
    return as_it_is(job)


def jobs_to_see(club: Club, rank: str | None) -> list[Job]:
    """The club's jobs of the last hour, and those somebody has still to go on with."""
    return [as_it_is(job) for job in _light(club) if reaches(rank, job.least)]


def as_it_is(job: Job) -> Job:
    """The job, shown as interrupted where its worker is gone. Nothing is written: that is done by
    the next worker, or by whoever presses a button."""
    if job.state not in Job.UNDER_WAY or worker.is_at_work():
        return job
    job = _light(job.club).filter(pk=job.pk).first() or job  # it may have ended meanwhile
    starting = job.state == Job.State.WAITING and timezone.now() < job.changed_at + STARTING
    if job.state in Job.UNDER_WAY and not starting:
        job.state = Job.State.INTERRUPTED
    return job


def _light(club: Club) -> QuerySet[Job]:
    return Job.objects.filter(club=club).defer(*LARGE)
