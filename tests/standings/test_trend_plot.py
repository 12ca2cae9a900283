"""The plot of evenings: placed by their days, with a scale of round numbers."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.standings.views.members import plot_of, scale


@dataclass
class Evening:
    held_on: date
    above: Fraction


def evenings(*pairs: tuple[str, Fraction]) -> list[Evening]:
    return [Evening(date.fromisoformat(day), Fraction(value)) for day, value in pairs]


def test_days_are_as_far_apart_as_they_were() -> None:
    days = ("2026-01-01", "2026-01-08", "2026-01-29")
    plot = plot_of(evenings(*((day, Fraction(1)) for day in days)))
    first, second, third = (dot.across for dot in plot.dots)
    assert third - second == pytest.approx(3 * (second - first), abs=3)
    assert [text for _at, text, _anchor in plot.days] == ["1 Jan 2026", "8 Jan 2026", "29 Jan 2026"]


def test_a_tap_on_a_dot_says_its_day_and_value() -> None:
    plot = plot_of(evenings(("2026-01-01", Fraction(1, 2)), ("2026-01-08", Fraction(-1, 3))))
    assert [(dot.day, dot.value) for dot in plot.dots] == [
        ("1 Jan 2026", "+0.5"),
        ("8 Jan 2026", "−0.33"),
    ]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([Fraction(1), Fraction(3)], [0, 1, 2, 3]),
        ([Fraction(-7, 2), Fraction(41, 3)], [-5, 0, 5, 10, 15]),
        ([Fraction(0)], [0, Fraction(1, 10)]),
    ],
)
def test_the_scale_has_round_numbers_around_all_values(values: list, ticks: list) -> None:
    assert scale(values) == ticks


@given(st.lists(st.tuples(st.dates(), st.fractions(-50, 50)), min_size=1, max_size=40))
def test_every_dot_is_inside_the_box(pairs: list[tuple[date, Fraction]]) -> None:
    plot = plot_of([Evening(*one) for one in sorted(pairs)])
    assert all(plot.left <= dot.across <= plot.right for dot in plot.dots)
    assert all(0 < dot.down < plot.height for dot in plot.dots)
    assert 0 < plot.zero < plot.height
