"""Pages of sessions: the list, settings, opening and closing, the clock, sign-ups; and the list of
seasons with their numbers of sessions."""

from collections.abc import Callable
from datetime import date, datetime, time
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.audit import actor_of
from league.members.languages import full_day
from league.members.models import Club, Role
from league.sessions import actions
from league.sessions.deletion import delete_session, may_delete
from league.sessions.forms import CancelForm, MinutesForm, NewSessionForm, SessionForm
from league.sessions.models import Session
from league.sessions.queries import (
    free_name,
    local_date,
    may_unopen,
    season_on,
    seasons_of,
    session_of,
    sessions_of,
)
from league.sessions.reminders import cancelled_text, mails_if_cancelled, moved_text
from league.sessions.text import places_texts

RETURN_PAGES = {"at_checkin": "checkin", "at_board": "board"}


@require_GET
@club_page("member")
def sessions(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's sessions, and the form for a new one: tonight's, or with `?plan` another day's."""
    today = local_date(club, timezone.now())
    held_on = None if "plan" in request.GET else today
    initial = {"held_on": held_on, "season": season_on(club, today)}
    return _sessions_page(request, club, NewSessionForm(initial=initial, club=club))


@require_POST
@club_page("organiser")
def session_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a session and go to check-in, or to the session's page if it is for a later day."""
    form = NewSessionForm(request.POST, club=club)
    if not form.is_valid():
        return _sessions_page(request, club, form, status=422)
    now = timezone.now()
    club_session = actions.start_session(club, by=actor_of(request), at=now, **form.cleaned_data)
    is_planned = club_session.state == Session.State.PLANNED
    return redirect("session" if is_planned else "checkin", club.slug, club_session.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def session_edit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The session's settings."""
    club_session = session_of(club, public_id)
    form = SessionForm(request.POST or None, instance=club_session, club=club)
    if form.is_valid():
        by, now = actor_of(request), timezone.now()
        try:
            actions.change_session(club_session, by=by, at=now, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            _say_saved(request, club_session, form, now)
            return redirect("session", club.slug, public_id)
    return _edit_page(request, club_session, form, CancelForm(club=club))


def _edit_page(
    request: HttpRequest, club_session: Session, form: SessionForm, cancel_form: CancelForm
) -> HttpResponse:
    club = club_session.club
    context = {"club": club, "here": "sessions", "club_session": club_session, "form": form}
    context |= {"cancel_form": cancel_form, **mails_if_cancelled(club_session, timezone.now())}
    context["is_to_come"] = club_session.held_on > local_date(club, timezone.now())
    context["was_attended"] = club_session.attendances.exists()
    context["may_delete"] = may_delete(club_session)
    context["may_unopen"] = may_unopen(club_session, timezone.now())
    status = 422 if form.errors or cancel_form.errors else 200
    return render(request, "sessions/session_edit.html", context, status=status)


def _say_saved(
    request: HttpRequest, club_session: Session, form: SessionForm, at: datetime
) -> None:
    """Say that it is saved, and what follows for a planned session if its day is past, or for those
    who signed up if it was moved or the number of places changed."""
    messages.success(request, _("Saved."))
    for text in places_texts(club_session, changed_at=at) if "places" in form.changed_data else ():
        messages.info(request, text)
    is_moved = {"held_on", "begins_at"} & {*form.changed_data}
    if is_moved and (text := moved_text(club_session, at)):
        messages.warning(request, text)
    is_past = club_session.held_on < local_date(club_session.club, at)
    if is_past and club_session.state == Session.State.PLANNED:
        text = _(
            "%(day)s is in the past: sign-up is over. Open the session to enter its hands, or "
            "correct the date in its settings."
        )
        messages.warning(request, text % {"day": full_day(club_session.held_on)})


@require_POST
@club_page("organiser")
def session_open(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Open or reopen a session; return to check-in or the board if the form was sent there."""
    club_session, now = session_of(club, public_id), timezone.now()
    try:
        actions.open_session(club_session, by=actor_of(request), at=now)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("session_edit", club.slug, public_id)
    if club_session.state == Session.State.CLOSED:
        messages.success(request, _("The session is open again. Close it when you have finished."))
    if club_session.state == Session.State.CANCELLED and (text := moved_text(club_session, now)):
        messages.warning(request, text)
    page = next((page for field, page in RETURN_PAGES.items() if field in request.POST), "session")
    return redirect(page, club.slug, public_id)


@require_POST
@club_page("organiser")
def session_unopen(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Plan a session again that was opened by mistake."""
    club_session = session_of(club, public_id)
    actions.unopen_session(club_session, by=actor_of(request), at=timezone.now())
    return redirect("session", club.slug, public_id)


@require_POST
@club_page("organiser")
def session_delete(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Delete a session that was made by mistake."""
    club_session = session_of(club, public_id)
    delete_session(club_session, by=actor_of(request))
    messages.success(request, _("Deleted %(name)s.") % {"name": club_session.name})
    return redirect("sessions", club.slug)


@require_POST
@club_page("organiser")
def session_close(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Close a session: no more hands can be entered."""
    actions.close_session(session_of(club, public_id), by=actor_of(request), at=timezone.now())
    return redirect("session", club.slug, public_id)


@require_POST
@club_page("organiser")
def session_cancel(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Cancel a session, with a reason if one is given."""
    club_session, form = session_of(club, public_id), CancelForm(request.POST, club=club)
    if not form.is_valid():
        settings = SessionForm(instance=club_session, club=club)
        return _edit_page(request, club_session, settings, form)
    by, now = actor_of(request), timezone.now()
    if text := cancelled_text(club_session, now):
        messages.warning(request, text)
    actions.cancel_session(club_session, by=by, at=now, reason=form.cleaned_data["reason"])
    return redirect("session", club.slug, public_id)


def _sessions_page(
    request: HttpRequest, club: Club, form: NewSessionForm, *, status: int = 200
) -> HttpResponse:
    today = local_date(club, timezone.now())
    sessions = _soonest_first(list(sessions_of(club)[:200]), today)
    open_sessions = [session for session in sessions if session.state == Session.State.OPEN]
    context = {"club": club, "here": "sessions", "form": form}
    context |= {"nights": sessions, "on_now": open_sessions, "planning": "plan" in request.GET}
    context["tonight"] = free_name(club, today)
    context["has_one_today"] = any(session.held_on == today for session in open_sessions)
    return render(request, "sessions/sessions.html", context, status=status)


def _soonest_first(sessions: list[Session], today: date) -> list[Session]:
    """The sessions, which are latest first, with those still to come in front, soonest first."""
    to_come = (Session.State.PLANNED, Session.State.CANCELLED)
    coming = [s for s in sessions if s.state in to_come and s.held_on >= today]
    coming.sort(key=lambda one: (one.held_on, one.begins_at or time.min, one.pk))
    return [*coming, *(one for one in sessions if one not in coming)]


def _clock_view(change: Callable[[HttpRequest, Session], object]) -> Callable[..., HttpResponse]:
    """Turn a change to the clock into a view that redirects to the board, with any refusal."""

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
@_clock_view
def clock_start(request: HttpRequest, club_session: Session) -> None:
    """Start the clock with the minutes given, or resume it."""
    minutes = _minutes(request) if request.POST.get("minutes") else None
    actions.start_clock(club_session, by=actor_of(request), at=timezone.now(), minutes=minutes)


@require_POST
@club_page("organiser")
@_clock_view
def clock_pause(request: HttpRequest, club_session: Session) -> None:
    """Pause the clock."""
    actions.pause_clock(club_session, by=actor_of(request), at=timezone.now())


@require_POST
@club_page("organiser")
@_clock_view
def clock_extend(request: HttpRequest, club_session: Session) -> None:
    """Add minutes to the clock."""
    minutes = _minutes(request)
    actions.extend_clock(club_session, by=actor_of(request), at=timezone.now(), minutes=minutes)


@require_POST
@club_page("organiser")
@_clock_view
def clock_stop(request: HttpRequest, club_session: Session) -> None:
    """Remove the clock."""
    actions.stop_clock(club_session, by=actor_of(request))


def _minutes(request: HttpRequest) -> int:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        message = _("Enter a whole number of minutes for the clock.")
        raise Refused("bad-minutes", message, fields={"minutes": [message]})
    return int(form.cleaned_data["minutes"])


@require_safe
@club_page("member")
def seasons(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's seasons, latest first, with their numbers of sessions and their winners."""
    context = {"club": club, "here": "sessions", "seasons": seasons_of(club)}
    context["organiser"] = reaches(request.rank, Role.Rank.ORGANISER)
    return render(request, "seasons/seasons.html", context)
