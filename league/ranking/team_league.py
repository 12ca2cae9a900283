"""The table of a league: teams ranked by points, then by the tie-breaks it has chosen. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from league.ranking.head_to_head import Finish, meetings
from league.ranking.measures import MEASURES, Measure, Tallies, Tally
from league.ranking.tables import Line, rank
from league.ranking.team_match import Met, counted, struck_out

ORDERS: dict[str, tuple[str, ...]] = {
    "games": ("won", "head_to_head", "difference", "points"),
    "meetings": ("head_to_head", "won", "difference", "points"),
    "difference": ("difference", "won", "head_to_head", "points"),
}
"""Tie-breaks in order, by the name a league chooses them under."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """The points a league gives: for a match won, drawn, lost, and for each game won."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    game: int = 0
    ranking: str = "games"

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (LEAGUE_POINTS, *(MEASURES[code] for code in ORDERS[self.ranking]))


@dataclass(frozen=True, slots=True)
class TeamTally(Tally):
    """What a team took: its games, its points for the table, and those taken off it."""

    earned: Fraction = Fraction(0)
    deducted: int = 0


def _league_points(tallies: Tallies) -> Fraction:
    earned, deducted = _earned(tallies)
    return earned - deducted


def _earned(tallies: Tallies) -> tuple[Fraction, ...]:
    earned = sum((Fraction(getattr(one, "earned", 0)) for one in tallies), Fraction(0))
    return earned, Fraction(sum(getattr(one, "deducted", 0) for one in tallies))


LEAGUE_POINTS = Measure("league_points", _league_points, _earned)


@dataclass(frozen=True, slots=True)
class Record:
    """A team's matches in figures: games `won` and `lost`, `own` points in them and `theirs`."""

    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    won: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)
    own: int = 0
    theirs: int = 0
    deducted: int = 0
    provisional: int = 0


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """Every team ranked, with its record; `struck` are those whose matches count for nobody."""

    lines: list[Line]
    records: dict[int, Record]
    struck: frozenset[int] = field(default_factory=frozenset)


def league_table(
    teams: Sequence[int],
    met: Collection[Met],
    scheme: Scheme,
    *,
    deducted: Mapping[int, int] | None = None,
    gone: Collection[int] = (),
) -> LeagueTable:
    """The table after these matches. Teams struck out are not ranked with the others: they are
    left out of it."""
    struck = struck_out(met, gone)
    rows = [one for one in counted(met, gone) if one.over]
    records = {
        team: record_of(team, rows, deducted=(deducted or {}).get(team, 0)) for team in teams
    }
    tallies = {team: [_tally(records[team], scheme)] for team in teams if team not in struck}
    faced = meetings(
        [Finish(team, side, one.took(team)) for side, team in enumerate(one.teams)] for one in rows
    )
    return LeagueTable(rank(tallies, scheme.measures, met=faced), records, struck)


def record_of(team: int, rows: Collection[Met], *, deducted: int = 0) -> Record:
    """One team's matches added up."""
    mine = [(one, one.teams.index(team)) for one in rows if team in one.teams]
    return Record(
        played=len(mine),
        wins=sum(one.winner == team for one, _side in mine),
        draws=sum(one.drawn for one, _side in mine),
        losses=sum(one.winner not in (team, None) for one, _side in mine),
        won=sum((one.won[side] for one, side in mine), Fraction(0)),
        lost=sum((one.won[1 - side] for one, side in mine), Fraction(0)),
        own=sum(one.points[side] for one, side in mine),
        theirs=sum(one.points[1 - side] for one, side in mine),
        deducted=deducted,
        provisional=sum(one.provisional for one, _side in mine),
    )


def _tally(record: Record, scheme: Scheme) -> TeamTally:
    earned = (
        scheme.win * record.wins
        + scheme.draw * record.draws
        + scheme.loss * record.losses
        + scheme.game * record.won
    )
    return TeamTally(
        games=record.won + record.lost,
        won=record.won,
        points=record.own,
        against=record.theirs,
        earned=Fraction(earned),
        deducted=record.deducted,
    )
