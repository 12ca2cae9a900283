"""Who may do what in a club: roles, invitations, the club's link, API tokens."""

from typing import cast

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
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
from league.members.actions import roles as actions
from league.members.audit import actor_of
from league.members.forms.people import (
    InviteAccountForm,
    InviteForm,
    RankForm,
    TokenForm,
)
from league.members.models import Club, Invitation, Role, User
from league.members.sign_up import (
    CLUB_LINK_IN_SESSION,
    IN_SESSION,
    club_link,
    club_of_link,
    may_sign_up,
)


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
        **_link_of(request, club),
        "here": "settings",
    }
    return form_page(request, "members/roles.html", context)


@require_POST
@club_page("organiser")
def role_change(request: HttpRequest, club: Club, role_id: int) -> HttpResponse:
    """Give an account another role; where that is refused, the page says why."""
    role = get_object_or_404(club.roles.select_related("user"), pk=role_id)
    try:
        return _changed(request, club, role)
    except Refused as refused:
        messages.error(request, refused.message)
        page = _roles_page(request, club, InviteAccountForm(rank_of(request)))
        page.status_code = refused.status
        return page


def _changed(request: HttpRequest, club: Club, role: Role) -> HttpResponse:
    form = RankForm(rank_of(request), request.POST)
    if not form.is_valid():
        raise Refused("bad-rank", _("Choose a role you can assign."))
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
@club_page("organiser")
def role_remove(request: HttpRequest, club: Club, role_id: int) -> HttpResponse:
    """Take an account's role."""
    role = get_object_or_404(club.roles.select_related("user"), pk=role_id)
    actions.remove_role(role, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Removed %(user)s from the club.") % {"user": role.user})
    return redirect("home") if role.user == request.user else redirect("roles", club.slug)


@require_POST
@club_page("member")
def role_leave(request: HttpRequest, club: Club) -> HttpResponse:
    """Give up one's own role."""
    role = get_object_or_404(club.roles, user=request.user)
    actions.remove_role(role, by=actor_of(request), at=timezone.now())
    messages.success(request, _("You have left %(club)s.") % {"club": club})
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
        return invitation_made(request, *made, back=reverse("roles", args=[club.slug]))
    return form_page(request, "members/role_invite.html", context)


def invitation_made(
    request: HttpRequest, invitation: Invitation, token: str, *, back: str
) -> HttpResponse:
    """The link of a new invitation and its code, which are shown this once; `back` leads to where
    it was asked for."""
    link = address_of_site(request, reverse("invitation_link", args=[token]))
    context = {"club": invitation.club, "here": "settings", "back": back}
    context |= {"invitation": invitation, "link": link, "code": _qr(link)}
    return render(request, "members/invitation_made.html", context)


@require_POST
@club_page("organiser")
def invitation_withdraw(request: HttpRequest, club: Club, invitation_id: int) -> HttpResponse:
    """Make a link useless that has not been followed."""
    invitation = get_object_or_404(club.invitations, pk=invitation_id)
    actions.withdraw_invitation(invitation, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Withdrew the invitation."))
    return redirect("roles", club.slug)


@require_POST
@club_page("organiser")
def club_link_open(request: HttpRequest, club: Club) -> HttpResponse:
    """Make the club's own link: anyone who has it can join as a member."""
    actions.open_club_link(club, by=actor_of(request))
    messages.success(request, _("Created the club's link. Send it, or let people scan the code."))
    return redirect("roles", club.slug)


@require_POST
@club_page("organiser")
def club_link_replace(request: HttpRequest, club: Club) -> HttpResponse:
    """A new link; the old one has then expired."""
    actions.open_club_link(club, by=actor_of(request))
    messages.success(request, _("Replaced the club's link. The old one has expired."))
    return redirect("roles", club.slug)


@require_POST
@club_page("organiser")
def club_link_close(request: HttpRequest, club: Club) -> HttpResponse:
    """No link any more; members stay."""
    actions.close_club_link(club, by=actor_of(request))
    messages.success(request, _("Turned off the club's link. Members stay."))
    return redirect("roles", club.slug)


def _link_of(request: HttpRequest, club: Club) -> dict[str, str]:
    """The club's link and its code to scan, where it is on."""
    if not club.joins_by_link:
        return {}
    link = address_of_site(request, club_link(club))
    return {"link": link, "code": _qr(link)}


def _qr(link: str) -> str:
    return segno.make(link, error="m", micro=False).svg_data_uri(scale=5, border=4)


@require_GET
@never_cache
def club_link_followed(request: HttpRequest, code: str) -> HttpResponse:
    """Put the code away in the browser's session, so that it stands in no further address."""
    if club_of_link(code) is None:
        raise _gone()
    request.session[CLUB_LINK_IN_SESSION] = code
    return redirect("club_join")


@require_http_methods(["GET", "POST"])
@never_cache
def club_join(request: HttpRequest) -> HttpResponse:
    """The club one is invited to by its link; signed in, one button joins it."""
    club = club_of_link(request.session.get(CLUB_LINK_IN_SESSION, ""))
    if club is None:
        raise _gone()
    if request.method == "POST" and request.user.is_authenticated:
        del request.session[CLUB_LINK_IN_SESSION]
        actions.join_by_link(club, by=actor_of(request))
        messages.success(request, _("Welcome to %(club)s.") % {"club": club})
        return redirect("club", club.slug)
    context = {"joined": club, "may_sign_up": may_sign_up(request)}
    return render(request, "members/join.html", context)


WRONG_LINKS = Limit(most=30, within=600)
"""Links from one address that open nothing. Right ones always open: they are too long to guess."""


@require_GET
@never_cache
def invitation_link(request: HttpRequest, token: str) -> HttpResponse:
    """Put the secret away in the browser's session, so that it stands in no further address."""
    token_hash = actions.hash_token(token)
    if _found(request, token_hash) is None:  # nothing is stored for guesses but their number
        refuse_over(f"wrong-invitation:{network_of(request)}", WRONG_LINKS)
        raise _gone()
    request.session[IN_SESSION] = token_hash
    return redirect("invitation")


@require_http_methods(["GET", "POST"])
@never_cache
def invitation(request: HttpRequest) -> HttpResponse:
    """What one is invited to; signed in, one button accepts it."""
    open_one = _found(request, request.session.get(IN_SESSION, ""))
    if open_one is None:
        raise _gone()
    if request.method == "POST" and request.user.is_authenticated:
        del request.session[IN_SESSION]
        return _accepted(request, open_one)
    context = {"invitation": open_one, "may_sign_up": may_sign_up(request)}
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


def _accepted(request: HttpRequest, open_one: Invitation) -> HttpResponse:
    actions.accept_invitation(open_one.token_hash, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Welcome to %(club)s.") % {"club": open_one.club})
    return redirect("club", open_one.club.slug)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def tokens(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's tokens, and making one. Its secret is shown once, in answer to the form."""
    form, by = TokenForm(request.POST or None), actor_of(request)
    context = {"club": club, "form": form, "here": "settings"}
    made = attempt(
        form, lambda: actions.make_token(club, by=by, at=timezone.now(), **form.cleaned_data)
    )
    if made is not None:
        context["token"], context["secret"] = made
        return render(request, "members/token_made.html", context)
    context["tokens"] = queries.tokens_of(club)
    return form_page(request, "members/tokens.html", context)


@require_POST
@club_page("organiser")
def token_revoke(request: HttpRequest, club: Club, token_id: int) -> HttpResponse:
    """Make a token useless."""
    token = get_object_or_404(club.tokens, pk=token_id)
    actions.revoke_token(token, by=actor_of(request), at=timezone.now())
    messages.success(request, _("The token is revoked."))
    return redirect("tokens", club.slug)
