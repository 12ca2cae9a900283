"""A game's facts in words: in short, players and sides, deck, hand, values of bids; and a worked
example of a hand, with the points for each ending."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.members.rule_texts import RULES, special_name
from scoring import Ruleset, bid_value, check_hand, idle_options
from scoring.rulesets.options import BID, TURN_UP

MOST_IN_SHORT = 4
RANK_WORDS = {"T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
DECK_WORDS = _("deck cards pack ranks joker")
USUAL_DECK = 24
NOT_PLAYED = (None, False, "off", "never")
# Rules of turn-up games worth a word where they are played, by the rule.
IF_PLAYED = {
    "stick_the_dealer": _("stick the dealer"),
    "partner_order_alone": _("Canadian loner"),
    "no_trump": _("no trump can be called"),
    "farmers": _("farmer's hand"),
    "defend_alone": _("defending alone"),
}


class Fact(NamedTuple):
    """A fact about a game, with its search words."""

    title: str
    value: str
    search: str


def in_short(rules: Ruleset) -> str:
    """What players ask first about a game: "To 10 · 4 for a march alone · stick the dealer"."""
    return " · ".join(list(key_facts(rules).values())[:MOST_IN_SHORT])


def in_short_with_deck(rules: Ruleset) -> str:
    """The same with the number of cards, also of the usual deck, for a list of several games."""
    return " · ".join(list(key_facts(rules, with_deck=True).values())[:MOST_IN_SHORT])


def key_facts(rules: Ruleset, *, with_deck: bool = False) -> dict[str, str]:
    """What players ask first about a game, by the rule that says so, the most important first.

    Only rules that the game has: without stick the dealer there is no `stick_the_dealer`. The usual
    deck goes without saying, except `with_deck`.
    """
    lines = {"target": _end_words(rules)}
    if with_deck or len(rules.deck) != USUAL_DECK:
        lines["deck"] = card_count(len(rules.deck))
    if rules.partner_called:
        lines["call_card"] = gettext("the maker calls a partner")
    lines |= _turn_up_facts(rules) if rules.family == TURN_UP else _bid_facts(rules)
    return lines


def _end_words(rules: Ruleset) -> str:
    if rules.hands:
        return ngettext("%(n)d hand", "%(n)d hands", rules.hands) % {"n": rules.hands}
    if rules.counts_down:
        values = {"start": rules.start, "target": rules.target}
        return gettext("From %(start)d down to %(target)d") % values
    return gettext("To %(n)d") % {"n": rules.target}


def _turn_up_facts(rules: Ruleset) -> dict[str, str]:
    options, idle = rules.options, idle_options(rules)
    lines = {}
    march, lone_march = options["march"], options.get("lone_march")
    if lone_march not in (None, march) and "lone_march" not in idle:
        lines["lone_march"] = gettext("%(n)d for a march alone") % {"n": lone_march}
    elif "march" not in idle:
        lines["march"] = gettext("%(n)d for a march") % {"n": march}
    if options["euchre_pays"] == "makers_lose":
        lines["euchre"] = gettext("a euchre costs %(n)d") % {"n": options["euchre"]}
    lines |= {
        name: str(words)
        for name, words in IF_PLAYED.items()
        if options.get(name) not in NOT_PLAYED and name not in idle
    }
    return lines


def _bid_facts(rules: Ruleset) -> dict[str, str]:
    options = rules.options
    lines = {"min": gettext("bids from %(n)d") % {"n": options["min"]}}
    if options.get("all_pass") == "dealer_must_bid_min":
        lines["all_pass"] = gettext("the dealer must bid")
    specials = [special for special in rules.specials if not special.lose_all]
    if specials:
        best = max(specials, key=lambda special: special.won)
        bid = {"bid": special_name(best.name), "n": best.won}
        lines["special"] = gettext("%(bid)s for %(n)d") % bid
    if options["dealer_may_equal"]:
        lines["dealer_may_equal"] = gettext("the dealer can equal the bid")
    return lines


def facts(rules: Ruleset) -> list[Fact]:
    """The facts of a game: players, a deck that no rule chooses, hand size, cards left over."""
    deck = (gettext("Deck"), deck_words(rules), f"{DECK_WORDS} {RULES['deck'].also}")
    entries = [
        (gettext("Players"), _player_words(rules), "players sides teams partners"),
        *([] if "deck" in rules.options else [deck]),
        (gettext("Cards each"), card_count(rules.hand_size), gettext("hand deal")),
        (gettext("Left over"), _left_over_words(rules), gettext("kitty widow")),
    ]
    if best := _best_trumps(rules):
        entries.append((gettext("Highest trumps"), best, gettext("jacks card order best trump")))
    return [
        Fact(title, value, f"{title} {value} {words}".lower()) for title, value, words in entries
    ]


def _best_trumps(rules: Ruleset) -> str:
    """The cards above the ace of trump, the highest first; "" if there are none."""
    cards = [gettext("the joker")] if "B" in rules.deck else []
    if rules.options.get("bowers", True):
        cards += [gettext("the right bower"), gettext("the left bower")]
    return ", ".join(cards)


def run_words(lowest: str) -> str:
    """A run of ranks up to the ace: "9 to ace"."""
    return gettext("%(rank)s to ace") % {"rank": RANK_WORDS.get(lowest, lowest)}


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
        parts.append(_use_suit_symbols(extra))
    if len(suited) + len(shape.get("extra", ())) < len(rules.deck):
        parts.append(gettext("the joker"))
    return gettext("%(cards)s: %(which)s") % {
        "cards": card_count(len(rules.deck)),
        "which": ", ".join(parts),
    }


def _use_suit_symbols(cards: str) -> str:
    for letter, symbol in zip("cdhs", "♣♦♥♠", strict=True):
        cards = cards.replace(letter, symbol)
    return cards


def card_count(n: int) -> str:
    """A number of cards in words: "24 cards"."""
    return ngettext("%(n)d card", "%(n)d cards", n) % {"n": n}


def _player_words(rules: Ruleset) -> str:
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


def _left_over_words(rules: Ruleset) -> str:
    count = rules.kitty_size
    if not count:
        return gettext("none, all cards are dealt")
    if rules.family != BID:
        return gettext("%(cards)s, one of them turned up") % {"cards": card_count(count)}
    template = (
        gettext("%(cards)s for the highest bidder")
        if rules.taken_kitty
        else gettext("%(cards)s, not used")
    )
    return template % {"cards": card_count(count)}


class BidValues(NamedTuple):
    """The values of bids: a column for each suit, a row for each number of tricks."""

    suits: list[str]
    rows: list[tuple[int, list[int]]]


def bid_values(rules: Ruleset) -> BidValues | None:
    """The values of the bids, if they depend on suit and tricks; else None."""
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
    """A worked example: an opening sentence, the sides, and (ending, points by side)."""

    opening: str
    sides: list[str]
    rows: list[tuple[str, list[int]]]


def worked_hand(rules: Ruleset) -> WorkedHand:
    """A worked example of a hand in which Ruth makes trump: its endings, with their points."""
    names = PLAYERS[: rules.players]
    groups = _scoring_groups(rules)
    rows = []
    endings = _turn_up_endings if rules.family == TURN_UP else _bid_endings
    for sentence, hand in endings(rules):
        points = _hand_points(rules, hand)
        if points is not None:
            rows.append((sentence, [min(points[seat] for seat in seats) for seats in groups]))
    template = gettext("%(dealer)s deals, and %(maker)s makes hearts trump.")
    if rules.partner_called:
        template = gettext(
            "%(dealer)s deals. %(maker)s makes hearts trump and calls the ace of spades, "
            "which %(partner)s holds."
        )
    opening = template % {"dealer": names[-1], "maker": names[MAKER], "partner": PLAYERS[PARTNER]}
    return WorkedHand(opening, [_join_names([names[seat] for seat in g]) for g in groups], rows)


def _scoring_groups(rules: Ruleset) -> list[tuple[int, ...]]:
    if not rules.partner_called:
        return list(rules.sides)
    opponents = tuple(seat for seat in range(1, rules.players) if seat != PARTNER)
    return [(MAKER,), (PARTNER,), opponents]


def _join_names(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, last = ", ".join(names[:-1]), names[-1]
    return gettext("%(some)s and %(last)s") % {"some": first, "last": last}


def _make_hand(
    rules: Ruleset, tricks_taken: int, contract: dict[str, Any], **extra: Any
) -> dict[str, Any]:
    """A hand in which the makers take `tricks_taken` tricks, and the others the rest in turn."""
    dropped_out = extra.get("out", [])
    side = _scoring_groups(rules)[0] + ((PARTNER,) if rules.partner_called else ())
    lone = extra.get("lone_defender")
    opponents = (
        [lone]
        if lone
        else [seat for seat in range(1, rules.players) if seat not in (*side, *dropped_out)]
    )
    tricks = [0] * rules.players
    tricks[MAKER] = tricks_taken
    for n in range(rules.hand_size - tricks_taken):
        tricks[opponents[n % len(opponents)]] += 1
    hand: dict[str, Any] = {
        "dealer": rules.players - 1,
        "contract": {"seat": MAKER, **contract},
        "tricks_won": tricks,
        **extra,
    }
    if rules.partner_called and not contract.get("alone"):
        hand["partner"] = PARTNER
        hand["contract"]["call_card"] = "As"
    return hand


def _turn_up_endings(rules: Ruleset) -> Iterator[Ending]:
    all_tricks, enough = rules.hand_size, rules.hand_size // 2 + 1
    options = rules.options
    contract: dict[str, Any] = {"trump": "h"}
    for n in range(enough, all_tricks):
        yield _tricks_sentence(rules, n), _make_hand(rules, n, contract)
    by_tricks = options.get("drop_out")
    march, euchre = (
        (_tricks_sentence, _tricks_sentence) if by_tricks else (_march_sentence, _euchre_sentence)
    )
    yield march(rules, all_tricks), _make_hand(rules, all_tricks, contract)
    yield euchre(rules, enough - 1), _make_hand(rules, enough - 1, contract)
    if by_tricks:
        sentence = gettext("Pat drops out, and Ruth takes three tricks")
        yield sentence, _make_hand(rules, enough, contract, out=[PARTNER])
    if by_tricks and options.get("dirty_clubs"):
        yield _dirty_clubs_ending(rules)
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
    yield sentence, _make_hand(rules, all_tricks, alone)
    if enough < all_tricks:
        sentence = gettext("Ruth plays alone and takes at least %(n)d tricks, but not all")
        yield sentence % {"n": enough}, _make_hand(rules, enough, alone)
    yield gettext("Ruth plays alone and is euchred"), _make_hand(rules, enough - 1, alone)
    yield from _house_rule_endings(rules, contract, alone)


def _dirty_clubs_ending(rules: Ruleset) -> Ending:
    hand: dict[str, Any] = {
        "dealer": rules.players - 1,
        "contract": {"seat": rules.players - 1, "special": "dirty_clubs", "trump": "c"},
        "tricks_won": [3, 2, *[0] * (rules.players - 2)],
    }
    return gettext("A club is turned up: Ruth takes three tricks and Walter two"), hand


def _house_rule_endings(
    rules: Ruleset, contract: dict[str, Any], alone: dict[str, Any]
) -> Iterator[Ending]:
    """Endings that occur only with some house rules."""
    options, all_tricks = rules.options, rules.hand_size
    if options.get("defend_alone", "never") != "never":
        sentence = gettext("Ruth plays alone, Walter defends alone and takes three tricks")
        yield sentence, _make_hand(rules, 2, alone, lone_defender=1)
    if options.get("jambone", "off") != "off":
        jambone_contract = {**contract, "special": "jambone"}
        yield (
            gettext("Jambone: Ruth's open lone hand takes all the tricks"),
            _make_hand(rules, all_tricks, jambone_contract),
        )
    if options.get("fast_break"):
        sentence = gettext("Fast break: the others take the first two tricks, Ruth's side the rest")
        yield sentence, _make_hand(rules, 3, contract, fast_break=True)


def _bid_endings(rules: Ruleset) -> Iterator[Ending]:
    all_tricks = rules.hand_size
    least = max(int(rules.options.get("min", 1)), all_tricks // 2)
    contract = {"trump": "h", "tricks": least}
    least_sentence = gettext("Ruth bids %(n)d.") % {"n": least}
    counts = [least, least + 1, least - 1]
    if rules.options["all_tricks_least"] and all_tricks > least + 1:
        counts.append(all_tricks)
    for tricks_taken in counts:
        if 0 <= tricks_taken <= all_tricks:
            yield (
                f"{least_sentence} {_tricks_sentence(rules, tricks_taken)}",
                _make_hand(rules, tricks_taken, contract),
            )
    if rules.options.get("drop_out") and rules.options.get("dirty_clubs"):
        yield _dirty_clubs_ending(rules)
    for special in rules.specials:
        bid = {"special": special.name} | ({} if special.lose_all else {"trump": "h"})
        bid_sentence = gettext("Ruth bids “%(bid)s”.") % {"bid": special_name(special.name)}
        tricks_if_made, tricks_if_failed = (
            (0, 1) if special.lose_all else (special.tricks, special.tricks - 1)
        )
        for tricks_taken in (tricks_if_made, tricks_if_failed):
            yield (
                f"{bid_sentence} {_tricks_sentence(rules, tricks_taken)}",
                _make_hand(rules, tricks_taken, bid),
            )


def _tricks_sentence(rules: Ruleset, n: int) -> str:
    if rules.partnership or rules.partner_called:
        return ngettext("Her side takes %(n)d trick", "Her side takes %(n)d tricks", n) % {"n": n}
    return ngettext("She takes %(n)d trick", "She takes %(n)d tricks", n) % {"n": n}


def _march_sentence(rules: Ruleset, n: int) -> str:
    return gettext("%(tricks)s: a march") % {"tricks": _tricks_sentence(rules, n)}


def _euchre_sentence(rules: Ruleset, n: int) -> str:
    return gettext("%(tricks)s: a euchre") % {"tricks": _tricks_sentence(rules, n)}


def _hand_points(rules: Ruleset, hand: dict[str, Any]) -> tuple[int, ...] | None:
    """The points of a hand by seat; None if the hand is impossible in this game."""
    checked = check_hand(hand, rules)
    return checked.points if checked.valid else None
