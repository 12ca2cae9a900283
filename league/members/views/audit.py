"""The page of who did what in a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from django_tables2 import RequestConfig

from league.access import club_page
from league.members import queries
from league.members.audit_table import AuditFilter, AuditTable
from league.members.models import Club


@require_GET
@club_page("organiser")
def audit(request: HttpRequest, club: Club) -> HttpResponse:
    """Every entry of the club, the newest first, with its old and new in words."""
    wanted = AuditFilter(request.GET, queryset=queries.audit_of(club), club=club)
    table = AuditTable(wanted.qs, club=club)
    RequestConfig(request, paginate={"per_page": 50, "silent": True}).configure(table)
    context = {"club": club, "table": table, "filter": wanted, "here": "settings"}
    return render(request, "members/audit.html", context)
