"""Tie-breaks out of the strength of the opponents met: Buchholz and Sonneborn-Berger. Pure.

After FIDE's tie-break regulations of 1 August 2024: a round without an opponent counts as one
against somebody who ended with the entrant's own score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction

from league.standings.measures import Measure, Tallies, Tally


@dataclass(frozen=True, slots=True)
class Faced:
    """One round of an entrant: whom they met (None: nobody) and what they took, 1, 1/2 or 0."""

    other: int | None
    took: Fraction


@dataclass(frozen=True, slots=True)
class Opposition:
    """What follows for one entrant: match points, both sums, and the numbers they add up."""

    match_points: Fraction
    buchholz: Fraction
    sonneborn_berger: Fraction


def opposition(rounds: Mapping[int, Sequence[Faced]]) -> dict[int, Opposition]:
    """Every entrant's figures.

    Buchholz adds up the scores of the opponents met; Sonneborn-Berger the scores of those beaten
    and half of those drawn with.
    """
    scores = {who: sum((one.took for one in met), Fraction(0)) for who, met in rounds.items()}

    def of(who: int, one: Faced) -> Fraction:
        return scores[who] if one.other is None else scores[one.other]

    return {
        who: Opposition(
            match_points=scores[who],
            buchholz=sum((of(who, one) for one in met), Fraction(0)),
            sonneborn_berger=sum((of(who, one) * one.took for one in met), Fraction(0)),
        )
        for who, met in rounds.items()
    }


@dataclass(frozen=True, slots=True)
class PairTally(Tally):
    """The sums of an entrant's games with the figures that come from whom they met."""

    match_points: Fraction = Fraction(0)
    buchholz: Fraction = Fraction(0)
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
SONNEBORN_BERGER = _sum_of("sonneborn_berger")
