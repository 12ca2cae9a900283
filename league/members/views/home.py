"""Where one arrives: the first page, a club's page, and founding a club."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from league.access import PUBLIC, club_page, rank_of, reaches, signed_in
from league.members import actions, queries
from league.members.audit import actor_of
from league.members.forms.clubs import NewClubForm
from league.members.models import Club
from league.members.sign_up import (
    lists_new_clubs,
    may_sign_up,
    may_start_club,
    refuse_start_club,
)
from league.members.views.answers import attempt, form_page


@require_GET
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The clubs one may enter and what is on tonight; for visitors, what this is."""
    if not request.user.is_authenticated:
        context = {"clubs": queries.listed_clubs()[:50], "may_sign_up": may_sign_up(request)}
        return render(request, "members/landing.html", context)
    user, now = request.user, timezone.now()
    context = {
        "clubs": queries.clubs_of(user),
        "tonight": queries.sessions_tonight(user, at=now),
        "invitations": queries.invitations_of(user, at=now),
        "may_start_club": may_start_club(user),
    }
    return render(request, "members/home.html", context)


@require_GET
@club_page(PUBLIC)
def club(request: HttpRequest, club: Club) -> HttpResponse:
    """A club's first page: tonight, next and past sessions, and what to do next."""
    context = {"club": club, "sessions": queries.sessions_of(club), "here": "club"}
    context["player"] = queries.player_of(club, request.user)
    if reaches(rank_of(request), "organiser"):
        context["to_do"] = queries.first_steps(club)
    return render(request, "members/club.html", context)


@require_http_methods(["GET", "POST"])
@signed_in
def new_club(request: HttpRequest) -> HttpResponse:
    """Start a club: its name, address, time zone and the rules it begins with."""
    refuse_start_club(request.user)
    form, by = NewClubForm(request.POST or None), actor_of(request)
    listed = lists_new_clubs(request.user)
    made = attempt(form, lambda: actions.create_club(by=by, listed=listed, **form.order()))
    if made is not None:
        messages.success(request, _("%(club)s is ready. Who plays?") % {"club": made})
        return redirect("club", made.slug)
    return form_page(request, "members/new_club.html", {"form": form})
