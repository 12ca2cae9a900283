"""The notice board: tables and results to print, to paste as text, to embed; leading players."""

from collections import defaultdict
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.labels import as_partners
from league.members.languages import in_clubs_language
from league.members.models import Club
from league.ranking.team_league import PlayerRecord, pair_records, player_records
from league.sessions.queries import local_date
from league.standings.views.embedding import framed
from league.teams.card import played_games
from league.teams.certain import ranked_divisions
from league.teams.cups import cups_of_the_week
from league.teams.models import TeamPlayer
from league.teams.queries import all_matches_of, fixtures_of, rules_of, tables_of
from league.teams.tables import in_state, last_week, round_to_play, rounds_of, rows_of
from league.teams.text import moved_line, result_line, results_text
from league.teams.views.leagues import league_context

MOST_RECORDS = 20


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def team_notice(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Tables, the last results and the next matches, to print."""
    return render(request, "teams/notice.html", _week_context(request, club, public_id))


@require_safe
@club_page(PUBLIC)
def team_results_text(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The notice as plain text, to paste into a message or a newspaper's form."""
    context = _week_context(request, club, public_id)
    cups = [(cup.name, cup.results) for cup in context["cups"]]
    context["text"] = results_text(
        context["league"].name, context["week"], cups, context["divisions"]
    )
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
    week = last_week(rounds)
    return context | {
        "divisions": [(division, rows_of(table, teams)) for division, table in tables.items()],
        "week": week,
        "results": [result_line(result) for result in week.results],
        "moved": [moved_line(match) for match in week.moved],
        "cups": cups_of_the_week(
            league, matches, context["name_of"], since=week.since, today=today
        ),
        "following": following,
        "to_play": in_state("to_play", [following] if following else []),
        "put_off": [m for m in in_state("postponed", rounds) if m.match.held_on],
        "today": today,
    }


@require_safe
@club_page(PUBLIC)
def team_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Leading players and pairs: games won, and the longest run without a defeat."""
    context = league_context(request, club, public_id)
    league = context["league"]
    void = [m.match.session_id for m in fixtures_of(league) if m.void and m.match.session_id]
    games, members = played_games(league, void=void)
    name_of = context["name_of"]
    names = defaultdict(str, {key: name_of(member) for key, member in members.items()})
    teams = dict(TeamPlayer.objects.filter(league=league).values_list("member", "team__name"))
    context["players"] = [
        (rank, names[record.who], teams.get(record.who, ""), record)
        for rank, record in _ranked(player_records(games))
    ]
    context["pairs"] = [
        (rank, as_partners([names[key] for key in r.who]), teams.get(r.who[0], ""), r)
        for rank, r in _ranked(pair_records(games))
    ]
    return render(request, "teams/records.html", context)


def _ranked(records: list[PlayerRecord]) -> list[tuple[str, PlayerRecord]]:
    """The leading records, each with its place; equal records share a place, such as "=2"."""
    figures = [(record.won, record.games, record.longest) for record in records]
    return [
        (f"{'=' * (figures.count(own) > 1)}{figures.index(own) + 1}", record)
        for own, record in zip(figures[:MOST_RECORDS], records, strict=False)
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
