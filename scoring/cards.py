"""Cards, decks and denominations, and their text: read leniently, written strictly."""

from collections.abc import Iterable
from types import MappingProxyType

RANKS = "789TJQKA"
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


def build_deck(ranks: str, copies: int = 1, joker: bool = False) -> tuple[str, ...]:
    """Every card of a deck, twin cards as often as they occur, low ranks first.

    >>> len(build_deck("9TJQKA")), len(build_deck("JQKA", copies=2))
    (24, 32)
    """
    plain = [rank + suit for suit in SUITS for rank in RANKS if rank in ranks]
    return tuple(plain * copies + [JOKER] * joker)


def read_card(text: object) -> str | None:
    """The card a text means, in strict form, or None when it means none.

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
    """The suit printed on a card; None for the joker. For the suit it counts as, see trump.py."""
    return None if card == JOKER else card[1]


def left_over(cards: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The cards that remain when `taken` is lifted out, twins counted one by one."""
    remaining = list(cards)
    for card in taken:
        if card in remaining:
            remaining.remove(card)
    return remaining
