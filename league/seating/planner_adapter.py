"""Adapter to the seating planner: the club's table sizes, and refusals that name members."""

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
"""The Nanaimo table of sizes, which the policy `club` follows, ends at this many players."""


def rule_for(club: Club, people: int, policy: str = "") -> Composition:
    """The tables for this many people by `policy`, or by the club's own.

    Refuses fewer than two people, and policies whose tables are too large for them. Beyond the
    printed table, tables of two are used only where fours and threes cannot seat everyone.
    """
    policy = policy or club.seating_policy
    with planner_refusals():
        if policy == Club.SeatingPolicy.OWN:
            own_sizes = {int(n): tuple(sizes) for n, sizes in club.seating_table.items()}
            return composition(people, table=own_sizes)
        if policy == Club.SeatingPolicy.CLUB and people > PRINTED:
            policy = Club.SeatingPolicy.NO_TWOS
        return composition(people, policy)


def choices_for(club_session: Session, people: int) -> list[Composition]:
    """The table sizes an organiser may choose, the session's rule first; none below two people.

    Only sizes that the club has house rules for. One query.
    """
    if people < 2:
        return []
    rule = _session_tables(club_session, people)
    sizes = _sizes_with_rules(club_session)
    usual = alternatives(people)
    compositions = dict.fromkeys((rule or usual[0], *large_alternatives(people, sizes), *usual))
    return [tables for tables in compositions if sizes.issuperset(tables.sizes)]


def alternative_policies(
    club_session: Session, people: int, choices: Sequence[Composition]
) -> list[tuple[str, Composition]]:
    """Other policies, with their tables, where the session's own is not among its `choices`.

    Of policies with the same tables only the first is listed.
    """
    rule = _session_tables(club_session, people)
    if people < 2 or (rule and rule in choices):
        return []
    sizes = _sizes_with_rules(club_session)
    policy_by_tables: dict[Composition, str] = {}
    for policy in Club.SeatingPolicy.values:
        tables = _session_tables(club_session, people, policy)
        if tables and sizes.issuperset(tables.sizes):
            policy_by_tables.setdefault(tables, policy)
    return [(policy, tables) for tables, policy in policy_by_tables.items()]


def sizes_without_rules(club_session: Session) -> list[int]:
    """The table sizes that the session's rule uses for some number of players, but that have no
    house rules. One query."""
    compositions = (_session_tables(club_session, people) for people in _PLAYER_COUNTS)
    used_sizes = {size for tables in compositions if tables for size in tables.sizes}
    return sorted(used_sizes - _sizes_with_rules(club_session))


_PLAYER_COUNTS = range(8, 41)  # every size that a rule uses comes up among these


def _session_tables(club_session: Session, people: int, policy: str = "") -> Composition | None:
    """The tables by `policy`, or by the session's own; None where it seats nobody."""
    try:
        tables = rule_for(club_session.club, people, policy or club_session.seating_policy)
    except Refused:
        return None
    return tables if tables.sizes else None


def games_for(club_session: Session, sizes: Sequence[int]) -> list[tuple[int, str]]:
    """The name of the game played at tables of each of these sizes, the largest first; one query.

    Empty where all play the same.
    """
    rules = list(_rulesets(club_session).values_list("is_default", "players", "name"))
    games = {players: name for _usual, players, name in sorted(rules, reverse=True)}
    sizes_played = [
        (size, games[size]) for size in sorted(set(sizes), reverse=True) if size in games
    ]
    return sizes_played if len(sizes_played) > 1 else []


def _sizes_with_rules(club_session: Session) -> set[int]:
    return set(_rulesets(club_session).values_list("players", flat=True))


def _rulesets(club_session: Session) -> QuerySet[ClubRuleset]:
    """The session's own rulesets and the club's default ones."""
    is_chosen = Q(pk__in=club_session.rulesets.values("pk"))
    return club_session.club.rulesets.filter(is_chosen | Q(is_default=True))


def planner_refusals() -> AbstractContextManager[None]:
    """Turn the planner's refusals in this block into `Refused`, with the members' names."""
    return pairing_refusals(_refusal_with_names)


def _refusal_with_names(refused: PairingRefused) -> str:
    members = Member.objects.in_bulk([int(person) for person in refused.people])
    names = [members[int(person)].name for person in refused.people if int(person) in members]
    return refusal_in_words(refused, names)
