"""Tie-breaks between those who are level: who beat whom, and the strength of the opponents met.

Buchholz and Sonneborn-Berger after FIDE's tie-break regulations of 1 August 2024, article 16, on
rounds not played.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, permutations

from league.ranking.measures import Measure, Tallies, Tally

__all__ = [
    "BUCHHOLZ",
    "BUCHHOLZ_CUT1",
    "MATCH_POINTS",
    "PAIR_MEASURES",
    "SONNEBORN_BERGER",
    "Faced",
    "Finish",
    "How",
    "Meetings",
    "PairTally",
    "Unplayed",
    "meetings",
    "opposition_scores",
]


@dataclass(frozen=True, slots=True)
class Finish:
    """Somebody at the end of a finished game: the side they sat on and their share of the win."""

    who: int
    side: int
    won: Fraction


# Games won by the first against the second; a pair is there both ways round once they have met.
Meetings = Mapping[tuple[int, int], Fraction]


def meetings(games: Iterable[Sequence[Finish]]) -> dict[tuple[int, int], Fraction]:
    """What each two opponents took off each other over all games."""
    won: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for seats in games:
        for one, other in permutations(seats, 2):
            if one.side != other.side:
                won[one.who, other.who] += one.won
    return dict(won)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games won and lost against the others of a level group; `circle` if they went round."""

    figures: dict[int, Fraction]
    sums: dict[int, tuple[Fraction, Fraction]]
    circle: tuple[int, ...] = ()
    not_met: tuple[int, ...] = ()


def head_to_head(group: Sequence[int], met: Meetings) -> HeadToHead:
    """Games won minus games lost against the others of `group`.

    Says nothing (all figures 0, `not_met` naming a pair) unless every two of them have met.
    """
    missing = next((pair for pair in combinations(sorted(group), 2) if pair not in met), ())
    if missing:
        return HeadToHead(dict.fromkeys(group, Fraction(0)), {}, not_met=missing)
    sums = {who: _won_and_lost(who, group, met) for who in group}
    figures = {who: won - lost for who, (won, lost) in sums.items()}
    return HeadToHead(figures, sums, circle=_circle(sorted(group), met))


def _won_and_lost(who: int, group: Sequence[int], met: Meetings) -> tuple[Fraction, Fraction]:
    others = [other for other in group if other != who]
    won = sum((met[who, other] for other in others), Fraction(0))
    return won, sum((met[other, who] for other in others), Fraction(0))


def _circle(group: Sequence[int], met: Meetings) -> tuple[int, ...]:
    """The first, shortest ring in which each beat the next; empty when nobody is in one."""
    beaten = {who: [o for o in group if o != who and met[who, o] > met[o, who]] for who in group}
    rings = (_ring_from(start, beaten) for start in group)
    return min((ring for ring in rings if ring), key=len, default=())


def _ring_from(start: int, beaten: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Breadth first from `start` along who beat whom, back to `start`."""
    paths: list[tuple[int, ...]] = [(start,)]
    seen = {start}
    while paths:
        longer: list[tuple[int, ...]] = []
        for path in paths:
            for loser in beaten[path[-1]]:
                if loser == start:
                    return path
                if loser not in seen:
                    seen.add(loser)
                    longer.append((*path, loser))
        paths = longer
    return ()


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
        return sum((Fraction(getattr(tally, name, 0)) for tally in tallies), Fraction(0))

    return Measure(name, figure, lambda tallies: (figure(tallies),))


MATCH_POINTS = _sum_of("match_points")
BUCHHOLZ = _sum_of("buchholz")
BUCHHOLZ_CUT1 = _sum_of("buchholz_cut1")
SONNEBORN_BERGER = _sum_of("sonneborn_berger")
PAIR_MEASURES = {one.code: one for one in (MATCH_POINTS, BUCHHOLZ, BUCHHOLZ_CUT1, SONNEBORN_BERGER)}
