"""The tricks: who leads, who plays which card, who wins, who could have followed suit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from scoring.agreement import Terms, order_from
from scoring.faults import Fault, fault
from scoring.records import Trick
from scoring.rulesets import Ruleset
from scoring.trump import TrumpTable


@dataclass(slots=True)
class Played:
    """The tricks as they went: each seat's cards in order, the suits led, tricks won by seat.

    A card a seat did not play to a trick is None in its pile, so that place t is trick t + 1.
    """

    piles: list[list[str | None]]
    led: list[str | None] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def cards_of(self, seat: int) -> list[str]:
        """What a seat played, without gaps."""
        return [card for card in self.piles[seat] if card is not None]


def play_out(
    rules: Ruleset, terms: Terms, table: TrumpTable, tricks: tuple[Trick, ...], *, claimed: bool
) -> Played:
    """Follow the tricks; the winner of each leads the next (000:14, 003:23).

    `claimed`: a renege was ruled, so the last trick may have stopped short.
    """
    players = rules.players
    piles: list[list[str | None]] = [[] for _ in range(players)]
    won = [0] * players
    played = Played(piles, won=won)
    suit, power, orders, size = table.suit, table.power, terms.orders, len(terms.active)
    leader = terms.leader
    for cards, said in tricks:
        if len(cards) != size or (said is not None and said != leader):
            last = claimed and len(played.led) == len(tricks) - 1
            leader, cards = _put_right(rules, terms, played, leader, Trick(cards, said), last)
            if len(cards) != size:
                _note_short(terms, played, leader, cards, table)
                continue
        order = orders[leader]
        for seat, card in zip(order, cards, strict=True):
            piles[seat].append(card)
        first = suit[cards[0]]
        played.led.append(first)
        played.leaders.append(leader)
        leader = order[cards.index(max(cards, key=power[first].__getitem__))]
        won[leader] += 1
    return played


def _put_right(
    rules: Ruleset, terms: Terms, played: Played, leader: int, trick: Trick, last: bool
) -> tuple[int, tuple[str, ...]]:
    """Tell what is wrong with a trick's leader or number of cards, and make the best of it."""
    number, players = len(played.led) + 1, rules.players
    cards, said = trick
    if said is not None and not 0 <= said < players:
        played.faults.append(
            fault("bad-seat/none-such", players, trick=number, field=f"tricks[{number - 1}].leader")
        )
    elif said is not None and said != leader:
        played.faults.append(
            fault("wrong-leader/leader", players, trick=number, seat=said, who_due=leader)
        )
        leader = said if said not in terms.sitting_out else leader
    if len(cards) == len(terms.active) or (last and len(cards) < len(terms.active)):
        return leader, cards
    if terms.sitting_out and len(cards) == players:
        order = order_from(leader, tuple(range(players)))
        for seat in sorted(terms.sitting_out):
            played.faults.append(fault("partner-played/card", players, trick=number, seat=seat))
        pairs = zip(order, cards, strict=True)
        return leader, tuple(card for seat, card in pairs if seat not in terms.sitting_out)
    count = len(terms.active)
    short = fault("wrong-card-count/cards", players, trick=number, found=len(cards), count=count)
    played.faults.append(short)
    return leader, cards[: count - 1]


def _note_short(
    terms: Terms, played: Played, leader: int, cards: tuple[str, ...], table: TrumpTable
) -> None:
    """A trick with too few cards: who played what is kept, nobody wins it."""
    for place, seat in enumerate(terms.orders[leader]):
        played.piles[seat].append(cards[place] if place < len(cards) else None)
    played.led.append(table.suit[cards[0]] if cards else None)
    played.leaders.append(leader)


def seat_faults(
    rules: Ruleset, table: TrumpTable, played: Played, seat: int, held: Sequence[str] | None
) -> list[Fault]:
    """Cards a seat played without holding them, and suits it could have followed.

    `held` is the hand it started the play with; None = unknown, then a renege shows only from the
    cards it plays later.
    """
    pile, led, suit = played.piles[seat], played.led, table.suit
    suits = [suit[card] if card is not None else None for card in pile]
    extra: list[str] = []
    faults: list[Fault] = []
    if held is not None and sorted(held) != sorted(card for card in pile if card is not None):
        faults, extra = _not_held(rules, played, seat, held)
    if suits == led:
        return faults
    after = pile + extra  # what the seat could still have played
    later = suits + [suit[card] for card in extra]
    for place, (own, first) in enumerate(zip(suits, led, strict=True)):
        if own != first and own is not None and first in later[place + 1 :]:
            card = after[later.index(first, place + 1)]
            faults.append(_renege(rules, seat, place + 1, first or "", card or ""))
    return faults


def _not_held(
    rules: Ruleset, played: Played, seat: int, held: Sequence[str]
) -> tuple[list[Fault], list[str]]:
    """The cards played that were not held, and the cards held that were not played."""
    hand, faults = Counter(held), []
    for place, card in enumerate(played.piles[seat]):
        if card is None:
            continue
        hand[card] -= 1
        if hand[card] < 0:
            faults.append(
                fault("card-not-held/held", rules.players, trick=place + 1, seat=seat, card=card)
            )
    return faults, list((+hand).elements())


def _renege(rules: Ruleset, seat: int, trick: int, suit: str, card: str) -> Fault:
    left_bower = len(card) == 2 and card[1] != suit
    sentence = "renege/left-bower" if left_bower else "renege/suit"
    return fault(sentence, rules.players, trick=trick, seat=seat, suit=suit, card=card)


def flat(tricks: tuple[Trick, ...]) -> list[str]:
    """Every card played, in order."""
    return list(chain.from_iterable([trick[0] for trick in tricks]))
