"""The terms of a hand, as the auction and the contract define them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from scoring.faults import Fault, fault
from scoring.records import Call, Contract, Particulars
from scoring.rulesets import Ruleset
from scoring.rulesets.options import BID, TURN_UP
from scoring.rulesets.shapes import Special

PASSED, MCEVOY, JOKER, REDEAL = "passed", "mcevoy", "joker", "redeal"


JAMBONE, JAMBOREE, DIRTY_CLUBS = "jambone", "jamboree", "dirty_clubs"


Orders = dict[int, tuple[tuple[int, ...], Callable[[tuple[str, ...]], tuple[str, ...]]]]


class Deal(NamedTuple):
    """The part of a record that determines the terms of a hand."""

    dealer: int
    upcard: str | None = None
    auction: tuple[Call, ...] | None = None
    contract: Contract | None = None
    thrown_in: bool = False
    lone_maker: int | None = None
    lone_defender: int | None = None
    changed: int | None = None  # cards the declarer exchanges with the partner, where recorded
    particulars: Particulars | None = None
    led: str | None = None  # the suit of the first card led, if that makes trump


@dataclass(frozen=True, slots=True)
class Walk:
    """The result of following an auction: its contract, or how the hand was thrown in.

    `reason` is why a redeal was declared; `under` is the seat that goes under.
    """

    contract: Contract | None = None
    thrown_in: str = ""
    declared_by: int | None = None
    reason: str = ""
    under: int | None = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Everything about a hand that does not depend on its cards, such as its sides and trump.

    `tricks` is the number the makers must win (more than half, or the bid). `taker` picks up the
    up-card or the kitty. `active` are the seats that play; `orders[leader]` has them in playing
    order, and a function that puts a trick's cards in the order of `active`. `smitty` is "hit" or
    "game" after a right prediction. `makers` is empty if no one bid (dirty clubs, a hand played
    without a bid). `partner` holds the called card; `out` have dropped out; `under` swaps low cards
    for undealt ones; `shown` is a lone hand played open or a jamboree. Terms are compared by
    identity, since they are cache keys; `terms_of` makes them.
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
    """The result for a Deal: its terms, or how it was thrown in, and every fault."""

    terms: Terms | None = None
    thrown_in: str = ""
    declared_by: int | None = None
    reason: str = ""
    faults: tuple[Fault, ...] = ()


@lru_cache(8_192)
def terms_of(players: int, **facts: Any) -> Terms:
    """The terms with these facts; equal facts give the same object, so that results are shared."""
    return Terms(orders=orders_of(players, facts["active"]), **facts)


def seat_faults(rules: Ruleset, deal: Deal) -> Iterator[Fault]:
    """Faults for seats that this table does not have."""
    seats = {
        "dealer": deal.dealer,
        "contract.seat": deal.contract.seat if deal.contract else None,
        "lone_maker": deal.lone_maker,
        "lone_defender": deal.lone_defender,
    }
    if deal.particulars is not None:
        seats["partner"] = deal.particulars.partner
        seats |= {f"out[{n}]": seat for n, seat in enumerate(deal.particulars.out or ())}
    seats |= {f"auction[{place}].seat": call.seat for place, call in enumerate(deal.auction or ())}
    for name, seat in seats.items():
        is_optional = seat is None and name != "dealer"
        if not is_optional and (type(seat) is not int or not 0 <= seat < rules.players):
            yield fault("bad-seat/none-such", rules.players, field=name)


def side_of(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """The seats that score together with this one, including it."""
    return rules.sides[seat % len(rules.sides)]


def out_faults(rules: Ruleset, deal: Deal, maker: int | None) -> Iterator[Fault]:
    """Faults of players who dropped out: twice, as the maker, or against the rules."""
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
    """The terms of a hand that no one bid: everyone plays alone, and eldest hand leads."""
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
    """The terms and faults of a hand in which a turned-up club is trump without bidding; None for
    any other hand.

    Everyone plays, no one takes the card, and there is no maker; the record names the dealer.
    """
    options, contract, players = rules.options, deal.contract, rules.players
    if not (options.get("drop_out") and options.get("dirty_clubs")):
        return None
    is_club = None if deal.upcard is None else deal.upcard[-1] == "c"
    is_declared = contract is not None and contract.special == DIRTY_CLUBS
    if not is_declared and not is_club:
        return None
    faults = [fault("call-not-allowed/over", players, seat=c.seat) for c in deal.auction or ()]
    if is_club is False:
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
    """Faults of a dirty clubs contract, which names the dealer and clubs and nothing else."""
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
    """The active seats clockwise, from the leader or, if that seat sits out, from the next one."""
    from_leader = tuple(seat for seat in active if seat >= leader)
    return from_leader + active[: len(active) - len(from_leader)]


@cache
def orders_of(players: int, active: tuple[int, ...]) -> Orders:
    """For every leader the order of play, and a function that puts a trick's cards in the order of
    seats."""
    orders = {seat: order_from(seat, active) for seat in range(players)}
    if len(active) == 1:
        return {seat: (order, tuple) for seat, order in orders.items()}
    return {seat: (order, itemgetter(*map(order.index, active))) for seat, order in orders.items()}


def mismatches(
    rules: Ruleset, called: Contract | None, written: Contract | None, thrown_in: bool
) -> list[Fault]:
    """Where the recorded contract differs from the auction's."""
    players = rules.players
    if called is None:
        return [fault("contract-mismatch/passed", players, field="contract")] if written else []
    if thrown_in:
        return [fault("contract-mismatch/not-passed", players, field="contract")]
    if written is None:
        return []
    faults = []
    if written.seat != called.seat:
        is_bid = rules.family == BID
        sentence = "contract-mismatch/bidder" if is_bid else "contract-mismatch/maker"
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
