"""Following an invitation: what one is invited to, accepting it, turning it down."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import signed_in
from league.errors import Refused
from league.limits import Limit, network_of, refuse_over
from league.members import queries
from league.members.actions import invitations as actions
from league.members.audit import actor_of
from league.members.models import Invitation, User
from league.members.sign_up import IN_SESSION, may_sign_up

WRONG_LINKS = Limit(most=30, within=600)
"""Links from one address that open nothing. Right ones always open: they are too long to guess."""


@require_GET
@never_cache
def invitation_link(request: HttpRequest, token: str) -> HttpResponse:
    """Put the secret away in the browser's session, so that it stands in no further address."""
    token_hash = actions.hash_of(token)
    if _found(request, token_hash) is None:  # nothing is stored for guesses but their number
        refuse_over(f"wrong-invitation:{network_of(request)}", WRONG_LINKS)
        raise _gone()
    request.session[IN_SESSION] = token_hash
    return redirect("invitation")


@require_http_methods(["GET", "POST"])
@never_cache
def invitation(request: HttpRequest) -> HttpResponse:
    """What one is invited to; signed in, one button accepts it."""
    found = _found(request, request.session.get(IN_SESSION, ""))
    if found is None:
        raise _gone()
    if request.method == "POST" and request.user.is_authenticated:
        del request.session[IN_SESSION]
        return _accepted(request, found)
    context = {"invitation": found, "may_sign_up": may_sign_up(request)}
    return render(request, "members/invitation.html", context)


@require_POST
@signed_in
def invitation_accept(request: HttpRequest, invitation_id: int) -> HttpResponse:
    return _accepted(request, _mine(request, invitation_id))


@require_POST
@signed_in
def invitation_decline(request: HttpRequest, invitation_id: int) -> HttpResponse:
    mine = _mine(request, invitation_id)
    actions.decline_invitation(mine, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Declined the invitation to %(club)s.") % {"club": mine.club})
    return redirect("home")


def _gone() -> Refused:
    """The same for a link that was used, replaced, or never made."""
    sentence = _("This invitation has been used, withdrawn, or has expired.")
    again = _("Ask the person who sent it for a new one.")
    return Refused("invitation-gone", f"{sentence} {again}", status=404)


def _found(request: HttpRequest, token_hash: str) -> Invitation | None:
    user = request.user if request.user.is_authenticated else None
    return actions.open_invitation(token_hash, at=timezone.now(), user=user)


def _mine(request: HttpRequest, invitation_id: int) -> Invitation:
    mine = queries.invitations_of(cast(User, request.user), at=timezone.now())
    return get_object_or_404(mine, pk=invitation_id)


def _accepted(request: HttpRequest, found: Invitation) -> HttpResponse:
    actions.accept_invitation(found.token_hash, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Welcome to %(club)s.") % {"club": found.club})
    return redirect("club", found.club.slug)
