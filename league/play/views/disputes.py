"""The page of a game with an organiser's decisions, and the list of unfinished games."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, club_page, reaches
from league.errors import Refused
from league.members.audit import PROGRAM, actor_of
from league.members.models import Club, Role
from league.members.public import namer
from league.play import actions
from league.play.auth import form_post
from league.play.forms import AdjustForm, DecisionForm, ReasonForm, StrictForm
from league.play.game_log import open_game_log
from league.play.game_over import GameOver
from league.play.keypad import new_client_id
from league.play.models import Game
from league.play.queries import (
    SideState,
    disputes_and_decisions,
    needs_decision,
    refuse_held_game,
    state_of,
    unfinished_of,
)
from league.play.results import as_of
from league.play.sheet import match_note, sheet_of
from league.play.views.entry import valid
from league.sessions.models import Session
from league.sessions.queries import session_of

DISPUTES = "disputes"
"""The page to return to, for organisers who decide about one game after the other."""


@club_page(PUBLIC)
@require_safe
def game(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """A game hand by hand."""
    return _game_page(request, club, _game_or_404(club, public_id))


@club_page(Role.Rank.ORGANISER)
@form_post
def confirm(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Confirm a finished game as it is."""

    def action(game: Game, data: dict[str, Any], **kwargs: Any) -> None:
        actions.confirm_game(game.table, **kwargs)

    return _run_action(request, club, public_id, StrictForm(request), action)


@club_page(Role.Rank.ORGANISER)
@form_post
def settle(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Decide about a disputed, unconfirmed or reopened game."""

    def action(game: Game, data: dict[str, Any], **kwargs: Any) -> None:
        winners = [int(data["winners"])] if data["winners"] else None
        score = form.score() if data["decision"] == "score" else None
        actions.settle_game(
            game.table,
            data["decision"],
            reason=data["reason"],
            winners=winners,
            score=score,
            **kwargs,
        )

    form = DecisionForm(request, sides=_sides_of(club, public_id))
    return _run_action(request, club, public_id, form, action)


@club_page(Role.Rank.ORGANISER)
@form_post
def abandon(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Mark a game as not played."""

    def action(game: Game, data: dict[str, Any], **kwargs: Any) -> None:
        actions.abandon_game(game.table, reason=data["reason"], **kwargs)

    return _run_action(request, club, public_id, ReasonForm(request), action)


@club_page(Role.Rank.ORGANISER)
@form_post
def adjust(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Adjust the score by an organiser's ruling."""

    def action(game: Game, data: dict[str, Any], **kwargs: Any) -> None:
        points = [int(data[f"points{side}"] or 0) for side in range(sides)]
        actions.adjust_score(
            game.table, points, reason=data["reason"], client_id=data["client_id"], **kwargs
        )

    sides = _sides_of(club, public_id)
    form = AdjustForm(request, sides=sides)
    return _run_action(request, club, public_id, form, action)


@club_page(Role.Rank.ORGANISER)
@form_post
def withdraw(request: HttpRequest, club: Club, public_id: str, ruling: int) -> HttpResponse:
    """Withdraw a ruling."""

    def action(game: Game, data: dict[str, Any], **kwargs: Any) -> None:
        actions.withdraw_ruling(game.table, ruling, **kwargs)

    return _run_action(request, club, public_id, StrictForm(request), action)


@club_page(Role.Rank.ORGANISER)
@require_safe
def disputes(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Everything unfinished in a session, each with its possible decisions."""
    club_session = session_of(club, public_id)
    context = {
        "club": club,
        "club_session": club_session,
        "unfinished": unfinished_of(club_session, timezone.now()),
        "here": "sessions",
    }
    return render(request, "play/disputes.html", context)


@club_page(Role.Rank.ORGANISER)
@require_POST
def confirm_all(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Confirm every finished game that nobody disputes."""
    club_session, now = session_of(club, public_id), timezone.now()
    games = unfinished_of(club_session, now).to_confirm
    with transaction.atomic():
        for game in games:
            actions.confirm_game(game.table, by=actor_of(request), at=now)
    sentence = ngettext("Confirmed %(n)d game.", "Confirmed %(n)d games.", len(games))
    messages.success(request, sentence % {"n": len(games)})
    return redirect(DISPUTES, club.slug, public_id)


def _game_or_404(club: Club, public_id: str) -> Game:
    games = Game.objects.select_related(
        "ruleset", "table__session__club", "table__ruleset", "table__round"
    )
    return get_object_or_404(games, public_id=public_id, session__club=club)


def _sides_of(club: Club, public_id: str) -> int:
    """The number of sides in a game."""
    return len(open_game_log(_game_or_404(club, public_id).table).rules.sides)


def _game_page(
    request: HttpRequest, club: Club, game: Game, refused: Refused | None = None
) -> HttpResponse:
    rank = request.rank  # type: ignore[attr-defined]
    log, now, club_session = open_game_log(game.table), timezone.now(), game.table.session
    refuse_held_game(log, rank, request.user)
    as_of(log.game, now)
    state = state_of(log, at=now)
    sheet = sheet_of(log, namer([seat.member for seat in log.seats], club, rank))
    named_sides = list(zip(sheet.sides, state.sides, strict=True))
    return_to = DISPUTES if DISPUTES in (request.GET.get("then"), request.POST.get("then")) else ""
    is_open = club_session.state == Session.State.OPEN
    context = {
        "club": club,
        "club_session": club_session,
        "game": as_of(game, now),
        "needs_decision": needs_decision(game)
        or (game.state == Game.State.PLAYING and bool(return_to)),
        "may_play_on": is_open and game.table.is_live and game.state != Game.State.PLAYING,
        "earlier_end": any(fault.code == "game-over" for fault in log.conflicts()),
        "sent": request.POST,
        "typed": [
            (side, request.POST.get(f"total{index}", side.points))
            for index, side in enumerate(state.sides)
        ],
        "added": [
            (side, request.POST.get(f"points{index}", "")) for index, side in enumerate(state.sides)
        ],
        "then": return_to,
        "state": state,
        "match": match_note(game.table, sheet.sides),
        "sheet": sheet,
        "conceded_by": _conceded_by(log.game, named_sides),
        "named_sides": named_sides,
        "refused": refused,
        "may_correct": reaches(rank, Role.Rank.ORGANISER),
        "words": [
            (said, [name for name, side in named_sides if said.seat in side.seats])
            for said in (disputes_and_decisions(game) if rank else ())
        ],
        "fresh_id": new_client_id(),
        "here": "sessions",
    }
    return render(request, "play/game.html", context, status=refused.status if refused else 200)


def _conceded_by(game: Game, named_sides: list[tuple[str, SideState]]) -> str:
    """The name of the side that conceded the game; empty if it ended otherwise."""
    if game.ended_by != Game.EndedBy.CONCEDED:
        return ""
    return next((name for name, side in named_sides if game.ended_seat in side.seats), "")


def _outcome_text(game: Game) -> str:
    """What has become of a game, for the list that no longer shows it."""
    log = open_game_log(game.table)
    if game.state in (Game.State.CONFIRMED, Game.State.FINISHED):
        result = GameOver(log, state_of(log, at=timezone.now()).sides).result_text
    else:
        result = str(game.get_state_display())
    return _("Table %(n)d: %(result)s") % {"n": game.table.number, "result": result}


def _run_action(
    request: HttpRequest, club: Club, public_id: str, form: StrictForm, action: Any
) -> HttpResponse:
    """Run an organiser's action on a game, then return to its sheet, with the reason if refused.

    Organisers who came from the list of unfinished games return there.
    """
    game = _game_or_404(club, public_id)
    try:
        action(game, valid(form).cleaned_data, by=actor_of(request), at=timezone.now())
        actions.auto_confirm(game.table.session, by=PROGRAM, at=timezone.now())
    except Refused as refused:
        return _game_page(request, club, game, refused)
    if request.POST.get("then") == DISPUTES:
        messages.success(request, _outcome_text(_game_or_404(club, public_id)))
        return redirect(DISPUTES, club.slug, game.session.public_id)
    return redirect("game", club.slug, game.public_id)
