"""Random play-outs: deals, bids and plays hands and games by the rules of any ruleset.

The engine decides what is legal; only the choices are made here. Used by the tests, the demo club
and load tests. The same seed gives the same hands on every machine.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from scoring.auction.terms import DIRTY_CLUBS, Agreed, Terms
from scoring.checks import check_hand
from scoring.endings import Standing
from scoring.games import step
from scoring.particulars import known_before_play
from scoring.playouts.calling import Caller, announce
from scoring.playouts.playing import change_hands, play_tricks, tricks_expected
from scoring.records import Call, Contract, HandRecord, Particulars
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP
from scoring.settling import engine_of

__all__ = ["LEVELS", "random_game", "random_hand", "thinned"]

_MOST_HANDS = 400
_MCEVOY_RANKS = "9T"
_STACKED = 0.1  # the share of stacked deals, in wild games with McEvoy hands
_DECLARES = 0.8
_DROPS_OUT = 0.3
_ENOUGH_TO_STAY = 1.3  # tricks that players want to see in their hands to stay in
_DUMMY = 2


def random_hand(rules: Ruleset, seed: int, *, dealer: int = 0, wild: bool = False) -> HandRecord:
    """One legal hand in full detail: deal, auction, discards, every card.

    Players play sensibly, so that about four hands in five are made; with `wild` they do anything
    legal, which reaches the corners of the rules. Uses only `Random.random`, whose sequence is the
    same in every version of Python.

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
    """`declared` are the seats that have declared their one McEvoy hand of the game (004:182)."""
    random = Random(seed)  # noqa: S311 - dealing for tests and demonstrations
    dealt, upcard, kitty = _dealt(rules, random, wild)
    dummy = tuple(kitty[:_DUMMY]) if rules.options.get("dummy", "none") != "none" else ()
    particulars = Particulars(dummy=dummy) if dummy else None
    record = HandRecord(dealer=dealer, upcard=upcard, hands=dealt, particulars=particulars)
    declarer = _mcevoy_declarer(rules, dealt, declared)
    if declarer is not None and random.random() < _DECLARES:
        return replace(record, auction=(Call(declarer, "mcevoy"),))
    caller = Caller(rules, dealer, upcard, dealt, random, wild)
    auction, agreed = caller.auction()
    announced, agreed = announce(caller, auction, agreed)
    terms = agreed.terms
    if terms is None:
        return replace(record, auction=auction)
    hands = [list(hand) for hand in dealt]
    rng = random if wild else None
    discards, exchange = change_hands(rules, terms, upcard, hands, kitty, rng, dummy)
    contract = announced.contract
    if rules.options.get("drop_out") and terms.makers:
        particulars, agreed = _drop_out(rules, terms, record, auction, contract, random, wild)
        terms = agreed.terms or terms
    if rules.partner_called and contract is not None:
        particulars = _partner(contract, hands)
    elif rules.partner_called:
        particulars = Particulars(nobody=True)
    record = replace(record, particulars=particulars)
    return replace(
        record,
        auction=auction,
        contract=contract,
        lone_maker=announced.lone_maker,
        lone_defender=announced.lone_defender,
        discards=tuple(discards.get(seat) for seat in range(rules.players)) if discards else None,
        exchange=exchange,
        tricks=play_tricks(rules, terms, hands, random, wild),
    )


def _drop_out(
    rules: Ruleset,
    terms: Terms,
    record: HandRecord,
    auction: tuple[Call, ...],
    contract: Contract | None,
    random: Random,
    wild: bool,
) -> tuple[Particulars, Agreed]:
    """The defenders that drop out, usually those with weak hands, and the new terms."""
    trump = str(terms.trump)
    hands = record.hands or ()
    weak = [s for s in terms.defenders if tricks_expected(hands[s] or (), trump) < _ENOUGH_TO_STAY]
    out = tuple(s for s in terms.defenders if wild and random.random() < _DROPS_OUT) or tuple(weak)
    particulars = Particulars(out=out)
    deal = (record.dealer, record.upcard, auction, contract)
    return particulars, engine_of(rules).agree(*deal, False, None, None, None, particulars, None)


def _partner(contract: Contract, hands: list[list[str]]) -> Particulars:
    """The particulars with the seat that holds the called card when play begins."""
    holders = (seat for seat, hand in enumerate(hands) if contract.call_card in hand)
    seat = next(holders, contract.seat)
    nobody = seat == contract.seat
    return Particulars(partner=None if nobody else seat, nobody=nobody)


def _dealt(
    rules: Ruleset, random: Random, wild: bool
) -> tuple[tuple[tuple[str, ...], ...], str | None, list[str]]:
    """Hands, up-card and the rest. In games with McEvoy hands some wild deals are stacked to have
    one."""
    cards, size = shuffled(rules.deck, random), rules.hand_size
    if wild and rules.options.get("mcevoy") and random.random() < _STACKED:
        cards.sort(key=lambda card: card[0] not in _MCEVOY_RANKS)
    dealt = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(rules.players))
    kitty = cards[rules.players * size :]
    has_upcard = rules.family == TURN_UP or rules.options.get("dirty_clubs")
    return dealt, kitty.pop(0) if has_upcard else None, kitty


def _mcevoy_declarer(
    rules: Ruleset, dealt: tuple[tuple[str, ...], ...], declared: Collection[int | None]
) -> int | None:
    """The seat that may declare a McEvoy hand, if any."""
    if not rules.options.get("mcevoy"):
        return None
    seats = (seat for seat, hand in enumerate(dealt) if all(c[0] in _MCEVOY_RANKS for c in hand))
    return next((seat for seat in seats if seat not in declared), None)


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
        hand_seed = _hand_seed(seed, len(hands))
        hand = _hand(rules, hand_seed, dealer=dealer, wild=wild, declared=standing.declared)
        standing, faults = step(rules, standing, check_hand(hand, rules), dealer=dealer)
        if faults:
            raise AssertionError(f"{rules.id}, seed {seed}: {faults[0].message}")
        hands.append(hand)
    return hands


def shuffled(cards: Sequence[str], random: Random) -> list[str]:
    """A shuffled copy, made only with `Random.random`."""
    return [card for _, _, card in sorted((random.random(), n, c) for n, c in enumerate(cards))]


def _hand_seed(seed: int, number: int) -> int:
    """The seed of a hand of a game; in practice no other game uses it."""
    return (seed * 1_000_003 + number * 7_919 + 17) % (2**61 - 1)


LEVELS = ("cards", "tricks", "auction", "counts", "outcome")


def thinned(record: HandRecord, rules: Ruleset, level: str) -> HandRecord:
    """A valid record reduced to one of `LEVELS`, of which the first has the most detail.

    `tricks` omits the deal, `auction` counts the tricks, `counts` has only the contract and the
    tricks won, `outcome` only made, march or euchred (in turn-up games, else like `counts`).
    """
    if level == "cards":
        return record
    if level == "tricks":
        return replace(record, hands=None, discards=None)
    answer = check_hand(record, rules)
    if answer.outcome == "thrown-in":
        return replace(record, hands=None, tricks=None)
    with_counts = replace(
        record,
        hands=None,
        discards=None,
        exchange=None,
        tricks=None,
        tricks_won=answer.tricks_won,
    )
    if level == "auction":
        return replace(with_counts, exchange=record.exchange)
    contract = _contract(record, rules)
    bare = replace(
        with_counts, auction=None, upcard=None, contract=contract, thrown_in=contract is None
    )
    if level == "outcome" and rules.family == TURN_UP:
        outcome = replace(bare, tricks_won=None, outcome=answer.outcome)
        return outcome if check_hand(outcome, rules).valid else bare
    return bare


def _contract(record: HandRecord, rules: Ruleset) -> Contract | None:
    """The contract that the auction made; None if the hand was played without a bid."""
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
