"""Pages about who may do what in a club: roles, and invitations to them."""

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page, rank_of
from league.errors import Refused
from league.members import queries
from league.members.account_mail import address_of_site
from league.members.actions import invitations
from league.members.actions import roles as actions
from league.members.audit import actor_of
from league.members.forms.roles import InviteAccountForm, InviteForm, RankForm
from league.members.models import Club, Role
from league.members.views.answers import attempt, form_page


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def roles(request: HttpRequest, club: Club) -> HttpResponse:
    """Who has a role, who is invited, and inviting an account by its user name."""
    form, by = InviteAccountForm(rank_of(request), request.POST or None), actor_of(request)
    now = timezone.now()
    invited = attempt(
        form, lambda: invitations.invite_account(club, by=by, at=now, **form.cleaned_data)
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
        invitations.invite_account(club, username=name, rank=rank, by=by, at=now)
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
    context = {"club": club, "form": form, "here": "settings", "days": invitations.DAYS_VALID}
    by, now = actor_of(request), timezone.now()
    made = attempt(form, lambda: invitations.invite(club, by=by, at=now, **form.cleaned_data))
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
    invitations.withdraw_invitation(invitation, by=actor_of(request), at=timezone.now())
    messages.success(request, _("The invitation is withdrawn."))
    return redirect("roles", club.slug)
