"""Movements by the seat you drew: every seat moves a fixed number of tables each round."""

from __future__ import annotations

from itertools import combinations, product

from league.pairing.errors import PlayerId
from league.pairing.movements.definition import Card, Order, Preset, Seated
from league.pairing.rng import Rng, in_order
from league.pairing.seating.table_sizes import composition

Steps = tuple[int, int, int, int]
Place = tuple[int, int]  # seat, table at the start


def movement(steps: Steps) -> Card:
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


def _round(seats: dict[Place, PlayerId], tables: int, steps: Steps, turn: int) -> Seated:
    seated = []
    for table in range(tables):
        places = [(seat, (table - steps[seat] * turn) % tables) for seat in range(4)]
        seated.append(tuple(seats[place] for place in places if place in seats))
    alone = tuple(one for table in seated if len(table) == 1 for one in table)
    return Seated(tuple(table for table in seated if len(table) > 1), alone)


def _empty_seats(many: int, tables: int, steps: Steps, rounds: int) -> set[Place]:
    """Which seats to leave empty: at most one of each kind, together at a table least often."""
    best: tuple[tuple[int, int], set[Place]] | None = None
    for kinds in combinations(range(4), many):
        for starts in product(range(tables), repeat=max(0, many - 1)):
            places = list(zip(kinds, (0, *starts), strict=False))
            rank = _meetings(places, tables, steps, rounds)
            if best is None or rank < best[0]:
                best = rank, set(places)
            if best[0] == (0, 0):
                return best[1]
    return best[1] if best else set()


def _meetings(places: list[Place], tables: int, steps: Steps, rounds: int) -> tuple[int, int]:
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

PRESET = Preset(
    code="fixed-seat",
    name="Fixed seat",
    explanation=(
        "Stay North, South, East or West for the evening. North keeps the table. Each round South "
        "goes down one "
        f"table, East up one and West up two. {_EXACT}"
    ),
    odd=_ODD,
    card=movement((0, 1, -1, 2)),
)

COLOURS = Preset(
    code="colours",
    name="Two colours, opposite ways",
    explanation=(
        "Draw a card. Red North goes up one table and red East up two, black South goes down one "
        f"and black West down two. Partners are always of different colours. {_EXACT}"
    ),
    odd=_ODD,
    card=movement((1, 2, -1, -2)),
)
