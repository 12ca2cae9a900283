"""What each measure means for a table or a club: no tables of three where none are played."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from league.ranking.measures import Measure
from league.standings.labels import LABELS, Label, Text

POINTS_AT_FOUR = _(
    "Points at tables of four. A round at a smaller table, or one sat out, counts as the player's"
    " average round at tables of four; before the player's first one, as the average of all"
    " players. Until anyone has played at a table of four, points count as they are made."
)
OF_TWO_SIDES = {
    "difference": _("Own points minus the other side's."),
    "difference_a_hand": _(
        "Own points minus the other side's, divided by the hands played. Only games entered hand"
        " by hand count; players without one count as 0."
    ),
}


def rule(
    measures: Iterable[Measure], *, small_apart: bool = False, two_sides: bool = False
) -> list[Label]:
    """The labels of the measures that a table ranks by, in order; with `small_apart` the points of
    small tables are replaced by an average."""
    formulas = {"points": POINTS_AT_FOUR} if small_apart else {}
    return labels_of((measure.code for measure in measures), formulas, two_sides=two_sides)


def labels_of(
    codes: Iterable[str], formulas: Mapping[str, Text] | None = None, *, two_sides: bool
) -> list[Label]:
    """The labels of these measures, with `two_sides` where every game is between two sides."""
    others: dict[str, Text] = {**(OF_TWO_SIDES if two_sides else {}), **(formulas or {})}
    labels = [(code, LABELS[code]) for code in codes]
    return [replace(label, formula=others.get(code, label.formula)) for code, label in labels]
