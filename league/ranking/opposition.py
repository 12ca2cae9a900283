"""Tie-breaks out of the strength of the opponents met: Buchholz and Sonneborn-Berger. Pure.

After FIDE's tie-break regulations of 1 August 2024, article 16, on rounds not played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction

from league.ranking.measures import Measure, Tallies, Tally

HALF = Fraction(1, 2)


class How(StrEnum):
    """What became of an entrant's round. `AWAY`: not there to be paired, late or withdrawn."""

    PLAYED = "played"
    BYE = "bye"
    WALKED_OVER = "walked_over"  # won without playing
    ABSENT = "absent"  # lost without playing
    AWAY = "away"


OWN_CHOICE = (How.ABSENT, How.AWAY)


class Unplayed(StrEnum):
    """What a round of one's own without an opponent counts in the opponents' sums: as one against
    somebody who ends with one's own score (FIDE since 2024), against FIDE's earlier virtual
    opponent (one's own score before it, what one did not take of it, and half of every round
    after it), or not at all."""

    OWN_SCORE = "own_score"
    VIRTUAL = "virtual"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class Faced:
    """One round of an entrant: whom they played (None: nobody) and what they took, 1, 1/2 or 0."""

    other: int | None
    took: Fraction
    how: How = How.PLAYED


@dataclass(frozen=True, slots=True)
class Opposition:
    """What follows for one entrant: match points and the sums out of those of the opponents."""

    match_points: Fraction
    buchholz: Fraction
    buchholz_cut1: Fraction
    sonneborn_berger: Fraction


def opposition_scores(
    rounds: Mapping[int, Sequence[Faced]], unplayed: Unplayed = Unplayed.OWN_SCORE
) -> dict[int, Opposition]:
    """Every entrant's figures; the rounds of each in the order of play.

    Buchholz adds up the scores of the opponents met, Cut-1 leaves out the lowest of them;
    Sonneborn-Berger adds up the scores of those beaten and half of those drawn with.

    A round of one's own without an opponent counts as `unplayed` says, usually as one against
    somebody who ended with one's own score (16.4). For the opponents, rounds somebody was away
    from at the end count as drawn (16.3.2), so that nobody suffers from having met a pair that
    left. Cut-1 leaves out a round missed by one's own choice before any other (16.5).
    """
    scores = {who: sum((one.took for one in met), Fraction(0)) for who, met in rounds.items()}
    adjusted = {who: scores[who] + HALF * _left_early(met) for who, met in rounds.items()}

    def worth(who: int, number: int, one: Faced) -> Fraction:
        if one.other is not None:
            return adjusted[one.other]
        if unplayed == Unplayed.OWN_SCORE:
            return scores[who]
        met = rounds[who]
        before = sum((other.took for other in met[:number]), Fraction(0))
        return before + 1 - one.took + HALF * (len(met) - number - 1)

    def figures(who: int, met: Sequence[Faced]) -> Opposition:
        counted = [
            (one, worth(who, number, one))
            for number, one in enumerate(met)
            if one.other is not None or unplayed != Unplayed.LEFT_OUT
        ]
        worths = [value for _one, value in counted]
        missed = [value for one, value in counted if one.how in OWN_CHOICE]
        return Opposition(
            match_points=scores[who],
            buchholz=sum(worths, Fraction(0)),
            buchholz_cut1=sum(worths, Fraction(0)) - min(missed or worths, default=Fraction(0)),
            sonneborn_berger=sum((value * one.took for one, value in counted), Fraction(0)),
        )

    return {who: figures(who, met) for who, met in rounds.items()}


def _left_early(met: Sequence[Faced]) -> int:
    """How many rounds somebody was away from and played none after."""
    away = 0
    for one in reversed(met):
        if one.how not in OWN_CHOICE:
            break
        away += one.how is How.AWAY
    return away


@dataclass(frozen=True, slots=True)
class PairTally(Tally):
    """The sums of an entrant's games with the figures that come from whom they met."""

    match_points: Fraction = Fraction(0)
    buchholz: Fraction = Fraction(0)
    buchholz_cut1: Fraction = Fraction(0)
    sonneborn_berger: Fraction = Fraction(0)

    @classmethod
    def of(cls, games: Tally, met: Opposition) -> "PairTally":
        sums = {field.name: getattr(games, field.name) for field in fields(Tally)}
        return cls(**sums, **{field.name: getattr(met, field.name) for field in fields(met)})


def _sum_of(name: str) -> Measure:
    def figure(tallies: Tallies) -> Fraction:
        return sum((Fraction(getattr(one, name, 0)) for one in tallies), Fraction(0))

    return Measure(name, figure, lambda tallies: (figure(tallies),))


MATCH_POINTS = _sum_of("match_points")
BUCHHOLZ = _sum_of("buchholz")
BUCHHOLZ_CUT1 = _sum_of("buchholz_cut1")
SONNEBORN_BERGER = _sum_of("sonneborn_berger")
