"""A league's rules and the printed rules they enforce; decisions; the next season; deleting it."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import partial
from operator import attrgetter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.members.audit import actor_of
from league.members.game_facts import in_short
from league.members.models import Club
from league.teams import actions
from league.teams.breaks import matches_in_breaks
from league.teams.models import Deduction, Team, TeamLeague, TeamMatch
from league.teams.presets import PRESETS, newer_rules, printed_rules
from league.teams.promotion import ending_shown, leaders_of, saved_text
from league.teams.queries import all_matches_of, fixtures_of, league_of, rules_of, tables_of
from league.teams.rules_forms import (
    DecisionForm,
    NextLeagueForm,
    RulesForm,
    SecondForm,
)
from league.teams.text import points_rule, season_rule, squad_rule, table_rule
from league.teams.views.leagues import SEEDS, league_action, league_context, secretary_page


@require_safe
@club_page(PUBLIC)
def team_rules(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The rules of a league, and its printed rules by number with what the site does about each."""
    context = league_context(request, club, public_id)
    league = context["league"]
    rules = rules_of(league)
    context |= {
        "newer": None if league.is_closed else newer_rules(league),
        "points": points_rule(rules),
        "rule": table_rule(rules),
        "squads": squad_rule(league),
        "season": [text for group in season_rule(league, rules).values() for text in group],
        "preset": PRESETS.get(league.preset),
        "printed": printed_rules(PRESETS.get(league.preset), league),
        "decisions": decisions_of(league) if request.rank else [],
    }
    if context["organiser"]:
        address = reverse("team_decide", args=[club.slug, public_id])
        context["decision_form"] = DecisionForm(typed_at(request, address))
    return render(request, "teams/rules.html", context)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of the committee as the page lists it."""

    text: str
    at: datetime
    match: TeamMatch | None = None


def decisions_of(league: TeamLeague) -> list[Decision]:
    """All decisions, the latest first: those recorded as such, deductions of points, awards, and
    walk-overs against a team that has left. Four queries."""
    recorded = league.decisions.select_related("match__home", "match__away")[:100]
    deductions = Deduction.objects.filter(team__league=league).select_related("team")
    matches = all_matches_of(league)
    decisions = [Decision(row.text, row.at, row.match) for row in recorded]
    decisions += [Decision(_deduction_text(row), row.at) for row in deductions]
    decisions += [
        Decision(_award_text(match), match.received_at or match.made_at, match)
        for match in (record.match for record in matches)
        if match.is_given
    ]
    decisions += [
        Decision(_walkover_text(left, winner), left.withdrawn_at, record.match)
        for record in matches
        if (winner := record.unplayed_winner)
        and (left := record.match.left_team)
        and left.withdrawn_at
    ]
    return sorted(decisions, key=attrgetter("at"), reverse=True)


def _deduction_text(deduction: Deduction) -> str:
    words = {"team": deduction.team, "points": floatformat(abs(deduction.points))}
    text = _("Points deducted from %(team)s: %(points)s (%(reason)s)")
    if deduction.points < 0:
        text = _("Points added to %(team)s: %(points)s (%(reason)s)")
    text %= {**words, "reason": deduction.reason}
    back = _("(taken back)") if deduction.points < 0 else _("(given back)")
    return f"{text} {back}" if deduction.withdrawn_at else text


def _award_text(match: TeamMatch) -> str:
    text = _("Neither team came, so both lose: %(why)s")
    if match.given_to:
        text = _("Awarded to %(team)s: %(why)s")
    return text % {"team": match.given_to, "why": match.given_reason}


def _walkover_text(left: Team, winner: Team) -> str:
    why = _("%(team)s has left the league.") % {"team": left}
    return _("Awarded to %(team)s: %(why)s") % {"team": winner, "why": why}


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_rules_edit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Edit the rules, the divisions, and who may play."""
    league = league_of(club, public_id)
    form = RulesForm(request.POST or None, league=league)
    if form.is_valid():
        before = leaders_of(league)
        try:
            league = actions.change_rules(league, by=actor_of(request), **form.chosen())
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, saved_text(league, before))
            _name_matches_in_breaks(request, league)
            return redirect("team_rules", club.slug, public_id)
    context = {"club": club, "here": "leagues", "league": league, "form": form}
    preset = PRESETS.get(league.preset)
    context |= {"preset": preset, "printed": printed_rules(preset, league)}
    return render(request, "teams/rules_form.html", context, status=422 if form.errors else 200)


def _name_matches_in_breaks(request: HttpRequest, league: TeamLeague) -> None:
    """Warn about published matches in weeks without matches, with links to move them."""
    links = [
        (reverse("team_match", args=[league.club.slug, league.public_id, match.public_id]), match)
        for match in matches_in_breaks(all_matches_of(league))
    ]
    if links:
        named = format_html_join(", ", '<a href="{}">{}</a>', links)
        text = _("In a week without matches and still to be moved: %(matches)s.")
        messages.warning(request, format_html(text.replace("%(matches)s", "{}"), named))


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_league_next(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Start the next season: the same rules and teams, after promotion and relegation."""
    league = league_of(club, public_id)
    teams = list(league.teams.select_related("division"))
    tables = tables_of(league, teams, fixtures_of(league))
    ending = ending_shown(league, teams, tables, rules_of(league))
    form = NextLeagueForm(request.POST or None, initial={"name": league.name})
    if form.is_valid():
        moves = {team.pk: target for team, _source, target in ending["moves"]}
        by, at, seed = actor_of(request), timezone.now(), secrets.randbelow(SEEDS)
        data = {**form.cleaned_data, "moves": moves, "seed": seed}
        try:
            next_league = actions.start_next_league(league, by=by, at=at, **data)
        except Refused as refused:
            refused.show_in(form)
        else:
            return redirect("team_league", club.slug, next_league.public_id)
    context = {"club": club, "here": "leagues", "league": league, "form": form}
    context["ending"] = ending
    return render(request, "teams/next.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_league_delete(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Ask before a league without results is deleted; a POST deletes it."""
    league = league_of(club, public_id)
    if request.method != "POST":
        context = {"club": club, "here": "leagues", "league": league}
        return render(request, "teams/delete.html", context)
    try:
        actions.drop_league(league, by=actor_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("team_league_edit", club.slug, public_id)
    messages.success(request, _("Deleted %(league)s.") % {"league": league.name})
    return redirect("team_leagues", club.slug)


@league_action
def team_second(request: ClubRequest, league: TeamLeague) -> str:
    """Start a second competition: the same teams and fixtures, with a table of its own."""
    data = valid(SecondForm(request.POST))
    name, points = data["name"], Fraction(data["walkover"])
    by, at = actor_of(request), timezone.now()
    actions.start_second_competition(league, name=name, walkover=points, by=by, at=at)
    return _("Made %(name)s: it is among your leagues.") % {"name": name}


@partial(league_action, page="team_rules")
def team_decide(request: ClubRequest, league: TeamLeague) -> str:
    """Record a decision of the committee, for everyone to read."""
    data = valid(DecisionForm(request.POST))
    actions.record_decision(league, by=actor_of(request), at=timezone.now(), **data)
    return _("Recorded the decision.")


@partial(league_action, page="team_rules")
def team_rules_newest(request: ClubRequest, league: TeamLeague) -> str:
    """Play by the newest version of the league's house rules."""
    fresh = actions.play_by_newest_rules(league, by=actor_of(request))
    return _("The next matches are played by: %(facts)s.") % {
        "facts": in_short(fresh.ruleset.rules)
    }
