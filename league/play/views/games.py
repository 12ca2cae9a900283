"""Pages of a club's games: decisions, unfinished games, tables to enter from paper."""

from dataclasses import replace
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
from league.members.models import Club, Role, namer, number_namesakes
from league.play import actions
from league.play.actions.persistence import is_match_undone
from league.play.auth import form_post
from league.play.final_scores import is_short, keyboard, question_of_score
from league.play.forms import AdjustForm, DecisionForm, ReasonForm, StrictForm
from league.play.game_log import GameLog, open_game_log, rules_of
from league.play.game_over import GameOver
from league.play.keypad import new_client_id
from league.play.models import Game, Ruling
from league.play.previews import preview_of_penalty
from league.play.queries import (
    SideState,
    games_of,
    needs_decision,
    open_tables,
    refuse_held_game,
    state_of,
    unfinished_of,
)
from league.play.results import as_of
from league.play.sheet import (
    correction_since_dispute,
    disputes_and_decisions,
    draw_warning,
    is_corrected_since,
    match_note,
    page_of_matches,
    round_titles,
    sheet_of,
)
from league.play.table_changes import time_was_called
from league.play.views.entry import valid
from league.seating.queries import members_at
from league.sessions.models import Session
from league.sessions.queries import session_of

DISPUTES = "disputes"
RETURN_TO = (DISPUTES, "board", "final_scores")
"""The pages to return to, for organisers who came from there to decide about a game."""


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
        if score and "sure" not in request.POST:
            _refuse_unlikely(game, score)
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


def _refuse_unlikely(game: Game, score: list[int]) -> None:
    """Refuse a score of a game that ends early with it, as it has not before, so that the page asks
    about it."""
    rules = rules_of(game.ruleset.body)
    question = question_of_score(rules, score)
    if question and not is_short(rules, game.score):
        raise Refused("short-game", question, asks="sure")


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
        client_id = data["client_id"]
        actions.adjust_score(
            game.table, form.points(), reason=data["reason"], client_id=client_id, **kwargs
        )

    form = AdjustForm(request, sides=_sides_of(club, public_id))
    return _run_action(request, club, public_id, form, action)


@club_page(Role.Rank.ORGANISER)
@form_post
def preview_adjustment(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """What the score would be with the points typed so far."""
    log = open_game_log(_game_or_404(club, public_id).table)
    form, preview = AdjustForm(request, sides=len(log.rules.sides)), None
    form.is_valid()  # the reason may still be missing
    if any(points := form.points()):
        ruling = Ruling(kind=Ruling.Kind.ADJUSTMENT, points=points)
        preview = preview_of_penalty(log, ruling)
    return render(request, "play/_adjustment_preview.html", {"preview": preview})


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
    """Everything unfinished in a session, each with its possible decisions; `?close=1` is headed as
    the way to close it."""
    club_session = session_of(club, public_id)
    unfinished = unfinished_of(club_session, timezone.now())
    number_namesakes(members_at(unfinished.tables))
    context = {
        "club": club,
        "club_session": club_session,
        "unfinished": unfinished,
        "round_titles": round_titles(unfinished.tables),
        "closing": "close" in request.GET and club_session.state == Session.State.OPEN,
        "any_games": club_session.games.exists,  # counted only where nothing is unfinished
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


def _may_play_on(log: GameLog) -> bool:
    """Whether the players of a game that has ended can go on: their seats are theirs, and its hands
    alone have not ended it."""
    game = log.game
    is_over_by_hands = game.ended_by == Game.EndedBy.PLAY and log.state.over
    return log.table.is_live and game.state != Game.State.PLAYING and not is_over_by_hands


def _game_page(
    request: HttpRequest, club: Club, game: Game, refused: Refused | None = None
) -> HttpResponse:
    rank = request.rank  # type: ignore[attr-defined]
    log, now, club_session = open_game_log(game.table), timezone.now(), game.table.session
    refuse_held_game(log, rank, request.user)
    as_of(log.game, now)
    state = state_of(log, at=now)
    sheet = sheet_of(log, namer([*log.people, *(seat.member for seat in log.seats)], club, rank))
    named_sides = list(zip(sheet.sides, state.sides, strict=True))
    sides = _counted_sides(log, state.sides, sheet.sides)
    public_sides = [replace(side, name=name) for name, side in named_sides]
    over = GameOver(log, sides if rank else public_sides)
    wanted = (request.GET.get("then"), request.POST.get("then"))
    return_to = next((page for page in RETURN_TO if page in wanted), "")
    words = disputes_and_decisions(game, named_sides) if rank else []
    context = _decision_context(request, log, sides) | {
        "club": club,
        "club_session": club_session,
        "game": as_of(game, now),
        "needs_decision": needs_decision(game)
        or (game.state == Game.State.PLAYING and return_to == DISPUTES),
        "then": return_to,
        "result": over.result_text,
        "public_decision": _public_decision(over, rank),
        "state": state,
        "match": match_note(game.table, sheet.sides),
        "matches": page_of_matches(game.table),
        "round_title": round_titles([game.table])[game.table.pk],
        "sheet": sheet,
        "time_called": time_was_called(log),
        "conceded_by": _conceded_by(log.game, named_sides),
        "below_zero": any(side.points < 0 for side in state.sides),
        "named_sides": named_sides,
        "refused": refused,
        "is_undone": game.is_walkover or (game.is_called_off and is_match_undone(game.table)),
        "may_correct": (organiser := reaches(rank, Role.Rank.ORGANISER)),
        "draw_warning": draw_warning(game.table) if organiser else "",
        "words": words,
        "corrected": correction_since_dispute(log, words),
        "fresh_id": new_client_id(),
        "here": "sessions",
    }
    return render(request, "play/game.html", context, status=refused.status if refused else 200)


def _public_decision(over: GameOver, rank: str | None) -> str:
    """For the public: whether an organiser decided the game ("decided"), and whether a correction
    since has changed what was decided ("corrected")."""
    if rank or over.log.game.state != Game.State.CONFIRMED or not over.decision:
        return ""
    return "corrected" if is_corrected_since(over.decision, over.log.game) else "decided"


def _decision_context(request: HttpRequest, log: GameLog, sides: list[SideState]) -> dict[str, Any]:
    """What the form of a decision needs: for whom it counts, what may be chosen, what was typed."""
    is_open = log.table.session.state == Session.State.OPEN
    points = [request.POST.get(f"points{index}", "") for index in range(len(sides))]
    totals = [request.POST.get(f"total{n}", side.points) for n, side in enumerate(sides)]
    return {
        "sent": request.POST,
        "sides": sides,
        "typed": list(zip(sides, totals, strict=True)),
        "added": list(zip(sides, points, strict=True)),
        "keyboard": keyboard(log.rules),
        "may_play_on": is_open and _may_play_on(log),
        "earlier_end": any(fault.code == "game-over" for fault in log.conflicts()),
        "not_played": [seat.member.label for seat in log.newcomers] if _has_hands(log) else [],
    }


def _has_hands(log: GameLog) -> bool:
    return bool(log.hands) and log.game.totals is None


def _counted_sides(log: GameLog, sides: list[SideState], names: list[str]) -> list[SideState]:
    """The sides under the names for which a decision counts: `names`, of who played the last hand,
    or without hands those of who sits there now."""
    if not _has_hands(log):
        return sides
    return [replace(side, name=name) for side, name in zip(sides, names, strict=True)]


def _conceded_by(game: Game, named_sides: list[tuple[str, SideState]]) -> str:
    """The name of the side that conceded the game; empty if it ended otherwise."""
    if game.ended_by != Game.EndedBy.CONCEDED or game.is_walkover:
        return ""
    return next((name for name, side in named_sides if game.ended_seat in side.seats), "")


def _outcome_text(game: Game) -> str:
    """What has become of a game, for the list that no longer shows it."""
    if game.state in (Game.State.CONFIRMED, Game.State.FINISHED):
        result = _result_text(game)
    else:
        result = str(game.get_state_display())
    return _("Table %(n)d · %(result)s") % {"n": game.table.number, "result": result}


def _new_winner_text(game: Game, old_winners: list[int]) -> str:
    """That an action has changed who won a game; empty if it was not won before or still is."""
    if not old_winners or game.winners == old_winners:
        return ""
    if not game.winners:
        return _("The game is unfinished again.")
    return _("The winner has changed: %(result)s") % {"result": _result_text(game)}


def _result_text(game: Game) -> str:
    log = open_game_log(game.table)
    return GameOver(log, state_of(log, at=timezone.now()).sides).result_text


def _run_action(
    request: HttpRequest, club: Club, public_id: str, form: StrictForm, action: Any
) -> HttpResponse:
    """Run an organiser's action on a game, then return to its sheet, with the reason if refused.

    Organisers who came from the list of unfinished games or from the board return there.
    """
    game = _game_or_404(club, public_id)
    old_winners = game.winners
    try:
        action(game, valid(form).cleaned_data, by=actor_of(request), at=timezone.now())
        actions.auto_confirm(game.table.session, by=PROGRAM, at=timezone.now())
    except Refused as refused:
        return _game_page(request, club, game, refused)
    return_to = request.POST.get("then")
    if return_to in RETURN_TO:
        messages.success(request, _outcome_text(_game_or_404(club, public_id)))
        return redirect(return_to, club.slug, game.session.public_id)
    if sentence := _new_winner_text(_game_or_404(club, public_id), old_winners):
        messages.success(request, sentence)
    return redirect("game", club.slug, game.public_id)


@club_page(Role.Rank.SCOREKEEPER)
@require_safe
def tables_to_enter(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Every table of the session, to enter score sheets from paper."""
    club_session, now = session_of(club, public_id), timezone.now()
    ended = games_of(club_session).exclude(state=Game.State.PLAYING)
    tables, latest = open_tables(club_session), max(ended, key=lambda game: game.pk, default=None)
    games = [as_of(game, now) for game in ended]
    number_namesakes(members_at([*tables, *(game.table for game in games)]))
    context = {
        "club": club,
        "club_session": club_session,
        "open_tables": tables,
        "tournament": page_of_matches(latest.table) if latest and not tables else None,
        "games": games,
        "round_titles": round_titles(game.table for game in ended),
        "here": "sessions",
    }
    return render(request, "play/games.html", context)
