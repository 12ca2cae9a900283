"""Follows the tricks: who leads, who plays which card, who wins, who fails to follow suit."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scoring.auction.terms import Terms, order_from
from scoring.cards import JOKER, SUITS, TrumpTable
from scoring.faults import Fault, fault
from scoring.records import Trick
from scoring.rulesets import Ruleset

Pile = Sequence[str]
GAP = ""  # a card that was not played


class Played(NamedTuple):
    """The play of the tricks: tricks won by seat, cards, suits led, leaders.

    `cards` are the cards of all tricks, each trick in the order of the active seats; a gap is a
    card that was not played.
    """

    won: list[int]
    cards: list[str]
    led: list[str]
    leaders: list[int]
    faults: list[Fault]


def play_out(
    rules: Ruleset,
    terms: Terms,
    table: TrumpTable,
    tricks: tuple[Trick, ...],
    hands: Sequence[Sequence[str] | None],
    claimed: bool,
) -> Played:
    """Follow the tricks; the winner of each leads the next (000:14, 003:23).

    `hands` as dealt show whether a wrong leader really led or is an error of the record. `claimed`
    says that a renege was ruled on, so the last trick may be incomplete.
    """
    played = Played([0] * rules.players, [], [], [], [])
    won, all_cards, led, leaders, _ = played
    suit, powers, orders, size = table.suit, table.power, terms.orders, len(terms.active)
    leader = terms.leader
    if joker_is_free(rules, table):
        return _with_free_joker(rules, terms, table, tricks, played, hands)
    for cards, written, named in tricks:
        if len(cards) != size or named is not None or (written is not None and written != leader):
            if named is not None:
                field = f"tricks[{len(led)}].named"
                unfit = fault("bad-format/not-in-this-game", rules.players, field=field)
                played.faults.append(unfit)
            last = claimed and len(led) == len(tricks) - 1
            if written is not None and written != leader:
                leader = _wrong_leader(rules, terms, played, leader, Trick(cards, written), hands)
            cards = _wrong_count(rules, terms, played, leader, cards, last)
            if len(cards) != size:
                _note_short(terms, played, leader, cards, table)
                continue
        order, by_seat = orders[leader]
        all_cards += by_seat(cards)
        first = suit[cards[0]]
        led.append(first)
        leaders.append(leader)
        power, best = powers[first], 0
        for card in cards:  # faster than max()
            if power[card] > best:
                best, taker = power[card], card
        leader = order[cards.index(taker)]
        won[leader] += 1
    return played


def joker_is_free(rules: Ruleset, table: TrumpTable) -> bool:
    """Whether the joker may follow any suit: in no trump, where it names the suit it leads
    (D-85)."""
    return rules.joker_names and table.trump not in SUITS


def _with_free_joker(
    rules: Ruleset,
    terms: Terms,
    table: TrumpTable,
    tricks: tuple[Trick, ...],
    played: Played,
    hands: Sequence[Sequence[str] | None],
) -> Played:
    """Follow the tricks of a hand in no trump in which the joker may follow any suit (D-85).

    A joker that is led counts as the suit that its leader names, which the leader must not have
    renounced before, unless all suits are renounced. Played to a renounced suit it cannot win.
    """
    renounced: dict[int, set[str]] = {seat: set() for seat in terms.active}
    leader, size = terms.leader, len(terms.active)
    for cards, written, named in tricks:
        number, field = len(played.led) + 1, f"tricks[{len(played.led)}].named"
        if written is not None and written != leader:
            leader = _wrong_leader(rules, terms, played, leader, Trick(cards, written), hands)
        cards = _wrong_count(rules, terms, played, leader, cards, False)
        if len(cards) != size:
            _note_short(terms, played, leader, cards, table)
            continue
        order, by_seat = terms.orders[leader]
        lead = table.suit[cards[0]] if cards[0] != JOKER else str(named)
        if (cards[0] == JOKER) != (named is not None):
            wrong = fault("bad-format/joker-named", rules.players, trick=number, field=field)
            played.faults.append(wrong)
        elif lead in renounced[leader] and cards[0] == JOKER and len(renounced[leader]) < 4:
            wrong = fault("call-not-allowed/joker-renounced", rules.players, trick=number,
                          seat=leader, field=field, suit=lead)  # fmt: skip
            played.faults.append(wrong)
        power = [
            free_power(table, lead, card, lead in renounced[seat] and place > 0)
            for place, (seat, card) in enumerate(zip(order, cards, strict=True))
        ]
        for seat, card in zip(order, cards, strict=True):
            if card != JOKER and table.suit[card] != lead and lead in SUITS:
                renounced[seat].add(lead)
        played.cards.extend(by_seat(cards))
        played.led.append(lead)
        played.leaders.append(leader)
        leader = order[power.index(max(power))]
        played.won[leader] += 1
    return played


_BEST = 1000


def free_power(table: TrumpTable, lead: str, card: str, renounced: bool) -> int:
    if card == JOKER:
        return 0 if renounced else _BEST
    return table.power[lead][card] if lead in table.power and table.suit[card] == lead else 0


def _wrong_leader(
    rules: Ruleset,
    terms: Terms,
    played: Played,
    due: int,
    trick: Trick,
    hands: Sequence[Sequence[str] | None],
) -> int:
    """Add the fault of a wrong leader; return the seat from which the cards are counted."""
    number, players, written = len(played.led) + 1, rules.players, trick.leader
    if written is None or not 0 <= written < players:
        field = f"tricks[{number - 1}].leader"
        played.faults.append(fault("bad-seat/none-such", players, trick=number, field=field))
        return due
    wrong = fault("wrong-leader/leader", players, trick=number, seat=written, who_due=due)
    played.faults.append(wrong)
    if written in terms.sitting_out:
        return due
    matches = [_matching_cards(terms, leader, trick.cards, hands) for leader in (written, due)]
    return written if matches[0] >= matches[1] else due


def _matching_cards(
    terms: Terms, leader: int, cards: tuple[str, ...], hands: Sequence[Sequence[str] | None]
) -> int:
    """How many cards of a trick were dealt to the seats that played them, if this seat led."""
    order, _ = terms.orders[leader]
    return sum(card in (hands[seat] or ()) for seat, card in zip(order, cards, strict=False))


def _wrong_count(
    rules: Ruleset,
    terms: Terms,
    played: Played,
    leader: int,
    cards: tuple[str, ...],
    last: bool,
) -> tuple[str, ...]:
    """Add the fault of a trick with too many or too few cards; return the usable cards."""
    number, players, count = len(played.led) + 1, rules.players, len(terms.active)
    if len(cards) == count or (last and len(cards) < count):
        return cards
    if terms.sitting_out and len(cards) == players:
        order = order_from(leader, tuple(range(players)))
        for seat in sorted(terms.sitting_out):
            played.faults.append(fault("partner-played/card", players, trick=number, seat=seat))
        pairs = zip(order, cards, strict=True)
        return tuple(card for seat, card in pairs if seat not in terms.sitting_out)
    short = fault("wrong-card-count/cards", players, trick=number, found=len(cards), count=count)
    played.faults.append(short)
    return cards[: count - 1]


def _note_short(
    terms: Terms, played: Played, leader: int, cards: tuple[str, ...], table: TrumpTable
) -> None:
    """Add a trick with too few cards, which no one wins."""
    order, by_seat = terms.orders[leader]
    played.cards.extend(by_seat((*cards, *[GAP] * (len(order) - len(cards)))))
    played.led.append(table.suit[cards[0]] if cards else GAP)
    played.leaders.append(leader)


def seat_faults(
    rules: Ruleset,
    table: TrumpTable,
    led: list[str],
    seat: int,
    pile: Pile,
    held: Sequence[str] | None,
) -> list[Fault]:
    """Faults of a seat: cards that it played without holding them, and suits not followed.

    `held` is its starting hand; if that is unknown (None), only later cards can show a renege.
    """
    faults: list[Fault] = []
    if held is not None and sorted(held) != sorted(pile):
        faults, unplayed = _not_held(rules, seat, pile, held)
        pile = (*pile, *unplayed)
    suit, later = table.suit, []
    for card in pile:
        later.append(suit[card])
    if later == led:
        return faults
    for first in led:
        played = later.pop(0)
        if played != first and first in later and played:
            place = len(pile) - len(later)
            card = pile[place + later.index(first)]
            faults.append(_renege(rules, seat, place, first, card))
    return faults


def but_for_joker(faults: list[Fault], pile: Pile) -> list[Fault]:
    """A seat's faults without reneges by the joker, which may follow any suit."""
    return [
        wrong for wrong in faults if wrong.code != "renege" or pile[(wrong.trick or 1) - 1] != JOKER
    ]


def _not_held(
    rules: Ruleset, seat: int, pile: Pile, held: Sequence[str]
) -> tuple[list[Fault], list[str]]:
    """Faults for cards played but not held, and the cards held but not played."""
    hand, faults = Counter(held), []
    for place, card in enumerate(pile, 1):
        if card == GAP:
            continue
        hand[card] -= 1
        if hand[card] < 0:
            faults.append(
                fault("card-not-held/held", rules.players, trick=place, seat=seat, card=card)
            )
    return faults, list((+hand).elements())


def _renege(rules: Ruleset, seat: int, trick: int, suit: str, card: str) -> Fault:
    left_bower = len(card) == 2 and card[1] != suit
    sentence = "renege/left-bower" if left_bower else "renege/suit"
    return fault(sentence, rules.players, trick=trick, seat=seat, suit=suit, card=card)
