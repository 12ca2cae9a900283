"""Cards, decks and denominations as text, and the suit and power of cards under each trump."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "B"
NO_TRUMP = "nt"
NO_TRUMP_LOW = "ntl"
DENOMINATIONS = (*SUITS, NO_TRUMP, NO_TRUMP_LOW)
SAME_COLOUR = MappingProxyType({"c": "s", "s": "c", "d": "h", "h": "d"})
ALL_CARDS = frozenset([rank + suit for rank in RANKS for suit in SUITS] + [JOKER])

# Decks of the turn-up games by their number of cards: lowest rank first, and the joker or not.
DECKS = MappingProxyType(
    {
        24: ("9TJQKA", False),
        25: ("9TJQKA", True),
        28: ("89TJQKA", False),
        32: ("789TJQKA", False),
        33: ("789TJQKA", True),
    }
)

_SUIT_SIGNS = {
    **{
        sign: suit
        for suit, signs in zip(SUITS, ("♣♧", "♦♢", "♥♡", "♠♤"), strict=True)
        for sign in signs
    },
    **{suit: suit for suit in SUITS},
    **{suit.upper(): suit for suit in SUITS},
}
_WORDS = {
    **{
        word: suit
        for suit, words in zip(
            SUITS, ("club clubs", "diamond diamonds", "heart hearts", "spade spades"), strict=True
        )
        for word in words.split()
    },
    "n": NO_TRUMP,
    "nt": NO_TRUMP,
    "no trump": NO_TRUMP,
    "ntl": NO_TRUMP_LOW,
    "no trump low": NO_TRUMP_LOW,
}
_JOKER_WORDS = frozenset({"b", "joker", "benny", "🃏"})
_LONGEST_WORD = 16


def build_deck(
    ranks: str, copies: int = 1, joker: bool = False, extra: Iterable[str] = ()
) -> tuple[str, ...]:
    """Every card of a deck, with twin cards repeated, low ranks first.

    `extra` are single cards below the run of ranks (the red fours of Five Hundred).

    >>> len(build_deck("9TJQKA")), len(build_deck("JQKA", copies=2))
    (24, 32)
    """
    plain = [rank + suit for suit in SUITS for rank in RANKS if rank in ranks]
    return (*extra, *plain * copies, *[JOKER] * joker)


def read_card(text: object) -> str | None:
    """The card a text means, in strict form, or None if it is not a card.

    >>> read_card("10h"), read_card("AH"), read_card("A♥"), read_card("joker"), read_card("1h")
    ('Th', 'Ah', 'Ah', 'B', None)
    """
    if not isinstance(text, str) or not 1 <= len(text) <= _LONGEST_WORD:
        return None
    if text in ALL_CARDS:
        return text
    text = text.strip().rstrip("\ufe0f\ufe0e")
    if text.lower() in _JOKER_WORDS:
        return JOKER
    rank, suit = text[:-1].upper().replace("10", "T"), _SUIT_SIGNS.get(text[-1:])
    if suit is None or len(rank) != 1 or rank not in RANKS:
        return None
    return rank + suit


def read_denomination(text: object) -> str | None:
    """The suit or no trump a text means (`c d h s nt ntl`), or None.

    >>> read_denomination("H"), read_denomination("Hearts"), read_denomination("NT")
    ('h', 'h', 'nt')
    """
    if not isinstance(text, str) or not 1 <= len(text) <= _LONGEST_WORD:
        return None
    if text in DENOMINATIONS:
        return text
    text = text.strip().rstrip("\ufe0f\ufe0e").lower().replace("-", " ").replace("_", " ")
    return _SUIT_SIGNS.get(text) or _WORDS.get(text)


def suit_printed(card: str) -> str | None:
    """The suit printed on a card; None for the joker. `TrumpTable` has the suit it counts as."""
    return None if card == JOKER else card[1]


def left_over(cards: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The cards that remain after removing `taken`; twin cards are removed one by one."""
    remaining = list(cards)
    for card in taken:
        if card in remaining:
            remaining.remove(card)
    return remaining


_TRUMP_POWER = 100  # any trump beats any card of the suit led
_JOKER_SUIT = "B"


@dataclass(frozen=True, slots=True)
class TrumpTable:
    """For one denomination: the suit a card counts as, and its power when a suit is led.

    A card of power 0 cannot win the trick; a gap ("") has no suit. Of twin cards the first played
    wins.
    """

    trump: str
    suit: dict[str, str]
    power: dict[str, dict[str, int]]

    def winner(self, cards: Sequence[str]) -> int:
        """The position (0 = led) of the card that takes the trick."""
        power = self.power[self.suit[cards[0]]]
        return cards.index(max(cards, key=power.__getitem__))


@cache
def trump_table(trump: str, bowers: bool = True) -> TrumpTable:
    """The table of one denomination: `c d h s`, `nt` (aces high) or `ntl` (ranks inverted).

    The left bower is a trump for all purposes (003:27, 004:23). In no trump the jacks are plain
    cards. The joker is the highest trump (004:178); with no trump it is a suit of its own that
    beats all others. Without `bowers` the jacks are plain cards in every denomination.

    >>> trump_table("h").suit["Jd"]
    'h'
    >>> trump_table("h").winner(["Ad", "Kd", "Jd", "Td"])
    2
    """
    suit = {card: _effective_suit(card, trump, bowers) for card in ALL_CARDS}
    power = {
        led: {card: _power(card, suit, led, trump, bowers) for card in ALL_CARDS}
        for led in set(suit.values())
    }
    return TrumpTable(trump, suit | {"": ""}, power)


def _effective_suit(card: str, trump: str, bowers: bool) -> str:
    if card == JOKER:
        return trump if trump in SUITS else _JOKER_SUIT
    if bowers and trump in SUITS and card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[1]


def _power(card: str, suit: dict[str, str], led: str, trump: str, bowers: bool) -> int:
    if suit[card] == trump or card == JOKER:
        return _TRUMP_POWER + _trump_rank(card, trump, bowers)
    if suit[card] != led:
        return 0
    rank = RANKS.index(card[0])
    return len(RANKS) - rank if trump == NO_TRUMP_LOW else rank + 1


def _trump_rank(card: str, trump: str, bowers: bool) -> int:
    if card == JOKER:
        return len(RANKS) + 2
    if bowers and card[0] == "J":
        return len(RANKS) + (card[1] == trump)
    return RANKS.index(card[0])
