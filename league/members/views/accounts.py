"""One's own account with a copy of what the site keeps, and the tokens of the API."""

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from league.access import TYPED, ClubRequest, club_page, signed_in
from league.members import actions, queries
from league.members.actions.accounts import make_token, revoke_token
from league.members.actions.people import choose_appearance
from league.members.audit import actor_of
from league.members.forms.people import AccountForm, AppearanceForm, TokenForm
from league.members.languages import in_language, keep_choice
from league.members.models import Club, Member, User
from league.members.public import public_name
from league.members.sign_in import wrong_passwords
from league.members.views.answers import attempt, form_page


@require_http_methods(["GET", "POST"])
@signed_in
def you(request: HttpRequest) -> HttpResponse:
    """The name shown to others, one's clubs, and the way to e-mail, password and second step."""
    user = cast(User, request.user)
    initial = {"display_name": user.display_name, "language": user.language}
    form = AccountForm(request.POST or None, initial=initial)
    if attempt(form, lambda: actions.change_account(user, **form.chosen)) is not None:
        with in_language(user.language, get_language() or ""):
            messages.success(request, _("Saved."))
        response = redirect("you")
        keep_choice(response, user)
        return response
    context = {"form": form, "clubs": queries.clubs_of(user), "players": queries.players_of(user)}
    context |= {"here": "account", "wrong_passwords": wrong_passwords(user)}
    return form_page(request, "members/you.html", context)


@require_http_methods(["GET", "POST"])
@club_page("member")
def my_appearance(request: ClubRequest, club: Club) -> HttpResponse:
    """How the public reads one's own name in this club; 404 for who is none of its players."""
    member = queries.player_of(club, request.user)
    if member is None:
        raise Http404
    form = AppearanceForm(request.POST or None, initial={"shown": member.shown})

    def choose() -> Member:
        return choose_appearance(member, form.cleaned_data["shown"], by=actor_of(request))

    if attempt(form, choose) is not None:
        messages.success(request, _("Saved."))
        return redirect("my_appearance", club.slug)
    context = {"club": club, "form": form, "public_name": public_name(member, club, None)}
    context |= {"usual": Club.Names(club.names_in_public).label}
    return form_page(request, "members/appearance.html", context)


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def tokens(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's tokens, and making one. Its secret is shown once, in answer to the form."""
    form, by = TokenForm(request.POST or None), actor_of(request)
    context = {"club": club, "form": form, "here": "settings"}
    made = attempt(form, lambda: make_token(club, by=by, at=timezone.now(), **form.cleaned_data))
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
    revoke_token(token, by=actor_of(request), at=timezone.now())
    messages.success(request, _("The token is revoked."))
    return redirect("tokens", club.slug)


@require_safe
@signed_in
def typed_again(request: HttpRequest) -> HttpResponse:
    """What was typed into a form when the sign-in had expired, to be sent again or let go."""
    typed = request.session.pop(TYPED, None)
    if typed is None:
        return redirect("home")
    shown = [text for name, text in typed["fields"] if text.strip() and not name.endswith("_id")]
    return render(request, "members/typed_again.html", {"typed": typed, "shown": shown})
