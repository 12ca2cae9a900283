"""Chooses calls and lone hands: tries calls by preference until the engine allows one."""

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
_CALLS_ON = 2.1  # tricks that players want to see in their hands to make trump
_GOES_ALONE = 4.0
_NOBODY_HELPS = 1.1
_PARTNERS_HELP = 1.6


class Caller:
    """Makes the calls of one hand. `wild` players call anything legal, others call sensibly."""

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
        """The engine's result for the auction so far, and for announcements after it."""
        agree = engine_of(self.rules).agree
        facts = (self.dealer, self.upcard, calls, contract, False, lone_maker, lone_defender)
        particulars = Particulars(nobody=True) if self.rules.partner_called else None
        return agree(*facts, None, particulars, None)

    def auction(self) -> tuple[tuple[Call, ...], Agreed]:
        """A complete legal auction and its result."""
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
        """Bids that the hand is worth, the lowest first."""
        trump = best_trumps(self.hands[seat], self.rules)[0]
        share = len(self.rules.deck) / (2 * self.rules.hand_size * self.rules.players)
        share = 0.0 if self.rules.options.get("drop_out") else share
        worth = tricks_expected(self.hands[seat], trump) + _PARTNERS_HELP * share
        for special in sorted(self.rules.specials, key=lambda special: special.tricks):
            if worth - _PARTNERS_HELP * share > special.tricks - 1:
                yield from _with_and_without_trump(Call(seat, "bid", trump, special=special.name))
        for tricks in range(1, min(int(worth), self.rules.hand_size) + 1):
            yield from _with_and_without_trump(Call(seat, "bid", trump, tricks=tricks))

    def _anything_bid(self, seat: int) -> Iterator[Call]:
        trumps = denominations(self.rules)
        counts = range(1, self.rules.hand_size + 1)
        for trump in best_trumps(self.hands[seat], self.rules, trumps):
            for tricks in counts:
                yield from _with_and_without_trump(Call(seat, "bid", trump, tricks=tricks))
            for special in self.rules.specials:
                yield from _with_and_without_trump(Call(seat, "bid", trump, special=special.name))


# Faults of an auction that is not finished, which are no reason against a call.
_NOT_YET = frozenset({_OPEN})


def _with_and_without_trump(call: Call) -> Iterator[Call]:
    """A bid with its trump and, for rules that name trump after the auction, without."""
    yield call
    yield call._replace(trump=None)


def _due(agreed: Agreed) -> int | None:
    """The seat to call next, or None if the auction is over."""
    for fault in agreed.faults:
        if fault.sentence == _OPEN:
            return int(dict(fault.values)["who"])
    return None


_DEFENDS_ALONE = 2.6  # tricks that defenders want to see in their hands to defend alone
_WILD_WORD = 0.3


class Announced(NamedTuple):
    """What is announced after an auction, as fields of a record."""

    contract: Contract | None = None
    lone_maker: int | None = None
    lone_defender: int | None = None


def announce(caller: Caller, auction: tuple[Call, ...], agreed: Agreed) -> tuple[Announced, Agreed]:
    """What the players announce after this auction, and the result with it."""
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
        return Announced(None if alone else _with_called_card(caller, terms)), agreed
    for word in _possible_announcements(caller, terms):
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
    """The maker's best denomination; one that the maker can lead if the first lead makes trump."""
    held = caller.hands[terms.maker]
    names = best_trumps(held, caller.rules)
    if caller.rules.options.get("trump_by_lead"):
        return next(name for name in names if any(card[-1] == name for card in held))
    return names[0]


def _with_called_card(caller: Caller, terms: Terms) -> Contract:
    """The contract with the ace that the maker calls, if possible one in another hand."""
    aces = sorted("A" + suit for suit in SUITS)
    if caller.rules.options["call_card"] != "ace":
        aces = [ace for ace in aces if ace[1] != terms.trump]
    choices = [ace for ace in aces if ace not in caller.hands[terms.maker]] or aces
    card = choices[int(caller.random.random() * len(choices))]
    return Contract(terms.maker, terms.trump, terms.round, call_card=card)


def _possible_announcements(caller: Caller, terms: Terms) -> Iterator[Announced]:
    """What players would like to announce, whether the rules allow it or not."""
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
