"""Pages of clubs: creating one, its settings, its activity log and its background jobs."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)
from django_htmx.http import HttpResponseClientRedirect
from django_tables2 import RequestConfig

from league.access import ClubRequest, club_page, signed_in
from league.errors import attempt, form_page
from league.members import actions, queries
from league.members.actions.clubs import SETTINGS_NOTES
from league.members.actions.jobs import cancel_job, continue_job
from league.members.audit import actor_of
from league.members.forms.clubs import NewClubForm, SettingsForm
from league.members.models import Club, Job
from league.members.queries import job_of
from league.members.sign_up import lists_new_clubs, refuse_start_club
from league.members.tables import AuditFilter, AuditTable


@require_POST
@club_page("organiser")
def guide_hide(request: ClubRequest, club: Club) -> HttpResponse:
    """Hide the steps of the first session, and stay on the page; say how they come back."""
    actions.show_guide(club, False)
    if "done" in request.POST:
        text = _("All steps are done.")
    else:
        text = _("The steps are hidden. “Show the first steps again” in Settings brings them back.")
    messages.success(request, text)
    if request.htmx:
        return render(request, "parts/_messages.html")
    home, page = reverse("club", args=[club.slug]), request.POST.get("page", "")
    return redirect(page if page.startswith(home) else home)


@require_POST
@club_page("organiser")
def guide_show(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the steps of the first session again."""
    actions.show_guide(club, True)
    return redirect("club_settings", club.slug)


@require_http_methods(["GET", "POST"])
@signed_in
def new_club(request: HttpRequest) -> HttpResponse:
    """Create a club with a name, web address, time zone and rules."""
    refuse_start_club(request.user)
    form, by = NewClubForm(request.POST or None), actor_of(request)
    listed = lists_new_clubs(request.user)
    options: dict[str, Any] = {"by": by, "listed": listed, "guided": True}
    options["language"] = get_language() or ""
    created = attempt(form, lambda: actions.create_club(**options, **form.settings()))
    if created is not None:
        messages.success(request, _("Your club is ready. Now add your players."))
        return redirect("members_paste", created.slug)
    return form_page(request, "members/new_club.html", {"form": form})


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's settings."""
    form, by = SettingsForm(request.POST or None, instance=club), actor_of(request)
    if attempt(form, lambda: actions.change_settings(club, by=by, **form.cleaned_data)) is not None:
        messages.success(request, _("Saved."))
        if "seating_table" in form.changed_data and (lines := form.lines_that_seat_fewer):
            text = _("With these custom table sizes players sit out: %(lines)s")
            messages.info(request, text % {"lines": " · ".join(lines)})
        if form.hides_welcome:
            text = _("Nobody outside the club sees “%(field)s” while results are for members only.")
            messages.info(request, text % {"field": form["welcome"].label})
        for text in filter(None, (note(club, form.changed_data) for note in SETTINGS_NOTES)):
            messages.info(request, text)
        return redirect("club_settings", club.slug)
    defaults = list(queries.default_rulesets(club))
    context = {"club": club, "form": form, "defaults": defaults, "here": "settings"}
    context["usual"] = next((one for one in defaults if one.players == club.usual_size()), None)
    return form_page(request, "members/settings.html", context)


@require_GET
@club_page("organiser")
def audit(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's activity log, the newest entry first."""
    audit_filter = AuditFilter(request.GET, queryset=queries.audit_of(club), club=club)
    table = AuditTable(audit_filter.qs, club=club)
    RequestConfig(request, paginate={"per_page": 50, "silent": True}).configure(table)
    table.find_tables()
    context = {"club": club, "table": table, "filter": audit_filter, "here": "settings"}
    return render(request, "members/audit.html", context)


@require_safe
@club_page("member")
def job(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A job's page, which updates itself and redirects to a preview when there is one."""
    row = job_of(club, public_id, request.rank)
    if row.leads_on:
        redirect_to = HttpResponseClientRedirect if request.htmx else redirect
        return redirect_to(row.address)
    context = {
        "club": club,
        "here": "sessions",
        "job": row,
        "under_way": row.state in Job.UNDER_WAY,
        "starts_again": row.state in Job.STARTS_AGAIN,
    }
    return render(request, "members/_job.html" if request.htmx else "members/job.html", context)


@require_POST
@club_page("member")
def job_cancel(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Cancel a job; nothing is changed."""
    cancel_job(job_of(club, public_id, request.rank))
    return _redirect_to_job(club, public_id)


@require_POST
@club_page("member")
def job_again(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Start an interrupted job again."""
    continue_job(job_of(club, public_id, request.rank))
    return _redirect_to_job(club, public_id)


def _redirect_to_job(club: Club, public_id: str) -> HttpResponse:
    return redirect("job", club.slug, public_id)
