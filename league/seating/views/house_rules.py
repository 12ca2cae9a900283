"""By which house rules one session, or one of its tables, is played instead of the club's own."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import club_page
from league.members.audit import actor_of
from league.members.models import Club
from league.members.views.answers import attempt, form_page
from league.seating.actions import set_session_policy, set_session_rules, set_table_rules
from league.seating.forms import SessionRulesForm, TableRulesForm
from league.seating.models import Table
from league.sessions.queries import session_of


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def session_rules(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The house rules of one session, table size by table size."""
    club_session = session_of(club, public_id)
    form = SessionRulesForm(request.POST or None, club_session=club_session)
    by = actor_of(request)

    def save() -> bool:
        set_session_rules(club_session, form.chosen, by=by)
        set_session_policy(club_session, form.cleaned_data["policy"], by=by)
        return True

    if attempt(form, save):
        messages.success(request, _("Saved. The next tables made play by these rules."))
        return redirect("session", club.slug, public_id)
    context = {"club": club, "here": "sessions", "club_session": club_session, "form": form}
    return form_page(request, "seating/session_rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def table_rules(request: HttpRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """The house rules of one table, until its first hand."""
    desk = get_object_or_404(
        Table.objects.select_related("session__club", "round", "ruleset"),
        session__club=club,
        session__public_id=public_id,
        public_id=table,
    )
    form, by = TableRulesForm(request.POST or None, table=desk), actor_of(request)
    if attempt(form, lambda: set_table_rules(desk, form.cleaned_data["rules"], by=by) or True):
        sentence = _("Table %(n)d plays by %(rules)s.")
        messages.success(
            request, sentence % {"n": desk.number, "rules": form.cleaned_data["rules"].name}
        )
        return redirect("table_desk", club.slug, public_id, table)
    context = {"club": club, "here": "sessions", "club_session": desk.session, "table": desk}
    return form_page(request, "seating/table_rules.html", {**context, "form": form})
