"""What became of long work: a sheet to agree to, a file to download."""

import gzip

from allauth.account.decorators import reauthentication_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.exchange.forms import AgreedForm, SheetForm
from league.exchange.sheet_jobs import IMPORTS
from league.exchange.sheets import download
from league.exchange.views.dry_run import ORDER, Seen, page_context
from league.members.actions.jobs import continue_job
from league.members.job_queries import job_of
from league.members.models import Club, Job, Role
from league.members.models.jobs import FILES_LAST


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def check_import(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What a large sheet would do, once it is known; agreed to, it is done."""
    job = job_of(club, public_id, request.rank)
    form = AgreedForm(request.POST or None)
    if job.state != Job.State.READY or job.kind not in IMPORTS:
        return redirect("job", club.slug, public_id)
    if form.is_bound and form.is_valid():
        continue_job(job, task=ORDER, params=form.cleaned_data)
        return redirect("job", club.slug, public_id)
    kind = IMPORTS[job.kind]
    seen = Seen(mark_safe(job.preview), job.agreed)  # noqa: S308 - written by our own template
    context = page_context(club, kind, seen)
    context |= {"form": SheetForm(), "job": job}
    return render(request, f"exchange/{kind.what}.html", context)


@require_safe
@club_page("member")
def job_file(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The file of an export, for an hour; an owner's needs the password once more."""
    job = job_of(club, public_id, request.rank)
    gone = timezone.now() > job.changed_at + FILES_LAST
    if job.file is None or gone:
        raise Http404
    send = reauthentication_required(_sent) if job.least == Role.Rank.OWNER else _sent
    return send(request, job)


def _sent(_request: HttpRequest, job: Job) -> HttpResponse:
    return download(gzip.decompress(job.file or b""), name=job.file_name, kind=job.file_kind)
