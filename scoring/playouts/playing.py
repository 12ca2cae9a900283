"""Chooses the cards to discard, pass and play: legal ones, and mostly sensible ones."""

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
from scoring.play.tricks import free_power
from scoring.records import Exchange, Trick
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

_TRUMP_WORTH = (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.9, 1.0, 1.0)
_TOP_SIDE_CARD = 0.7
_COMMON = [card for card in ALL_CARDS if card[0] not in "23456"]


def tricks_expected(cards: Iterable[str], trump: str) -> float:
    """A rough estimate of how many tricks these cards take."""
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
    trumps = {power[other] for other in _COMMON if table.suit[other] == table.suit[card]}
    return sum(other < power[card] for other in trumps)


def best_trumps(cards: Iterable[str], rules: Ruleset, allowed: Iterable[str] = ()) -> list[str]:
    """The denominations of the rules, the most promising for these cards first."""
    held = list(cards)
    names = list(allowed) or denominations(rules)
    return sorted(names, key=lambda trump: (-tricks_expected(held, trump), trump))


def denominations(rules: Ruleset) -> list[str]:
    """Every trump that can be named under these rules."""
    no_trumps = rules.options.get("nt", ())
    names = [*SUITS]
    if "high" in no_trumps or rules.options.get("no_trump") == "second_round":
        names.append(NO_TRUMP)
    if "low" in no_trumps:
        names.append(NO_TRUMP_LOW)
    barred = rules.options.get("forbidden_trumps", ())
    return [name for name in names if name not in barred]


def weakest(cards: Iterable[str], trump: str, count: int) -> list[str]:
    """The weakest cards, to discard: side cards before trumps, low before high."""
    table = trump_table(trump)
    ordered = sorted(cards, key=lambda card: (table.power[table.suit[card]][card], card))
    return ordered[:count]


Hands = list[list[str]]
_DECLINES = 0.3


def change_hands(
    rules: Ruleset,
    terms: Terms,
    upcard: str | None,
    hands: Hands,
    kitty: list[str],
    rng: Random | None,
    dummy: tuple[str, ...] = (),
) -> tuple[dict[int, tuple[str, ...]], tuple[Exchange, ...] | None]:
    """Pick up, take the kitty and exchange cards with the partner, changing `hands`; return the
    discards by seat and the exchanges.

    `rng` is given for wild players, who discard anything legal; others discard sensibly.
    """
    if rules.family == TURN_UP:
        laid = _pick_up(rules, terms, upcard, hands, kitty, rng)
        if dummy:
            laid |= _take_dummy(terms, upcard, hands, dummy, laid, rng)
        exchange = _partners_best(rules, terms, upcard, hands, laid, rng)
        return laid, exchange
    return _bid_changes(rules, terms, hands, kitty, rng)


def _pick_up(
    rules: Ruleset,
    terms: Terms,
    upcard: str | None,
    hands: Hands,
    kitty: list[str],
    rng: Random | None,
) -> dict[int, tuple[str, ...]]:
    if terms.taker is None or upcard is None or terms.taker in terms.sitting_out:
        return {}
    hand, trump = hands[terms.taker], str(terms.trump)
    if terms.chuck:
        away = weakest(hand, trump, 1 + len(kitty))
        hands[terms.taker] = left_over([*hand, upcard, *kitty], away)
        return {terms.taker: tuple(away)}
    optional = rules.options["upcard_pickup"] == "optional"
    if optional and rng is not None and rng.random() < _DECLINES:
        return {terms.taker: ()}
    free = optional or rules.options["may_discard_upcard"]
    away = _choose_discards([*hand, upcard] if free else hand, trump, 1, rng)
    hands[terms.taker] = left_over([*hand, upcard], away)
    return {terms.taker: tuple(away)}


def _take_dummy(
    terms: Terms,
    upcard: str | None,
    hands: Hands,
    dummy: tuple[str, ...],
    laid: dict[int, tuple[str, ...]],
    rng: Random | None,
) -> dict[int, tuple[str, ...]]:
    """The maker takes the dummy's two cards and discards two more; wild players may decline."""
    maker = terms.maker
    if rng is not None and rng.random() < _DECLINES:
        return {}
    pool = [*hands[maker], *dummy]
    kept = upcard if maker == terms.taker else None
    away = _choose_discards([card for card in pool if card != kept], str(terms.trump), 2, rng)
    hands[maker] = left_over(pool, away)
    return {maker: (*laid.get(maker, ()), *away)}


def _partners_best(
    rules: Ruleset,
    terms: Terms,
    upcard: str | None,
    hands: Hands,
    laid: dict[int, tuple[str, ...]],
    rng: Random | None,
) -> tuple[Exchange, ...] | None:
    """A lone maker gets the best card of the partner who sits out, and discards one."""
    if rules.options.get("partners_best", "off") == "off" or terms.lone is None:
        return None
    if rng is not None and rng.random() < _DECLINES:
        return ()
    loner, trump = terms.lone, str(terms.trump)
    partner = next(seat for seat in terms.makers if seat != loner)
    best = weakest(hands[partner], trump, len(hands[partner]))[-1]
    hands[partner].remove(best)
    if rules.options["partners_best"] == "discard_first":
        pool, kept = hands[loner], upcard if loner == terms.taker else None
    else:
        pool, kept = [*hands[loner], best], upcard if loner == terms.taker else None
    away = _choose_discards([card for card in pool if card != kept], trump, 1, rng)
    hands[loner] = left_over([*hands[loner], best], away)
    laid[loner] = (*laid.get(loner, ()), *away)
    return (Exchange(partner, loner, (best,)),)


def _choose_discards(cards: list[str], trump: str, count: int, rng: Random | None) -> list[str]:
    if rng is None:
        return weakest(cards, trump, count)
    return [card for _, card in sorted((rng.random(), card) for card in cards)][:count]


def _bid_changes(
    rules: Ruleset, terms: Terms, hands: Hands, kitty: list[str], rng: Random | None
) -> tuple[dict[int, tuple[str, ...]], tuple[Exchange, ...] | None]:
    special, maker, trump = terms.special, terms.maker, str(terms.trump)
    if not terms.makers:
        return {}, None
    kitty = kitty if rules.taken_kitty else []
    gained = list(kitty) if kitty and (special is None or special.kitty) else []
    least, count = special.exchange if special else (0, 0)
    exchange: tuple[Exchange, ...] | None = () if count else None
    if rng is not None:
        count = least + int(rng.random() * (count - least + 1))
    if count:
        exchange = _partners_pass(rules, terms, hands, count)
        gained += [card for passed in exchange for card in passed.cards]
    if not gained:
        return {} if exchange is None else {maker: ()}, exchange
    dealt_only = rules.options.get("exchange_order") == "discard_first" if count else False
    pool = hands[maker] if dealt_only else [*hands[maker], *gained]
    away = _choose_discards(pool, trump, len(gained), rng)
    hands[maker] = left_over([*hands[maker], *gained], away)
    return {maker: tuple(away)}, exchange


def _partners_pass(rules: Ruleset, terms: Terms, hands: Hands, count: int) -> tuple[Exchange, ...]:
    """The `count` best cards from the declarer's first partner, or from each partner."""
    passed = []
    partners = [seat for seat in terms.makers if seat != terms.maker]
    each = terms.special is not None and terms.special.partners_pass
    for partner in partners if each else partners[:1]:
        strongest = weakest(hands[partner], str(terms.trump), rules.hand_size)[::-1][:count]
        hands[partner] = left_over(hands[partner], strongest)
        passed.append(Exchange(partner, terms.maker, tuple(strongest)))
    return tuple(passed)


def play_tricks(
    rules: Ruleset, terms: Terms, hands: Hands, random: Random, wild: bool
) -> tuple[Trick, ...]:
    """The tricks of a hand, every card legal."""
    table = trump_table(str(terms.trump), terms.bowers)
    if rules.joker_names and terms.trump in (NO_TRUMP, NO_TRUMP_LOW):
        return _play_free_joker(rules, terms, table, hands, random)
    tricks, leader = [], terms.leader
    by_lead = rules.options.get("trump_by_lead") and str(terms.trump) in SUITS
    for number in range(rules.hand_size):
        order = order_from(leader, terms.active)
        cards: list[str] = []
        for place, seat in enumerate(order):
            choices = _legal(table, hands[seat], cards)
            if by_lead and not number and not cards:  # the first card led makes trump
                choices = [card for card in choices if card[1] == terms.trump]
            is_last = place == len(order) - 1
            is_maker = seat in terms.makers
            is_winning = bool(cards) and (order[table.winner(cards)] in terms.makers) == is_maker
            card = _choose(table, sorted(choices), cards, is_winning, is_last, random, wild)
            hands[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(tuple(cards), leader))
        leader = order[table.winner(cards)]
    return tuple(tricks)


def _play_free_joker(
    rules: Ruleset, terms: Terms, table: TrumpTable, hands: Hands, random: Random
) -> tuple[Trick, ...]:
    """The tricks of a hand in no trump with a joker, which follows any lead (D-85)."""
    tricks: list[Trick] = []
    renounced: dict[int, set[str]] = {seat: set() for seat in terms.active}
    leader = terms.leader
    for _ in range(rules.hand_size):
        order = order_from(leader, terms.active)
        cards: list[str] = []
        power: list[int] = []
        named_suit: str | None = None
        lead = ""
        for seat in order:
            hand = hands[seat]
            follows = [card for card in hand if cards and table.suit[card] == lead]
            choices = sorted([*follows, *[JOKER] * (JOKER in hand)] if follows else hand)
            card = choices[int(random.random() * len(choices))]
            hand.remove(card)
            if not cards and card == JOKER:
                free = [s for s in SUITS if s not in renounced[seat]] or [*SUITS]
                lead = free[int(random.random() * len(free))]
                named_suit = lead
            elif not cards:
                lead = table.suit[card]
            elif card != JOKER and table.suit[card] != lead:
                renounced[seat].add(lead)
            power.append(free_power(table, lead, card, lead in renounced[seat] and bool(cards)))
            cards.append(card)
        tricks.append(Trick(tuple(cards), leader, named_suit))
        leader = order[power.index(max(power))]
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
    """Lead high; win as cheaply as possible; play low if one's own side is winning already."""
    if wild or random.random() < 0.1:
        return choices[int(random.random() * len(choices))]
    if not cards:
        return max(choices, key=lambda card: table.power[table.suit[card]][card])
    power = table.power[table.suit[cards[0]]].__getitem__
    best = max(map(power, cards))
    better = [card for card in choices if power(card) > best]
    if better and not winning:
        return (min if last else max)(better, key=power)
    return weakest(choices, table.trump, 1)[0]
