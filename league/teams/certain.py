"""What is certain of each team of a table: champions, promoted, or what it can still reach."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from league.ranking.team_league import Ending, LeagueTable, Reach, ending_of, reaches
from league.ranking.team_league.rules import LeagueRules
from league.teams.models import Team, TeamDivision, TeamLeague
from league.teams.play_offs import played_off
from league.teams.queries import Tables
from league.teams.tables import Row, Statuses, rows_of


def ranked_divisions(
    league: TeamLeague, tables: Tables, teams: Sequence[Team], rules: LeagueRules
) -> list[tuple[TeamDivision | None, list[Row]]]:
    """The rows of each division, the highest first, with what is certain of each team. Two queries
    more once a division that teams move from or to is over."""
    ended = _ended(league, tables, rules)
    return [
        (
            division,
            rows_of(
                table,
                teams,
                statuses(table, rules, str(division or ""), sections=league.sections, ended=ended),
            ),
        )
        for division, table in tables.items()
    ]


@dataclass(frozen=True, slots=True)
class Ended:
    """What followed from final tables, and the play-offs for a place, each with its winner
    first."""

    ending: Ending
    played_off: Sequence[tuple[int, int]] = ()


def _ended(league: TeamLeague, tables: Tables, rules: LeagueRules) -> Ended | None:
    if not rules.moves or all(table.open or not table.over for table in tables.values()):
        return None
    by_name = {str(division or ""): table for division, table in tables.items()}
    recorded = played_off(league, rules)
    return Ended(ending_of(by_name, rules, recorded), recorded)


def statuses(
    table: LeagueTable,
    rules: LeagueRules,
    division: str,
    *,
    sections: bool = False,
    ended: Ended | None = None,
) -> dict[int, Statuses]:
    """What is certain of each team that plays on, by points alone whatever the tie-breaks say;
    nothing of anybody while no match is played: then everybody can still do everything. Of a
    division that is over, what has come of it (`ended`)."""
    if not any(record.played for record in table.records.values()):
        return {}
    line = _Line(table, rules, division, sections=sections or rules.sections is not None)
    if table.open:
        return {team: line.of(reach) for team, reach in reaches(table, rules).items()}
    return {
        team: _at_the_end(team, line.of(reach), rules, ended)
        for team, reach in _places_shared(table).items()
    }


def _places_shared(table: LeagueTable) -> dict[int, Reach]:
    """The first and the last of the places that a team shares in a final table."""
    level = Counter(line.rank for line in table.playing)
    return {x.who: Reach(x.rank, x.rank + level[x.rank] - 1) for x in table.playing}


class _Line:
    """The places of a division up to which teams rise, and from which they fall."""

    def __init__(
        self, table: LeagueTable, rules: LeagueRules, division: str, *, sections: bool
    ) -> None:
        down = next((move for move in rules.moves if move.upper == division), None)
        gone = len(table.struck) + len(table.left)
        self.first = "first" if sections else "champions"
        self.up = next((move.up for move in rules.moves if move.lower == division), 0)
        self.falls = down is not None
        self.stay = len(table.playing) - (max(0, down.down - gone) if down else 0)
        self.safe = self.stay - (down.play_off if down else 0)

    def of(self, reach: Reach) -> Statuses:
        """What the places a team can still take make certain of it."""
        best, worst = reach.best or 0, reach.worst or NO_CLAIM
        if self.falls and self.safe < best and worst <= self.stay:
            return ("plays_off",)
        if worst == 1:
            return (self.first, "promoted") if self.up else (self.first,)
        ladder = (
            (worst <= self.up, "promoted"),
            (self.falls and best > self.safe, "in_danger"),
            (best == 1, "can_win"),
            (0 < best <= self.up, "can_go_up"),
            (self.falls and worst <= self.safe, "safe"),
        )
        return next(((status,) for holds, status in ladder if holds), ())


OPEN = ("can_win", "can_go_up")


def _at_the_end(team: int, known: Statuses, rules: LeagueRules, ended: Ended | None) -> Statuses:
    """What has come of a team: its move, its play-off; else what its place says."""
    known = tuple(one for one in known if one not in OPEN)
    if ended is None:
        return known
    first = tuple(one for one in known if one in ("champions", "first"))
    moved = next((move for move in ended.ending.moves if move.team == team), None)
    if moved is not None:
        risen = any(
            (move.lower, move.upper) == (moved.source, moved.target) for move in rules.moves
        )
        return (*first, "promoted" if risen else "relegated")
    if team in ended.ending.undecided:
        return (*first, "undecided")
    if any(team == above for above, _below in ended.ending.due):
        return (*first, "plays_off")
    if any(team == below for _above, below in ended.ending.due):
        return (*first, "plays_off_up")
    lost = [loser for _winner, loser in ended.played_off]
    if team in lost:
        return (*first, "lost_play_off")
    return tuple("safe" if one == "plays_off" else one for one in known)


NO_CLAIM = 1_000_000
"""Instead of a worst place where none is certain: below every place there is."""
