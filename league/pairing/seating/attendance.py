"""Who is there for which round of an evening, and the tables each round then has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.seating.composition import composition
from league.pairing.seating.cost_matrix import KINDS, expected_seats
from league.pairing.seating.people import in_order
from league.pairing.seating.table_layout import Shape, shape_of

Presence = Mapping[PlayerId, tuple[int, int]]


@dataclass(frozen=True)
class Attendance:
    """The people of an evening in order, and for every round who is present and its shape."""

    people: tuple[PlayerId, ...]
    present: tuple[tuple[int, ...], ...]
    shapes: tuple[Shape, ...]

    @property
    def steady(self) -> bool:
        """Whether everybody is there throughout."""
        return all(len(here) == len(self.people) for here in self.present)

    def names(self, number: int) -> tuple[PlayerId, ...]:
        """Who is there for a round."""
        return tuple(self.people[one] for one in self.present[number])

    def expected(self) -> list[dict[int, Fraction]]:
        """Each player's fair portion of all the seats of the evening, by size of table."""
        due = [{kind: Fraction(0) for kind in KINDS} for _ in self.people]
        for here, shape in zip(self.present, self.shapes, strict=True):
            shares = {kind: share for kind, share in expected_seats(shape).items() if share}
            for one in here:
                for kind, share in shares.items():
                    due[one][kind] += share
        return due


def attendance(
    players: Iterable[PlayerId],
    rounds: int,
    presence: Presence,
    policy: str,
    table: Mapping[int, Sequence[int]] | None = None,
) -> Attendance:
    """Work out the rounds. `presence` gives first and last round (from 1) of who is not there
    throughout.

    Raises PairingRefused for the same player twice, presence outside the evening, and a round for
    which fewer than two people are there.
    """
    people = in_order(players)
    if len(set(people)) != len(people):
        twice = next(one for place, one in enumerate(people) if one in people[:place])
        raise PairingRefused("player-twice", f"{twice} is named twice.", (twice,))
    if rounds < 1:
        raise PairingRefused("no-rounds", "An evening has at least one round.")
    for one in in_order(presence):
        first, last = presence[one]
        if one not in people or not 1 <= first <= last <= rounds:
            raise PairingRefused(
                "bad-presence",
                "%(player)s cannot be there from round %(from)d to round %(to)d of %(rounds)d.",
                (one,),
                {"player": one, "from": first, "to": last, "rounds": rounds},
            )
    present = tuple(
        tuple(
            place
            for place, one in enumerate(people)
            if presence.get(one, (1, rounds))[0] <= number <= presence.get(one, (1, rounds))[1]
        )
        for number in range(1, rounds + 1)
    )
    return Attendance(people, present, tuple(_shapes(present, policy, table)))


def _shapes(
    present: Sequence[Sequence[int]], policy: str, table: Mapping[int, Sequence[int]] | None
) -> Iterable[Shape]:
    for number, here in enumerate(present, 1):
        try:
            rule = composition(len(here), policy, table)
        except PairingRefused as refused:
            refused.values["round"] = number
            raise
        yield shape_of(rule.sizes, rule.out)
