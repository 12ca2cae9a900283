"""The league table and the fixtures as pages show them: ranked rows, rounds, matches, games."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby, takewhile

from league.labels import as_partners
from league.ranking import Line
from league.ranking.team_league import LeagueTable, Record
from league.ranking.team_league.match import AWAY, HOME, CardGame
from league.standings.cached_tables import Place
from league.standings.labels import LABELS, figure
from league.standings.text import decided_by, explained
from league.teams.card import GameLineUp
from league.teams.models import Team, TeamMatch
from league.teams.queries import MatchRecord, Tables
from league.tournaments.queries import NameOf

Statuses = tuple[str, ...]
"""Codes for what is certain of a team: "champions", or "behind" if it can't finish first."""


@dataclass(frozen=True, slots=True)
class Row:
    """A team in the table.

    `rank` is 0 for a team whose matches were struck out (`struck`). `status` says what is certain:
    champions, first of a section, promoted, safe, or that it can't finish first; at the end of the
    season, its outcome. `has_begun`: whether any match of the table has been played. `climbed`:
    places up since the table before the last round, negative for down.
    """

    team: Team
    rank: int
    shared: bool
    record: Record
    points: str
    decided: str = ""
    why: tuple[str, ...] = ()
    struck: bool = False
    status: Statuses = ()
    has_begun: bool = True
    climbed: int = 0

    @property
    def steps(self) -> int:
        """The number of places up or down."""
        return abs(self.climbed)

    @property
    def line(self) -> Place:
        """The row as it is pinned for the players of the team."""
        points = str(LABELS["league_points"].column)
        figures = ((points, points, self.points),)
        texts = (self.team.name, 0, self.decided, self.why)
        return Place(self.team.pk, self.rank, *texts, figures, self.shared)

    @property
    def place(self) -> str:
        """The rank as the table shows it, "=2" if shared; a dash before any match is played."""
        if not self.rank or not self.has_begun:
            return "–"
        return f"={self.rank}" if self.shared else str(self.rank)

    @property
    def games(self) -> str:
        """Games won and lost."""
        return f"{figure('won', self.record.won)}–{figure('won', self.record.lost)}"

    @property
    def difference(self) -> str:
        """The points difference over all games; empty if only games won are known."""
        if not self.record.points_known:
            return ""
        return figure("difference", Fraction(self.record.own - self.record.theirs))

    @property
    def deducted(self) -> str:
        """Points deducted; empty for none."""
        return figure("league_points", self.record.deducted) if self.record.deducted else ""

    @property
    def late(self) -> str:
        """Points lost for late cards."""
        return figure("league_points", self.record.late)

    @property
    def form(self) -> tuple[str, ...]:
        """The last five results (won, drawn, lost), the latest last."""
        return self.record.form[-5:]


def rows_of(
    table: LeagueTable, teams: Iterable[Team], status: Mapping[int, Statuses] | None = None
) -> list[Row]:
    """All teams of a table, best first; teams whose matches were struck out come last."""
    teams_by_key = {team.pk: team for team in teams}
    any_played = any(record.played for record in table.records.values())
    statuses = status or {}
    rows = [
        _row(line, table, teams_by_key, any_played, statuses.get(line.who, ()))
        for line in table.lines
    ]
    return rows + [_struck_row(teams_by_key[key], table) for key in sorted(table.struck)]


def all_rows(tables: Tables, teams: Iterable[Team]) -> list[Row]:
    """The rows of every division, the highest first."""
    listed = list(teams)
    return [row for table in tables.values() for row in rows_of(table, listed)]


def _row(
    line: Line, table: LeagueTable, teams: Mapping[int, Team], any_played: bool, status: Statuses
) -> Row:
    record = table.records[line.who]
    return Row(
        team=teams[line.who],
        rank=line.rank,
        shared=line.shared,
        record=record,
        points=figure("league_points", line.values["league_points"]),
        decided=decided_by(line) if any_played else "",
        why=tuple(explained(line, lambda key: teams[key].name)) if any_played else (),
        status=status,
        has_begun=any_played,
        climbed=table.before.get(line.who, line.rank) - line.rank,
    )


def _struck_row(team: Team, table: LeagueTable) -> Row:
    return Row(team, 0, False, table.records[team.pk], "–", struck=True)


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A fixture as a list shows it.

    `state` is one of to_play, postponed, waits, disputed, done and given, or off (not played: a
    team has left or the league is closed) or void (a team has left). `games` are those won at home
    and away; empty without a card. `unplayed_winner` wins because the other team has left.
    """

    match: TeamMatch
    state: str
    home_won: bool
    away_won: bool
    games: tuple[str, ...]
    unplayed_winner: Team | None = None

    @property
    def score(self) -> str:
        return "–".join(self.games)


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round of the fixtures.

    `held_on` is set if all its matches were planned for the same day; `free` are the teams without
    a match. A round `added` for teams that joined late has only their matches and no free teams.
    """

    number: int
    held_on: date | None
    matches: tuple[MatchShown, ...]
    free: tuple[Team, ...] = ()
    added: bool = False

    @property
    def begins_on(self) -> date:
        """The first day for which any of its matches is planned."""
        days = (shown.match.planned_on for shown in self.matches)
        return min((day for day in days if day), default=date.min)


def round_to_play(
    rounds: Sequence[RoundShown], states: Container[str], today: date
) -> RoundShown | None:
    """Return the next round: the first with a match in one of these states from today on, or else
    the first earlier one with such a match."""
    by_day = sorted(rounds, key=lambda round_: round_.begins_on)
    open_rounds = [r for r in by_day if any(match.state in states for match in r.matches)]
    upcoming = (r for r in open_rounds if to_come(in_state(states, [r]), today))
    return next(upcoming, open_rounds[0] if open_rounds else None)


def to_come(listed: Iterable[MatchShown], today: date) -> list[MatchShown]:
    """The matches listed that are from today on, or have no day yet."""
    return [shown for shown in listed if (shown.match.held_on or today) >= today]


def rounds_of(fixtures: Sequence[MatchRecord], teams: Sequence[Team]) -> list[RoundShown]:
    """Group the fixtures by round."""
    late_keys = {team.pk for team in teams if team.joined_at is not None}
    drawn = {key for fixture in fixtures for key in fixture.met.teams}
    current_teams = [team for team in teams if team.pk in drawn and team.withdrawn_at is None]
    by_round = groupby(fixtures, lambda record: record.match.round)
    return [_round_shown(number, list(met), current_teams, late_keys) for number, met in by_round]


def _round_shown(
    number: int, matches: Sequence[MatchRecord], current_teams: Sequence[Team], late_keys: Set[int]
) -> RoundShown:
    days = {fixture.match.planned_on for fixture in matches}
    playing = {key for match in matches for key in match.met.teams}
    added = all(late_keys & set(match.met.teams) for match in matches)
    return RoundShown(
        number,
        days.pop() if len(days) == 1 else None,
        tuple(match_shown(match) for match in matches),
        () if added else tuple(team for team in current_teams if team.pk not in playing),
        added,
    )


DONE = ("done", "given", "waits", "disputed")


def in_state(states: Container[str], rounds: Iterable[RoundShown]) -> list[MatchShown]:
    """The matches of these rounds in these states."""
    return [match for round_ in rounds for match in round_.matches if match.state in states]


def brought_forward(
    rounds: Iterable[RoundShown], current: RoundShown | None, today: date
) -> list[MatchShown]:
    """The matches of other rounds brought forward to a coming day, the next one first."""
    to_play = in_state(("to_play",), (r for r in rounds if r is not current))
    forward = [(m.match.held_on or today, m) for m in to_play if m.match.is_early]
    return [m for day, m in sorted(forward, key=lambda pair: pair[0]) if day >= today]


def overdue_matches(
    rounds: Sequence[RoundShown], current: RoundShown | None, today: date
) -> list[MatchShown]:
    """The matches to play whose day is past, without those of the `current` round."""
    others = in_state(("to_play",), (r for r in rounds if r is not current))
    return [shown for shown in others if (shown.match.held_on or today) < today]


@dataclass(frozen=True, slots=True)
class LateTeam:
    """A team that joined after the fixtures were made, and the added rounds in which it plays."""

    team: Team
    added: tuple[RoundShown, ...]


def late_teams(rounds: Sequence[RoundShown], teams: Iterable[Team]) -> list[LateTeam]:
    """Each team that joined late, with the added rounds in which it plays."""
    return [
        LateTeam(team, tuple(r for r in rounds if r.added and _plays_in(team, r)))
        for team in teams
        if team.joined_at is not None
    ]


def _plays_in(team: Team, round_: RoundShown) -> bool:
    return any(m.match.side_of(team) is not None for m in round_.matches)


def match_shown(record: MatchRecord) -> MatchShown:
    """A fixture with its state and result."""
    winner = record.unplayed_winner.pk if record.unplayed_winner else record.met.winner
    return MatchShown(
        unplayed_winner=record.unplayed_winner,
        match=record.match,
        state=state_of(record),
        home_won=winner == record.met.teams[HOME],
        away_won=winner == record.met.teams[AWAY],
        games=tuple(figure("won", won) for won in record.met.won) if record.met.games else (),
    )


def state_of(record: MatchRecord) -> str:
    """The state of a fixture, as in `MatchShown.state`."""
    if record.void and record.met.over:
        return "void"
    if record.is_disputed:
        return "disputed"
    if record.met.is_walkover:
        return "given"
    if record.met.over:
        return "waits" if record.waits else "done"
    if record.is_off or record.closed:
        return "off"
    postponed = record.match.is_moved and not record.match.is_early
    return "postponed" if postponed or record.match.is_replay else "to_play"


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game of a match: the pairs, by number and by name, and the score.

    `mark`: awarded to "home" or "away" whatever the score, or "void". `start_score`: the score it
    started at, if points were carried over. `games`: how many games it counts as, with slams and
    games won by carried points that have no place of their own on the card. `carried`: won by
    carried points, without a hand, in a place of its own. `number`: its place on the card, from 1.
    """

    turn: int
    home_pair: int
    away_pair: int
    home_names: str
    away_names: str
    played: bool
    public_id: str = ""
    points: tuple[int, ...] = ()
    home_won: bool = False
    away_won: bool = False
    mark: str = ""
    start_score: str = ""
    games: int = 1
    number: int = 0
    carried: bool = False


def game_shown(
    line_up: GameLineUp, name_of: NameOf, counted: Sequence[CardGame] = (), number: int = 0
) -> GameShown:
    """A game as this reader may see it: the `counted` games at place `number` of its card."""
    game, entry = line_up.game, line_up.entry
    points: tuple[int, ...] = line_up.points or ()
    if isinstance(entry, list):  # a card without the players' names
        points = (entry[HOME], entry[AWAY])
    winners = _winning_sides(line_up, counted)
    start = counted[0].start if counted else (0, 0)
    return GameShown(
        turn=line_up.turn,
        home_pair=line_up.home_pair,
        away_pair=line_up.away_pair,
        home_names=as_partners([name_of(member) for member in line_up.home]),
        away_names=as_partners([name_of(member) for member in line_up.away]),
        played=bool(points),
        public_id=game.public_id if game is not None else "",
        points=points,
        home_won=HOME in winners,
        away_won=AWAY in winners,
        mark=entry if isinstance(entry, str) else "",
        start_score=f"{start[HOME]}–{start[AWAY]}" if any(start) else "",
        games=sum(card_game.score.worth for card_game in counted) or 1,
        number=number,
        carried=bool(counted) and all(card_game.carried for card_game in counted),
    )


def _winning_sides(line_up: GameLineUp, counted: Sequence[CardGame]) -> list[int]:
    """The sides that won a game of the card."""
    entry = line_up.entry
    if isinstance(entry, str):  # decided, whatever was played
        return {"home": [HOME], "away": [AWAY]}.get(entry, [])
    if isinstance(entry, list):
        return [side for side in (HOME, AWAY) if entry[side] >= entry[1 - side]]
    if counted:
        return [side for side in (HOME, AWAY) if counted[0].score.share(side)]
    return line_up.game.winners if line_up.game is not None and line_up.points else []


def games_by_place(
    games: Iterable[CardGame], entries: Sequence[object], cycle: int
) -> dict[int, list[CardGame]]:
    """The games that count, by their place on the card.

    A game won by carried points goes to the next empty place where the same pairs meet again
    (`cycle` places later); if there is none, it stays with the game that won it.
    """
    by_place: dict[int, list[CardGame]] = defaultdict(list)
    for game in games:
        place = game.place
        if game.carried:
            later_places = range(place + cycle, len(entries), cycle)
            empty_places = takewhile(lambda n: entries[n] is None, later_places)
            place = next((n for n in empty_places if n not in by_place), place)
        by_place[place].append(game)
    return by_place
