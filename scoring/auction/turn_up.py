"""Turn-up games: the rules of the contract, and the terms of the hand."""

from collections.abc import Iterator

from scoring.auction.terms import (
    JAMBONE,
    JAMBOREE,
    JOKER,
    PASSED,
    Agreed,
    Deal,
    Terms,
    dirty_clubs,
    dropped_out,
    mismatches,
    order_from,
    out_faults,
    side_of,
    terms_of,
)
from scoring.auction.turn_up_calls import (
    AGAIN,
    BLIND,
    CHUCK,
    SMITTY,
    SMITTY_GAME,
    turned_suit,
    walk,
)
from scoring.cards import JOKER as JOKER_CARD
from scoring.cards import NO_TRUMP, NO_TRUMP_LOW, trump_table
from scoring.faults import Fault, fault
from scoring.records import Contract
from scoring.rulesets import Ruleset


def contract_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """Every rule that a contract breaks, whether the auction is known or not."""
    yield from _trump_faults(rules, deal, contract)
    yield from _seat_faults(rules, deal, contract)
    if contract.special is not None:
        yield from _special_faults(rules, deal, contract)
    yield from _alone_faults(rules, deal, contract)
    if contract.tricks is not None:
        yield fault("bad-format/not-in-this-game", rules.players, field="contract.tricks")
    if deal.particulars is not None:
        yield from out_faults(rules, deal, contract.seat)
    if rules.partner_called:
        yield from _partner_faults(rules, deal, contract)
    else:
        yield from _called_partner_faults(rules, deal, contract)
    if contract.round not in (None, 1, 2):
        yield fault("bad-format/not-one-of", rules.players, field="contract.round", choices="1, 2")


def _trump_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    options, players, seat = rules.options, rules.players, contract.seat
    trump, turned = contract.trump, turned_suit(rules, deal.upcard)
    if trump == NO_TRUMP_LOW:
        yield fault("call-not-allowed/no-trump-low", players, seat=seat)
    elif trump == NO_TRUMP and options["no_trump"] == "never":
        yield fault("call-not-allowed/no-trump", players, seat=seat)
    elif trump == NO_TRUMP and contract.round == 1:
        yield fault("call-not-allowed/no-trump-round", players, seat=seat)
    elif trump in options["forbidden_trumps"]:
        yield fault("call-not-allowed/forbidden", players, seat=seat, Suit=trump)
    elif trump is not None and turned is not None:
        if contract.round == 1 and trump != turned:
            yield fault("call-not-allowed/order-other", players, seat=seat, suit=turned)
        barred = options["r2_exclude_turned"] and not chucked(rules, deal, contract)
        if contract.round == 2 and trump == turned and barred:
            yield fault("call-not-allowed/turned-down", players, seat=seat, Suit=turned)


def _seat_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """A maker who may not make trump with this up-card."""
    options, players, seat = rules.options, rules.players, contract.seat
    if deal.upcard == JOKER_CARD and options["joker_turned_up"] == BLIND:
        if seat != deal.dealer or contract.round == 2:
            yield fault("call-not-allowed/joker-turned", players, seat=seat)
    elif deal.upcard == JOKER_CARD and options["joker_turned_up"] == AGAIN:
        yield fault("call-not-allowed/joker-redeal", players, seat=seat)
    clubs = options["dirty_clubs"] and turned_suit(rules, deal.upcard) == "c"
    if clubs and (seat != deal.dealer or contract.round == 2):
        yield fault("call-not-allowed/dirty-clubs", players, seat=seat)


def _special_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """A prediction, a chucked hand or a shown one that these rules do not allow."""
    options, players, seat = rules.options, rules.players, contract.seat
    if contract.special in (SMITTY, SMITTY_GAME):
        eldest = (deal.dealer + 1) % players
        allowed = options.get("smitty") and seat == eldest and contract.round != 2
    elif contract.special == CHUCK:
        allowed = options.get("chuck")
        if allowed and not chucked(rules, deal, contract):
            yield fault("call-not-allowed/chuck", players, seat=seat)
    else:
        allowed = _shown(rules, contract)
        if allowed and deal.lone_maker not in (None, seat):
            yield fault("call-not-allowed/shown-alone", players, seat=seat, text=contract.special)
    if not allowed:
        yield fault("call-not-allowed/special", players, seat=seat, text=contract.special)


def _called_partner_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """A called card, or its holder, in a game without called partners."""
    particulars = deal.particulars
    if contract.call_card is not None:
        yield fault("bad-format/not-in-this-game", rules.players, field="contract.call_card")
    if particulars is not None and (particulars.partner is not None or particulars.nobody):
        yield fault("bad-format/not-in-this-game", rules.players, field="partner")


def _partner_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """What is wrong with the called card, or with its holder."""
    players, seat, particulars = rules.players, contract.seat, deal.particulars
    card, partner = contract.call_card, particulars.partner if particulars else None
    if card is not None and contract.alone:
        yield fault("call-not-allowed/card-alone", players, seat=seat)
    elif card is not None and not _may_call_card(rules, contract):
        yield fault("call-not-allowed/call-card", players, seat=seat, card=card)
    if partner is not None and contract.alone:
        yield fault("bad-partner/alone", players, seat=partner, field="partner")
    elif partner == seat:
        yield fault("bad-partner/maker", players, seat=seat, field="partner")
    elif partner is None and not contract.alone and not (particulars and particulars.nobody):
        yield fault("bad-format/missing", players, field="partner", name="partner")


def _may_call_card(rules: Ruleset, contract: Contract) -> bool:
    """Whether the maker may call a partner by this card."""
    card = str(contract.call_card)
    if rules.options["call_card"] == "ace":
        return card[0] == "A"
    if card == JOKER_CARD or contract.trump is None:
        return card != JOKER_CARD
    return trump_table(contract.trump).suit[card] != contract.trump


def _alone_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    options, players, seat = rules.options, rules.players, contract.seat
    alone = contract.alone or deal.lone_maker is not None
    if not rules.partnership:
        if (contract.alone and not rules.partner_called) or deal.lone_maker is not None:
            yield fault("call-not-allowed/alone", players, seat=seat)
        if deal.lone_defender is not None:
            yield fault("call-not-allowed/defend-alone", players, seat=deal.lone_defender)
        return
    if deal.lone_maker not in (None, seat):
        if options.get("alone_by") != "maker_side":
            yield fault("call-not-allowed/lone-maker-rule", players, seat=deal.lone_maker)
        elif deal.lone_maker not in side_of(rules, seat):
            yield fault("call-not-allowed/lone-maker", players, seat=deal.lone_maker)
    is_partner = seat != deal.dealer and seat in side_of(rules, deal.dealer)
    if options.get("partner_order_alone") and is_partner and contract.round == 1 and not alone:
        yield fault("call-not-allowed/partner-alone", players, seat=seat)
    if deal.lone_defender is not None:
        yield from _lone_defender_faults(rules, deal.lone_defender, contract, alone)


def _lone_defender_faults(
    rules: Ruleset, defender: int, contract: Contract, alone: bool
) -> Iterator[Fault]:
    allowed = rules.options.get("defend_alone", "never")
    if defender in side_of(rules, contract.seat):
        yield fault("call-not-allowed/defender-side", rules.players, seat=defender)
    if allowed == "never":
        yield fault("call-not-allowed/defend-alone", rules.players, seat=defender)
    elif allowed == "v_lone_maker" and not alone:
        yield fault("call-not-allowed/defend-alone-only", rules.players, seat=defender)


def chucked(rules: Ruleset, deal: Deal, contract: Contract) -> bool:
    """Whether a stuck dealer chucks the hand, by naming the suit turned up (D-29)."""
    return bool(
        rules.options.get("chuck")
        and contract.seat == deal.dealer
        and contract.round == 2
        and contract.special in (None, CHUCK)
        and turned_suit(rules, deal.upcard) in (contract.trump, None)
        and (contract.special == CHUCK or deal.upcard is not None)
    )


def agree(rules: Ruleset, deal: Deal) -> Agreed:
    """The terms of a turn-up hand and every fault of its auction and contract."""
    clubs = dirty_clubs(rules, deal)
    if clubs is not None:
        return Agreed(clubs[0], faults=tuple(clubs[1]))
    followed = walk(rules, deal) if deal.auction is not None else None
    faults = list(followed.faults) if followed else []
    contract = deal.contract
    if followed is not None:
        if not followed.faults or followed.contract is not None:
            faults += mismatches(rules, followed.contract, deal.contract, deal.thrown_in)
        if followed.thrown_in:
            declared = followed.declared_by, followed.reason
            return Agreed(None, followed.thrown_in, *declared, faults=tuple(faults))
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
    terms = _terms(rules, deal, contract, followed.under if followed else None)
    return Agreed(terms, faults=tuple(faults))


def _thrown_in(rules: Ruleset, deal: Deal) -> Agreed:
    """The result for a hand without contract and auction: thrown in, if the rules allow it."""
    if deal.upcard == JOKER_CARD and rules.options["joker_turned_up"] == AGAIN:
        return Agreed(thrown_in=JOKER)
    if rules.options["stick_the_dealer"]:
        stuck = fault("call-not-allowed/stuck", rules.players, seat=deal.dealer, field="contract")
        return Agreed(thrown_in=PASSED, faults=(stuck,))
    return Agreed(thrown_in=PASSED)


def _joined(
    rules: Ruleset, by_calls: Contract | None, deal: Deal
) -> tuple[Contract | None, list[Fault]]:
    """The auction's contract, completed from the recorded one, and where the two disagree."""
    written = deal.contract
    if by_calls is None or written is None:
        return by_calls or written, []
    called = next((c.alone for c in reversed(deal.auction or ()) if c.call != "pass"), None)
    faults = [
        fault(sentence, rules.players, seat=by_calls.seat)
        for sentence in _contradictions(rules, by_calls, written, called)
    ]
    return by_calls._replace(
        alone=by_calls.alone or written.alone,
        trump=by_calls.trump or written.trump,
        special=by_calls.special or written.special,
        tricks=written.tricks,
        call_card=written.call_card,
    ), faults


def _contradictions(
    rules: Ruleset, called: Contract, written: Contract, alone: bool | None
) -> Iterator[str]:
    """Where the recorded contract contradicts the calls; `alone` is what was called."""
    if alone is not None and alone != bool(written.alone or _shown(rules, written)):
        yield "contract-mismatch/alone"
    elif written.alone and not alone and rules.options.get("alone_window") == "with_call":
        yield "call-not-allowed/alone-late"
    if written.special and called.special and written.special != called.special:
        yield "contract-mismatch/special"


def _round_of(rules: Ruleset, deal: Deal, contract: Contract) -> int | None:
    if contract.round is not None or deal.upcard is None or contract.trump is None:
        return contract.round
    turned = turned_suit(rules, deal.upcard)
    return 1 if turned in (contract.trump, None) else 2


def _shown(rules: Ruleset, contract: Contract) -> str:
    """The name of a lone hand played open, or of the five best trumps shown, if the rules have it;
    else ""."""
    special = str(contract.special)
    is_known = special in (JAMBONE, JAMBOREE) and rules.options.get(special, "off") != "off"
    return special if is_known else ""


def _terms(rules: Ruleset, deal: Deal, contract: Contract, under: int | None) -> Terms:
    particulars = deal.particulars
    partner = particulars.partner if rules.partner_called and particulars else None
    makers, lone, shown = _makers(rules, deal, contract, partner)
    defenders = tuple(seat for seat in range(rules.players) if seat not in makers)
    against = deal.lone_defender if rules.partnership else None
    lone_defender = against if against in defenders else None
    out = dropped_out(rules, deal, contract.seat) if particulars else frozenset()
    resting = _resting(makers, lone) | _resting(defenders, lone_defender) | out
    active = tuple(seat for seat in range(rules.players) if seat not in resting)
    chuck = chucked(rules, deal, contract) and (
        contract.special == CHUCK or rules.options["r2_exclude_turned"]
    )
    smitty = _smitty(rules, deal, contract)
    return terms_of(
        rules.players,
        maker=contract.seat,
        trump=contract.trump,
        round=contract.round,
        tricks=rules.hand_size // 2 + 1,
        special=None,
        lone=lone,
        lone_defender=lone_defender,
        makers=makers,
        defenders=defenders,
        sitting_out=resting,
        active=active,
        leader=_leader(rules, deal.dealer, active, lone, lone_defender),
        taker=_taker(rules, deal, contract, smitty, chuck),
        chuck=chuck,
        smitty=smitty,
        partner=partner,
        call_card=contract.call_card,
        out=out,
        under=under,
        shown=shown,
        fast_break=bool(particulars and particulars.fast_break),
    )


def _makers(
    rules: Ruleset, deal: Deal, contract: Contract, partner: int | None
) -> tuple[tuple[int, ...], int | None, str]:
    """The seats of the makers, the one that plays alone, and the name of a shown hand."""
    makers, shown = side_of(rules, contract.seat), _shown(rules, contract)
    if rules.partner_called:
        if partner is not None and partner != contract.seat:
            makers = tuple(sorted((contract.seat, partner)))
        return makers, contract.seat if len(makers) == 1 else None, shown
    if not rules.partnership:
        return makers, None, shown
    if deal.lone_maker in makers:
        return makers, deal.lone_maker, shown
    return makers, contract.seat if contract.alone or shown else None, shown


def _resting(side: tuple[int, ...], lone: int | None) -> frozenset[int]:
    """The seats of a side that sit out because one of them plays alone."""
    return frozenset(side) - {lone} if lone is not None else frozenset()


def _smitty(rules: Ruleset, deal: Deal, contract: Contract) -> str:
    """The prediction's result: "hit", "game" or "". After a miss eldest hand takes no part in
    round 1, so a maker in that seat has hit (D-28)."""
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
    goes_to = rules.options["upcard_goes_to"]
    third = goes_to == "third_seat_orderer" and contract.seat == (deal.dealer - 1) % rules.players
    if smitty or third or goes_to == "orderer":
        return contract.seat
    return deal.dealer


def _leader(
    rules: Ruleset, dealer: int, active: tuple[int, ...], lone: int | None, against: int | None
) -> int:
    """The seat that leads to the first trick (D-13, D-49)."""
    options = rules.options
    eldest = (dealer + 1) % rules.players
    loner = lone if lone is not None else against
    if loner is None or rules.partner_called:
        return order_from(eldest, active)[0]
    defends = options.get("two_loner_lead") == "lone_defender"
    if lone is not None and against is not None and defends:
        return against
    leads_from_loner = options["loner_lead"] == "left_of_loner"
    start = (loner + 1) % rules.players if leads_from_loner else eldest
    return order_from(start, active)[0]
