"""A line over evenings as the numbers of a drawing: pure, the template writes the SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WIDTH, HEIGHT, MARGIN = 640, 200, 16


@dataclass(frozen=True, slots=True)
class Line:
    """Points of the line in a box of `WIDTH` by `HEIGHT`, and where nought is."""

    points: tuple[tuple[int, int], ...]
    zero: int
    highest: Fraction
    lowest: Fraction

    @property
    def path(self) -> str:
        """The `points` of an SVG polyline."""
        return " ".join(f"{across},{down}" for across, down in self.points)


def line_of(values: Sequence[Fraction]) -> Line:
    """The values from left to right; nought is always in the picture."""
    highest, lowest = max([*values, Fraction(0)]), min([*values, Fraction(0)])
    span = highest - lowest or Fraction(1)
    step = Fraction(WIDTH - 2 * MARGIN, max(len(values) - 1, 1))

    def down(value: Fraction) -> int:
        return round(MARGIN + (highest - value) / span * (HEIGHT - 2 * MARGIN))

    points = tuple((round(MARGIN + n * step), down(value)) for n, value in enumerate(values))
    return Line(points, down(Fraction(0)), highest, lowest)
