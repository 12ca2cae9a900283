"""The list of sessions, a new one, its settings, opening and closing it, and its round clock."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club
from league.sessions import actions
from league.sessions.forms import MinutesForm, NewSessionForm, SessionForm
from league.sessions.models import Session
from league.sessions.queries import free_name, local_date, session_of, sessions_of


@require_GET
@club_page("member")
def sessions(request: HttpRequest, club: Club) -> HttpResponse:
    """Every night of the club, and the button for tonight's."""
    return _nights(request, club, _prefilled(club))


@require_POST
@club_page("organiser")
def session_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a session and go straight to check-in; to its page, if it is for a later day."""
    form = NewSessionForm(request.POST, club=club)
    if not form.is_valid():
        return _nights(request, club, form, status=422)
    made = actions.start_session(club, by=actor_of(request), at=timezone.now(), **form.cleaned_data)
    planned = made.state == Session.State.PLANNED
    return redirect("session" if planned else "checkin", club.slug, made.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def session_edit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Change a session's name, date, season and minutes; close, cancel or reopen it."""
    club_session = session_of(club, public_id)
    form = SessionForm(request.POST or None, instance=club_session, club=club)
    if form.is_valid():
        try:
            _change(request, club_session, form)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("session", club.slug, public_id)
    context = {"club": club, "here": "sessions", "club_session": club_session, "form": form}
    status = 422 if form.errors else 200
    return render(request, "sessions/session_edit.html", context, status=status)


def _change(request: HttpRequest, club_session: Session, form: SessionForm) -> None:
    at = timezone.now()
    actions.change_session(club_session, by=actor_of(request), at=at, **form.cleaned_data)


@require_POST
@club_page("organiser")
def session_open(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Open a session, or open it again."""
    actions.open_session(session_of(club, public_id), by=actor_of(request), at=timezone.now())
    return redirect("session", club.slug, public_id)


@require_POST
@club_page("organiser")
def session_close(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Close a session: nobody enters hands any more."""
    actions.close_session(session_of(club, public_id), by=actor_of(request), at=timezone.now())
    return redirect("session", club.slug, public_id)


@require_POST
@club_page("organiser")
def session_cancel(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Call a session off."""
    actions.cancel_session(session_of(club, public_id), by=actor_of(request), at=timezone.now())
    return redirect("session", club.slug, public_id)


def _nights(
    request: HttpRequest, club: Club, form: NewSessionForm, *, status: int = 200
) -> HttpResponse:
    nights = list(sessions_of(club)[:200])
    on_now = [night for night in nights if night.state == Session.State.OPEN]
    context = {"club": club, "here": "sessions", "nights": nights, "on_now": on_now, "form": form}
    return render(request, "sessions/sessions.html", context, status=status)


def _prefilled(club: Club) -> NewSessionForm:
    today = local_date(club, timezone.now())
    current = club.seasons.filter(starts_on__lte=today).exclude(ends_on__lt=today).first()
    first = {"name": free_name(club, today), "held_on": today, "season": current}
    return NewSessionForm(initial=first, club=club)


def _on_board(change: Callable[[HttpRequest, Session], object]) -> Callable[..., HttpResponse]:
    """A view that changes the session's clock and leads to the board, which says a refusal."""

    @wraps(change)
    def view(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
        try:
            change(request, session_of(club, public_id))
        except Refused as refused:
            messages.error(request, refused.message)
        return redirect("board", club.slug, public_id)

    return view


@require_POST
@club_page("organiser")
@_on_board
def clock_start(request: HttpRequest, club_session: Session) -> None:
    """Start the clock with as many minutes as were given, or go on with it."""
    minutes = _minutes(request) if request.POST.get("minutes") else None
    actions.start_clock(club_session, by=actor_of(request), at=timezone.now(), minutes=minutes)


@require_POST
@club_page("organiser")
@_on_board
def clock_pause(request: HttpRequest, club_session: Session) -> None:
    """Stop the clock for a while."""
    actions.pause_clock(club_session, by=actor_of(request), at=timezone.now())


@require_POST
@club_page("organiser")
@_on_board
def clock_extend(request: HttpRequest, club_session: Session) -> None:
    """Give the round more minutes."""
    minutes = _minutes(request)
    actions.extend_clock(club_session, by=actor_of(request), at=timezone.now(), minutes=minutes)


@require_POST
@club_page("organiser")
@_on_board
def clock_stop(request: HttpRequest, club_session: Session) -> None:
    """Remove the clock."""
    actions.stop_clock(club_session, by=actor_of(request))


def _minutes(request: HttpRequest) -> int:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        message = _("Give the clock a whole number of minutes.")
        raise Refused("bad-minutes", message, fields={"minutes": [message]})
    return int(form.cleaned_data["minutes"])
