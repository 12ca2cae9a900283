"""Who deals first: one small function a custom, drawn from a seed so that it can be shown. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from league.pairing.rng import Rng

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
    chance = Rng(seed)
    cards = [card for card in deck if card[0] in RANKS]
    chance.shuffle(cards)
    return CUSTOMS[custom](players, cards, chance)


def _random(players: int, cards: list[str], chance: Rng) -> Draw:
    """By lot alone."""
    return Draw(chance.below(players))


def _high_card_suits(players: int, cards: list[str], chance: Rng) -> Draw:
    """Each draws one card; the highest deals, the suits break ties, so once is always enough."""
    drawn = tuple(enumerate(cards[:players]))
    return Draw(max(drawn, key=lambda one: _plain(one[1]))[0], drawn)


def _plain(card: str) -> tuple[int, int]:
    return RANKS.index(card[0]), HIGH_SUITS.index(card[1])


def _first_jack(players: int, cards: list[str], chance: Rng) -> Draw:
    """Cards are turned one to each in turn: the first jack deals."""
    return _turn_until(players, cards, ("Jc", "Jd", "Js", "Jh"))


def _first_black_jack(players: int, cards: list[str], chance: Rng) -> Draw:
    """Cards are turned one to each in turn: the first black jack deals."""
    return _turn_until(players, cards, ("Jc", "Js"))


def _turn_until(players: int, cards: list[str], wanted: tuple[str, ...]) -> Draw:
    last = min(cards.index(card) for card in wanted)
    turned = tuple((turn % players, card) for turn, card in enumerate(cards[: last + 1]))
    return Draw(last % players, turned)


def _cut_high(players: int, cards: list[str], chance: Rng) -> Draw:
    """Each cuts; the highest deals, the jack above the ace (Somerset, law 8); ties cut again."""
    return _cut(players, cards, "789TQKAJ")


def _cut_low(players: int, cards: list[str], chance: Rng) -> Draw:
    """Each cuts; the lowest deals, the ace below all; ties cut again."""
    return _cut(players, cards, "KQJT987A")


def _cut(players: int, cards: list[str], low_to_high: str) -> Draw:
    """Whoever cuts the best card deals; those who tie cut again from the same pack."""
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
