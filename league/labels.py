"""Names and labels, combined as the language requires."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext, gettext_lazy, pgettext

NORTH, EAST, SOUTH, WEST = (
    gettext_lazy("North"),
    gettext_lazy("East"),
    gettext_lazy("South"),
    gettext_lazy("West"),
)
COMPASS = {2: (NORTH, SOUTH), 3: (NORTH, EAST, WEST), 4: (NORTH, EAST, SOUTH, WEST)}
"""The names of the seats, clockwise, by the number of players."""


def table_and_seat(number: int, players: int, position: int) -> str:
    """ "table 7, North"; seats of big tables have no names."""
    names = COMPASS.get(players)
    if names is None:
        return gettext("table %(n)d") % {"n": number}
    return gettext("table %(n)d, %(seat)s") % {"n": number, "seat": names[position]}


def seat_name(position: int, players: int) -> str:
    """The name of a seat, or its number at a table with more seats than the compass has names."""
    names = COMPASS.get(players)
    return str(names[position]) if names else gettext("seat %(n)d") % {"n": position + 1}


def as_label(words: object) -> str:
    """A label with its colon: "Captain:", and in French "Capitaine :". A question needs none."""
    if str(words).endswith("?"):
        return str(words)
    return pgettext("before a value", "%(label)s:") % {"label": words}


DOUBLE_STOP = re.compile(r"(?<!\.)\.\.(?!\.)")


def one_stop(sentence: object) -> str:
    """A sentence that ends with a short name, "Jean Bo.", with one full stop and not two."""
    return DOUBLE_STOP.sub(".", str(sentence))


def as_partners(names: Sequence[object]) -> str:
    """The names of partners: "Rose & Ann", "Rose, Ann & Bill", in French "Rose et Ann"."""
    *first_names, last = map(str, names or [""])
    if not first_names:
        return last
    words = {"one": ", ".join(first_names), "other": last}
    return pgettext("partners", "%(one)s & %(other)s") % words


def unbroken_initial(name: str) -> str:
    """A name in which no line breaks before an initial at its end, as in "Ann P."."""
    return re.sub(r" (?=[^\W\d]\.?$)", "\N{NO-BREAK SPACE}", name)
