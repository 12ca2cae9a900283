"""Bid games: from auction and contract to the terms the hand is played under."""

from scoring.auction.bid_calls import bid_faults, dealer_must_bid, one_special, understood, walk
from scoring.auction.terms import (
    PASSED,
    Agreed,
    Deal,
    Terms,
    mismatches,
    orders_of,
    side_of,
)
from scoring.faults import Fault, fault
from scoring.records import Contract
from scoring.rulesets import Ruleset
from scoring.rulesets.specials import Special


def agree(rules: Ruleset, deal: Deal) -> Agreed:
    """The terms of a bid hand and every fault of its auction and contract."""
    faults = _outside(rules, deal)
    if deal.auction is None:
        return _from_contract(rules, deal, deal.contract, faults)
    followed = walk(rules, deal)
    faults += followed.faults
    if followed.thrown_in:
        faults += mismatches(rules, None, deal.contract, deal.thrown_in)
        return Agreed(None, followed.thrown_in, faults=tuple(faults))
    if followed.contract is None:
        return _from_contract(rules, deal, deal.contract, faults)
    faults += mismatches(rules, followed.contract, deal.contract, deal.thrown_in)
    joined = followed.contract
    if deal.contract is not None:
        joined, disagree = _joined(rules, followed.contract, deal.contract)
        faults += disagree
    return _agreed(rules, deal, joined, faults)


def _outside(rules: Ruleset, deal: Deal) -> list[Fault]:
    """What only turn-up games have."""
    told = {"lone_maker": deal.lone_maker, "lone_defender": deal.lone_defender}
    return [
        fault("bad-format/not-in-this-game", rules.players, field=field)
        for field, value in told.items()
        if value is not None
    ]


def _from_contract(
    rules: Ruleset, deal: Deal, contract: Contract | None, faults: list[Fault]
) -> Agreed:
    if contract is not None:
        faults += bid_faults(rules, contract)
        return _agreed(rules, deal, contract, faults)
    if not deal.thrown_in or deal.auction is not None:
        return Agreed(faults=tuple(faults))
    options, players = rules.options, rules.players
    eldest = (deal.dealer + 1) % players
    if options["eldest_must_open"]:
        faults.append(
            fault("call-not-allowed/must-open", players, seat=eldest, count=options["min"])
        )
    elif dealer_must_bid(rules):
        must = "call-not-allowed/dealer-must-bid"
        faults.append(fault(must, players, seat=deal.dealer, count=options["min"]))
    return Agreed(thrown_in=PASSED, faults=tuple(faults))


def _joined(rules: Ruleset, found: Contract, written: Contract) -> tuple[Contract, list[Fault]]:
    """The auction's bid, with the trump and the exact special bid the contract adds."""
    faults = []
    called, wrote = understood(rules, found), understood(rules, written)
    if wrote is None and written.tricks is None and written.special is None:
        wrote = called
    if called is not None and wrote is not None:
        shared = [s for s in wrote.specials if s in called.specials]
        if bool(called.specials) != bool(wrote.specials) or (called.specials and not shared):
            faults.append(fault("contract-mismatch/special", rules.players, seat=found.seat))
    else:
        faults += bid_faults(rules, written) if wrote is None else ()
    return found._replace(
        trump=found.trump or written.trump,
        tricks=found.tricks if found.tricks is not None else written.tricks,
        special=written.special or found.special,
        alone=found.alone or written.alone,
    ), faults


def _agreed(rules: Ruleset, deal: Deal, contract: Contract, faults: list[Fault]) -> Agreed:
    bid = understood(rules, contract)
    if bid is None:
        return Agreed(faults=tuple(faults))
    special = one_special(bid, deal.changed)
    if isinstance(special, Fault):
        return Agreed(faults=(*faults, special))
    return Agreed(_terms(rules, contract, bid.tricks, special), faults=tuple(faults))


def _terms(rules: Ruleset, contract: Contract, tricks: int, special: Special | None) -> Terms:
    """The declarer leads (004:23); playing alone, his partners sit out (004:21)."""
    makers = side_of(rules, contract.seat)
    lone = contract.seat if special is not None and special.alone else None
    resting = frozenset(seat for seat in makers if lone not in (None, seat))
    active = tuple(seat for seat in range(rules.players) if seat not in resting)
    return Terms(
        maker=contract.seat,
        trump=contract.trump,
        round=None,
        tricks=tricks,
        special=special,
        lone=lone,
        lone_defender=None,
        makers=makers,
        defenders=tuple(seat for seat in range(rules.players) if seat not in makers),
        sitting_out=resting,
        active=active,
        leader=contract.seat,
        taker=contract.seat if rules.kitty_size else None,
        orders=orders_of(rules.players, active),
    )
