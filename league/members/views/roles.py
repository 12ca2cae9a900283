"""Pages about who may do what: roles, invitations, and following one."""

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import club_page, rank_of
from league.errors import Refused
from league.members import queries
from league.members.actions import roles as actions
from league.members.audit import actor_of
from league.members.forms.roles import GiveRoleForm, InviteForm, RankForm
from league.members.models import Club
from league.members.views.answers import attempt, form_page

IN_SESSION = "invitation"


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def roles(request: HttpRequest, club: Club) -> HttpResponse:
    """Who has a role, who is invited, and giving a role to an account by its user name."""
    form, by = GiveRoleForm(rank_of(request), request.POST or None), actor_of(request)
    if attempt(form, lambda: actions.give_role(club, by=by, **form.cleaned_data)) is not None:
        messages.success(request, _("Saved."))
        return redirect("roles", club.slug)
    return _roles_page(request, club, form)


def _roles_page(request: HttpRequest, club: Club, form: GiveRoleForm) -> HttpResponse:
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
        raise Refused("bad_rank", _("Choose a rank you may give."))
    rank = form.cleaned_data["rank"]
    actions.change_role(role, rank=rank, by=actor_of(request), at=timezone.now())
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
        link = request.build_absolute_uri(reverse("invitation_link", args=[token]))
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


@require_GET
@never_cache
def invitation_link(request: HttpRequest, token: str) -> HttpResponse:
    """Put the secret away in the browser's session, so that it stands in no further address."""
    request.session[IN_SESSION] = actions.hash_of(token)
    return redirect("invitation")


@require_http_methods(["GET", "POST"])
@never_cache
def invitation(request: HttpRequest) -> HttpResponse:
    """What one is invited to; signed in, one button takes it."""
    token_hash, now = request.session.get(IN_SESSION, ""), timezone.now()
    found = actions.open_invitation(token_hash, at=now)
    if found is None:
        raise Http404
    if request.method == "POST" and request.user.is_authenticated:
        actions.accept_invitation(token_hash, by=actor_of(request), at=now)
        del request.session[IN_SESSION]
        messages.success(request, _("Welcome to %(club)s.") % {"club": found.club})
        return redirect("club", found.club.slug)
    return render(request, "members/invitation.html", {"invitation": found})
