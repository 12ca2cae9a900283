"""What the auction and the contract come to: the terms the hand is played under."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from scoring.faults import Fault, fault
from scoring.records import Call, Contract, Particulars
from scoring.rulesets import Ruleset
from scoring.rulesets.options import BID, TURN_UP
from scoring.rulesets.specials import Special

PASSED, MCEVOY, JOKER, REDEAL = "passed", "mcevoy", "joker", "redeal"


JAMBONE, JAMBOREE, DIRTY_CLUBS = "jambone", "jamboree", "dirty_clubs"


Orders = dict[int, tuple[tuple[int, ...], Callable[[tuple[str, ...]], tuple[str, ...]]]]


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
    particulars: Particulars | None = None
    led: str | None = None  # the suit of the first card led, where that makes it trump


@dataclass(frozen=True, slots=True)
class Walk:
    """An auction followed call by call: the contract it made, or how the hand was thrown in.

    `reason` is what a hand dealt again was declared for; `under` the seat that goes under.
    """

    contract: Contract | None = None
    thrown_in: str = ""
    declared_by: int | None = None
    reason: str = ""
    under: int | None = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Who plays what with whom: everything about a hand that its cards do not change.

    `tricks` is what must be won (more than half, or the bid). `taker` picks up the up-card or the
    kitty. `active` are the seats that play; `orders[leader]` the same in playing order, and what
    puts a trick's cards in the order of `active`. `smitty` is "hit" or "game" after a right
    prediction. `makers` is empty where nobody bid (dirty clubs, a hand played without a bid).
    `partner` holds the card called; `out` have dropped out; `under` swaps low cards for those left
    over; `shown` is a lone hand played open or a jamboree. Equal only to itself, being a look-up
    key: made by `terms_of`.
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
    orders: Orders = field(default_factory=dict)
    partner: int | None = None
    call_card: str | None = None
    out: frozenset[int] = frozenset()
    under: int | None = None
    shown: str = ""
    bowers: bool = True
    fast_break: bool = False


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer to a Deal: its terms, or that and how it was thrown in, and every fault."""

    terms: Terms | None = None
    thrown_in: str = ""
    declared_by: int | None = None
    reason: str = ""
    faults: tuple[Fault, ...] = ()


@lru_cache(8_192)
def terms_of(players: int, **facts: Any) -> Terms:
    """The one Terms of these facts, so that hands agreed alike share what they come to."""
    return Terms(orders=orders_of(players, facts["active"]), **facts)


def seat_faults(rules: Ruleset, deal: Deal) -> Iterator[Fault]:
    """Seats that are not at this table."""
    named = {
        "dealer": deal.dealer,
        "contract.seat": deal.contract.seat if deal.contract else None,
        "lone_maker": deal.lone_maker,
        "lone_defender": deal.lone_defender,
    }
    if deal.particulars is not None:
        named["partner"] = deal.particulars.partner
        named |= {f"out[{n}]": seat for n, seat in enumerate(deal.particulars.out or ())}
    named |= {f"auction[{place}].seat": call.seat for place, call in enumerate(deal.auction or ())}
    for name, seat in named.items():
        missing = seat is None and name != "dealer"
        if not missing and (type(seat) is not int or not 0 <= seat < rules.players):
            yield fault("bad-seat/none-such", rules.players, field=name)


def side_of(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """The seats that score with this one, itself among them."""
    return rules.sides[seat % len(rules.sides)]


def out_faults(rules: Ruleset, deal: Deal, maker: int | None) -> Iterator[Fault]:
    """Who dropped out: anybody once but the maker, where the rules let players drop out at all."""
    out = deal.particulars.out if deal.particulars else None
    if out is None:
        return
    if not rules.options.get("drop_out"):
        yield fault("bad-format/not-in-this-game", rules.players, field="out")
        return
    if len(set(out)) < len(out):
        yield fault("bad-format/twice-out", rules.players, field="out")
    if maker is None and out:
        yield fault("call-not-allowed/clubs-all-play", rules.players, field="out")
    elif maker in out:
        yield fault("call-not-allowed/maker-out", rules.players, seat=maker, field="out")


def dropped_out(rules: Ruleset, deal: Deal, maker: int | None) -> frozenset[int]:
    """The seats that dropped out before the play."""
    out = deal.particulars.out if deal.particulars and rules.options.get("drop_out") else None
    return frozenset(out or ()) - {maker} if maker is not None else frozenset()


def makerless(rules: Ruleset, deal: Deal, trump: str) -> Terms:
    """A hand that nobody bid and everybody plays for himself: eldest hand leads."""
    seats = tuple(range(rules.players))
    return terms_of(
        rules.players,
        maker=deal.dealer,
        trump=trump,
        round=None,
        tricks=0,
        special=None,
        lone=None,
        lone_defender=None,
        makers=(),
        defenders=seats,
        sitting_out=frozenset(),
        active=seats,
        leader=(deal.dealer + 1) % rules.players,
        taker=None,
        bowers=rules.options.get("bowers", True),
    )


def dirty_clubs(rules: Ruleset, deal: Deal) -> tuple[Terms | None, list[Fault]] | None:
    """The hand where a club turned up is trump without bidding; None where it is not that hand.

    Everybody plays, nobody takes the card, and there is no maker; the dealer is written down.
    """
    options, contract, players = rules.options, deal.contract, rules.players
    if not (options.get("drop_out") and options.get("dirty_clubs")):
        return None
    turned = None if deal.upcard is None else deal.upcard[-1] == "c"
    declared = contract is not None and contract.special == DIRTY_CLUBS
    if not declared and not turned:
        return None
    faults = [fault("call-not-allowed/over", players, seat=c.seat) for c in deal.auction or ()]
    if turned is False:
        faults.append(fault("call-not-allowed/no-club", players, field="contract"))
    if contract is not None:
        faults += _clubs_contract_faults(rules, deal, contract)
    for seat, sentence in ((deal.lone_maker, "alone"), (deal.lone_defender, "defend-alone")):
        if seat is not None and rules.family == TURN_UP:
            faults.append(fault(f"call-not-allowed/{sentence}", players, seat=seat))
    if deal.thrown_in:
        faults.append(fault("call-not-allowed/clubs-turned", players, field="contract"))
    faults += out_faults(rules, deal, None)
    return makerless(rules, deal, "c"), faults


def _clubs_contract_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """Written down for the dealer, in clubs, and with nothing else."""
    players = rules.players
    if contract.special != DIRTY_CLUBS:
        yield fault("call-not-allowed/clubs-turned", players, seat=contract.seat)
        return
    if contract.seat != deal.dealer:
        yield fault("call-not-allowed/clubs-dealer", players, seat=contract.seat)
    if contract.trump not in (None, "c"):
        yield fault("call-not-allowed/clubs-trump", players, seat=contract.seat)
    if contract.alone:
        yield fault("call-not-allowed/alone", players, seat=contract.seat)
    for name in ("tricks", "round", "call_card"):
        if getattr(contract, name) is not None:
            yield fault("bad-format/not-in-this-game", players, field=f"contract.{name}")


def order_from(leader: int, active: tuple[int, ...]) -> tuple[int, ...]:
    """The active seats clockwise, from the leader or, if he sits out, from the next who plays."""
    later = tuple(seat for seat in active if seat >= leader)
    return later + active[: len(active) - len(later)]


@cache
def orders_of(players: int, active: tuple[int, ...]) -> Orders:
    """For every leader the order of play, and what puts a trick's cards in the order of seats."""
    orders = {seat: order_from(seat, active) for seat in range(players)}
    if len(active) == 1:
        return {seat: (order, tuple) for seat, order in orders.items()}
    return {seat: (order, itemgetter(*map(order.index, active))) for seat, order in orders.items()}


def mismatches(
    rules: Ruleset, called: Contract | None, written: Contract | None, thrown_in: bool
) -> list[Fault]:
    """Where the contract written down is not the one the auction made."""
    players = rules.players
    if called is None:
        return [fault("contract-mismatch/passed", players, field="contract")] if written else []
    if thrown_in:
        return [fault("contract-mismatch/not-passed", players, field="contract")]
    if written is None:
        return []
    faults = []
    if written.seat != called.seat:
        bid = rules.family == BID
        sentence = "contract-mismatch/bidder" if bid else "contract-mismatch/maker"
        faults.append(fault(sentence, players, seat=called.seat, who_other=written.seat))
    if written.trump and called.trump and written.trump != called.trump:
        faults.append(fault("contract-mismatch/trump", players, seat=called.seat,
                            suit=called.trump, suit_other=written.trump))  # fmt: skip
    for name in ("round", "tricks"):
        count, stated = getattr(called, name), getattr(written, name)
        if None not in (count, stated) and count != stated:
            faults.append(fault(f"contract-mismatch/{name}", players, seat=called.seat,
                                count=count, found=stated))  # fmt: skip
    return faults
