"""Adapter to the seating planner: the club's table sizes, and what the planner says in sentences:
refusals, broken constraints, and what a swap would change.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.members.models import Club, ClubRuleset, Member
from league.members.presets import name_with_changes
from league.pairing import PairingRefused
from league.pairing.seating import (
    Composition,
    SwapCost,
    Violation,
    alternatives,
    composition,
    large_alternatives,
)
from league.seating.models import Table
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
    """The name of the game played at tables of each of these sizes, with what the club changed, the
    largest first; one query.

    Empty where all play the same.
    """
    rules = sorted(_rulesets(club_session), key=lambda one: one.is_default, reverse=True)
    games = {one.players: one for one in rules}
    sizes_played = [
        (size, name_with_changes(games[size]))
        for size in sorted(set(sizes), reverse=True)
        if size in games
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


Names = Mapping[int | str, str]


def refusal_in_words(refused: PairingRefused, names: Sequence[str]) -> str:
    """The sentence for a planner's refusal; `names` are those of the people concerned."""
    sentences = {
        "constraints-contradict": _(
            "These tables can't meet every seating request about %(names)s."
        ),
        "too-many-players": _(
            "Up to %(most)d players can be seated together; %(players)d are checked in."
        ),
        "nobody-present": _("Nobody is waiting for a seat."),
        "one-player": _("One player has to wait: a game needs two."),
        "sizes-do-not-fit": _("These tables don't fit the players checked in now."),
        "too-few-for-policy": _(
            "The club's tables are too large for %(players)d players. Choose other tables."
        ),
        "bad-rule-table": _("The club's custom table sizes don't fit this many players."),
    }
    sentence = sentences.get(refused.code, _(refused.sentence))
    return sentence % {**refused.values, "names": ", ".join(names)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The effect of a swap in words. `tone` is good, even, warn or bad; `reasons` come worst first.

    `short` is for a name slip, `headline` for a sentence.
    """

    tone: str
    short: str
    headline: str
    reasons: tuple[str, ...]


def violations_in_words(violations: Sequence[Violation], names: Names) -> list[str]:
    """One sentence for each request that a plan breaks."""
    return [
        _violation_sentence(violation.kind, [names[person] for person in violation.people])
        for violation in violations
    ]


def _violation_sentence(kind: str, people: list[str]) -> str:
    first, second = people[0], people[-1]
    sentence = {
        "never": _("%(one)s and %(other)s should not meet, but are at the same table."),
        "fixed": _("%(one)s and %(other)s are a fixed pair, but are not partners."),
        "apart_partner": _("%(one)s and %(other)s should not be partners, but are."),
        "together": _("%(one)s and %(other)s asked for the same table, but sit apart."),
        "stays": _("%(one)s shouldn't change tables, but does."),
        "locked": _("%(one)s loses the locked seat."),
    }[kind]
    return sentence % {"one": first, "other": second}


def swap_in_words(swap_cost: SwapCost, names: Names) -> Verdict:
    """What a swap would change, for a preview."""
    drawbacks = violations_in_words(swap_cost.breaks, names)
    drawbacks += [_partners_again(pair, names) for pair in swap_cost.partners_again]
    if swap_cost.change.total >= 1:  # in a first round nobody is ahead of their turn
        drawbacks += [
            _small_table_sentence(person, names)
            for person, ahead in swap_cost.short_change[:1]
            if ahead > 0
        ]
    benefits = [
        _("%(wish)s No longer.") % {"wish": sentence}
        for sentence in violations_in_words(swap_cost.mends, names)
    ]
    benefits += [
        _("%(one)s and %(other)s are no longer partners again.")
        % {"one": names[first], "other": names[second]}
        for first, second, _times in swap_cost.partners_spared
    ]
    tone, headline = _headline(swap_cost)
    return Verdict(tone, _short_reason(swap_cost, tone), headline, (*drawbacks, *benefits))


def _headline(swap_cost: SwapCost) -> tuple[str, str]:
    change = swap_cost.change.total
    if swap_cost.breaks:
        return "bad", _("Against a seating request")
    if change <= -1:
        return "good", _("Fairer than now")
    if change < 1:
        return "even", _("No change in fairness")
    if change < 8:
        return "warn", _("A little less fair")
    return "bad", _("Less fair")


def _short_reason(swap_cost: SwapCost, tone: str) -> str:
    if swap_cost.breaks:
        return _("against a request")
    if swap_cost.partners_again:
        return _("partners again")
    if tone in ("warn", "bad") and swap_cost.short_change and swap_cost.short_change[0][1] > 0:
        return _("small table out of turn")
    return {
        "good": _("fairer"),
        "even": _("same fairness"),
        "warn": _("a little less fair"),
        "bad": _("less fair"),
    }[tone]


def _partners_again(pair: tuple[int | str, int | str, int], names: Names) -> str:
    first, second, times = pair
    people = {"one": names[first], "other": names[second]}
    if times >= 100:
        return _("%(one)s and %(other)s would be partners again tonight.") % people
    return _("%(one)s and %(other)s were partners earlier this season.") % people


def _small_table_sentence(person: int | str, names: Names) -> str:
    return _("%(one)s would sit at a small table before it is their turn.") % {"one": names[person]}


def shrunk_table_in_words(table: Table, leaver: Member) -> str:
    """What happens to a table that has not begun when a player leaves it."""
    facts = {"name": leaver.name, "n": table.number, "players": table.players}
    if not table.is_live:
        return _("%(name)s has left. Table %(n)d had only two players, so it is broken up.") % facts
    sentence = _(
        "%(name)s has left. Table %(n)d has not started, so it is now a table of %(players)d."
    )
    return sentence % facts
