"""Check-in: who is here, and the tables that makes."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.members.names import name_key
from league.members.paste import tidy
from league.seating.actions import depart
from league.seating.queries import live_tables
from league.seating.queries.room import (
    CheckinRow,
    checkin_rows,
    earlier_guests,
    empty_seats,
)
from league.seating.text import closed_up
from league.seating.views.draft import next_tables, refused_on
from league.sessions import actions
from league.sessions.models import Attendance, Session
from league.sessions.queries import last_time, session_of

MOST_PASTED = 200
MOST_NAMES = 100
"""More names than these are shown in parts, by their first letter."""
SIGNED_UP = "signed-up"
CHOICE = "choice:"


class NameList:
    """The names that one page of check-in shows.

    A long list is cut into `parts`, those who signed up and the letters names begin with; `part`
    is the one shown. A search looks through all of them.
    """

    def __init__(self, rows: Sequence[CheckinRow], query: str, part: str) -> None:
        self.parts: list[tuple[str, str, int]] = []
        self.part = ""
        self.rows = [row for row in rows if row.matches(query)]
        if len(rows) <= MOST_NAMES or query:
            return
        counts = Counter(map(_part_of, rows))
        labels = {SIGNED_UP: _("Signed up")}
        self.parts = [
            (one, labels.get(one, one), counts[one])
            for one in sorted(counts, key=lambda one: (one != SIGNED_UP, one))
        ]
        self.part = part if part in counts else self.parts[0][0]
        self.rows = [row for row in rows if _part_of(row) == self.part]


def _part_of(row: CheckinRow) -> str:
    return SIGNED_UP if row.place is not None else row.member.sort_key[:1].upper()


def checkin_page(
    request: HttpRequest,
    club_session: Session,
    *,
    guest: Refused | None = None,
    pasted: Refused | None = None,
    elsewhere: Refused | None = None,
) -> HttpResponse:
    """The list of names, who of them is here, and the tables that makes."""
    context = _whole_list(request, club_session)
    context |= {"guest": guest, "pasted": pasted, "elsewhere": elsewhere}
    context["chosen"] = _choices(request) if pasted else {}
    part = request.headers.get("HX-Request")
    refused = guest or pasted or elsewhere
    return render(
        request,
        "seating/_checkin.html" if part else "seating/checkin.html",
        context,
        status=refused.status if refused else 200,
    )


def _whole_list(request: HttpRequest, club_session: Session) -> dict[str, Any]:
    """Who is here, who is missing, and the tables that makes; all but one that is searched for."""
    query = request.GET.get("q", "").strip()
    rows = checkin_rows(club_session, every_guest=bool(query))
    tables = list(live_tables(club_session))
    in_play = tables if club_session.state == Session.State.OPEN else []
    takes_players = club_session.state in (Session.State.PLANNED, Session.State.OPEN)
    listed = NameList(rows, query, request.GET.get("part") or request.POST.get("part", ""))
    context = {
        "club": club_session.club,
        "here": "sessions",
        "club_session": club_session,
        "rows": listed.rows,
        "parts": listed.parts,
        "part": listed.part,
        "query": query,
        "query_is_new": bool(query) and not any(row.is_called(query) for row in rows),
        "empty_seats": empty_seats(in_play, rows),
        "short_tables": [one for one in in_play if one.players < 4 and not one.begun],  # type: ignore[attr-defined]
        **_who_is_where(rows),
        **next_tables(club_session, tables),
    }
    if takes_players and not query:
        context |= _who_may_come(club_session, rows)
        context["everyone"] = 0 if listed.parts else _on_first_night(club_session, rows)
    return context


def _who_is_where(rows: list[CheckinRow]) -> dict[str, Any]:
    """Who is here, who of them waits for a seat, who has left, and how many are at which other
    session."""
    here = [row for row in rows if row.here]
    elsewhere = [row.elsewhere for row in rows if row.elsewhere and not row.here]
    return {
        "present": here,
        "substitutes": [row.member for row in here if row.is_waiting],
        "gone": [row for row in rows if row.gone],
        "still_elsewhere": Counter(elsewhere).items(),
    }


def _who_may_come(club_session: Session, rows: list[CheckinRow]) -> dict[str, Any]:
    """How many signed up or came last time and are not here yet, and the guests of other nights."""
    taken = [row.member.pk for row in rows if row.here or row.elsewhere]
    return {
        "expected": sum(row.expected for row in rows),
        "earlier_guests": earlier_guests(club_session, rows),
        "missing_from_last_time": last_time(club_session).exclude(pk__in=taken).count(),
    }


def _on_first_night(club_session: Session, rows: list[CheckinRow]) -> int:
    """How many "check in everyone" would check in: none where another night has shown who comes."""
    members = [row for row in rows if not row.member.is_guest]
    if len(members) < 2 or last_time(club_session).exists():
        return 0
    return sum(not (row.here or row.gone or row.elsewhere) for row in members)


@require_safe
@club_page("organiser")
def checkin(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The check-in page."""
    return checkin_page(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_arrive(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Somebody is here; asked first when they are checked in elsewhere tonight."""
    member, sure = _tapped(request, club_session), "even_if_elsewhere" in request.POST
    by, now = actor_of(request), timezone.now()
    try:
        actions.arrive(club_session, member, by=by, at=now, even_if_elsewhere=sure)
    except Refused as refused:
        if refused.code != "elsewhere":
            raise
        return checkin_page(request, club_session, elsewhere=refused)
    return _back(club_session, request.POST.get("part", ""))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_leave(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Somebody goes home; what becomes of a table that has not begun is said."""
    member = _tapped(request, club_session)
    table = depart(club_session, member, by=actor_of(request), at=timezone.now())
    if table:
        messages.info(request, closed_up(table, member))
    return _back(club_session, request.POST.get("part", ""))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_rest(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Somebody sits out."""
    actions.rest(club_session, _tapped(request, club_session), by=actor_of(request))
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_again(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Somebody who sat out or had gone plays again."""
    actions.play_again(club_session, _tapped(request, club_session), by=actor_of(request))
    return _back(club_session)


def _tapped(request: HttpRequest, club_session: Session) -> Member:
    who = request.POST.get("member", "")
    return get_object_or_404(Member, club=club_session.club, public_id=who)


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
    messages.success(request, _("Checked in %(name)s as a guest.") % {"name": added.member.name})
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_paste(request: HttpRequest, club_session: Session) -> HttpResponse:
    """A whole list of names, one a line; asked first when the club has names like them."""
    names = [name for name in tidy(request.POST.get("names", "")).split("\n") if name.strip()]
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
            choices=_choices(request),
        )
    except Refused as refused:
        if refused.code != "similar-name":
            raise
        return checkin_page(request, club_session, pasted=refused)
    if count := len(ticked):
        sentence = ngettext("Checked in %(n)d player.", "Checked in %(n)d players.", count)
        messages.success(request, sentence % {"n": count})
    meant = {name_key(_choices(request).get(name) or name) for name in names}
    elsewhere = Member.objects.filter(pk__in=actions.elsewhere(club_session), name_key__in=meant)
    _tell_left_out(request, list(elsewhere.order_by("sort_key")), ticked)
    return _back(club_session)


def _choices(request: HttpRequest) -> dict[str, str]:
    """Who is meant by each name that was asked about: another name, or "" for somebody new."""
    fields = [(name, value) for name, value in request.POST.items() if name.startswith(CHOICE)]
    return {name.removeprefix(CHOICE): str(value) for name, value in fields}


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_everyone(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Every active member of the club is here, but for those who came and went."""
    rows = checkin_rows(club_session)
    members = [row.member for row in rows if not (row.member.is_guest or row.gone)]
    _check_in_all(request, club_session, members)
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_last(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Everybody who came last time is here."""
    _check_in_all(request, club_session, list(last_time(club_session)))
    return _back(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_signed_up(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Everybody who signed up and has a place is here."""
    members = [row.member for row in checkin_rows(club_session) if row.expected]
    _check_in_all(request, club_session, members)
    return _back(club_session)


def _check_in_all(request: HttpRequest, club_session: Session, members: list[Member]) -> None:
    came = actions.arrive_all(club_session, members, by=actor_of(request), at=timezone.now())
    _tell_left_out(request, members, came)


def _tell_left_out(request: HttpRequest, members: list[Member], came: Sequence[Attendance]) -> None:
    here = {attendance.member_id for attendance in came}
    if left_out := [member.name for member in members if member.pk not in here]:
        sentence = _("Not checked in, because they are at another session today: %(names)s.")
        messages.warning(request, sentence % {"names": ", ".join(left_out)})


def _back(club_session: Session, part: str = "") -> HttpResponse:
    address = reverse("checkin", args=[club_session.club.slug, club_session.public_id])
    return redirect(f"{address}?{urlencode({'part': part})}" if part else address)
