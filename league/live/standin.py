"""Putting in a substitute: the chair changes hands, and what was played is credited anew."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Member
from league.play.actions import recount_table
from league.seating.actions import substitute
from league.seating.models import Seat, Table
from league.sessions.models import Session


@transaction.atomic
def put_in(
    club_session: Session, table_id: str, told: Mapping[str, str], *, by: Actor, at: datetime
) -> Seat:
    """Seat the substitute a form names: `position`, `member` and, when known, `from_hand`."""
    table = get_object_or_404(
        Table.objects.select_related("session__club"), session=club_session, public_id=table_id
    )
    member = get_object_or_404(Member, club=club_session.club_id, public_id=told.get("member", ""))
    position, from_hand = told.get("position", ""), told.get("from_hand", "").strip()
    if position not in ("0", "1", "2", "3"):
        raise Refused("no-such-seat", _("There is no such chair at this table."))
    if from_hand and not (from_hand.isdecimal() and 1 <= int(from_hand[:5]) <= 999):
        raise Refused("bad-hand", _("Give the number of the hand from which they sit in."))
    seat = substitute(
        table, int(position), member, by=by, from_hand=int(from_hand) if from_hand else None
    )
    if table.games.exists():
        recount_table(table, at=at)
    return seat
