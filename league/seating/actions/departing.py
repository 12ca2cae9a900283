"""Actions of check-out: leaving with a table closing up, and undoing a check-in."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Member
from league.seating.actions.running import close_table, has_fixed_size, lock_live, resize
from league.seating.models import Round, Seat, Table
from league.seating.queries import has_published_seat
from league.sessions.actions import lock
from league.sessions.attendance import leave
from league.sessions.models import Session


@transaction.atomic
def depart(club_session: Session, member: Member, *, by: Actor, at: datetime) -> Table | None:
    """Check out a player. Return their table if it has not begun: it shrinks, or is broken up.

    At a table in play the seat waits for a substitute. The attendance of a player who never had a
    seat is deleted: they were checked in by mistake.
    """
    fresh = lock(club_session)
    attendance = leave(fresh, member, by=by, at=at)
    seats = Seat.objects.filter(session=fresh, member=member)
    if not seats.exclude(table__round__state=Round.State.DRAFT).exists():
        attendance.delete()
    seat = Seat.objects.filter(session=fresh, member=member, seated=True).first()
    if seat is None:
        return None
    table = lock_live(seat.table)
    if has_fixed_size(table):
        return None
    if table.players == 2:
        close_table(table)
        return table
    seat.delete()
    for position, remaining_seat in enumerate(
        table.seats.filter(until_hand=None).order_by("position")
    ):
        Seat.objects.filter(pk=remaining_seat.pk).update(position=position)
    resize(table, table.players - 1)
    return table


@transaction.atomic
def undo_arrival(club_session: Session, member: Member, *, by: Actor, at: datetime) -> None:
    """Check out a player who was checked in by mistake; refuses (`seated`) one with a table."""
    fresh = lock(club_session)
    if has_published_seat(fresh, member):
        raise Refused("seated", _("Please tell the organiser."), status=409)
    depart(fresh, member, by=by, at=at)
