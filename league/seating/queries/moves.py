"""The movement of a round: from which table everybody comes, to which they go."""

from dataclasses import dataclass

from django.db.models import QuerySet

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
