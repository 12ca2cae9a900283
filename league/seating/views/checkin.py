"""Check-in: who is here, and the tables that makes."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.seating.actions import depart
from league.seating.planner_adapter import choices_for
from league.seating.queries.room import checkin_rows, free_count
from league.seating.views.draft import refused_on
from league.sessions import actions
from league.sessions.models import Session
from league.sessions.queries import last_time, session_of

MOST_PASTED = 200


def checkin_page(
    request: HttpRequest,
    club_session: Session,
    *,
    guest: Refused | None = None,
    pasted: Refused | None = None,
) -> HttpResponse:
    """The list of names, who of them is here, and the tables that makes."""
    query = request.GET.get("q", "").strip()
    rows = checkin_rows(club_session)
    here = [row for row in rows if row.here]
    missing = last_time(club_session).exclude(pk__in=[row.member.pk for row in here])
    free = free_count(rows)
    context: dict[str, Any] = {
        "club": club_session.club,
        "here": "sessions",
        "club_session": club_session,
        "rows": [row for row in rows if row.matches(query)],
        "present": here,
        "gone": [row for row in rows if row.gone],
        "query": query,
        "query_is_new": bool(query) and not any(row.is_called(query) for row in rows),
        "expected": sum(row.expected for row in rows) if not query else 0,
        "missing_from_last_time": missing.count() if not query else 0,
        "free": free,
        "choices": choices_for(club_session.club, free),
        "guest": guest,
        "pasted": pasted,
    }
    template = (
        "seating/_checkin.html" if request.headers.get("HX-Request") else "seating/checkin.html"
    )
    asked = guest or pasted
    return render(request, template, context, status=asked.status if asked else 200)


@require_safe
@club_page("organiser")
def checkin(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The check-in page."""
    return checkin_page(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_mark(request: HttpRequest, club_session: Session) -> HttpResponse:
    """One tap: somebody is here, gone, sits out, or plays again."""
    by, now = actor_of(request), timezone.now()
    for order in ("arrive", "leave", "rest", "again"):
        if order in request.POST:
            member = get_object_or_404(
                Member, club=club_session.club, public_id=request.POST[order]
            )
            break
    else:
        raise Refused("unknown-order", _("Say who is here or gone."))
    if order == "arrive":
        actions.arrive(club_session, member, by=by, at=now)
    elif order == "leave":
        depart(club_session, member, by=by, at=now)
    elif order == "rest":
        actions.rest(club_session, member, by=by)
    else:
        actions.play_again(club_session, member, by=by)
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_guest(request: HttpRequest, club_session: Session) -> HttpResponse:
    """A guest, by name alone; asked first when the club has a name like it."""
    try:
        added = actions.add_guest(
            club_session,
            request.POST.get("name", ""),
            by=actor_of(request),
            at=timezone.now(),
            even_if_similar="even_if_similar" in request.POST,
        )
    except Refused as refused:
        if refused.code != "similar-name":
            raise
        return checkin_page(request, club_session, guest=refused)
    messages.success(request, _("%(name)s is here, as a guest.") % {"name": added.member.name})
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_paste(request: HttpRequest, club_session: Session) -> HttpResponse:
    """A whole list of names, one a line; asked first when the club has names like them."""
    names = [name for name in request.POST.get("names", "").splitlines() if name.strip()]
    if not 1 <= len(names) <= MOST_PASTED:
        raise Refused(
            "bad-list", _("Paste 1 to %(most)d names, one on each line.") % {"most": MOST_PASTED}
        )
    try:
        ticked = actions.arrive_names(
            club_session,
            names,
            by=actor_of(request),
            at=timezone.now(),
            even_if_similar="even_if_similar" in request.POST,
        )
    except Refused as refused:
        if refused.code != "similar-name":
            raise
        return checkin_page(request, club_session, pasted=refused)
    count = len(ticked)
    messages.success(
        request, ngettext("%(n)d name ticked off.", "%(n)d names ticked off.", count) % {"n": count}
    )
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_last(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Everybody who came last time is here."""
    members = list(last_time(club_session))
    actions.arrive_all(club_session, members, by=actor_of(request), at=timezone.now())
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_signed_up(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Everybody who signed up and has a place is here."""
    members = [row.member for row in checkin_rows(club_session) if row.expected]
    actions.arrive_all(club_session, members, by=actor_of(request), at=timezone.now())
    return _back(club_session)


def _back(club_session: Session) -> HttpResponse:
    return redirect("checkin", club_session.club.slug, club_session.public_id)
