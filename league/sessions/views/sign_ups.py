"""Signing up for coming sessions, and where an address's owner says whether mail may come."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.actions import edit_member
from league.members.audit import Actor, actor_of, club_language
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.sessions import actions
from league.sessions.actions.sign_ups import agree_to_mail, stop_mail
from league.sessions.mail import address_of, mail_is_set, member_of_consent
from league.sessions.models import Session
from league.sessions.queries import coming, may_sign_up, session_of, sign_ups_of
from league.sessions.reminders import with_address
from league.sessions.views.door import by_link


@require_safe
@club_page("member")
def coming_sessions(request: HttpRequest, club: Club) -> HttpResponse:
    """One's own page: the coming sessions, each with its button, and the wish to be reminded."""
    player = player_of(club, request.user)
    nights = coming(club, at=timezone.now(), player=player)
    context = {"club": club, "here": "sessions", "player": player, "nights": nights}
    context |= {"choices": Member.Reminders.choices, "sends_mail": mail_is_set()}
    if player:
        (found,) = with_address(Member.objects.filter(pk=player.pk))
        context["address"] = address_of(found)
    return render(request, "sessions/coming.html", context)


@require_safe
@club_page("member")
def sign_ups(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Who is signed up for a session and who waits, with one's own button."""
    club_session = session_of(club, public_id)
    player = player_of(club, request.user)
    listed = sign_ups_of(club_session, at=timezone.now(), player=player)
    context = {"club": club, "here": "sessions", "club_session": club_session, "night": listed}
    if reaches(request.rank, Role.Rank.ORGANISER) and listed.is_open:
        context |= {"organiser": True, "others": may_sign_up(club_session)}
    return render(request, "sessions/sign_ups.html", context)


@require_POST
@club_page("member")
def sign_up(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Sign oneself up."""
    _sign_up(request, session_of(club, public_id), _own_player(request, club))
    return _back(request, club, public_id)


@require_POST
@club_page("member")
def sign_up_withdraw(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Withdraw oneself."""
    _withdraw(request, session_of(club, public_id), _own_player(request, club))
    return _back(request, club, public_id)


@require_POST
@club_page("organiser")
def sign_up_others(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Sign somebody else up."""
    _sign_up(request, session_of(club, public_id), _named(request, club))
    return redirect("sign_ups", club.slug, public_id)


@require_POST
@club_page("organiser")
def withdraw_others(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Withdraw somebody else."""
    _withdraw(request, session_of(club, public_id), _named(request, club))
    return redirect("sign_ups", club.slug, public_id)


def _own_player(request: HttpRequest, club: Club) -> Member:
    player = player_of(club, request.user)
    if player is None:
        message = _("Ask an organiser to say which player your account is.")
        raise Refused("no-player", message, status=409)
    return player


def _named(request: HttpRequest, club: Club) -> Member:
    public_id = request.POST.get("member", "").replace("\0", "")
    return get_object_or_404(Member, club=club, public_id=public_id)


def _back(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    if request.POST.get("back") == "coming":
        return redirect("coming", club.slug)
    return redirect("session", club.slug, public_id)


def _sign_up(request: HttpRequest, club_session: Session, member: Member) -> None:
    row = actions.sign_up(club_session, member, by=actor_of(request), at=timezone.now())
    name = {"name": member.name}
    if row.placed_at:
        messages.success(request, _("%(name)s is signed up.") % name)
    else:
        messages.warning(
            request, _("All places are taken: %(name)s is on the waiting list.") % name
        )


def _withdraw(request: HttpRequest, club_session: Session, member: Member) -> None:
    moved = actions.withdraw(club_session, member, by=actor_of(request), at=timezone.now())
    messages.success(request, _("%(name)s is no longer signed up.") % {"name": member.name})
    for row in moved:
        named = {"name": row.member.name}
        messages.info(request, _("%(name)s got a place from the waiting list.") % named)


@require_POST
@club_page("member")
def reminders(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose whether to be reminded by mail."""
    player = player_of(club, request.user)
    field = forms.ChoiceField(choices=Member.Reminders.choices)
    try:
        wish = field.clean(request.POST.get("reminders"))
    except forms.ValidationError as error:
        message = _("Choose one of the three.")
        raise Refused("bad-reminders", message, fields={"reminders": [message]}) from error
    if player:
        edit_member(player, by=actor_of(request), reminders=wish)
        messages.success(request, _("Saved."))
    return redirect("coming", club.slug)


SHUT = "sessions/mail_shut.html"


@require_safe
@by_link(member_of_consent, shut=SHUT)
def mail_choice(request: HttpRequest, member: Member) -> HttpResponse:
    """What the club may do now, and the buttons to agree and to stop."""
    agreed = bool(address_of(member)) and member.reminders != Member.Reminders.NEVER
    context = {"member": member, "agreed": agreed, "code": _code(request)}
    return render(request, "sessions/mail_choice.html", context)


@require_POST
@by_link(member_of_consent, shut=SHUT)
def mail_agree(request: HttpRequest, member: Member) -> HttpResponse:
    email = member.link_email  # type: ignore[attr-defined]
    agree_to_mail(member, email=email, by=_by_mail(request, member.club))
    messages.success(request, _("Saved. You'll get mail about this club's sessions."))
    return redirect("mail_choice", _code(request))


@require_POST
@by_link(member_of_consent, shut=SHUT)
def mail_stop(request: HttpRequest, member: Member) -> HttpResponse:
    stop_mail(member, by=_by_mail(request, member.club))
    messages.success(request, _("Saved. This club sends you no more mail."))
    return redirect("mail_choice", _code(request))


def _by_mail(request: HttpRequest, club: Club) -> Actor:
    with club_language(club):
        return actor_of(request, _("link in a mail"))


def _code(request: HttpRequest) -> str:
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["code"])
