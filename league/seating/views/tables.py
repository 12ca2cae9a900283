"""A running table: a late arrival, its first dealer, a new code; the club's constraints."""

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club, Member
from league.seating import actions
from league.seating.actions import add_wish, drop_wish
from league.seating.forms import WishForm
from league.seating.models import Table, Wish
from league.seating.queries import seating_requests

SEEDS = 2**31


@require_POST
@club_page("organiser")
def table_order(request: HttpRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """One order to one table; refusals are told on the table's page."""
    desk = get_object_or_404(
        Table.objects.select_related("session__club", "round"),
        session__club=club,
        session__public_id=public_id,
        public_id=table,
    )
    try:
        said = _obey(request, desk, actor_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("table_desk", club.slug, public_id, table)
    messages.success(request, said)
    if request.POST.get("to") == "end" or "ask" in request.POST:
        return redirect("board", club.slug, public_id)
    return redirect("table_desk", club.slug, public_id, table)


def _obey(request: HttpRequest, table: Table, by: Actor) -> str:
    order = "join" if "join" in request.POST else request.POST.get("to")
    if "ask" in request.POST:
        actions.ask_after(table, by=by, at=timezone.now())
        return _("Nudged table %(number)d.") % {"number": table.number}
    if order == "join":
        seat = actions.join(table, _member(request, table), by=by)
        return _("%(name)s joined the table.") % {"name": seat.member.name}
    if order == "dealer":
        actions.set_dealer(table, _position(request), by=by)
        return _("Saved the first dealer.")
    if order == "draw":
        actions.redraw_dealer(table, by=by, seed=secrets.randbelow(SEEDS))
        return _("Drew the first dealer again.")
    if order == "end":
        actions.end_table(table, by=by)
        return _("Broke up table %(number)d. Its players are waiting.") % {"number": table.number}
    if order == "code":
        actions.replace_code(table, by=by)
        return _("Replaced. Scan the new code at the table.")
    raise Refused("unknown-order", _("Choose what to do with the table."))


def _member(request: HttpRequest, table: Table) -> Member:
    told = request.POST.get("join") or request.POST.get("member", "")
    return get_object_or_404(Member, club=table.session.club_id, public_id=told)


def _position(request: HttpRequest) -> int:
    text = request.POST.get("position", "")
    if text not in ("0", "1", "2", "3"):
        raise Refused("no-such-seat", _("There is no such seat at this table."))
    return int(text)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def wishes(request: HttpRequest, club: Club) -> HttpResponse:
    """All wishes, and the form for one more. Only organisers read them: some are delicate."""
    form = WishForm(request.POST or None, club=club)
    if form.is_valid():
        try:
            add_wish(club, **form.cleaned_data, by=actor_of(request))
        except Refused as refused:
            form.add_error("second" if "second" in refused.fields else None, refused.message)
        else:
            return redirect("wishes", club.slug)
    context = {"club": club, "here": "settings", "wishes": seating_requests(club), "form": form}
    return render(request, "seating/wishes.html", context, status=422 if form.errors else 200)


@require_POST
@club_page("organiser")
def wish_drop(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Forget one wish."""
    wish = get_object_or_404(
        Wish.objects.select_related("club", "first", "second"), club=club, pk=pk
    )
    drop_wish(wish, by=actor_of(request))
    return redirect("wishes", club.slug)
