"""Who deals first at every table of an evening, as evenly as can be, and everybody's chair."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from fractions import Fraction

from league.pairing.rng import Rng
from league.pairing.seating.balance import Chairs
from league.pairing.seating.history import WHOLE, Portion
from league.pairing.seating.table_seats import seat_table

Table = Sequence[int]


def seat_evening(
    rounds: Sequence[Sequence[Table]],
    portions: Sequence[Portion],
    locked: dict[int, int],
    chance: Rng,
) -> list[list[list[int]]]:
    """Every round's tables in seat order.

    The deals are provably as level as these tables allow, the chairs as level as a search makes
    them. `locked` names those who keep a seat.
    """
    tables = [table for tables in rounds for table in tables]
    orders = [seat_table(table, portions, chance, locked) for table in tables]
    Chairs(orders, _ahead(orders, portions), portions, locked).level(chance, firm=False)
    dealers = level_deals(orders, portions, locked)
    for order, dealer in zip(orders, dealers, strict=True):
        _give_deal(order, dealer)
    Chairs(orders, _ahead(orders, portions), portions, locked).level(chance, firm=True)
    seated = iter(orders)
    return [[next(seated) for _ in one_round] for one_round in rounds]


def _give_deal(order: list[int], dealer: int) -> None:
    """Move the dealer to the first seat: partners change places, else the table turns."""
    seat = order.index(dealer)
    if seat == 2:
        order[0], order[2] = order[2], order[0]
    else:
        order[:] = order[seat:] + order[:seat]


def _ahead(orders: Sequence[Table], portions: Sequence[Portion]) -> list[Fraction]:
    """How many deals more than due everybody has after these tables."""
    ahead = [(one.deals.had - one.deals.owed) / WHOLE for one in portions]
    for table in orders:
        ahead[table[0]] += 1
        for one in table:
            ahead[one] -= Fraction(1, len(table))
    return ahead


def level_deals(
    tables: Sequence[Table], portions: Sequence[Portion], locked: dict[int, int]
) -> list[int]:
    """The first dealer of each table (who sits first, at the start), so that
    sum (deals - due)^2 is least.

    Passes deals along chains of shared tables from one who has more than a deal more than another.
    When no chain is left the sum cannot be lowered.
    """
    ahead = _ahead(tables, portions)
    dealers = [table[0] for table in tables]
    while _pass_a_deal(tables, dealers, ahead, locked):
        pass
    return dealers


def _may_deal(table: Table, locked: dict[int, int]) -> Table:
    """Who could take the deal of a table over: nobody where somebody's seat is locked."""
    return () if any(one in locked for one in table) else table


def _pass_a_deal(
    tables: Sequence[Table], dealers: list[int], ahead: list[Fraction], locked: dict[int, int]
) -> bool:
    deals: dict[int, list[int]] = {}
    for number, dealer in enumerate(dealers):
        deals.setdefault(dealer, []).append(number)
    for giver in sorted(deals, key=lambda one: (-ahead[one], one)):
        chain = _chain(giver, tables, deals, ahead, locked)
        if chain:
            for number, taker in chain:
                dealers[number] = taker
            ahead[giver] -= 1
            ahead[chain[-1][1]] += 1
            return True
    return False


def _chain(
    giver: int,
    tables: Sequence[Table],
    deals: dict[int, list[int]],
    ahead: list[Fraction],
    locked: dict[int, int],
) -> list[tuple[int, int]]:
    """The shortest chain of (table, new dealer) from the giver to one who is far enough behind."""
    came: dict[int, tuple[int, int]] = {}
    waiting = deque([giver])
    while waiting:
        one = waiting.popleft()
        for number in deals.get(one, ()):
            for other in _may_deal(tables[number], locked):
                if other == giver or other in came:
                    continue
                came[other] = (one, number)
                if ahead[giver] - ahead[other] > 1:
                    return _trace(giver, other, came)
                waiting.append(other)
    return []


def _trace(giver: int, taker: int, came: dict[int, tuple[int, int]]) -> list[tuple[int, int]]:
    chain = []
    while taker != giver:
        before, number = came[taker]
        chain.append((number, taker))
        taker = before
    return chain[::-1]
