"""Names and labels as the language puts them together."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy, pgettext

NORTH, EAST, SOUTH, WEST = (
    gettext_lazy("North"),
    gettext_lazy("East"),
    gettext_lazy("South"),
    gettext_lazy("West"),
)
COMPASS = {2: (NORTH, SOUTH), 3: (NORTH, EAST, WEST), 4: (NORTH, EAST, SOUTH, WEST)}
"""The seats by name, clockwise, as the movements and the scorekeeper's keys have them."""


def as_label(words: object) -> str:
    """A label with its colon: "Captain:", and in French "Capitaine :". A question needs none."""
    if str(words).endswith("?"):
        return str(words)
    return pgettext("before a value", "%(label)s:") % {"label": words}


def as_partners(names: Sequence[object]) -> str:
    """Who play together: "Rose & Ann", "Rose, Ann & Bill", in French "Rose et Ann"."""
    *others, last = map(str, names or [""])
    if not others:
        return last
    words = {"one": ", ".join(others), "other": last}
    return pgettext("partners", "%(one)s & %(other)s") % words
