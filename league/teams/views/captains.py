"""A captain's own page: the teams they lead, and those of their house; a table to frame."""

from collections.abc import Sequence
from dataclasses import dataclass

from csp.constants import HEADER as POLICY
from csp.utils import build_policy
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused
from league.members.models import Club
from league.teams.eligibility import borrowed_counts
from league.teams.models import Team, TeamLeague
from league.teams.queries import Played, fixtures_of, players_of, rules_of, tables_of
from league.teams.tables import MatchShown, match_shown, rows_of, state_of, statuses
from league.teams.views.leagues import opened
from league.teams.views.teams import leads, may_sign_on

SECONDS = 60
"""How long another site's visitor may be shown the table as it was."""


@dataclass(frozen=True, slots=True)
class Led:
    """A team on its captain's page: the cards to fill in or confirm, the next matches, the people
    with how often each has been borrowed."""

    team: Team
    cards: Sequence[MatchShown]
    coming: Sequence[MatchShown]
    people: Sequence[tuple[str, int]]
    may_sign_on: bool


@require_safe
@club_page("member")
def team_mine(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The teams that whoever is looking leads, and the others of their houses; no one else's."""
    context = opened(request, club, public_id)
    league: TeamLeague = context["league"]
    fixtures, borrowed = fixtures_of(league), borrowed_counts(league)
    context["led"] = [
        Led(
            one,
            *_matches(one, fixtures),
            [(who.name, borrowed[who.pk]) for who in players_of(one)],
            may_sign_on(league) and leads(request, one),
        )
        for one in teams_led(request, league)
    ]
    return render(request, "teams/mine.html", context)


def teams_led(request: ClubRequest, league: TeamLeague) -> list[Team]:
    """The teams this account leads, and those of the same house."""
    if not request.user.is_authenticated:
        return []
    own = league.teams.filter(captain__user=request.user)
    houses = [house for house in own.values_list("house", flat=True) if house]
    mine = Q(captain__user=request.user) | Q(house__in=houses)
    found = list(league.teams.filter(mine, withdrawn_at=None).select_related("captain").distinct())
    for team in found:
        team.league = league
    return found


COMING = 3


def _matches(team: Team, fixtures: Sequence[Played]) -> tuple[list[MatchShown], list[MatchShown]]:
    """The cards that wait for somebody, and the next matches."""
    mine = [one for one in fixtures if team.pk in one.met.teams]
    waiting = [match_shown(one) for one in mine if state_of(one) in ("waits", "disputed")]
    open_ones = [one for one in mine if state_of(one) in ("to_play", "postponed")]
    open_ones.sort(key=lambda one: (one.match.held_on is None, one.match.held_on, one.match.pk))
    return waiting, [match_shown(one) for one in open_ones[:COMING]]


@require_safe
@club_page(PUBLIC)
@xframe_options_exempt
def team_embed(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The league's tables, to frame on another website: no menus, no account, no player."""
    if not club.is_public:
        message = _("Only a club that shows its standings in public can put them on another site.")
        raise Refused("not-public", message, status=403)
    context = opened(request, club, public_id)
    league, teams = context["league"], context["teams"]
    rules = rules_of(league)
    context["divisions"] = [
        (division, rows_of(table, teams, statuses(table, rules, str(division or ""))))
        for division, table in tables_of(league, teams, fixtures_of(league)).items()
    ]
    response = render(request, "teams/embed.html", context)
    response[POLICY] = build_policy(replace={"frame-ancestors": ["*"]})
    response["Cache-Control"] = f"public, max-age={SECONDS}"
    return response
