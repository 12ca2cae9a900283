"""The answers of the table page in words: suits, results, bids and penalties."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from league.members.rule_texts import SPECIAL_BIDS
from league.play.questions import DIRTY_CLUBS

SUIT_NAMES = {
    "s": _("spades"),
    "h": _("hearts"),
    "d": _("diamonds"),
    "c": _("clubs"),
    "nt": _("no trump"),
    "ntl": _("no trump, low"),
}
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
OUTCOMES = {"euchred": _("euchred"), "made": _("made"), "march": _("march")}
PENALTIES = {
    "renege": _("renege"),
    "false-claim": _("false claim"),
    "table-talk": _("table talk"),
    "abandoned": _("abandoned hand"),
}
SHOWN = {"jambone": _("jambone"), "jamboree": _("jamboree")}
SPECIALS = {**SPECIAL_BIDS, DIRTY_CLUBS: _("Dirty clubs")}


def card_face(code: str) -> str:
    """A card as it is printed: "10♣" for `Tc`."""
    rank, suit = code[:-1].replace("T", "10"), SUIT_SIGNS.get(code[-1:])
    return f"{rank}{suit}" if suit else str(_("Joker"))


def bid_text(bid: Any) -> str:
    """A bid as people say it: "6", "7 diamonds", "Big pepper"."""
    name = str(bid)
    if name in SPECIALS:
        return str(SPECIALS[name])
    suit = name.lstrip("0123456789")
    if suit in SUIT_NAMES and name != suit:
        return f"{name[: -len(suit)]} {SUIT_NAMES[suit]}"
    return name.replace("_", " ").capitalize()
