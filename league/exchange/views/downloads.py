"""Files to download: people, sessions, games and their hands, results, standings, brackets, a
league's table, the whole club, one's own data."""

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

from league.access import PUBLIC, ClubRequest, club_page, password_first, signed_in
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
from league.members.models import Club, Job, Role, User
from league.members.public import namer
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
"""How many reasons why games cannot be EGN a page names: more are read by nobody."""


@require_GET
@signed_in
@password_first
def my_data(request: HttpRequest) -> HttpResponse:
    """Everything kept of one's own account and results, to take away; the password is asked."""
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
    wanted = params_of(request.GET, frozenset())
    division = division_of(season, list(season.divisions.all()), wanted.division or "all")
    table = season_standings(
        season, at=timezone.now(), by=wanted.by, upto=wanted.upto, division=division
    )
    name = f"{season.name} {division.name}" if division else season.name
    return download(standings_sheet(request, club, table, kind), name=name, kind=kind)


def standings_sheet(request: ClubRequest, club: Club, table: Standings, kind: str) -> bytes:
    """Every line with all its figures, what is still open, and why it stands where it does."""
    headers = [_("Place"), _("Tied"), _("Player"), _("Guest"), _("Games"), _("Unfinished games")]
    headers += [str(LABELS[measure.code].name) for measure in table.columns]
    names = queries.names(table.people, club, request.rank)
    yes = _("yes")
    rows = [
        [
            row.rank,
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
    """Every team with all its figures, and why it stands where it does."""
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
        line: list[object] = [row.rank or "", yes if row.shared else "", row.team.name, row.points]
        line += [record.played, record.wins, record.draws, record.losses]
        line += [record.won, record.lost, record.own, record.theirs]
        line += [record.deducted, record.provisional, " ".join(row.why)]
        rows.append(line)
    return download(sheet(headers, rows, kind=kind), name=league.name, kind=kind)


def export_beside(
    request: ClubRequest, club: Club, work: Work, params: Mapping[str, object] | None = None
) -> HttpResponse:
    """The page of an export that takes its time; its button starts it. A link starts nothing."""
    if request.method == "POST":
        job = start_job(club, work, by=actor_of(request), params=params)
        return redirect("job", club.slug, job.public_id)
    context = {"club": club, "here": "sessions", "kind": work.kind.label}
    return render(request, "exchange/export.html", context)


@club_page("organiser")
@require_safe
def export_people(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Everybody on the list with what is written of them; e-mail addresses are in it."""
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
        # Names are shown by rank: somebody who may see less than its starter may not have the file.
        work = Work(Job.Kind.EXPORT_RESULTS, WRITE_RESULTS, request.rank or Role.Rank.OWNER)
        return export_beside(request, club, work, {"kind": kind})
    content = results_file(club, results_of(club, request.rank), request.rank, kind)
    return download(content, name=f"{club.name} results", kind=kind)


@club_page("member")
@require_safe
def export_sessions(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Every evening with what is planned of it, its state, its tables and how many came."""
    content = sheet(SESSIONS, session_rows(club), kind=kind)
    return download(content, name=f"{club.name} sessions", kind=kind)


@require_http_methods(["GET", "POST"])
@club_page("owner")
@password_first
def club_archive(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything of the club to take away; the password is asked, and it is written down."""
    if not is_small(club):
        return export_beside(
            request, club, Work(Job.Kind.EXPORT_CLUB, WRITE_ARCHIVE, Role.Rank.OWNER)
        )
    at = timezone.now()
    content = archive_file(club, by=actor_of(request), at=at)
    return download(content, name=archive_name(club, at), kind="json")


@club_page(PUBLIC)
@require_safe
def game_egn(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One game for other Euchre programs."""
    book = _book_of(request, club, public_id)
    try:
        written = egn_of(book, _namer(request, club, [book]))
    except EgnError as error:
        raise _cannot(error) from error
    return download(_json(written), name=_name(book.table.session, book.table.number), kind="egn")


@club_page(PUBLIC)
@require_safe
def game_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One game as hand records."""
    book = _book_of(request, club, public_id)
    name = _name(book.table.session, book.table.number)
    return download(json_lines([book]).encode(), name=name, kind="jsonl")


@club_page(PUBLIC)
@require_safe
def session_files(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What can be taken away of a session, and which games EGN cannot hold and why."""
    club_session = released_session(club, public_id, request.rank)
    games = [(book.game, why_not_egn(book)) for book in books_of(club_session)]
    refused = [reasons[0] for _game, reasons in games if reasons]
    context = {
        "club": club,
        "club_session": club_session,
        "here": "sessions",
        "any_game": bool(games),
        "egn_games": [game for game, reasons in games if not reasons],
        "refused": len(refused),
        "reasons": [why for why, _n in Counter(refused).most_common(REASONS)],
    }
    return render(request, "exchange/files.html", context)


@club_page(PUBLIC)
@require_safe
def session_emn(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A session's games for other Euchre programs, without those that EGN cannot hold."""
    club_session = released_session(club, public_id, request.rank)
    books = books_of(club_session)
    try:
        written = emn_of(books, _namer(request, club, books))
    except EgnError as error:
        raise _cannot(error) from error
    return download(_json(written), name=_name(club_session), kind="emn")


@club_page(PUBLIC)
@require_safe
def session_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A session's hands as hand records."""
    club_session = released_session(club, public_id, request.rank)
    lines = json_lines(books_of(club_session))
    return download(lines.encode(), name=_name(club_session), kind="jsonl")


@club_page(PUBLIC)
@require_safe
def session_hands(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """A session's hands as a sheet."""
    club_session = released_session(club, public_id, request.rank)
    books = books_of(club_session)
    rows = hand_rows(books, _namer(request, club, books))
    return download(sheet(HANDS, rows, kind=kind), name=_name(club_session), kind=kind)


def books_of(club_session: Session) -> list[GameLog]:
    """A session's games with all their hands, by table and age, in a fixed number of queries."""
    games = with_everything(Game.objects.filter(session=club_session))
    return [prefetched_game_log(game) for game in games.order_by("table__number", "pk")]


def _book_of(request: ClubRequest, club: Club, public_id: str) -> GameLog:
    games = with_everything(Game.objects.filter(session__club=club))
    book = prefetched_game_log(get_object_or_404(games, public_id=public_id))
    refuse_held_game(book, request.rank, request.user)
    return book


def _namer(request: ClubRequest, club: Club, books: list[GameLog]) -> Namer:
    people = (seat.member for book in books for seat in book.seats)
    return namer(people, club, request.rank)


def _name(club_session: Session, table: int | None = None) -> str:
    name = f"{club_session.held_on} {club_session.name}"
    return name if table is None else f"{name} {table}"


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


def _cannot(error: EgnError) -> Refused:
    why = " ".join(reasons_in_words(error)[:5])
    return Refused("not-egn", _("EGN cannot hold this. %(why)s") % {"why": why}, status=409)


@club_page("member")
def export_tournament_standings(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """Everybody who entered with all figures, and why they stand where they do; group by group."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    refuse_held(state.stage.tournament.session, request.rank)
    name_of = _entered(state, club, request.rank)
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
    """Every match of a bracket: who met whom, or whence they will come, the score, who won.
    No line where a tournament has no bracket."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    parts = bracket_parts(state, _entered(state, club, request.rank))
    headers = [_("Bracket"), _("Round"), _("Match"), _("First"), _("Second")]
    headers += [_("Score of the first"), _("Score of the second"), _("Winner"), _("Not played")]
    lines = []
    for title, round_ in ((part.title, one) for part in parts for one in part.rounds):
        for match in round_.matches:
            line: list[object] = [title, round_.title, match.number]
            line += [side.name for side in match.sides] + [side.score for side in match.sides]
            line.append(next((side.name for side in match.sides if side.won), ""))
            lines.append([*line, _("yes") if match.walkover else ""])
    name = f"{state.stage.tournament.name} bracket"
    return download(sheet(headers, lines, kind=kind), name=name, kind=kind)


def _entered(state: StageState, club: Club, rank: str | None) -> NameOf:
    """The names of those who entered, as this rank may read them."""
    people = [one for entry in state.entries.values() for one in entry.people]
    return namer(people, club, rank)


@club_page("member")
def export_rounds(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """The tournament with all its rounds; the sheet comes in again once it is finished."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    tournament = state.stage.tournament
    if state.stage.format not in BRACKETS:  # by points: its rounds add up to the standings
        refuse_held(tournament.session, request.rank)
    rows = round_rows(state, _entered(state, club, request.rank))
    content = sheet(ROUNDS, rows, kind=kind)
    return download(content, name=f"{tournament.name} rounds", kind=kind)
