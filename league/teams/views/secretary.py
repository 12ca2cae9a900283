"""Who runs a league: the club's organisers, and the secretary it has been given."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.models import Club, Role
from league.teams.models import TeamLeague
from league.teams.queries import league_of


def runs(request: HttpRequest, league: TeamLeague) -> bool:
    """Whether who is looking may do everything in this league."""
    if reaches(getattr(request, "rank", None), Role.Rank.ORGANISER):
        return True
    secretary = league.secretary
    return bool(
        getattr(request, "rank", None)
        and secretary
        and secretary.user_id is not None
        and secretary.user_id == request.user.pk
    )


def secretary_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of a league for the club's organisers and for the league's own secretary; other
    members are refused with 403."""

    @club_page("member")
    @wraps(view)
    def guarded(request: ClubRequest, club: Club, public_id: str, **about: Any) -> HttpResponse:
        if not reaches(request.rank, Role.Rank.ORGANISER) and not runs(
            request, league_of(club, public_id)
        ):
            message = _("Only an organiser or the secretary of this league can do that.")
            raise Refused("not-secretary", message, status=403)
        return view(request, club, public_id, **about)

    guarded.least_rank = Role.Rank.ORGANISER.value  # type: ignore[attr-defined]
    return guarded
