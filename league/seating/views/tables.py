"""Pages for changes to a running table, for seating requests, and for house rules."""

import secrets
from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.db import transaction
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused, attempt, form_page
from league.members.actions import adopt_variant
from league.members.audit import Actor, actor_of
from league.members.forms.rulesets import VariantForm
from league.members.models import Club, ClubRuleset, Member
from league.members.presets import name_with_changes
from league.seating import actions
from league.seating.actions import (
    add_seating_request,
    drop_seating_request,
    has_fixed_size,
    others_without_hands,
    set_session_policy,
    set_session_rules,
    set_table_rules,
)
from league.seating.draft_queries import seating_requests
from league.seating.forms import (
    SeatingRequestForm,
    SessionRulesForm,
    TableRulesForm,
    TableVariantForm,
)
from league.seating.models import SeatingRequest, Table
from league.seating.planner_adapter import sizes_without_rules
from league.seating.queries import coming_rules, live_tables, played_rules
from league.sessions.models import Session
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
        "rules": table.ruleset,
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
    next_page = _next_page(request, club_session)

    def save() -> bool:
        if next_page and not form.has_changed():
            return True
        set_session_rules(club_session, form.chosen_rulesets, by=by)
        set_session_policy(club_session, form.cleaned_data["policy"], by=by)
        return True

    if attempt(form, save):
        if next_page:
            if form.has_changed():
                messages.success(request, _("Saved your choices so far."))
            return redirect(next_page)
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
        "changeable": coming_rules(club_session),
        "published_rules": played_rules(live_tables(club_session)),
    }
    return form_page(request, "seating/session_rules.html", context)


def _next_page(request: HttpRequest, club_session: Session) -> str:
    """The page that a button leads to once the choices of rules are saved; "" if none."""
    club, public_id = club_session.club, club_session.public_id
    if "add" in request.POST:
        return f"{reverse('ruleset_presets', args=[club.slug])}?session={public_id}"
    players = request.POST.get("change", "")
    if players.isdecimal() and len(players) < 3:
        return reverse("session_variant", args=[club.slug, public_id, int(players)])
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def session_variant(request: HttpRequest, club: Club, public_id: str, players: int) -> HttpResponse:
    """A few rules changed for one session, at its tables of one size."""
    club_session = session_of(club, public_id)
    coming = {rules.players: rules for rules in coming_rules(club_session)}
    if players not in coming:
        raise Http404
    form, by = VariantForm(coming[players].rules, request.POST or None), actor_of(request)

    def save() -> ClubRuleset:
        variant = adopt_variant(coming[players], options=form.changed_options, by=by)
        others = club_session.rulesets.exclude(players=players)
        own = [] if variant.is_default else [variant]
        set_session_rules(club_session, [*others, *own], by=by)
        return variant

    variant = attempt(form, transaction.atomic(save))
    if variant is not None:
        sentence = _("Saved. The next tables of %(n)d play by %(rules)s.")
        messages.success(request, sentence % {"n": players, "rules": name_with_changes(variant)})
        return redirect("session", club.slug, public_id)
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "rules": coming[players],
        "form": form,
    }
    return form_page(request, "seating/session_variant.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def table_rules(request: HttpRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """The house rules of one table, until its first hand: a choice among the club's, or a few of
    its rules changed."""
    at_table = _table_of(club, public_id, table)
    others = others_without_hands(at_table)
    added, by = request.GET.get("rules", ""), actor_of(request)
    form = TableRulesForm(request.POST or None, table=at_table, others=len(others), added=added)
    changed = attempt(
        form, lambda: _set_rules(at_table, others, form.cleaned_data["rules"], form, by=by)
    )
    if changed is not None:
        if changed.ruleset != at_table.ruleset or "add" not in request.POST:
            messages.success(request, _rules_changed(at_table, changed, form))
        if "add" in request.POST:
            return redirect(_presets_for(at_table))
        return redirect("table_desk", club.slug, public_id, table)
    variant = TableVariantForm(table=at_table, others=len(others))
    return _table_rules_page(request, at_table, form, variant)


@require_POST
@club_page("organiser")
def table_variant(request: HttpRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """Change a few rules for one table, or for all of its size that have not begun."""
    at_table = _table_of(club, public_id, table)
    others, by = others_without_hands(at_table), actor_of(request)
    variant = TableVariantForm(request.POST, table=at_table, others=len(others))

    def save() -> Table:
        rules = adopt_variant(at_table.ruleset, options=variant.changed_options, by=by)
        return _set_rules(at_table, others, rules, variant, by=by)

    changed = attempt(variant, transaction.atomic(save))
    if changed is not None:
        messages.success(request, _rules_changed(at_table, changed, variant))
        return redirect("table_desk", club.slug, public_id, table)
    form = TableRulesForm(table=at_table, others=len(others))
    return _table_rules_page(request, at_table, form, variant)


def _table_of(club: Club, public_id: str, table: str) -> Table:
    return get_object_or_404(
        Table.objects.select_related("session__club", "round", "ruleset"),
        session__club=club,
        session__public_id=public_id,
        public_id=table,
    )


@transaction.atomic
def _set_rules(
    table: Table, others: list[Table], rules: ClubRuleset, form: BaseForm, *, by: Actor
) -> Table:
    """Change the rules of a table, and of the others if the form says so."""
    changed = set_table_rules(table, rules, by=by)
    for other in others if form.cleaned_data.get("everywhere") else ():
        set_table_rules(other, rules, by=by)
    return changed


def _presets_for(table: Table) -> str:
    """The games to add, of those that fit a table; adding one leads back to its rules."""
    ids = {"session": table.session.public_id, "table": table.public_id}
    query = urlencode({**ids, "players": str(table.players)})
    return f"{reverse('ruleset_presets', args=[table.session.club.slug])}?{query}"


def _table_rules_page(
    request: HttpRequest, table: Table, form: TableRulesForm, variant: TableVariantForm
) -> HttpResponse:
    context = {
        "club": table.session.club,
        "here": "sessions",
        "club_session": table.session,
        "table": table,
        "form": variant if variant.is_bound else form,
        "choice": form,
        "variant": variant,
        "presets": _presets_for(table),
        "is_fixed": has_fixed_size(table),
    }
    return form_page(request, "seating/table_rules.html", context)


def _rules_changed(before: Table, table: Table, form: BaseForm) -> str:
    """What a change of rules changed: the tables and their rules, and perhaps the first dealer."""
    values = {
        "n": table.number,
        "rules": name_with_changes(table.ruleset),
        "players": table.players,
    }
    if form.cleaned_data.get("everywhere"):
        sentence = _("Tables of %(players)d that haven't started play by %(rules)s.")
        return sentence % values
    if table.first_dealer == before.first_dealer:
        return _("Table %(n)d plays by %(rules)s.") % values
    dealer = table.seats.get(position=table.first_dealer, until_hand=None).member
    sentence = _(
        "Table %(n)d plays by %(rules)s, which draw the first dealer otherwise: %(name)s deals."
    )
    return sentence % {**values, "name": dealer.label}
