"""What is laid away, passed on and played: any legal card, and mostly a sensible one."""

from collections.abc import Iterable
from random import Random

from scoring.auction.terms import Terms, order_from
from scoring.cards import (
    ALL_CARDS,
    JOKER,
    NO_TRUMP,
    NO_TRUMP_LOW,
    SUITS,
    TrumpTable,
    left_over,
    trump_table,
)
from scoring.records import Exchange, Trick
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

_TRUMP_WORTH = (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.9, 1.0, 1.0)
_TOP_SIDE_CARD = 0.7


def tricks_expected(cards: Iterable[str], trump: str) -> float:
    """Roughly how many tricks these cards take by themselves."""
    table = trump_table(trump)
    total = 0.0
    for card in cards:
        if table.suit[card] == trump or card == JOKER:
            total += _TRUMP_WORTH[min(_rank(card, trump), len(_TRUMP_WORTH) - 1)]
        elif card[0] == ("9" if trump == NO_TRUMP_LOW else "A"):
            total += _TOP_SIDE_CARD
    return total


def _rank(card: str, trump: str) -> int:
    """How many ranks of trump lie below this card."""
    table = trump_table(trump)
    power = table.power[table.suit[card]]
    trumps = {power(other) for other in ALL_CARDS if table.suit[other] == table.suit[card]}
    return sorted(trumps).index(power(card))


def best_trumps(cards: Iterable[str], rules: Ruleset, allowed: Iterable[str] = ()) -> list[str]:
    """The denominations the rules have, the most promising first."""
    held = list(cards)
    names = list(allowed) or denominations(rules)
    return sorted(names, key=lambda trump: (-tricks_expected(held, trump), trump))


def denominations(rules: Ruleset) -> list[str]:
    """Every trump that somebody may at some time name under these rules."""
    no_trumps = rules.options.get("nt", ())
    names = [*SUITS]
    if "high" in no_trumps or rules.options.get("no_trump") == "second_round":
        names.append(NO_TRUMP)
    if "low" in no_trumps:
        names.append(NO_TRUMP_LOW)
    barred = rules.options.get("forbidden_trumps", ())
    return [name for name in names if name not in barred]


def weakest(cards: Iterable[str], trump: str, count: int) -> list[str]:
    """The cards one would lay away: side cards before trumps, low before high."""
    table = trump_table(trump)
    ordered = sorted(cards, key=lambda card: (table.power[table.suit[card]](card), card))
    return ordered[:count]


Hands = list[list[str]]
_DECLINES = 0.3


def change_hands(
    rules: Ruleset,
    terms: Terms,
    upcard: str | None,
    hands: Hands,
    kitty: list[str],
    chance: Random | None,
) -> tuple[dict[int, tuple[str, ...]], tuple[Exchange, ...] | None]:
    """Pick up, take the kitty, change cards with the partner: alters `hands`; tells what went.

    `chance` is for wild players, who lay away anything the rules let them; others have sense.
    """
    if rules.family == TURN_UP:
        return _pick_up(rules, terms, upcard, hands, kitty, chance), None
    return _bid_changes(rules, terms, hands, kitty, chance)


def _pick_up(
    rules: Ruleset,
    terms: Terms,
    upcard: str | None,
    hands: Hands,
    kitty: list[str],
    chance: Random | None,
) -> dict[int, tuple[str, ...]]:
    if terms.taker is None or upcard is None or terms.taker in terms.sitting_out:
        return {}
    hand, trump = hands[terms.taker], str(terms.trump)
    if terms.chuck:
        away = weakest(hand, trump, 1 + len(kitty))
        hands[terms.taker] = left_over([*hand, upcard, *kitty], away)
        return {terms.taker: tuple(away)}
    optional = rules.options["upcard_pickup"] == "optional"
    if optional and chance is not None and chance.random() < _DECLINES:
        return {terms.taker: ()}
    free = optional or rules.options["may_discard_upcard"]
    away = _laid_away([*hand, upcard] if free else hand, trump, 1, chance)
    hands[terms.taker] = left_over([*hand, upcard], away)
    return {terms.taker: tuple(away)}


def _laid_away(cards: list[str], trump: str, count: int, chance: Random | None) -> list[str]:
    if chance is None:
        return weakest(cards, trump, count)
    return [card for _, card in sorted((chance.random(), card) for card in cards)][:count]


def _bid_changes(
    rules: Ruleset, terms: Terms, hands: Hands, kitty: list[str], chance: Random | None
) -> tuple[dict[int, tuple[str, ...]], tuple[Exchange, ...] | None]:
    special, maker, trump = terms.special, terms.maker, str(terms.trump)
    gained = list(kitty) if kitty and (special is None or special.kitty) else []
    least, count = special.exchange if special else (0, 0)
    exchange: tuple[Exchange, ...] | None = () if count else None
    if chance is not None:
        count = least + int(chance.random() * (count - least + 1))
    if count:
        partner = next(seat for seat in terms.makers if seat != maker)
        best = list(reversed(weakest(hands[partner], trump, rules.hand_size)))[:count]
        hands[partner] = left_over(hands[partner], best)
        exchange = (Exchange(partner, maker, tuple(best)),)
        gained += best
    if not gained:
        return {} if exchange is None else {maker: ()}, exchange
    dealt_only = rules.options["exchange_order"] == "discard_first" if count else False
    pool = hands[maker] if dealt_only else [*hands[maker], *gained]
    away = _laid_away(pool, trump, len(gained), chance)
    hands[maker] = left_over([*hands[maker], *gained], away)
    return {maker: tuple(away)}, exchange


def play_tricks(
    rules: Ruleset, terms: Terms, hands: Hands, random: Random, wild: bool
) -> tuple[Trick, ...]:
    """The tricks of a hand, every card legal."""
    table = trump_table(str(terms.trump))
    tricks, leader = [], terms.leader
    for _ in range(rules.hand_size):
        order = order_from(leader, terms.active)
        cards: list[str] = []
        for place, seat in enumerate(order):
            choices = _legal(table, hands[seat], cards)
            last = place == len(order) - 1
            mates = seat in terms.makers
            winning = bool(cards) and (order[table.winner(cards)] in terms.makers) == mates
            card = _choose(table, sorted(choices), cards, winning, last, random, wild)
            hands[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(tuple(cards), leader))
        leader = order[table.winner(cards)]
    return tuple(tricks)


def _legal(table: TrumpTable, hand: list[str], cards: list[str]) -> list[str]:
    if not cards:
        return hand
    led = table.suit[cards[0]]
    return [card for card in hand if table.suit[card] == led] or hand


def _choose(
    table: TrumpTable,
    choices: list[str],
    cards: list[str],
    winning: bool,
    last: bool,
    random: Random,
    wild: bool,
) -> str:
    """Lead high; win as cheaply as possible; throw low when one's side is winning already."""
    if wild or random.random() < 0.1:
        return choices[int(random.random() * len(choices))]
    if not cards:
        return max(choices, key=lambda card: table.power[table.suit[card]](card))
    power = table.power[table.suit[cards[0]]]
    best = max(map(power, cards))
    better = [card for card in choices if power(card) > best]
    if better and not winning:
        return (min if last else max)(better, key=power)
    return weakest(choices, table.trump, 1)[0]
