"""The end of a season: promotion and relegation, play-offs that are due or recorded."""

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
from league.teams.queries import tables_of as league_tables

RECORDED = ("play_off", "lot")
"""The tie-breaks whose result an organiser records."""


@dataclass(frozen=True, slots=True)
class DuePlayOff:
    """A play-off that is still to be recorded: between `teams` that are level in a table, or
    between two teams for a place in the upper division."""

    kind: str
    teams: tuple[Team, ...]

    @property
    def key(self) -> str:
        """Identifies the play-off among those that are due."""
        return ":".join([self.kind, *(team.public_id for team in self.teams)])

    @property
    def name(self) -> str:
        return " – ".join(team.name for team in self.teams)


def due_play_offs(league: TeamLeague) -> list[DuePlayOff]:
    """The play-offs of a league that are due."""
    teams = list(league.teams.select_related("division"))
    tables = league_tables(league, teams, fixtures_of(league))
    return ending_shown(league, teams, tables, rules_of(league))["play_offs"]


def ending_shown(
    league: TeamLeague, teams: Sequence[Team], tables: Tables, rules: LeagueRules
) -> dict[str, Any]:
    """Who is promoted or relegated, who plays off and who qualifies, as far as is known."""
    by_name = {str(division or ""): table for division, table in tables.items()}
    ending = ending_of(by_name, rules, recorded_promotion_play_offs(league, rules))
    by_key = {team.pk: team for team in teams}
    due = [(by_key[upper], by_key[lower]) for upper, lower in ending.due]
    moves = [DuePlayOff(PlayOff.Kind.MOVE.value, pair) for pair in due]
    return {
        "moves": [(by_key[move.team], move.source, move.target) for move in ending.moves],
        "due": due,
        "undecided": [by_key[key] for key in ending.undecided],
        "qualified": [(q.division, q.place, by_key[q.team]) for q in ending.qualified],
        "ties": [(by_key[home], by_key[away]) for home, away in section_ties(ending.qualified)],
        "play_offs": [*moves, *_level_play_offs(tables, rules, by_key)],
    }


def recorded_promotion_play_offs(league: TeamLeague, rules: LeagueRules) -> list[tuple[int, int]]:
    """The recorded play-offs for a place in the upper division, as (winner, loser)."""
    if not rules.moves:
        return []
    return [(play_off[0], play_off[-1]) for play_off in play_offs_of(league, PlayOff.Kind.MOVE)]


def _level_play_offs(
    tables: Tables, rules: LeagueRules, teams: Mapping[int, Team]
) -> list[DuePlayOff]:
    """The play-offs due between teams that share a place in a final table."""
    if not set(RECORDED) & set(rules.tie_breaks):
        return []
    due = []
    for table in tables.values():
        if table.open or not table.over:
            continue
        groups = groupby(table.playing, lambda line: line.rank)
        tied_teams = [[teams[line.who] for line in group] for _rank, group in groups]
        due += [
            DuePlayOff(PlayOff.Kind.LEVEL.value, tuple(tied))
            for tied in tied_teams
            if len(tied) > 1
        ]
    return due


def recorded_play_offs(league: TeamLeague) -> list[tuple[PlayOff, list[Team]]]:
    """The recorded play-offs of a league, each with its teams in order. Three queries."""
    rows = league.play_offs.prefetch_related("places__team")
    return [(row, [place.team for place in row.places.all()]) for row in rows]


def play_off_matches(league: TeamLeague, due: DuePlayOff) -> list[MatchRecord]:
    """The matches of a play-off between two teams, in order; several in a best-of series."""
    matches = TeamMatch.objects.filter(league=league, home__in=due.teams, away__in=due.teams)
    n_teams = Count("cup__places", distinct=True)
    listed = matches.exclude(cup=None).annotate(n_teams=n_teams).filter(n_teams=2)
    return match_records(listed.select_related("home", "away", "cup").order_by("pk"), league)


def series_leader(matches: Sequence[MatchRecord]) -> int | None:
    """The team that has won more of these matches than any other; None if there is none."""
    wins = Counter(match.met.winner for match in matches if match.met.winner is not None)
    ranked = wins.most_common()
    is_level = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return ranked[0][0] if ranked and not is_level else None
