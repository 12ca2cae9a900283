"""Pages of sign-ups: upcoming sessions, who's coming, signing up, withdrawing and undoing that."""

from datetime import datetime
from typing import cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core import serializers, signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.account_mail import mail_is_set
from league.members.actions import edit_member
from league.members.audit import actor_of
from league.members.models import Club, Member, Role, number_namesakes
from league.members.queries import player_of
from league.sessions import attendance
from league.sessions.mail import address_of
from league.sessions.models import Session, SignUp
from league.sessions.queries import (
    players_not_signed_up,
    session_of,
    sign_ups_of,
    upcoming_sign_ups,
)
from league.sessions.reminders import with_address
from league.sessions.text import moved_up_text, waiting_again_text

WITHDRAWN = "league.sessions.withdrawn"
"""The salt of what an undo needs: a sign-up as it was, and when it was withdrawn."""


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
    return _sign_ups_page(request, session_of(club, public_id))


def _sign_ups_page(
    request: ClubRequest, club_session: Session, guest: Refused | None = None
) -> HttpResponse:
    club = club_session.club
    player = player_of(club, request.user)
    sign_up_list = sign_ups_of(club_session, at=timezone.now(), player=player)
    context = {"club": club, "here": "sessions", "club_session": club_session}
    context["night"] = sign_up_list
    if reaches(request.rank, Role.Rank.ORGANISER) and sign_up_list.is_open:
        others = list(players_not_signed_up(club_session))
        number_namesakes(others)
        context |= {"organiser": True, "others": others, "guest": guest}
        if undo := request.GET.get("undo"):
            context |= {"undo": undo, "withdrawn": _withdrawn(undo, club_session)[0].member}
    status = guest.status if guest else 200
    return render(request, "sessions/sign_ups.html", context, status=status)


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
    _withdraw(request, session_of(club, public_id), _own_player(request, club), timezone.now())
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
def sign_up_guest(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Sign up a new guest by name; asks first if the club has a similar name."""
    club_session, name = session_of(club, public_id), request.POST.get("name", "")
    by, now, anyway = actor_of(request), timezone.now(), "even_if_similar" in request.POST
    try:
        row = attendance.sign_up_guest(club_session, name, by=by, at=now, even_if_similar=anyway)
    except Refused as refused:
        if refused.code == "similar-name":
            number_namesakes(refused.details["similar"])  # type: ignore[arg-type]
            return _sign_ups_page(request, club_session, refused)
        messages.error(request, refused.message)
    else:
        _say_signed_up(request, row)
    return redirect("sign_ups", club.slug, public_id)


@require_POST
@club_page("organiser")
def withdraw_others(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Withdraw another player; the page then offers to undo it."""
    club_session, member = session_of(club, public_id), _posted_member(request, club)
    rows, now = list(club_session.sign_ups.filter(member=member)), timezone.now()
    _withdraw(request, club_session, member, now)
    withdrawn = (serializers.serialize("json", rows), now.isoformat())
    query = urlencode({"undo": signing.dumps(withdrawn, salt=WITHDRAWN, compress=True)})
    return redirect(f"{reverse('sign_ups', args=[club.slug, public_id])}?{query}")


@require_POST
@club_page("organiser")
def withdrawal_undo(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Sign up a withdrawn player as before."""
    club_session = session_of(club, public_id)
    row, withdrawn_at = _withdrawn(request.POST.get("undo", ""), club_session)
    at = {"withdrawn_at": withdrawn_at, "at": timezone.now()}
    waiting = attendance.undo_withdrawal(club_session, row, by=actor_of(request), **at)
    messages.success(request, _("%(name)s is signed up as before.") % {"name": row.member.name})
    if waiting:
        messages.info(request, waiting_again_text(waiting))
    return redirect("sign_ups", club.slug, public_id)


def _withdrawn(signed: str, club_session: Session) -> tuple[SignUp, datetime]:
    """The sign-up and the time of a withdrawal from this session; 404 for any other text."""
    try:
        data, withdrawn_at = signing.loads(signed, salt=WITHDRAWN)
    except signing.BadSignature as error:
        raise Http404 from error
    row = cast(SignUp, next(serializers.deserialize("json", data)).object)
    if row.session_id != club_session.pk:
        raise Http404
    row.member = get_object_or_404(Member, pk=row.member_id)
    return row, datetime.fromisoformat(withdrawn_at)


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
    _say_signed_up(request, row)


def _say_signed_up(request: HttpRequest, row: SignUp) -> None:
    is_own, params = row.member.user_id == request.user.pk, {"name": row.member.name}
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


def _withdraw(request: HttpRequest, club_session: Session, member: Member, at: datetime) -> None:
    moved_up = attendance.withdraw(club_session, member, by=actor_of(request), at=at)
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
