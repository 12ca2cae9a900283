"""The planner in the club's terms: its rule for table sizes, and refusals that name its members."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from django.db.models import Q, QuerySet

from league.errors import Refused, pairing_refusals
from league.members.models import Club, ClubRuleset, Member
from league.pairing import PairingRefused
from league.pairing.seating import Composition, alternatives, composition, large_alternatives
from league.seating.text import refusal_in_words
from league.sessions.models import Session

PRINTED = 12
"""The Nanaimo table of sizes, which the rule `club` follows, is printed to so many players."""


def rule_for(club: Club, people: int, policy: str = "") -> Composition:
    """The tables for so many people by `policy`, or the club's own rule; Refused for fewer than
    two, and for a rule with tables too large for them.

    Beyond the printed table nobody is put at a table of two where fours and threes seat everyone.
    """
    policy = policy or club.seating_policy
    with planner_refusals():
        if policy == Club.SeatingPolicy.OWN:
            own = {int(n): tuple(sizes) for n, sizes in club.seating_table.items()}
            return composition(people, table=own)
        if policy == Club.SeatingPolicy.CLUB and people > PRINTED:
            policy = Club.SeatingPolicy.NO_TWOS
        return composition(people, policy)


def choices_for(club_session: Session, people: int) -> list[Composition]:
    """What an organiser may choose from, the session's rule first; nothing for fewer than two.

    Only tables that the club has house rules for. One query.
    """
    if people < 2:
        return []
    rule = _rule_of(club_session, people)
    sizes = _sizes_with_rules(club_session)
    usual = alternatives(people)
    ways = dict.fromkeys((rule or usual[0], *large_alternatives(people, sizes), *usual))
    return [one for one in ways if sizes.issuperset(one.sizes)]


def policies_instead(
    club_session: Session, people: int, choices: Sequence[Composition]
) -> list[tuple[str, Composition]]:
    """Where the session's rule is not among its `choices`: the policies that are, with their
    tables; of policies with the same tables only the first."""
    rule = _rule_of(club_session, people)
    if people < 2 or (rule and rule in choices):
        return []
    sizes = _sizes_with_rules(club_session)
    by_way: dict[Composition, str] = {}
    for policy in Club.SeatingPolicy.values:
        way = _rule_of(club_session, people, policy)
        if way and sizes.issuperset(way.sizes):
            by_way.setdefault(way, policy)
    return [(policy, way) for way, policy in by_way.items()]


def sizes_without_rules(club_session: Session) -> list[int]:
    """The sizes of table that the session's rule comes to for some number of players, and that
    have no house rules. One query."""
    ways = (_rule_of(club_session, people) for people in _EVENINGS)
    used = {size for way in ways if way for size in way.sizes}
    return sorted(used - _sizes_with_rules(club_session))


_EVENINGS = range(8, 41)  # players: every size that a rule uses comes up among these


def _rule_of(club_session: Session, people: int, policy: str = "") -> Composition | None:
    """The tables by `policy`, or the session's; None where it has none for so few, or seats
    nobody."""
    try:
        way = rule_for(club_session.club, people, policy or club_session.seating_policy)
    except Refused:
        return None
    return way if way.sizes else None


def games_for(club_session: Session, sizes: Sequence[int]) -> list[tuple[int, str]]:
    """The name of the game that tables of each of these sizes play, the largest first; one query.
    Nothing where all play the same."""
    rules = list(_rules(club_session).values_list("is_default", "players", "name"))
    games = {players: name for _usual, players, name in sorted(rules, reverse=True)}
    sizes_played = [
        (size, games[size]) for size in sorted(set(sizes), reverse=True) if size in games
    ]
    return sizes_played if len(sizes_played) > 1 else []


def _sizes_with_rules(club_session: Session) -> set[int]:
    return set(_rules(club_session).values_list("players", flat=True))


def _rules(club_session: Session) -> QuerySet[ClubRuleset]:
    """The session's own rulesets and the club's usual ones."""
    chosen = Q(pk__in=club_session.rulesets.values("pk"))
    return club_session.club.rulesets.filter(chosen | Q(is_default=True))


def planner_refusals() -> AbstractContextManager[None]:
    """Turn what the planner refuses in this block into what the site tells people."""
    return pairing_refusals(_with_names)


def _with_names(refused: PairingRefused) -> str:
    members = Member.objects.in_bulk([int(person) for person in refused.people])
    names = [members[int(person)].name for person in refused.people if int(person) in members]
    return refusal_in_words(refused, names)
