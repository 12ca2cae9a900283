"""The club's pages about its games: the score sheet, the list to enter from paper, the disputes."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import PUBLIC, club_page, reaches
from league.errors import Refused
from league.members.audit import PROGRAM, actor_of
from league.members.models import Club, Role
from league.members.public import namer
from league.play import actions
from league.play.book import open_book
from league.play.derived import as_of
from league.play.entry_page import new_client_id
from league.play.forms import AdjustForm, DecisionForm, ReasonForm, StrictForm
from league.play.models import Game
from league.play.queries import (
    games_of,
    state_of,
    unfinished,
    unsettled,
    words_on,
)
from league.play.sheet import sheet_of
from league.play.views.answering import form_post, valid
from league.sessions.queries import session_of


@club_page(PUBLIC)
@require_safe
def game(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """A game hand by hand."""
    return _game_page(request, club, _game(club, public_id))


@club_page(Role.Rank.ORGANISER)
@form_post
def confirm(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Confirm a finished game as it is."""

    def order(game: Game, told: dict[str, Any], **who: Any) -> None:
        actions.confirm_game(game.table, **who)

    return _order(request, club, public_id, StrictForm(request), order)


@club_page(Role.Rank.ORGANISER)
@form_post
def settle(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Decide about a disputed, unconfirmed or reopened game."""

    def order(game: Game, told: dict[str, Any], **who: Any) -> None:
        winners = [int(told["winners"])] if told["winners"] else None
        actions.settle_game(
            game.table, told["decision"], reason=told["reason"], winners=winners, **who
        )

    return _order(request, club, public_id, DecisionForm(request), order)


@club_page(Role.Rank.ORGANISER)
@form_post
def abandon(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Say that a game was not played."""

    def order(game: Game, told: dict[str, Any], **who: Any) -> None:
        actions.abandon_game(game.table, reason=told["reason"], **who)

    return _order(request, club, public_id, ReasonForm(request), order)


@club_page(Role.Rank.ORGANISER)
@form_post
def adjust(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Add points by an organiser's own ruling."""

    def order(game: Game, told: dict[str, Any], **who: Any) -> None:
        points = [int(told[f"points{side}"] or 0) for side in range(len(state.sides))]
        actions.adjust_score(
            game.table, points, reason=told["reason"], client_id=told["client_id"], **who
        )

    state = open_book(_game(club, public_id).table).state
    form = AdjustForm(request, sides=len(state.sides))
    return _order(request, club, public_id, form, order)


@club_page(Role.Rank.ORGANISER)
@form_post
def withdraw(request: HttpRequest, club: Club, public_id: str, ruling: int) -> HttpResponse:
    """Take a ruling back."""

    def order(game: Game, told: dict[str, Any], **who: Any) -> None:
        actions.withdraw_ruling(game.table, ruling, **who)

    return _order(request, club, public_id, StrictForm(request), order)


@club_page(Role.Rank.SCOREKEEPER)
@require_safe
def tables_to_enter(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Every table of the evening, for whoever types sheets in from paper."""
    club_session, now = session_of(club, public_id), timezone.now()
    ended = games_of(club_session).exclude(state=Game.State.PLAYING)
    context = {
        "club": club,
        "club_session": club_session,
        "open_tables": unfinished(club_session),
        "games": [as_of(game, now) for game in ended],
        "here": "sessions",
    }
    return render(request, "play/games.html", context)


@club_page(Role.Rank.ORGANISER)
@require_safe
def disputes(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """What keeps the evening from being closed: disputes, odd games, unfinished tables."""
    club_session = session_of(club, public_id)
    context = {
        "club": club,
        "club_session": club_session,
        "unsettled": unsettled(club_session, timezone.now()),
        "unfinished": unfinished(club_session),
        "here": "sessions",
    }
    return render(request, "play/disputes.html", context)


def _game(club: Club, public_id: str) -> Game:
    games = Game.objects.select_related("ruleset", "table__session__club", "table__ruleset")
    return get_object_or_404(games, public_id=public_id, session__club=club)


def _game_page(
    request: HttpRequest, club: Club, game: Game, refused: Refused | None = None
) -> HttpResponse:
    rank = request.rank  # type: ignore[attr-defined]
    book, now = open_book(game.table), timezone.now()
    as_of(book.game, now)
    context = {
        "club": club,
        "club_session": game.table.session,
        "game": as_of(game, now),
        "told": state_of(book, at=now),
        "sheet": sheet_of(book, namer([seat.member for seat in book.seats], club, rank)),
        "refused": refused,
        "may_correct": reaches(rank, Role.Rank.ORGANISER),
        "words": words_on(game) if rank else (),
        "fresh_id": new_client_id(),
        "here": "sessions",
    }
    return render(request, "play/game.html", context, status=refused.status if refused else 200)


def _order(
    request: HttpRequest, club: Club, public_id: str, form: StrictForm, order: Any
) -> HttpResponse:
    """An organiser's order about a game: done, and back to its sheet; refused, and told on it."""
    game = _game(club, public_id)
    try:
        order(game, valid(form).cleaned_data, by=actor_of(request), at=timezone.now())
        actions.accept_silent(game.table.session, by=PROGRAM, at=timezone.now())
    except Refused as refused:
        return _game_page(request, club, game, refused)
    return redirect("game", club.slug, game.public_id)
