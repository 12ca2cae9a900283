"""Promotion and relegation: what is certain of each team of a table, and play-offs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from league.ranking.team_league import (
    Ending,
    LeagueTable,
    Reach,
    cannot_lead,
    ending_of,
    reaches,
    section_ties,
)
from league.ranking.team_league.rules import LeagueRules
from league.teams.models import PlayOff, Team, TeamDivision, TeamLeague, TeamMatch
from league.teams.queries import (
    RECORDED,
    MatchRecord,
    Tables,
    card_play_offs,
    fixtures_of,
    match_records,
    play_offs_of,
    rules_of,
)
from league.teams.queries import tables_of as league_tables
from league.teams.tables import Row, Statuses, match_shown, rows_of
from league.teams.text import moved_line


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
        if not (table.is_final and table.over):
            continue
        groups = groupby(table.playing, lambda line: line.rank)
        tied_teams = [[teams[line.who] for line in group] for _rank, group in groups]
        due += [
            DuePlayOff(PlayOff.Kind.LEVEL.value, tuple(tied))
            for tied in tied_teams
            if len(tied) > 1
        ]
    return due


@dataclass(frozen=True, slots=True)
class PlayOffShown:
    """A play-off that is decided, its teams in order: by the cards of its `matches`, each with its
    result, or else as it was `recorded`."""

    kind: str
    teams: list[Team]
    recorded: PlayOff | None = None
    matches: Sequence[tuple[TeamMatch, str]] = ()


def play_offs_shown(league: TeamLeague, teams: Iterable[Team]) -> list[PlayOffShown]:
    """The play-offs of a league that are decided. At most five queries."""
    by_key, decided = {team.pk: team for team in teams}, card_play_offs(league)
    by_card = [set(one.order) for one in decided]
    listed = [
        PlayOffShown(row.get_kind_display(), order, row)
        for row, order in recorded_play_offs(league)
        if {team.pk for team in order} not in by_card
    ]
    return listed + [
        PlayOffShown(
            str(PlayOff.Kind(one.kind).label),
            [by_key[key] for key in one.order],
            matches=[(m.match, moved_line(match_shown(m))) for m in one.matches],
        )
        for one in decided
    ]


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


def awaited_play_offs(
    league: TeamLeague, teams: Sequence[Team], tables: Tables, rules: LeagueRules
) -> list[str]:
    """The play-offs due without a match on a day, by name; none once the league is closed."""
    due = [] if league.is_closed else ending_shown(league, teams, tables, rules)["play_offs"]
    return [
        one.name for one in due if not any(m.match.held_on for m in play_off_matches(league, one))
    ]


def series_leader(matches: Sequence[MatchRecord]) -> int | None:
    """The team that has won more of these matches than any other; None if there is none."""
    wins = Counter(match.met.winner for match in matches if match.met.winner is not None)
    ranked = wins.most_common()
    is_level = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return ranked[0][0] if ranked and not is_level else None


def ranked_divisions(
    league: TeamLeague, tables: Tables, teams: Sequence[Team], rules: LeagueRules
) -> list[tuple[TeamDivision | None, list[Row]]]:
    """The rows of each division, the highest first, with what is certain of each team, and whether
    it plays off against teams level with it. Makes two more queries once a division with promotion
    or relegation is over."""
    outcome = _outcome(league, tables, rules)
    level_play_offs = _level_play_offs(tables, rules, {team.pk: team for team in teams})
    tied = set() if league.is_closed else {t.pk for due in level_play_offs for t in due.teams}
    divisions = []
    for division, table in tables.items():
        certain = statuses(
            table, rules, str(division or ""), sections=league.sections, outcome=outcome
        )
        for team in tied & table.records.keys():
            certain[team] = (*certain.get(team, ()), "plays_off")
        divisions.append((division, rows_of(table, teams, certain)))
    return divisions


def leaders_of(league: TeamLeague) -> dict[str, str]:
    """The teams in the first place of each final table, by division."""
    teams = {team.pk: team.name for team in league.teams.all()}
    tables = league_tables(league, league.teams.all(), fixtures_of(league))
    return {
        str(division or ""): ", ".join(teams[x.who] for x in table.playing if x.rank == 1)
        for division, table in tables.items()
        if table.is_final and table.over
    }


def saved_text(league: TeamLeague, before: Mapping[str, str]) -> str:
    """What to say after the rules of a league are saved: also who is first now, if that changed
    from `before`."""
    changed = [names for name, names in leaders_of(league).items() if before.get(name) != names]
    if not changed:
        return _("Saved.")
    return _("Saved. In first place now: %(teams)s.") % {"teams": ", ".join(changed)}


def winners_of(
    divisions: Sequence[tuple[TeamDivision | None, list[Row]]],
) -> list[tuple[TeamDivision | None, list[Row]]]:
    """The first three teams of each final table; none while a card is still to be confirmed."""
    return [
        (division, [] if any(row.record.provisional for row in rows) else _first_three(rows))
        for division, rows in divisions
        if any(row.has_begun for row in rows)
    ]


def _first_three(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if 0 < row.rank <= 3 and row.team.withdrawn_at is None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows from the final tables, and the recorded play-offs for a place in a division,
    each as (winner, loser)."""

    ending: Ending
    played_off: Sequence[tuple[int, int]] = ()


def _outcome(league: TeamLeague, tables: Tables, rules: LeagueRules) -> Outcome | None:
    if not rules.moves or not any(table.is_final and table.over for table in tables.values()):
        return None
    by_name = {str(division or ""): table for division, table in tables.items()}
    recorded = recorded_promotion_play_offs(league, rules)
    return Outcome(ending_of(by_name, rules, recorded), recorded)


def statuses(
    table: LeagueTable,
    rules: LeagueRules,
    division: str,
    *,
    sections: bool = False,
    outcome: Outcome | None = None,
) -> dict[int, Statuses]:
    """What is certain of each team that has not left, judged by points alone, without tie-breaks.

    For a division that is over it says what became of each team, according to the `outcome`. Empty
    before the first match, and while a card is still to be confirmed.
    """
    records = table.records.values()
    if not any(record.played for record in records) or any(r.provisional for r in records):
        return {}
    borders = _Borders(table, rules, division, sections=sections or rules.sections is not None)
    if table.open:
        behind = cannot_lead(table, rules)
        return {
            team: borders.status(reach) + (("behind",) if team in behind else ())
            for team, reach in reaches(table, rules).items()
        }
    return {
        team: _final_status(team, borders.status(reach), rules, outcome)
        for team, reach in _final_reach(table).items()
    }


def _final_reach(table: LeagueTable) -> dict[int, Reach]:
    """The best and worst place of each team in a final table: they differ for tied teams."""
    teams_at_rank = Counter(line.rank for line in table.playing)
    return {
        line.who: Reach(line.rank, line.rank + teams_at_rank[line.rank] - 1)
        for line in table.playing
    }


class _Borders:
    """The places of a division that mean promotion, safety, a play-off or relegation."""

    def __init__(
        self, table: LeagueTable, rules: LeagueRules, division: str, *, sections: bool
    ) -> None:
        down = next((move for move in rules.moves if move.upper == division), None)
        n_withdrawn = len(table.struck) + len(table.left)
        self.first_status = "first" if sections else "champions"
        self.last_promoted = next((move.up for move in rules.moves if move.lower == division), 0)
        self.has_relegation = down is not None
        self.last_staying = len(table.playing) - (max(0, down.down - n_withdrawn) if down else 0)
        self.last_safe = self.last_staying - (down.play_off if down else 0)

    def status(self, reach: Reach) -> Statuses:
        """What is certain of a team, from the best and the worst place that it can still reach."""
        best, worst = reach.best or 0, reach.worst or NO_CLAIM
        if self.has_relegation and self.last_safe < best and worst <= self.last_staying:
            return ("plays_off",)
        if worst == 1:
            return (self.first_status, "promoted") if self.last_promoted else (self.first_status,)
        ladder = (
            (worst <= self.last_promoted, "promoted"),
            (self.has_relegation and best > self.last_safe, "in_danger"),
            (self.has_relegation and worst <= self.last_safe, "safe"),
        )
        return next(((status,) for holds, status in ladder if holds), ())


def _final_status(
    team: int, certain: Statuses, rules: LeagueRules, outcome: Outcome | None
) -> Statuses:
    """The outcome for a team: its move or its play-off, or else what its place says."""
    if outcome is None:
        return certain
    first = tuple(status for status in certain if status in ("champions", "first"))
    own_move = next((move for move in outcome.ending.moves if move.team == team), None)
    if own_move is not None:
        is_promotion = any(
            (move.lower, move.upper) == (own_move.source, own_move.target) for move in rules.moves
        )
        return (*first, "promoted" if is_promotion else "relegated")
    if play_off_status := _play_off_status(team, outcome):
        return (*first, play_off_status)
    return tuple("safe" if status == "plays_off" else status for status in certain)


def _play_off_status(team: int, outcome: Outcome) -> str:
    """How a team is involved in play-offs for a place in a division; "" if it is not."""
    if team in outcome.ending.undecided:
        return "undecided"
    if any(team == above for above, _below in outcome.ending.due):
        return "plays_off"
    if any(team == below for _above, below in outcome.ending.due):
        return "plays_off_up"
    if any(team == loser for _winner, loser in outcome.played_off):
        return "lost_play_off"
    return ""


NO_CLAIM = 1_000_000
"""Stands for an unknown worst place: below every place in a table."""
