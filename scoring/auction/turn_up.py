"""Turn-up games: from auction and contract to the terms the hand is played under."""

from scoring.auction.terms import (
    JOKER,
    PASSED,
    Agreed,
    Deal,
    Terms,
    mismatches,
    order_from,
    orders_of,
    side_of,
)
from scoring.auction.turn_up_calls import walk
from scoring.auction.turn_up_contract import chucked, contract_faults
from scoring.auction.turned import CHUCK, REDEAL, SMITTY_GAME, turned_suit
from scoring.cards import JOKER as JOKER_CARD
from scoring.faults import Fault, fault
from scoring.records import Contract
from scoring.rulesets import Ruleset


def agree(rules: Ruleset, deal: Deal) -> Agreed:
    """The terms of a turn-up hand and every fault of its auction and contract."""
    followed = walk(rules, deal) if deal.auction is not None else None
    faults = list(followed.faults) if followed else []
    contract = deal.contract
    if followed is not None:
        if not followed.faults or followed.contract is not None:
            faults += mismatches(rules, followed.contract, deal.contract, deal.thrown_in)
        if followed.thrown_in:
            return Agreed(None, followed.thrown_in, followed.declared_by, tuple(faults))
        contract, disagree = _joined(rules, followed.contract, deal)
        faults += disagree
    if contract is None:
        if deal.thrown_in and followed is None:
            return _thrown_in(rules, deal)
        return Agreed(None, faults=tuple(faults))
    round_ = _round_of(rules, deal, contract)
    ordered = turned_suit(rules, deal.upcard) if round_ == 1 else None
    contract = contract._replace(round=round_, trump=contract.trump or ordered)
    faults += contract_faults(rules, deal, contract)
    return Agreed(_terms(rules, deal, contract), faults=tuple(faults))


def _thrown_in(rules: Ruleset, deal: Deal) -> Agreed:
    """A hand without a contract and without its calls: thrown in, if the rules allow it."""
    if deal.upcard == JOKER_CARD and rules.options["joker_turned_up"] == REDEAL:
        return Agreed(thrown_in=JOKER)
    if rules.options["stick_the_dealer"]:
        stuck = fault("call-not-allowed/stuck", rules.players, seat=deal.dealer, field="contract")
        return Agreed(thrown_in=PASSED, faults=(stuck,))
    return Agreed(thrown_in=PASSED)


def _joined(
    rules: Ruleset, found: Contract | None, deal: Deal
) -> tuple[Contract | None, list[Fault]]:
    """The auction's contract, filled up from the one written down; they must agree on alone."""
    written = deal.contract
    if found is None or written is None:
        return found or written, []
    said = next((call.alone for call in reversed(deal.auction or ()) if call.call != "pass"), None)
    faults = []
    if said is not None and said != written.alone:
        faults.append(fault("contract-mismatch/alone", rules.players, seat=found.seat))
    elif written.alone and not said and rules.options.get("alone_window") == "with_call":
        faults.append(fault("call-not-allowed/alone-late", rules.players, seat=found.seat))
    if written.special and found.special and written.special != found.special:
        faults.append(fault("contract-mismatch/special", rules.players, seat=found.seat))
    return found._replace(
        alone=found.alone or written.alone,
        trump=found.trump or written.trump,
        special=found.special or written.special,
    ), faults


def _round_of(rules: Ruleset, deal: Deal, contract: Contract) -> int | None:
    if contract.round is not None or deal.upcard is None or contract.trump is None:
        return contract.round
    turned = turned_suit(rules, deal.upcard)
    return 1 if turned in (contract.trump, None) else 2


def _terms(rules: Ruleset, deal: Deal, contract: Contract) -> Terms:
    makers = side_of(rules, contract.seat)
    lone = contract.seat if contract.alone else None
    if rules.partnership and deal.lone_maker in makers:
        lone = deal.lone_maker
    lone = lone if rules.partnership else None
    defenders = tuple(seat for seat in range(rules.players) if seat not in makers)
    against = deal.lone_defender if rules.partnership else None
    lone_defender = against if against in defenders else None
    resting = {s for s in makers if lone not in (None, s)}
    resting |= {s for s in defenders if lone_defender not in (None, s)}
    active = tuple(seat for seat in range(rules.players) if seat not in resting)
    chuck = chucked(rules, deal, contract) and (
        contract.special == CHUCK or rules.options["r2_exclude_turned"]
    )
    smitty = _smitty(rules, deal, contract)
    return Terms(
        maker=contract.seat,
        trump=contract.trump,
        round=contract.round,
        tricks=rules.hand_size // 2 + 1,
        special=None,
        lone=lone,
        lone_defender=lone_defender,
        makers=makers,
        defenders=defenders,
        sitting_out=frozenset(resting),
        active=active,
        leader=_leader(rules, deal.dealer, active, lone, lone_defender),
        taker=_taker(rules, deal, contract, smitty, chuck),
        chuck=chuck,
        smitty=smitty,
        orders=orders_of(rules.players, active),
    )


def _smitty(rules: Ruleset, deal: Deal, contract: Contract) -> str:
    """After a miss eldest hand takes no part in round 1, so a maker there has hit (D-28)."""
    eldest = (deal.dealer + 1) % rules.players
    if not rules.options.get("smitty") or contract.seat != eldest or contract.round == 2:
        return ""
    if contract.round is None and contract.special is None:
        return ""
    return "game" if contract.special == SMITTY_GAME else "hit"


def _taker(rules: Ruleset, deal: Deal, contract: Contract, smitty: str, chuck: bool) -> int | None:
    if chuck:
        return deal.dealer
    if contract.round != 1:
        return None
    if smitty or rules.options["upcard_goes_to"] == "orderer":
        return contract.seat
    return deal.dealer


def _leader(
    rules: Ruleset, dealer: int, active: tuple[int, ...], lone: int | None, against: int | None
) -> int:
    """Who leads to the first trick (D-13, D-49)."""
    options = rules.options
    eldest = (dealer + 1) % rules.players
    loner = lone if lone is not None else against
    if loner is None:
        return eldest
    if lone is not None and against is not None and options["two_loner_lead"] == "lone_defender":
        return against
    left = options["loner_lead"] == "left_of_loner"
    start = (loner + 1) % rules.players if left else eldest
    return order_from(start, active)[0]
