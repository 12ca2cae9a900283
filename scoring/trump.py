"""What the trump does to the cards: effective suit, power in a trick, the trick's winner."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from scoring.cards import ALL_CARDS, JOKER, NO_TRUMP_LOW, RANKS, SAME_COLOUR, SUITS

_TRUMP_POWER = 100  # any trump beats any card of the suit led
_JOKER_SUIT = "B"


@dataclass(frozen=True, slots=True)
class TrumpTable:
    """For one denomination: `suit[card]` it counts as; `power[led](card)` when that suit is led.

    A card of power 0 can never win the trick; a gap ("") has no suit. With twin cards the first
    played wins.
    """

    trump: str
    suit: dict[str, str]
    power: dict[str, Callable[[str], int]]

    def winner(self, cards: Sequence[str]) -> int:
        """Place (0 = led) of the card that takes the trick."""
        power = [*map(self.power[self.suit[cards[0]]], cards)]
        return power.index(max(power))


@cache
def trump_table(trump: str) -> TrumpTable:
    """The table of one denomination: `c d h s`, `nt` (aces high) or `ntl` (ranks inverted).

    The left bower is a trump for all purposes (003:27, 004:23). In no trump the jacks are plain
    cards. The joker is the highest trump (004:178); with no trump it is a suit of its own that
    beats all others.

    >>> trump_table("h").suit["Jd"]
    'h'
    >>> trump_table("h").winner(["Ad", "Kd", "Jd", "Td"])
    2
    """
    suit = {card: _effective_suit(card, trump) for card in ALL_CARDS}
    power = {
        led: {card: _power(card, suit, led, trump) for card in ALL_CARDS}.__getitem__
        for led in set(suit.values())
    }
    return TrumpTable(trump, suit | {"": ""}, power)


def _effective_suit(card: str, trump: str) -> str:
    if card == JOKER:
        return trump if trump in SUITS else _JOKER_SUIT
    if trump in SUITS and card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[1]


def _power(card: str, suit: dict[str, str], led: str, trump: str) -> int:
    if suit[card] == trump or card == JOKER:
        return _TRUMP_POWER + _trump_rank(card, trump)
    if suit[card] != led:
        return 0
    rank = RANKS.index(card[0])
    return len(RANKS) - rank if trump == NO_TRUMP_LOW else rank + 1


def _trump_rank(card: str, trump: str) -> int:
    if card == JOKER:
        return len(RANKS) + 2
    if card[0] == "J":
        return len(RANKS) + (card[1] == trump)
    return RANKS.index(card[0])
