"""Self check-in: the code to print, and the page behind it, where players tap or type a name."""

import secrets

import segno
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused, add_retry_after
from league.limits import Limit, network_of, refuse_over
from league.members.audit import Actor, actor_of, club_language
from league.members.languages import in_clubs_language
from league.members.models import Club, Member, distinct_names
from league.members.names import looks_like, name_key, sort_key
from league.network import address_for_phones
from league.sessions import actions, attendance
from league.sessions.guests import checked_name
from league.sessions.links import by_link, door_link, session_at_door
from league.sessions.models import Attendance, Session
from league.sessions.queries import door_names, present, session_of

# These limits protect the club's list of players from a flood of names: per phone, which may check
# in a busload, per address, which may be a whole hall, and per session, from any address.
PER_PHONE = Limit(most=100, within=600)
PER_ADDRESS = Limit(most=1200, within=600)
PER_DOOR = Limit(most=1500, within=600)
MOST_MEANT = 10
"""Players whom a name typed at the door may mean, at most."""
PHONE_COOKIE = "phone"
"""A cookie, for these pages only, that distinguishes the phones behind one address."""
_phone_signer = Signer(salt="league.sessions.phone")
PLAYER_COOKIE = "checked-in"
"""A cookie that lets a phone see the seat of the player it checked in last."""
ARRIVAL_COOKIE = "arrival"
"""A cookie that lets a phone undo the check-in it did last."""
_player_signer = Signer(salt="league.sessions.checked_in")


@require_GET
@club_page("organiser")
@in_clubs_language
def door_code(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The self check-in code, to print and hang at the door."""
    club_session = session_of(club, public_id)
    address = address_for_phones(request, door_link(club_session))
    qr = segno.make(address, error="m").svg_inline(scale=6, border=2, omitsize=True)
    context = {"club": club, "here": "sessions", "club_session": club_session}
    context |= {"qr": mark_safe(qr), "address": address}  # noqa: S308 - segno's own SVG
    return render(request, "sessions/door_code.html", context)


@require_POST
@club_page("organiser")
def door_revoke(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the self check-in code expire and show a new one."""
    actions.revoke_door(session_of(club, public_id), by=actor_of(request))
    return redirect("door_code", club.slug, public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@by_link(session_at_door, expired_page="sessions/door_shut.html")
def door(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The self check-in page, for anyone who scans or types the code."""
    if request.method == "POST":
        return _check_in(request, club_session)
    page = _door_page(request, club_session)
    if not _phone_id(request):
        value, path = _phone_signer.sign(secrets.token_urlsafe(12)), request.path
        secure = settings.SESSION_COOKIE_SECURE
        page.set_cookie(
            PHONE_COOKIE, value, path=path, secure=secure, httponly=True, samesite="Lax"
        )
    return page


def _check_in(request: HttpRequest, club_session: Session) -> HttpResponse:
    present_before = set(present(club_session))
    try:
        with transaction.atomic():  # a refused name is not counted
            _limit_new_names(request, club_session)
            attendance = _attendance_at_door(request, club_session)
    except Refused as refused:
        return _door_page(request, club_session, refused=refused)
    page = redirect("door_in", code_of(request))
    is_new = attendance.member not in present_before
    _remember(page, request, PLAYER_COOKIE, attendance.member.public_id)
    _remember(page, request, ARRIVAL_COOKIE, str(attendance.pk) if is_new else "")
    return page


def code_of(request: HttpRequest) -> str:
    """The self check-in code in the address of any of its pages."""
    return request.path.split("/")[2]


def _remember(page: HttpResponse, request: HttpRequest, cookie: str, value: str) -> None:
    page.set_cookie(
        cookie,
        _player_signer.sign(value),
        path=reverse("door", args=[code_of(request)]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def remembered_player(request: HttpRequest, club_session: Session) -> Member | None:
    """The player that this phone checked in last; None if there is none, or they have left."""
    public_id = _remembered(request, PLAYER_COOKIE)
    return present(club_session).filter(public_id=public_id).first()


def is_own_arrival(request: HttpRequest, club_session: Session, member: Member) -> bool:
    """Whether this phone checked in the player, who was not checked in before."""
    arrivals = club_session.attendances.filter(member=member, left_at=None)
    return _remembered(request, ARRIVAL_COOKIE) in map(str, arrivals.values_list("pk", flat=True))


def _remembered(request: HttpRequest, cookie: str) -> str:
    try:
        return _player_signer.unsign(request.COOKIES.get(cookie, ""))
    except BadSignature:
        return ""


def actor_at_door(request: HttpRequest, club_session: Session) -> Actor:
    """How the activity log names a person at the door."""
    source = str(request.META.get("REMOTE_ADDR") or "")
    with club_language(club_session.club):
        return Actor(_("the door"), source=source)


def _attendance_at_door(request: HttpRequest, club_session: Session) -> Attendance:
    by, now = actor_at_door(request, club_session), timezone.now()
    if request.POST.get("member"):
        member = door_names(club_session).filter(public_id=request.POST["member"]).first()
        if member is None:
            raise Refused("unknown-member", _("Type your name instead."), status=404)
        is_confirmed = "even_if_elsewhere" in request.POST
        return attendance.arrive(
            club_session, member, by=by, at=now, even_if_elsewhere=is_confirmed
        )
    name = request.POST.get("name", "")
    if not name.strip():
        message = _("Tap your name or type it.")
        raise Refused("name-empty", message, fields={"name": [message]})
    name = checked_name(name, field="name")
    is_confirmed_new = "even_if_similar" in request.POST
    if not is_confirmed_new:
        _ask_who_is_meant(club_session, name)
    try:
        attendances = attendance.arrive_names(
            club_session, [name], by=by, at=now, even_if_similar=is_confirmed_new
        )
    except Refused as refused:
        if refused.code == "similar-name":  # the similar name stays private
            refused.message = _like_a_hidden_name()
        raise
    return attendances[0]


def _like_a_hidden_name() -> str:
    return _(
        "The club already has a name like this. Type your full name, as the club's list has it."
    )


def _ask_who_is_meant(club_session: Session, name: str) -> None:
    """Ask if the name typed is not one player's whole name, but may mean players of the club.

    Only names that the door shows are compared in part; of the others, the first name.
    """
    club = club_session.club
    members = Member.objects.current().filter(club=club)
    if members.filter(name_key=name_key(name)).count() == 1:
        return
    shown_names = _names_at_door(club_session)
    similar = {*looks_like(name, shown_names.values())}
    meant = [
        (member.public_id, shown)
        for member, shown in shown_names.items()
        if shown in similar or _is_part(name, shown)
    ]
    if meant:
        message = _("Is this you?")
        raise Refused("which-player", message, status=409, details={"meant": meant[:MOST_MEANT]})
    first_names = {key.split()[0] for key in members.values_list("sort_key", flat=True) if key}
    if sort_key(name) in first_names:
        raise Refused("similar-name", _like_a_hidden_name(), status=409)


def _is_part(typed: str, name: str) -> bool:
    """Whether each word typed begins a word of the name."""
    typed_words, words = sort_key(typed).split(), sort_key(name).split()
    return bool(typed_words) and all(
        any(word.startswith(part) for word in words) for part in typed_words
    )


def _names_at_door(club_session: Session) -> dict[Member, str]:
    members = list(door_names(club_session))
    names = distinct_names(members, club_session.club, None)
    return {member: names[member.pk] for member in members}


def _door_page(
    request: HttpRequest, club_session: Session, *, refused: Refused | None = None
) -> HttpResponse:
    present_ids = set(present(club_session).values_list("pk", flat=True))
    shown_names = _names_at_door(club_session).items()
    names = [(m.public_id, name) for m, name in shown_names if m.pk not in present_ids]
    context = {"club": club_session.club, "club_session": club_session, "names": names}
    status = refused.status if refused else 200
    page = render(request, "sessions/door.html", {**context, "refused": refused}, status=status)
    return add_retry_after(page, refused) if refused else page


def _limit_new_names(request: HttpRequest, club_session: Session) -> None:
    """Limit how many names one phone, one address, or one session can add to the club's list.

    Tapping a listed name adds none. Phones without the cookie count as one phone per address.
    """
    if request.POST.get("member"):
        return
    door, phone = f"door:{club_session.pk}", _phone_id(request) or network_of(request)
    message = _("Too many names came from here. Ask the organiser to check you in.")
    refuse_over(f"{door}:phone:{phone}", PER_PHONE, message)
    refuse_over(f"{door}:{network_of(request)}", PER_ADDRESS, message)
    refuse_over(door, PER_DOOR, message)


def _phone_id(request: HttpRequest) -> str:
    try:
        return _phone_signer.unsign(request.COOKIES.get(PHONE_COOKIE, ""))
    except BadSignature:
        return ""
