"""What is said between the auction and the first lead: the trump, and who plays alone after all."""

from collections.abc import Iterator
from typing import NamedTuple

from scoring.auction.terms import Agreed, Terms
from scoring.playouts.calling import Caller
from scoring.playouts.strength import best_trumps, tricks_expected
from scoring.records import Call, Contract
from scoring.rulesets.options import TURN_UP

_DEFENDS_ALONE = 2.6  # tricks a defender wants to see in his own hand before he defends alone
_WILD_WORD = 0.3


class Said(NamedTuple):
    """The fields of a record that hold it."""

    contract: Contract | None = None
    lone_maker: int | None = None
    lone_defender: int | None = None


def afterwards(caller: Caller, auction: tuple[Call, ...], agreed: Agreed) -> tuple[Said, Agreed]:
    """What is said after this auction, and what the hand comes to with it."""
    said, terms = Said(), agreed.terms
    if terms is None:
        return said, agreed
    if terms.trump is None:
        trump = best_trumps(caller.hands[terms.maker], caller.rules)[0]
        said = Said(Contract(terms.maker, trump))
        return said, caller.agreed(auction, *said)
    if caller.rules.family != TURN_UP:
        return said, agreed
    for word in _words(caller, terms):
        longer = Said(
            word.contract or said.contract,
            said.lone_maker if word.lone_maker is None else word.lone_maker,
            said.lone_defender if word.lone_defender is None else word.lone_defender,
        )
        further = caller.agreed(auction, *longer)
        if not further.faults:
            said, agreed = longer, further
    return said, agreed


def _words(caller: Caller, terms: Terms) -> Iterator[Said]:
    """What players would like to say, whether the rules let them or not."""
    if caller.wild:
        late = Contract(terms.maker, terms.trump, terms.round, alone=True)
        words = [
            Said(late),
            *(Said(lone_maker=seat) for seat in terms.makers if seat != terms.maker),
        ]
        words += [Said(lone_defender=seat) for seat in terms.defenders]
        yield from (word for word in words if caller.random.random() < _WILD_WORD)
        return
    for seat in terms.defenders:
        if tricks_expected(caller.hands[seat], str(terms.trump)) >= _DEFENDS_ALONE:
            yield Said(lone_defender=seat)
