"""Asking the planner in the club's terms, and its refusals in the site's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Club, Member
from league.pairing.seating import Composition, PairingRefused, alternatives, composition


def rule_for(club: Club, people: int) -> Composition:
    """The tables for so many people by the club's rule; Refused for fewer than two."""
    with planner_refusals():
        if club.seating_policy == Club.SeatingPolicy.OWN:
            own = {int(n): tuple(sizes) for n, sizes in club.seating_table.items()}
            return composition(people, table=own)
        return composition(people, club.seating_policy)


def choices_for(club: Club, people: int) -> list[Composition]:
    """What an organiser may choose from, the club's rule first; nothing for fewer than two."""
    if people < 2:
        return []
    rule = rule_for(club, people)
    return [rule, *(one for one in alternatives(people) if one != rule)]


@contextmanager
def planner_refusals() -> Iterator[None]:
    """Turn what the planner refuses into what the site tells people."""
    try:
        yield
    except PairingRefused as refused:
        raise Refused(refused.code, _sentence(refused), status=409) from refused


def _sentence(refused: PairingRefused) -> str:
    if refused.code == "wishes-contradict":
        return _("The wishes about %(names)s cannot all be kept at these tables.") % {
            "names": ", ".join(_names(refused.people))
        }
    if refused.code == "too-many-players":
        return _("Up to %(most)d players can be seated together; %(players)d are checked in.") % (
            refused.values
        )
    sentences = {
        "nobody-present": _("Nobody is free to be seated."),
        "one-player": _("One person alone has to wait: a game needs two."),
        "sizes-do-not-fit": _("These tables do not fit the people who are here now."),
        "bad-rule-table": _("The club's own table of numbers does not fit this many people."),
    }
    return sentences.get(refused.code, str(refused))


def _names(people: Sequence[int | str]) -> list[str]:
    found = Member.objects.in_bulk([int(one) for one in people])
    return [found[int(one)].name for one in people if int(one) in found]
