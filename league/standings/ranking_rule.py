"""What standings rank by, decided by the kinds of tables that are played."""

from collections import defaultdict
from collections.abc import Sequence, Set

from django.db.models import QuerySet

from league.members.models import ClubRuleset
from league.play.models import Game, Result
from league.ranking.measures import Measure, compare_games, ordered
from league.seating.models import Table
from league.sessions.models import Session

Kind = tuple[int, str]
"""The kind of a table: its size, and the scoring scale of its rules (`ClubRuleset.scale`)."""


def is_mixed(kinds: Set[Kind]) -> bool:
    """Whether tables differ in size."""
    return len({size for size, _scale in kinds}) > 1


def is_across_games(kinds: Set[Kind]) -> bool:
    """Whether different games are played, whose points do not compare."""
    return len({scale for _size, scale in kinds}) > 1


def kinds_of_tables(
    results: QuerySet[Result], tables: QuerySet[Table] | None = None
) -> dict[int, set[Kind]]:
    """The kinds of tables by session: where these results are from, and those of `tables` that are
    still to be played, so that publishing settles the ranking and not the first hand at a table."""
    played = results.order_by().values_list("session", "players", "game__ruleset").distinct()
    if tables is not None:
        to_play = tables.filter(is_live=True, session__state=Session.State.OPEN)
        to_play = to_play.exclude(games__state=Game.State.ABANDONED).order_by()
        played = played.union(to_play.values_list("session", "players", "ruleset"))
    rows = list(played)
    keys = {ruleset for _session, _size, ruleset in rows}
    rulesets = ClubRuleset.objects.in_bulk(keys) if len(keys) > 1 else {}
    kinds: dict[int, set[Kind]] = defaultdict(set)
    for session, size, ruleset in rows:
        kinds[session].add((size, rulesets[ruleset].scale if rulesets else ""))
    return kinds


def measures_for(*lists: Sequence[str], kinds: Set[Kind]) -> tuple[Measure, ...]:
    """The measures that standings rank by: the first list that is set, else the usual ones for
    these kinds of tables."""
    measures = ordered(*lists, mixed=len(kinds) > 1)
    return compare_games(measures) if is_across_games(kinds) else measures
