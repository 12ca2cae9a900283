"""How an order to a table is declared, whose table it is, and what a clash is told with."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Router

from league.api.callers import SCOREKEEPERS, Token, caller_of
from league.api.operations import View, operation
from league.api.shapes.games import TableStateShape, table_state_shape
from league.api.shapes.people import namer
from league.errors import Refused
from league.play.book import rules_of
from league.play.entrance import Visit
from league.play.queries import table_state
from league.seating.models import Round, Table


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


def visit_of(request: HttpRequest, table_id: str) -> Visit:
    """The caller at a table of theirs; 404 for another's as for none."""
    caller = caller_of(request)
    if caller.table is not None:
        if caller.table.public_id != table_id:
            raise Http404
        return Visit(caller.table, caller.by, None)
    tables = Table.objects.select_related("session__club", "ruleset").filter(
        session__club=caller.club, round__state=Round.State.PUBLISHED
    )
    return Visit(get_object_or_404(tables, public_id=table_id), caller.by, caller.rank)


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


def refuse_no_seat(visit: Visit, seat: int, *, field: str = "seat") -> None:
    """A chair that this table does not have."""
    if seat >= rules_of(visit.table.ruleset.body).players:
        message = _("This table has no such chair.")
        raise Refused("bad-seat", message, fields={field: [message]})
