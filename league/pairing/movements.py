"""The named movements a progressive night can choose from: who goes where next.

Those that can be printed ahead are here: rotation, fixed seats, colours, partners stay together.
`progressive` has those by results, by standing and at random, and the types of all.

PRESETS, preset   the movements as data (`Preset`), and a look-up by code
Order             the input of movements printed ahead: the players and the number of rounds
Moment, Finished  the input of movements seated round by round: the results of the last round
Seated            the output: a round's tables and the players who sit out
"""

from __future__ import annotations

from itertools import combinations, product

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.progressive import (
    BY_STANDING,
    RANDOM_DRAW,
    UP_AND_DOWN,
    WINNERS_STAY,
    WINNERS_UP,
    Card,
    Finished,
    Moment,
    Order,
    Pair,
    Preset,
    Seated,
)
from league.pairing.rng import Rng, in_order
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.dealers import seat_evening
from league.pairing.seating.history import Portion
from league.pairing.seating.planner import plan_evening
from league.pairing.seating.table_sizes import composition

__all__ = ["PRESETS", "Finished", "Moment", "Order", "Preset", "Seated", "preset"]


def rotation(order: Order) -> tuple[Seated, ...]:
    """Return the best evening that the planner knows or finds for these players and rounds."""
    plan = plan_evening(
        order.players, order.rounds, seed=order.seed, constraints=Constraints(fixed=order.pairs)
    )
    return tuple(Seated(round_plan.tables, round_plan.out) for round_plan in plan.rounds)


ROTATION = Preset(
    code="rotation",
    name="Individual rotation",
    explanation=(
        "The tournament's page says where you sit each round. Partners, opponents and small "
        "tables are shared as evenly as possible, and you get a partner twice only if it can't be "
        "avoided."
    ),
    odd=(
        "Small tables are shared: no one plays at one twice before everyone has played at one once."
    ),
    card=rotation,
)


SeatSteps = tuple[int, int, int, int]
Place = tuple[int, int]  # seat, table in the first round


def seat_steps(steps: SeatSteps) -> Card:
    """Return a card on which the player in seat c moves up `steps[c]` tables each round.

    The last table is followed by the first. If there are fewer players than seats, the empty seats
    move like the others, and their tables play with three or two. They start where they meet least
    often. A player alone at a table sits that round out.
    """

    def card(order: Order) -> tuple[Seated, ...]:
        composition(len(order.players))  # raises for fewer than two players
        tables = -(-len(order.players) // 4)
        empty = _empty_seats(4 * tables - len(order.players), tables, steps, order.rounds)
        players = list(in_order(order.players))
        Rng(order.seed).shuffle(players)
        seats: dict[Place, PlayerId] = {}
        for place in product(range(4), range(tables)):
            if place not in empty:
                seats[place] = players.pop()
        return tuple(_seat_round(seats, tables, steps, turn) for turn in range(order.rounds))

    return card


def _seat_round(seats: dict[Place, PlayerId], tables: int, steps: SeatSteps, turn: int) -> Seated:
    seated = []
    for table in range(tables):
        places = [(seat, (table - steps[seat] * turn) % tables) for seat in range(4)]
        seated.append(tuple(seats[place] for place in places if place in seats))
    sitting_out = tuple(player for table in seated if len(table) == 1 for player in table)
    return Seated(tuple(table for table in seated if len(table) > 1), sitting_out)


def _empty_seats(count: int, tables: int, steps: SeatSteps, rounds: int) -> set[Place]:
    """Choose the empty seats: at most one of each kind, together at a table least often."""
    best: tuple[tuple[int, int], set[Place]] | None = None
    for seats in combinations(range(4), count):
        for other_tables in product(range(tables), repeat=max(0, count - 1)):
            places = list(zip(seats, (0, *other_tables), strict=False))
            meetings = _empty_meetings(places, tables, steps, rounds)
            if best is None or meetings < best[0]:
                best = meetings, set(places)
            if best[0] == (0, 0):
                return best[1]
    return best[1] if best else set()


def _empty_meetings(
    places: list[Place], tables: int, steps: SeatSteps, rounds: int
) -> tuple[int, int]:
    """Count how often three empty seats meet at a table, and how often two."""
    three_together = two_together = 0
    for turn in range(rounds):
        tables_reached = [(start + steps[seat] * turn) % tables for seat, start in places]
        largest_group = max((tables_reached.count(table) for table in tables_reached), default=0)
        three_together += largest_group == 3
        two_together += largest_group == 2
    return three_together, two_together


_ODD = (
    "Empty seats move like the others: the table they reach plays with three, or with two. A "
    "player left alone at a table sits out that round."
)
_EXACT = (
    "With 5, 7, 11 or 13 tables (not a multiple of 2 or 3) no two players meet twice in as many "
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
    """Rotate the pairs round a circle: the first stays, the others move one place each round.

    If the number of pairs is odd, each sits out once in as many rounds as there are pairs. Raises
    PairingRefused for a player without exactly one partner, and for fewer than two pairs.
    """
    pairs = _check_pairs(order)
    rng = Rng(order.seed)
    rng.shuffle(pairs)
    players = [player for pair in pairs for player in pair]
    numbers: list[int | None] = [*range(len(pairs)), *([None] if len(pairs) % 2 else [])]
    moving = numbers[1:]
    rings = [
        [numbers[0], *moving[turn % len(moving) :], *moving[: turn % len(moving)]]
        for turn in range(order.rounds)
    ]
    round_tables = [_ring_tables(ring) for ring in rings]
    portions = [Portion() for _ in players]
    seated = seat_evening([tables for tables, _ in round_tables], portions, {}, rng)
    return tuple(
        Seated(
            tuple(tuple(players[index] for index in table) for table in tables),
            tuple(players[index] for index in out),
        )
        for tables, (_, out) in zip(seated, round_tables, strict=True)
    )


def _check_pairs(order: Order) -> list[Pair]:
    paired_players = [player for pair in order.pairs for player in pair]
    single_players = in_order(set(order.players) - set(paired_players))
    if single_players or len(set(paired_players)) != len(paired_players):
        names = ", ".join(map(str, single_players or in_order(paired_players)))
        raise PairingRefused(
            "no-partner",
            f"Partners stay together, so everybody needs exactly one: {names}.",
            single_players,
        )
    if len(order.pairs) < 2:
        raise PairingRefused("one-pair", "Partners stay together needs at least two pairs.")
    return list(order.pairs)


def _ring_tables(ring: list[int | None]) -> tuple[list[list[int]], list[int]]:
    """Return the tables and the players who sit out, as indices: pair k is 2k and 2k + 1.

    The first pair of the ring meets the last, the second the last but one, and so on. None is the
    missing pair.
    """
    tables, sitting_out = [], []
    for place in range(len(ring) // 2):
        first, second = ring[place], ring[-1 - place]
        if first is not None and second is not None:
            tables.append([2 * first, 2 * second, 2 * first + 1, 2 * second + 1])
        else:
            resting_pair = first if first is not None else second
            sitting_out += [] if resting_pair is None else [2 * resting_pair, 2 * resting_pair + 1]
    return tables, sitting_out


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


PRESETS: tuple[Preset, ...] = (
    ROTATION,
    WINNERS_UP,
    UP_AND_DOWN,
    WINNERS_STAY,
    FIXED_SEAT,
    COLOURS,
    PAIRS_STAY,
    BY_STANDING,
    RANDOM_DRAW,
)


def preset(code: str) -> Preset:
    """Return the movement with this code; raises KeyError if there is none."""
    return {movement.code: movement for movement in PRESETS}[code]
