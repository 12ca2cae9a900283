"""Checks of the deal: the size of hands, cards outside the deck, repeated cards, the up-card."""

from collections import Counter
from collections.abc import Iterable, Iterator

from scoring.cards import ALL_CARDS
from scoring.faults import Fault, fault
from scoring.records import HandRecord
from scoring.rulesets import Ruleset
from scoring.rulesets.options import BID


class Deck:
    """A ruleset's deck for the checks: its cards, and how often it has each."""

    def __init__(self, cards: tuple[str, ...]) -> None:
        self.size = len(cards)
        self.cards = frozenset(cards)
        self.copies = Counter(cards)
        self.single = len(self.cards) == self.size

    def holds(self, cards: list[str]) -> bool:
        """Whether the deck has all these cards at once."""
        if self.single:
            distinct = set(cards)
            return len(distinct) == len(cards) and distinct <= self.cards
        return Counter(cards) <= self.copies

    def without(self, cards: Iterable[str]) -> tuple[str, ...]:
        """The rest of the deck without these cards."""
        return tuple((self.copies - Counter(cards)).elements())


def dealt_hands(record: HandRecord, rules: Ruleset) -> tuple[tuple[str, ...] | None, ...]:
    """The hands by seat, None for one not recorded; all None if the number of hands is wrong."""
    hands = record.hands
    return hands if hands and len(hands) == rules.players else (None,) * rules.players


def known_cards(record: HandRecord) -> list[str]:
    """Every recorded card of the deal, the up-card last."""
    cards: list[str] = []
    for hand in record.hands or ():
        cards += hand or ()
    particulars = record.particulars
    if particulars is not None:
        cards += particulars.dummy or ()
        cards += (particulars.upcard2,) if particulars.upcard2 is not None else ()
    if record.upcard is not None:
        cards.append(record.upcard)
    return cards


def deal_faults(record: HandRecord, rules: Ruleset, deck: Deck) -> Iterable[Fault]:
    """Everything that is wrong with the deal; a quick check comes first."""
    if record.hands is None and record.upcard is None and record.particulars is None:
        return ()
    if (
        _have_right_size(record.hands, rules)
        and deck.holds(known_cards(record))
        and not (record.upcard and rules.family == BID)
        and record.particulars is None
    ):
        return ()
    return _all_faults(record, rules, deck)


def _have_right_size(hands: tuple[tuple[str, ...] | None, ...] | None, rules: Ruleset) -> bool:
    if hands is None:
        return True
    size = rules.hand_size
    for hand in hands:
        if hand is not None and len(hand) != size:
            return False
    return len(hands) == rules.players


def _all_faults(record: HandRecord, rules: Ruleset, deck: Deck) -> Iterator[Fault]:
    players = rules.players
    if record.upcard is not None and rules.family == BID and not rules.options.get("dirty_clubs"):
        yield fault("bad-format/not-in-this-game", players, field="upcard")
    if record.hands is not None and len(record.hands) != players:
        yield fault("bad-format/wrong-length", players, field="hands", count=players)
    seen: Counter[str] = Counter([record.upcard] if record.upcard else [])
    yield from strange_cards(seen, rules, deck, field="upcard")
    yield from _particulars_faults(record, rules, deck, seen)
    turned = {record.upcard, record.particulars.upcard2 if record.particulars else None}
    for seat, hand in enumerate((record.hands or ())[:players]):
        if hand is not None:
            yield from _hand_faults(rules, deck, seat, hand, turned, seen)


def _hand_faults(
    rules: Ruleset,
    deck: Deck,
    seat: int,
    hand: tuple[str, ...],
    turned: set[str | None],
    seen: Counter[str],
) -> Iterator[Fault]:
    """Faults of one hand: a wrong number of cards, cards outside the deck, cards `turned` up or
    `seen` before."""
    players, field = rules.players, f"hands[{seat}]"
    if len(hand) != rules.hand_size:
        yield fault("wrong-hand-size/cards", players, seat=seat, field=field,
                    found=len(hand), count=rules.hand_size)  # fmt: skip
    yield from strange_cards(hand, rules, deck, field=field, seat=seat)
    for card in hand:
        seen[card] += 1
        if (card in turned or card in deck.cards) and seen[card] > deck.copies[card]:
            sentence = "upcard-in-hand/held" if card in turned else "duplicate-card/twice"
            yield fault(sentence, players, seat=seat, field=field, card=card)


def _particulars_faults(
    record: HandRecord, rules: Ruleset, deck: Deck, seen: Counter[str]
) -> Iterator[Fault]:
    """Faults of a second card turned up and of a dummy."""
    particulars = record.particulars
    if particulars is None:
        return
    if particulars.upcard2 is not None:
        if not rules.options.get("second_upcard"):
            yield fault("bad-format/not-in-this-game", rules.players, field="upcard2")
        yield from _extra_card_faults((particulars.upcard2,), "upcard2", rules, deck, seen)
    if particulars.dummy is not None:
        count = DUMMY if rules.options.get("dummy", "none") != "none" else 0
        if not count:
            yield fault("bad-format/not-in-this-game", rules.players, field="dummy")
        elif len(particulars.dummy) != count:
            yield fault("wrong-hand-size/dummy", rules.players, field="dummy",
                        found=len(particulars.dummy), count=count)  # fmt: skip
        yield from _extra_card_faults(particulars.dummy, "dummy", rules, deck, seen)


DUMMY = 2


def _extra_card_faults(
    cards: tuple[str, ...], field: str, rules: Ruleset, deck: Deck, seen: Counter[str]
) -> Iterator[Fault]:
    yield from strange_cards(cards, rules, deck, field=field)
    for card in cards:
        seen[card] += 1
        if card in deck.cards and seen[card] > deck.copies[card]:
            yield fault("duplicate-card/twice", rules.players, field=field, card=card)


def strange_cards(
    cards: Iterable[str], rules: Ruleset, deck: Deck, **place: object
) -> Iterator[Fault]:
    """Faults for cards that this deck, or any deck, does not have."""
    for card in cards:
        if card not in ALL_CARDS:
            yield fault("bad-card/none-such", rules.players, text=str(card)[:20], **place)
        elif card not in deck.cards:
            yield fault("card-not-in-deck/deck", rules.players, card=card, count=deck.size, **place)
