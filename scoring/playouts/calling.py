"""Who calls what, and who plays alone: calls by preference, until the engine takes one."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from scoring.auction.terms import Agreed, Terms
from scoring.auction.turn_up_calls import CHUCK, SMITTY_GAME, turned_suit
from scoring.cards import SUITS
from scoring.playouts.playing import best_trumps, denominations, tricks_expected
from scoring.records import Call, Contract, Particulars
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP
from scoring.settling import engine_of

_OPEN = "auction-unfinished/open"
_MOST_CALLS = 60
_CALLS_ON = 2.1  # tricks a player wants to see in his own hand before he makes trump
_GOES_ALONE = 4.0
_NOBODY_HELPS = 1.1
_PARTNERS_HELP = 1.6


class Caller:
    """Calls one hand's auction. `wild` players say anything legal; the others have sense."""

    def __init__(
        self,
        rules: Ruleset,
        dealer: int,
        upcard: str | None,
        hands: tuple[tuple[str, ...], ...],
        random: Random,
        wild: bool,
    ) -> None:
        self.rules, self.dealer, self.upcard = rules, dealer, upcard
        self.hands, self.random, self.wild = hands, random, wild

    def agreed(
        self,
        calls: tuple[Call, ...],
        contract: Contract | None = None,
        lone_maker: int | None = None,
        lone_defender: int | None = None,
    ) -> Agreed:
        """What the engine says of an auction so far, and of what was said after it."""
        agree = engine_of(self.rules).agree
        known = (self.dealer, self.upcard, calls, contract, False, lone_maker, lone_defender)
        particulars = Particulars(nobody=True) if self.rules.partner_called else None
        return agree(*known, None, particulars, None)

    def auction(self) -> tuple[tuple[Call, ...], Agreed]:
        """A whole legal auction and what it comes to."""
        calls: tuple[Call, ...] = ()
        agreed = self.agreed(calls)
        while (due := _due(agreed)) is not None and len(calls) < _MOST_CALLS:
            call, agreed = self._next(calls, due)
            calls = (*calls, call)
        return calls, agreed

    def _next(self, calls: tuple[Call, ...], seat: int) -> tuple[Call, Agreed]:
        preferred = list(self._preferred(seat, calls))
        for call in preferred:
            agreed = self.agreed((*calls, call))
            if all(fault.sentence in _NOT_YET for fault in agreed.faults):
                return call, agreed
        raise AssertionError(f"{self.rules.id}: no legal call for seat {seat} after {calls}")

    def _preferred(self, seat: int, calls: tuple[Call, ...]) -> Iterator[Call]:
        turn_up = self.rules.family == TURN_UP
        sensible = self._turn_up(seat) if turn_up else self._bids(seat, calls)
        anything = self._anything_turn_up(seat) if turn_up else self._anything_bid(seat)
        if not self.wild:
            yield from sensible
            yield Call(seat, "pass")
            yield from anything
            return
        everything = [Call(seat, "pass")] * 4 + list(anything)
        self.random.shuffle(everything)
        yield from everything

    # -- turn-up games ---------------------------------------------------------------------------

    def _turn_up(self, seat: int) -> Iterator[Call]:
        held = self.hands[seat]
        turned = turned_suit(self.rules, self.upcard)
        if turned is not None and self.upcard is not None:
            taken = (*held, self.upcard) if seat == self.dealer else held
            worth = tricks_expected(taken, turned)
            if worth >= self._threshold():
                yield from self._made(Call(seat, "order-up"), worth)
        trump = best_trumps(held, self.rules)[0]
        worth = tricks_expected(held, trump)
        if worth >= self._threshold():
            yield from self._made(Call(seat, "name", trump), worth)

    def _threshold(self) -> float:
        alone = _NOBODY_HELPS if self.rules.options.get("drop_out") else 0.0
        return _CALLS_ON + alone + (self.random.random() - 0.5) * 0.6

    def _made(self, call: Call, worth: float) -> Iterator[Call]:
        if worth >= _GOES_ALONE and self.rules.partnership:
            yield call._replace(alone=True)
        yield call

    def _anything_turn_up(self, seat: int) -> Iterator[Call]:
        trumps = best_trumps(self.hands[seat], self.rules)
        plain = [Call(seat, "order-up"), *(Call(seat, "name", trump) for trump in trumps)]
        yield from plain
        yield from (call._replace(alone=True) for call in plain)
        if self.wild:
            specials = (CHUCK, SMITTY_GAME)
            yield from (call._replace(special=name) for call in plain[1:] for name in specials)

    # -- bid games -------------------------------------------------------------------------------

    def _bids(self, seat: int, calls: tuple[Call, ...]) -> Iterator[Call]:
        """The lowest bid that outbids the others, if the hand is worth it."""
        trump = best_trumps(self.hands[seat], self.rules)[0]
        share = len(self.rules.deck) / (2 * self.rules.hand_size * self.rules.players)
        share = 0.0 if self.rules.options.get("drop_out") else share
        worth = tricks_expected(self.hands[seat], trump) + _PARTNERS_HELP * share
        for special in sorted(self.rules.specials, key=lambda one: one.tricks):
            if worth - _PARTNERS_HELP * share > special.tricks - 1:
                yield from _denominated(Call(seat, "bid", trump, special=special.name))
        for tricks in range(1, min(int(worth), self.rules.hand_size) + 1):
            yield from _denominated(Call(seat, "bid", trump, tricks=tricks))

    def _anything_bid(self, seat: int) -> Iterator[Call]:
        trumps = denominations(self.rules)
        counts = range(1, self.rules.hand_size + 1)
        for trump in best_trumps(self.hands[seat], self.rules, trumps):
            for tricks in counts:
                yield from _denominated(Call(seat, "bid", trump, tricks=tricks))
            for special in self.rules.specials:
                yield from _denominated(Call(seat, "bid", trump, special=special.name))


# Faults that an auction may still have after a legal call: it goes on, or trump comes later.
_NOT_YET = frozenset({_OPEN})


def _denominated(call: Call) -> Iterator[Call]:
    """A bid with its trump or, where the rules have trump named afterwards, without."""
    yield call
    yield call._replace(trump=None)


def _due(agreed: Agreed) -> int | None:
    """The seat to call next, or None when the auction is over."""
    for fault in agreed.faults:
        if fault.sentence == _OPEN:
            return int(dict(fault.values)["who"])
    return None


_DEFENDS_ALONE = 2.6  # tricks a defender wants to see in his own hand before he defends alone
_WILD_WORD = 0.3


class Announced(NamedTuple):
    """The fields of a record that hold it."""

    contract: Contract | None = None
    lone_maker: int | None = None
    lone_defender: int | None = None


def afterwards(
    caller: Caller, auction: tuple[Call, ...], agreed: Agreed
) -> tuple[Announced, Agreed]:
    """What is announced after this auction, and what the hand comes to with it."""
    announced, terms = Announced(), agreed.terms
    if terms is None:
        return announced, agreed
    if terms.trump is None:
        trump = _named_trump(caller, terms)
        announced = Announced(Contract(terms.maker, trump))
        return announced, caller.agreed(auction, *announced)
    if caller.rules.family != TURN_UP or not terms.makers:
        return announced, agreed
    if caller.rules.partner_called:
        alone = any(call.alone for call in auction)
        return Announced(None if alone else _called(caller, terms)), agreed
    for word in _words(caller, terms):
        longer = Announced(
            word.contract or announced.contract,
            announced.lone_maker if word.lone_maker is None else word.lone_maker,
            announced.lone_defender if word.lone_defender is None else word.lone_defender,
        )
        further = caller.agreed(auction, *longer)
        if not further.faults:
            announced, agreed = longer, further
    return announced, agreed


def _named_trump(caller: Caller, terms: Terms) -> str:
    """The maker's best denomination; one that he can lead where that makes it trump."""
    held = caller.hands[terms.maker]
    names = best_trumps(held, caller.rules)
    if caller.rules.options.get("trump_by_lead"):
        return next(name for name in names if any(card[-1] == name for card in held))
    return names[0]


def _called(caller: Caller, terms: Terms) -> Contract:
    """The contract with the ace the maker calls a partner by: one he does not hold, if he can."""
    aces = sorted("A" + suit for suit in SUITS)
    if caller.rules.options["call_card"] != "ace":
        aces = [ace for ace in aces if ace[1] != terms.trump]
    strange = [ace for ace in aces if ace not in caller.hands[terms.maker]] or aces
    card = strange[int(caller.random.random() * len(strange))]
    return Contract(terms.maker, terms.trump, terms.round, call_card=card)


def _words(caller: Caller, terms: Terms) -> Iterator[Announced]:
    """What players would like to say, whether the rules let them or not."""
    if caller.wild:
        late = Contract(terms.maker, terms.trump, terms.round, alone=True)
        words = [
            Announced(late),
            *(Announced(lone_maker=seat) for seat in terms.makers if seat != terms.maker),
        ]
        words += [Announced(lone_defender=seat) for seat in terms.defenders]
        yield from (word for word in words if caller.random.random() < _WILD_WORD)
        return
    for seat in terms.defenders:
        if tricks_expected(caller.hands[seat], str(terms.trump)) >= _DEFENDS_ALONE:
            yield Announced(lone_defender=seat)
