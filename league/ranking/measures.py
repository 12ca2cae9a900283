"""What standings can rank by: sums over a player's games, and one small pure function per measure.

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
    """The values given cannot answer what was requested of them."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one entrant took from games with the same target: from one game or a whole season.

    `games` counts finished games and `won` the shares of them won (two co-winners take 1/2 each).
    `credit` is what games won count beyond these shares where each co-winner gets the whole game.
    `expected` is the share a player of average luck takes (1/2 a game at two- and four-handed
    tables, 1/3 at three-handed ones).

    `hands`, `points`, `against` and the counts below include every hand the player sat for, even
    in games where a substitute finished; at three-handed tables `against` is the mean of the two
    others' points. `in_finished` are the points of games the player finished. `by_hand` and
    `by_hand_against` are those of games recorded hand by hand, which `hands` counts: a game with
    only a final score has points, but no hands.
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
    """The same games with one tally per target, the fewest that a measure can work with."""
    by_target: dict[int, list[Tally]] = {}
    for tally in tallies:
        by_target.setdefault(tally.target, []).append(tally)
    return [
        Tally(target, *(total(group, name) for name in SUMMED))
        for target, group in sorted(by_target.items())
    ]


def averaged(tallies: Iterable[Tally], evenings: int) -> list[Tally]:
    """The games of an average evening: counts become means, ratios stay as they are."""
    return [
        Tally(tally.target, *(Fraction(getattr(tally, name)) / evenings for name in SUMMED))
        for tally in tallies
    ]


Tallies = Sequence[Tally]


def has_credit(tallies: Mapping[int, Tallies]) -> bool:
    """Whether anyone has more games won than shares of them."""
    return any(tally.credit for own_tallies in tallies.values() for tally in own_tallies)


Figure = Callable[[Tallies], Fraction]
Parts = Callable[[Tallies], tuple[Fraction, ...]]


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity to rank by; higher is better. `labels` holds its wording, keyed by `code`.

    `parts` returns the numbers the figure is computed from, to show the sum. `adds_up`: the figure
    grows with every game, so it also makes sense per evening. `among`: the figure only means
    something among entrants who are level (head-to-head, the random draw) and `figure` must not be
    called. `out_of` returns what a ratio divides by; where that is 0 the figure ranks as 0.
    """

    code: str
    figure: Figure
    parts: Parts
    adds_up: bool = True
    among: bool = False
    out_of: Figure | None = None

    def value(self, tallies: Tallies) -> Fraction | None:
        """The figure to display: None where there is nothing to divide by."""
        if self.out_of is not None and not self.out_of(tallies):
            return None
        return self.figure(tallies)


def total(tallies: Tallies, name: str) -> Fraction:
    """The sum of one field over all tallies."""
    return Fraction(sum(getattr(tally, name) for tally in tallies))


def _ratio(numerator: Fraction, denominator: Fraction) -> Fraction:
    return numerator / denominator if denominator else NOTHING


def won(tallies: Tallies) -> Fraction:
    """Games won; co-winners have a share each, or the whole game where the rules credit it."""
    return total(tallies, "won") + total(tallies, "credit")


def above(tallies: Tallies) -> Fraction:
    """Shares of games won minus what a player of average luck would have won at the same tables."""
    return total(tallies, "won") - total(tallies, "expected")


def _targets_reached(tallies: Tallies) -> tuple[Fraction, Fraction]:
    """The sum of points as shares of their targets, and the number of finished games with one."""
    tallies_with_target = [tally for tally in tallies if tally.target and tally.games]
    worth = sum(
        (Fraction(tally.in_finished, tally.target) for tally in tallies_with_target), NOTHING
    )
    return worth, total(tallies_with_target, "games")


def share(tallies: Tallies) -> Fraction:
    """The mean share of the target that was reached, over finished games that have a target."""
    return _ratio(*_targets_reached(tallies))


def points(tallies: Tallies) -> Fraction:
    return total(tallies, "points")


def difference(tallies: Tallies) -> Fraction:
    """Own points minus the other side's; at three hands minus the mean of the others."""
    return total(tallies, "points") - total(tallies, "against")


def difference_a_hand(tallies: Tallies) -> Fraction:
    """The mean points difference per hand, over games recorded hand by hand only."""
    points = total(tallies, "by_hand") - total(tallies, "by_hand_against")
    return _ratio(points, total(tallies, "hands"))


def win_rate(tallies: Tallies) -> Fraction:
    return _ratio(won(tallies), total(tallies, "games"))


def _won_and_games(tallies: Tallies) -> tuple[Fraction, ...]:
    return won(tallies), total(tallies, "games")


def _sum_of(name: str) -> Figure:
    return lambda tallies: total(tallies, name)


def _sums_of(*names: str) -> Parts:
    return lambda tallies: tuple(total(tallies, name) for name in names)


def _no_figure(tallies: Tallies) -> Fraction:
    raise RankingError("Head-to-head and the random draw only compare players who are level.")


HEAD_TO_HEAD = Measure("head_to_head", _no_figure, lambda _: (), adds_up=False, among=True)
LOT = Measure("lot", _no_figure, lambda _: (), adds_up=False, among=True)

GAME_POINTS = Measure("game_points", points, _sums_of("points"))
"""The points of games, beside a tournament's own."""

MEASURES: dict[str, Measure] = {
    measure.code: measure
    for measure in (
        Measure("won", won, _won_and_games),
        Measure("above", above, _sums_of("won", "expected")),
        Measure(
            "share", share, _targets_reached, adds_up=False, out_of=lambda t: _targets_reached(t)[1]
        ),
        Measure("points", points, _sums_of("points")),
        Measure("difference", difference, _sums_of("points", "against")),
        Measure(
            "difference_a_hand",
            difference_a_hand,
            _sums_of("by_hand", "by_hand_against", "hands"),
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
        Measure("euchres", _sum_of("euchres"), _sums_of("euchres")),
        Measure("lone_marches", _sum_of("lone_marches"), _sums_of("lone_marches")),
        HEAD_TO_HEAD,
        LOT,
    )
}

# Where table sizes differ: games won, then wins above expectation for the tables played at, then
# share of the targets, then points difference. Tables of one size need no such correction.
USUAL = ("won", "above", "share", "difference")
USUAL_AT_ONE_SIZE = ("won", "win_rate", "difference")


IN_POINTS = ("points", "difference", "difference_a_hand")


def compare_games(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The same list for comparing different games, whose points cannot be added up: the share of
    the target replaces measures in points."""
    codes = ("share" if measure.code in IN_POINTS else measure.code for measure in measures)
    return tuple(MEASURES[code] for code in dict.fromkeys(codes))


def ordered(*lists: Sequence[str], mixed: bool = True) -> tuple[Measure, ...]:
    """The measures of the first list that names any known one; else the usual ones. `mixed` says
    whether games at tables of several sizes are compared."""
    for codes in lists:
        measures = [MEASURES[code] for code in dict.fromkeys(codes) if code in MEASURES]
        if measures:
            return tuple(measures)
    return tuple(MEASURES[code] for code in (USUAL if mixed else USUAL_AT_ONE_SIZE))


def points_made_up(
    at_four: Mapping[int, Sequence[Fraction]], elsewhere: Mapping[int, int]
) -> dict[int, Fraction]:
    """The points credited to each player for rounds not played at a table of four.

    `at_four` are the points of each player's rounds at tables of four, `elsewhere` the number of
    rounds they spent at a smaller table or sitting out. Each of the latter counts as the player's
    own mean round, or as the mean of all players for someone with none yet, so that sitting there
    more often costs nothing. Empty where no one has played at a table of four.
    """
    all_points = [points for own_points in at_four.values() for points in own_points]
    if not all_points:
        return {}
    return {
        player: _mean(at_four.get(player) or all_points) * rounds
        for player, rounds in elsewhere.items()
        if rounds
    }


def _mean(points: Sequence[Fraction]) -> Fraction:
    return sum(points, Fraction(0)) / len(points)
