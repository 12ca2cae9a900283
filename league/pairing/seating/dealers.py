"""The first dealer: drawn by a club's custom, or shared fairly over an evening with the seats."""

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
    """The seat that deals first, and the cards drawn for it: `(seat, card)` in order."""

    dealer: int
    cards: tuple[tuple[int, str], ...] = field(default=())


def draw_dealer(custom: str, players: int, *, deck: Sequence[str], seed: int) -> Draw:
    """Draw the first dealer among `players` seats from the table's own deck without jokers.

    `custom` is the ruleset's `first_dealer`. Raises KeyError if it is unknown.
    """
    rng = Rng(seed)
    cards = [card for card in deck if card[0] in RANKS]
    rng.shuffle(cards)
    return CUSTOMS[custom](players, cards, rng)


def _random(players: int, cards: list[str], rng: Rng) -> Draw:
    """Choose a seat at random, without cards."""
    return Draw(rng.below(players))


def _high_card_suits(players: int, cards: list[str], rng: Rng) -> Draw:
    """Each draws one card and the highest deals; suits break ties, so no second draw is needed."""
    drawn_cards = tuple(enumerate(cards[:players]))
    return Draw(max(drawn_cards, key=lambda draw: _card_rank(draw[1]))[0], drawn_cards)


def _card_rank(card: str) -> tuple[int, int]:
    return RANKS.index(card[0]), HIGH_SUITS.index(card[1])


def _first_jack(players: int, cards: list[str], rng: Rng) -> Draw:
    """Cards are dealt face up, one to each in turn; the first jack deals."""
    return _turn_until(players, cards, ("Jc", "Jd", "Js", "Jh"))


def _first_black_jack(players: int, cards: list[str], rng: Rng) -> Draw:
    """Cards are dealt face up, one to each in turn; the first black jack deals."""
    return _turn_until(players, cards, ("Jc", "Js"))


def _turn_until(players: int, cards: list[str], wanted_cards: tuple[str, ...]) -> Draw:
    last = min(cards.index(card) for card in wanted_cards)
    turned_cards = tuple((turn % players, card) for turn, card in enumerate(cards[: last + 1]))
    return Draw(last % players, turned_cards)


def _cut_high(players: int, cards: list[str], rng: Rng) -> Draw:
    """Each cuts and the highest deals, jack above ace (Somerset, law 8); ties cut again."""
    return _cut(players, cards, "789TQKAJ")


def _cut_low(players: int, cards: list[str], rng: Rng) -> Draw:
    """Each cuts and the lowest deals, ace low; ties cut again."""
    return _cut(players, cards, "KQJT987A")


def _cut(players: int, cards: list[str], low_to_high: str) -> Draw:
    """Let each player cut until one has the best card; ties cut again from the same pack."""
    drawn_cards: list[tuple[int, str]] = []
    tied_seats = list(range(players))
    while len(tied_seats) > 1:
        cut = list(zip(tied_seats, cards[len(drawn_cards) :], strict=False))
        drawn_cards += cut
        best = max(low_to_high.index(card[0]) for _seat, card in cut)
        tied_seats = [seat for seat, card in cut if low_to_high.index(card[0]) == best]
    return Draw(tied_seats[0], tuple(drawn_cards))


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
    """Return the tables of every round in seat order.

    The deals are provably as even as these tables allow, the seats as even as a search can make
    them. `locked` holds the players who keep a seat.
    """
    tables = [table for tables in rounds for table in tables]
    orders = [seat_table(table, portions, rng, locked) for table in tables]
    SeatBalance(orders, _deal_surplus(orders, portions), portions, locked).level(rng, firm=False)
    dealers = level_deals(orders, portions, locked)
    for order, dealer in zip(orders, dealers, strict=True):
        _seat_dealer_first(order, dealer)
    SeatBalance(orders, _deal_surplus(orders, portions), portions, locked).level(rng, firm=True)
    seated = iter(orders)
    return [[next(seated) for _ in tables] for tables in rounds]


def _seat_dealer_first(order: list[int], dealer: int) -> None:
    """Move the dealer to the first seat: swap partners, or rotate the table."""
    seat = order.index(dealer)
    if seat == 2:
        order[0], order[2] = order[2], order[0]
    else:
        order[:] = order[seat:] + order[:seat]


def _deal_surplus(orders: Sequence[Table], portions: Sequence[Portion]) -> list[Fraction]:
    """Return how many deals more than their fair share all players have after these tables."""
    surplus = [(portion.deals.had - portion.deals.owed) / WHOLE for portion in portions]
    for table in orders:
        surplus[table[0]] += 1
        for player in table:
            surplus[player] -= Fraction(1, len(table))
    return surplus


def level_deals(
    tables: Sequence[Table], portions: Sequence[Portion], locked: dict[int, int]
) -> list[int]:
    """Return the first dealer of each table so that sum (deals - expected)^2 is minimal.

    At the start the player in the first seat deals. Deals are then passed along chains of shared
    tables, from a player to one whose surplus is smaller by more than a deal. If no such chain is
    left, the sum is minimal.
    """
    surplus = _deal_surplus(tables, portions)
    dealers = [table[0] for table in tables]
    while _pass_a_deal(tables, dealers, surplus, locked):
        pass
    return dealers


def _possible_dealers(table: Table, locked: dict[int, int]) -> Table:
    """Return who could take over the deal of a table: nobody if a seat of it is locked."""
    return () if any(player in locked for player in table) else table


def _pass_a_deal(
    tables: Sequence[Table], dealers: list[int], surplus: list[Fraction], locked: dict[int, int]
) -> bool:
    deals: dict[int, list[int]] = {}
    for number, dealer in enumerate(dealers):
        deals.setdefault(dealer, []).append(number)
    for giver in sorted(deals, key=lambda player: (-surplus[player], player)):
        chain = _deal_chain(giver, tables, deals, surplus, locked)
        if chain:
            for number, taker in chain:
                dealers[number] = taker
            surplus[giver] -= 1
            surplus[chain[-1][1]] += 1
            return True
    return False


def _deal_chain(
    giver: int,
    tables: Sequence[Table],
    deals: dict[int, list[int]],
    surplus: list[Fraction],
    locked: dict[int, int],
) -> list[tuple[int, int]]:
    """Return the shortest chain of (table, new dealer) from the giver to a player far behind."""
    previous: dict[int, tuple[int, int]] = {}
    queue = deque([giver])
    while queue:
        player = queue.popleft()
        for number in deals.get(player, ()):
            for other_player in _possible_dealers(tables[number], locked):
                if other_player == giver or other_player in previous:
                    continue
                previous[other_player] = (player, number)
                if surplus[giver] - surplus[other_player] > 1:
                    return _trace_chain(giver, other_player, previous)
                queue.append(other_player)
    return []


def _trace_chain(
    giver: int, taker: int, previous: dict[int, tuple[int, int]]
) -> list[tuple[int, int]]:
    chain = []
    while taker != giver:
        player, number = previous[taker]
        chain.append((number, taker))
        taker = player
    return chain[::-1]


STEPS_PER_TABLE, MOST_STEPS = 200, 40_000  # changes of order tried
SOFT, FIRM = 3 * WHOLE, 10**6  # the weight of an uneven deal against an uneven seat
TWELFTHS = 12  # expected deals are multiples of a half, a third or a quarter


class SeatBalance:
    """The tables of an evening in seat order, and how even deals and seats are.

    `deal_surplus` is each player's number of deals above their fair share with the current tables,
    `portions` what they have had before, `locked` the players whose seats may not change. Tables
    are reordered in place.
    """

    def __init__(
        self,
        tables: Sequence[list[int]],
        deal_surplus: Sequence[Fraction],
        portions: Sequence[Portion],
        locked: dict[int, int],
    ) -> None:
        self.movable_tables = [
            table for table in tables if len(table) == 4 and not set(table) & set(locked)
        ]
        self.seat_counts = [portion.seats[:] for portion in portions]
        self.deals = [round(surplus * TWELFTHS) for surplus in deal_surplus]
        for table in tables:
            for seat, player in enumerate(table if len(table) == 4 else ()):
                self.seat_counts[player][seat] += WHOLE

    def level(self, rng: Rng, *, firm: bool) -> None:
        """Reorder tables while it makes deals and seats more even.

        With `firm` the deals never become less even. Without it they may, and small steps back are
        accepted at first to escape local minima.
        """
        steps = min(MOST_STEPS, STEPS_PER_TABLE * len(self.movable_tables))
        deal_weight, quantiles = FIRM if firm else SOFT, thresholds()
        for step in range(steps):
            table = self.movable_tables[rng.below(len(self.movable_tables))]
            order = [table[place] for place in ORDERS[4][rng.below(8)]]
            cooling = 0 if firm else WHOLE * max(0, steps - 2 * step) // steps
            change = self._cost_change(table, order, deal_weight)
            if change * 1000 <= cooling * quantiles[rng.below(QUANTILES)]:
                self._reorder(table, order)

    def _cost_change(self, table: list[int], order: list[int], deal_weight: int) -> int:
        """Return half the change of the weighed squares if a table takes this order."""
        change = 0
        if order[0] != table[0]:
            deals = self.deals[order[0]] - self.deals[table[0]] + TWELFTHS
            change = deal_weight * deals // TWELFTHS
        for seat, player in enumerate(order):
            current = table.index(player)
            if current != seat:
                change += self.seat_counts[player][seat] - self.seat_counts[player][current] + WHOLE
        return change

    def _reorder(self, table: list[int], order: list[int]) -> None:
        self.deals[table[0]] -= TWELFTHS
        self.deals[order[0]] += TWELFTHS
        for seat, player in enumerate(table):
            self.seat_counts[player][seat] -= WHOLE
        for seat, player in enumerate(order):
            self.seat_counts[player][seat] += WHOLE
        table[:] = order
