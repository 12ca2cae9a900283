"""What the auction and the contract come to: the terms the hand is played under."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from scoring.faults import Fault, fault
from scoring.records import Call, Contract
from scoring.rulesets import Ruleset
from scoring.rulesets.specials import Special

PASSED, MCEVOY, JOKER = "passed", "mcevoy", "joker"


class Deal(NamedTuple):
    """What is known of a hand before its cards: the part of a record that leads to its terms."""

    dealer: int
    upcard: str | None = None
    auction: tuple[Call, ...] | None = None
    contract: Contract | None = None
    thrown_in: bool = False
    lone_maker: int | None = None
    lone_defender: int | None = None
    changed: int | None = None  # cards the declarer changes with his partner, where written down


@dataclass(frozen=True, slots=True)
class Walk:
    """An auction followed call by call: the contract it made, or how the hand was thrown in."""

    contract: Contract | None = None
    thrown_in: str = ""
    declared_by: int | None = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Who plays what with whom: everything about a hand that its cards do not change.

    `tricks` is what must be won (more than half, or the bid). `taker` picks up the up-card or the
    kitty. `active` are the seats that play; `orders[leader]` the same in playing order, and the
    place in it of the first of them. `smitty` is "hit" or "game" after a right prediction. Equal
    only to itself: it is a look-up key.
    """

    maker: int
    trump: str | None
    round: int | None
    tricks: int
    special: Special | None
    lone: int | None
    lone_defender: int | None
    makers: tuple[int, ...]
    defenders: tuple[int, ...]
    sitting_out: frozenset[int]
    active: tuple[int, ...]
    leader: int
    taker: int | None
    chuck: bool = False
    smitty: str = ""
    orders: dict[int, tuple[tuple[int, ...], int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer to a Deal: its terms, or that and how it was thrown in, and every fault."""

    terms: Terms | None = None
    thrown_in: str = ""
    declared_by: int | None = None
    faults: tuple[Fault, ...] = ()


def seat_faults(rules: Ruleset, deal: Deal) -> Iterator[Fault]:
    """Seats that are not at this table."""
    named = {
        "dealer": deal.dealer,
        "contract.seat": deal.contract.seat if deal.contract else None,
        "lone_maker": deal.lone_maker,
        "lone_defender": deal.lone_defender,
    }
    named |= {f"auction[{place}].seat": call.seat for place, call in enumerate(deal.auction or ())}
    for name, seat in named.items():
        missing = seat is None and name != "dealer"
        if not missing and (type(seat) is not int or not 0 <= seat < rules.players):
            yield fault("bad-seat/none-such", rules.players, field=name)


def side_of(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """The seats that score with this one, itself among them."""
    return rules.sides[seat % len(rules.sides)]


def order_from(leader: int, active: tuple[int, ...]) -> tuple[int, ...]:
    """The active seats clockwise, from the leader or, if he sits out, from the next who plays."""
    later = tuple(seat for seat in active if seat >= leader)
    return later + active[: len(active) - len(later)]


@cache
def orders_of(players: int, active: tuple[int, ...]) -> dict[int, tuple[tuple[int, ...], int]]:
    """For every leader the order of play, and where in it the first active seat comes."""
    orders = ((seat, order_from(seat, active)) for seat in range(players))
    return {seat: (order, order.index(active[0])) for seat, order in orders}


def mismatches(
    rules: Ruleset, found: Contract | None, written: Contract | None, thrown_in: bool
) -> list[Fault]:
    """Where the contract written down is not the one the auction made."""
    players = rules.players
    if found is None:
        return [fault("contract-mismatch/passed", players, field="contract")] if written else []
    if thrown_in:
        return [fault("contract-mismatch/not-passed", players, field="contract")]
    if written is None:
        return []
    faults = []
    if written.seat != found.seat:
        faults.append(
            fault("contract-mismatch/maker", players, seat=found.seat, who_other=written.seat)
        )
    if written.trump and found.trump and written.trump != found.trump:
        faults.append(fault("contract-mismatch/trump", players, seat=found.seat,
                            suit=found.trump, suit_other=written.trump))  # fmt: skip
    for name in ("round", "tricks"):
        count, said = getattr(found, name), getattr(written, name)
        if None not in (count, said) and count != said:
            faults.append(fault(f"contract-mismatch/{name}", players, seat=found.seat,
                                count=count, found=said))  # fmt: skip
    return faults
