"""Games and their hands to take away: one game, or a whole session."""

import json

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused
from league.exchange.game_files import (
    Namer,
    egn_of,
    emn_of,
    hand_rows,
    json_lines,
    reasons_in_words,
    why_not_egn,
)
from league.exchange.sheets import HANDS, download, sheet
from league.members.models import Club
from league.members.public import namer
from league.play.game_log import GameLog
from league.play.models import Game
from league.play.recount import prefetched_game_log, with_everything
from league.sessions.models import Session
from league.standings.queries import released_session
from scoring.egn import EgnError


@club_page(PUBLIC)
@require_safe
def game_egn(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One game for other Euchre programs."""
    book = _book_of(club, public_id)
    try:
        written = egn_of(book, _namer(request, club, [book]))
    except EgnError as error:
        raise _cannot(error) from error
    return download(_json(written), name=_name(book.table.session, book.table.number), kind="egn")


@club_page(PUBLIC)
@require_safe
def game_records(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One game as hand records."""
    book = _book_of(club, public_id)
    name = _name(book.table.session, book.table.number)
    return download(json_lines([book]).encode(), name=name, kind="jsonl")


@club_page(PUBLIC)
@require_safe
def session_files(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What can be taken away of a session, and which games EGN cannot hold and why."""
    club_session = released_session(club, public_id, request.rank)
    games = [(book.game, why_not_egn(book)) for book in books_of(club_session)]
    context = {"club": club, "club_session": club_session, "games": games, "here": "sessions"}
    context["any_egn"] = any(not reasons for _game, reasons in games)
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


def _book_of(club: Club, public_id: str) -> GameLog:
    games = with_everything(Game.objects.filter(session__club=club))
    return prefetched_game_log(get_object_or_404(games, public_id=public_id))


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
