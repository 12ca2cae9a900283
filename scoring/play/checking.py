"""The cards of a hand, wherever they were written down: held, laid away, passed on and played."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scoring.auction.terms import Terms
from scoring.cards import left_over
from scoring.faults import Fault, fault
from scoring.play.deal import Deck, dealt_hands, known_cards, strange_cards
from scoring.play.pickup import Change, changes, hand_in_play, outline_faults
from scoring.play.tricks import GAP, Pile, Played, play_out, seat_faults
from scoring.records import HandRecord
from scoring.rulesets import Ruleset
from scoring.trump import TrumpTable, trump_table


class CardsTold(NamedTuple):
    """What the cards of a record say: tricks by seat (None = not written down), and the faults."""

    won: tuple[int, ...] | None = None
    tricks: int = 0
    faults: Sequence[Fault] = ()


_NOTHING = CardsTold()


def check_cards(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> CardsTold:
    """Check discards, exchange and tricks against the deal, the rules and each other.

    A card from outside the deck was held by nobody, so some check stumbles over it; only then is
    it looked for, and told instead of what followed from it.
    """
    if record.tricks is None and record.discards is None and record.exchange is None:
        return _NOTHING
    try:
        told = _told(record, rules, terms, deck)
    except KeyError:  # not a card at all, which only a record built by hand can hold
        told = _NOTHING
    if told is _NOTHING or told.faults:
        strange = list(_strange(record, rules, deck))
        return CardsTold(faults=strange) if strange else told
    return told


def _told(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> CardsTold:
    tricks = record.tricks
    found = changes(record, rules, terms, deck)
    faults = outline_faults(record, rules, terms, found)
    if tricks is None:
        for changed in found.values():
            faults += _laid_away(record, rules, changed)
        nothing_played: list[Pile] = [()] * len(terms.active)
        faults += _scattered(record, rules, terms, deck, found, nothing_played)
        return CardsTold(faults=faults)
    if terms.trump is None:
        faults.append(fault("bad-format/no-trump", rules.players, field="contract.trump"))
        return CardsTold(faults=faults)
    table = trump_table(terms.trump)
    played = play_out(rules, terms, table, tricks, claimed=bool(record.penalties))
    piles = played.piles(terms.active)
    before, during = _seats(record, rules, terms, found, table, played, piles)
    during += _scattered(record, rules, terms, deck, found, piles)
    if record.penalties:
        during = _ruled(record, rules, dict(zip(terms.active, piles, strict=True)), during)
    during += played.faults
    if during:
        during.sort(key=lambda one: _place(one, terms, played))
    faults += before + during
    count = len(tricks)
    if count != rules.hand_size and not (count < rules.hand_size and record.penalties):
        faults.append(fault("wrong-trick-count/played", rules.players, field="tricks",
                            found=count, count=rules.hand_size))  # fmt: skip
    return CardsTold(tuple(played.won), count, faults)


def _seats(
    record: HandRecord,
    rules: Ruleset,
    terms: Terms,
    found: dict[int, Change],
    table: TrumpTable,
    played: Played,
    piles: list[Pile],
) -> tuple[list[Fault], list[Fault]]:
    """Seat by seat: the hand it began the play with, and what it played; faults of each."""
    before: list[Fault] = []
    during: list[Fault] = []
    led, hands = played.led, dealt_hands(record, rules)
    finished = len(led) == rules.hand_size and not played.faults
    for seat, pile in zip(terms.active, piles, strict=True):
        dealt = hands[seat]
        held: Sequence[str] | None = dealt
        if dealt is not None and seat in found:
            held, wrong = hand_in_play(rules, dealt, found[seat], shown(pile), finished)
            before += wrong
        during += seat_faults(rules, table, led, seat, pile, held)
    return before, during


def shown(pile: Pile) -> list[str]:
    """What a seat played, without gaps."""
    return [card for card in pile if card != GAP]


def _strange(record: HandRecord, rules: Ruleset, deck: Deck) -> Iterator[Fault]:
    """Cards outside the deck in discards, exchange and tricks."""
    for seat, cards in enumerate(record.discards or ()):
        yield from strange_cards(cards or (), rules, deck, field=f"discards[{seat}]", seat=seat)
    for place, exchange in enumerate(record.exchange or ()):
        yield from strange_cards(exchange.cards, rules, deck, field=f"exchange[{place}]")
    for place, trick in enumerate(record.tricks or ()):
        yield from strange_cards(
            trick.cards, rules, deck, field=f"tricks[{place}]", trick=place + 1
        )


def _laid_away(record: HandRecord, rules: Ruleset, change: Change) -> list[Fault]:
    """A discard or exchange without tricks: was it held?"""
    dealt = dealt_hands(record, rules)[change.seat]
    if dealt is None or change.lost is None:
        return []
    return hand_in_play(rules, dealt, change, [], False)[1]


def _scattered(
    record: HandRecord,
    rules: Ruleset,
    terms: Terms,
    deck: Deck,
    found: dict[int, Change],
    piles: list[Pile],
) -> list[Fault]:
    """Where hands are not known, a card must still not be in two places at once."""
    hands = dealt_hands(record, rules)
    if None not in hands and not [seat for seat in found if found[seat].unseen]:
        return []
    if record.hands is not None and len(record.hands) != rules.players:
        return []
    loose: dict[int, list[str]] = {}
    for seat, pile in zip(terms.active, piles, strict=True):
        dealt = hands[seat]
        change = found.get(seat) or Change(seat)
        if dealt is None or change.unseen:
            cards = [*(change.lost or ()), *shown(pile)]
            loose[seat] = left_over(cards, [*(dealt or ()), *change.gained])
    known = known_cards(record)
    if deck.holds([*known, *chain.from_iterable(loose.values())]):
        return []
    by_seat = dict(zip(terms.active, piles, strict=True))
    return list(_doubles(record, rules, terms, deck, loose, by_seat, Counter(known)))


def _doubles(
    record: HandRecord,
    rules: Ruleset,
    terms: Terms,
    deck: Deck,
    loose: dict[int, list[str]],
    piles: dict[int, Pile],
    seen: Counter[str],
) -> Iterator[Fault]:
    """The loose cards that turn up more often than the deck holds them, in order of play."""
    for seat, cards in loose.items():
        for card in left_over(cards, piles[seat]):  # laid away
            seen[card] += 1
            if seen[card] > deck.copies[card]:
                yield fault("duplicate-card/twice", rules.players, seat=seat, card=card)
    for place in range(len(next(iter(piles.values()), ()))):
        for seat, cards in loose.items():
            card = piles[seat][place]
            if card not in cards:
                continue
            cards.remove(card)
            seen[card] += 1
            if seen[card] > deck.copies[card]:
                yield _double(record, rules, terms, place + 1, seat, card)


def _double(
    record: HandRecord, rules: Ruleset, terms: Terms, trick: int, seat: int, card: str
) -> Fault:
    """Why a card played cannot have been there."""
    place = {"trick": trick, "seat": seat, "card": card}
    if card != record.upcard:
        return fault("duplicate-card/twice", rules.players, **place)
    if terms.taker is None:
        return fault("card-not-held/turned-down", rules.players, **place)
    return fault("card-not-held/taken", rules.players, who_due=terms.taker, **place)


def _ruled(
    record: HandRecord, rules: Ruleset, piles: dict[int, Pile], faults: list[Fault]
) -> list[Fault]:
    """The faults without the reneges that were ruled on, and with the rulings that are unfounded.

    Where a seat's hand is known the cards can contradict a ruling; otherwise it stands.
    """
    penalties, hands = record.penalties, dealt_hands(record, rules)
    ruled = {(penalty.by, penalty.trick) for penalty in penalties}
    found = {(one.seat, one.trick) for one in faults if one.code == "renege"}
    kept = [
        one
        for one in faults
        if one.code != "renege" or not ({(one.seat, one.trick), (one.seat, None)} & ruled)
    ]
    for by, trick in sorted(ruled, key=str):
        pile = piles.get(by)
        if pile is None or hands[by] is None:
            continue
        if trick is None:
            if len(pile) == rules.hand_size and by not in {seat for seat, _ in found}:
                kept.append(fault("bad-penalty/none-shown", rules.players, seat=by))
        elif 1 <= trick <= len(pile) and pile[trick - 1] != GAP and (by, trick) not in found:
            kept.append(
                fault("bad-penalty/no-renege", rules.players, seat=by, found=trick, trick=trick)
            )
    return kept


def _place(one: Fault, terms: Terms, played: Played) -> tuple[int, int]:
    """Order of play: trick, then turn."""
    trick = one.trick or 0
    if one.seat is None or not 1 <= trick <= len(played.leaders) or one.code == "wrong-leader":
        return trick, -1
    order, _ = terms.orders[played.leaders[trick - 1]]
    return trick, order.index(one.seat) if one.seat in order else len(order)
