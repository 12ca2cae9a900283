"""Settles hands from their terms and tricks: outcome, points by seat, next dealer."""

from functools import lru_cache

from scoring.auction import bid_game, turn_up
from scoring.auction.terms import PASSED, REDEAL, Agreed, Deal, Terms, seat_faults
from scoring.faults import Answer, Fault, fault
from scoring.penalties import penalties_effect, penalty_warnings
from scoring.play.deal import Deck
from scoring.points import (
    ABANDONED,
    PUBLIC,
    RENEGE,
    THROWN_IN,
    Result,
    deduced,
    happened,
    points,
    trick_counts,
)
from scoring.records import Penalty
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

_REMEMBERED = 8_192
_SHOWN_BY_CARDS = frozenset({"fast_break", "go_under", "jamboree"})
_UNCOMMON = _SHOWN_BY_CARDS | {"jambone", "drop_out"}


class Engine:
    """Applies one ruleset, with caches.

    Every answer depends on few facts, which recur all the time: the dealer, the calls, the tricks
    won. So the three functions that apply the rules are cached by their arguments; no rule has a
    second, faster implementation.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.deck = Deck(rules.deck)
        # Whether the terms of a hand depend only on its calls, as in most games.
        self.plain = not (rules.partner_called or rules.options.get("trump_by_lead"))
        active = {
            word for word in _UNCOMMON if rules.options.get(word, "off") not in ("off", False)
        }
        # Whether the cards can show more than tricks: a partner, a fast break, a declared hand.
        self.particular = rules.partner_called or bool(active & _SHOWN_BY_CARDS)
        # Whether every hand has a maker and is played to the end.
        self.common = not active and rules.options.get("all_pass") != "play_no_trump"
        self.by_trick = rules.options["tie_rule"] == "trick_order"
        self.agree = lru_cache(_REMEMBERED)(self._agree)
        self.settle = lru_cache(_REMEMBERED)(self._settle)
        self.settle_outcome = lru_cache(_REMEMBERED)(self._settle_outcome)

    def _agree(self, *deal: object) -> Agreed:
        facts = Deal(*deal)  # type: ignore[arg-type]
        faults = tuple(seat_faults(self.rules, facts))
        if faults:
            return Agreed(faults=faults)
        family = turn_up if self.rules.family == TURN_UP else bid_game
        return family.agree(self.rules, facts)

    def _settle(
        self,
        terms: Terms,
        dealer: int,
        makers_tricks: int,
        by_seat: tuple[int, ...] | None,
    ) -> Answer:
        """The answer to a hand without faults whose tricks were counted."""
        rules = self.rules
        result = Result(rules, terms, makers_tricks, by_seat)
        paid = points(result)
        if paid is None:
            unsettled = fault("wrong-trick-count/by-seat", rules.players, field="tricks_won")
            return Answer(False, faults=(unsettled,))
        event = happened(rules, terms, makers_tricks)
        return Answer(
            True,
            PUBLIC[event],
            terms.trump,
            terms.makers,
            by_seat or deduced(rules, terms, makers_tricks),
            paid,
            next_dealer(rules, dealer),
            warnings=_unlikely(rules, terms, makers_tricks),
            alone=loners(terms),
            wins_game=event == "smitty_game",
            token=_earns_token(rules, terms, makers_tricks),
        )

    def _settle_outcome(self, terms: Terms, dealer: int, outcome: str) -> Answer:
        """The answer if only made, march or euchred was recorded."""
        answers = [
            self.settle(terms, dealer, count, None)
            for count in trick_counts(self.rules, terms, outcome)
        ]
        first = answers[0]
        if any(a.points != first.points or a.token != first.token for a in answers):
            unsettled = fault("bad-format/outcome-not-enough", self.rules.players, field="outcome")
            return Answer(False, faults=(unsettled,))
        won = first.tricks_won if len(answers) == 1 else None
        return Answer(True, first.outcome, first.trump, first.makers, won, first.points,
                      first.next_dealer, alone=first.alone,
                      wins_game=first.wins_game)  # fmt: skip

    def settle_penalties(
        self,
        terms: Terms,
        dealer: int,
        penalties: tuple[Penalty, ...],
        by_seat: tuple[int, ...] | None,
        makers_tricks: int | None,
        tricks_played: int,
    ) -> Answer:
        """The answer to a hand whose score is replaced by penalties (D-24)."""
        effect = penalties_effect(self.rules, terms, penalties, by_seat, makers_tricks)
        if isinstance(effect, Fault):
            return Answer(False, faults=(effect,))
        kind = RENEGE if any(penalty.kind == RENEGE for penalty in penalties) else ABANDONED
        warnings = tuple(penalty_warnings(self.rules, penalties, tricks_played))
        after, alone = next_dealer(self.rules, dealer), loners(terms)
        return Answer(True, kind, terms.trump, terms.makers, by_seat, effect, after,
                      warnings=warnings, alone=alone)  # fmt: skip

    def thrown_in(self, agreed: Agreed, dealer: int) -> Answer:
        """The answer to a hand without a contract."""
        nothing = (0,) * self.rules.players
        after = dealer_after_throw_in(self.rules, dealer, agreed.thrown_in)
        declared = None if agreed.thrown_in == REDEAL else agreed.declared_by
        return Answer(True, THROWN_IN, None, (), nothing, nothing, after,
                      declared_by=declared)  # fmt: skip


def engine_of(rules: Ruleset) -> Engine:
    """The engine of a ruleset, created on first use and cached with it."""
    engine: Engine | None = rules.engine.get("engine")
    if engine is None:
        engine = rules.engine["engine"] = Engine(rules)
    return engine


def next_dealer(rules: Ruleset, dealer: int) -> int:
    """The dealer after a hand that was played (D-01)."""
    if rules.options["dealer_rotates"] == "every_game":
        return dealer
    return (dealer + 1) % rules.players


def dealer_after_throw_in(rules: Ruleset, dealer: int, reason: str) -> int:
    """The dealer after everyone passed, or after a misdeal (D-16, D-32)."""
    if reason == REDEAL or rules.options["dealer_rotates"] == "every_game":
        return dealer
    if reason != PASSED:
        same = rules.options["misdeal_dealer"] == "same"
    elif rules.family == TURN_UP:
        same = rules.options["passout_dealer"] == "same"
    else:
        same = rules.options["all_pass"] == "same_dealer"  # noqa: S105
    return dealer if same else (dealer + 1) % rules.players


def loners(terms: Terms) -> tuple[int, ...]:
    """The seats that play alone, the maker's side first."""
    return tuple(seat for seat in (terms.lone, terms.lone_defender) if seat is not None)


_TOKEN_TRICKS = 4


def _earns_token(rules: Ruleset, terms: Terms, makers_tricks: int) -> bool:
    """Whether the makers took exactly four tricks with both partners playing."""
    has_tokens = rules.options.get("four_trick_tokens", False)
    return bool(has_tokens) and makers_tricks == _TOKEN_TRICKS and terms.lone is None


def _unlikely(rules: Ruleset, terms: Terms, makers_tricks: int) -> tuple[Fault, ...]:
    """Warnings about legal results that are worth a second look."""
    if makers_tricks == 0 and terms.makers and not (terms.special and terms.special.lose_all):
        sentence = "no-trick/makers" if rules.family == TURN_UP else "no-trick/bidder"
        return (fault(sentence, rules.players, seat=terms.maker),)
    return ()
