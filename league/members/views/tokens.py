"""The page of the tokens by which programs ask the API."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page
from league.members import queries
from league.members.actions import tokens as actions
from league.members.audit import actor_of
from league.members.forms.tokens import TokenForm
from league.members.models import Club
from league.members.views.answers import attempt, form_page


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
