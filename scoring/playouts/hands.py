"""One hand, or a whole game of them, dealt from a seed and played out by the rules."""

from collections.abc import Sequence
from random import Random

from scoring.checks import check_hand
from scoring.endings import Standing
from scoring.games import step
from scoring.options import TURN_UP
from scoring.playouts.calling import Caller
from scoring.playouts.cards import change_hands, play_tricks
from scoring.playouts.strength import best_trumps
from scoring.records import Contract, HandRecord
from scoring.rulesets import Ruleset

_MOST_HANDS = 400


def random_hand(rules: Ruleset, seed: int, *, dealer: int = 0, wild: bool = False) -> HandRecord:
    """One legal hand at full detail: deal, auction, discards, every card.

    Players have some sense, so that about four hands in five are made; with `wild` they do
    anything legal, which reaches the corners of the rules. Uses only `Random.random`, whose
    sequence Python keeps the same from version to version.

    >>> from scoring.rulesets import ruleset
    >>> rules = ruleset("standard-four-handed")
    >>> hand = random_hand(rules, 7)
    >>> check_hand(hand, rules).valid, hand == random_hand(rules, 7)
    (True, True)
    """
    random = Random(seed)  # noqa: S311 - dealing for tests and demonstrations
    cards = shuffled(rules.deck, random)
    size = rules.hand_size
    dealt = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(rules.players))
    kitty = cards[rules.players * size :]
    turn_up = rules.family == TURN_UP
    upcard = kitty.pop(0) if turn_up else None
    caller = Caller(rules, dealer, upcard, dealt, random, wild)
    auction, agreed = caller.auction()
    contract = None
    if agreed.terms is not None and agreed.terms.trump is None:
        trump = best_trumps(dealt[agreed.terms.maker], rules)[0]
        contract = Contract(agreed.terms.maker, trump)
        agreed = caller.agreed(auction, contract)
    if agreed.terms is None:
        return HandRecord(dealer=dealer, upcard=upcard, hands=dealt, auction=auction)
    terms = agreed.terms
    hands = [list(hand) for hand in dealt]
    laid, exchange = change_hands(rules, terms, upcard, hands, kitty)
    return HandRecord(
        dealer=dealer,
        upcard=upcard,
        hands=dealt,
        auction=auction,
        contract=contract,
        discards=tuple(laid.get(seat) for seat in range(rules.players)) if laid else None,
        exchange=exchange or None,
        tricks=play_tricks(rules, terms, hands, random, wild),
    )


def random_game(
    rules: Ruleset,
    seed: int,
    *,
    first_dealer: int = 0,
    initial_score: Sequence[int] | None = None,
    wild: bool = False,
) -> list[HandRecord]:
    """The hands of a game up to the one that ends it (at most 400, for games that never end).

    >>> from scoring import play_game, ruleset
    >>> rules = ruleset("nanaimo-three-handed")
    >>> play_game(rules, random_game(rules, 1), first_dealer=0).over
    True
    """
    score = tuple(initial_score or (0,) * len(rules.sides))
    standing = Standing(score=score, next_dealer=first_dealer)
    hands: list[HandRecord] = []
    while not standing.over and len(hands) < _MOST_HANDS:
        dealer = standing.next_dealer or 0
        hand = random_hand(rules, _mixed(seed, len(hands)), dealer=dealer, wild=wild)
        standing, faults = step(rules, standing, check_hand(hand, rules), dealer=dealer)
        if faults:
            raise AssertionError(f"{rules.id}, seed {seed}: {faults[0].message}")
        hands.append(hand)
    return hands


def shuffled(cards: Sequence[str], random: Random) -> list[str]:
    """A shuffled copy, made with `Random.random` alone."""
    return [card for _, _, card in sorted((random.random(), n, c) for n, c in enumerate(cards))]


def _mixed(seed: int, number: int) -> int:
    """One seed for each hand of a game; different games share none in practice."""
    return (seed * 1_000_003 + number * 7_919 + 17) % (2**61 - 1)
