"""What a game is played with, in words: players and sides, the deck, the hand, what bids pay."""

from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring import Ruleset, bid_value
from scoring.rulesets.options import BID

TEN_AND_UP = {"T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
DECK_WORDS = _("deck cards pack ranks joker")


class Fact(NamedTuple):
    """One line of a game's outline, and the words it is found by."""

    title: str
    value: str
    search: str


def facts(rules: Ruleset) -> list[Fact]:
    """Players, deck, hand and what is left over."""
    listed = [
        (gettext("Players"), _players(rules), "players sides teams partners"),
        (gettext("Deck"), deck_words(rules), str(DECK_WORDS)),
        (gettext("Cards each"), _cards(rules.hand_size), gettext("hand deal")),
        (gettext("Left over"), _left_over(rules), gettext("kitty widow")),
    ]
    return [
        Fact(title, value, f"{title} {value} {words}".lower()) for title, value, words in listed
    ]


def run_words(lowest: str) -> str:
    """A run of ranks up to the ace: "nine to ace" is written "9 to ace"."""
    return gettext("%(rank)s to ace") % {"rank": TEN_AND_UP.get(lowest, lowest)}


def deck_words(rules: Ruleset) -> str:
    """The cards in the deck: "24 cards: 9 to ace"."""
    shape = rules.to_dict()["shape"]
    suited = [card for card in rules.deck if len(card) > 1 and card not in shape.get("extra", ())]
    lowest = min((card[0] for card in suited), key="23456789TJQKA".index)
    parts = [run_words(lowest)]
    copies = shape.get("copies", 1)
    if copies > 1:
        parts.append(ngettext("%(n)d of each", "%(n)d of each", copies) % {"n": copies})
    extra = " ".join(shape.get("extra", ()))
    if extra:
        parts.append(_suits_shown(extra))
    if len(suited) + len(shape.get("extra", ())) < len(rules.deck):
        parts.append(gettext("the joker"))
    return gettext("%(cards)s: %(which)s") % {
        "cards": _cards(len(rules.deck)),
        "which": ", ".join(parts),
    }


def _suits_shown(cards: str) -> str:
    for letter, sign in zip("cdhs", "♣♦♥♠", strict=True):
        cards = cards.replace(letter, sign)
    return cards


def _cards(n: int) -> str:
    return ngettext("%(n)d card", "%(n)d cards", n) % {"n": n}


def _players(rules: Ruleset) -> str:
    if rules.partner_called:
        kind = gettext("the maker calls a partner")
    elif not rules.partnership:
        kind = gettext("everyone for themselves")
    elif rules.players == 4:
        kind = gettext("two pairs")
    else:
        n = rules.players // 2
        kind = ngettext("two teams of %(n)d", "two teams of %(n)d", n) % {"n": n}
    return gettext("%(n)d: %(kind)s") % {"n": rules.players, "kind": kind}


def _left_over(rules: Ruleset) -> str:
    left = rules.kitty_size
    if not left:
        return gettext("none, all cards are dealt")
    if rules.family != BID:
        return gettext("%(cards)s, one of them turned up") % {"cards": _cards(left)}
    taken = (
        gettext("%(cards)s for the highest bidder")
        if rules.taken_kitty
        else gettext("%(cards)s, not used")
    )
    return taken % {"cards": _cards(left)}


class BidValues(NamedTuple):
    """What bids are worth: a column for every suit, a row for every number of tricks."""

    suits: list[str]
    rows: list[tuple[int, list[int]]]


def bid_values(rules: Ruleset) -> BidValues | None:
    """The values of the bids, where suit and tricks decide what a bid is worth."""
    if rules.options.get("values", "tricks") == "tricks":
        return None
    suits = {"s": _("spades"), "c": _("clubs"), "d": _("diamonds"), "h": _("hearts")}
    names: dict[str, Any] = {**suits, **({"nt": _("no trump")} if rules.options["nt"] else {})}
    bids = range(rules.options["min"], rules.hand_size + 1)
    table = [(n, [bid_value(n, suit) for suit in names]) for n in bids]
    return BidValues([str(name) for name in names.values()], table)
