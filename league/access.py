"""Who may do what: one ladder of roles in each club, asked by every view in the same way."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from league.members.models import Club, Role

LADDER = (Role.Rank.MEMBER, Role.Rank.SCOREKEEPER, Role.Rank.ORGANISER, Role.Rank.OWNER)
PUBLIC = "public"


def rank_in(club: Club, user: Any) -> str | None:
    """The user's rank in this club; None for a stranger."""
    if not user.is_authenticated or not user.is_active:
        return None
    return Role.objects.filter(club=club, user=user).values_list("rank", flat=True).first()


def reaches(rank: str | None, least: str) -> bool:
    """Whether a rank is at least `least` on the ladder; `PUBLIC` is reached by everybody."""
    if least == PUBLIC:
        return True
    return rank is not None and LADDER.index(Role.Rank(rank)) >= LADDER.index(Role.Rank(least))


def club_page(least: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Give a view its `club` by slug, when the visitor reaches the rank `least` there.

    Sets `request.rank`. A stranger to the club gets the same 404 as for a club that does not
    exist; a visitor who is not signed in is asked to sign in; a member of too low a rank gets 403.
    With `PUBLIC` the page is open to all where the club shows itself in public, else to members.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            club = get_object_or_404(Club, slug=slug)
            rank = rank_in(club, request.user)
            if rank is None and not (least == PUBLIC and club.is_public):
                if not request.user.is_authenticated:
                    return redirect_to_login(request.get_full_path())
                raise Http404
            if not reaches(rank, least):
                return _forbidden(request, club)
            request.rank = rank  # type: ignore[attr-defined]
            return view(request, club, *args, **kwargs)

        guarded.least_rank = least  # type: ignore[attr-defined]
        return guarded

    return decorate


def _forbidden(request: HttpRequest, club: Club) -> HttpResponse:
    from django.shortcuts import render

    return render(request, "403.html", {"club": club}, status=403)
