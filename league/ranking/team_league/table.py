"""The table of a league of teams by its rules, and its leading players and pairs."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import combinations
from typing import Any

from league.ranking.tables import Decision, Line, Note
from league.ranking.team_league.match import (
    AWAY,
    HOME,
    LeagueMatch,
    SideResult,
    counting_matches,
    side_result,
    voided_teams,
)
from league.ranking.team_league.rules import LeagueRules

POINTS = "league_points"
NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Record:
    """A team's totals over its matches: games `won` and `lost`, points `own` and `theirs` in them.

    `points` are the league points: `earned`, of which `awarded` for walk-overs, minus `deducted`.
    The latter includes `late`, for late cards, and manual deductions; it is negative where manual
    corrections add points. `form` are the results by day of play, then in the order of the matches.
    Without `points_known`, `own` and `theirs` are incomplete, so they break no ties.
    """

    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    won: Fraction = NOTHING
    lost: Fraction = NOTHING
    own: int = 0
    theirs: int = 0
    walkovers: int = 0
    away_wins: int = 0
    earned: Fraction = NOTHING
    awarded: Fraction = NOTHING
    deducted: Fraction = NOTHING
    late: Fraction = NOTHING
    provisional: int = 0
    form: tuple[str, ...] = ()
    points_known: bool = True

    @property
    def points(self) -> Fraction:
        return self.earned - self.deducted


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """Every team ranked, with its record.

    `struck` are teams that left and whose matches are void; `left` are teams that left but keep
    their results, ranked below all that still play. `open` are the matches still to be played,
    `over` those that count. `before` are the ranks before the last round, if a caller has looked
    them up.
    """

    lines: list[Line]
    records: dict[int, Record]
    struck: frozenset[int] = field(default_factory=frozenset)
    left: frozenset[int] = field(default_factory=frozenset)
    open: tuple[LeagueMatch, ...] = ()
    over: tuple[LeagueMatch, ...] = ()
    before: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        """Whether every match is played and every card confirmed."""
        return not self.open and not any(record.provisional for record in self.records.values())

    @property
    def playing(self) -> list[Line]:
        """The lines of the teams that have not left."""
        return [line for line in self.lines if line.who not in self.left]

    @property
    def has_deductions(self) -> bool:
        """Whether points are deducted from any team."""
        return any(record.deducted for record in self.records.values())


def league_table(
    teams: Sequence[int],
    matches: Collection[LeagueMatch],
    rules: LeagueRules,
    *,
    deducted: Mapping[int, Fraction | int] | None = None,
    gone: Mapping[int, date | None] | None = None,
    orders: Sequence[Sequence[int]] = (),
) -> LeagueTable:
    """The table of these teams after these matches.

    `deducted` are manual deductions of points; `gone` maps teams that left to the day on which they
    did. `orders` are results of play-offs or random draws between level teams, best first: the
    latest that includes all teams of a tie decides it.
    """
    gone = {team: day for team, day in (gone or {}).items() if team in teams}
    voided = voided_teams(matches, gone, rules.withdrawal)
    counting = counting_matches(matches, gone, rules.withdrawal)
    finished = [match for match in counting if match.over]
    records = {
        team: record_of(team, finished, rules, deducted=(deducted or {}).get(team, 0))
        for team in teams
    }
    departed = frozenset(gone) - voided
    ranking = _Ranking(records, finished, rules, orders)
    lines = ranking.lines([team for team in teams if team not in gone], 1)
    lines += ranking.lines([team for team in teams if team in departed], len(lines) + 1)
    open_matches = tuple(match for match in counting if not match.over)
    return LeagueTable(lines, records, voided, departed, open_matches, tuple(finished))


def record_of(
    team: int, matches: Collection[LeagueMatch], rules: LeagueRules, *, deducted: Fraction | int = 0
) -> Record:
    """The totals of one team over its matches."""
    own_matches = [match for match in matches if team in match.teams]
    own_matches.sort(key=lambda match: match.held_on or match.day or date.min)
    results = [side_result(match, match.teams.index(team), rules) for match in own_matches]
    form = tuple(result.result for result in results)
    late = sum((result.late for result in results), NOTHING)
    return Record(
        played=len(results),
        wins=form.count("won"),
        draws=form.count("drawn"),
        losses=form.count("lost"),
        won=sum((result.games[0] for result in results), NOTHING),
        lost=sum((result.games[1] for result in results), NOTHING),
        own=sum(result.points[0] for result in results),
        theirs=sum(result.points[1] for result in results),
        walkovers=sum(result.conceded for result in results),
        away_wins=sum(result.away and result.result == "won" for result in results),
        earned=sum((result.earned for result in results), NOTHING),
        awarded=_awarded(own_matches, results),
        deducted=late + deducted,
        late=late,
        provisional=sum(result.provisional for result in results),
        form=form,
        points_known=all(match.points_known for match in own_matches),
    )


def _awarded(matches: Collection[LeagueMatch], results: Collection[SideResult]) -> Fraction:
    """The league points of one team for walk-overs."""
    pairs = zip(matches, results, strict=True)
    return sum((result.earned for match, result in pairs if match.is_walkover), NOTHING)


def split_record(
    team: int, matches: Collection[LeagueMatch], rules: LeagueRules
) -> tuple[Record, Record]:
    """A team's home record and away record; neither includes manual deductions."""
    return (
        record_of(team, [match for match in matches if match.home == team], rules),
        record_of(team, [match for match in matches if match.away == team], rules),
    )


FIGURES: dict[str, Callable[[Record], Fraction]] = {
    "games_won": lambda record: record.won,
    "game_difference": lambda record: record.won - record.lost,
    "points_difference": lambda record: Fraction(record.own - record.theirs),
    "points_for": lambda record: Fraction(record.own),
    "matches_won": lambda record: Fraction(record.wins),
    "away_wins": lambda record: Fraction(record.away_wins),
    "fewest_walkovers": lambda record: -Fraction(record.walkovers),
}
PARTS: dict[str, Callable[[Record], tuple[Fraction, ...]]] = {
    "game_difference": lambda record: (record.won, record.lost),
    "points_difference": lambda record: (Fraction(record.own), Fraction(record.theirs)),
}
BY_POINTS = ("points_difference", "points_for", "head_to_head_points")
"""Tie-breaks that are skipped where the points of some games are not known."""
HEAD_TO_HEAD = ("head_to_head", "head_to_head_games", "head_to_head_points")
RECORDED = ("play_off", "lot")


@dataclass(frozen=True, slots=True)
class _Figures:
    """The figures of a tie-break for a group of level teams; higher is better."""

    figures: dict[int, Fraction]
    sums: dict[int, tuple[Fraction, ...]]
    note: Note | None = None


@dataclass(slots=True)
class _Ranking:
    records: Mapping[int, Record]
    matches: Sequence[LeagueMatch]
    rules: LeagueRules
    orders: Sequence[Sequence[int]]

    def lines(self, teams: Sequence[int], first: int) -> list[Line]:
        """The lines of these teams, best first, with places from `first` on."""
        lines: list[Line] = []
        by_points: dict[Fraction, list[int]] = {}
        for team in sorted(teams):
            by_points.setdefault(self.records[team].points, []).append(team)
        for points in sorted(by_points, reverse=True):
            level_on = ((POINTS, points),)
            start = {team: Line(team, 0, False, {}) for team in by_points[points]}
            for group in self._split_ties(start, self.rules.tie_breaks, level_on):
                place = first + len(lines)
                lines += [
                    replace(line, rank=place, shared=len(group) > 1, values={POINTS: points})
                    for line in group
                ]
        return lines

    def _split_ties(
        self,
        group: dict[int, Line],
        breaks: tuple[str, ...],
        level: tuple[tuple[str, Fraction], ...],
    ) -> list[list[Line]]:
        """The group from best to worst, as lists of teams still level after all tie-breaks."""
        if len(group) < 2 or not breaks:
            return [list(group.values())] if group else []
        code, later_breaks = breaks[0], breaks[1:]
        compared = self._figures(code, list(group))
        steps = sorted(set(compared.figures.values()), reverse=True)
        if compared.note is not None:
            note = compared.note
            group = {team: replace(line, notes=(*line.notes, note)) for team, line in group.items()}
        if len(steps) < 2:
            return self._split_ties(group, later_breaks, self._extend_level(level, code, steps))
        next_breaks = self._next_tie_breaks(code, breaks)
        subgroups = []
        for place, step in enumerate(steps):
            above = steps[place - 1] if place else None
            below = steps[place + 1] if place + 1 < len(steps) else None
            better, worse = (
                tuple(team for team, value in compared.figures.items() if value == figure)
                for figure in (above, below)
            )
            subgroup = {}
            for team in (team for team in group if compared.figures[team] == step):
                sums = compared.sums.get(team, ())
                decision = Decision(code, step, above, below, level, sums, better, worse)
                subgroup[team] = replace(group[team], decisions=(*group[team].decisions, decision))
            subgroups += self._split_ties(
                subgroup, next_breaks, self._extend_level(level, code, [step])
            )
        return subgroups

    def _next_tie_breaks(self, code: str, breaks: tuple[str, ...]) -> tuple[str, ...]:
        """The tie-breaks for teams still level after one has separated them from the others."""
        if code not in HEAD_TO_HEAD or self.rules.after_split == "next":
            return breaks[1:]
        return breaks if self.rules.after_split == "same" else self.rules.tie_breaks

    @staticmethod
    def _extend_level(
        level: tuple[tuple[str, Fraction], ...], code: str, steps: Sequence[Fraction]
    ) -> tuple[tuple[str, Fraction], ...]:
        return (*level, (code, steps[0])) if code in FIGURES else level

    def _figures(self, code: str, group: list[int]) -> _Figures:
        unknown = [team for team in group if not self.records[team].points_known]
        if code in BY_POINTS and unknown:
            note = Note("no_points", (unknown[0],))
            return _Figures(dict.fromkeys(group, NOTHING), {}, note)
        if code in FIGURES:
            figures = {team: FIGURES[code](self.records[team]) for team in group}
            parts = PARTS.get(code, lambda record: ())
            return _Figures(figures, {team: parts(self.records[team]) for team in group})
        if code in RECORDED:
            return _Figures(self._decided_figures(group), {})
        return self._head_to_head(code, group)

    def _decided_figures(self, group: list[int]) -> dict[int, Fraction]:
        for result in reversed(self.orders):
            if set(group) <= set(result):
                return {team: -Fraction(list(result).index(team) + 1) for team in group}
        return dict.fromkeys(group, NOTHING)

    def _head_to_head(self, code: str, group: list[int]) -> _Figures:
        """Won minus lost in the matches among the group; no decision unless every two have met."""
        among = [match for match in self.matches if set(match.teams) <= set(group)]
        pairs_met = {frozenset(match.teams) for match in among}
        for pair in combinations(sorted(group), 2):
            if frozenset(pair) not in pairs_met:
                return _Figures(dict.fromkeys(group, NOTHING), {}, Note("not_met", pair))
        sums: dict[int, tuple[Fraction, ...]] = dict.fromkeys(group, (NOTHING, NOTHING))
        for match in among:
            for side in (HOME, AWAY):
                own, theirs = self._match_figures(code, match, side)
                total = sums[match.teams[side]]
                sums[match.teams[side]] = (total[0] + own, total[1] + theirs)
        return _Figures({team: sum[0] - sum[1] for team, sum in sums.items()}, sums)

    def _match_figures(self, code: str, match: LeagueMatch, side: int) -> tuple[Fraction, Fraction]:
        result = side_result(match, side, self.rules)
        if code == "head_to_head_games":
            return result.games
        if code == "head_to_head_points":
            return Fraction(result.points[0]), Fraction(result.points[1])
        if match.given_nobody:  # neither team won
            return NOTHING, NOTHING
        return Fraction(result.result == "won"), Fraction(result.result == "lost")


@dataclass(frozen=True, slots=True)
class PairGame:
    """A game of a pair, and the pair's share of the win."""

    pair: tuple[Any, Any]
    won: Fraction


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The games of a player or a pair; `longest` is the longest run without a defeat."""

    who: Any
    games: int
    won: Fraction
    longest: int


def player_records(games: Iterable[PairGame]) -> list[PlayerRecord]:
    """Every player, by most games won, then fewest games. `games` are in order of play."""
    return _ranked_records((player, game.won) for game in games for player in game.pair)


def pair_records(games: Iterable[PairGame]) -> list[PlayerRecord]:
    """The same for pairs, whichever player of the pair is named first."""
    return _ranked_records((tuple(sorted(game.pair)), game.won) for game in games)


def _ranked_records(results: Iterable[tuple[Any, Fraction]]) -> list[PlayerRecord]:
    shares: dict[Any, list[Fraction]] = {}
    for player, shares_won in results:
        shares.setdefault(player, []).append(shares_won)
    records = [
        PlayerRecord(
            player, len(shares_won), sum(shares_won, Fraction(0)), _longest_run(shares_won)
        )
        for player, shares_won in shares.items()
    ]
    return sorted(
        records, key=lambda record: (-record.won, record.games, -record.longest, record.who)
    )


def _longest_run(shares_won: Iterable[Fraction]) -> int:
    longest = run = 0
    for share in shares_won:
        run = run + 1 if share else 0
        longest = max(longest, run)
    return longest
