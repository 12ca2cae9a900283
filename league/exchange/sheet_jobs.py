"""Large sheets, worked on beside the pages: what one would do, then all of it or nothing."""

from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from league import progress
from league.errors import Refused
from league.exchange.views.dry_run import Asked, Import, rows_of, seen_of
from league.exchange.views.hands import OF_HANDS
from league.exchange.views.people import OF_PEOPLE
from league.exchange.views.results import OF_RESULTS
from league.exchange.views.sessions import OF_SESSIONS
from league.members.job_running import Outcome, actor_of_job, run_job
from league.members.models import Job

IMPORTS: dict[str, Import] = {
    one.kind: one for one in (OF_PEOPLE, OF_SESSIONS, OF_RESULTS, OF_HANDS)
}


@task()
def look_at_sheet(job: int) -> None:
    """Say what the sheet of a job would do."""
    run_job(job, _look)


@task()
def order_sheet(job: int) -> None:
    """Do what was agreed to of the sheet of a job."""
    run_job(job, _order, _saved)


def _look(job: Job, sentence: str = "") -> Outcome:
    kind = IMPORTS[job.kind]
    progress.begin("reading")
    rows = rows_of(kind, bytes(job.upload or b""))
    progress.begin("checking")
    found = kind.look(job.club, rows, timezone.now())
    progress.begin("preparing")
    seen = seen_of(job.club, kind, found, job.params.get("also", ()))
    return Outcome(
        Job.State.READY, sentence, leads_to="check_import", preview=seen.part, agreed=seen.agreed
    )


def _order(job: Job) -> Outcome:
    kind = IMPORTS[job.kind]
    progress.begin("reading")
    rows = rows_of(kind, bytes(job.upload or b""))
    asked = Asked(job.params["agreed"], job.params["also"], actor_of_job(job), timezone.now())
    progress.begin("checking")
    try:
        made = kind.order(job.club, rows, asked)
    except Refused as refused:
        if refused.status != 409:
            raise
        return _look(job, _("Something changed since you looked. Here is the list again."))
    return _saved(job, len(made))


def _saved(job: Job, made: int) -> Outcome:
    kind = IMPORTS[job.kind]
    return Outcome(sentence=kind.words(made) % {"n": made}, leads_to=kind.back)
