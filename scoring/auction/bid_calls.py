"""The auction of a bid game: what bids mean, how they rank, and who wins the auction."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scoring.auction.terms import PASSED, Deal, Walk
from scoring.cards import NO_TRUMP, NO_TRUMP_LOW, SUITS
from scoring.faults import Fault, fault
from scoring.records import Call, Contract
from scoring.rulesets import Ruleset
from scoring.rulesets.shapes import Special

_STEPS = 100  # more than the number of special bids above one number of tricks in any game
_AVONDALE = {"s": 40, "c": 60, "d": 80, "h": 100, NO_TRUMP: 120, NO_TRUMP_LOW: 120}
_A_TRICK_MORE, _FIRST = 100, 6


class Bid(NamedTuple):
    """The meaning of a bid: its tricks, its rank, and the special bids it can be (none = plain)."""

    tricks: int
    specials: tuple[Special, ...] = ()
    rank: int = 0


def value_of(tricks: int, trump: str | None) -> int:
    """The value of a bid in the Avondale table: that of its suit, plus 100 for each trick above
    six."""
    return _AVONDALE.get(str(trump), 0) + _A_TRICK_MORE * (tricks - _FIRST)


def _rank(rules: Ruleset, tricks: int, trump: str | None, special: Special | None = None) -> int:
    """The rank of a bid; a higher one outbids a lower one. Suits have no rank (004:20), unless bids
    have values by suit."""
    by_value = rules.options["values"] == "avondale"
    if special is not None and special.above:
        count = int("".join(filter(str.isdigit, special.above)))
        suit = special.above.lstrip("0123456789") or NO_TRUMP
        return _rank(rules, count, suit) + special.step
    if by_value:
        return value_of(tricks, trump) + (special.step if special else 0)
    return tricks * _STEPS + (special.step if special else 0)


def _bid(rules: Ruleset, bidding: Call | Contract, specials: tuple[Special, ...]) -> Bid:
    special = specials[0] if specials else None
    tricks = special.tricks if special else bidding.tricks or 0
    return Bid(tricks, specials, _rank(rules, tricks, bidding.trump, special))


def understood(rules: Ruleset, bidding: Call | Contract) -> Bid | None:
    """The bid a call or contract names, or None if these rules have no such bid.

    A special bid is named, or identified by its tricks and "alone" if these are unambiguous; a
    plain bid can also be a special one with its number of tricks (004:49).
    """
    if bidding.special is None and not bidding.alone:
        if bidding.tricks is None:
            return None
        plain = tuple(s for s in rules.specials if s.plain and s.tricks == bidding.tricks)
        return _bid(rules, bidding, plain)
    candidates = rules.specials
    if bidding.special is not None:
        candidates = _named(rules, bidding.special)
    if bidding.tricks is not None or bidding.special is None:
        candidates = tuple(special for special in candidates if special.tricks == bidding.tricks)
    if bidding.alone:
        candidates = tuple(special for special in candidates if special.alone)
    return _bid(rules, bidding, candidates) if candidates else None


def one_special(bid: Bid, changed: int | None) -> Special | Fault | None:
    """The special bid meant, by the number of cards changed or because all candidates score alike;
    a fault if it is ambiguous."""
    specials = bid.specials
    if changed is not None and len(specials) > 1:
        specials = (
            tuple(s for s in specials if s.exchange[0] <= changed <= s.exchange[1]) or specials
        )
    if len(specials) < 2:
        return specials[0] if specials else None
    if len({(s.won, s.lost, s.alone, s.kitty) for s in specials}) == 1:
        least = min(s.exchange[0] for s in specials)
        most = max(s.exchange[1] for s in specials)
        return replace(specials[0], exchange=(least, most))
    return fault("call-not-allowed/special-which", choices=", ".join(s.name for s in specials))


def dealer_must_bid(rules: Ruleset) -> bool:
    """Whether the dealer may not pass if everyone else has (004:67, 71)."""
    return bool(rules.options["all_pass"] == "dealer_must_bid_min")  # noqa: S105


def bid_faults(rules: Ruleset, bidding: Call | Contract) -> Iterator[Fault]:
    """Every rule that a bid breaks regardless of earlier bids."""
    players = rules.players
    bid = understood(rules, bidding)
    if bid is None:
        yield _not_understood(rules, bidding)
    elif not bid.specials:
        yield from _amount_faults(rules, bidding, bid.tricks)
    yield from trump_faults(rules, bidding)
    if getattr(bidding, "round", None) is not None:
        yield fault("bad-format/not-in-this-game", players, field="contract.round")


def trump_faults(rules: Ruleset, bidding: Call | Contract) -> Iterator[Fault]:
    """A trump, or no trump, that this bid cannot have."""
    bid = understood(rules, bidding)
    if bid is not None and bid.specials and bid.specials[0].lose_all:
        if bidding.trump not in (None, NO_TRUMP):
            yield fault("call-not-allowed/misere-trump", rules.players, seat=bidding.seat)
    else:
        yield from denomination_faults(rules, bidding.seat, bidding.trump)


def denomination_faults(rules: Ruleset, seat: int, trump: str | None) -> Iterator[Fault]:
    """No trump, high or low, where the rules do not have it."""
    played = rules.options["nt"]
    if trump == NO_TRUMP and "high" not in played:
        yield fault("call-not-allowed/no-trump", rules.players, seat=seat)
    if trump == NO_TRUMP_LOW and "low" not in played:
        yield fault("call-not-allowed/no-trump-low", rules.players, seat=seat)


def _amount_faults(rules: Ruleset, bidding: Call | Contract, tricks: int) -> Iterator[Fault]:
    players, seat, options = rules.players, bidding.seat, rules.options
    no_trump = bidding.trump is not None and bidding.trump not in SUITS
    if tricks > rules.hand_size:
        yield fault("call-not-allowed/above-most", players, seat=seat, count=rules.hand_size)
    elif tricks < options["min"]:
        yield fault("call-not-allowed/below-least", players, seat=seat, count=options["min"])
    elif no_trump and tricks < options["min_nt"]:
        yield fault("call-not-allowed/below-least-nt", players, seat=seat, count=options["min_nt"])


def _not_understood(rules: Ruleset, bidding: Call | Contract) -> Fault:
    players, seat = rules.players, bidding.seat
    if bidding.special is not None and not _named(rules, bidding.special):
        return fault("call-not-allowed/special", players, seat=seat, text=bidding.special[:40])
    if bidding.special is not None:
        return fault(
            "call-not-allowed/special-alone", players, seat=seat, text=bidding.special[:40]
        )
    if bidding.alone and bidding.tricks is not None:
        return fault("call-not-allowed/alone-bid", players, seat=seat, count=bidding.tricks)
    return fault("bad-format/no-bid", players, seat=seat, field="contract")


def _named(rules: Ruleset, name: str) -> tuple[Special, ...]:
    plain = _plain(name)
    return tuple(
        special
        for special in rules.specials
        if plain == _plain(special.name) or plain in map(_plain, special.also)
    )


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


ONE_ROUND, MULTI_ROUND, PASS_IS_FINAL = "one_round", "multi_round_reentry", "pass_is_final"


@dataclass(slots=True)
class _Table:
    """The state of the auction: the highest bid so far, its call, and the passes since.

    `passed` are the seats that have passed, where a pass is final.
    """

    seat: int
    highest: Bid | None = None
    call: Call | None = None
    passes: int = 0
    calls: int = 0
    passed: set[int] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)


def walk(rules: Ruleset, deal: Deal) -> Walk:
    """Follow the auction; after a call out of turn, continue from the seat that called."""
    players = rules.players
    table = _Table((deal.dealer + 1) % players)
    for call in deal.auction or ():
        if _over(rules, table):
            table.faults.append(fault("call-not-allowed/over", players, seat=call.seat))
            continue
        if call.seat != table.seat:
            table.faults.append(
                fault("call-out-of-turn/turn", players, seat=call.seat, who_due=table.seat)
            )
            _skip(rules, deal, table, call.seat)
        table.faults += _call_faults(rules, deal, table, call)
        _apply(rules, table, call)
    return _result(rules, table)


def _skip(rules: Ruleset, deal: Deal, table: _Table, seat: int) -> None:
    """Count skipped players as having passed, unless the round has too few turns left."""
    missing = (seat - table.seat) % rules.players
    if rules.options["auction"] == PASS_IS_FINAL:
        if seat not in table.passed:
            table.passed |= {(table.seat + step) % rules.players for step in range(missing)}
        table.seat = seat
        return
    if rules.options["auction"] != ONE_ROUND or table.calls + missing < rules.players:
        table.calls += missing
        table.passes += missing
    table.seat = seat


def _apply(rules: Ruleset, table: _Table, call: Call) -> None:
    bid = understood(rules, call) if call.call == "bid" else None
    table.calls += 1
    if bid is None:
        table.passes += 1
        table.passed.add(call.seat)
        table.seat = _next_seat(rules, table, call.seat)
        return
    table.seat = _next_seat(rules, table, call.seat)
    if table.highest is None or bid.rank >= table.highest.rank:
        table.highest, table.call = bid, call
    table.passes = 0


def _next_seat(rules: Ruleset, table: _Table, seat: int) -> int:
    """The next seat to call: the one to the left or, where a pass is final, the next that has not
    passed."""
    players = rules.players
    turns = [(seat + step) % players for step in range(1, players + 1)]
    if rules.options["auction"] != PASS_IS_FINAL:
        return turns[0]
    return next((turn for turn in turns if turn not in table.passed), turns[0])


def _over(rules: Ruleset, table: _Table) -> bool:
    """Whether the auction is over."""
    if rules.options["auction"] == PASS_IS_FINAL:
        remaining = rules.players - len(table.passed)
        return remaining == 0 or (remaining == 1 and table.highest is not None)
    if rules.options["auction"] == ONE_ROUND:
        return table.calls >= rules.players
    if table.highest is None:
        return table.passes >= rules.players
    return table.passes >= rules.players - 1 or _closed_by_bid(rules, table.highest)


def _closed_by_bid(rules: Ruleset, highest: Bid) -> bool:
    """Whether the bid ends the auction by itself: alone, or all the tricks (004:44-45, D-38)."""
    if any(special.ends_auction for special in highest.specials):
        return True
    multi = rules.options["auction"] == MULTI_ROUND
    return multi and highest.tricks == rules.hand_size and not rules.options.get("lone_over_max")


def _result(rules: Ruleset, table: _Table) -> Walk:
    highest, call = table.highest, table.call
    is_top_bid = highest is not None and highest.rank >= _top_rank(rules)
    if not _over(rules, table) and not (is_top_bid and rules.options["auction"] != ONE_ROUND):
        open_ = fault("auction-unfinished/open", rules.players, field="auction", who=table.seat)
        return Walk(faults=(*table.faults, open_))
    if call is None:
        return Walk(thrown_in=PASSED, faults=tuple(table.faults))
    contract = Contract(
        call.seat, call.trump, None, bool(call.alone), call.tricks, special=call.special
    )
    return Walk(contract, faults=tuple(table.faults))


def _top_rank(rules: Ruleset) -> int:
    """The rank of the highest possible bid."""
    ranks = [_rank(rules, s.tricks, NO_TRUMP, s) for s in rules.specials]
    return max([_rank(rules, rules.hand_size, NO_TRUMP), *ranks])


def _call_faults(rules: Ruleset, deal: Deal, table: _Table, call: Call) -> Iterator[Fault]:
    if call.call == "pass":
        yield from _pass_faults(rules, deal, table, call)
    elif call.call != "bid":
        yield fault("call-not-allowed/kind", rules.players, seat=call.seat)
    else:
        yield from bid_faults(rules, call)
        yield from _trump_faults(rules, call)
        bid = understood(rules, call)
        if bid is not None and bid.specials:
            yield from _over_faults(rules, table.highest, bid.specials[0], call.seat)
        if bid is not None and table.highest is not None:
            yield from _height_faults(rules, deal, table.highest, bid, call)


def _over_faults(
    rules: Ruleset, highest: Bid | None, special: Special, seat: int
) -> Iterator[Fault]:
    """A fault for a bid that is only allowed over another one that was not bid."""
    if not special.over:
        return
    is_over = highest is not None and (
        str(highest.tricks) == special.over
        if special.over.isdigit()
        else special.over in {candidate.name for candidate in highest.specials}
    )
    if not is_over:
        yield fault("call-not-allowed/only-over", rules.players, seat=seat,
                    text=special.name.replace("_", " "), text_found=special.over)  # fmt: skip


def _pass_faults(rules: Ruleset, deal: Deal, table: _Table, call: Call) -> Iterator[Fault]:
    players, least = rules.players, rules.options["min"]
    if table.highest is not None:
        return
    if rules.options["eldest_must_open"] and table.calls == 0:
        yield fault("call-not-allowed/must-open", players, seat=call.seat, count=least)
    elif call.seat == deal.dealer and dealer_must_bid(rules):
        yield fault("call-not-allowed/dealer-must-bid", players, seat=call.seat, count=least)


def _trump_faults(rules: Ruleset, call: Call) -> Iterator[Fault]:
    """Trump is part of the bid, or named after the auction (004:67-68, D-43)."""
    by_lead = rules.options["trump_by_lead"]
    after = rules.options["denomination"] == "after" or by_lead
    bid = understood(rules, call)
    if bid is not None and bid.specials and bid.specials[0].lose_all:
        return
    named_after = bid is not None and any(special.names_after for special in bid.specials)
    if after and call.trump is not None:
        yield fault("call-not-allowed/name-later", rules.players, seat=call.seat)
    elif not after and not named_after and call.trump is None:
        yield fault("bad-format/no-trump", rules.players, seat=call.seat, field="auction")


def _height_faults(
    rules: Ruleset, deal: Deal, highest: Bid, bid: Bid, call: Call
) -> Iterator[Fault]:
    """A bid must be higher than the last, or equal if the dealer may equal it (004:20, 67, 72)."""
    if bid.rank > highest.rank:
        return
    is_dealer = call.seat == deal.dealer
    same_special = any(special.equalled_by_dealer for special in bid.specials)
    may_equal = rules.options["dealer_may_equal"] or same_special
    if bid.rank == highest.rank and is_dealer and may_equal:
        return
    if highest.specials or rules.options["values"] == "avondale":
        yield fault("call-not-allowed/must-beat-special", rules.players, seat=call.seat)
    else:
        yield fault("call-not-allowed/too-low", rules.players, seat=call.seat, count=highest.tricks)
