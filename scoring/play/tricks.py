"""The tricks: who leads, who plays which card, who wins, who could have followed suit."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scoring.auction.terms import Terms, order_from
from scoring.cards import TrumpTable
from scoring.faults import Fault, fault
from scoring.records import Trick
from scoring.rulesets import Ruleset

Pile = tuple[str, ...]
GAP = ""  # a card that was not played


class Played(NamedTuple):
    """The tricks as they went: tricks won by seat, cards by active seat, suits led, leaders.

    `rows[t]` are the cards of trick t + 1 in the order of the active seats; a card that was not
    played is a gap.
    """

    won: list[int]
    rows: list[Pile]
    led: list[str]
    leaders: list[int]
    faults: list[Fault]

    def piles(self, active: tuple[int, ...]) -> list[Pile]:
        """What each active seat played, trick by trick."""
        return [*zip(*self.rows, strict=True)] or [()] * len(active)


def play_out(
    rules: Ruleset,
    terms: Terms,
    table: TrumpTable,
    tricks: tuple[Trick, ...],
    hands: Sequence[Sequence[str] | None],
    *,
    claimed: bool,
) -> Played:
    """Follow the tricks; the winner of each leads the next (000:14, 003:23).

    `hands` as dealt tell whether a wrong leader led or was only written down. `claimed`: a renege
    was ruled, so the last trick may have stopped short.
    """
    played = Played([0] * rules.players, [], [], [], [])
    won, rows, led, leaders, _ = played
    suit, powers, orders, size = table.suit, table.power, terms.orders, len(terms.active)
    leader = terms.leader
    for cards, said in tricks:
        if len(cards) != size or (said is not None and said != leader):
            last = claimed and len(led) == len(tricks) - 1
            if said is not None and said != leader:
                leader = _told_leader(rules, terms, played, leader, Trick(cards, said), hands)
            cards = _told_count(rules, terms, played, leader, cards, last)
            if len(cards) != size:
                _note_short(terms, played, leader, cards, table)
                continue
        order, start = orders[leader]
        rows.append(cards[start:] + cards[:start])
        first = suit[cards[0]]
        led.append(first)
        leaders.append(leader)
        power = [*map(powers[first], cards)]
        leader = order[power.index(max(power))]
        won[leader] += 1
    return played


def _told_leader(
    rules: Ruleset,
    terms: Terms,
    played: Played,
    due: int,
    trick: Trick,
    hands: Sequence[Sequence[str] | None],
) -> int:
    """Tell of a leader who was not the one to lead, and say from whom the cards go on."""
    number, players, said = len(played.led) + 1, rules.players, trick.leader
    if said is None or not 0 <= said < players:
        field = f"tricks[{number - 1}].leader"
        played.faults.append(fault("bad-seat/none-such", players, trick=number, field=field))
        return due
    wrong = fault("wrong-leader/leader", players, trick=number, seat=said, who_due=due)
    played.faults.append(wrong)
    if said in terms.sitting_out:
        return due
    fits = [_fitting(terms, leader, trick.cards, hands) for leader in (said, due)]
    return said if fits[0] >= fits[1] else due


def _fitting(
    terms: Terms, leader: int, cards: tuple[str, ...], hands: Sequence[Sequence[str] | None]
) -> int:
    """How many cards of a trick come from hands that were dealt them, if this seat led."""
    order, _ = terms.orders[leader]
    return sum(card in (hands[seat] or ()) for seat, card in zip(order, cards, strict=False))


def _told_count(
    rules: Ruleset,
    terms: Terms,
    played: Played,
    leader: int,
    cards: tuple[str, ...],
    last: bool,
) -> tuple[str, ...]:
    """Tell of a trick with too many or too few cards, and make the best of it."""
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
    """A trick with too few cards: who played what is kept, nobody wins it."""
    order, start = terms.orders[leader]
    filled = (*cards, *[GAP] * (len(order) - len(cards)))
    played.rows.append(filled[start:] + filled[:start])
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
    """Cards a seat played without holding them, and suits it could have followed.

    `held` is the hand it started the play with; None = unknown, then a renege shows only from the
    cards it plays later.
    """
    suit = table.suit
    suits = [suit[card] for card in pile]
    faults: list[Fault] = []
    if held is not None and sorted(held) != sorted(pile):
        faults, unplayed = _not_held(rules, seat, pile, held)
        pile = (*pile, *unplayed)
        suits += [suit[card] for card in unplayed]
    elif suits == led:
        return faults
    for place, first in enumerate(led):
        if suits[place] != first and first in suits[place + 1 :] and suits[place]:
            card = pile[suits.index(first, place + 1)]
            faults.append(_renege(rules, seat, place + 1, first, card))
    return faults


def _not_held(
    rules: Ruleset, seat: int, pile: Pile, held: Sequence[str]
) -> tuple[list[Fault], list[str]]:
    """The cards played that were not held, and the cards held that were not played."""
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
