"""Cups of teams and of pairs, and play-offs: draws, pages and results."""

import secrets
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.pairing.formats.knockout import Bracket
from league.teams import actions
from league.teams.cup_forms import (
    CupForm,
    CupRoundForm,
    CupSeenForm,
    PairsCupForm,
    PairsDayForm,
    PairsResultForm,
    PlayOffForm,
    PlayOffMatchForm,
    read_pairs,
    squads_in_pairs,
)
from league.teams.cups import (
    FixedMatch,
    bracket_of,
    bracket_shown,
    clashes,
    cup_shown,
    drawn_cup,
    next_matches,
    pair_name,
    pairs_bracket,
    pairs_shown,
    ready_matches,
)
from league.teams.front_page import OPEN
from league.teams.models import PairsCup, PairsMatch, PlayOff, TeamCup, TeamLeague
from league.teams.promotion import DuePlayOff
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    cup_matches_of,
    cup_of,
    league_of,
    match_records,
)
from league.teams.tables import match_shown
from league.teams.views.fixtures import clash_context
from league.teams.views.leagues import (
    SEEDS,
    cards_to_fill,
    league_action,
    league_context,
    secretary_page,
)


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_cup_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Show the draw of a new cup, with a new seed each time; a POST makes the cup as it was shown.

    Only the organiser sees the draw before that.
    """
    if request.method == "POST":
        return _make_cup(request, club, public_id)
    context = league_context(request, club, public_id)
    form = CupForm(request.GET or None)
    context |= {"form": form, "seed": secrets.randbelow(SEEDS)}
    if not form.is_valid():
        return render(request, "teams/cup_draw.html", context, status=422 if form.errors else 200)
    data = {name: form.cleaned_data[name] for name in ("third_place", "held_on", "best")}
    try:
        draw = drawn_cup(context["league"], seed=context["seed"], **data)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("team_league", club.slug, public_id)
    places = enumerate(draw.teams, 1)
    names = {team.pk: f"{number} · {team.name}" for number, team in places}
    days = {m.place: FixedMatch(m.held_on) for m in draw.matches if m.held_on}
    context |= {"draw": draw, "bracket": bracket_shown(draw.bracket, days, names)}
    if data["held_on"]:
        day = data["held_on"]
        that_day = [m for m in all_matches_of(context["league"]) if m.match.held_on == day]
        that_day += match_records(draw.matches, context["league"])
        context |= clash_context(that_day, context["teams"])
    return render(request, "teams/cup_draw.html", context)


def _make_cup(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the cup as it was shown; if that is refused, go back to a new draw."""
    league = league_of(club, public_id)
    try:
        data = valid(CupSeenForm(request.POST))
        cup = actions.make_cup(league, by=actor_of(request), **data)
    except Refused as refused:
        messages.error(request, refused.message)
        params = {name: request.POST.get(name, "")[:80] for name in CupForm.base_fields}
        page = reverse("team_cup_draw", args=[club.slug, public_id])
        return redirect(f"{page}?{urlencode(params, errors='replace')}")
    messages.success(request, _("Added %(cup)s.") % {"cup": cup.name})
    return redirect("team_cup", club.slug, public_id, cup.public_id)


@require_safe
@club_page(PUBLIC)
def team_cup(request: ClubRequest, club: Club, public_id: str, cup: str) -> HttpResponse:
    """A cup: its bracket, and its matches by round."""
    context = league_context(request, club, public_id)
    chosen_cup = cup_of(context["league"], cup)
    matches = cup_matches_of(chosen_cup)
    cup_bracket = bracket_of(chosen_cup, matches)
    names = {
        team.pk: f"{team.name} ({_('left')})" if team.withdrawn_at else team.name
        for team in context["teams"]
    }
    context |= {
        "cup": chosen_cup,
        "bracket": cup_shown(cup_bracket, matches, names),
        "over": cup_bracket.over,
    }
    context |= {"champion": names.get(int(cup_bracket.champion or 0))}
    states = (*OPEN, "postponed")
    context["open_matches"] = [shown for m in matches if (shown := match_shown(m)).state in states]
    context["cards_to_fill"] = cards_to_fill(request, context["league"], context["teams"], matches)
    url_args = [club.slug, public_id, cup]
    context |= _action_urls("team_cup", url_args)
    if context["organiser"]:
        context |= _next_round(request, chosen_cup, cup_bracket, matches, context)
    context["begun"] = any(m.match.session_id or m.match.given_to_id for m in matches)
    return render(request, "teams/cup.html", context)


def _next_round(
    request: ClubRequest,
    cup: TeamCup,
    cup_bracket: Bracket,
    matches: list[MatchRecord],
    context: dict[str, Any],
) -> dict[str, Any]:
    """For an organiser: the form for the day of the next matches, and the clashes on their days."""
    to_come = [m for m in matches if m.is_to_come]
    venue = to_come[-1].match.venue if to_come else ""
    form = CupRoundForm(typed_at(request, context["round_address"]), initial={"venue": venue})
    drawn_places = {m.match.place for m in matches}
    days = {m.match.held_on for m in to_come}
    same_days = [m for m in all_matches_of(cup.league) if m.match.held_on in days]
    return {
        "form": form,
        "ready": next_matches(cup.league, cup, cup_bracket, drawn_places, None),
        "movable": any(m.match.is_untouched for m in to_come),
        **clash_context(same_days, context["teams"]),
    }


def _action_urls(page: str, url_args: list[str]) -> dict[str, str]:
    """The URLs to which a cup's page posts the next day, and the deletion."""
    return {
        f"{name}_address": reverse(f"{page}_{name}", args=url_args) for name in ("round", "drop")
    }


@league_action
def team_cup_round(request: ClubRequest, league: TeamLeague, cup: str) -> str:
    """Draw the next matches of a cup, or set their day."""
    data = valid(CupRoundForm(request.POST))
    matches = actions.draw_cup_matches(cup_of(league, cup), by=actor_of(request), **data)
    text = ngettext("Set the day of %(n)d match.", "Set the day of %(n)d matches.", len(matches))
    if data["held_on"] is None:
        text = ngettext(
            "Added %(n)d match without a day.", "Added %(n)d matches without a day.", len(matches)
        )
    return text % {"n": len(matches)}


@league_action
def team_cup_drop(request: ClubRequest, league: TeamLeague, cup: str) -> str:
    """Delete a cup in which nothing has been played."""
    actions.drop_cup(cup_of(league, cup), by=actor_of(request))
    return _("Deleted the cup.")


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_pairs_new(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Draw a cup of pairs from the squads."""
    league = league_of(club, public_id)
    form = PairsCupForm(request.POST or None, initial={"pairs": squads_in_pairs(league)})
    if form.is_valid():
        try:
            pairs = read_pairs(league, form.cleaned_data["pairs"])
            seed, by, name = secrets.randbelow(SEEDS), actor_of(request), form.cleaned_data["name"]
            cup = actions.make_pairs_cup(league, name=name, pairs=pairs, seed=seed, by=by)
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Added %(cup)s.") % {"cup": cup.name})
            return redirect("team_pairs", club.slug, public_id, cup.public_id)
    context = {"club": club, "here": "leagues", "league": league, "form": form}
    return render(request, "teams/pairs_new.html", context, status=422 if form.errors else 200)


@require_safe
@club_page(PUBLIC)
def team_pairs(request: ClubRequest, club: Club, public_id: str, pairs: str) -> HttpResponse:
    """A pairs cup: its bracket and, for an organiser, the forms for days and results."""
    context = league_context(request, club, public_id)
    cup = _pairs_cup_of(context["league"], pairs)
    entries = list(cup.pairs.select_related("team", "first", "second"))
    matches = list(cup.matches.all())
    cup_bracket, name_of = pairs_bracket(entries, matches), context["name_of"]
    names = {pair.pk: pair_name(pair, name_of) for pair in entries}
    context |= {
        "cup": cup,
        "bracket": pairs_shown(cup_bracket, matches, names),
        "champion": names.get(int(cup_bracket.champion or 0)),
        "over": cup_bracket.over,
        "begun": any(match.winner_id is not None for match in matches),
        **_action_urls("team_pairs", [club.slug, public_id, pairs]),
    }
    if context["organiser"]:
        url_args = [club.slug, public_id, pairs]
        context["form"] = PairsDayForm(typed_at(request, context["round_address"]))
        context["results"] = [_result_form(request, match, names, url_args) for match in matches]
        team_of_pair = {pair.pk: pair.team_id for pair in entries}
        open_matches = [match for match in matches if match.winner_id is None]
        places = {match.place for match in matches}
        context["ready"] = ready_matches(cup, cup_bracket, places, date.max)
        context["movable"] = open_matches
        teams = {team_of_pair[side] for match in open_matches for side in match.sides}
        days = {match.held_on for match in open_matches}
        context["clashes"] = clashes(context["league"], teams, days)
    return render(request, "teams/pairs.html", context)


def _result_form(
    request: ClubRequest, match: PairsMatch, names: dict[int, str], url_args: list[str]
) -> dict[str, Any]:
    address = reverse("team_pairs_result", args=[*url_args, match.place])
    sides = [names[side] for side in match.sides]
    form = PairsResultForm(typed_at(request, address), match=match, names=sides)
    return {"match": match, "form": form, "address": address, "sides": sides}


def _pairs_cup_of(league: TeamLeague, public_id: str) -> PairsCup:
    cup = get_object_or_404(league.pairs_cups, public_id=public_id)
    cup.league = league
    return cup


@league_action
def team_pairs_round(request: ClubRequest, league: TeamLeague, pairs: str) -> str:
    """Set the day of the next round."""
    data = valid(PairsDayForm(request.POST))
    matches = actions.set_pairs_day(_pairs_cup_of(league, pairs), by=actor_of(request), **data)
    text = ngettext("Set the day of %(n)d match.", "Set the day of %(n)d matches.", len(matches))
    return text % {"n": len(matches)}


@league_action
def team_pairs_result(request: ClubRequest, league: TeamLeague, pairs: str, place: str) -> str:
    """Record the final score of a match, or the pair that goes through."""
    match = get_object_or_404(
        _pairs_cup_of(league, pairs).matches.select_related("cup"), place=place
    )
    match.cup.league = league
    data = valid(PairsResultForm(request.POST, match=match, names=["", ""]))
    actions.record_pairs_result(match, by=actor_of(request), **data)
    return _("Saved.")


@league_action
def team_pairs_drop(request: ClubRequest, league: TeamLeague, pairs: str) -> str:
    """Delete a pairs cup in which nothing has been played."""
    actions.drop_pairs_cup(_pairs_cup_of(league, pairs), by=actor_of(request))
    return _("Deleted the cup.")


@league_action
def team_play_off(request: ClubRequest, league: TeamLeague) -> str:
    """Record the result of a play-off."""
    due = _chosen_play_off(request, league)
    form = PlayOffForm(request.POST, due=due)
    order = form.order(valid(form))
    actions.record_play_off(league, due.kind, order, by=actor_of(request), at=timezone.now())
    return _("Recorded the play-off.")


@league_action
def team_play_off_match(request: ClubRequest, league: TeamLeague) -> str:
    """Create a match for a play-off, with a day, a venue and a card."""
    due, data = _chosen_play_off(request, league), valid(PlayOffMatchForm(request.POST))
    cup = actions.make_play_off_match(league, due.kind, due.teams, by=actor_of(request), **data)
    return _("Added %(cup)s.") % {"cup": cup.name}


@league_action
def team_play_off_back(request: ClubRequest, league: TeamLeague, play_off: int) -> str:
    """Delete a play-off that was recorded by mistake."""
    row = get_object_or_404(PlayOff, league=league, pk=play_off)
    row.league = league
    actions.take_back_play_off(row, by=actor_of(request))
    return _("Took the play-off back.")


def _chosen_play_off(request: ClubRequest, league: TeamLeague) -> DuePlayOff:
    """The play-off that the form is about; the action refuses one that is not due."""
    kind, *keys = request.POST.get("about", "").split(":")
    return DuePlayOff(kind, tuple(t for t in league.teams.all() if t.public_id in keys))
