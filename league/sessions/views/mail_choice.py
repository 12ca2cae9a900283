"""Where whoever owns an address says whether a club may send mail there."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.members.audit import actor_of
from league.members.models import Member
from league.sessions.actions.mail_choice import agree_to_mail, stop_mail
from league.sessions.mail_consent import address_of, member_of_consent
from league.sessions.views.by_link import by_link

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
    agree_to_mail(member, email=email, by=actor_of(request, _("link in a mail")))
    messages.success(request, _("Saved. You'll get mail about this club's sessions."))
    return redirect("mail_choice", _code(request))


@require_POST
@by_link(member_of_consent, shut=SHUT)
def mail_stop(request: HttpRequest, member: Member) -> HttpResponse:
    stop_mail(member, by=actor_of(request, _("link in a mail")))
    messages.success(request, _("Saved. This club sends you no more mail."))
    return redirect("mail_choice", _code(request))


def _code(request: HttpRequest) -> str:
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["code"])
