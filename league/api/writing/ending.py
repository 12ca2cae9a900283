"""The rarer orders to a table: misdeal, penalty, the end of a game and its result."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Router

from league.api.shapes.games import TableStateShape
from league.api.shapes.orders import (
    DisputeOrder,
    Following,
    MisdealOrder,
    PenaltyOrder,
    SideOrder,
    TotalsOrder,
)
from league.api.writing.orders import order, refuse_no_seat, state_now, visit_of
from league.errors import Refused
from league.play import actions
from league.play.links import table_code
from league.seating.models import Table

router = Router(tags=["Tables"])


@order(router, "/misdeal")
def note_misdeal(request: HttpRequest, table_id: str, body: MisdealOrder) -> TableStateShape:
    """Note that the next hand was misdealt and is dealt again; the score does not move."""
    visit = visit_of(request, table_id)
    actions.note_misdeal(visit.table, client_id=body.client_id, by=visit.by, at=timezone.now())
    return state_now(request, visit.table)


@order(router, "/penalty")
def rule_penalty(request: HttpRequest, table_id: str, body: PenaltyOrder) -> TableStateShape:
    """Rule a renege after a hand; what it costs the rules say."""
    visit = visit_of(request, table_id)
    refuse_no_seat(visit, body.by_seat, field="by_seat")
    actions.rule_penalty(
        visit.table,
        by_seat=body.by_seat,
        client_id=body.client_id,
        by=visit.by,
        at=timezone.now(),
        form=body.form,
        about_hand=body.about_hand,
        against_lone=body.against_lone,
    )
    return state_now(request, visit.table)


@order(router, "/concede")
def concede(request: HttpRequest, table_id: str, body: SideOrder) -> TableStateShape:
    """The side of this seat gives the game up."""
    visit = visit_of(request, table_id)
    actions.concede(visit.table, body.seat, by=visit.by, at=timezone.now())
    return state_now(request, visit.table)


@order(router, "/time")
def call_time(request: HttpRequest, table_id: str) -> TableStateShape:
    """Time is called: the game ends at its score."""
    visit = visit_of(request, table_id)
    actions.call_time(visit.table, by=visit.by, at=timezone.now())
    return state_now(request, visit.table)


@order(router, "/resume")
def resume(request: HttpRequest, table_id: str) -> TableStateShape:
    """That was a mistake: a concession or a call of time is taken back, and play goes on."""
    visit = visit_of(request, table_id)
    actions.resume(visit.table, by=visit.by, at=timezone.now(), as_organiser=visit.is_organiser)
    return state_now(request, visit.table)


@order(router, "/totals")
def write_totals(request: HttpRequest, table_id: str, body: TotalsOrder) -> TableStateShape:
    """The final score of a table that writes down nothing else."""
    visit = visit_of(request, table_id)
    actions.write_totals(
        visit.table,
        body.totals,
        by=visit.by,
        at=timezone.now(),
        as_organiser=visit.is_organiser,
    )
    return state_now(request, visit.table)


@order(router, "/confirm")
def confirm_game(request: HttpRequest, table_id: str, body: SideOrder) -> TableStateShape:
    """A side accepts the result of a finished game."""
    visit = visit_of(request, table_id)
    refuse_no_seat(visit, body.seat)
    actions.confirm_game(visit.table, by=visit.by, at=timezone.now(), seat=body.seat)
    return state_now(request, visit.table)


@order(router, "/dispute")
def dispute_game(request: HttpRequest, table_id: str, body: DisputeOrder) -> TableStateShape:
    """A side objects to the result of a finished game: an organiser decides."""
    visit = visit_of(request, table_id)
    refuse_no_seat(visit, body.seat)
    actions.dispute_game(
        visit.table, reason=body.reason, by=visit.by, at=timezone.now(), seat=body.seat
    )
    return state_now(request, visit.table)


@order(router, "/follow", Following)
def follow(request: HttpRequest, table_id: str) -> Following:
    """The table that stands in this one's place, once its people have moved on.

    The code of a table is answered with the code of the next one.
    """
    visit = visit_of(request, table_id)
    here = Table.objects.filter(
        session=visit.table.session_id, number=visit.table.number, is_live=True
    ).first()
    if visit.table.is_live or here is None:
        raise Refused("no-next-table", _("No other table stands here."), status=409)
    return Following(table_id=here.public_id, code=table_code(here) if visit.is_phone else None)
