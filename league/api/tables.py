"""API of a table: its state; hands, corrections, misdeals, penalties, the end of a game."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Path, Router

from league.api.callers import AT_TABLE, SCOREKEEPERS, Token, caller_of
from league.api.operations import View, Whole, operation, raise_if_unchanged, read
from league.api.shapes.games import (
    CorrectionRequest,
    DeletionRequest,
    DisputeRequest,
    HandCheck,
    HandCheckRequest,
    HandRequest,
    MisdealRequest,
    NextTable,
    PenaltyRequest,
    RecordedHand,
    SideRequest,
    TableStateShape,
    TotalsRequest,
    UndoRequest,
    hand_shape,
    table_state_shape,
)
from league.api.shapes.people import namer
from league.errors import Refused
from league.play import actions
from league.play.auth import TableAccess, table_code
from league.play.game_log import OUT_OF_TURN, GameLog, answer_of, open_game_log, rules_of
from league.play.models import Hand
from league.play.previews import with_hand
from league.play.queries import table_state
from league.seating.models import Round, Table
from scoring import HandRecord, RecordError, check_hand


def table_operation(
    router: Router,
    path: str,
    response: Any = TableStateShape,
    *,
    method: str = "POST",
    least: Token = SCOREKEEPERS,
) -> Callable[[View], View]:
    """Declare a view as an operation on a table that writes to it."""
    return operation(router, (method,), "/tables/{table_id}" + path, least, response)


def access_of(request: HttpRequest, table_id: str) -> TableAccess:
    """The caller's access to a table; 404 if there is none, or if it is not theirs."""
    caller = caller_of(request)
    if caller.table is not None:
        if caller.table.public_id != table_id:
            raise Http404
        return TableAccess(caller.table, caller.by, None)
    tables = Table.objects.select_related("session__club", "ruleset", "round").filter(
        session__club=caller.club, round__state=Round.State.PUBLISHED
    )
    return TableAccess(get_object_or_404(tables, public_id=table_id), caller.by, caller.rank)


def current_state(request: HttpRequest, table: Table) -> TableStateShape:
    """The current state of the table."""
    return table_state_shape(table_state(table, at=timezone.now()), namer(caller_of(request)))


@contextmanager
def include_sent_hand(record: dict[str, Any]) -> Iterator[None]:
    """Add the hand that was sent to a refusal because of a clash."""
    try:
        yield
    except Refused as refused:
        if refused.status == 409:
            refused.details["yours"] = record
        raise


def refuse_unknown_seat(access: TableAccess, seat: int, *, field: str = "seat") -> None:
    """Refuse a seat that this table does not have."""
    if seat >= rules_of(access.table.ruleset.body).players:
        message = _("There is no such seat at this table.")
        raise Refused("bad-seat", message, fields={field: [message]})


router = Router(tags=["Tables"])
HandNumber = Annotated[Whole, Path(ge=1, le=999)]


@read(router, "/tables/{table_id}", AT_TABLE, TableStateShape)
def table(request: HttpRequest, table_id: str) -> TableStateShape:
    """The current state of a table: its players, the score, the dealer, the hands."""
    access = access_of(request, table_id)
    raise_if_unchanged(request, access.table.session)
    return current_state(request, access.table)


@table_operation(router, "/check", HandCheck, least=AT_TABLE)
def check(request: HttpRequest, table_id: str, body: HandCheckRequest) -> HandCheck:
    """Check what a hand would score as the next one at this table, without saving it.

    `score` is the score of each side after it, or null for a hand that the rules do not allow.
    """
    game_log = open_game_log(access_of(request, table_id).table)
    try:
        written = HandRecord.from_json(body.record).to_json()
    except RecordError:
        checked = check_hand(body.record, game_log.rules).to_json()
        return HandCheck.model_validate(checked | {"score": None, "over": False})
    return _preview(
        with_hand(game_log, Hand(number=game_log.next_number, version=0, record=written))
    )


@table_operation(router, "/hands", RecordedHand)
def record_hand(request: HttpRequest, table_id: str, body: HandRequest) -> RecordedHand:
    """Record a hand, exactly once.

    Sending the same `client_id` again returns the hand recorded before. 422 lists all faults of a
    hand that the rules do not allow; 422 `unlikely` is for a hand that is allowed but unexpected.
    409 shows the hand that is already there.
    """
    access = access_of(request, table_id)
    with include_sent_hand(body.record):
        hand = actions.record_hand(
            access.table,
            body.record,
            client_id=body.client_id,
            by=access.by,
            at=timezone.now(),
            number=body.number,
            confirm_unlikely=body.confirm_unlikely,
        )
    return _written_response(request, access.table, hand)


@table_operation(router, "/hands/{number}", RecordedHand, method="PUT")
def correct_hand(
    request: HttpRequest, table_id: str, number: HandNumber, body: CorrectionRequest
) -> RecordedHand:
    """Fix a hand by recording a new version of it.

    The old version is kept. Everything after the hand is recounted.
    """
    access = access_of(request, table_id)
    with include_sent_hand(body.record):
        hand = actions.correct_hand(
            access.table,
            number,
            body.record,
            reason=body.reason,
            expected_version=body.version,
            client_id=body.client_id,
            by=access.by,
            at=timezone.now(),
            as_organiser=access.is_organiser,
            confirm_unlikely=body.confirm_unlikely,
        )
    return _written_response(request, access.table, hand)


@table_operation(router, "/hands/{number}/strike", RecordedHand)
def strike_hand(
    request: HttpRequest, table_id: str, number: HandNumber, body: DeletionRequest
) -> RecordedHand:
    """Delete a hand: it no longer counts, but keeps its number and can be fixed later."""
    access = access_of(request, table_id)
    hand = actions.strike_hand(
        access.table,
        number,
        reason=body.reason,
        expected_version=body.version,
        client_id=body.client_id,
        by=access.by,
        at=timezone.now(),
        as_organiser=access.is_organiser,
    )
    return _written_response(request, access.table, hand)


@table_operation(router, "/undo", RecordedHand)
def undo_hand(request: HttpRequest, table_id: str, body: UndoRequest) -> RecordedHand:
    """Undo the last hand; the next hand gets its number."""
    access = access_of(request, table_id)
    hand = actions.undo_last_hand(
        access.table,
        by=access.by,
        at=timezone.now(),
        number=body.number,
        version=body.version,
        as_organiser=access.is_organiser,
    )
    return _written_response(request, access.table, hand)


def _preview(trial: GameLog) -> HandCheck:
    """The answer to the last hand of a trial log, as if it had been recorded."""
    state, number = trial.state, len(trial.hands)
    answer = answer_of(state, number)
    faults = [fault for fault in state.faults if fault.hand == number]
    errors = [fault for fault in faults if fault.code != OUT_OF_TURN]
    questions = [fault for fault in faults if fault.code == OUT_OF_TURN]
    extra = {
        "valid": not errors,
        "faults": [fault.to_json() for fault in errors],
        "warnings": [fault.to_json() for fault in (*questions, *answer.warnings)],
        "score": None if errors else list(state.score),
        "over": state.over and not errors,
    }
    return HandCheck.model_validate(answer.to_json() | extra)


def _written_response(request: HttpRequest, table: Table, hand: Hand) -> RecordedHand:
    shown = hand_shape(hand, with_reasons=True)
    return RecordedHand(hand=shown, counts=hand.current, table=current_state(request, table))


@table_operation(router, "/misdeal")
def note_misdeal(request: HttpRequest, table_id: str, body: MisdealRequest) -> TableStateShape:
    """Record a misdeal of the next hand.

    The hand is dealt again; the score does not change.
    """
    access = access_of(request, table_id)
    actions.note_misdeal(access.table, client_id=body.client_id, by=access.by, at=timezone.now())
    return current_state(request, access.table)


@table_operation(router, "/penalty")
def rule_penalty(request: HttpRequest, table_id: str, body: PenaltyRequest) -> TableStateShape:
    """Apply the penalty for a renege after a hand; the rules say what it costs."""
    access = access_of(request, table_id)
    refuse_unknown_seat(access, body.by_seat, field="by_seat")
    actions.rule_penalty(
        access.table,
        by_seat=body.by_seat,
        client_id=body.client_id,
        by=access.by,
        at=timezone.now(),
        form=body.form,
        about_hand=body.about_hand,
        against_lone=body.against_lone,
    )
    return current_state(request, access.table)


@table_operation(router, "/concede")
def concede(request: HttpRequest, table_id: str, body: SideRequest) -> TableStateShape:
    """Concede the game for the side of this seat."""
    access = access_of(request, table_id)
    actions.concede(access.table, body.seat, by=access.by, at=timezone.now())
    return current_state(request, access.table)


@table_operation(router, "/time")
def call_time(request: HttpRequest, table_id: str) -> TableStateShape:
    """Call time: the game ends with its current score."""
    access = access_of(request, table_id)
    actions.call_time(access.table, by=access.by, at=timezone.now())
    return current_state(request, access.table)


@table_operation(router, "/resume")
def resume(request: HttpRequest, table_id: str) -> TableStateShape:
    """Undo a concession or a call of time, so that play continues."""
    access = access_of(request, table_id)
    actions.resume(access.table, by=access.by, at=timezone.now(), as_organiser=access.is_organiser)
    return current_state(request, access.table)


@table_operation(router, "/totals")
def write_totals(request: HttpRequest, table_id: str, body: TotalsRequest) -> TableStateShape:
    """Record the final score at a table that does not record hands."""
    access = access_of(request, table_id)
    actions.write_totals(
        access.table,
        body.totals,
        by=access.by,
        at=timezone.now(),
        as_organiser=access.is_organiser,
    )
    return current_state(request, access.table)


@table_operation(router, "/confirm")
def confirm_game(request: HttpRequest, table_id: str, body: SideRequest) -> TableStateShape:
    """Confirm the result of a finished game for a side that did not win.

    Organisers may confirm for any side.
    """
    access = access_of(request, table_id)
    refuse_unknown_seat(access, body.seat)
    actions.confirm_game(
        access.table,
        by=access.by,
        at=timezone.now(),
        seat=body.seat,
        any_side=access.is_organiser,
    )
    return current_state(request, access.table)


@table_operation(router, "/dispute")
def dispute_game(request: HttpRequest, table_id: str, body: DisputeRequest) -> TableStateShape:
    """Dispute the result of a finished game for one side. The table corrects its hands, or an
    organiser decides."""
    access = access_of(request, table_id)
    refuse_unknown_seat(access, body.seat)
    actions.dispute_game(
        access.table, reason=body.reason, by=access.by, at=timezone.now(), seat=body.seat
    )
    return current_state(request, access.table)


@table_operation(router, "/follow", NextTable)
def follow(request: HttpRequest, table_id: str) -> NextTable:
    """Find the table that has replaced this one, after its players moved on.

    A caller with the old table's code gets the code of the new one.
    """
    access = access_of(request, table_id)
    live_table = Table.objects.filter(
        session=access.table.session_id, number=access.table.number, is_live=True
    ).first()
    if access.table.is_live or live_table is None:
        raise Refused("no-next-table", _("There is no other table here."), status=409)
    return NextTable(
        table_id=live_table.public_id, code=table_code(live_table) if access.is_phone else None
    )
