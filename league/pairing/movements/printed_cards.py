"""Movements printed ahead: the rotation, by the seat you drew, partners who stay together."""

from __future__ import annotations

from itertools import combinations, product

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.movements.progressive import Card, Order, Pair, Preset, Seated
from league.pairing.rng import Rng, in_order
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.dealers import seat_evening
from league.pairing.seating.history import Portion
from league.pairing.seating.planner import plan_evening
from league.pairing.seating.table_sizes import composition


def rotation(order: Order) -> tuple[Seated, ...]:
    """The best evening the planner knows or finds for these players and rounds."""
    plan = plan_evening(
        order.players, order.rounds, seed=order.seed, constraints=Constraints(fixed=order.pairs)
    )
    return tuple(Seated(one.tables, one.out) for one in plan.rounds)


ROTATION = Preset(
    code="rotation",
    name="Individual rotation",
    explanation=(
        "Your card says where you sit each round. Partners, opponents and small tables are "
        "shared as evenly as possible, and you get a partner twice only if it can't be avoided."
    ),
    odd=(
        "Small tables are shared: no one plays at one twice before everyone has played at one once."
    ),
    card=rotation,
)


SeatSteps = tuple[int, int, int, int]
Place = tuple[int, int]  # seat, table at the start


def seat_steps(steps: SeatSteps) -> Card:
    """The card on which seat c moves `steps[c]` tables up each round, from the last to the first.

    With fewer players than seats the empty seats move like the others: their tables play with
    three or two. They start where they meet as seldom as can be. Somebody left alone at a table
    sits that round out.
    """

    def card(order: Order) -> tuple[Seated, ...]:
        composition(len(order.players))  # refuses nobody and one alone
        tables = -(-len(order.players) // 4)
        empty = _empty_seats(4 * tables - len(order.players), tables, steps, order.rounds)
        people = list(in_order(order.players))
        Rng(order.seed).shuffle(people)
        seats: dict[Place, PlayerId] = {}
        for place in product(range(4), range(tables)):
            if place not in empty:
                seats[place] = people.pop()
        return tuple(_round(seats, tables, steps, turn) for turn in range(order.rounds))

    return card


def _round(seats: dict[Place, PlayerId], tables: int, steps: SeatSteps, turn: int) -> Seated:
    seated = []
    for table in range(tables):
        places = [(seat, (table - steps[seat] * turn) % tables) for seat in range(4)]
        seated.append(tuple(seats[place] for place in places if place in seats))
    alone = tuple(one for table in seated if len(table) == 1 for one in table)
    return Seated(tuple(table for table in seated if len(table) > 1), alone)


def _empty_seats(many: int, tables: int, steps: SeatSteps, rounds: int) -> set[Place]:
    """Which seats to leave empty: at most one of each kind, together at a table least often."""
    best: tuple[tuple[int, int], set[Place]] | None = None
    for kinds in combinations(range(4), many):
        for starts in product(range(tables), repeat=max(0, many - 1)):
            places = list(zip(kinds, (0, *starts), strict=False))
            rank = _empty_meetings(places, tables, steps, rounds)
            if best is None or rank < best[0]:
                best = rank, set(places)
            if best[0] == (0, 0):
                return best[1]
    return best[1] if best else set()


def _empty_meetings(
    places: list[Place], tables: int, steps: SeatSteps, rounds: int
) -> tuple[int, int]:
    """How often three empty seats come together, and how often two."""
    three = two = 0
    for turn in range(rounds):
        at = [(start + steps[seat] * turn) % tables for seat, start in places]
        crowd = max((at.count(table) for table in at), default=0)
        three += crowd == 3
        two += crowd == 2
    return three, two


_ODD = (
    "Empty seats move like the others: the table they reach plays with three, or with two. A "
    "player left alone at a table sits out that round."
)
_EXACT = (
    "With 5, 7, 11 or 13 tables (no multiple of 2 or 3) no two players meet twice in as many "
    "rounds as there are tables; with other numbers some meet again."
)

FIXED_SEAT = Preset(
    code="fixed-seat",
    name="Fixed seat",
    explanation=(
        "Stay North, South, East or West for the evening. North keeps the table. Each round South "
        "goes down one "
        f"table, East up one and West up two. {_EXACT}"
    ),
    odd=_ODD,
    card=seat_steps((0, 1, -1, 2)),
)

COLOURS = Preset(
    code="colours",
    name="Two colours, opposite ways",
    explanation=(
        "Draw a card. Red North goes up one table and red East up two, black South goes down one "
        f"and black West down two. Partners are always of different colours. {_EXACT}"
    ),
    odd=_ODD,
    card=seat_steps((1, 2, -1, -2)),
)


def pairs_stay(order: Order) -> tuple[Seated, ...]:
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
    met = [_ring_meetings(ring) for ring in rings]
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


def _ring_meetings(ring: list[int | None]) -> tuple[list[list[int]], list[int]]:
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


PAIRS_STAY = Preset(
    code="pairs-stay",
    name="Partners stay together",
    explanation=(
        "You keep your partner all evening. Each round you meet another pair, and none of "
        "them twice before you have met them all."
    ),
    odd="With an odd number of pairs, one pair sits out each round, in turn.",
    card=pairs_stay,
)
