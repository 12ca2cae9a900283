"""The auction and the contract spoilt."""

from dataclasses import replace

from scoring.auction.turn_up_calls import turned_suit
from scoring.cards import SAME_COLOUR
from scoring.records import Call, Contract
from scoring.rulesets.options import BID, TURN_UP
from tests.scoring.corruptions.registry import corruption, other
from tests.scoring.terms import terms_of


@corruption("call-out-of-turn")
def a_call_by_another_player(record, rules, random):
    if not record.auction or record.auction[0].call == "mcevoy":
        return None
    auction = list(record.auction)
    place = random.randrange(len(auction))
    seat = other(random, range(rules.players), auction[place].seat)
    auction[place] = auction[place]._replace(seat=seat)
    return replace(record, auction=tuple(auction))


@corruption("call-out-of-turn")
def the_first_call_left_out(record, rules, random):
    if len({call.seat for call in record.auction[:2]}) < 2:
        return None
    return replace(record, auction=record.auction[1:])


@corruption("auction-unfinished")
def the_last_call_left_out(record, rules, random):
    if len(record.auction) < 2 or rules.options.get("auction", "one_round") != "one_round":
        return None
    return replace(record, auction=record.auction[:-1], contract=None)


@corruption("call-not-allowed")
def a_call_after_the_auction(record, rules, random):
    cut_short = rules.family == BID and record.auction and record.auction[-1].call == "bid"
    if cut_short and rules.options["auction"] in ("until_three_passes_reentry", "pass_is_final"):
        return None  # the passes after the highest bid there is need not be written down
    seat = random.randrange(rules.players)
    return replace(record, auction=(*record.auction, Call(seat, "pass")))


@corruption("call-not-allowed")
def the_suit_that_was_turned_down(record, rules, random):
    turned = turned_suit(rules, record.upcard) if rules.family == TURN_UP else None
    if turned is None or not rules.options["r2_exclude_turned"] or rules.options.get("chuck"):
        return None
    terms = terms_of(record, rules)
    if terms is None or terms.round != 2:
        return None
    calls = (*record.auction[:-1], record.auction[-1]._replace(trump=turned))
    return replace(record, auction=calls, contract=None)


@corruption("call-not-allowed")
def a_bid_no_higher_than_the_one_before(record, rules, random):
    bids = [place for place, call in enumerate(record.auction) if call.call == "bid"]
    if len(bids) < 2 or record.auction[bids[1]].seat == record.dealer:
        return None
    auction = list(record.auction)
    auction[bids[1]] = auction[bids[0]]._replace(seat=auction[bids[1]].seat)
    return replace(record, auction=tuple(auction))


@corruption("contract-mismatch", "call-not-allowed")
def a_contract_by_another_player(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None:
        return replace(record, contract=Contract(record.dealer, "h"))
    seat = other(random, range(rules.players), terms.maker)
    return replace(record, contract=Contract(seat, terms.trump))


@corruption("contract-mismatch")
def a_contract_in_another_suit(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None or terms.trump not in SAME_COLOUR:
        return None
    if Call(terms.maker, "order-up") not in record.auction and not any(
        call.seat == terms.maker and call.trump for call in record.auction
    ):
        return None
    return replace(record, contract=Contract(terms.maker, SAME_COLOUR[terms.trump]))


@corruption("contract-mismatch", "call-not-allowed")
def a_contract_that_says_everybody_passed(record, rules, random):
    if all(call.call == "pass" for call in record.auction):
        return None
    return replace(record, contract=None, thrown_in=True) if record.tricks else None


@corruption("call-not-allowed", "bad-format")
def a_defender_alone_where_nobody_may(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None or rules.options.get("defend_alone", "never") != "never":
        return None
    return replace(record, lone_defender=random.choice(terms.defenders))


@corruption("call-not-allowed", "bad-format")
def one_of_the_defenders_as_the_lone_maker(record, rules, random):
    terms = terms_of(record, rules)
    return terms and replace(record, lone_maker=random.choice(terms.defenders))
