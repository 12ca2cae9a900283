"""Pages for changes to a running table, for seating requests, and for house rules."""

import secrets
from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused, attempt, form_page
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.seating import actions
from league.seating.actions import (
    add_seating_request,
    drop_seating_request,
    set_session_policy,
    set_session_rules,
    set_table_rules,
)
from league.seating.draft_queries import seating_requests
from league.seating.forms import SeatingRequestForm, SessionRulesForm, TableRulesForm
from league.seating.models import SeatingRequest, Table
from league.seating.planner_adapter import sizes_without_rules
from league.seating.queries import live_tables, played_rules
from league.sessions.queries import session_of

SEEDS = 2**31
SENT_AT = {"at_checkin": "checkin", "at_desk": "table_desk"}

Change = Callable[[HttpRequest, Table], str]


def _table_view(page: str) -> Callable[[Change], Callable[..., HttpResponse]]:
    """Turn a change to a table into a view, which redirects to `page`.

    Forms sent from check-in or the table's own page return there instead (`SENT_AT`). A refused
    change redirects to the table's page with the reason.
    """

    def decorate(change: Change) -> Callable[..., HttpResponse]:
        @wraps(change)
        def view(request: HttpRequest, club: Club, public_id: str, table: str) -> HttpResponse:
            at_table = get_object_or_404(
                Table.objects.select_related("session__club", "round"),
                session__club=club,
                session__public_id=public_id,
                public_id=table,
            )
            page_args = [club.slug, public_id]
            try:
                messages.success(request, change(request, at_table))
            except Refused as refused:
                messages.error(request, refused.message)
                return redirect("table_desk", *page_args, table)
            destination = next(
                (sender for name, sender in SENT_AT.items() if name in request.POST), page
            )
            return redirect(
                destination, *page_args, *([table] if destination == "table_desk" else [])
            )

        return view

    return decorate


@require_POST
@club_page("organiser")
@_table_view("board")
def table_nudge(request: HttpRequest, table: Table) -> str:
    """Ask a table that is late for its scores."""
    actions.nudge_table(table, by=actor_of(request), at=timezone.now())
    return _("Nudged table %(number)d.") % {"number": table.number}


@require_POST
@club_page("organiser")
@_table_view("board")
def table_join(request: HttpRequest, table: Table) -> str:
    """Seat a late arrival at a table that has not begun."""
    public_id = request.POST.get("member", "")
    member = get_object_or_404(Member, club=table.session.club_id, public_id=public_id)
    seat = actions.join(table, member, by=actor_of(request))
    table.refresh_from_db()
    return _("%(name)s joined table %(n)d, now a table of %(players)d. Rules: %(rules)s.") % {
        "name": seat.member.name,
        "n": table.number,
        "players": table.players,
        "rules": table.ruleset.name,
    }


@require_POST
@club_page("organiser")
@_table_view("table_desk")
def table_dealer(request: HttpRequest, table: Table) -> str:
    """Save who deals first, as drawn at the table."""
    actions.set_dealer(table, _position(request), by=actor_of(request))
    return _("Saved the first dealer.")


@require_POST
@club_page("organiser")
@_table_view("table_desk")
def table_redraw_dealer(request: HttpRequest, table: Table) -> str:
    """Draw the first dealer again."""
    actions.redraw_dealer(table, by=actor_of(request), seed=secrets.randbelow(SEEDS))
    return _("Drew the first dealer again.")


@require_POST
@club_page("organiser")
@_table_view("board")
def table_end(request: HttpRequest, table: Table) -> str:
    """Break up a table that has not begun or is done."""
    actions.end_table(table, by=actor_of(request))
    return _("Broke up table %(number)d. Its players are waiting.") % {"number": table.number}


@require_POST
@club_page("organiser")
@_table_view("table_desk")
def table_new_code(request: HttpRequest, table: Table) -> str:
    """Replace the code of a table's phone."""
    actions.replace_code(table, by=actor_of(request))
    return _("Replaced. Scan the new code at the table.")


def _position(request: HttpRequest) -> int:
    text = request.POST.get("position", "")
    if text not in ("0", "1", "2", "3"):
        raise Refused("no-such-seat", _("There is no such seat at this table."))
    return int(text)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def club_requests(request: HttpRequest, club: Club) -> HttpResponse:
    """All seating requests, and a form to add one. For organisers only: some are delicate."""
    form = SeatingRequestForm(request.POST or None, club=club)
    if form.is_valid():
        try:
            add_seating_request(club, **form.cleaned_data, by=actor_of(request))
        except Refused as refused:
            form.add_error("second" if "second" in refused.fields else None, refused.message)
        else:
            return redirect("seating_requests", club.slug)
    context = {"club": club, "here": "settings", "requests": seating_requests(club), "form": form}
    return render(
        request, "seating/seating_requests.html", context, status=422 if form.errors else 200
    )


@require_POST
@club_page("organiser")
def seating_request_drop(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Delete one request."""
    seating_request = get_object_or_404(
        SeatingRequest.objects.select_related("club", "first", "second"), club=club, pk=pk
    )
    drop_seating_request(seating_request, by=actor_of(request))
    return redirect("seating_requests", club.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def session_rules(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The house rules of one session, table size by table size."""
    club_session = session_of(club, public_id)
    added = request.GET.get("rules", "")
    form = SessionRulesForm(request.POST or None, club_session=club_session, added=added)
    by = actor_of(request)

    def save() -> bool:
        if "add" in request.POST and not form.has_changed():
            return True
        set_session_rules(club_session, form.chosen_rulesets, by=by)
        set_session_policy(club_session, form.cleaned_data["policy"], by=by)
        return True

    if attempt(form, save):
        if "add" in request.POST:
            if form.has_changed():
                messages.success(request, _("Saved your choices so far."))
            presets = reverse("ruleset_presets", args=[club.slug])
            return redirect(f"{presets}?session={public_id}")
        messages.success(request, _("Saved. The next tables made play by these rules."))
        missing_sizes = sizes_without_rules(club_session)
        if missing_sizes:
            sentence = _("There are no rules yet for tables of %(sizes)s. Add or choose some.")
            sizes = get_text_list([str(size) for size in missing_sizes], _("and"))
            messages.warning(request, sentence % {"sizes": sizes})
            return redirect("session_rules", club.slug, public_id)
        return redirect("session", club.slug, public_id)
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "form": form,
        "published_rules": played_rules(live_tables(club_session)),
    }
    return form_page(request, "seating/session_rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def table_rules(request: HttpRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """The house rules of one table, until its first hand."""
    at_table = get_object_or_404(
        Table.objects.select_related("session__club", "round", "ruleset"),
        session__club=club,
        session__public_id=public_id,
        public_id=table,
    )
    added, by = request.GET.get("rules", ""), actor_of(request)
    form = TableRulesForm(request.POST or None, table=at_table, added=added)
    changed = attempt(form, lambda: set_table_rules(at_table, form.cleaned_data["rules"], by=by))
    if changed is not None:
        messages.success(request, _rules_changed(at_table, changed))
        return redirect("table_desk", club.slug, public_id, table)
    context = {
        "club": club,
        "here": "sessions",
        "club_session": at_table.session,
        "table": at_table,
        "form": form,
    }
    return form_page(request, "seating/table_rules.html", context)


def _rules_changed(before: Table, table: Table) -> str:
    """What a change of rules changed at a table: the rules, and perhaps the first dealer."""
    values = {"n": table.number, "rules": table.ruleset.name}
    if table.first_dealer == before.first_dealer:
        return _("Table %(n)d plays by %(rules)s.") % values
    dealer = table.seats.get(position=table.first_dealer, until_hand=None).member
    sentence = _(
        "Table %(n)d plays by %(rules)s, which draw the first dealer otherwise: %(name)s deals."
    )
    return sentence % {**values, "name": dealer.label}
