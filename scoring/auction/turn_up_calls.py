"""The auction of a turn-up game: what the up-card proposes, and who makes trump."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring.auction.terms import JOKER, MCEVOY, PASSED, REDEAL, Deal, Walk
from scoring.cards import JOKER as JOKER_CARD
from scoring.cards import suit_printed
from scoring.faults import Fault, fault
from scoring.records import Call, Contract
from scoring.rulesets import Ruleset

BLIND, AGAIN = "dealer_names_blind_and_makes", "redeal"
REASONS_TO_REDEAL = ("farmers", "no_ace_no_face")
TOO_LATE = {
    "mcevoy": "call-not-allowed/mcevoy",
    **dict.fromkeys(("redeal", "go-under"), "call-not-allowed/declare-first"),
}
"""Faults of declarations made after the first call."""
SMITTY, SMITTY_GAME, CHUCK = "smitty", "smitty_game", "chuck"


def turned_suit(rules: Ruleset, upcard: str | None) -> str | None:
    """The suit that the up-card proposes; None if unknown or still to be named."""
    if upcard == JOKER_CARD:
        fixed = rules.options["joker_turned_up"] == "fixed_suit"
        return rules.options["joker_suit"] if fixed else None
    return suit_printed(upcard) if upcard else None


class Turn(NamedTuple):
    """One turn to call; round 0 is for a prediction (Smitty) or naming trump blind (joker)."""

    seat: int
    round: int


def _turns(rules: Ruleset, deal: Deal) -> list[Turn]:
    """All turns to call, in order, by the rules and the up-card."""
    count, eldest = rules.players, (deal.dealer + 1) % rules.players
    seats = [(eldest + place) % count for place in range(count)]
    turned = turned_suit(rules, deal.upcard)
    if _named_blind(rules, deal):
        return [Turn(deal.dealer, 0)]
    if rules.options["dirty_clubs"] and turned == "c":
        return [Turn(deal.dealer, 1)]
    first = [] if turned in rules.options["forbidden_trumps"] else seats
    if rules.options.get("smitty"):
        first = first[1:]
        return [Turn(eldest, 0), *(Turn(s, 1) for s in first), *(Turn(s, 2) for s in seats)]
    return [*(Turn(seat, 1) for seat in first), *(Turn(seat, 2) for seat in seats)]


def _named_blind(rules: Ruleset, deal: Deal) -> bool:
    """Whether the joker was turned up and the dealer names trump unseen (D-26)."""
    return deal.upcard == JOKER_CARD and rules.options["joker_turned_up"] == BLIND


def walk(rules: Ruleset, deal: Deal, *, declared: bool = False) -> Walk:
    """Follow the auction; after a call out of turn, continue from the seat that called.

    `declared` says that a player went under before, so that no hand can be declared any more.
    """
    turns, place, faults = _turns(rules, deal), 0, list[Fault]()
    calls = deal.auction or ()
    if calls and not declared and (result := _declared(rules, deal, calls)) is not None:
        return result
    if deal.upcard == JOKER_CARD and rules.options["joker_turned_up"] == AGAIN:
        over = (fault("call-not-allowed/joker-redeal", rules.players, seat=c.seat) for c in calls)
        return Walk(thrown_in=JOKER, faults=tuple(over))
    for number, call in enumerate(calls):
        if place >= len(turns):
            faults.append(fault("call-not-allowed/over", rules.players, seat=call.seat))
            continue
        if call.call in TOO_LATE:  # it does not use up a turn
            faults.append(fault(TOO_LATE[call.call], rules.players, seat=call.seat))
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


def _declared(rules: Ruleset, deal: Deal, calls: tuple[Call, ...]) -> Walk | None:
    """The result if the first call is a declaration: McEvoy, a redeal, going under."""
    match calls[0].call:
        case "mcevoy":
            return _mcevoy(rules, calls)
        case "redeal":
            return _redeal(rules, calls)
        case "go-under":
            return _gone_under(rules, deal, calls)
    return None


def _resumed(turns: list[Turn], place: int, call: Call) -> int:
    """Where the auction continues: the caller's next turn in a round that allows the call."""
    rounds = (1,) if call.call == "order-up" else (0, 2) if call.call == "name" else (0, 1, 2)
    places = (
        number
        for number in range(place, len(turns))
        if turns[number].seat == call.seat and turns[number].round in rounds
    )
    return next(places, place)


def _mcevoy(rules: Ruleset, calls: tuple[Call, ...]) -> Walk:
    declared = calls[0]
    faults = []
    if not rules.options["mcevoy"]:
        faults.append(fault("call-not-allowed/mcevoy-rule", rules.players, seat=declared.seat))
    faults += [fault("call-not-allowed/over", rules.players, seat=call.seat) for call in calls[1:]]
    return Walk(thrown_in=MCEVOY, declared_by=declared.seat, faults=tuple(faults))


def _redeal(rules: Ruleset, calls: tuple[Call, ...]) -> Walk:
    """A redeal declared because of low cards: the hand is thrown in (D-93)."""
    declared = calls[0]
    effect = rules.options.get(declared.special) if declared.special in REASONS_TO_REDEAL else None
    faults = []
    if effect != AGAIN:
        faults.append(fault("call-not-allowed/redeal-rule", rules.players, seat=declared.seat))
    faults += [fault("call-not-allowed/over", rules.players, seat=call.seat) for call in calls[1:]]
    reason = declared.special or ""
    return Walk(thrown_in=REDEAL, declared_by=declared.seat, reason=reason, faults=tuple(faults))


def _gone_under(rules: Ruleset, deal: Deal, calls: tuple[Call, ...]) -> Walk:
    """A player swaps low cards before the bidding, which then continues as usual (D-94)."""
    seat = calls[0].seat
    walked = walk(rules, deal._replace(auction=calls[1:]), declared=True)
    if rules.options.get("go_under"):
        return replace(walked, under=seat)
    refused = fault("call-not-allowed/under-rule", rules.players, seat=seat)
    return replace(walked, under=seat, faults=(refused, *walked.faults))


def _won(rules: Ruleset, deal: Deal, turn: Turn, call: Call, last: bool) -> Contract | None:
    """The contract a call makes, if it ends the auction."""
    turned = turned_suit(rules, deal.upcard)
    if call.call == "order-up":
        return Contract(turn.seat, turned or call.trump, 1, bool(call.alone), special=call.special)
    if call.call != "name":
        return None
    if turn.round == 0 and rules.options.get("smitty") and not _named_blind(rules, deal):
        hit = call.trump == turned if turned else last
        if not hit:
            return None
        special = call.special or SMITTY
        return Contract(turn.seat, call.trump, 1, bool(call.alone), special=special)
    return Contract(
        turn.seat, call.trump, 1 if turn.round < 2 else 2, bool(call.alone), special=call.special
    )


def _call_faults(rules: Ruleset, deal: Deal, turn: Turn, call: Call) -> Iterator[Fault]:
    """What is wrong with a call at this turn; its contract is checked separately."""
    players, seat = rules.players, call.seat
    if call.call == "pass":
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
    elif turn.round == 0 and _named_blind(rules, deal):
        yield fault("call-not-allowed/joker-turned", rules.players, seat=turn.seat)
    elif turn.round == 0:
        yield fault("call-not-allowed/smitty-first", rules.players, seat=turn.seat)
    elif rules.options["dirty_clubs"] and turned == "c":
        yield fault("call-not-allowed/dirty-clubs", rules.players, seat=turn.seat)
