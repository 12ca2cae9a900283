"""The club's standing wishes, as the planner wants them for one draft."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from league.members.models import Club
from league.pairing.seating import Wishes
from league.seating.models import Round, Seat, Wish
from league.sessions.models import Session

PAIRS = {
    Wish.Kind.NEVER: "never",
    Wish.Kind.AVOID: "avoid",
    Wish.Kind.FIXED: "fixed",
    Wish.Kind.APART: "apart_partner",
    Wish.Kind.TOGETHER: "together",
}


def wishes_of(club: Club) -> QuerySet[Wish]:
    """The club's wishes with their people."""
    return (
        Wish.objects.filter(club=club)
        .select_related("first", "second")
        .order_by("kind", "first__name_key", "pk")
    )


def wishes_for(
    club_session: Session,
    numbers: Iterable[int],
    *,
    guests: Iterable[int] = (),
    locked: Mapping[int | str, tuple[int, int]] | None = None,
) -> Wishes:
    """The wishes that hold for a draft of the tables `numbers`.

    Who does not move keeps the table they sat at last tonight, where it is among those.
    """
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in PAIRS.values()}
    stays: set[int] = set()
    for wish in wishes_of(club_session.club):
        if wish.kind == Wish.Kind.STAYS:
            stays.add(wish.first_id)
        elif wish.second_id is not None:
            pairs[PAIRS[Wish.Kind(wish.kind)]].append((wish.first_id, wish.second_id))
    free = set(numbers)
    last = _last_tables(club_session, stays) if stays else {}
    return Wishes(
        **{name: tuple(people) for name, people in pairs.items()},
        stays={one: number for one, number in last.items() if number in free},
        locked=dict(locked or {}),
        guests=frozenset(guests),
    )


def _last_tables(club_session: Session, members: set[int]) -> dict[int, int]:
    seats = Seat.objects.filter(
        session=club_session, member__in=members, table__round__state=Round.State.PUBLISHED
    ).order_by("table__round__number", "from_hand")
    return dict(seats.values_list("member", "table__number"))
