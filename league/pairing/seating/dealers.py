"""Who deals first: drawn by a club's custom, or levelled over an evening, with everybody's seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.history import WHOLE, Portion
from league.pairing.seating.table_layout import ORDERS, seat_table

__all__ = ["CUSTOMS", "draw_dealer"]

RANKS = "789TJQKA"

HIGH_SUITS = "csdh"
"""«hearts high, then diamonds, then spades, then clubs» (the Nanaimo rules), low to high."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The seat that deals first and the cards that said so, `(seat, card)` in the order drawn."""

    dealer: int
    cards: tuple[tuple[int, str], ...] = field(default=())


def draw_dealer(custom: str, players: int, *, deck: Sequence[str], seed: int) -> Draw:
    """Draw the first dealer among `players` seats from the table's own deck, jokers left out.

    `custom` is the ruleset's `first_dealer`. Raises KeyError for one there is not.
    """
    rng = Rng(seed)
    cards = [card for card in deck if card[0] in RANKS]
    rng.shuffle(cards)
    return CUSTOMS[custom](players, cards, rng)


def _random(players: int, cards: list[str], rng: Rng) -> Draw:
    """By lot alone."""
    return Draw(rng.below(players))


def _high_card_suits(players: int, cards: list[str], rng: Rng) -> Draw:
    """Each draws one card; the highest deals, the suits break ties, so once is always enough."""
    drawn = tuple(enumerate(cards[:players]))
    return Draw(max(drawn, key=lambda one: _plain(one[1]))[0], drawn)


def _plain(card: str) -> tuple[int, int]:
    return RANKS.index(card[0]), HIGH_SUITS.index(card[1])


def _first_jack(players: int, cards: list[str], rng: Rng) -> Draw:
    """Cards are turned one to each in turn: the first jack deals."""
    return _turn_until(players, cards, ("Jc", "Jd", "Js", "Jh"))


def _first_black_jack(players: int, cards: list[str], rng: Rng) -> Draw:
    """Cards are turned one to each in turn: the first black jack deals."""
    return _turn_until(players, cards, ("Jc", "Js"))


def _turn_until(players: int, cards: list[str], wanted: tuple[str, ...]) -> Draw:
    last = min(cards.index(card) for card in wanted)
    turned = tuple((turn % players, card) for turn, card in enumerate(cards[: last + 1]))
    return Draw(last % players, turned)


def _cut_high(players: int, cards: list[str], rng: Rng) -> Draw:
    """Each cuts; the highest deals, the jack above the ace (Somerset, law 8); ties cut again."""
    return _cut(players, cards, "789TQKAJ")


def _cut_low(players: int, cards: list[str], rng: Rng) -> Draw:
    """Each cuts; the lowest deals, the ace below all; ties cut again."""
    return _cut(players, cards, "KQJT987A")


def _cut(players: int, cards: list[str], low_to_high: str) -> Draw:
    """The player who cuts the best card deals; those who tie cut again from the same pack."""
    drawn: list[tuple[int, str]] = []
    still = list(range(players))
    while len(still) > 1:
        cut = list(zip(still, cards[len(drawn) :], strict=False))
        drawn += cut
        best = max(low_to_high.index(card[0]) for _seat, card in cut)
        still = [seat for seat, card in cut if low_to_high.index(card[0]) == best]
    return Draw(still[0], tuple(drawn))


CUSTOMS: Mapping[str, Callable[[int, list[str], Rng], Draw]] = {
    "random": _random,
    "high_card_suits": _high_card_suits,
    "first_jack": _first_jack,
    "first_black_jack": _first_black_jack,
    "cut": _cut_high,  # where the rules do not say which card wins
    "cut_high": _cut_high,
    "cut_low": _cut_low,
}


Table = Sequence[int]


def seat_evening(
    rounds: Sequence[Sequence[Table]],
    portions: Sequence[Portion],
    locked: dict[int, int],
    rng: Rng,
) -> list[list[list[int]]]:
    """Every round's tables in seat order.

    The deals are provably as level as these tables allow, the seats as level as a search makes
    them. `locked` names those who keep a seat.
    """
    tables = [table for tables in rounds for table in tables]
    orders = [seat_table(table, portions, rng, locked) for table in tables]
    SeatBalance(orders, _ahead(orders, portions), portions, locked).level(rng, firm=False)
    dealers = level_deals(orders, portions, locked)
    for order, dealer in zip(orders, dealers, strict=True):
        _give_deal(order, dealer)
    SeatBalance(orders, _ahead(orders, portions), portions, locked).level(rng, firm=True)
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
    ahead = [(portion.deals.had - portion.deals.owed) / WHOLE for portion in portions]
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


PER_TABLE, MOST = 200, 40_000  # turns tried
SOFT, FIRM = 3 * WHOLE, 10**6  # what a deal out of level weighs against a seat out of level
TWELFTHS = 12  # deals due are multiples of a half, a third or a quarter


class SeatBalance:
    """The tables of an evening in seat order, and how level deals and seats are.

    `ahead` says how many deals more than due everybody has with the tables as they are, `portions`
    what was had before, `locked` whose seats may not change. Tables are turned about in place.
    """

    def __init__(
        self,
        tables: Sequence[list[int]],
        ahead: Sequence[Fraction],
        portions: Sequence[Portion],
        locked: dict[int, int],
    ) -> None:
        self.free = [table for table in tables if len(table) == 4 and not set(table) & set(locked)]
        self.had = [portion.seats[:] for portion in portions]
        self.deals = [round(one * TWELFTHS) for one in ahead]
        for table in tables:
            for seat, one in enumerate(table if len(table) == 4 else ()):
                self.had[one][seat] += WHOLE

    def level(self, rng: Rng, *, firm: bool) -> None:
        """Turn tables while it levels deals and seats.

        `firm` never lets the deals grow less level; without it they may, and small steps back are
        taken at first so that the search does not stop short.
        """
        steps = min(MOST, PER_TABLE * len(self.free))
        deal, limits = FIRM if firm else SOFT, thresholds()
        for step in range(steps):
            table = self.free[rng.below(len(self.free))]
            order = [table[place] for place in ORDERS[4][rng.below(8)]]
            cooling = 0 if firm else WHOLE * max(0, steps - 2 * step) // steps
            if self._change(table, order, deal) * 1000 <= cooling * limits[rng.below(QUANTILES)]:
                self._turn(table, order)

    def _change(self, table: list[int], order: list[int], deal: int) -> int:
        """The change of the weighed squares when a table takes this order, halved."""
        change = 0
        if order[0] != table[0]:
            change = deal * (self.deals[order[0]] - self.deals[table[0]] + TWELFTHS) // TWELFTHS
        for seat, one in enumerate(order):
            old = table.index(one)
            if old != seat:
                change += self.had[one][seat] - self.had[one][old] + WHOLE
        return change

    def _turn(self, table: list[int], order: list[int]) -> None:
        self.deals[table[0]] -= TWELFTHS
        self.deals[order[0]] += TWELFTHS
        for seat, one in enumerate(table):
            self.had[one][seat] -= WHOLE
        for seat, one in enumerate(order):
            self.had[one][seat] += WHOLE
        table[:] = order
