"""Partners stay together all evening: every pair meets every other before any meets again."""

from __future__ import annotations

from league.pairing.errors import PairingRefused
from league.pairing.movements.definition import Order, Pair, Preset, Seated
from league.pairing.rng import Rng, in_order
from league.pairing.seating.dealers import seat_evening
from league.pairing.seating.history import Portion


def card(order: Order) -> tuple[Seated, ...]:
    """The circle: the first pair keeps its place, the others go round it one place a round.

    With an odd number of pairs each sits out once in as many rounds as there are pairs. Raises
    PairingRefused for a player without a partner, and for fewer than two pairs.
    """
    pairs = _checked(order)
    rng = Rng(order.seed)
    rng.shuffle(pairs)
    people = [one for pair in pairs for one in pair]
    numbers: list[int | None] = [*range(len(pairs)), *([None] if len(pairs) % 2 else [])]
    turning = numbers[1:]
    rings = [
        [numbers[0], *turning[turn % len(turning) :], *turning[: turn % len(turning)]]
        for turn in range(order.rounds)
    ]
    met = [_meetings(ring) for ring in rings]
    portions = [Portion() for _ in people]
    seated = seat_evening([tables for tables, _ in met], portions, {}, rng)
    return tuple(
        Seated(
            tuple(tuple(people[one] for one in table) for table in tables),
            tuple(people[one] for one in out),
        )
        for tables, (_, out) in zip(seated, met, strict=True)
    )


def _checked(order: Order) -> list[Pair]:
    in_pairs = [one for pair in order.pairs for one in pair]
    alone = in_order(set(order.players) - set(in_pairs))
    if alone or len(set(in_pairs)) != len(in_pairs):
        names = ", ".join(map(str, alone or in_order(in_pairs)))
        raise PairingRefused(
            "no-partner", f"Partners stay together, so everybody needs exactly one: {names}.", alone
        )
    if len(order.pairs) < 2:
        raise PairingRefused("one-pair", "Partners stay together needs at least two pairs.")
    return list(order.pairs)


def _meetings(ring: list[int | None]) -> tuple[list[list[int]], list[int]]:
    """Who meets when the first of the ring faces the last, the second the last but one, and so on.

    Pair k are the players 2k and 2k + 1. Also who sits out.
    """
    tables, out = [], []
    for place in range(len(ring) // 2):
        one, other = ring[place], ring[-1 - place]
        if one is not None and other is not None:
            tables.append([2 * one, 2 * other, 2 * one + 1, 2 * other + 1])
        else:
            resting = one if one is not None else other
            out += [] if resting is None else [2 * resting, 2 * resting + 1]
    return tables, out


PRESET = Preset(
    code="pairs-stay",
    name="Partners stay together",
    explanation=(
        "You keep your partner all evening. Each round you meet another pair, and none of "
        "them twice before you have met them all."
    ),
    odd="With an odd number of pairs, one pair sits out each round, in turn.",
    card=card,
)
