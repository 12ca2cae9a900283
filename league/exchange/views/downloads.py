"""Files to download: players, sessions, games and hands, results, standings, brackets, league
tables, full backups, and one's own data."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page, password_first, reaches, signed_in
from league.errors import Refused
from league.exchange.export_jobs import (
    WRITE_ARCHIVE,
    WRITE_RESULTS,
    archive_file,
    archive_name,
    data_of,
    is_small,
    results_file,
    results_of,
)
from league.exchange.game_files import (
    Namer,
    egn_of,
    emn_of,
    hand_rows,
    json_lines,
    reasons_in_words,
    why_not_egn,
)
from league.exchange.people_import import people_rows
from league.exchange.results_sheet import ended_games
from league.exchange.sessions_import import session_rows
from league.exchange.sheets import (
    HANDS,
    MEMBERS,
    ROUNDS,
    SESSIONS,
    download,
    sheet,
)
from league.exchange.tournament_sheet import round_rows
from league.members.actions.jobs import Work, start_job
from league.members.audit import actor_of
from league.members.models import Club, Job, Role, User, namer
from league.play.game_log import GameLog
from league.play.models import Game
from league.play.queries import refuse_held_game
from league.play.recount import prefetched_game_log, with_everything
from league.sessions.models import Session
from league.sessions.queries import refuse_held, released_session
from league.standings import queries
from league.standings.cached_tables import params_of
from league.standings.labels import LABELS
from league.standings.queries import Standings
from league.standings.season_queries import division_of, season_standings
from league.standings.tables import rows_of
from league.teams.queries import fixtures_of, league_of, tables_of
from league.teams.tables import all_rows
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws.groups import group_states
from league.tournaments.models import Stage
from league.tournaments.queries import NameOf, stage_of, tournament_of
from league.tournaments.stage_state import BRACKETS, StageState, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import columns_of
from league.tournaments.tables import rows_of as tournament_rows
from scoring.egn import EgnError

REASONS = 3
"""How many reasons a page gives why games cannot be exported as EGN."""


@require_GET
@signed_in
@password_first
def my_data(request: HttpRequest) -> HttpResponse:
    """Everything stored about one's own account and results; asks for the password."""
    data = JsonResponse(data_of(cast(User, request.user)), json_dumps_params={"indent": 2})
    data["Content-Disposition"] = 'attachment; filename="right-bower-my-data.json"'
    return data


@club_page("member")
def export_session(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    club_session = released_session(club, public_id, request.rank)
    table = queries.session_standings(club_session, at=timezone.now())
    name = f"{club_session.held_on} {club_session.name}"
    return download(standings_sheet(request, club, table, kind), name=name, kind=kind)


@club_page("member")
def export_season(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    season = get_object_or_404(club.seasons.select_related("club"), public_id=public_id)
    params = params_of(request.GET, frozenset())
    division = division_of(season, list(season.divisions.all()), params.division or "all")
    table = season_standings(
        season, at=timezone.now(), by=params.by, upto=params.upto, division=division
    )
    name = f"{season.name} {division.name}" if division else season.name
    return download(standings_sheet(request, club, table, kind), name=name, kind=kind)


def standings_sheet(request: ClubRequest, club: Club, table: Standings, kind: str) -> bytes:
    """Every line with all its figures, its unfinished games, and how its place was decided."""
    headers = [_("Place"), _("Tied"), _("Player"), _("Guest"), _("Games"), _("Unfinished games")]
    headers += [str(LABELS[measure.code].name) for measure in table.columns]
    names = queries.names(table.people, club, request.rank)
    yes = _("yes")
    rows = [
        [
            "" if row.still_in else row.rank,
            yes if row.shared else "",
            row.name,
            yes if row.is_guest else "",
            row.games,
            row.open_games,
            *(row.values[measure.code] for measure in table.columns),
            " ".join(row.why),
        ]
        for row in rows_of(table, names)
    ]
    return sheet([*headers, _("How the place was decided")], rows, kind=kind)


@club_page("member")
def export_team_table(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every team with all its figures, and how its place was decided."""
    league = league_of(club, public_id)
    teams = list(league.teams.all())
    tables = tables_of(league, teams, fixtures_of(league))
    headers = [_("Place"), _("Tied"), _("Team"), _("Points")]
    headers += [pgettext("matches", "Played"), pgettext("matches", "Won")]
    headers += [pgettext("matches", "Drawn"), pgettext("matches", "Lost")]
    headers += [_("Games won"), _("Games lost"), _("Points in games"), _("Against")]
    headers += [_("Points deducted"), _("To be confirmed"), _("How the place was decided")]
    yes, rows = _("yes"), []
    for row in all_rows(tables, teams):
        record = row.record
        line: list[object] = [row.rank or "", yes if row.shared else "", row.team.name]
        line += [row.points if row.struck else record.points]
        line += [record.played, record.wins, record.draws, record.losses]
        line += [record.won, record.lost, record.own, record.theirs]
        line += [record.deducted, record.provisional, " ".join(row.why)]
        rows.append(line)
    return download(sheet(headers, rows, kind=kind), name=league.name, kind=kind)


def export_in_background(
    request: ClubRequest, club: Club, work: Work, params: Mapping[str, object] | None = None
) -> HttpResponse:
    """The page of a slow export; a POST from its button starts the job."""
    if request.method == "POST":
        job = start_job(club, work, by=actor_of(request), params=params)
        return redirect("job", club.slug, job.public_id)
    context = {"club": club, "here": "sessions", "kind": work.kind.label}
    return render(request, "exchange/export.html", context)


@club_page("organiser")
@require_safe
def export_people(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """All players with their details, e-mail addresses included."""
    content = sheet(MEMBERS, people_rows(club), kind=kind)
    return download(content, name=f"{club.name} people", kind=kind)


@club_page(PUBLIC)
@require_safe
def session_results(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """A session's results as a sheet."""
    club_session = released_session(club, public_id, request.rank)
    name = f"{club_session.held_on} {club_session.name} results"
    games = list(ended_games(Game.objects.filter(session=club_session)))
    return download(results_file(club, games, request.rank, kind), name=name, kind=kind)


@club_page("member")
@require_http_methods(["GET", "HEAD", "POST"])
def club_results(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Every result of the club as a sheet."""
    if not is_small(club):
        # The file shows names by rank, so only people of at least its creator's rank may have it.
        work = Work(Job.Kind.EXPORT_RESULTS, WRITE_RESULTS, request.rank or Role.Rank.OWNER)
        return export_in_background(request, club, work, {"kind": kind})
    content = results_file(club, results_of(club, request.rank), request.rank, kind)
    return download(content, name=f"{club.name} results", kind=kind)


@club_page("member")
@require_safe
def export_sessions(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Every session with its plan, its state, its number of tables and its attendance."""
    content = sheet(SESSIONS, session_rows(club), kind=kind)
    return download(content, name=f"{club.name} sessions", kind=kind)


@require_http_methods(["GET", "POST"])
@club_page("owner")
@password_first
def club_archive(request: ClubRequest, club: Club) -> HttpResponse:
    """A full backup of the club; asks for the password and is logged."""
    if not is_small(club):
        return export_in_background(
            request, club, Work(Job.Kind.EXPORT_CLUB, WRITE_ARCHIVE, Role.Rank.OWNER)
        )
    at = timezone.now()
    content = archive_file(club, by=actor_of(request), at=at)
    return download(content, name=archive_name(club, at), kind="json")


@club_page(PUBLIC)
@require_safe
def game_egn(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One game for other Euchre programs."""
    game_log = _game_log_of(request, club, public_id)
    try:
        egn = egn_of(game_log, _namer(request, club, [game_log]))
    except EgnError as error:
        raise _egn_refusal(error) from error
    name = file_name(game_log.table.session, game_log.table.number)
    return download(_json(egn), name=name, kind="egn")


@club_page(PUBLIC)
@require_safe
def game_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One game as hand records."""
    game_log = _game_log_of(request, club, public_id)
    name = file_name(game_log.table.session, game_log.table.number)
    return download(json_lines([game_log]).encode(), name=name, kind="jsonl")


@club_page(PUBLIC)
@require_safe
def session_files(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A session's downloads, and which games EGN cannot hold and why."""
    club_session = released_session(club, public_id, request.rank)
    games = [(game_log.game, why_not_egn(game_log)) for game_log in game_logs_of(club_session)]
    main_reasons = [reasons[0] for _game, reasons in games if reasons]
    context = {
        "club": club,
        "club_session": club_session,
        "here": "sessions",
        "any_game": bool(games),
        "egn_games": [game for game, reasons in games if not reasons],
        "refused": len(main_reasons) if reaches(request.rank, Role.Rank.ORGANISER) else 0,
        "reasons": [reason for reason, _n in Counter(main_reasons).most_common(REASONS)],
    }
    return render(request, "exchange/files.html", context)


@club_page(PUBLIC)
@require_safe
def session_emn(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A session's games for other Euchre programs, without those that EGN cannot hold."""
    club_session = released_session(club, public_id, request.rank)
    game_logs = game_logs_of(club_session)
    try:
        emn = emn_of(game_logs, _namer(request, club, game_logs))
    except EgnError as error:
        raise _egn_refusal(error) from error
    return download(_json(emn), name=file_name(club_session), kind="emn")


@club_page(PUBLIC)
@require_safe
def session_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A session's hands as hand records."""
    club_session = released_session(club, public_id, request.rank)
    lines = json_lines(game_logs_of(club_session))
    return download(lines.encode(), name=file_name(club_session), kind="jsonl")


@club_page(PUBLIC)
@require_safe
def session_hands(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """A session's hands as a sheet."""
    club_session = released_session(club, public_id, request.rank)
    game_logs = game_logs_of(club_session)
    rows = hand_rows(game_logs, _namer(request, club, game_logs))
    return download(sheet(HANDS, rows, kind=kind), name=file_name(club_session), kind=kind)


def game_logs_of(club_session: Session) -> list[GameLog]:
    """A session's games with all their hands, by table and age, in a fixed number of queries."""
    games = with_everything(Game.objects.filter(session=club_session))
    return [prefetched_game_log(game) for game in games.order_by("table__number", "pk")]


def _game_log_of(request: ClubRequest, club: Club, public_id: str) -> GameLog:
    games = with_everything(Game.objects.filter(session__club=club))
    game_log = prefetched_game_log(get_object_or_404(games, public_id=public_id))
    refuse_held_game(game_log, request.rank, request.user)
    return game_log


def _namer(request: ClubRequest, club: Club, game_logs: list[GameLog]) -> Namer:
    people = (seat.member for game_log in game_logs for seat in game_log.seats)
    return namer(people, club, request.rank, numbered=False)


def file_name(club_session: Session, table: int | None = None) -> str:
    name = f"{club_session.held_on} {club_session.name}"
    return name if table is None else f"{name} {table}"


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


def _egn_refusal(error: EgnError) -> Refused:
    why = " ".join(reasons_in_words(error)[:5])
    return Refused("not-egn", _("EGN cannot hold this. %(why)s") % {"why": why}, status=409)


@club_page("member")
def export_tournament_standings(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """Every entry with all its figures, and how its place was decided, group by group."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    refuse_held(state.stage.tournament.session, request.rank)
    name_of = _entry_namer(state, club, request.rank)
    in_groups = state.stage.format == Stage.Format.GROUPS and bool(state.published)
    groups = group_states(state) if in_groups else [state]
    first = standing_of(groups[0])
    measures = [measure for measure in first.measures if not measure.among]
    headers = [_("Group"), _("Place"), _("Tied"), _("Name"), _("Withdrawn")]
    headers += [str(label.name) for label in columns_of(groups[0], first)[: len(measures)]]
    yes, lines = _("yes"), []
    for number, group in enumerate(groups, 1):
        standing = standing_of(group)
        values = {line.who: line.values for line in standing.lines}
        for row in tournament_rows(group, standing, name_of):
            line: list[object] = [number if in_groups else "", row.rank or ""]
            line += [yes if row.shared else "", row.name, yes if row.withdrawn else ""]
            line += [values[row.who][measure.code] for measure in measures]
            lines.append([*line, " ".join(row.why)])
    content = sheet([*headers, _("How the place was decided")], lines, kind=kind)
    return download(content, name=state.stage.tournament.name, kind=kind)


@club_page("member")
def export_bracket(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every match of a bracket: both sides, or where they will come from, the score and the winner.
    No lines for a tournament without a bracket."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    parts = bracket_parts(state, _entry_namer(state, club, request.rank))
    headers = [_("Bracket"), _("Round"), _("Match"), _("First"), _("Second")]
    headers += [_("Score of the first"), _("Score of the second"), _("Winner"), _("Not played")]
    lines = []
    for title, round_ in ((part.title, round_) for part in parts for round_ in part.rounds):
        for match in round_.matches:
            line: list[object] = [title, round_.title, match.number]
            line += [side.name for side in match.sides] + [side.score for side in match.sides]
            line.append(next((side.name for side in match.sides if side.won), ""))
            lines.append([*line, _("yes") if match.walkover else ""])
    name = f"{state.stage.tournament.name} bracket"
    return download(sheet(headers, lines, kind=kind), name=name, kind=kind)


def _entry_namer(state: StageState, club: Club, rank: str | None) -> NameOf:
    """Names the players of all entries, as this rank may see them."""
    people = [member for entry in state.entries.values() for member in entry.people]
    return namer(people, club, rank, numbered=False)


@club_page("member")
def export_rounds(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """The tournament with all its rounds; once it is finished, the sheet can be imported again."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    tournament = state.stage.tournament
    if state.stage.format not in BRACKETS:  # the rounds would give away the held standings
        refuse_held(tournament.session, request.rank)
    rows = round_rows(state, _entry_namer(state, club, request.rank))
    content = sheet(ROUNDS, rows, kind=kind)
    return download(content, name=f"{tournament.name} rounds", kind=kind)
