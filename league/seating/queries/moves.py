"""The movement of a round: from which table everybody comes, to which they go."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.members.models import Member
from league.seating.models import Round, Seat


@dataclass(frozen=True, slots=True)
class Move:
    """One person's way: None for the bench or for somebody new."""

    member: Member
    before: int | None
    now: int | None
    partner: str


def moves_to(published: Round) -> list[Move]:
    """Everybody this round seated or left out, by name; three queries."""
    seats = list(_seats(published.session_id, published.number))
    latest: dict[int, tuple[int, int]] = {}
    here: list[Seat] = []
    for seat in seats:
        if seat.table.round_id == published.pk:
            here.append(seat)
        else:
            latest[seat.member_id] = (seat.table.round.number, seat.table.number)
    partners = _partners(here)
    before = {member: table for member, (_round, table) in latest.items()}
    moves = [
        Move(seat.member, before.get(seat.member_id), seat.table.number, partners.get(seat.pk, ""))
        for seat in here
    ]
    moves += [Move(one, before.get(one.pk), None, "") for one in published.sits_out.all()]
    return sorted(moves, key=lambda move: move.member.name_key)


def changes_since_taken_back(drawn: Round) -> list[Move]:
    """Who sits at another table than when this round was last published, then taken back.

    By name; empty when it was never taken back. One query.
    """
    seats = (
        Seat.objects.filter(session=drawn.session_id, until_hand=None)
        .filter(
            Q(table__round=drawn)
            | Q(table__round__state=Round.State.WITHDRAWN, table__round__number=drawn.number)
        )
        .select_related("member", "table")
        .order_by("table__round")
    )
    by_round: dict[int, dict[Member, int]] = {}
    for seat in seats:
        by_round.setdefault(seat.table.round_id, {})[seat.member] = seat.table.number
    now = by_round.pop(drawn.pk, {})
    if not by_round:
        return []
    before = by_round[max(by_round)]
    moves = [Move(one, before.get(one), now.get(one), "") for one in before.keys() | now.keys()]
    moved = [move for move in moves if move.before != move.now]
    return sorted(moved, key=lambda move: move.member.name_key)


def _seats(session: int, number: int) -> QuerySet[Seat]:
    return (
        Seat.objects.filter(
            session=session,
            table__round__state=Round.State.PUBLISHED,
            table__round__number__lte=number,
            until_hand=None,
        )
        .select_related("member", "table__round")
        .order_by("table__round__number")
    )


def _partners(seats: list[Seat]) -> dict[int, str]:
    """By seat, who sits opposite at a table of four."""
    places = {(seat.table_id, seat.position): seat for seat in seats}
    return {
        seat.pk: places[seat.table_id, (seat.position + 2) % 4].member.name
        for seat in seats
        if seat.table.players == 4 and (seat.table_id, (seat.position + 2) % 4) in places
    }
