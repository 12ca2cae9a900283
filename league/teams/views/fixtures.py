"""Pages of a league's weeks: fixtures and how they are drawn, and the notice board with results."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.labels import as_partners
from league.members.audit import actor_of
from league.members.languages import in_clubs_language, in_language
from league.members.models import Club
from league.members.names import sort_key
from league.pairing.formats import Rescheduled
from league.ranking.team_league import PlayerRecord, pair_records, player_records
from league.sessions.queries import local_date
from league.standings.labels import figure
from league.standings.views.embedding import framed
from league.teams import actions
from league.teams.breaks import matches_in_breaks
from league.teams.card import played_games
from league.teams.cups import cups_of_the_week
from league.teams.eligibility import squad_notes
from league.teams.fixtures import (
    ReschedulePlan,
    clashes,
    double_bookings,
    draw_divisions,
    drawn_fixtures,
    fixtures_digest,
    plan_of,
    plan_reschedule,
    season_line,
)
from league.teams.front_page import last_week, lists_to_play, result_lists
from league.teams.match_forms import BlankDaysForm, FixturesForm, JoinForm
from league.teams.models import Team, TeamLeague, TeamMatch, TeamPlayer
from league.teams.promotion import awaited_play_offs, ranked_divisions, winners_of
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    by_division,
    fixtures_of,
    league_of,
    match_records,
    rules_of,
    tables_of,
    team_of,
)
from league.teams.results_text import points_lines, results_text
from league.teams.tables import RoundShown, late_teams, round_to_play, rounds_of
from league.teams.views.leagues import (
    SEEDS,
    cards_to_fill,
    cups_with_winners,
    league_action,
    league_context,
    secretary_page,
)
from league.teams.views.moving import rounds_to_move


@require_safe
@club_page(PUBLIC)
def team_fixtures(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Every round with its day and its matches."""
    context = league_context(request, club, public_id)
    matches = all_matches_of(context["league"])
    fixtures = [fixture for fixture in matches if fixture.match.cup_id is None]
    context["rounds"] = rounds_of(fixtures, context["teams"])
    context["joined"] = late_teams(context["rounds"], context["teams"])
    if context["organiser"]:
        context |= clash_context(matches, context["teams"])
        context["to_move"] = rounds_to_move(fixtures)
        untouched = fixtures and all(fixture.match.is_untouched for fixture in fixtures)
        context["may_delete"] = untouched and not context["league"].is_closed
    return render(request, "teams/fixtures.html", context)


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def team_fixtures_print(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The whole season, a sheet for each division, to print for a wall."""
    context = league_context(request, club, public_id)
    league = context["league"]
    fixtures = fixtures_of(league)
    context["sheets"] = [
        (division, [team for team in teams if team.venue and not team.withdrawn_at], rounds)
        for division, teams in by_division(league, context["teams"])
        if (rounds := _season([m for m in fixtures if m.match.home in teams], teams))
    ]
    context["today"] = local_date(club, timezone.now())
    return render(request, "teams/fixtures_print.html", context)


def _season(fixtures: list[MatchRecord], teams: list[Team]) -> list[tuple[RoundShown, list[str]]]:
    rounds = rounds_of(fixtures, teams)
    return [(round_, [season_line(m, round_.held_on) for m in round_.matches]) for round_ in rounds]


def clash_context(matches: list[MatchRecord], teams: list[Team]) -> dict[str, Any]:
    """Context for an organiser: days with too many matches at a venue or of a team, breaks."""
    names = {team.pk: team.name for team in teams}
    clashing = clashes(matches, teams)
    twice = sorted((day, names[team], n) for (day, team), n in double_bookings(matches).items())
    return {
        "clashes": [(day, place, n) for (day, place), n in sorted(clashing.items())],
        "doubles": twice,
        "in_breaks": matches_in_breaks(matches),
    }


@require_safe
@secretary_page
def team_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Show the draft of the fixtures, which is the same until it is redrawn or teams or dates
    change; once the fixtures are made, what another draw would look like.

    Only the organiser sees the draft.
    """
    context = league_context(request, club, public_id)
    context["made"] = context["league"].matches.filter(cup=None).exists()
    seed = secrets.randbelow(SEEDS) if context["made"] else context["league"].seed
    try:
        drawn = drawn_fixtures(context["league"], seed)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("team_league", club.slug, public_id)
    rounds = rounds_of(match_records(drawn, context["league"]), context["teams"])
    context |= {"rounds": rounds, "seed": seed, "seen": fixtures_digest(drawn), "n": len(drawn)}
    division_draw = draw_divisions(context["league"], seed)
    context |= {
        "even": division_draw.evenness(double=context["league"].twice),
        "left": division_draw.clashes,
    }
    context |= {"notes": squad_notes(context["league"]), "form": FixturesForm()}
    typed = typed_at(request, reverse("team_draw_days", args=[club.slug, public_id]))
    context["days_form"] = BlankDaysForm(typed, league=context["league"])
    return render(request, "teams/draw.html", context)


def _change_days(request: ClubRequest, league: TeamLeague) -> str:
    """Set the days on whose weeks no round falls."""
    data = valid(BlankDaysForm(request.POST, league=league))
    actions.change_blank_days(league, data["blank_days"], by=actor_of(request))
    return _("Saved. The rounds below leave these weeks out.")


team_draw_days = league_action(_change_days, page="team_draw")


def _redraw(request: ClubRequest, league: TeamLeague) -> str:
    """Draw the draft again."""
    actions.redraw_fixtures(league, seed=secrets.randbelow(SEEDS))
    return _("Redrew the fixtures.")


team_redraw = league_action(_redraw, page="team_draw")


JoinAction = Callable[..., list[TeamMatch]]
JOIN_ACTIONS: dict[str, JoinAction] = {
    "add": actions.join_fixtures,
    "reschedule": actions.join_by_reschedule,
}


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_join(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Show the matches that a late team would get, both when they are added and when the remaining
    rounds are redrawn; a POST carries out one of the two plans."""
    league = league_of(club, public_id)
    late_team = team_of(league, team)
    if request.method == "POST":
        try:
            data = valid(JoinForm(request.POST))
            join = JOIN_ACTIONS[data.pop("way") or "add"]
            matches = join(late_team, by=actor_of(request), at=timezone.now(), **data)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("team_join", club.slug, public_id, team)
        text = ngettext("Added %(n)d match.", "Added %(n)d matches.", len(matches))
        messages.success(request, text % {"n": len(matches)})
        return redirect("team", club.slug, public_id, team)
    context = {"club": club, "here": "leagues", "league": league, "team": late_team}
    return render(request, "teams/join.html", context | _join_context(club, late_team))


def _join_context(club: Club, team: Team) -> dict[str, Any]:
    """Both plans, with a new seed each time; none for a team that has matches."""
    matches = team.league.matches.filter(cup=None)
    if not matches.exists() or team.at_home.exists() or team.away.exists():
        return {"plan": None}
    seed, today = secrets.randbelow(SEEDS), local_date(club, timezone.now())
    plan = plan_of(team.league, team, seed=seed, today=today)
    rescheduled = plan_reschedule(team.league, team, seed=seed, today=today)
    last = matches.aggregate(round=Max("round"), day=Max("held_on"))
    days = [match.day for match in plan.matches]
    return {
        "plan": plan,
        "seed": seed,
        "added": len({match.number for match in plan.added}),
        "last_day": max([*days, *([last["day"]] if last["day"] else [])], default=None),
        "last_day_now": last["day"],
        "rows": [
            (match, plan.teams[int(match.home)], plan.teams[int(match.away)])
            for match in plan.matches
        ],
    } | _reschedule_context(team, rescheduled, last["round"])


def _reschedule_context(team: Team, plan: ReschedulePlan, rounds: int) -> dict[str, Any]:
    """The plan with redrawn rounds; None if no match may move."""
    if not plan.moving:
        return {"rescheduled": None}
    unmoved_days = [
        match.held_on for match in team.league.matches.filter(cup=None).exclude(pk__in=plan.moving)
    ]
    days = [
        *(match.day for match in plan.matches),
        *(day for day in unmoved_days if day is not None),
    ]
    by_round = [
        (number, day, [_match_row(plan, match) for match in group])
        for (number, day), group in groupby(plan.matches, lambda match: (match.number, match.day))
    ]
    added = max(0, max(match.number for match in plan.matches) - rounds)
    return {
        "rescheduled": plan,
        "rounds": by_round,
        "rescheduled_added": added,
        "rescheduled_last_day": max(days),
    }


def _match_row(plan: ReschedulePlan, match: Rescheduled) -> tuple[Team, Team, str]:
    """The two teams of a match, and whether it is "new", "moved" or unchanged ("")."""
    state = "new" if not match.key else "" if plan.is_unmoved(match) else "moved"
    return plan.teams[int(match.home)], plan.teams[int(match.away)], state


@require_POST
@secretary_page
def team_fixtures_make(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the fixtures as they were shown; if squads break the rules or teams have changed, show
    the draft again."""
    league = league_of(club, public_id)
    form = FixturesForm(request.POST)
    try:
        matches = actions.make_fixtures(league, by=actor_of(request), **valid(form))
    except Refused as refused:
        messages.error(request, refused.message)
        is_draft = refused.code in ("squads", "plan-changed")
        return redirect("team_draw" if is_draft else "team_league", club.slug, public_id)
    text = ngettext("Published %(n)d match.", "Published %(n)d matches.", len(matches))
    messages.success(request, text % {"n": len(matches)})
    return redirect("team_league", club.slug, public_id)


@league_action
def team_fixtures_discard(request: ClubRequest, league: TeamLeague) -> str:
    """Delete fixtures of which nothing has been played."""
    actions.discard_fixtures(league, by=actor_of(request))
    return _("Deleted the fixtures.")


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def team_notice(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Tables, the last results and the next matches, to print."""
    context = _week_context(request, club, public_id)
    league = context["league"]
    if league.state == TeamLeague.State.FINISHED:
        context["winners"] = [named for named in winners_of(context["divisions"]) if named[1]]
        context["cup_winners"] = cups_with_winners(league, context["teams"])
    return render(request, "teams/notice.html", context)


@require_safe
@club_page(PUBLIC)
def team_results_text(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The notice as plain text in the club's language, but for overdue matches, to paste into a
    message or a newspaper's form."""
    with in_language(club.language, get_language() or ""):
        context = _week_context(request, club, public_id)
        cup_lists = [(cup.name, cup.results + cup.to_play) for cup in context["cups"]]
        to_play = [one for one in context["to_play"] if one[0] != _("Overdue")]
        lists = (context["results"], cup_lists, to_play)
        context["text"] = results_text(context["league"], *lists, context["divisions"])
    return render(request, "teams/results_text.html", context)


def _week_context(request: ClubRequest, club: Club, public_id: str) -> dict[str, Any]:
    context = league_context(request, club, public_id)
    league, teams = context["league"], context["teams"]
    matches = all_matches_of(league)
    fixtures = [fixture for fixture in matches if fixture.match.cup_id is None]
    rounds = rounds_of(fixtures, teams)
    today = local_date(club, timezone.now())
    following = round_to_play(rounds, ("to_play",), today)
    tables = tables_of(league, teams, fixtures)
    rules = rules_of(league)
    awaited = awaited_play_offs(league, teams, tables, rules)
    to_play = lists_to_play(rounds, following, context["starts_at"], today)
    week = last_week(rounds, today)
    since = date.min if league.is_closed else week.since
    divisions = ranked_divisions(league, tables, teams, rules)
    rows = [row for _division, rows in divisions for row in rows]
    return context | {
        "divisions": divisions,
        "with_difference": any(row.difference for row in rows),
        "points_lines": points_lines(rules, rows),
        "week": week,
        "results": result_lists(rounds, week, is_closed=league.is_closed),
        "cups": cups_of_the_week(league, matches, context["name_of"], since=since, today=today),
        "to_play": [*to_play, *([(_("Play-offs"), awaited)] if awaited else [])],
        "today": today,
    }


@require_safe
@club_page(PUBLIC)
def team_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Leading players and pairs: games won, and the longest run without a defeat."""
    context = league_context(request, club, public_id)
    league = context["league"]
    fixtures = fixtures_of(league)
    today = local_date(club, timezone.now())
    to_fill = cards_to_fill(request, league, context["teams"], fixtures, until=today)
    context["to_fill"] = next((m.match for m in fixtures if m.match.public_id in to_fill), None)
    context["provisional"] = any(m.met.provisional and not m.void for m in fixtures)
    void = [m.match.session_id for m in fixtures if m.void and m.match.session_id]
    games, members, played_for = played_games(league, void=void)
    name_of = context["name_of"]
    names = defaultdict(str, {key: name_of(member) for key, member in members.items()})
    own_teams = TeamPlayer.objects.filter(league=league).values_list("member", "team")
    team_names = {team.pk: team.name for team in context["teams"]}
    teams = {who: team_names[team] for who, team in {**played_for, **dict(own_teams)}.items()}
    players = [(names[record.who], record) for record in player_records(games)]
    pairs = [(as_partners([names[key] for key in r.who]), r) for r in pair_records(games)]
    context["players"] = [(*row, teams.get(row[2].who, "")) for row in _ranked(players)]
    context["pairs"] = [(*row, _teams_of(row[2].who, teams)) for row in _ranked(pairs)]
    context["has_rate"] = not rules_of(league).slam  # a slam is two games won in one
    return render(request, "teams/records.html", context)


def _teams_of(pair: Sequence[int], teams: Mapping[int, str]) -> str:
    """The team of a pair; both, if each player belongs to one."""
    return ", ".join(dict.fromkeys(teams[key] for key in pair if key in teams))


def _ranked(records: list[tuple[str, PlayerRecord]]) -> list[tuple[str, str, PlayerRecord, str]]:
    """The records, each with its place, name and share of games won; equal records share a place,
    such as "=2", and are in the order of the names."""
    figures = [(record.won, record.games, record.longest) for _name, record in records]
    count = Counter(figures)
    first = {own: place for place, own in reversed(list(enumerate(figures, 1)))}
    ranked = sorted(
        (first[own], sort_key(name), name, record.who, record)
        for own, (name, record) in zip(figures, records, strict=True)
    )
    places = [f"{'=' * (count[figures[place - 1]] > 1)}{place}" for place, *_more in ranked]
    return [
        (place, name, record, figure("win_rate", record.won / record.games))
        for place, (_first, _key, name, _who, record) in zip(places, ranked, strict=True)
    ]


@require_safe
@club_page(PUBLIC)
@xframe_options_exempt
def team_embed(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The league's tables, to embed in another website: without menus or players' names."""
    context = league_context(request, club, public_id)
    league, teams = context["league"], context["teams"]
    tables = tables_of(league, teams, fixtures_of(league))
    context["divisions"] = ranked_divisions(league, tables, teams, rules_of(league))
    context["title"] = league.name
    context["today"] = local_date(club, timezone.now())
    context["full_page"] = reverse("team_league", args=[club.slug, public_id])
    return framed(request, club, "teams/embed.html", context)
