"""The page of long work: how far it has come, what became of it, and its two buttons."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from league.access import ClubRequest, club_page
from league.members.actions.jobs import cancel_job, continue_job
from league.members.job_queries import job_of
from league.members.models import Club, Job


@require_safe
@club_page("member")
def job(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Its page, which follows it by itself; work that asks something leads to where it does."""
    found = job_of(club, public_id, request.rank)
    if found.state == Job.State.READY:
        leads = HttpResponseClientRedirect if request.htmx else redirect
        return leads(found.address)
    context = {
        "club": club,
        "here": "sessions",
        "job": found,
        "under_way": found.state in Job.UNDER_WAY,
        "starts_again": found.state in Job.STARTS_AGAIN,
    }
    return render(request, "members/_job.html" if request.htmx else "members/job.html", context)


@require_POST
@club_page("member")
def job_cancel(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Stop it, with nothing changed."""
    cancel_job(job_of(club, public_id, request.rank))
    return _back(club, public_id)


@require_POST
@club_page("member")
def job_again(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Start again what was cut short."""
    continue_job(job_of(club, public_id, request.rank))
    return _back(club, public_id)


def _back(club: Club, public_id: str) -> HttpResponse:
    return redirect("job", club.slug, public_id)
