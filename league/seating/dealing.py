"""Who deals first at every table of an evening, as evenly as can be, and everybody's chair."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from fractions import Fraction

from league.seating.chairs import seat_table
from league.seating.chance import Chance
from league.seating.history import WHOLE, Portion

Table = Sequence[int]


def seat_evening(
    rounds: Sequence[Sequence[Table]],
    portions: Sequence[Portion],
    locked: dict[int, int],
    chance: Chance,
) -> list[list[list[int]]]:
    """Every round's tables in seat order.

    The deals are provably as level as these tables allow; the chairs follow round by round.
    `locked` names those who keep a seat; `portions` are counted on.
    """
    tables = [table for tables in rounds for table in tables]
    dealers = iter(level_deals(tables, portions, locked))
    seated: list[list[list[int]]] = []
    for one_round in rounds:
        seated.append([])
        for table in one_round:
            order = seat_table(table, portions, chance, locked, next(dealers))
            seated[-1].append(order)
            if len(order) == 4:
                for seat, one in enumerate(order):
                    portions[one].chairs[seat] += WHOLE
    return seated


def level_deals(
    tables: Sequence[Table], portions: Sequence[Portion], locked: dict[int, int]
) -> list[int]:
    """The first dealer of each table, so that sum (deals - due)^2 is least.

    Starts with whoever is due most, then passes deals along chains of shared tables from one who
    has more than a deal more than another. When no chain is left the sum cannot be lowered.
    """
    ahead = [(one.deals.had - one.deals.owed) / WHOLE for one in portions]
    for table in tables:
        for one in table:
            ahead[one] -= Fraction(1, len(table))
    dealers = []
    for table in tables:
        dealer = min(_may_deal(table, locked), key=lambda one: (ahead[one], one))
        dealers.append(dealer)
        ahead[dealer] += 1
    while _pass_a_deal(tables, dealers, ahead, locked):
        pass
    return dealers


def _may_deal(table: Table, locked: dict[int, int]) -> list[int]:
    bound = [one for one in table if locked.get(one) == 0]
    free = [one for one in table if one not in locked]
    return bound or free or list(table)


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
