"""From terms and tricks to a settled hand: outcome, points by seat, who deals next."""

from functools import lru_cache

from scoring.auction import bid_game, turn_up
from scoring.auction.terms import PASSED, Agreed, Deal, Terms, seat_faults
from scoring.faults import Answer, Fault, fault
from scoring.penalties import penalties_effect, penalty_warnings
from scoring.play.deal import Deck
from scoring.points import (
    PUBLIC,
    RENEGE,
    THROWN_IN,
    Result,
    bid_points,
    happened,
    trick_counts,
    turn_up_points,
)
from scoring.records import Penalty
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

_REMEMBERED = 8_192


class Engine:
    """One ruleset's look-up tables, filled as they are first asked for.

    Every answer depends on few facts, and a club plays the same ones over and over: who deals,
    what was called, who won how many tricks. So the three functions that apply the rules are
    remembered by their arguments; there is no second, faster copy of any rule.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.deck = Deck(rules.deck)
        self.agree = lru_cache(_REMEMBERED)(self._agree)
        self.settle = lru_cache(_REMEMBERED)(self._settle)
        self.settle_outcome = lru_cache(_REMEMBERED)(self._settle_outcome)

    def _agree(self, *deal: object) -> Agreed:
        known = Deal(*deal)  # type: ignore[arg-type]
        strange = tuple(seat_faults(self.rules, known))
        if strange:
            return Agreed(faults=strange)
        family = turn_up if self.rules.family == TURN_UP else bid_game
        return family.agree(self.rules, known)

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
        points = turn_up_points(result) if rules.family == TURN_UP else bid_points(result)
        if points is None:
            unsettled = fault("wrong-trick-count/by-seat", rules.players, field="tricks_won")
            return Answer(False, faults=(unsettled,))
        event = happened(rules, terms, makers_tricks)
        return Answer(
            True,
            PUBLIC[event],
            terms.trump,
            terms.makers,
            by_seat or deduced(rules, terms, makers_tricks),
            points,
            next_dealer(rules, dealer),
            warnings=_unlikely(rules, terms, makers_tricks),
            alone=loners(terms),
            wins_game=event == "smitty_game",
        )

    def _settle_outcome(self, terms: Terms, dealer: int, outcome: str) -> Answer:
        """The answer when only made, march or euchred was written down."""
        answers = [
            self.settle(terms, dealer, count, None)
            for count in trick_counts(self.rules, terms, outcome)
        ]
        first = answers[0]
        if any(answer.points != first.points for answer in answers):
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
        tricks_played: int,
    ) -> Answer:
        """The answer when a renege was ruled: the penalty replaces the hand's score (D-24)."""
        points = penalties_effect(self.rules, terms, penalties)
        warnings = tuple(penalty_warnings(self.rules, penalties, tricks_played))
        after, alone = next_dealer(self.rules, dealer), loners(terms)
        return Answer(True, RENEGE, terms.trump, terms.makers, by_seat, points, after,
                      warnings=warnings, alone=alone)  # fmt: skip

    def thrown_in(self, agreed: Agreed, dealer: int) -> Answer:
        """The answer to a hand that came to no contract."""
        nothing = (0,) * self.rules.players
        after = dealer_after_throw_in(self.rules, dealer, agreed.thrown_in)
        return Answer(True, THROWN_IN, None, (), nothing, nothing, after,
                      declared_by=agreed.declared_by)  # fmt: skip


def engine_of(rules: Ruleset) -> Engine:
    """The engine of a ruleset, built on first use and kept with it."""
    engine: Engine | None = rules.engine.get("engine")
    if engine is None:
        engine = rules.engine["engine"] = Engine(rules)
    return engine


def next_dealer(rules: Ruleset, dealer: int) -> int:
    """Who deals after a hand that was played (D-01)."""
    if rules.options["dealer_rotates"] == "every_game":
        return dealer
    return (dealer + 1) % rules.players


def dealer_after_throw_in(rules: Ruleset, dealer: int, reason: str) -> int:
    """Who deals after everybody passed, or after a misdeal (D-16, D-32)."""
    if rules.options["dealer_rotates"] == "every_game":
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


def deduced(rules: Ruleset, terms: Terms, makers_tricks: int) -> tuple[int, ...] | None:
    """Tricks by seat where the makers' count leaves no doubt, else None."""
    won = [0] * rules.players
    sides = ((terms.makers, makers_tricks), (terms.defenders, rules.hand_size - makers_tricks))
    for side, count in sides:
        playing = [seat for seat in side if seat not in terms.sitting_out]
        if count and len(playing) > 1:
            return None
        won[playing[0]] = count
    return tuple(won)


def _unlikely(rules: Ruleset, terms: Terms, makers_tricks: int) -> tuple[Fault, ...]:
    """Legal, but worth a second look before it is saved."""
    if makers_tricks == 0:
        return (fault("no-trick/makers", rules.players, seat=terms.maker),)
    return ()
