"""Checks all recorded cards of a hand against each other: dealt, discarded, passed and played."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from scoring.auction.terms import Terms
from scoring.cards import left_over, trump_table
from scoring.faults import Fault, fault
from scoring.penalties import RENEGE, replaces_score
from scoring.play.deal import Deck, dealt_hands, known_cards, strange_cards
from scoring.play.pickup import Change, changes, gone_faults, hand_in_play, outline_faults
from scoring.play.tricks import (
    GAP,
    Pile,
    Played,
    but_for_joker,
    joker_is_free,
    play_out,
    seat_faults,
)
from scoring.records import HandRecord, Trick
from scoring.rulesets import Ruleset


class CardCheck(NamedTuple):
    """The result of checking the cards: tricks by seat (None = not recorded), and the faults."""

    won: tuple[int, ...] | None = None
    tricks: int = 0
    faults: Sequence[Fault] = ()
    leaders: Sequence[int] = ()

    def winners(self) -> tuple[int, ...]:
        """The seats that took the tricks, in order: the next leaders and the last winner."""
        next_leaders = [*self.leaders[1:]]
        last = [seat for seat, won in enumerate(self.won or ()) if won > next_leaders.count(seat)]
        return (*next_leaders, *last)


class _Known(NamedTuple):
    """What the cards are checked against: the terms, the hands as dealt, and their changes."""

    record: HandRecord
    rules: Ruleset
    terms: Terms
    deck: Deck
    hands: tuple[tuple[str, ...] | None, ...]
    changes: dict[int, Change]


_NOTHING = CardCheck()


def check_cards(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> CardCheck:
    """Check discards, exchange and tricks against the deal, the rules and each other.

    No one can hold a card from outside the deck, so it always causes a fault in some check. Only
    then are such cards searched for, and reported instead of the faults they caused.
    """
    if record.tricks is None and record.discards is None and record.exchange is None:
        return _NOTHING
    hands = dealt_hands(record, rules)
    known = _Known(record, rules, terms, deck, hands, changes(record, rules, terms, deck))
    outline = outline_faults(record, rules, terms, known.changes)
    check = _check_discards if record.tricks is None else _check_tricks
    try:
        result = check(known, outline)
    except KeyError:  # not a card at all, which only a record made by other code can have
        result = _NOTHING
    if result is _NOTHING or result.faults:
        strange = list(_strange(record, rules, deck))
        return CardCheck(faults=[*outline, *strange]) if strange else result
    return result


def _check_discards(known: _Known, outline: list[Fault]) -> CardCheck:
    """Check discards and exchanges of a record without tricks."""
    faults = [*outline, *_unplayed(known, known.changes), *_scattered(known, ())]
    return CardCheck(faults=faults)


def _unplayed(known: _Known, seats: Iterable[int]) -> Iterator[Fault]:
    """Cards discarded or passed without being held, by seats whose play is unknown."""
    for seat in seats:
        dealt, change = known.hands[seat], known.changes[seat]
        if dealt is not None and change.lost is not None:
            yield from hand_in_play(known.rules, dealt, change, (), False)[1]


def _check_tricks(known: _Known, outline: list[Fault]) -> CardCheck:
    """Check the tricks, together with discards and exchanges."""
    record, rules, terms, deck, hands, changed = known
    tricks, faults = record.tricks or (), [*outline]
    if terms.trump is None:
        faults.append(fault("bad-format/no-trump", rules.players, field="contract.trump"))
        return CardCheck(faults=[*faults, *_played_twice(tricks, rules, deck)])
    claimed = replaces_score(record.penalties) if record.penalties else False
    table = trump_table(terms.trump, terms.bowers)
    played = play_out(rules, terms, table, tricks, hands, claimed)
    won, cards, led, leaders, during = played
    count, seats = len(tricks), len(terms.active)
    finished = count == rules.hand_size and not during
    if terms.sitting_out:
        faults += _unplayed(known, changed.keys() & terms.sitting_out)
    piles: list[Pile] = []
    for place, seat in enumerate(terms.active):
        pile = cards[place::seats]
        held: Pile | None = hands[seat]
        piles.append(pile)
        if seat in changed:
            held, wrong = _in_play(rules, held, changed[seat], pile, finished)
            faults += wrong
        wrong = seat_faults(rules, table, led, seat, pile, held)
        if wrong:
            during += but_for_joker(wrong, pile) if joker_is_free(rules, table) else wrong
    during += _scattered(known, piles)
    if claimed:
        during = _without_ruled(known, piles, during)
    if during:
        during.sort(key=lambda wrong: _place(wrong, terms, played))
        faults += during
    if count != rules.hand_size and not _cut_short(rules, terms, played, count, claimed):
        faults.append(fault("wrong-trick-count/played", rules.players, field="tricks",
                            found=count, count=rules.hand_size))  # fmt: skip
    return CardCheck(tuple(won), count, faults, leaders)


def _in_play(
    rules: Ruleset, dealt: Pile | None, change: Change, pile: Pile, finished: bool
) -> tuple[Pile | None, Sequence[Fault]]:
    """The hand with which a seat starts the play, and what is wrong with its pick-up or discard."""
    if dealt is not None:
        return hand_in_play(rules, dealt, change, pile, finished)
    return None, [*gone_faults(rules, change, pile)] if finished else ()


def _played_twice(tricks: Sequence[Trick], rules: Ruleset, deck: Deck) -> Iterator[Fault]:
    """Cards that are in the tricks more often than in the deck, regardless of trump."""
    seen: Counter[str] = Counter()
    for number, trick in enumerate(tricks, 1):
        for card in trick.cards:
            seen[card] += 1
            if seen[card] > deck.copies[card]:
                yield fault("duplicate-card/twice", rules.players, trick=number, card=card)


def _cut_short(rules: Ruleset, terms: Terms, played: Played, count: int, claimed: bool) -> bool:
    """Whether play stopped at a claim, or at the trick that ended a bid to take none."""
    if claimed or count > rules.hand_size:
        return count < rules.hand_size
    if terms.special is None or not terms.special.lose_all or not count:
        return False
    return CardCheck(tuple(played.won), leaders=played.leaders).winners()[-1:] == (terms.maker,)


def _strange(record: HandRecord, rules: Ruleset, deck: Deck) -> Iterator[Fault]:
    """Cards outside the deck in discards, exchange and tricks."""
    for seat, cards in enumerate(record.discards or ()):
        yield from strange_cards(cards or (), rules, deck, field=f"discards[{seat}]", seat=seat)
    for place, exchange in enumerate(record.exchange or ()):
        field, seat = f"exchange[{place}]", exchange.giver
        yield from strange_cards(exchange.cards, rules, deck, field=field, seat=seat)
    for place, trick in enumerate(record.tricks or ()):
        field = f"tricks[{place}]"
        yield from strange_cards(trick.cards, rules, deck, field=field, trick=place + 1)


def _scattered(known: _Known, by_active: Sequence[Pile]) -> list[Fault]:
    """Cards that are in two places at once, where hands are unknown."""
    hands, record = known.hands, known.record
    unseen = None in hands
    for change in known.changes.values():
        unseen = unseen or change.unseen > 0
    if not unseen:
        return []
    if record.hands is not None and len(record.hands) != known.rules.players:
        return []
    piles = dict(zip(known.terms.active, by_active, strict=False))  # empty if no trick was recorded
    loose = {}
    for seat, dealt in enumerate(hands):
        change = known.changes.get(seat) or Change(seat)
        if dealt is None or change.unseen:
            shown_cards = [
                card for card in (*(change.lost or ()), *piles.get(seat, ())) if card != GAP
            ]
            loose[seat] = left_over(shown_cards, [*(dealt or ()), *change.gained])
    dealt_cards = known_cards(record)
    if known.deck.holds([*dealt_cards, *chain.from_iterable(loose.values())]):
        return []
    _remove_passed(known, loose, Counter(dealt_cards))
    return list(_doubles(known, loose, piles, Counter(dealt_cards)))


def _remove_passed(known: _Known, loose: dict[int, list[str]], seen: Counter[str]) -> None:
    """Remove from the declarer's loose cards those that may come from a partner's known hand.

    If the exchange was not recorded, they are already counted with that hand.
    """
    terms = known.terms
    partners = [seat for seat in terms.makers if seat != terms.maker]
    if known.record.exchange is not None or terms.special is None or terms.maker not in loose:
        return
    partners_cards = Counter(chain.from_iterable([known.hands[seat] or () for seat in partners]))
    surplus = seen + Counter(chain.from_iterable(loose.values())) - known.deck.copies
    candidates = (surplus & partners_cards & Counter(loose[terms.maker])).elements()
    passed = list(islice(candidates, terms.special.exchange[1]))
    loose[terms.maker] = left_over(loose[terms.maker], passed)


def _doubles(
    known: _Known, loose: dict[int, list[str]], piles: dict[int, Pile], seen: Counter[str]
) -> Iterator[Fault]:
    """The loose cards that occur more often than in the deck, in order of play."""
    copies, players = known.deck.copies, known.rules.players
    for seat, cards in loose.items():
        for card in left_over(cards, piles.get(seat, ())):  # discarded
            seen[card] += 1
            if seen[card] > copies[card]:
                yield fault("duplicate-card/twice", players, seat=seat, card=card)
    for place in range(len(next(iter(piles.values()), ()))):
        for seat, pile in piles.items():
            card = pile[place]
            if card not in loose.get(seat, ()):
                continue
            loose[seat].remove(card)
            seen[card] += 1
            if seen[card] > copies[card]:
                yield _double(known, place + 1, seat, card)


def _double(known: _Known, trick: int, seat: int, card: str) -> Fault:
    """The fault of a card that cannot have been in the hand of the seat that played it."""
    place = {"trick": trick, "seat": seat, "card": card}
    players, taker = known.rules.players, known.terms.taker
    particulars = known.record.particulars
    if particulars is not None and card == particulars.upcard2:
        return fault("card-not-held/turned-down", players, **place)
    if card != known.record.upcard:
        return fault("duplicate-card/twice", players, **place)
    if taker is None:
        return fault("card-not-held/turned-down", players, **place)
    return fault("card-not-held/taken", players, who_due=taker, **place)


def _without_ruled(known: _Known, piles: list[Pile], faults: list[Fault]) -> list[Fault]:
    """The faults without the reneges that were ruled on, and with those of unfounded rulings.

    The cards can contradict a ruling only where the seat's hand is known.
    """
    ruled = {
        (penalty.by, penalty.trick) for penalty in known.record.penalties if penalty.kind == RENEGE
    }
    reneges = {(wrong.seat, wrong.trick) for wrong in faults if wrong.code == "renege"}
    settled = {(seat, trick) for seat, trick in reneges if {(seat, trick), (seat, None)} & ruled}
    remaining = [
        wrong
        for wrong in faults
        if wrong.code != "renege" or (wrong.seat, wrong.trick) not in settled
    ]
    by_seat = dict(zip(known.terms.active, piles, strict=True))
    for by, trick in sorted(ruled, key=str):
        if by in by_seat and known.hands[by] is not None:
            remaining += _unfounded(known.rules, by, trick, by_seat[by], reneges)
    return remaining


def _unfounded(
    rules: Ruleset,
    by: int,
    trick: int | None,
    pile: Pile,
    reneges: set[tuple[int | None, int | None]],
) -> Iterator[Fault]:
    """A fault for a renege that was ruled on, but is not among the `reneges` the cards show."""
    if trick is None:
        if len(pile) == rules.hand_size and by not in {seat for seat, _ in reneges}:
            yield fault("bad-penalty/none-shown", rules.players, seat=by)
    elif 1 <= trick <= len(pile) and pile[trick - 1] != GAP and (by, trick) not in reneges:
        yield fault("bad-penalty/no-renege", rules.players, seat=by, found=trick, trick=trick)


def _place(wrong: Fault, terms: Terms, played: Played) -> tuple[int, int]:
    """A fault's place in the order of play: trick, then turn."""
    trick = wrong.trick or 0
    if wrong.seat is None or not 1 <= trick <= len(played.leaders) or wrong.code == "wrong-leader":
        return trick, -1
    order, _ = terms.orders[played.leaders[trick - 1]]
    return trick, order.index(wrong.seat) if wrong.seat in order else len(order)
