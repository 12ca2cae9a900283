"""What standings can rank by: sums of a person's games, and one small pure function a measure.

All arithmetic is exact (`Fraction`), so the order never depends on the order of entry.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction

__all__ = [
    "GAME_POINTS",
    "HEAD_TO_HEAD",
    "IN_POINTS",
    "LOT",
    "MEASURES",
    "SUMMED",
    "USUAL",
    "Measure",
    "Tally",
    "compare_games",
    "has_credit",
    "merged",
    "ordered",
    "points_made_up",
    "total",
]

NOTHING = Fraction(0)
Number = int | Fraction


class RankingError(ValueError):
    """Values were asked for something that they cannot answer."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one entrant took from some games of one target: one game or a whole season.

    `games` counts games finished, `won` the shares of them won (two co-winners take 1/2 each),
    `credit` what games won count beyond these shares, where each co-winner has the whole game,
    `expected` the shares a player of average luck takes (1/2 a game at two- and four-handed
    tables, 1/3 at three-handed). `hands`, `points`, `against` and the counts below take in every
    hand sat for, by who was replaced in a game too; at three hands `against` is
    the mean of the two others' points. `in_finished` are the points of games sat for to their
    end; `by_hand` and
    `by_hand_against` those of games written down hand by hand, which `hands` counts: a game of
    which only the final score is known has points, but no hands.
    """

    target: int = 0
    games: Number = 0
    hands: Number = 0
    won: Number = 0
    expected: Number = 0
    points: Number = 0
    in_finished: Number = 0
    against: Number = 0
    by_hand: Number = 0
    by_hand_against: Number = 0
    calls: Number = 0
    calls_made: Number = 0
    euchred: Number = 0
    euchres: Number = 0
    marches: Number = 0
    lone_tried: Number = 0
    lone_marches: Number = 0
    credit: Number = 0


SUMMED = tuple(field.name for field in fields(Tally) if field.name != "target")


def merged(tallies: Iterable[Tally]) -> list[Tally]:
    """The same games with one tally a target: what a measure needs, in the fewest rows."""
    by_target: dict[int, list[Tally]] = {}
    for tally in tallies:
        by_target.setdefault(tally.target, []).append(tally)
    return [
        Tally(target, *(total(group, name) for name in SUMMED))
        for target, group in sorted(by_target.items())
    ]


def averaged(tallies: Iterable[Tally], evenings: int) -> list[Tally]:
    """The games of a mean evening: counts become means, ratios stay as they are."""
    return [
        Tally(tally.target, *(Fraction(getattr(tally, name)) / evenings for name in SUMMED))
        for tally in tallies
    ]


Tallies = Sequence[Tally]


def has_credit(tallies: Mapping[int, Tallies]) -> bool:
    """Whether anybody has more games won than shares of them."""
    return any(tally.credit for own in tallies.values() for tally in own)


Figure = Callable[[Tallies], Fraction]
Parts = Callable[[Tallies], tuple[Fraction, ...]]


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to rank by; more is better. Its words are in `labels`, keyed by `code`.

    `parts` are the numbers the figure is worked out of, to show the sum. `adds_up` says that the
    figure grows with every game, so that it makes sense an evening too. `among` says that the
    figure only means something among people who are level (head-to-head, the random draw): then
    it has no `figure`. `out_of` is what a ratio divides by; where that is 0 it ranks as 0.
    """

    code: str
    figure: Figure
    parts: Parts
    adds_up: bool = True
    among: bool = False
    out_of: Figure | None = None

    def value(self, tallies: Tallies) -> Fraction | None:
        """The figure as it is shown: None where there is nothing to divide by."""
        if self.out_of is not None and not self.out_of(tallies):
            return None
        return self.figure(tallies)


def total(tallies: Tallies, name: str) -> Fraction:
    """One field of all tallies together."""
    return Fraction(sum(getattr(tally, name) for tally in tallies))


def _ratio(over: Fraction, under: Fraction) -> Fraction:
    return over / under if under else NOTHING


def won(tallies: Tallies) -> Fraction:
    """Games won: a share each for co-winners, or the whole game."""
    return total(tallies, "won") + total(tallies, "credit")


def above(tallies: Tallies) -> Fraction:
    """Shares of games won minus what a player of average luck would have won at the same tables."""
    return total(tallies, "won") - total(tallies, "expected")


def _targets_reached(tallies: Tallies) -> tuple[Fraction, Fraction]:
    """Points as shares of their targets, added up over finished games with one; those games."""
    scored = [tally for tally in tallies if tally.target and tally.games]
    worth = sum((Fraction(tally.in_finished, tally.target) for tally in scored), NOTHING)
    return worth, total(scored, "games")


def share(tallies: Tallies) -> Fraction:
    """The mean, over games finished that have a target, of points as a share of that target."""
    return _ratio(*_targets_reached(tallies))


def points(tallies: Tallies) -> Fraction:
    return total(tallies, "points")


def difference(tallies: Tallies) -> Fraction:
    """Own points minus the other side's; at three hands minus the mean of the others."""
    return total(tallies, "points") - total(tallies, "against")


def difference_a_hand(tallies: Tallies) -> Fraction:
    """Out of the games written down hand by hand alone."""
    points = total(tallies, "by_hand") - total(tallies, "by_hand_against")
    return _ratio(points, total(tallies, "hands"))


def win_rate(tallies: Tallies) -> Fraction:
    return _ratio(won(tallies), total(tallies, "games"))


def _won_and_games(tallies: Tallies) -> tuple[Fraction, ...]:
    return won(tallies), total(tallies, "games")


def _sum_of(name: str) -> Figure:
    return lambda tallies: total(tallies, name)


def _parts(*names: str) -> Parts:
    return lambda tallies: tuple(total(tallies, name) for name in names)


def _meaningless(tallies: Tallies) -> Fraction:
    raise RankingError("Head-to-head and the random draw only compare players who are level.")


HEAD_TO_HEAD = Measure("head_to_head", _meaningless, lambda _: (), adds_up=False, among=True)
LOT = Measure("lot", _meaningless, lambda _: (), adds_up=False, among=True)

GAME_POINTS = Measure("game_points", points, _parts("points"))
"""The points of games, beside a tournament's own."""

MEASURES: dict[str, Measure] = {
    measure.code: measure
    for measure in (
        Measure("won", won, _won_and_games),
        Measure("above", above, _parts("won", "expected")),
        Measure(
            "share", share, _targets_reached, adds_up=False, out_of=lambda t: _targets_reached(t)[1]
        ),
        Measure("points", points, _parts("points")),
        Measure("difference", difference, _parts("points", "against")),
        Measure(
            "difference_a_hand",
            difference_a_hand,
            _parts("by_hand", "by_hand_against", "hands"),
            adds_up=False,
            out_of=_sum_of("hands"),
        ),
        Measure(
            "win_rate",
            win_rate,
            _won_and_games,
            adds_up=False,
            out_of=_sum_of("games"),
        ),
        Measure("euchres", _sum_of("euchres"), _parts("euchres")),
        Measure("lone_marches", _sum_of("lone_marches"), _parts("lone_marches")),
        HEAD_TO_HEAD,
        LOT,
    )
}

# Tables of several sizes: who won most, then who won most for the tables they sat at, then who
# came nearest to the targets, then by how much they were ahead. Tables of one size compare
# without that.
USUAL = ("won", "above", "share", "difference")
USUAL_AT_ONE_SIZE = ("won", "win_rate", "difference")


IN_POINTS = ("points", "difference", "difference_a_hand")


def compare_games(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The same list where different games are compared, whose points cannot be added up: shares of
    the target stand in the place of points."""
    codes = ("share" if measure.code in IN_POINTS else measure.code for measure in measures)
    return tuple(MEASURES[code] for code in dict.fromkeys(codes))


def ordered(*lists: Sequence[str], mixed: bool = True) -> tuple[Measure, ...]:
    """The measures of the first list that names any known one; else the usual ones, which depend
    on whether games at tables of several sizes are compared (`mixed`)."""
    for codes in lists:
        known = [MEASURES[code] for code in dict.fromkeys(codes) if code in MEASURES]
        if known:
            return tuple(known)
    return tuple(MEASURES[code] for code in (USUAL if mixed else USUAL_AT_ONE_SIZE))


def points_made_up(
    at_four: Mapping[int, Sequence[Fraction]], elsewhere: Mapping[int, int]
) -> dict[int, Fraction]:
    """The points that everybody is given for rounds not played at a table of four.

    `at_four` are the points of each one's rounds at tables of four, `elsewhere` how many rounds
    they spent at a smaller table or sitting out. Each of these counts as their own mean round, and
    for somebody with none yet as the mean of everybody's: so nobody expects less for having been
    there more often. Empty where nobody has played at a table of four.
    """
    every = [points for own in at_four.values() for points in own]
    if not every:
        return {}
    return {
        who: _mean(at_four.get(who) or every) * rounds
        for who, rounds in elsewhere.items()
        if rounds
    }


def _mean(points: Sequence[Fraction]) -> Fraction:
    return sum(points, Fraction(0)) / len(points)
