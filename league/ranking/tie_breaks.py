"""Tie-breaks between entrants who are level: who beat whom, and the strength of their opponents.

Buchholz and Sonneborn-Berger treat rounds not played by FIDE's tie-break regulations of 1 August
2024, article 16.
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
    "WITHOUT_BYES",
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
    """A player at the end of a finished game: the side they sat on and their share of the win."""

    who: int
    side: int
    won: Fraction


# (A, B) -> games that A won against B. Once two have met, both (A, B) and (B, A) are present.
Meetings = Mapping[tuple[int, int], Fraction]


def meetings(games: Iterable[Sequence[Finish]]) -> dict[tuple[int, int], Fraction]:
    """Games won against each opponent, over all games."""
    games_won: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for seats in games:
        for player, opponent in permutations(seats, 2):
            if player.side != opponent.side:
                games_won[player.who, opponent.who] += player.won
    return dict(games_won)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games won and lost against the others of a level group.

    `circle` is a ring in which each beat the next; `not_met` two who have not played each other.
    """

    figures: dict[int, Fraction]
    sums: dict[int, tuple[Fraction, Fraction]]
    circle: tuple[int, ...] = ()
    not_met: tuple[int, ...] = ()


def head_to_head(group: Sequence[int], met: Meetings) -> HeadToHead:
    """Games won minus games lost against the others of `group`.

    Unless every two of them have met, all figures are 0 and `not_met` names a pair that has not.
    """
    pair_not_met = next((pair for pair in combinations(sorted(group), 2) if pair not in met), ())
    if pair_not_met:
        return HeadToHead(dict.fromkeys(group, Fraction(0)), {}, not_met=pair_not_met)
    sums = {entrant: _won_and_lost(entrant, group, met) for entrant in group}
    figures = {entrant: won - lost for entrant, (won, lost) in sums.items()}
    return HeadToHead(figures, sums, circle=_shortest_ring(sorted(group), met))


def _won_and_lost(entrant: int, group: Sequence[int], met: Meetings) -> tuple[Fraction, Fraction]:
    opponents = [opponent for opponent in group if opponent != entrant]
    won = sum((met[entrant, opponent] for opponent in opponents), Fraction(0))
    return won, sum((met[opponent, entrant] for opponent in opponents), Fraction(0))


def _shortest_ring(group: Sequence[int], met: Meetings) -> tuple[int, ...]:
    """The first of the shortest rings in which each beat the next; empty when there is none."""
    beaten = {
        entrant: [
            opponent
            for opponent in group
            if opponent != entrant and met[entrant, opponent] > met[opponent, entrant]
        ]
        for entrant in group
    }
    rings = (_ring_from(start, beaten) for start in group)
    return min((ring for ring in rings if ring), key=len, default=())


def _ring_from(start: int, beaten: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """The shortest ring through `start`, by breadth-first search along who beat whom."""
    paths: list[tuple[int, ...]] = [(start,)]
    visited = {start}
    while paths:
        longer: list[tuple[int, ...]] = []
        for path in paths:
            for loser in beaten[path[-1]]:
                if loser == start:
                    return path
                if loser not in visited:
                    visited.add(loser)
                    longer.append((*path, loser))
        paths = longer
    return ()


HALF = Fraction(1, 2)


class How(StrEnum):
    """How an entrant spent a round. `AWAY`: not available for pairing, late or withdrawn."""

    PLAYED = "played"
    BYE = "bye"
    WALKED_OVER = "walked_over"  # won without playing
    ABSENT = "absent"  # lost without playing
    AWAY = "away"


OWN_CHOICE = (How.ABSENT, How.AWAY)


class Unplayed(StrEnum):
    """How a round without an opponent counts in an entrant's opposition sums.

    - `OWN_SCORE`: as one against an opponent who ends with the entrant's own score (FIDE since
      2024).
    - `VIRTUAL`: as one against FIDE's earlier virtual opponent, whose score is the entrant's
      before that round, plus what the entrant did not take from it, plus 1/2 for every later round.
    - `LEFT_OUT`: not at all.
    """

    OWN_SCORE = "own_score"
    VIRTUAL = "virtual"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class Faced:
    """One round of an entrant: the opponent (None without one) and the score, 1, 1/2 or 0."""

    other: int | None
    took: Fraction
    how: How = How.PLAYED


@dataclass(frozen=True, slots=True)
class Opposition:
    """One entrant's match points and the tie-breaks computed from those of the opponents."""

    match_points: Fraction
    buchholz: Fraction
    buchholz_cut1: Fraction
    sonneborn_berger: Fraction


def opposition_scores(
    rounds: Mapping[int, Sequence[Faced]], unplayed: Unplayed = Unplayed.OWN_SCORE
) -> dict[int, Opposition]:
    """Every entrant's figures. `rounds` holds each entrant's rounds in the order of play.

    Buchholz adds up the scores of the opponents met, and Cut-1 leaves out the lowest of them.
    Sonneborn-Berger adds up the scores of the opponents beaten and half of those drawn with.

    An entrant's own round without an opponent counts as `unplayed` says, by default as one against
    an opponent who ended with the same score (16.4). In the sums of others, the rounds after an
    entrant left count as drawn (16.3.2), so that having met a pair that left is no disadvantage.
    Cut-1 leaves out a round missed by choice before any other (16.5).
    """
    scores = {
        entrant: sum((faced.took for faced in met), Fraction(0)) for entrant, met in rounds.items()
    }
    adjusted = {
        entrant: scores[entrant] + HALF * _rounds_after_leaving(met)
        for entrant, met in rounds.items()
    }

    def worth(entrant: int, number: int, faced: Faced) -> Fraction:
        if faced.other is not None:
            return adjusted[faced.other]
        if unplayed == Unplayed.OWN_SCORE:
            return scores[entrant]
        met = rounds[entrant]
        before = sum((earlier.took for earlier in met[:number]), Fraction(0))
        return before + 1 - faced.took + HALF * (len(met) - number - 1)

    def figures(entrant: int, met: Sequence[Faced]) -> Opposition:
        counted = [
            (faced, worth(entrant, number, faced))
            for number, faced in enumerate(met)
            if faced.other is not None or unplayed != Unplayed.LEFT_OUT
        ]
        worths = [value for _faced, value in counted]
        missed = [value for faced, value in counted if faced.how in OWN_CHOICE]
        return Opposition(
            match_points=scores[entrant],
            buchholz=sum(worths, Fraction(0)),
            buchholz_cut1=sum(worths, Fraction(0)) - min(missed or worths, default=Fraction(0)),
            sonneborn_berger=sum((value * faced.took for faced, value in counted), Fraction(0)),
        )

    return {entrant: figures(entrant, met) for entrant, met in rounds.items()}


def _rounds_after_leaving(rounds: Sequence[Faced]) -> int:
    """The number of rounds an entrant was away from without playing again."""
    away = 0
    for faced in reversed(rounds):
        if faced.how not in OWN_CHOICE:
            break
        away += faced.how is How.AWAY
    return away


@dataclass(frozen=True, slots=True)
class PairTally(Tally):
    """The sums of an entrant's games, with the tie-breaks that depend on the opponents met."""

    match_points: Fraction = Fraction(0)
    without_byes: Fraction = Fraction(0)
    buchholz: Fraction = Fraction(0)
    buchholz_cut1: Fraction = Fraction(0)
    sonneborn_berger: Fraction = Fraction(0)

    @classmethod
    def of(cls, games: Tally, met: Opposition, rounds: Sequence[Faced] = ()) -> "PairTally":
        sums = {field.name: getattr(games, field.name) for field in fields(Tally)}
        byes = sum((faced.took for faced in rounds if faced.how is How.BYE), Fraction(0))
        figures = {field.name: getattr(met, field.name) for field in fields(met)}
        return cls(**sums, **figures, without_byes=met.match_points - byes)


def _sum_of(name: str) -> Measure:
    def figure(tallies: Tallies) -> Fraction:
        return sum((Fraction(getattr(tally, name, 0)) for tally in tallies), Fraction(0))

    return Measure(name, figure, lambda tallies: (figure(tallies),))


MATCH_POINTS = _sum_of("match_points")
WITHOUT_BYES = _sum_of("without_byes")
BUCHHOLZ = _sum_of("buchholz")
BUCHHOLZ_CUT1 = _sum_of("buchholz_cut1")
SONNEBORN_BERGER = _sum_of("sonneborn_berger")
PAIR_MEASURES = {
    measure.code: measure
    for measure in (MATCH_POINTS, WITHOUT_BYES, BUCHHOLZ, BUCHHOLZ_CUT1, SONNEBORN_BERGER)
}
