"""The contract of a turn-up game: every rule it can break, whether the auction is known or not."""

from collections.abc import Iterator

from scoring.auction.terms import Deal, side_of
from scoring.auction.turned import BLIND, CHUCK, REDEAL, SMITTY, SMITTY_GAME, turned_suit
from scoring.cards import JOKER, NO_TRUMP, NO_TRUMP_LOW
from scoring.faults import Fault, fault
from scoring.records import Contract
from scoring.rulesets import Ruleset


def contract_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
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
        barred = options["r2_exclude_turned"] and not chucked(rules, deal, contract)
        if contract.round == 2 and trump == turned and barred:
            yield fault("call-not-allowed/turned-down", players, seat=seat, Suit=turned)


def _seat_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    """Who may make trump at all after this up-card."""
    options, players, seat = rules.options, rules.players, contract.seat
    turned = turned_suit(rules, deal.upcard)
    if deal.upcard == JOKER and options["joker_turned_up"] == BLIND:
        if seat != deal.dealer or contract.round == 2:
            yield fault("call-not-allowed/joker-turned", players, seat=seat)
    elif deal.upcard == JOKER and options["joker_turned_up"] == REDEAL:
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
    if contract.special == CHUCK and options.get("chuck") and not chucked(rules, deal, contract):
        yield fault("call-not-allowed/chuck", players, seat=seat)


def _alone_faults(rules: Ruleset, deal: Deal, contract: Contract) -> Iterator[Fault]:
    options, players, seat = rules.options, rules.players, contract.seat
    alone = contract.alone or deal.lone_maker is not None
    if not rules.partnership:
        if alone:
            yield fault("call-not-allowed/alone", players, seat=seat)
        if deal.lone_defender is not None:
            yield fault("call-not-allowed/defend-alone", players, seat=deal.lone_defender)
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


def chucked(rules: Ruleset, deal: Deal, contract: Contract) -> bool:
    """A stuck dealer who takes the kitty names the suit turned up (D-29)."""
    return bool(
        rules.options.get("chuck")
        and contract.seat == deal.dealer
        and contract.round == 2
        and contract.special in (None, CHUCK)
        and turned_suit(rules, deal.upcard) in (contract.trump, None)
        and (contract.special == CHUCK or deal.upcard is not None)
    )
