"""The table as it is drawn: who sits where round it, seen from one of its chairs."""

from collections.abc import Iterable
from typing import Any

from league.members.models import User
from league.play.questions import Questions
from league.seating.models import Seat


def slip(seat: Seat, asked: Questions, *, dealer: int, bottom: int | None) -> dict[str, Any]:
    """Who sits on a chair, whether they deal, and whether they lead to the first trick: eldest
    hand does, but nobody yet where the bidder will.

    `place` is where it is drawn, clockwise from the chair at the bottom; `person` is how a phone
    remembers which of them is its own.
    """
    eldest = (dealer + 1) % asked.players
    return {
        "position": seat.position,
        "value": str(seat.position),
        "name": seat.member.name,
        "person": seat.member.public_id,
        "deals": seat.position == dealer,
        "leads": asked.is_turn_up and seat.position == eldest,
        "is_mine": seat.position == bottom,
        "place": (seat.position - (bottom or 0)) % asked.players,
    }


def seat_of(seats: Iterable[Seat], user: User | None) -> int | None:
    """The chair of the person who this account is; None for a phone and for who does not play."""
    mine = [seat.position for seat in seats if user and seat.member.user_id == user.pk]
    return mine[0] if mine else None
