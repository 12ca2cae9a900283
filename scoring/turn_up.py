"""Turn-up games: who may order up or name a trump, when, and the terms that come of it."""

from collections.abc import Iterator
from typing import NamedTuple

from scoring.agreement import (
    JOKER,
    MCEVOY,
    PASSED,
    Agreed,
    Deal,
    Terms,
    Walk,
    mismatches,
    order_from,
    side_of,
)
from scoring.cards import JOKER as JOKER_CARD
from scoring.cards import NO_TRUMP, NO_TRUMP_LOW, SUITS, suit_printed
from scoring.faults import Fault, fault
from scoring.records import Call, Contract
from scoring.rulesets import Ruleset

BLIND, REDEAL = "dealer_names_blind_and_makes", "redeal"
SMITTY, SMITTY_GAME, CHUCK = "smitty", "smitty_game", "chuck"


class Turn(NamedTuple):
    """One turn to call; round 0 is the prediction (Smitty) or the naming unseen (joker)."""

    seat: int
    round: int


def turned_suit(rules: Ruleset, upcard: str | None) -> str | None:
    """The suit the up-card proposes; None when unknown or to be named."""
    if upcard == JOKER_CARD:
        fixed = rules.options["joker_turned_up"] == "fixed_suit"
        return rules.options["joker_suit"] if fixed else None
    return suit_printed(upcard) if upcard else None


def agree(rules: Ruleset, deal: Deal) -> Agreed:
    """The terms of a turn-up hand and every fault of its auction and contract."""
    walk = _walk(rules, deal) if deal.auction is not None else None
    faults = list(walk.faults) if walk else []
    contract = deal.contract
    if walk is not None:
        if not walk.faults or walk.contract is not None:
            faults += mismatches(rules, walk.contract, deal.contract, deal.thrown_in)
        if walk.thrown_in:
            return Agreed(None, walk.thrown_in, walk.declared_by, tuple(faults))
        contract, disagree = _joined(rules, walk.contract, deal)
        faults += disagree
    if contract is None:
        if deal.thrown_in and walk is None:
            return _thrown_in(rules, deal)
        return Agreed(None, faults=tuple(faults))
    contract = contract._replace(round=_round_of(rules, deal, contract))
    faults += _contract_faults(rules, deal, contract)
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
        return found, []
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


# -- the auction, call by call -------------------------------------------------------------------


def _turns(rules: Ruleset, deal: Deal) -> list[Turn]:
    """Everybody's turn to call, in order, as the rules and the up-card have it."""
    count, eldest = rules.players, (deal.dealer + 1) % rules.players
    seats = [(eldest + place) % count for place in range(count)]
    turned = turned_suit(rules, deal.upcard)
    if deal.upcard == JOKER_CARD and rules.options["joker_turned_up"] == BLIND:
        return [Turn(deal.dealer, 0)]
    if rules.options["dirty_clubs"] and turned == "c":
        return [Turn(deal.dealer, 1)]
    first = [] if turned in rules.options["forbidden_trumps"] else seats
    if rules.options.get("smitty"):
        first = first[1:]
        return [Turn(eldest, 0), *(Turn(s, 1) for s in first), *(Turn(s, 2) for s in seats)]
    return [*(Turn(seat, 1) for seat in first), *(Turn(seat, 2) for seat in seats)]


def _walk(rules: Ruleset, deal: Deal) -> Walk:
    """Follow the auction; after a call out of turn go on from the seat that called."""
    turns, place, faults = _turns(rules, deal), 0, list[Fault]()
    calls = deal.auction or ()
    if calls and calls[0].call == "mcevoy":
        return _mcevoy(rules, calls)
    if deal.upcard == JOKER_CARD and rules.options["joker_turned_up"] == REDEAL:
        over = (fault("call-not-allowed/joker-redeal", rules.players, seat=c.seat) for c in calls)
        return Walk(thrown_in=JOKER, faults=tuple(over))
    for number, call in enumerate(calls):
        if place >= len(turns):
            faults.append(fault("call-not-allowed/over", rules.players, seat=call.seat))
            continue
        turn = turns[place]
        if call.seat != turn.seat:
            faults.append(
                fault("call-out-of-turn/turn", rules.players, seat=call.seat, who_due=turn.seat)
            )
            place = _resumed(turns, place, call)
            turn = turns[place]._replace(seat=call.seat)
        faults += _call_faults(rules, deal, turn, call)
        last = number == len(calls) - 1
        contract = _won(rules, deal, turn, call, last)
        if contract is not None:
            faults += [
                fault("call-not-allowed/over", rules.players, seat=later.seat)
                for later in calls[number + 1 :]
            ]
            return Walk(contract, faults=tuple(faults))
        place += 1
    if place < len(turns):
        due = turns[place].seat
        faults.append(fault("auction-unfinished/open", rules.players, field="auction", who=due))
        return Walk(faults=tuple(faults))
    return Walk(thrown_in=PASSED, faults=tuple(faults))


def _resumed(turns: list[Turn], place: int, call: Call) -> int:
    """Where the auction goes on: the caller's own next turn that such a call could be."""
    fitting = (1,) if call.call == "order-up" else (0, 2) if call.call == "name" else (0, 1, 2)
    ahead = (
        number
        for number in range(place, len(turns))
        if turns[number].seat == call.seat and turns[number].round in fitting
    )
    return next(ahead, place)


def _mcevoy(rules: Ruleset, calls: tuple[Call, ...]) -> Walk:
    declared = calls[0]
    faults = []
    if not rules.options["mcevoy"]:
        faults.append(fault("call-not-allowed/mcevoy-rule", rules.players, seat=declared.seat))
    faults += [fault("call-not-allowed/over", rules.players, seat=call.seat) for call in calls[1:]]
    return Walk(thrown_in=MCEVOY, declared_by=declared.seat, faults=tuple(faults))


def _won(rules: Ruleset, deal: Deal, turn: Turn, call: Call, last: bool) -> Contract | None:
    """The contract a call makes, if it ends the auction."""
    turned = turned_suit(rules, deal.upcard)
    if call.call == "order-up":
        return Contract(turn.seat, turned or call.trump, 1, bool(call.alone), special=call.special)
    if call.call != "name":
        return None
    if turn.round == 0 and rules.options.get("smitty") and deal.upcard != JOKER_CARD:
        hit = call.trump == turned if turned else last
        if not hit:
            return None
        special = call.special or SMITTY
        return Contract(turn.seat, call.trump, 1, bool(call.alone), special=special)
    return Contract(
        turn.seat, call.trump, 1 if turn.round < 2 else 2, bool(call.alone), special=call.special
    )


def _call_faults(rules: Ruleset, deal: Deal, turn: Turn, call: Call) -> Iterator[Fault]:
    """What is wrong with a call at this turn; the contract it makes is judged on its own."""
    players, seat = rules.players, call.seat
    if call.call == "mcevoy":
        yield fault("call-not-allowed/mcevoy", players, seat=seat)
    elif call.call == "pass":
        yield from _pass_faults(rules, deal, turn)
    elif call.call != ("order-up" if turn.round == 1 else "name"):
        yield fault("call-not-allowed/kind", players, seat=seat)
    elif call.call == "name" and call.trump is None:
        yield fault("bad-format/no-trump", players, seat=seat, field="auction")
    elif call.call == "order-up" and call.trump is not None:
        turned = turned_suit(rules, deal.upcard)
        if turned is not None and call.trump != turned:
            yield fault("call-not-allowed/order-other", players, seat=seat, suit=turned)
    if call.tricks is not None:
        yield fault("bad-format/not-in-this-game", players, seat=seat, field="tricks")


def _pass_faults(rules: Ruleset, deal: Deal, turn: Turn) -> Iterator[Fault]:
    stuck = turn == (deal.dealer, 2) and rules.options["stick_the_dealer"]
    turned = turned_suit(rules, deal.upcard)
    if stuck:
        yield fault("call-not-allowed/stuck", rules.players, seat=turn.seat)
    elif turn.round == 0 and deal.upcard == JOKER_CARD:
        yield fault("call-not-allowed/joker-turned", rules.players, seat=turn.seat)
    elif turn.round == 0:
        yield fault("call-not-allowed/smitty-first", rules.players, seat=turn.seat)
    elif rules.options["dirty_clubs"] and turned == "c":
        yield fault("call-not-allowed/dirty-clubs", rules.players, seat=turn.seat)


# -- the contract --------------------------------------------------------------------------------


def _contract_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """Every rule a contract can break, whether the auction is known or not."""
    yield from _trump_faults(rules, deal, contract)
    yield from _seat_faults(rules, deal, contract)
    yield from _alone_faults(rules, deal, contract)
    if contract.tricks is not None:
        yield fault("bad-format/not-in-this-game", rules.players, field="contract.tricks")
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
        barred = options["r2_exclude_turned"] and not _chucked(rules, deal, contract)
        if contract.round == 2 and trump == turned and barred:
            yield fault("call-not-allowed/turned-down", players, seat=seat, Suit=turned)


def _seat_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """Who may make trump at all after this up-card."""
    options, players, seat = rules.options, rules.players, contract.seat
    turned = turned_suit(rules, deal.upcard)
    if deal.upcard == JOKER_CARD and options["joker_turned_up"] == BLIND:
        if seat != deal.dealer or contract.round == 2:
            yield fault("call-not-allowed/joker-turned", players, seat=seat)
    elif deal.upcard == JOKER_CARD and options["joker_turned_up"] == REDEAL:
        yield fault("call-not-allowed/joker-redeal", players, seat=seat)
    if options["dirty_clubs"] and turned == "c" and (seat != deal.dealer or contract.round == 2):
        yield fault("call-not-allowed/dirty-clubs", players, seat=seat)
    smitty = contract.special in (SMITTY, SMITTY_GAME)
    eldest = (deal.dealer + 1) % players
    if contract.special is not None and not (
        (smitty and options.get("smitty") and seat == eldest and contract.round != 2)
        or (contract.special == CHUCK and options.get("chuck"))
    ):
        yield fault("call-not-allowed/special", players, seat=seat, text=contract.special)
    if contract.special == CHUCK and options.get("chuck") and not _chucked(rules, deal, contract):
        yield fault("call-not-allowed/chuck", players, seat=seat)


def _alone_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    options, players, seat = rules.options, rules.players, contract.seat
    alone = contract.alone or deal.lone_maker is not None
    if alone and not rules.partnership:
        yield fault("call-not-allowed/alone", players, seat=seat)
        return
    if deal.lone_maker not in (None, seat):
        if options["alone_by"] != "maker_side":
            yield fault("call-not-allowed/lone-maker-rule", players, seat=deal.lone_maker)
        elif deal.lone_maker not in side_of(rules, seat):
            yield fault("call-not-allowed/lone-maker", players, seat=deal.lone_maker)
    partner = seat != deal.dealer and seat in side_of(rules, deal.dealer)
    if options.get("partner_order_alone") and partner and contract.round == 1 and not alone:
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


def _chucked(rules: Ruleset, deal: Deal, contract: Contract) -> bool:
    """A stuck dealer who takes the kitty names the suit turned up (D-29)."""
    return bool(
        rules.options.get("chuck")
        and contract.seat == deal.dealer
        and contract.round == 2
        and contract.special in (None, CHUCK)
        and turned_suit(rules, deal.upcard) in (contract.trump, None)
        and (contract.special == CHUCK or deal.upcard is not None)
    )


# -- the terms -----------------------------------------------------------------------------------


def _terms(rules: Ruleset, deal: Deal, contract: Contract) -> Terms:
    makers = side_of(rules, contract.seat)
    lone = contract.seat if contract.alone else None
    if rules.partnership and deal.lone_maker in makers:
        lone = deal.lone_maker
    lone = lone if rules.partnership else None
    defenders = tuple(seat for seat in range(rules.players) if seat not in makers)
    lone_defender = deal.lone_defender if deal.lone_defender in defenders else None
    resting = {s for s in makers if lone not in (None, s)}
    resting |= {s for s in defenders if lone_defender not in (None, s)}
    active = tuple(seat for seat in range(rules.players) if seat not in resting)
    chuck = _chucked(rules, deal, contract) and (
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
        orders={seat: order_from(seat, active) for seat in range(rules.players)},
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


def named_suits(rules: Ruleset, upcard: str | None) -> tuple[str, ...]:
    """What may be named in the second round after this up-card is turned down."""
    turned = turned_suit(rules, upcard) if rules.options["r2_exclude_turned"] else None
    suits = [s for s in SUITS if s != turned and s not in rules.options["forbidden_trumps"]]
    no_trump = rules.options["no_trump"] == "second_round"
    return (*suits, NO_TRUMP) if no_trump else tuple(suits)
