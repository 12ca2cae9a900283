"""Pages of roles in a club, invitations, the club's link, and API tokens."""

from typing import Any, cast

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from league.access import club_page, rank_of, signed_in
from league.errors import Refused, attempt, form_page
from league.limits import Limit, network_of, refuse_over
from league.members import queries
from league.members.account_mail import address_of_site
from league.members.actions import add_linked_member, link_account
from league.members.actions import roles as actions
from league.members.audit import Actor, actor_of
from league.members.forms.people import (
    AddLinkedForm,
    InviteAccountForm,
    InviteForm,
    JoinForm,
    LinkPlayerForm,
    RankForm,
    TokenForm,
)
from league.members.models import Club, Invitation, Member, Role, User
from league.members.sign_up import (
    CLUB_LINK_KEY,
    INVITATION_KEY,
    club_link,
    club_of_link,
    may_sign_up,
)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def roles(request: HttpRequest, club: Club) -> HttpResponse:
    """The roles and open invitations of a club, and a form to invite an account by user name."""
    form = InviteAccountForm(rank_of(request), request.POST or None)
    by, now = actor_of(request), timezone.now()
    invited = attempt(
        form, lambda: actions.invite_account(club, by=by, at=now, **form.cleaned_data)
    )
    if invited is not None:
        _add_invited_message(request, form.cleaned_data["username"])
        return redirect("roles", club.slug)
    return _roles_page(request, club, form)


def _add_invited_message(request: HttpRequest, username: str) -> None:
    sentence = _("Invited %(user)s. They'll see it when they open Right Bower.")
    messages.success(request, sentence % {"user": username})


def _roles_page(request: HttpRequest, club: Club, form: InviteAccountForm) -> HttpResponse:
    context = {
        "club": club,
        "form": form,
        "roles": queries.roles_of(club),
        "invitations": queries.open_invitations(club, at=timezone.now()),
        "mine": actions.ranks_to_give(rank_of(request)),
        **_club_link_context(request, club),
        "here": "settings",
    }
    return form_page(request, "members/roles.html", context)


@require_POST
@club_page("organiser")
def role_change(request: HttpRequest, club: Club, role_id: int) -> HttpResponse:
    """Change an account's role, or show the page with the reason for a refusal."""
    role = get_object_or_404(club.roles.select_related("user"), pk=role_id)
    try:
        return _change_role(request, club, role)
    except Refused as refused:
        messages.error(request, refused.message)
        page = _roles_page(request, club, InviteAccountForm(rank_of(request)))
        page.status_code = refused.status
        return page


NOW_HAS = {
    Role.Rank.MEMBER: gettext_lazy("%(name)s is now a member."),
    Role.Rank.SCOREKEEPER: gettext_lazy("%(name)s is now a scorekeeper."),
    Role.Rank.ORGANISER: gettext_lazy("%(name)s is now an organiser."),
    Role.Rank.OWNER: gettext_lazy("%(name)s is now an owner."),
}


def _change_role(request: HttpRequest, club: Club, role: Role) -> HttpResponse:
    form = RankForm(rank_of(request), request.POST)
    if not form.is_valid():
        raise Refused("bad-rank", _("Choose a role you can assign."))
    rank, by, now = form.cleaned_data["rank"], actor_of(request), timezone.now()
    if rank == Role.Rank.OWNER != role.rank:
        name = role.user.username
        actions.invite_account(club, username=name, rank=rank, by=by, at=now)
        _add_invited_message(request, name)
        return redirect("roles", club.slug)
    actions.change_role(role, rank=rank, by=by, at=now)
    messages.success(request, NOW_HAS[rank] % {"name": role.user})
    return redirect("home") if role.user == request.user else redirect("roles", club.slug)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def role_link(request: HttpRequest, club: Club, role_id: int) -> HttpResponse:
    """Link an account that has joined to its player: one on the list, or a new one."""
    user = get_object_or_404(club.roles.select_related("user"), pk=role_id).user
    if user.players.filter(club=club).exists():
        return redirect("roles", club.slug)
    adds = "name" in request.POST
    new = AddLinkedForm(request.POST if adds else None, initial={"name": user.display_name})
    listed = LinkPlayerForm(club, None if adds else request.POST or None)
    form = new if adds else listed
    linked = attempt(form, lambda: _link(club, user, form.cleaned_data, actor_of(request)))
    if linked is not None:
        sentence = _("%(user)s now plays as %(name)s.")
        messages.success(request, sentence % {"user": user, "name": linked})
        return redirect("roles", club.slug)
    context = {"club": club, "here": "settings", "account": user, "form": form}
    context |= {"listed": listed, "new": new}
    context["likely"] = queries.likely_players(user, listed.players)
    return form_page(request, "members/role_link.html", context)


def _link(club: Club, user: User, data: dict[str, Any], by: Actor) -> Member:
    if member := data.get("member"):
        return link_account(member, username=user.username, by=by)
    return add_linked_member(club, user=user, by=by, **data)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def role_remove(request: HttpRequest, club: Club, role_id: int) -> HttpResponse:
    """Remove an account's role, after a question."""
    role = get_object_or_404(club.roles.select_related("user"), pk=role_id)
    if request.method == "GET":
        context = {"club": club, "here": "settings", "account": role.user}
        return render(request, "members/role_remove.html", context)
    actions.remove_role(role, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Removed %(user)s from the club.") % {"user": role.user})
    return redirect("home") if role.user == request.user else redirect("roles", club.slug)


@require_http_methods(["GET", "POST"])
@club_page("member")
def role_leave(request: HttpRequest, club: Club) -> HttpResponse:
    """Remove the user's own role, after a question."""
    role = get_object_or_404(club.roles, user=request.user)
    if request.method == "GET":
        context = {"club": club, "notes": actions.notes_on_leaving(club, role.user)}
        return render(request, "members/role_remove.html", context)
    actions.remove_role(role, by=actor_of(request), at=timezone.now())
    messages.success(request, _("You have left %(club)s.") % {"club": club})
    return redirect("home")


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def role_invite(request: HttpRequest, club: Club) -> HttpResponse:
    """Make an invitation. Its link and code are shown only once, in the response."""
    initial = {"member": request.GET.get("member")}
    form = InviteForm(club, rank_of(request), request.POST or None, initial=initial)
    context = {"club": club, "form": form, "here": "settings", "days": actions.DAYS_VALID}
    by, now = actor_of(request), timezone.now()
    created = attempt(form, lambda: actions.invite(club, by=by, at=now, **form.cleaned_data))
    if created is not None:
        return invitation_made(request, *created, back=reverse("roles", args=[club.slug]))
    return form_page(request, "members/role_invite.html", context)


def invitation_made(
    request: HttpRequest, invitation: Invitation, token: str, *, back: str
) -> HttpResponse:
    """Show the link and code of a new invitation, which can't be shown again.

    `back` is the address of the page to return to.
    """
    link = address_of_site(request, reverse("invitation_link", args=[token]))
    context = {"club": invitation.club, "here": "settings", "back": back}
    context |= {"invitation": invitation, "link": link, "code": _qr_code(link)}
    return render(request, "members/invitation_made.html", context)


@require_POST
@club_page("organiser")
def invitation_withdraw(request: HttpRequest, club: Club, invitation_id: int) -> HttpResponse:
    """Withdraw an invitation that has not been accepted."""
    invitation = get_object_or_404(club.invitations, pk=invitation_id)
    actions.withdraw_invitation(invitation, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Withdrew the invitation."))
    return redirect("roles", club.slug)


@require_POST
@club_page("organiser")
def club_link_open(request: HttpRequest, club: Club) -> HttpResponse:
    """Create the club's link: anyone who has it can join as a member."""
    actions.open_club_link(club, by=actor_of(request))
    messages.success(request, _("Created the club's link. Send it, or let people scan the code."))
    return redirect("roles", club.slug)


@require_POST
@club_page("organiser")
def club_link_replace(request: HttpRequest, club: Club) -> HttpResponse:
    """Replace the club's link; the old one expires."""
    actions.open_club_link(club, by=actor_of(request))
    messages.success(request, _("Replaced the club's link. The old one has expired."))
    return redirect("roles", club.slug)


@require_POST
@club_page("organiser")
def club_link_close(request: HttpRequest, club: Club) -> HttpResponse:
    """Turn off the club's link; members stay."""
    actions.close_club_link(club, by=actor_of(request))
    messages.success(request, _("Turned off the club's link. Members stay."))
    return redirect("roles", club.slug)


def _club_link_context(request: HttpRequest, club: Club) -> dict[str, str]:
    """The club's link with its QR code, if it is on."""
    if not club.joins_by_link:
        return {}
    link = address_of_site(request, club_link(club))
    return {"link": link, "code": _qr_code(link)}


def _qr_code(link: str) -> str:
    return segno.make(link, error="m", micro=False).svg_data_uri(scale=5, border=4)


@require_GET
@never_cache
def club_link_followed(request: HttpRequest, code: str) -> HttpResponse:
    """Move the code from the address to the browser's session."""
    if club_of_link(code) is None:
        raise _invitation_gone()
    request.session[CLUB_LINK_KEY] = code
    return redirect("club_join")


@require_http_methods(["GET", "POST"])
@never_cache
def club_join(request: HttpRequest) -> HttpResponse:
    """The club of a link, with a button to join it for signed-in users."""
    club = club_of_link(request.session.get(CLUB_LINK_KEY, ""))
    if club is None:
        raise _invitation_gone()
    initial = {"display_name": getattr(request.user, "display_name", "")}
    is_sent = request.method == "POST" and request.user.is_authenticated
    form, by = JoinForm(request.POST if is_sent else None, initial=initial), actor_of(request)
    if attempt(form, lambda: actions.join_by_link(club, by=by, **form.arguments)) is not None:
        del request.session[CLUB_LINK_KEY]
        messages.success(request, _("Welcome to %(club)s.") % {"club": club})
        return redirect("club", club.slug)
    context = {"joined": club, "may_sign_up": may_sign_up(request), "form": form}
    return form_page(request, "members/join.html", context)


WRONG_LINKS = Limit(most=30, within=600)
"""Forged or expired links, per address. Valid ones always work: they are too long to guess."""


@require_GET
@never_cache
def invitation_link(request: HttpRequest, token: str) -> HttpResponse:
    """Move the secret from the address to the browser's session."""
    token_hash = actions.hash_token(token)
    if _find_invitation(request, token_hash) is None:  # of guesses, only the number is stored
        refuse_over(f"wrong-invitation:{network_of(request)}", WRONG_LINKS)
        raise _invitation_gone()
    request.session[INVITATION_KEY] = token_hash
    return redirect("invitation")


@require_http_methods(["GET", "POST"])
@never_cache
def invitation(request: HttpRequest) -> HttpResponse:
    """An invitation, with a button to accept it for signed-in users."""
    open_invitation = _find_invitation(request, request.session.get(INVITATION_KEY, ""))
    if open_invitation is None:
        raise _invitation_gone()
    if request.method == "POST" and request.user.is_authenticated:
        del request.session[INVITATION_KEY]
        return _accept(request, open_invitation)
    context = {"invitation": open_invitation, "may_sign_up": may_sign_up(request)}
    context["notes"] = actions.notes_on_joining(open_invitation.member)
    return render(request, "members/invitation.html", context)


@require_POST
@signed_in
def invitation_accept(request: HttpRequest, invitation_id: int) -> HttpResponse:
    return _accept(request, _own_invitation(request, invitation_id))


@require_POST
@signed_in
def invitation_decline(request: HttpRequest, invitation_id: int) -> HttpResponse:
    declined = _own_invitation(request, invitation_id)
    actions.decline_invitation(declined, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Declined the invitation to %(club)s.") % {"club": declined.club})
    return redirect("home")


def _invitation_gone() -> Refused:
    """The same refusal for a link that was used, replaced or never existed."""
    sentence = _("This invitation has been used, withdrawn, or has expired.")
    advice = _("Ask the person who sent it for a new one.")
    return Refused("invitation-gone", f"{sentence} {advice}", status=404)


def _find_invitation(request: HttpRequest, token_hash: str) -> Invitation | None:
    user = request.user if request.user.is_authenticated else None
    return actions.open_invitation(token_hash, at=timezone.now(), user=user)


def _own_invitation(request: HttpRequest, invitation_id: int) -> Invitation:
    invitations = queries.invitations_of(cast(User, request.user), at=timezone.now())
    return get_object_or_404(invitations, pk=invitation_id)


def _accept(request: HttpRequest, accepted: Invitation) -> HttpResponse:
    actions.accept_invitation(accepted.token_hash, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Welcome to %(club)s.") % {"club": accepted.club})
    for note in actions.notes_on_joining(accepted.member):
        messages.info(request, note)
    return redirect("club", accepted.club.slug)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def tokens(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's tokens, and a form to make one. Its secret is shown only in the response."""
    form, by = TokenForm(request.POST or None), actor_of(request)
    context = {"club": club, "form": form, "here": "settings"}
    created = attempt(
        form, lambda: actions.make_token(club, by=by, at=timezone.now(), **form.cleaned_data)
    )
    if created is not None:
        context["token"], context["secret"] = created
        return render(request, "members/token_made.html", context)
    context["tokens"] = queries.tokens_of(club)
    return form_page(request, "members/tokens.html", context)


@require_POST
@club_page("organiser")
def token_revoke(request: HttpRequest, club: Club, token_id: int) -> HttpResponse:
    """Revoke a token."""
    token = get_object_or_404(club.tokens, pk=token_id)
    actions.revoke_token(token, by=actor_of(request), at=timezone.now())
    messages.success(request, _("The token is revoked."))
    return redirect("tokens", club.slug)
