"""The card of a match: filled in, its pairs drawn, printed empty."""

import secrets

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.languages import in_clubs_language
from league.members.models import Club
from league.pairing import Rng
from league.teams import actions
from league.teams.card import decided_games, meetings_of
from league.teams.card_form import CardForm
from league.teams.models import TeamMatch
from league.teams.queries import league_of, match_of, played, rules_of, target_of
from league.teams.text import carried_rule
from league.teams.views.leagues import SEEDS
from league.teams.views.matches import captain_page, differing_games


@require_http_methods(["GET", "HEAD", "POST"])
@captain_page
def team_card(request: ClubRequest, match: TeamMatch, side: int | None) -> HttpResponse:
    """Write a match's card, or put it right."""
    league = match.league
    form = CardForm(request.POST or None, match=match, league=league, organiser=side is None)
    if form.is_valid():
        try:
            _save(request, match, form, side)
        except Refused as refused:
            refused.show_in(form)
        else:
            _tell(request, match, side)
            return redirect("team_match", league.club.slug, league.public_id, match.public_id)
    context = {"club": league.club, "here": "leagues", "league": league}
    context |= {"match": match, "form": form}
    context["decided"] = [number + 1 for number in decided_games(match, league)]
    return render(request, "teams/card.html", context, status=422 if form.errors else 200)


def _save(request: ClubRequest, match: TeamMatch, form: CardForm, side: int | None) -> None:
    by, at, data = actor_of(request), timezone.now(), form.cleaned_data
    anyway = bool(data.get("anyway"))
    if data.get("reason"):
        why = data["reason"]
        actions.correct_disputed_card(match, form.card(), reason=why, by=by, at=at, anyway=anyway)
    else:
        actions.write_card(match, form.card(), side=side, by=by, at=at, anyway=anyway)


def _tell(request: ClubRequest, match: TeamMatch, side: int | None) -> None:
    """Say that the card is saved, and where it differs from the other captain's."""
    (now,) = played([match], match.league)
    differing = [] if side is None else differing_games(match, now)
    if now.is_disputed and differing:
        games = ", ".join(str(one.number) for one in differing)
        words = {"games": games}
        text = ngettext(
            "Your card is saved. It differs from the other captain's: game %(games)s.",
            "Your card is saved. It differs from the other captain's: games %(games)s.",
            len(differing),
        )
        messages.warning(request, text % words)
        return
    messages.success(request, _("Saved the card."))


@require_POST
@captain_page
def team_card_draw(request: ClubRequest, match: TeamMatch, side: int | None) -> HttpResponse:
    """The card as it is typed so far, with the chosen players of each team drawn into pairs."""
    form = CardForm(match=match, league=match.league, organiser=side is None)
    form.initial.update({name: request.POST.get(name, "") for name in form.fields})
    form.draw_pairs(Rng(secrets.randbelow(SEEDS)))
    context = {"club": match.league.club, "here": "leagues", "league": match.league}
    context |= {"match": match, "form": form, "drawn": True}
    return render(request, "teams/card.html", context)


@require_safe
@club_page("member")
@in_clubs_language
def team_card_print(request: ClubRequest, club: Club, public_id: str, match: str) -> HttpResponse:
    """Two empty cards of a match on paper, one for each captain."""
    league = league_of(club, public_id)
    one = match_of(league, match)
    context = {
        "club": club,
        "league": league,
        "match": one,
        "venue": one.venue or one.home.venue,
        "pairs": range(1, league.pairs + 1),
        "games": meetings_of(league),
        "target": target_of(league),
        "carried": carried_rule(rules_of(league)),
        "copies": [
            _("For the captain of %(team)s") % {"team": team.name} for team in (one.home, one.away)
        ],
    }
    return render(request, "teams/print_card.html", context)
