"""The planner in the club's terms: its rule for table sizes, and refusals that name its members."""

from contextlib import AbstractContextManager

from league.errors import pairing_refusals
from league.members.models import Club, Member
from league.pairing import PairingRefused
from league.pairing.seating import Composition, alternatives, composition
from league.seating.text import refusal_in_words


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


def planner_refusals() -> AbstractContextManager[None]:
    """Turn what the planner refuses in this block into what the site tells people."""
    return pairing_refusals(_with_names)


def _with_names(refused: PairingRefused) -> str:
    members = Member.objects.in_bulk([int(one) for one in refused.people])
    names = [members[int(one)].name for one in refused.people if int(one) in members]
    return refusal_in_words(refused, names)
