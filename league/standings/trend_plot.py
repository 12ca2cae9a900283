"""The plot of a player's wins above average: a line over the days, with a scale and dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import count
from typing import Protocol

from django.utils.translation import gettext as _

from league.members.languages import dated
from league.standings.labels import figure

WIDTH, HEIGHT = 640, 232
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 26, 34
MOST_TICKS = 6
APART = 120
"""How far apart two dates are written at least."""


class Point(Protocol):
    """What is drawn of an evening."""

    @property
    def held_on(self) -> date: ...

    @property
    def above(self) -> Fraction: ...


@dataclass(frozen=True, slots=True)
class Dot:
    """One evening on the line: where it is, and what a tap on it says."""

    across: int
    down: int
    day: str
    value: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Everything there is to draw; `ticks` of the scale and `days` as places with their text."""

    dots: tuple[Dot, ...]
    ticks: tuple[tuple[int, str], ...]
    days: tuple[tuple[int, str, str], ...]
    zero: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP

    @property
    def path(self) -> str:
        """The `points` of an SVG polyline."""
        return " ".join(f"{dot.across},{dot.down}" for dot in self.dots)


def plot_of(points: Sequence[Point]) -> Plot:
    """The points by their days from left to right; nought is always on the scale."""
    ticks = scale([point.above for point in points])
    highest, lowest = ticks[-1], ticks[0]

    def down(value: Fraction) -> int:
        return round(TOP + (highest - value) / (highest - lowest) * (HEIGHT - TOP - BOTTOM))

    dots = tuple(
        Dot(at, down(one.above), dated(one.held_on, _("j M Y")), figure("above", one.above))
        for at, one in zip(_across([one.held_on for one in points]), points, strict=True)
    )
    return Plot(
        dots=dots,
        ticks=tuple((down(tick), figure("above", tick)) for tick in ticks),
        days=tuple(_days(dots)),
        zero=down(Fraction(0)),
    )


def scale(values: Sequence[Fraction]) -> list[Fraction]:
    """Round numbers, evenly apart, around all values and nought."""
    highest, lowest = max([*values, Fraction(0)]), min([*values, Fraction(0)])
    for power in count(-1):
        for step in (Fraction(unit) * Fraction(10) ** power for unit in (1, 2, 5)):
            first, last = lowest // step, -(-highest // step)
            last = max(last, first + 1)
            if last - first < MOST_TICKS:
                return [step * number for number in range(first, last + 1)]
    raise AssertionError("unreachable")


def _across(days: Sequence[date]) -> list[int]:
    """Where each day is; on one and the same day, side by side."""
    width, span = WIDTH - LEFT - RIGHT, (days[-1] - days[0]).days
    if not span:
        return [LEFT + width * n // max(len(days) - 1, 1) for n in range(len(days))]
    return [LEFT + width * (day - days[0]).days // span for day in days]


def _days(dots: Sequence[Dot]) -> list[tuple[int, str, str]]:
    """The dates under the line: the first and the last, and between them as many as fit."""
    found = [(dots[0].across, dots[0].day, "start")]
    for dot in dots[1:-1]:
        if dot.across - found[-1][0] >= APART and dots[-1].across - dot.across >= APART:
            found.append((dot.across, dot.day, "middle"))
    if len(dots) > 1 and dots[-1].day != dots[0].day:
        found.append((dots[-1].across, dots[-1].day, "end"))
    return found
