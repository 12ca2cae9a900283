"""The end of a season: who goes up and down, which play-offs are due and which are recorded."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count

from league.ranking.team_league import ending_of, section_ties
from league.ranking.team_league.rules import LeagueRules
from league.teams.models import PlayOff, Team, TeamLeague, TeamMatch
from league.teams.queries import (
    MatchRecord,
    Tables,
    fixtures_of,
    match_records,
    play_offs_of,
    rules_of,
)
from league.teams.queries import tables_of as tables_now

RECORDED = ("play_off", "lot")
"""The tie-breaks by which a recorded order parts teams."""


@dataclass(frozen=True, slots=True)
class DuePlayOff:
    """A play-off that is still to be played: between `teams` level in a table, or between two for
    a place in the upper division."""

    kind: str
    teams: tuple[Team, ...]

    @property
    def key(self) -> str:
        """Tells it from any other that is due."""
        return ":".join([self.kind, *(team.public_id for team in self.teams)])

    @property
    def name(self) -> str:
        return " – ".join(team.name for team in self.teams)


def due_play_offs(league: TeamLeague) -> list[DuePlayOff]:
    """The play-offs of a league that are due now."""
    teams = list(league.teams.select_related("division"))
    tables = tables_now(league, teams, fixtures_of(league))
    return ending_shown(league, teams, tables, rules_of(league))["play_offs"]


def ending_shown(
    league: TeamLeague, teams: Sequence[Team], tables: Tables, rules: LeagueRules
) -> dict[str, Any]:
    """Who goes up and down, who plays off, who qualifies; as far as it is known."""
    by_name = {str(division or ""): table for division, table in tables.items()}
    ending = ending_of(by_name, rules, played_off(league, rules))
    by_key = {team.pk: team for team in teams}
    due = [(by_key[one], by_key[other]) for one, other in ending.due]
    moves = [DuePlayOff(PlayOff.Kind.MOVE.value, both) for both in due]
    return {
        "moves": [(by_key[move.team], move.source, move.target) for move in ending.moves],
        "due": due,
        "undecided": [by_key[one] for one in ending.undecided],
        "qualified": [(one.division, one.place, by_key[one.team]) for one in ending.qualified],
        "ties": [(by_key[one], by_key[other]) for one, other in section_ties(ending.qualified)],
        "play_offs": [*moves, *_level(tables, rules, by_key)],
    }


def played_off(league: TeamLeague, rules: LeagueRules) -> list[tuple[int, int]]:
    """The play-offs for a place in the upper division that are recorded, the winner first."""
    if not rules.moves:
        return []
    return [(play_off[0], play_off[-1]) for play_off in play_offs_of(league, PlayOff.Kind.MOVE)]


def _level(tables: Tables, rules: LeagueRules, teams: Mapping[int, Team]) -> list[DuePlayOff]:
    """Teams that share a place when all is played, where a play-off is to part them."""
    if not set(RECORDED) & set(rules.tie_breaks):
        return []
    due = []
    for table in tables.values():
        if table.open or not table.over:
            continue
        groups = groupby(table.playing, lambda line: line.rank)
        level = [[teams[line.who] for line in group] for _rank, group in groups]
        due += [DuePlayOff(PlayOff.Kind.LEVEL.value, tuple(x)) for x in level if len(x) > 1]
    return due


def recorded_play_offs(league: TeamLeague) -> list[tuple[PlayOff, list[Team]]]:
    """The play-offs of a league that are recorded, each with its teams in order. Three queries."""
    rows = league.play_offs.prefetch_related("places__team")
    return [(row, [place.team for place in row.places.all()]) for row in rows]


def matches_of(league: TeamLeague, due: DuePlayOff) -> list[MatchRecord]:
    """The matches in which the two teams of a play-off play it, the first first; several where the
    best of them counts."""
    matches = TeamMatch.objects.filter(league=league, home__in=due.teams, away__in=due.teams)
    two = Count("cup__places", distinct=True)
    listed = matches.exclude(cup=None).annotate(two=two).filter(two=2)
    return match_records(listed.select_related("home", "away", "cup").order_by("pk"), league)


def ahead_in(matches: Sequence[MatchRecord]) -> int | None:
    """The team that has won more of these matches; None for none."""
    won = Counter(match.met.winner for match in matches if match.met.winner is not None)
    most = won.most_common()
    level = len(most) > 1 and most[0][1] == most[1][1]
    return most[0][0] if most and not level else None
