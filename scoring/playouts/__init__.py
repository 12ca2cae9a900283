"""Random play-outs: hands and games dealt, called and played by the rules, for every ruleset.

What is legal is asked of the engine itself; only the choosing is here. Used by the tests, the demo
club and load tests. The same seed gives the same hands on every machine.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from scoring.auction.terms import DIRTY_CLUBS, Agreed, Terms
from scoring.checks import check_hand
from scoring.endings import Standing
from scoring.games import step
from scoring.particulars import known_before_play
from scoring.playouts.calling import Caller, afterwards
from scoring.playouts.playing import change_hands, play_tricks, tricks_expected
from scoring.records import Call, Contract, HandRecord, Particulars
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP
from scoring.settling import engine_of

__all__ = ["LEVELS", "random_game", "random_hand", "thinned"]

_MOST_HANDS = 400
_MCEVOY_RANKS = "9T"
_STACKED = 0.1  # of the deals of wild players who play McEvoy hands
_DECLARES = 0.8
_DROPS_OUT = 0.3
_ENOUGH_TO_STAY = 1.3  # tricks that a player wants to see in his own hand before he plays on
_DUMMY = 2


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
    return _hand(rules, seed, dealer=dealer, wild=wild)


def _hand(
    rules: Ruleset,
    seed: int,
    *,
    dealer: int,
    wild: bool,
    declared: Collection[int | None] = (),
) -> HandRecord:
    """`declared` are those who have had their one McEvoy hand of the game (004:182)."""
    random = Random(seed)  # noqa: S311 - dealing for tests and demonstrations
    dealt, upcard, kitty = _dealt(rules, random, wild)
    dummy = tuple(kitty[:_DUMMY]) if rules.options.get("dummy", "none") != "none" else ()
    beside = Particulars(dummy=dummy) if dummy else None
    held = HandRecord(dealer=dealer, upcard=upcard, hands=dealt, particulars=beside)
    unlucky = _mcevoy(rules, dealt, declared)
    if unlucky is not None and random.random() < _DECLARES:
        return replace(held, auction=(Call(unlucky, "mcevoy"),))
    caller = Caller(rules, dealer, upcard, dealt, random, wild)
    auction, agreed = caller.auction()
    announced, agreed = afterwards(caller, auction, agreed)
    terms = agreed.terms
    if terms is None:
        return replace(held, auction=auction)
    hands = [list(hand) for hand in dealt]
    rng = random if wild else None
    laid, exchange = change_hands(rules, terms, upcard, hands, kitty, rng, dummy)
    if rules.options.get("drop_out") and terms.makers:
        beside, agreed = _dropped(rules, terms, held, auction, announced.contract, random, wild)
        terms = agreed.terms or terms
    if rules.partner_called and announced.contract is not None:
        beside = _partner(announced.contract, hands)
    elif rules.partner_called:
        beside = Particulars(nobody=True)
    held = replace(held, particulars=beside)
    return replace(
        held,
        auction=auction,
        contract=announced.contract,
        lone_maker=announced.lone_maker,
        lone_defender=announced.lone_defender,
        discards=tuple(laid.get(seat) for seat in range(rules.players)) if laid else None,
        exchange=exchange,
        tricks=play_tricks(rules, terms, hands, random, wild),
    )


def _dropped(
    rules: Ruleset,
    terms: Terms,
    held: HandRecord,
    auction: tuple[Call, ...],
    contract: Contract | None,
    random: Random,
    wild: bool,
) -> tuple[Particulars, Agreed]:
    """Others drop out, those with weak hands as a rule, and what the hand comes to without them."""
    trump = str(terms.trump)
    hands = held.hands or ()
    weak = [s for s in terms.defenders if tricks_expected(hands[s] or (), trump) < _ENOUGH_TO_STAY]
    out = tuple(s for s in terms.defenders if wild and random.random() < _DROPS_OUT) or tuple(weak)
    beside = Particulars(out=out)
    known = (held.dealer, held.upcard, auction, contract, False, None, None, None, beside, None)
    return beside, engine_of(rules).agree(*known)


def _partner(contract: Contract, hands: list[list[str]]) -> Particulars:
    """Who holds the card called when play begins."""
    held = (seat for seat, hand in enumerate(hands) if contract.call_card in hand)
    seat = next(held, contract.seat)
    nobody = seat == contract.seat
    return Particulars(partner=None if nobody else seat, nobody=nobody)


def _dealt(
    rules: Ruleset, random: Random, wild: bool
) -> tuple[tuple[tuple[str, ...], ...], str | None, list[str]]:
    """Hands, up-card and the rest. Where hands of nines and tens count, wild deals bring them."""
    cards, size = shuffled(rules.deck, random), rules.hand_size
    if wild and rules.options.get("mcevoy") and random.random() < _STACKED:
        cards.sort(key=lambda card: card[0] not in _MCEVOY_RANKS)
    dealt = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(rules.players))
    kitty = cards[rules.players * size :]
    turned = rules.family == TURN_UP or rules.options.get("dirty_clubs")
    return dealt, kitty.pop(0) if turned else None, kitty


def _mcevoy(
    rules: Ruleset, dealt: tuple[tuple[str, ...], ...], declared: Collection[int | None]
) -> int | None:
    """The seat that may have the cards dealt again."""
    if not rules.options.get("mcevoy"):
        return None
    low = (seat for seat, hand in enumerate(dealt) if all(c[0] in _MCEVOY_RANKS for c in hand))
    return next((seat for seat in low if seat not in declared), None)


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
    score = tuple(initial_score or (rules.start,) * len(rules.sides))
    standing = Standing(score=score, next_dealer=first_dealer)
    hands: list[HandRecord] = []
    while not standing.over and len(hands) < _MOST_HANDS:
        dealer = standing.next_dealer or 0
        number = _mixed(seed, len(hands))
        hand = _hand(rules, number, dealer=dealer, wild=wild, declared=standing.declared)
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


LEVELS = ("cards", "tricks", "auction", "counts", "outcome")


def thinned(record: HandRecord, rules: Ruleset, level: str) -> HandRecord:
    """A valid record at one of `LEVELS`, most detailed first.

    `tricks` leaves out the deal, `auction` counts the tricks, `counts` has only contract and
    tricks won, `outcome` only made, march or euchred (turn-up games; others stay at `counts`).
    """
    if level == "cards":
        return record
    if level == "tricks":
        return replace(record, hands=None, discards=None)
    answer = check_hand(record, rules)
    if answer.outcome == "thrown-in":
        return replace(record, hands=None, tricks=None)
    counted = replace(
        record,
        hands=None,
        discards=None,
        exchange=None,
        tricks=None,
        tricks_won=answer.tricks_won,
    )
    if level == "auction":
        return replace(counted, exchange=record.exchange)
    contract = _contract(record, rules)
    bare = replace(
        counted, auction=None, upcard=None, contract=contract, thrown_in=contract is None
    )
    if level == "outcome" and rules.family == TURN_UP:
        outcome = replace(bare, tricks_won=None, outcome=answer.outcome)
        return outcome if check_hand(outcome, rules).valid else bare
    return bare


def _contract(record: HandRecord, rules: Ruleset) -> Contract | None:
    """What the auction came to; None where the hand was played without a bid."""
    changed = None if record.exchange is None else sum(len(e.cards) for e in record.exchange)
    agreed = engine_of(rules).agree(
        record.dealer,
        record.upcard,
        record.auction,
        record.contract,
        False,
        record.lone_maker,
        record.lone_defender,
        changed,
        *known_before_play(record, rules),
    )
    terms = agreed.terms
    assert terms is not None
    if not terms.makers:
        clubs = Contract(record.dealer, "c", special=DIRTY_CLUBS)
        return clubs if terms.trump == "c" else None
    special = terms.special.name if terms.special else _turn_up_special(terms.smitty, terms.chuck)
    tricks = terms.tricks if rules.family != TURN_UP and terms.special is None else None
    alone = terms.lone is not None and rules.family == TURN_UP
    return Contract(terms.maker, terms.trump, terms.round, alone, tricks, special)


def _turn_up_special(smitty: str, chuck: bool) -> str | None:
    names = {"hit": "smitty", "game": "smitty_game"}
    return names.get(smitty) or ("chuck" if chuck else None)
