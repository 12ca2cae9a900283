"""The table of a league of teams by its rules, and its leading players and pairs."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import combinations
from typing import Any

from league.ranking.tables import Decision, Line, Note
from league.ranking.team_league.match import AWAY, HOME, Met, standing, struck_out, taken
from league.ranking.team_league.rules import LeagueRules

POINTS = "league_points"
NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Record:
    """A team's matches in figures: games `won` and `lost`, `own` points in them and `theirs`.

    `points` are those of the table: `earned`, less `deducted` (late cards and what was taken off
    by hand; negative when more was given than taken), `late` of that for late cards. `form` are
    its results in order of play. Without `points_known` some of `own` and `theirs` stand for games
    of which nobody knows them: they part no teams.
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
    """Every team ranked, with its record; `struck` are those whose matches count for nobody, and
    `left` those that left and keep their results, below all that play on. `open` are the matches
    that are still to be played, `over` those that count."""

    lines: list[Line]
    records: dict[int, Record]
    struck: frozenset[int] = field(default_factory=frozenset)
    left: frozenset[int] = field(default_factory=frozenset)
    open: tuple[Met, ...] = ()
    over: tuple[Met, ...] = ()

    @property
    def playing(self) -> list[Line]:
        """The places of those that play on."""
        return [line for line in self.lines if line.who not in self.left]


def league_table(
    teams: Sequence[int],
    met: Collection[Met],
    rules: LeagueRules,
    *,
    deducted: Mapping[int, Fraction | int] | None = None,
    gone: Mapping[int, date | None] | None = None,
    orders: Sequence[Sequence[int]] = (),
) -> LeagueTable:
    """The table of these teams after these matches.

    `deducted` was taken off by hand; `gone` left on a day. `orders` are results of play-offs, or
    drawn lots, between level teams: the latest that names all of them parts them.
    """
    gone = {team: day for team, day in (gone or {}).items() if team in teams}
    struck = struck_out(met, gone, rules.withdrawal)
    rows = standing(met, gone, rules.withdrawal)
    over = [row for row in rows if row.over]
    records = {t: record_of(t, over, rules, deducted=(deducted or {}).get(t, 0)) for t in teams}
    left = frozenset(gone) - struck
    ranking = _Ranking(records, over, rules, orders)
    lines = ranking.lines([team for team in teams if team not in gone], 1)
    lines += ranking.lines([team for team in teams if team in left], len(lines) + 1)
    still_open = tuple(row for row in rows if not row.over)
    return LeagueTable(lines, records, struck, left, still_open, tuple(over))


def record_of(
    team: int, rows: Collection[Met], rules: LeagueRules, *, deducted: Fraction | int = 0
) -> Record:
    """One team's matches added up."""
    mine = sorted((row for row in rows if team in row.teams), key=lambda one: str(one.day or ""))
    took = [taken(one, one.teams.index(team), rules) for one in mine]
    results = tuple(one.result for one in took)
    late = sum((one.late for one in took), NOTHING)
    return Record(
        played=len(took),
        wins=results.count("won"),
        draws=results.count("drawn"),
        losses=results.count("lost"),
        won=sum((one.games[0] for one in took), NOTHING),
        lost=sum((one.games[1] for one in took), NOTHING),
        own=sum(one.points[0] for one in took),
        theirs=sum(one.points[1] for one in took),
        walkovers=sum(one.conceded for one in took),
        away_wins=sum(one.away and one.result == "won" for one in took),
        earned=sum((one.earned for one in took), NOTHING),
        deducted=late + deducted,
        late=late,
        provisional=sum(one.provisional for one in took),
        form=results,
        points_known=all(one.points_known for one in mine),
    )


def split_record(team: int, rows: Collection[Met], rules: LeagueRules) -> tuple[Record, Record]:
    """The same at home and away; what was taken off by hand is in neither."""
    return (
        record_of(team, [row for row in rows if row.home == team], rules),
        record_of(team, [row for row in rows if row.away == team], rules),
    )


FIGURES: dict[str, Callable[[Record], Fraction]] = {
    "games_won": lambda one: one.won,
    "game_difference": lambda one: one.won - one.lost,
    "points_difference": lambda one: Fraction(one.own - one.theirs),
    "points_for": lambda one: Fraction(one.own),
    "matches_won": lambda one: Fraction(one.wins),
    "away_wins": lambda one: Fraction(one.away_wins),
    "fewest_walkovers": lambda one: -Fraction(one.walkovers),
}
PARTS: dict[str, Callable[[Record], tuple[Fraction, ...]]] = {
    "game_difference": lambda one: (one.won, one.lost),
    "points_difference": lambda one: (Fraction(one.own), Fraction(one.theirs)),
}
BY_POINTS = ("points_difference", "points_for", "head_to_head_points")
"""Tie-breaks that say nothing where the points of some games are not known."""
HEAD_TO_HEAD = ("head_to_head", "head_to_head_games", "head_to_head_points")
RECORDED = ("play_off", "lot")


@dataclass(frozen=True, slots=True)
class _Figures:
    """What a tie-break says of some level teams, more is better."""

    figures: dict[int, Fraction]
    sums: dict[int, tuple[Fraction, ...]]
    note: Note | None = None


@dataclass(slots=True)
class _Ranking:
    records: Mapping[int, Record]
    met: Sequence[Met]
    rules: LeagueRules
    orders: Sequence[Sequence[int]]

    def lines(self, teams: Sequence[int], first: int) -> list[Line]:
        """These teams best first, from the place `first` on."""
        lines: list[Line] = []
        by_points: dict[Fraction, list[int]] = {}
        for team in sorted(teams):
            by_points.setdefault(self.records[team].points, []).append(team)
        for points in sorted(by_points, reverse=True):
            level = ((POINTS, points),)
            start = {team: Line(team, 0, False, {}) for team in by_points[points]}
            for group in self._parted(start, self.rules.tie_breaks, level):
                place = first + len(lines)
                lines += [
                    replace(line, rank=place, shared=len(group) > 1, values={POINTS: points})
                    for line in group
                ]
        return lines

    def _parted(
        self,
        group: dict[int, Line],
        breaks: tuple[str, ...],
        level: tuple[tuple[str, Fraction], ...],
    ) -> list[list[Line]]:
        """The group in order, as lists of teams that stay level after all tie-breaks."""
        if len(group) < 2 or not breaks:
            return [list(group.values())] if group else []
        code, rest = breaks[0], breaks[1:]
        compared = self._figures(code, list(group))
        steps = sorted(set(compared.figures.values()), reverse=True)
        if compared.note is not None:
            note = compared.note
            group = {t: replace(one, notes=(*one.notes, note)) for t, one in group.items()}
        if len(steps) < 2:
            return self._parted(group, rest, self._level(level, code, steps))
        again = self._after(code, breaks)
        parted = []
        for place, step in enumerate(steps):
            above = steps[place - 1] if place else None
            below = steps[place + 1] if place + 1 < len(steps) else None
            part = {}
            for team in (team for team in group if compared.figures[team] == step):
                sums = compared.sums.get(team, ())
                made = Decision(code, step, above, below, level, sums)
                part[team] = replace(group[team], decisions=(*group[team].decisions, made))
            parted += self._parted(part, again, self._level(level, code, [step]))
        return parted

    def _after(self, code: str, breaks: tuple[str, ...]) -> tuple[str, ...]:
        """The tie-breaks for those still level once one has parted the others."""
        if code not in HEAD_TO_HEAD or self.rules.after_split == "next":
            return breaks[1:]
        return breaks if self.rules.after_split == "same" else self.rules.tie_breaks

    @staticmethod
    def _level(
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
            parts = PARTS.get(code, lambda one: ())
            return _Figures(figures, {team: parts(self.records[team]) for team in group})
        if code in RECORDED:
            return _Figures(self._recorded(group), {})
        return self._head_to_head(code, group)

    def _recorded(self, group: list[int]) -> dict[int, Fraction]:
        for order in reversed(self.orders):
            if set(group) <= set(order):
                return {team: -Fraction(list(order).index(team) + 1) for team in group}
        return dict.fromkeys(group, NOTHING)

    def _head_to_head(self, code: str, group: list[int]) -> _Figures:
        """Won less lost in the matches among them; says nothing unless every two have met."""
        among = [one for one in self.met if set(one.teams) <= set(group)]
        faced = {frozenset(one.teams) for one in among}
        for pair in combinations(sorted(group), 2):
            if frozenset(pair) not in faced:
                return _Figures(dict.fromkeys(group, NOTHING), {}, Note("not_met", pair))
        sums: dict[int, tuple[Fraction, ...]] = dict.fromkeys(group, (NOTHING, NOTHING))
        for one in among:
            for side in (HOME, AWAY):
                own, theirs = self._between(code, one, side)
                total = sums[one.teams[side]]
                sums[one.teams[side]] = (total[0] + own, total[1] + theirs)
        return _Figures({team: sum[0] - sum[1] for team, sum in sums.items()}, sums)

    def _between(self, code: str, one: Met, side: int) -> tuple[Fraction, Fraction]:
        took = taken(one, side, self.rules)
        if code == "head_to_head_games":
            return took.games
        if code == "head_to_head_points":
            return Fraction(took.points[0]), Fraction(took.points[1])
        if one.given_nobody:  # a meeting that neither won
            return NOTHING, NOTHING
        return Fraction(took.result == "won"), Fraction(took.result == "lost")


@dataclass(frozen=True, slots=True)
class PairGame:
    """A game of a card: the pair, and its share of the win; in order of play."""

    pair: tuple[Any, Any]
    won: Fraction


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """Somebody's games, or a pair's: `longest` is the longest run without a defeat."""

    who: Any
    games: int
    won: Fraction
    longest: int


def player_records(games: Iterable[PairGame]) -> list[PlayerRecord]:
    """Everybody who played, the most games won first, then the fewest games."""
    return _ranked((one, game.won) for game in games for one in game.pair)


def pair_records(games: Iterable[PairGame]) -> list[PlayerRecord]:
    """The same for pairs, whichever of the two stands first."""
    return _ranked((tuple(sorted(game.pair)), game.won) for game in games)


def _ranked(taken: Iterable[tuple[Any, Fraction]]) -> list[PlayerRecord]:
    shares: dict[Any, list[Fraction]] = {}
    for who, won in taken:
        shares.setdefault(who, []).append(won)
    records = [
        PlayerRecord(who, len(won), sum(won, Fraction(0)), _longest_run(won))
        for who, won in shares.items()
    ]
    return sorted(records, key=lambda one: (-one.won, one.games, -one.longest, one.who))


def _longest_run(won: Iterable[Fraction]) -> int:
    longest = run = 0
    for share in won:
        run = run + 1 if share else 0
        longest = max(longest, run)
    return longest
