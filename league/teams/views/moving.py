"""Moving a whole round of a league to other days."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest
from league.errors import attempt, form_page
from league.members.audit import actor_of
from league.members.models import Club
from league.teams import actions
from league.teams.move_forms import MoveRoundForm
from league.teams.queries import MatchRecord, league_of
from league.teams.views.leagues import secretary_page


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_round_move(request: ClubRequest, club: Club, public_id: str, number: int) -> HttpResponse:
    """Move the matches to play of a round, or of that and all later ones, to other days."""
    league = league_of(club, public_id)
    matches = [] if league.is_closed else actions.matches_to_move(league, number)
    if not matches:
        messages.error(request, _("This round has no match to move."))
        return redirect("team_fixtures", club.slug, public_id)
    first_day = min(match.held_on for match in matches if match.held_on)
    form = MoveRoundForm(request.POST or None, initial={"first_day": first_day})
    by, at = actor_of(request), timezone.now()
    moved = attempt(
        form, lambda: actions.move_round(league, number, by=by, at=at, **form.cleaned_data)
    )
    if moved:
        text = ngettext("Moved %(n)d match.", "Moved %(n)d matches.", len(moved))
        messages.success(request, text % {"n": len(moved)})
        return redirect("team_fixtures", club.slug, public_id)
    context = {"club": club, "here": "leagues", "league": league, "form": form}
    context |= {"number": number, "matches": matches}
    return form_page(request, "teams/round_move.html", context)


def rounds_to_move(fixtures: Iterable[MatchRecord]) -> set[int]:
    """The rounds that have a match to move."""
    to_play = (fixture.match for fixture in fixtures if fixture.is_to_come)
    return {match.round for match in to_play if match.is_untouched and match.held_on}
