"""What a game is played with, in words: players and sides, the deck, the hand, what bids pay; and
one hand worked out, its endings each with what it pays."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.members.rule_texts import special_name
from scoring import Ruleset, bid_value, check_hand
from scoring.rulesets.options import BID, TURN_UP

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


PLAYERS = ("Ruth", "Walter", "Pat", "Dave", "Joan", "Frank", "Helen", "Sam")
MAKER, PARTNER = 0, 2
Ending = tuple[str, dict[str, Any]]


class WorkedHand(NamedTuple):
    """Who sits and deals, the sides that score together, and (what happens, points a side)."""

    opening: str
    sides: list[str]
    rows: list[tuple[str, list[int]]]


def worked_hand(rules: Ruleset) -> WorkedHand:
    """Ruth makes trump in a hand of this game: its endings, each with what it pays."""
    names = PLAYERS[: rules.players]
    groups = _groups(rules)
    rows = []
    for sentence, hand in _turned_up(rules) if rules.family == TURN_UP else _bid(rules):
        points = _points(rules, hand)
        if points is not None:
            rows.append((sentence, [min(points[seat] for seat in seats) for seats in groups]))
    opening = gettext("%(dealer)s deals, and %(maker)s makes hearts trump.")
    if rules.partner_called:
        opening = gettext(
            "%(dealer)s deals. %(maker)s makes hearts trump and calls the ace of spades, "
            "which %(partner)s holds."
        )
    sentence = opening % {"dealer": names[-1], "maker": names[MAKER], "partner": PLAYERS[PARTNER]}
    return WorkedHand(sentence, [_together([names[seat] for seat in g]) for g in groups], rows)


def _groups(rules: Ruleset) -> list[tuple[int, ...]]:
    if not rules.partner_called:
        return list(rules.sides)
    others = tuple(seat for seat in range(1, rules.players) if seat != PARTNER)
    return [(MAKER,), (PARTNER,), others]


def _together(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, last = ", ".join(names[:-1]), names[-1]
    return gettext("%(some)s and %(last)s") % {"some": first, "last": last}


def _taking(rules: Ruleset, taken: int, contract: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A hand in which the makers take so many tricks, the others the rest in turn."""
    out = more.get("out", [])
    side = _groups(rules)[0] + ((PARTNER,) if rules.partner_called else ())
    lone = more.get("lone_defender")
    others = (
        [lone] if lone else [seat for seat in range(1, rules.players) if seat not in (*side, *out)]
    )
    tricks = [0] * rules.players
    tricks[MAKER] = taken
    for n in range(rules.hand_size - taken):
        tricks[others[n % len(others)]] += 1
    hand: dict[str, Any] = {
        "dealer": rules.players - 1,
        "contract": {"seat": MAKER, **contract},
        "tricks_won": tricks,
        **more,
    }
    if rules.partner_called and not contract.get("alone"):
        hand["partner"] = PARTNER
        hand["contract"]["call_card"] = "As"
    return hand


def _turned_up(rules: Ruleset) -> Iterator[Ending]:
    every, need = rules.hand_size, rules.hand_size // 2 + 1
    options = rules.options
    contract: dict[str, Any] = {"trump": "h"}
    yield _tricks(rules, need), _taking(rules, need, contract)
    by_tricks = options.get("drop_out")
    march, euchre = (_tricks, _tricks) if by_tricks else (_all_tricks, _euchred)
    yield march(rules, every), _taking(rules, every, contract)
    yield euchre(rules, need - 1), _taking(rules, need - 1, contract)
    if by_tricks:
        sentence = gettext("Pat drops out, and Ruth takes three tricks")
        yield sentence, _taking(rules, need, contract, out=[PARTNER])
    if by_tricks and options.get("dirty_clubs"):
        yield _clubs_turned(rules)
    if "lone_march" not in options:
        return
    alone = {**contract, "alone": True}
    bonus = options.get("caller_bonus")
    if bonus:
        sentence = gettext(
            "Ruth plays alone and takes all the tricks (%(n)d more for Ruth in standings by player)"
        ) % {"n": bonus}
    else:
        sentence = gettext("Ruth plays alone and takes all the tricks")
    yield sentence, _taking(rules, every, alone)
    yield gettext("Ruth plays alone and is euchred"), _taking(rules, need - 1, alone)
    yield from _by_agreement(rules, contract, alone)


def _clubs_turned(rules: Ruleset) -> Ending:
    hand: dict[str, Any] = {
        "dealer": rules.players - 1,
        "contract": {"seat": rules.players - 1, "special": "dirty_clubs", "trump": "c"},
        "tricks_won": [3, 2, *[0] * (rules.players - 2)],
    }
    return gettext("A club is turned up: Ruth takes three tricks and Walter two"), hand


def _by_agreement(
    rules: Ruleset, contract: dict[str, Any], alone: dict[str, Any]
) -> Iterator[Ending]:
    """Endings that only some house rules have."""
    options, every = rules.options, rules.hand_size
    if options.get("defend_alone", "never") != "never":
        sentence = gettext("Ruth plays alone, Walter defends alone and takes three tricks")
        yield sentence, _taking(rules, 2, alone, lone_defender=1)
    if options.get("jambone", "off") != "off":
        shown = {**contract, "special": "jambone"}
        yield (
            gettext("Jambone: Ruth's open lone hand takes all the tricks"),
            _taking(rules, every, shown),
        )
    if options.get("fast_break"):
        sentence = gettext("Fast break: the others take the first two tricks, Ruth's side the rest")
        yield sentence, _taking(rules, 3, contract, fast_break=True)


def _bid(rules: Ruleset) -> Iterator[Ending]:
    every = rules.hand_size
    least = max(int(rules.options.get("min", 1)), every // 2)
    contract = {"trump": "h", "tricks": least}
    bids = gettext("Ruth bids %(n)d.") % {"n": least}
    counts = [least, least + 1, least - 1]
    if rules.options["all_tricks_least"] and every > least + 1:
        counts.append(every)
    for taken in counts:
        if 0 <= taken <= every:
            yield f"{bids} {_tricks(rules, taken)}", _taking(rules, taken, contract)
    if rules.options.get("drop_out") and rules.options.get("dirty_clubs"):
        yield _clubs_turned(rules)
    for special in rules.specials:
        bid = {"special": special.name} | ({} if special.lose_all else {"trump": "h"})
        says = gettext("Ruth bids “%(bid)s”.") % {"bid": special_name(special.name)}
        made, failed = (0, 1) if special.lose_all else (special.tricks, special.tricks - 1)
        for taken in (made, failed):
            yield f"{says} {_tricks(rules, taken)}", _taking(rules, taken, bid)


def _tricks(rules: Ruleset, n: int) -> str:
    if rules.partnership or rules.partner_called:
        return ngettext("Her side takes %(n)d trick", "Her side takes %(n)d tricks", n) % {"n": n}
    return ngettext("She takes %(n)d trick", "She takes %(n)d tricks", n) % {"n": n}


def _all_tricks(rules: Ruleset, n: int) -> str:
    return gettext("%(tricks)s: a march") % {"tricks": _tricks(rules, n)}


def _euchred(rules: Ruleset, n: int) -> str:
    return gettext("%(tricks)s: a euchre") % {"tricks": _tricks(rules, n)}


def _points(rules: Ruleset, hand: dict[str, Any]) -> tuple[int, ...] | None:
    """What the hand pays every seat; None where this game has no such hand."""
    answer = check_hand(hand, rules)
    return answer.points if answer.valid else None
