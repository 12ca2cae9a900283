"""Orders of an organiser about a league: its fixtures, a team's leaving, points, a cup, the end."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club
from league.teams import actions
from league.teams.forms import CupRoundForm, DeductForm, SeenForm
from league.teams.models import Deduction, Team, TeamLeague
from league.teams.queries import cup_of, league_of, team_of
from league.teams.views.forms_of_orders import valid

State = TeamLeague.State
Order = Callable[[TeamLeague, QueryDict, Actor], str]
"""Does it; answers what to tell the organiser."""


@require_POST
@club_page("organiser")
def team_league_order(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One order, by its name. It leads back to the team or the cup it is about."""
    league = league_of(club, public_id)
    name = request.POST.get("order", "")
    try:
        if name not in ORDERS:
            raise Refused("unknown-order", _("Load the page again: something is missing."))
        messages.success(request, ORDERS[name](league, request.POST, actor_of(request)))
    except Refused as refused:
        messages.error(request, refused.message)
    return _back(league, request.POST)


def _back(league: TeamLeague, data: QueryDict) -> HttpResponse:
    slug, key = league.club.slug, league.public_id
    team, cup = data.get("team", ""), data.get("cup", "")
    if league.teams.filter(public_id=team).exists():
        return redirect("team", slug, key, team)
    if league.cups.filter(public_id=cup).exists():
        return redirect("team_cup", slug, key, cup)
    return redirect("team_league", slug, key)


def _fixtures(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    made = actions.make_fixtures(league, by=by, **valid(SeenForm(data)))
    text = ngettext("%(n)d match is fixed.", "%(n)d matches are fixed.", len(made))
    return text % {"n": len(made)}


def _discard(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    actions.discard_fixtures(league, by=by)
    return _("The fixtures are thrown away.")


def _finish(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    actions.turn_league(league, State.FINISHED, by=by, at=timezone.now())
    return _("The league is closed.")


def _cancel(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    actions.turn_league(league, State.CANCELLED, by=by, at=timezone.now())
    return _("The league is called off.")


def _reopen(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    actions.turn_league(league, State.RUNNING, by=by, at=timezone.now())
    return _("The league is open again.")


def _team(league: TeamLeague, data: QueryDict) -> Team:
    return team_of(league, data.get("team", ""))


def _drop(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    team = _team(league, data)
    actions.drop_team(team, by=by)
    return _("%(team)s is taken off.") % {"team": team.name}


def _withdraw(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    team = _team(league, data)
    actions.withdraw_team(team, by=by, at=timezone.now())
    return _("%(team)s has left the league.") % {"team": team.name}


def _return(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    team = _team(league, data)
    actions.return_team(team, by=by)
    return _("%(team)s is back in the league.") % {"team": team.name}


def _deduct(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    told = valid(DeductForm(data))
    actions.deduct(_team(league, data), by=by, at=timezone.now(), **told)
    return _("The points are taken off.")


def _give_back(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    key = data.get("deduction", "")
    found = get_object_or_404(
        Deduction.objects.select_related("team"),
        team__league=league,
        pk=int(key) if key.isdecimal() and len(key) < 16 else 0,
    )
    found.team.league = league
    actions.give_back(found, by=by, at=timezone.now())
    return _("The points are given back.")


def _cup_round(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    told = valid(CupRoundForm(data))
    cup = cup_of(league, data.get("cup", ""))
    made = actions.draw_cup_matches(cup, by=by, **told)
    text = ngettext("%(n)d match is fixed.", "%(n)d matches are fixed.", len(made))
    return text % {"n": len(made)}


def _drop_cup(league: TeamLeague, data: QueryDict, by: Actor) -> str:
    actions.drop_cup(cup_of(league, data.get("cup", "")), by=by)
    return _("The cup is thrown away.")


ORDERS: dict[str, Order] = {
    "fixtures": _fixtures,
    "discard": _discard,
    "finish": _finish,
    "cancel": _cancel,
    "reopen": _reopen,
    "drop": _drop,
    "withdraw": _withdraw,
    "return": _return,
    "deduct": _deduct,
    "give_back": _give_back,
    "cup_round": _cup_round,
    "drop_cup": _drop_cup,
}
