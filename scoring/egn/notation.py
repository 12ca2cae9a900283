"""EGN's way of writing cards: its own letters, named bowers, generic suits, unknown cards."""

from collections.abc import Mapping

from scoring.cards import JOKER, RANKS, SAME_COLOUR, SUITS

_GENERIC = {"t": "trump", "n": "next"}
UNKNOWN = "Xx"


def read_card(text: object, trump: str | None = None) -> str | None:
    """One EGN card in our strict form; a card that is not wholly known as `Xx`; None if it is none.

    `N` is the nine; `R`, `L` and the generic suits `t` (trump) and `n` (next) need the trump.

    >>> read_card("Nc"), read_card("L", "h"), read_card("Kt", "s"), read_card("Xc"), read_card("Zz")
    ('9c', 'Jd', 'Ks', 'Xx', None)
    """
    if not isinstance(text, str) or not 1 <= len(text) <= 2:
        return None
    if text == JOKER:
        return JOKER
    suits: Mapping[str, str] = {}
    if trump in SAME_COLOUR:
        suits = {"t": str(trump), "n": SAME_COLOUR[str(trump)]}
    if text in ("R", "L"):
        return "J" + suits["t" if text == "R" else "n"] if suits else UNKNOWN
    if len(text) != 2:
        return None
    rank, suit = text[0].replace("N", "9"), text[1].lower()
    if rank not in RANKS + "X" or suit not in SUITS + "xtng":
        return None
    suit = suits.get(suit, suit)
    return rank + suit if rank in RANKS and suit in SUITS else UNKNOWN


def suit_of(text: object) -> str | None:
    """The suit of an EGN card of which at least that is known ("Xs").

    >>> suit_of("Xs"), suit_of("Jx")
    ('s', None)
    """
    if isinstance(text, str) and len(text) == 2 and text[1].lower() in SUITS:
        return text[1].lower()
    return None
