"""What can be written at a table: hands, corrections, misdeals, penalties, the end of a game."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Path, Router

from league.api.callers import AT_TABLE, SCOREKEEPERS, Token, caller_of
from league.api.operations import View, Whole, operation, read, unless_changed
from league.api.shapes.games import (
    Answer,
    CheckOrder,
    CorrectionOrder,
    DisputeOrder,
    Following,
    HandOrder,
    MisdealOrder,
    PenaltyOrder,
    SideOrder,
    StrikeOrder,
    TableStateShape,
    TotalsOrder,
    UndoOrder,
    Written,
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


def order(
    router: Router,
    path: str,
    response: Any = TableStateShape,
    *,
    method: str = "POST",
    least: Token = SCOREKEEPERS,
) -> Callable[[View], View]:
    """Declare a view as an order to a table."""
    return operation(router, (method,), "/tables/{table_id}" + path, least, response)


def access_of(request: HttpRequest, table_id: str) -> TableAccess:
    """The caller at a table of theirs; 404 for another's as for none."""
    caller = caller_of(request)
    if caller.table is not None:
        if caller.table.public_id != table_id:
            raise Http404
        return TableAccess(caller.table, caller.by, None)
    tables = Table.objects.select_related("session__club", "ruleset").filter(
        session__club=caller.club, round__state=Round.State.PUBLISHED
    )
    return TableAccess(get_object_or_404(tables, public_id=table_id), caller.by, caller.rank)


def state_now(request: HttpRequest, table: Table) -> TableStateShape:
    """The table as it stands now."""
    return table_state_shape(table_state(table, at=timezone.now()), namer(caller_of(request)))


@contextmanager
def showing(record: dict[str, Any]) -> Iterator[None]:
    """A refusal of this hand shows it beside the one that is there."""
    try:
        yield
    except Refused as refused:
        if refused.status == 409:
            refused.details["yours"] = record
        raise


def refuse_no_seat(access: TableAccess, seat: int, *, field: str = "seat") -> None:
    """A seat that this table does not have."""
    if seat >= rules_of(access.table.ruleset.body).players:
        message = _("There is no such seat at this table.")
        raise Refused("bad-seat", message, fields={field: [message]})


router = Router(tags=["Tables"])
Place = Annotated[Whole, Path(ge=1, le=999)]


@read(router, "/tables/{table_id}", AT_TABLE, TableStateShape)
def table(request: HttpRequest, table_id: str) -> TableStateShape:
    """A table as it stands: who sits there, the score, whose deal, its hands."""
    access = access_of(request, table_id)
    unless_changed(request, access.table.session)
    return state_now(request, access.table)


@order(router, "/check", Answer, least=AT_TABLE)
def check(request: HttpRequest, table_id: str, body: CheckOrder) -> Answer:
    """What would come of a hand as the next one of this table; nothing is written.

    `score` is the score by side after it, null for a hand the rules do not allow.
    """
    game_log = open_game_log(access_of(request, table_id).table)
    try:
        written = HandRecord.from_json(body.record).to_json()
    except RecordError:
        checked = check_hand(body.record, game_log.rules).to_json()
        return Answer.model_validate(checked | {"score": None, "over": False})
    return _looked_at(
        with_hand(game_log, Hand(number=game_log.next_number, version=0, record=written))
    )


@order(router, "/hands", Written)
def record_hand(request: HttpRequest, table_id: str, body: HandOrder) -> Written:
    """Write down one hand, exactly once.

    The same `client_id` again answers the hand already written. 422 tells every fault of a hand
    the rules do not allow, and `unlikely` for one nobody expects; 409 shows what is there.
    """
    access = access_of(request, table_id)
    with showing(body.record):
        hand = actions.record_hand(
            access.table,
            body.record,
            client_id=body.client_id,
            by=access.by,
            at=timezone.now(),
            number=body.number,
            confirm_unlikely=body.confirm_unlikely,
        )
    return _written(request, access.table, hand)


@order(router, "/hands/{number}", Written, method="PUT")
def correct_hand(
    request: HttpRequest, table_id: str, number: Place, body: CorrectionOrder
) -> Written:
    """Put a hand right: a new version, the old one is kept. Everything after it is counted anew."""
    access = access_of(request, table_id)
    with showing(body.record):
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
    return _written(request, access.table, hand)


@order(router, "/hands/{number}/strike", Written)
def strike_hand(request: HttpRequest, table_id: str, number: Place, body: StrikeOrder) -> Written:
    """Let a hand count for nothing; it keeps its number and can be put right again."""
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
    return _written(request, access.table, hand)


@order(router, "/undo", Written)
def undo_hand(request: HttpRequest, table_id: str, body: UndoOrder) -> Written:
    """Take back the last hand; its number is given again."""
    access = access_of(request, table_id)
    hand = actions.undo_last_hand(
        access.table,
        by=access.by,
        at=timezone.now(),
        number=body.number,
        version=body.version,
        as_organiser=access.is_organiser,
    )
    return _written(request, access.table, hand)


def _looked_at(trial: GameLog) -> Answer:
    """What the last hand of a game's log comes to, as writing it down would say."""
    state, number = trial.state, len(trial.hands)
    answer = answer_of(state, number)
    faults = [fault for fault in state.faults if fault.hand == number]
    wrong = [fault for fault in faults if fault.code != OUT_OF_TURN]
    questions = [fault for fault in faults if fault.code == OUT_OF_TURN]
    more = {
        "valid": not wrong,
        "faults": [fault.to_json() for fault in wrong],
        "warnings": [fault.to_json() for fault in (*questions, *answer.warnings)],
        "score": None if wrong else list(state.score),
        "over": state.over and not wrong,
    }
    return Answer.model_validate(answer.to_json() | more)


def _written(request: HttpRequest, table: Table, hand: Hand) -> Written:
    shown = hand_shape(hand, with_reasons=True)
    return Written(hand=shown, counts=hand.current, table=state_now(request, table))


@order(router, "/misdeal")
def note_misdeal(request: HttpRequest, table_id: str, body: MisdealOrder) -> TableStateShape:
    """Note that the next hand was misdealt and is dealt again; the score does not move."""
    access = access_of(request, table_id)
    actions.note_misdeal(access.table, client_id=body.client_id, by=access.by, at=timezone.now())
    return state_now(request, access.table)


@order(router, "/penalty")
def rule_penalty(request: HttpRequest, table_id: str, body: PenaltyOrder) -> TableStateShape:
    """Rule a renege after a hand; what it costs the rules say."""
    access = access_of(request, table_id)
    refuse_no_seat(access, body.by_seat, field="by_seat")
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
    return state_now(request, access.table)


@order(router, "/concede")
def concede(request: HttpRequest, table_id: str, body: SideOrder) -> TableStateShape:
    """The side of this seat gives the game up."""
    access = access_of(request, table_id)
    actions.concede(access.table, body.seat, by=access.by, at=timezone.now())
    return state_now(request, access.table)


@order(router, "/time")
def call_time(request: HttpRequest, table_id: str) -> TableStateShape:
    """Time is called: the game ends at its score."""
    access = access_of(request, table_id)
    actions.call_time(access.table, by=access.by, at=timezone.now())
    return state_now(request, access.table)


@order(router, "/resume")
def resume(request: HttpRequest, table_id: str) -> TableStateShape:
    """That was a mistake: a concession or a call of time is taken back, and play goes on."""
    access = access_of(request, table_id)
    actions.resume(access.table, by=access.by, at=timezone.now(), as_organiser=access.is_organiser)
    return state_now(request, access.table)


@order(router, "/totals")
def write_totals(request: HttpRequest, table_id: str, body: TotalsOrder) -> TableStateShape:
    """The final score of a table that writes down nothing else."""
    access = access_of(request, table_id)
    actions.write_totals(
        access.table,
        body.totals,
        by=access.by,
        at=timezone.now(),
        as_organiser=access.is_organiser,
    )
    return state_now(request, access.table)


@order(router, "/confirm")
def confirm_game(request: HttpRequest, table_id: str, body: SideOrder) -> TableStateShape:
    """A side accepts the result of a finished game: no side that won it. Organisers may for any."""
    access = access_of(request, table_id)
    refuse_no_seat(access, body.seat)
    actions.confirm_game(
        access.table,
        by=access.by,
        at=timezone.now(),
        seat=body.seat,
        any_side=access.is_organiser,
    )
    return state_now(request, access.table)


@order(router, "/dispute")
def dispute_game(request: HttpRequest, table_id: str, body: DisputeOrder) -> TableStateShape:
    """A side objects to the result of a finished game: an organiser decides."""
    access = access_of(request, table_id)
    refuse_no_seat(access, body.seat)
    actions.dispute_game(
        access.table, reason=body.reason, by=access.by, at=timezone.now(), seat=body.seat
    )
    return state_now(request, access.table)


@order(router, "/follow", Following)
def follow(request: HttpRequest, table_id: str) -> Following:
    """The table that stands in this one's place, once its people have moved on.

    The code of a table is answered with the code of the next one.
    """
    access = access_of(request, table_id)
    here = Table.objects.filter(
        session=access.table.session_id, number=access.table.number, is_live=True
    ).first()
    if access.table.is_live or here is None:
        raise Refused("no-next-table", _("There is no other table here."), status=409)
    return Following(table_id=here.public_id, code=table_code(here) if access.is_phone else None)
