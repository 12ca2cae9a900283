"""Who may do what in a club: roles, giving invitations and following them."""

from typing import cast

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import club_page, rank_of, signed_in
from league.errors import Refused
from league.limits import Limit, network_of, refuse_over
from league.members import queries
from league.members.account_mail import address_of_site
from league.members.actions import roles as actions
from league.members.audit import actor_of
from league.members.forms.people import InviteAccountForm, InviteForm, RankForm
from league.members.models import Club, Invitation, Role, User
from league.members.sign_up import IN_SESSION, may_sign_up
from league.members.views.answers import attempt, form_page


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def roles(request: HttpRequest, club: Club) -> HttpResponse:
    """Who has a role, who is invited, and inviting an account by its user name."""
    form = InviteAccountForm(rank_of(request), request.POST or None)
    who, when = actor_of(request), timezone.now()
    invited = attempt(
        form, lambda: actions.invite_account(club, by=who, at=when, **form.cleaned_data)
    )
    if invited is not None:
        _say_invited(request, form.cleaned_data["username"])
        return redirect("roles", club.slug)
    return _roles_page(request, club, form)


def _say_invited(request: HttpRequest, username: str) -> None:
    sentence = _("Invited %(user)s. They'll see it when they open Right Bower.")
    messages.success(request, sentence % {"user": username})


def _roles_page(request: HttpRequest, club: Club, form: InviteAccountForm) -> HttpResponse:
    context = {
        "club": club,
        "form": form,
        "roles": queries.roles_of(club),
        "invitations": queries.open_invitations(club, at=timezone.now()),
        "mine": actions.ranks_to_give(rank_of(request)),
        "here": "settings",
    }
    return form_page(request, "members/roles.html", context)


@require_POST
@club_page("organiser")
def role_change(request: HttpRequest, club: Club, role_id: int) -> HttpResponse:
    """Give an account another rank, or (`remove`) none."""
    role = get_object_or_404(club.roles.select_related("user"), pk=role_id)
    if "remove" in request.POST:
        actions.remove_role(role, by=actor_of(request), at=timezone.now())
        messages.success(request, _("%(user)s has no role here any more.") % {"user": role.user})
        return redirect("home") if role.user == request.user else redirect("roles", club.slug)
    form = RankForm(rank_of(request), request.POST)
    if not form.is_valid():
        raise Refused("bad-rank", _("Choose a rank you may give."))
    rank, by, now = form.cleaned_data["rank"], actor_of(request), timezone.now()
    if rank == Role.Rank.OWNER != role.rank:
        name = role.user.username
        actions.invite_account(club, username=name, rank=rank, by=by, at=now)
        _say_invited(request, name)
        return redirect("roles", club.slug)
    actions.change_role(role, rank=rank, by=by, at=now)
    messages.success(request, _("Saved."))
    return redirect("home") if role.user == request.user else redirect("roles", club.slug)


@require_POST
@club_page("member")
def role_leave(request: HttpRequest, club: Club) -> HttpResponse:
    """Give up one's own role."""
    role = get_object_or_404(club.roles, user=request.user)
    actions.remove_role(role, by=actor_of(request), at=timezone.now())
    messages.success(request, _("You have no role in %(club)s any more.") % {"club": club})
    return redirect("home")


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def role_invite(request: HttpRequest, club: Club) -> HttpResponse:
    """Make an invitation. Its link and code are shown once, in answer to the form."""
    asked_for = {"member": request.GET.get("member")}
    form = InviteForm(club, rank_of(request), request.POST or None, initial=asked_for)
    context = {"club": club, "form": form, "here": "settings", "days": actions.DAYS_VALID}
    by, now = actor_of(request), timezone.now()
    made = attempt(form, lambda: actions.invite(club, by=by, at=now, **form.cleaned_data))
    if made is not None:
        invitation, token = made
        link = address_of_site(request, reverse("invitation_link", args=[token]))
        code = segno.make(link, error="m", micro=False).svg_data_uri(scale=5, border=4)
        context |= {"invitation": invitation, "link": link, "code": code}
        return render(request, "members/invitation_made.html", context)
    return form_page(request, "members/role_invite.html", context)


@require_POST
@club_page("organiser")
def invitation_withdraw(request: HttpRequest, club: Club, invitation_id: int) -> HttpResponse:
    """Make a link useless that has not been followed."""
    invitation = get_object_or_404(club.invitations, pk=invitation_id)
    actions.withdraw_invitation(invitation, by=actor_of(request), at=timezone.now())
    messages.success(request, _("The invitation is withdrawn."))
    return redirect("roles", club.slug)


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
