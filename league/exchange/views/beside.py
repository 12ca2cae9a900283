"""The page that starts an export which takes its time."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.shortcuts import redirect, render

from league.access import ClubRequest
from league.members.actions.jobs import Work, start_job
from league.members.audit import actor_of
from league.members.models import Club


def export_beside(
    request: ClubRequest, club: Club, work: Work, params: Mapping[str, object] | None = None
) -> HttpResponse:
    """The page of an export that takes its time; its button starts it. A link starts nothing."""
    if request.method == "POST":
        job = start_job(club, work, by=actor_of(request), params=params)
        return redirect("job", club.slug, job.public_id)
    context = {"club": club, "here": "sessions", "kind": work.kind.label}
    return render(request, "exchange/export.html", context)
