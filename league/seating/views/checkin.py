"""Pages of check-in: who is present, and the tables that can be made for them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
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
from league.members.actions.people import LEAVING_NOTES
from league.members.audit import actor_of
from league.members.models import Club, Member, number_namesakes
from league.members.names import name_key
from league.seating.actions import depart
from league.seating.forms import PastedList, read_pasted
from league.seating.planner_adapter import shrunk_table_in_words
from league.seating.queries import (
    CheckinRow,
    checkin_rows,
    earlier_guests,
    empty_seats,
    live_tables,
    members_at,
)
from league.seating.views.draft import next_tables, refused_on
from league.sessions import attendance
from league.sessions.models import Attendance, Session
from league.sessions.queries import players_last_time, present, session_of

MOST_NAMES = 100
"""Longer lists are shown in parts, by first letter."""
SIGNED_UP = "signed-up"
CHOICE = "choice:"


class NameList:
    """The names shown on one check-in page.

    A long list is split into `parts`: players who signed up, then one part per first letter;
    `part` is the one shown. A search covers all of them.
    """

    def __init__(self, rows: Sequence[CheckinRow], query: str, part: str) -> None:
        self.parts: list[tuple[str, str, int]] = []
        self.part = ""
        self.rows = [row for row in rows if row.matches(query)]
        if len(rows) <= MOST_NAMES or query:
            return
        counts = Counter(map(_part_key, rows))
        labels = {SIGNED_UP: _("Signed up")}
        self.parts = [
            (part_key, labels.get(part_key, part_key), counts[part_key])
            for part_key in sorted(counts, key=lambda key: (key != SIGNED_UP, key))
        ]
        self.part = part if part in counts else self.parts[0][0]
        self.rows = [row for row in rows if _part_key(row) == self.part]


def _part_key(row: CheckinRow) -> str:
    return SIGNED_UP if row.place is not None else row.member.sort_key[:1].upper()


def checkin_page(
    request: HttpRequest,
    club_session: Session,
    *,
    guest: Refused | None = None,
    pasted: PastedList | None = None,
    elsewhere: Refused | None = None,
) -> HttpResponse:
    """The check-in page: the names, who is present, and the tables that can be made."""
    context = _checkin_context(request, club_session)
    context |= {"guest": guest, "pasted": pasted, "elsewhere": elsewhere}
    if pasted:
        away = _those_elsewhere(club_session, pasted)
        away_keys = {member.name_key for member in away}
        context["away"] = [member.name for member in away]
        context["known"] = [name for name in pasted.known if name_key(name) not in away_keys]
    is_partial = request.headers.get("HX-Request")
    refused = guest or elsewhere
    return render(
        request,
        "seating/_checkin.html" if is_partial else "seating/checkin.html",
        context,
        status=409 if pasted else refused.status if refused else 200,
    )


def _checkin_context(request: HttpRequest, club_session: Session) -> dict[str, Any]:
    """The page's context. A search leaves out the players expected; `seated` is the player at a
    table whose name was tapped."""
    query, asked = request.GET.get("q", "").strip(), request.GET.get("seated", "")
    rows = checkin_rows(club_session, every_guest=bool(query))
    tables = list(live_tables(club_session))
    in_play = tables if club_session.state == Session.State.OPEN else []
    takes_players = club_session.state in (Session.State.PLANNED, Session.State.OPEN)
    number_namesakes([*(row.member for row in rows), *members_at(tables)])
    name_list = NameList(rows, query, request.GET.get("part") or request.POST.get("part", ""))
    context = {
        "club": club_session.club,
        "here": "sessions",
        "club_session": club_session,
        "rows": name_list.rows,
        "parts": name_list.parts,
        "part": name_list.part,
        "query": query,
        "has_tables": bool(in_play),
        "empty_seats": empty_seats(in_play, rows),
        "short_tables": [table for table in in_play if table.players < 4 and not table.begun],  # type: ignore[attr-defined]
        "seated": next((row for row in rows if row.table and row.member.public_id == asked), None),
        **_presence_context(rows, takes_players=takes_players),
        **next_tables(club_session, tables),
    }
    if takes_players and not query:
        context |= _expected_context(club_session, rows)
        context["everyone"] = 0 if name_list.parts else _first_session_count(club_session, rows)
    return context


def _presence_context(rows: list[CheckinRow], *, takes_players: bool) -> dict[str, Any]:
    """The players present, those waiting for a seat, all who came, and, if the session takes
    players, the number of players at each other session."""
    present_rows = [row for row in rows if row.is_present]
    sessions_elsewhere = [row.elsewhere for row in rows if row.elsewhere and not row.is_present]
    return {
        "present": present_rows,
        "substitutes": [row.member for row in present_rows if row.is_waiting],
        "came": [row for row in rows if row.is_present or row.has_left],
        "still_elsewhere": Counter(sessions_elsewhere).items() if takes_players else (),
    }


def _expected_context(club_session: Session, rows: list[CheckinRow]) -> dict[str, Any]:
    """The number of players expected and not present yet, and the guests of earlier sessions."""
    unavailable = [row.member.pk for row in rows if row.is_present or row.elsewhere]
    return {
        "expected": sum(row.is_expected for row in rows),
        "earlier_guests": earlier_guests(club_session, rows),
        "missing_from_last_time": players_last_time(club_session)
        .exclude(pk__in=unavailable)
        .count(),
    }


def _first_session_count(club_session: Session, rows: list[CheckinRow]) -> int:
    """How many players "check in everyone" would check in; 0 except at the club's first session."""
    members = [row for row in rows if not row.member.is_guest]
    if len(members) < 2 or players_last_time(club_session).exists():
        return 0
    return sum(not (row.is_present or row.has_left or row.elsewhere) for row in members)


@require_safe
@club_page("organiser")
def checkin(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The check-in page."""
    return checkin_page(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_arrive(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in a player; asks first if they are checked in at another session tonight."""
    member = _posted_member(request, club_session)
    is_confirmed = "even_if_elsewhere" in request.POST
    by, now = actor_of(request), timezone.now()
    try:
        attendance.arrive(club_session, member, by=by, at=now, even_if_elsewhere=is_confirmed)
    except Refused as refused:
        if refused.code != "elsewhere":
            raise
        return checkin_page(request, club_session, elsewhere=refused)
    return _redirect_to_checkin(club_session, request.POST.get("part", ""))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_leave(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check out a player, and report what happens to a table that has not begun."""
    member = _posted_member(request, club_session)
    table = depart(club_session, member, by=actor_of(request), at=timezone.now())
    if table:
        messages.info(request, shrunk_table_in_words(table, member))
    for text in filter(None, (note(member) for note in LEAVING_NOTES)):
        messages.warning(request, text)
    return _redirect_to_checkin(club_session, request.POST.get("part", ""))


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_rest(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Let a player sit out."""
    attendance.rest(club_session, _posted_member(request, club_session), by=actor_of(request))
    return _redirect_to_checkin(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_again(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Bring back a player who sat out or had left."""
    attendance.play_again(club_session, _posted_member(request, club_session), by=actor_of(request))
    return _redirect_to_checkin(club_session)


def _posted_member(request: HttpRequest, club_session: Session) -> Member:
    public_id = request.POST.get("member", "")
    return get_object_or_404(Member, club=club_session.club, public_id=public_id)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_guest(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in a new guest by name; asks first if the club has a similar name."""
    try:
        added = attendance.add_guest(
            club_session,
            request.POST.get("name", ""),
            by=actor_of(request),
            at=timezone.now(),
            even_if_similar="even_if_similar" in request.POST,
        )
    except Refused as refused:
        if refused.code != "similar-name":
            raise
        number_namesakes(refused.details["similar"])  # type: ignore[arg-type]
        return checkin_page(request, club_session, guest=refused)
    messages.success(request, _("Checked in %(name)s as a guest.") % {"name": added.member.name})
    return _redirect_to_checkin(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_paste(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in a list of names; first shows what it would do, if it would add new players."""
    pasted = read_pasted(
        club_session.club,
        request.POST.get("names", ""),
        choices=_choices(request),
        left_out=request.POST.getlist("left_out"),
    )
    if pasted.needs_check:
        return checkin_page(request, club_session, pasted=pasted)
    by, at = actor_of(request), timezone.now()
    here = set(present(club_session).values_list("pk", flat=True))
    try:
        checked_in = attendance.arrive_names(
            club_session, pasted.names, by=by, at=at, choices=pasted.choices
        )
    except Refused as refused:
        messages.error(request, refused.message)
        return checkin_page(request, club_session, pasted=pasted)
    if new := [row for row in checked_in if row.member_id not in here]:
        messages.success(request, _checked_in_text(new, at=at))
    elif checked_in:
        messages.info(request, _("Everyone on the list is already checked in."))
    if notes := [*pasted.notes, *(line.name for line in pasted.bad)]:
        sentence = _("Left out of the names: %(notes)s")
        messages.info(request, sentence % {"notes": ", ".join(notes)})
    _warn_left_out(request, _those_elsewhere(club_session, pasted), checked_in)
    return _redirect_to_checkin(club_session)


def _those_elsewhere(club_session: Session, pasted: PastedList) -> list[Member]:
    """The players on the list who are checked in to another session today."""
    name_keys = {name_key(pasted.choices.get(name) or name) for name in pasted.names}
    elsewhere = attendance.checked_in_elsewhere(club_session)
    members = Member.objects.filter(pk__in=elsewhere, name_key__in=name_keys)
    return list(members.order_by("sort_key"))


def _checked_in_text(checked_in: Sequence[Attendance], *, at: datetime) -> str:
    """How many were checked in, and how many of them are guests added at this moment."""
    count = len(checked_in)
    text = ngettext("Checked in %(n)d player.", "Checked in %(n)d players.", count) % {"n": count}
    members = [row.member for row in checked_in]
    if guests := sum(member.is_guest and member.joined_at == at for member in members):
        added = ngettext("%(n)d was added as a guest.", "%(n)d were added as guests.", guests)
        text += f" {added % {'n': guests}}"
    return text


def _choices(request: HttpRequest) -> dict[str, str]:
    """The answer for each name asked about: the existing name meant, or "" for a new player."""
    fields = [(name, value) for name, value in request.POST.items() if name.startswith(CHOICE)]
    return {name.removeprefix(CHOICE): str(value) for name, value in fields}


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_everyone(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in every active member of the club, except those who came and left."""
    rows = checkin_rows(club_session)
    members = [row.member for row in rows if not (row.member.is_guest or row.has_left)]
    _check_in_all(request, club_session, members)
    return _redirect_to_checkin(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_last(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in everyone who came to the last session."""
    _check_in_all(request, club_session, list(players_last_time(club_session)))
    return _redirect_to_checkin(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_signed_up(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in everyone who signed up and has a place."""
    members = [row.member for row in checkin_rows(club_session) if row.is_expected]
    _check_in_all(request, club_session, members)
    return _redirect_to_checkin(club_session)


@require_POST
@club_page("organiser")
@refused_on(checkin_page)
def checkin_elsewhere(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Check in everyone who is still checked in to another session of that day."""
    members = [
        row.member
        for row in checkin_rows(club_session)
        if row.elsewhere and row.elsewhere.public_id == request.POST.get("session")
    ]
    by, now = actor_of(request), timezone.now()
    attendance.arrive_all(club_session, members, by=by, at=now, even_if_elsewhere=True)
    return _redirect_to_checkin(club_session)


def _check_in_all(request: HttpRequest, club_session: Session, members: list[Member]) -> None:
    attendances = attendance.arrive_all(
        club_session, members, by=actor_of(request), at=timezone.now()
    )
    _warn_left_out(request, members, attendances)


def _warn_left_out(
    request: HttpRequest, members: list[Member], attendances: Sequence[Attendance]
) -> None:
    present_ids = {attendance.member_id for attendance in attendances}
    if left_out := [member.name for member in members if member.pk not in present_ids]:
        sentence = _("Not checked in, because they are at another session today: %(names)s.")
        messages.warning(request, sentence % {"names": ", ".join(left_out)})


def _redirect_to_checkin(club_session: Session, part: str = "") -> HttpResponse:
    address = reverse("checkin", args=[club_session.club.slug, club_session.public_id])
    return redirect(f"{address}?{urlencode({'part': part})}" if part else address)
