"""Giving the places of a session to those who signed up, in the order in which they did."""

from datetime import datetime

from league.members.audit import PROGRAM, note
from league.sessions.models import Session, SignUp


def give_places(fresh: Session, *, at: datetime, new: SignUp | None = None) -> list[SignUp]:
    """Let as many as there are places for come off the waiting list; who has moved up.

    `fresh` is locked by the caller. `new` has just signed up: getting a place at once is no
    moving up. Somebody who has retired since holds no place.
    """
    current = fresh.sign_ups.filter(member__retired_at=None).select_related("member")
    waiting = list(current.filter(placed_at=None).order_by("pk"))
    if fresh.places is not None:
        taken = current.exclude(placed_at=None).count()
        waiting = waiting[: max(0, fresh.places - taken)]
    for one in waiting:
        one.placed_at, one.moved_up = at, one != new
        one.save(update_fields=["placed_at", "moved_up"])
        if one.moved_up:
            note(fresh.club, PROGRAM, "move up", one.member, session=fresh)
    return [one for one in waiting if one.moved_up]
