"""The site's first page and a club's: what is on, what comes next, and what to do."""

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from league.access import PUBLIC, club_page, rank_of, reaches
from league.members import queries
from league.members.models import Club
from league.members.sign_up import may_sign_up, may_start_club
from league.sessions.queries import latest_sessions, on_tonight


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
        "tonight": on_tonight(user, at=now),
        "invitations": queries.invitations_of(user, at=now),
        "may_start_club": may_start_club(user),
    }
    return render(request, "members/home.html", context)


@require_GET
@club_page(PUBLIC)
def club(request: HttpRequest, club: Club) -> HttpResponse:
    """A club's first page: tonight, next and past sessions, and what to do next."""
    context = {"club": club, "sessions": latest_sessions(club), "here": "club"}
    context["player"] = queries.player_of(club, request.user)
    if reaches(rank_of(request), "organiser"):
        context["to_do"] = _first_steps(club)
    return render(request, "members/club.html", context)


def _first_steps(club: Club) -> dict[str, int]:
    """What a new club still lacks: people, sessions, rulesets. One query."""
    counted = Club.objects.filter(pk=club.pk).aggregate(
        people=Count("members", distinct=True),
        sessions=Count("sessions", distinct=True),
        rulesets=Count("rulesets", filter=Q(rulesets__is_default=True), distinct=True),
    )
    return {name: int(number) for name, number in counted.items()}
