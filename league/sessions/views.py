"""Pages of sessions: the list, settings, opening and closing, the clock, sign-ups; and the list of
seasons with their numbers of sessions."""

from collections.abc import Callable
from datetime import date, datetime, time
from functools import wraps

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.account_mail import mail_is_set
from league.members.actions import edit_member
from league.members.audit import actor_of
from league.members.languages import full_day
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.sessions import actions, attendance
from league.sessions.forms import CancelForm, MinutesForm, NewSessionForm, SessionForm
from league.sessions.mail import address_of
from league.sessions.models import Session
from league.sessions.queries import (
    free_name,
    local_date,
    members_not_signed_up,
    season_on,
    seasons_of,
    session_of,
    sessions_of,
    sign_ups_of,
    upcoming_sign_ups,
)
from league.sessions.reminders import cancelled_text, mails_if_cancelled, moved_text, with_address
from league.sessions.text import moved_up_text, places_texts

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
    coming = [s for s in sessions if s.state == Session.State.PLANNED and s.held_on >= today]
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
def coming_sessions(request: HttpRequest, club: Club) -> HttpResponse:
    """The member's own page: upcoming sessions to sign up for, and the choice of reminders."""
    return _coming_page(request, club)


def _coming_page(request: HttpRequest, club: Club, error: str = "") -> HttpResponse:
    player = player_of(club, request.user)
    sign_up_lists = upcoming_sign_ups(club, at=timezone.now(), player=player, with_cancelled=True)
    context = {"club": club, "here": "sessions", "player": player, "nights": sign_up_lists}
    context |= {"choices": Member.Reminders.choices, "sends_mail": mail_is_set(), "wrong": error}
    if player:
        (member,) = with_address(Member.objects.filter(pk=player.pk))
        context["address"] = address_of(member)
    return render(request, "sessions/coming.html", context, status=422 if error else 200)


@require_safe
@club_page("member")
def sign_ups(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The players signed up for a session and its waiting list, with the member's own button."""
    club_session = session_of(club, public_id)
    player = player_of(club, request.user)
    sign_up_list = sign_ups_of(club_session, at=timezone.now(), player=player)
    context = {"club": club, "here": "sessions", "club_session": club_session}
    context["night"] = sign_up_list
    if reaches(request.rank, Role.Rank.ORGANISER) and sign_up_list.is_open:
        context |= {"organiser": True, "others": members_not_signed_up(club_session)}
    return render(request, "sessions/sign_ups.html", context)


@require_POST
@club_page("member")
def sign_up(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Sign up the member's own player."""
    _sign_up(request, session_of(club, public_id), _own_player(request, club))
    return _redirect_back(request, club, public_id)


@require_POST
@club_page("member")
def sign_up_withdraw(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Withdraw the member's own player."""
    _withdraw(request, session_of(club, public_id), _own_player(request, club))
    return _redirect_back(request, club, public_id)


@require_POST
@club_page("organiser")
def sign_up_others(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Sign up other players."""
    club_session = session_of(club, public_id)
    wanted = {text.replace("\0", "") for text in request.POST.getlist("member")}
    members = list(Member.objects.filter(club=club, public_id__in=wanted).order_by("sort_key"))
    if len(members) < len(wanted):
        raise Http404
    if not members:
        messages.error(request, _("Choose who is coming."))
    elif len(members) == 1:
        _sign_up(request, club_session, members[0])
    else:
        _sign_up_all(request, club_session, members)
    return redirect("sign_ups", club.slug, public_id)


@require_POST
@club_page("organiser")
def withdraw_others(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Withdraw another player."""
    _withdraw(request, session_of(club, public_id), _posted_member(request, club))
    return redirect("sign_ups", club.slug, public_id)


def _own_player(request: HttpRequest, club: Club) -> Member:
    player = player_of(club, request.user)
    if player is None:
        message = _("Ask an organiser to link your account to your name.")
        raise Refused("no-player", message, status=409)
    return player


def _posted_member(request: HttpRequest, club: Club) -> Member:
    public_id = request.POST.get("member", "").replace("\0", "")
    return get_object_or_404(Member, club=club, public_id=public_id)


def _redirect_back(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    back = request.POST.get("back")
    if back in ("coming", "club"):
        return redirect(back, club.slug)
    return redirect("session", club.slug, public_id)


def _sign_up(request: HttpRequest, club_session: Session, member: Member) -> None:
    row = attendance.sign_up(club_session, member, by=actor_of(request), at=timezone.now())
    is_own, params = member.user_id == request.user.pk, {"name": member.name}
    if row.placed_at:
        text = _("You are signed up.") if is_own else _("%(name)s is signed up.") % params
        messages.success(request, text)
    elif is_own:
        messages.warning(request, _("All places are taken: you are on the waiting list."))
    else:
        text = _("All places are taken: %(name)s is on the waiting list.")
        messages.warning(request, text % params)


def _sign_up_all(request: HttpRequest, club_session: Session, members: list[Member]) -> None:
    rows = attendance.sign_up_all(club_session, members, by=actor_of(request), at=timezone.now())
    placed = [member.name for member, row in zip(members, rows, strict=True) if row.placed_at]
    waiting = [member.name for member in members if member.name not in placed]
    if placed:
        text = ngettext("%(names)s is signed up.", "%(names)s are signed up.", len(placed))
        messages.success(request, text % {"names": get_text_list(placed, _("and"))})
    if waiting:
        text = ngettext(
            "All places are taken: %(names)s is on the waiting list.",
            "All places are taken: %(names)s are on the waiting list.",
            len(waiting),
        )
        messages.warning(request, text % {"names": get_text_list(waiting, _("and"))})


def _withdraw(request: HttpRequest, club_session: Session, member: Member) -> None:
    moved_up = attendance.withdraw(club_session, member, by=actor_of(request), at=timezone.now())
    if member.user_id == request.user.pk:
        messages.success(request, _("You are no longer signed up."))
    else:
        messages.success(request, _("%(name)s is no longer signed up.") % {"name": member.name})
    if moved_up:
        messages.info(request, moved_up_text(moved_up))


@require_POST
@club_page("member")
def reminders(request: HttpRequest, club: Club) -> HttpResponse:
    """Save which sessions the member wants reminders of."""
    player = player_of(club, request.user)
    field = forms.ChoiceField(choices=Member.Reminders.choices)
    try:
        choice = field.clean(request.POST.get("reminders"))
    except forms.ValidationError:
        return _coming_page(request, club, _("Choose when to be reminded."))
    if player:
        edit_member(player, by=actor_of(request), reminders=choice)
        messages.success(request, _("Saved."))
    return redirect("coming", club.slug)


@require_safe
@club_page("member")
def seasons(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's seasons, latest first, with their numbers of sessions and their winners."""
    context = {"club": club, "here": "sessions", "seasons": seasons_of(club)}
    context["organiser"] = reaches(request.rank, Role.Rank.ORGANISER)
    return render(request, "seasons/seasons.html", context)
