"""A cup's page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.members.models import Club
from league.teams.brackets import bracket_of
from league.teams.cup_page import cup_shown
from league.teams.forms import CupRoundForm
from league.teams.queries import all_matches_of, cup_matches_of, cup_of
from league.teams.views.leagues import opened, trouble_with


@require_safe
@club_page(PUBLIC)
def team_cup(request: ClubRequest, club: Club, public_id: str, cup: str) -> HttpResponse:
    """A cup: its bracket, and its matches by round."""
    context = opened(request, club, public_id)
    one = cup_of(context["league"], cup)
    matches = cup_matches_of(one)
    now = bracket_of(one, matches)
    names = {team.pk: team.name for team in context["teams"]}
    context |= {"cup": one, "bracket": cup_shown(now, matches, names), "over": now.over}
    context |= {"champion": names.get(int(now.champion or 0)), "form": CupRoundForm()}
    if context["organiser"]:
        days = {m.match.held_on for m in matches if m.is_to_come}
        others = [m for m in all_matches_of(one.league) if m.match.held_on in days]
        context |= trouble_with(others, context["teams"])
    context["begun"] = any(m.match.session_id or m.match.given_to_id for m in matches)
    return render(request, "teams/cup.html", context)
