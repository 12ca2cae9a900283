"""What a bid undertakes: plain or special, how it ranks, whether these rules have it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring.cards import NO_TRUMP, NO_TRUMP_LOW, SUITS
from scoring.faults import Fault, fault
from scoring.records import Call, Contract
from scoring.rulesets import Ruleset
from scoring.rulesets.specials import Special

_STEPS = 100  # more than the special bids any game has above one number of tricks


class Bid(NamedTuple):
    """A bid understood: its tricks, and the special bids it can mean (none = a plain bid)."""

    tricks: int
    specials: tuple[Special, ...] = ()

    @property
    def rank(self) -> int:
        """Higher outbids lower; suits have no rank (004:20)."""
        step = self.specials[0].step if self.specials else 0
        return self.tricks * _STEPS + step


def understood(rules: Ruleset, said: Call | Contract) -> Bid | None:
    """The bid a call or contract names, or None when these rules have no such bid.

    A special bid goes by its name or, where that leaves no doubt, by its tricks and "alone"; a
    plain bid of so many tricks can be special as well (004:49).
    """
    if said.special is not None:
        named = _named(rules, said.special)
        if said.tricks is not None:
            named = tuple(special for special in named if special.tricks == said.tricks)
        if said.alone:
            named = tuple(special for special in named if special.alone)
    elif said.alone:
        named = tuple(s for s in rules.specials if s.alone and s.tricks == said.tricks)
    elif said.tricks is None:
        return None
    else:
        named = tuple(s for s in rules.specials if s.plain and s.tricks == said.tricks)
        return Bid(said.tricks, named)
    return Bid(named[0].tricks, named) if named else None


def one_special(bid: Bid, changed: int | None) -> Special | Fault | None:
    """The one special bid meant: by the cards changed, or because all of them pay alike."""
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
    """Whether the dealer may not pass when everybody else has (004:67, 71)."""
    return bool(rules.options["all_pass"] == "dealer_must_bid_min")  # noqa: S105


def bid_faults(rules: Ruleset, said: Call | Contract) -> Iterator[Fault]:
    """Every rule a bid breaks by itself, whatever was bid before it."""
    players, seat = rules.players, said.seat
    bid = understood(rules, said)
    if bid is None:
        yield _not_understood(rules, said)
    elif not bid.specials:
        yield from _amount_faults(rules, said, bid.tricks)
    yield from denomination_faults(rules, seat, said.trump)
    if getattr(said, "round", None) is not None:
        yield fault("bad-format/not-in-this-game", players, field="contract.round")


def denomination_faults(rules: Ruleset, seat: int, trump: str | None) -> Iterator[Fault]:
    """No trump, high or low, where the rules do not have it."""
    played = rules.options["nt"]
    if trump == NO_TRUMP and "high" not in played:
        yield fault("call-not-allowed/no-trump", rules.players, seat=seat)
    if trump == NO_TRUMP_LOW and "low" not in played:
        yield fault("call-not-allowed/no-trump-low", rules.players, seat=seat)


def _amount_faults(rules: Ruleset, said: Call | Contract, tricks: int) -> Iterator[Fault]:
    players, seat, options = rules.players, said.seat, rules.options
    no_trump = said.trump is not None and said.trump not in SUITS
    if tricks > rules.hand_size:
        yield fault("call-not-allowed/above-most", players, seat=seat, count=rules.hand_size)
    elif tricks < options["min"]:
        yield fault("call-not-allowed/below-least", players, seat=seat, count=options["min"])
    elif no_trump and tricks < options["min_nt"]:
        yield fault("call-not-allowed/below-least-nt", players, seat=seat, count=options["min_nt"])


def _not_understood(rules: Ruleset, said: Call | Contract) -> Fault:
    players, seat = rules.players, said.seat
    if said.special is not None and not _named(rules, said.special):
        return fault("call-not-allowed/special", players, seat=seat, text=said.special[:40])
    if said.special is not None:
        return fault("call-not-allowed/special-alone", players, seat=seat, text=said.special[:40])
    if said.alone and said.tricks is not None:
        return fault("call-not-allowed/alone-bid", players, seat=seat, count=said.tricks)
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
