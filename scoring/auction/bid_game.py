"""Bid games: from the auction and the contract to the terms of the hand."""

from scoring.auction.bid_calls import (
    Bid,
    bid_faults,
    dealer_must_bid,
    one_special,
    trump_faults,
    understood,
    walk,
)
from scoring.auction.terms import (
    PASSED,
    Agreed,
    Deal,
    Terms,
    dirty_clubs,
    dropped_out,
    makerless,
    mismatches,
    order_from,
    out_faults,
    side_of,
    terms_of,
)
from scoring.cards import NO_TRUMP
from scoring.faults import Fault, fault
from scoring.records import Contract
from scoring.rulesets import Ruleset
from scoring.rulesets.shapes import Special


def agree(rules: Ruleset, deal: Deal) -> Agreed:
    """The terms of a bid hand and every fault of its auction and contract."""
    faults = _turn_up_only_faults(rules, deal)
    clubs = dirty_clubs(rules, deal)
    if clubs is not None:
        return Agreed(clubs[0], faults=(*faults, *clubs[1]))
    if deal.auction is None:
        return _from_contract(rules, deal, deal.contract, faults)
    followed = walk(rules, deal)
    faults += followed.faults
    if followed.thrown_in:
        faults += mismatches(rules, None, deal.contract, deal.thrown_in)
        return _passed_out(rules, deal, followed.thrown_in, faults)
    if followed.contract is None:
        return _from_contract(rules, deal, deal.contract, faults)
    faults += mismatches(rules, followed.contract, deal.contract, deal.thrown_in)
    joined = followed.contract
    if deal.contract is not None:
        joined, disagree = _joined(rules, followed.contract, deal.contract)
        faults += disagree
        if followed.contract.trump is None:  # named after the auction, or not at all
            faults += trump_faults(rules, joined)
    return _agreed(rules, deal, joined, faults)


def _turn_up_only_faults(rules: Ruleset, deal: Deal) -> list[Fault]:
    """Faults for what only turn-up games have."""
    stated = {"lone_maker": deal.lone_maker, "lone_defender": deal.lone_defender}
    if deal.contract is not None:
        stated["contract.call_card"] = deal.contract.call_card  # type: ignore[assignment]
    if deal.particulars is not None:
        stated["partner"] = -1 if deal.particulars.nobody else deal.particulars.partner
    return [
        fault("bad-format/not-in-this-game", rules.players, field=field)
        for field, value in stated.items()
        if value is not None
    ]


def _passed_out(rules: Ruleset, deal: Deal, how: str, faults: list[Fault]) -> Agreed:
    """The result if no one bid: the hand is thrown in or, in some games, played in no trump."""
    if rules.options["all_pass"] == "play_no_trump":  # noqa: S105
        faults += out_faults(rules, deal, None)
        return Agreed(makerless(rules, deal, NO_TRUMP), faults=tuple(faults))
    return Agreed(thrown_in=how, faults=tuple(faults))


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
    return _passed_out(rules, deal, PASSED, faults)


def _joined(rules: Ruleset, by_calls: Contract, written: Contract) -> tuple[Contract, list[Fault]]:
    """The auction's bid, with the trump and the exact special bid from the recorded contract."""
    faults: list[Fault] = []
    called_bid, written_bid = understood(rules, by_calls), understood(rules, written)
    names_no_bid = written.tricks is None and written.special is None
    if written_bid is None and (called_bid is None or not names_no_bid):
        faults += bid_faults(rules, written)
    elif (
        called_bid is not None
        and written_bid is not None
        and not _same_special(called_bid, written_bid)
    ):
        faults.append(fault("contract-mismatch/special", rules.players, seat=by_calls.seat))
    return by_calls._replace(
        trump=by_calls.trump or written.trump,
        tricks=by_calls.tricks if by_calls.tricks is not None else written.tricks,
        special=written.special or by_calls.special,
        alone=by_calls.alone or written.alone,
        call_card=written.call_card,
    ), faults


def _same_special(called: Bid, written: Bid) -> bool:
    """Whether both are plain bids, or can be the same special bid."""
    if not called.specials or not written.specials:
        return not called.specials and not written.specials
    return any(special in called.specials for special in written.specials)


def _agreed(rules: Ruleset, deal: Deal, contract: Contract, faults: list[Fault]) -> Agreed:
    bid = understood(rules, contract)
    if bid is None:
        return Agreed(faults=tuple(faults))
    special = one_special(bid, deal.changed)
    if isinstance(special, Fault):
        return Agreed(faults=(*faults, special))
    lose_all = special is not None and special.lose_all
    if rules.options["values"] == "avondale" and contract.trump is None and not lose_all:
        faults.append(fault("bad-format/no-trump", rules.players, field="contract.trump"))
    if rules.options["trump_by_lead"] and deal.led is not None and not lose_all:
        if contract.trump not in (None, deal.led):
            suits = {"suit": deal.led, "suit_other": contract.trump}
            faults.append(
                fault("contract-mismatch/led", rules.players, seat=contract.seat, **suits)
            )
        contract = contract._replace(trump=deal.led)
    faults += out_faults(rules, deal, contract.seat)
    return Agreed(_terms(rules, deal, contract, bid.tricks, special), faults=tuple(faults))


def _terms(
    rules: Ruleset, deal: Deal, contract: Contract, tricks: int, special: Special | None
) -> Terms:
    """The terms of a bid hand: a lone declarer's partners sit out (004:21)."""
    makers = side_of(rules, contract.seat)
    lone = contract.seat if special is not None and special.alone else None
    out = dropped_out(rules, deal, contract.seat)
    resting = frozenset(seat for seat in makers if lone not in (None, seat)) | out
    active = tuple(seat for seat in range(rules.players) if seat not in resting)
    return terms_of(
        rules.players,
        maker=contract.seat,
        trump=NO_TRUMP if special is not None and special.lose_all else contract.trump,
        round=None,
        tricks=tricks,
        special=special,
        lone=lone,
        lone_defender=None,
        makers=makers,
        defenders=tuple(seat for seat in range(rules.players) if seat not in makers),
        sitting_out=resting,
        active=active,
        leader=_leader(rules, deal, contract.seat, active),
        taker=contract.seat if rules.taken_kitty else None,
        out=out,
        bowers=rules.options["bowers"],
    )


def _leader(rules: Ruleset, deal: Deal, maker: int, active: tuple[int, ...]) -> int:
    """The seat that leads to the first trick: the declarer (004:23) or eldest hand."""
    if rules.options["lead"] == "declarer":
        return maker
    return order_from((deal.dealer + 1) % rules.players, active)[0]
