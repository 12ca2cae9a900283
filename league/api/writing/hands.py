"""A table as it stands, and its hands: write down, take back, put right, strike."""

from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from ninja import Path, Router

from league.api.callers import AT_TABLE
from league.api.freshness import unless_changed
from league.api.operations import read
from league.api.paging import Whole
from league.api.shapes.games import TableStateShape, hand_shape
from league.api.shapes.orders import (
    Answer,
    CheckOrder,
    CorrectionOrder,
    HandOrder,
    StrikeOrder,
    UndoOrder,
    Written,
)
from league.api.writing.orders import order, showing, state_now, visit_of
from league.play import actions
from league.play.book import OUT_OF_TURN, Book, answer_of, open_book
from league.play.models import Hand
from league.play.preview import with_hand
from league.seating.models import Table
from scoring import HandRecord, RecordError, check_hand

router = Router(tags=["Tables"])
Place = Annotated[Whole, Path(ge=1, le=999)]


@read(router, "/tables/{table_id}", AT_TABLE, TableStateShape)
def table(request: HttpRequest, table_id: str) -> TableStateShape:
    """A table as it stands: who sits there, the score, whose deal, its hands."""
    visit = visit_of(request, table_id)
    unless_changed(request, visit.table.session)
    return state_now(request, visit.table)


@order(router, "/check", Answer, least=AT_TABLE)
def check(request: HttpRequest, table_id: str, body: CheckOrder) -> Answer:
    """What would come of a hand as the next one of this table; nothing is written.

    `score` is the score by side after it, null for a hand the rules do not allow.
    """
    book = open_book(visit_of(request, table_id).table)
    try:
        written = HandRecord.from_json(body.record).to_json()
    except RecordError:
        told = check_hand(body.record, book.rules).to_json()
        return Answer.model_validate(told | {"score": None, "over": False})
    return _looked_at(with_hand(book, Hand(number=book.next_number, version=0, record=written)))


@order(router, "/hands", Written)
def record_hand(request: HttpRequest, table_id: str, body: HandOrder) -> Written:
    """Write down one hand, exactly once.

    The same `client_id` again answers the hand already written. 422 tells every fault of a hand
    the rules do not allow, and `unlikely` for one nobody expects; 409 shows what is there.
    """
    visit = visit_of(request, table_id)
    with showing(body.record):
        hand = actions.record_hand(
            visit.table,
            body.record,
            client_id=body.client_id,
            by=visit.by,
            at=timezone.now(),
            number=body.number,
            confirm_unlikely=body.confirm_unlikely,
        )
    return _written(request, visit.table, hand)


@order(router, "/hands/{number}", Written, method="PUT")
def correct_hand(
    request: HttpRequest, table_id: str, number: Place, body: CorrectionOrder
) -> Written:
    """Put a hand right: a new version, the old one is kept. Everything after it is counted anew."""
    visit = visit_of(request, table_id)
    with showing(body.record):
        hand = actions.correct_hand(
            visit.table,
            number,
            body.record,
            reason=body.reason,
            expected_version=body.version,
            client_id=body.client_id,
            by=visit.by,
            at=timezone.now(),
            as_organiser=visit.is_organiser,
            confirm_unlikely=body.confirm_unlikely,
        )
    return _written(request, visit.table, hand)


@order(router, "/hands/{number}/strike", Written)
def strike_hand(request: HttpRequest, table_id: str, number: Place, body: StrikeOrder) -> Written:
    """Let a hand count for nothing; it keeps its number and can be put right again."""
    visit = visit_of(request, table_id)
    hand = actions.strike_hand(
        visit.table,
        number,
        reason=body.reason,
        expected_version=body.version,
        client_id=body.client_id,
        by=visit.by,
        at=timezone.now(),
        as_organiser=visit.is_organiser,
    )
    return _written(request, visit.table, hand)


@order(router, "/undo", Written)
def undo_hand(request: HttpRequest, table_id: str, body: UndoOrder) -> Written:
    """Take back the last hand; its number is given again."""
    visit = visit_of(request, table_id)
    hand = actions.undo_last_hand(
        visit.table,
        by=visit.by,
        at=timezone.now(),
        number=body.number,
        version=body.version,
        as_organiser=visit.is_organiser,
    )
    return _written(request, visit.table, hand)


def _looked_at(trial: Book) -> Answer:
    """What the last hand of a book comes to, as writing it down would say."""
    state, number = trial.state, len(trial.hands)
    answer = answer_of(state, number)
    faults = [found for found in state.faults if found.hand == number]
    wrong = [found for found in faults if found.code != OUT_OF_TURN]
    asked = [found for found in faults if found.code == OUT_OF_TURN]
    told = {
        "valid": not wrong,
        "faults": [found.to_json() for found in wrong],
        "warnings": [found.to_json() for found in (*asked, *answer.warnings)],
        "score": None if wrong else list(state.score),
        "over": state.over and not wrong,
    }
    return Answer.model_validate(answer.to_json() | told)


def _written(request: HttpRequest, table: Table, hand: Hand) -> Written:
    shown = hand_shape(hand, said=True)
    return Written(hand=shown, counts=hand.current, table=state_now(request, table))
