"""A club's settings, founding one, its audit log, and its long work."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
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
from league.members.actions.jobs import cancel_job, continue_job
from league.members.audit import actor_of
from league.members.forms.clubs import NewClubForm, SettingsForm
from league.members.models import Club, Job
from league.members.queries import job_of
from league.members.sign_up import lists_new_clubs, refuse_start_club
from league.members.tables import AuditFilter, AuditTable


@require_POST
@club_page("organiser")
def guide_hide(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the steps of the first night no longer."""
    actions.hide_guide(club)
    return redirect("club", club.slug)


@require_http_methods(["GET", "POST"])
@signed_in
def new_club(request: HttpRequest) -> HttpResponse:
    """Start a club: its name, address, time zone and the rules it begins with."""
    refuse_start_club(request.user)
    form, by = NewClubForm(request.POST or None), actor_of(request)
    listed = lists_new_clubs(request.user)
    how: dict[str, Any] = {"by": by, "listed": listed, "guided": True}
    how["language"] = get_language() or ""
    made = attempt(form, lambda: actions.create_club(**how, **form.settings()))
    if made is not None:
        messages.success(request, _("Your club is ready. Now add your players."))
        return redirect("club", made.slug)
    return form_page(request, "members/new_club.html", {"form": form})


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """How the club seats, confirms, counts and shows itself."""
    form, by = SettingsForm(request.POST or None, instance=club), actor_of(request)
    if attempt(form, lambda: actions.change_settings(club, by=by, **form.cleaned_data)) is not None:
        messages.success(request, _("Saved."))
        return redirect("club_settings", club.slug)
    context = {
        "club": club,
        "form": form,
        "defaults": queries.default_rulesets(club),
        "here": "settings",
    }
    return form_page(request, "members/settings.html", context)


@require_GET
@club_page("organiser")
def audit(request: HttpRequest, club: Club) -> HttpResponse:
    """Every entry of the club, the newest first, with its old and new in words."""
    wanted = AuditFilter(request.GET, queryset=queries.audit_of(club), club=club)
    table = AuditTable(wanted.qs, club=club)
    RequestConfig(request, paginate={"per_page": 50, "silent": True}).configure(table)
    table.name_players()
    context = {"club": club, "table": table, "filter": wanted, "here": "settings"}
    return render(request, "members/audit.html", context)


@require_safe
@club_page("member")
def job(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Its page, which follows it by itself; work that asks something leads to where it does."""
    row = job_of(club, public_id, request.rank)
    if row.leads_on:
        leads = HttpResponseClientRedirect if request.htmx else redirect
        return leads(row.address)
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
