"""The league table and the fixtures in words: ranked rows, rounds with their matches."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby, takewhile
from typing import Any

from league.labels import as_partners
from league.ranking import Line
from league.ranking.team_league import LeagueTable, Record
from league.ranking.team_league.match import AWAY, HOME, CardGame
from league.standings.labels import figure
from league.standings.text import decided_by, explained
from league.teams.card import LinedUp
from league.teams.models import Team, TeamMatch
from league.teams.queries import MatchRecord, Tables
from league.tournaments.queries import NameOf

Statuses = tuple[str, ...]
"""What is certain of a team, each in one word of ours."""


@dataclass(frozen=True, slots=True)
class Row:
    """A team in the table; `rank` 0 for one whose matches were struck out. `status` is what is
    certain: champions, first of a section, promoted, safe, or what it can still reach; at the end
    what became of it."""

    team: Team
    rank: int
    shared: bool
    record: Record
    points: str
    decided: str = ""
    why: tuple[str, ...] = ()
    struck: bool = False
    status: Statuses = ()
    begun: bool = True

    @property
    def place(self) -> str:
        """The place as a table has it, =2 for a shared one; a dash before any match is played."""
        if not self.rank or not self.begun:
            return "–"
        return f"={self.rank}" if self.shared else str(self.rank)

    @property
    def games(self) -> str:
        """Games won and lost."""
        return f"{figure('won', self.record.won)}–{figure('won', self.record.lost)}"

    @property
    def difference(self) -> str:
        """The points difference in its games; empty where only games won are known."""
        if not self.record.points_known:
            return ""
        return figure("difference", Fraction(self.record.own - self.record.theirs))

    @property
    def deducted(self) -> str:
        """Points taken off; empty for none."""
        return figure("league_points", self.record.deducted) if self.record.deducted else ""

    @property
    def late(self) -> str:
        """Points that late cards cost."""
        return figure("league_points", self.record.late)

    @property
    def form(self) -> tuple[str, ...]:
        """The last five results, the latest last: won, drawn, lost."""
        return self.record.form[-5:]


def rows_of(
    table: LeagueTable, teams: Iterable[Team], status: Mapping[int, Statuses] | None = None
) -> list[Row]:
    """Every team of a table, best first; those struck out at the end."""
    by_key = {team.pk: team for team in teams}
    any_played = any(record.played for record in table.records.values())
    known = status or {}
    rows = [_row(line, table, by_key, any_played, known.get(line.who, ())) for line in table.lines]
    return rows + [_struck(by_key[key], table) for key in sorted(table.struck)]


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
        begun=any_played,
    )


def _struck(team: Team, table: LeagueTable) -> Row:
    return Row(team, 0, False, table.records[team.pk], "–", struck=True)


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A fixture as a list shows it. `state`: to_play, postponed, waits, disputed, done, given; off
    or void when one of the teams has left. `brought_forward`: to a day before its first one."""

    match: TeamMatch
    state: str
    home_won: bool
    away_won: bool
    score: str

    @property
    def brought_forward(self) -> bool:
        return _forward(self.match)


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round of the fixtures; `held_on` where all its matches share a day; who has none of it.
    A round `added` for teams that joined late has only theirs, and names nobody as free."""

    number: int
    held_on: date | None
    matches: tuple[MatchShown, ...]
    free: tuple[Team, ...] = ()
    added: bool = False


def round_on(
    rounds: Sequence[RoundShown], states: Container[str], today: date
) -> RoundShown | None:
    """The round people play next: the first from today on with a match in one of these states;
    where none is left, the first with such a match from before."""
    having = [one for one in rounds if any(match.state in states for match in one.matches)]
    coming = (one for one in having if one.held_on is None or one.held_on >= today)
    return next(coming, having[0] if having else None)


def rounds_of(fixtures: Sequence[MatchRecord], teams: Sequence[Team]) -> list[RoundShown]:
    """The fixtures by round."""
    late = {team.pk for team in teams if team.joined_at is not None}
    drawn = {who for fixture in fixtures for who in fixture.met.teams}
    here = [team for team in teams if team.pk in drawn and team.withdrawn_at is None]
    by_round = groupby(fixtures, lambda one: one.match.round)
    return [_round(number, list(matches), here, late) for number, matches in by_round]


def _round(
    number: int, matches: Sequence[MatchRecord], here: Sequence[Team], late: Set[int]
) -> RoundShown:
    days = {fixture.match.first_date or fixture.match.held_on for fixture in matches}
    playing = {who for match in matches for who in match.met.teams}
    added = all(late & set(match.met.teams) for match in matches)
    return RoundShown(
        number,
        days.pop() if len(days) == 1 else None,
        tuple(match_shown(match) for match in matches),
        () if added else tuple(team for team in here if team.pk not in playing),
        added,
    )


DONE = ("done", "given", "waits", "disputed")


@dataclass(frozen=True, slots=True)
class WeekShown:
    """The last round with results and what came of it; `moved` are the results of other rounds'
    re-arranged matches that were played `since` the round before."""

    round: RoundShown | None
    results: tuple[MatchShown, ...] = ()
    moved: tuple[MatchShown, ...] = ()
    since: date = date.min


def last_week(rounds: Sequence[RoundShown]) -> WeekShown:
    """What goes on the notice board: a match brought forward begins no round."""
    done = [(n, m) for n, one in enumerate(rounds) for m in one.matches if m.state in DONE]
    last = max((n for n, one in done if not one.brought_forward), default=None)
    since = _first_day(rounds[last - 1]) if last else date.min
    moved = tuple(
        one
        for n, one in done
        if n != last and one.match.first_date and (one.match.held_on or date.min) > since
    )
    if last is None:
        return WeekShown(None, (), moved)
    return WeekShown(rounds[last], tuple(one for n, one in done if n == last), moved, since)


def _first_day(one: RoundShown) -> date:
    days = [shown.match.first_date or shown.match.held_on for shown in one.matches]
    return min((day for day in days if day), default=date.min)


def in_state(state: str, rounds: Iterable[RoundShown]) -> list[MatchShown]:
    """The matches of these rounds that have come to this."""
    return [one for each in rounds for one in each.matches if one.state == state]


@dataclass(frozen=True, slots=True)
class Joined:
    """A team that came when the fixtures stood, and the rounds that were added for such teams."""

    team: Team
    added: tuple[RoundShown, ...]


def joined_of(rounds: Sequence[RoundShown], teams: Iterable[Team]) -> list[Joined]:
    """For the page: each team that joined late, with the added rounds it plays in."""
    return [
        Joined(team, tuple(r for r in rounds if r.added and _plays_in(team, r)))
        for team in teams
        if team.joined_at is not None
    ]


def _plays_in(team: Team, one: RoundShown) -> bool:
    return any(m.match.side_of(team) is not None for m in one.matches)


def match_shown(one: MatchRecord) -> MatchShown:
    """One fixture with what came of it."""
    home, away = (figure("won", won) for won in one.met.won)
    return MatchShown(
        match=one.match,
        state=state_of(one),
        home_won=one.met.winner == one.met.teams[HOME],
        away_won=one.met.winner == one.met.teams[AWAY],
        score=f"{home}–{away}" if one.met.games else "",
    )


def state_of(one: MatchRecord) -> str:
    """What a fixture has come to, in one word of ours."""
    if one.void and one.met.over:
        return "void"
    if one.is_disputed:
        return "disputed"
    if one.met.is_walkover:
        return "given"
    if one.met.over:
        return "waits" if one.waits else "done"
    if one.is_off:
        return "off"
    return "postponed" if one.match.first_date and not _forward(one.match) else "to_play"


def _forward(match: TeamMatch) -> bool:
    """Whether a match was moved to an earlier day."""
    return bool(match.held_on and match.first_date and match.held_on < match.first_date)


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game of a match: the pairs that met, by number and by name, and its score. `mark`: given
    to "home" or "away" in spite of it, or "void". `began`: the score it began at, where points
    were carried over; `games`: how many it counted, a slam and games won by points carried over
    that have no place of their own on the card; `carried`: one that has, won without a hand.
    `number` counts the games of the card from 1."""

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
    began: str = ""
    games: int = 1
    number: int = 0
    carried: bool = False


def game_shown(
    one: LinedUp, name_of: NameOf, counted: Sequence[CardGame] = (), number: int = 0
) -> GameShown:
    """A game as this reader may see it; `counted` is what it counts on its card, where it stands
    as `number`."""
    game, entry = one.game, one.entry
    points: tuple[int, ...] = one.points or ()
    winners: list[int] = game.winners if game is not None and points else []
    if isinstance(entry, list):  # a card whose players are not known
        points = (entry[HOME], entry[AWAY])
        winners = [side for side in (HOME, AWAY) if points[side] >= points[1 - side]]
    if isinstance(entry, str):  # decided, in spite of what was played
        winners = {"home": [HOME], "away": [AWAY]}.get(entry, [])
    carried = entry is None and bool(counted)
    if carried:
        winners = [side for side in (HOME, AWAY) if counted[0].score.share(side)]
    return GameShown(
        turn=one.turn,
        home_pair=one.home_pair,
        away_pair=one.away_pair,
        home_names=as_partners([name_of(member) for member in one.home]),
        away_names=as_partners([name_of(member) for member in one.away]),
        played=bool(points),
        public_id=game.public_id if game is not None else "",
        points=points,
        home_won=HOME in winners,
        away_won=AWAY in winners,
        mark=entry if isinstance(entry, str) else "",
        began="–".join(map(str, counted[0].start)) if counted and any(counted[0].start) else "",
        games=sum(one.score.worth for one in counted) or 1,
        number=number,
        carried=carried,
    )


def by_place(
    games: Iterable[CardGame], entries: Sequence[object], apart: int
) -> dict[int, list[CardGame]]:
    """The games that count by their place on the card. One won by points carried over stands in
    the place that was left empty for it, where the same pairs (`apart` places on) meet again."""
    places: dict[int, list[CardGame]] = defaultdict(list)
    for game in games:
        place = game.place
        if game.carried:
            later = range(place + apart, len(entries), apart)
            empty = takewhile(lambda n: entries[n] is None, later)
            place = next((n for n in empty if n not in places), place)
        places[place].append(game)
    return places


@dataclass(frozen=True, slots=True)
class Differing:
    """A game of which two cards say different things: its number from 1, each team's figures."""

    number: int
    first: str
    team: str
    copy: str


def differing_games(match: TeamMatch, now: MatchRecord) -> list[Differing]:
    """The games in which a captain's own card differs from the one on the page."""
    return [
        Differing(number, _figures(entry), copy.team.name, _figures(game))
        for copy in match.copies.select_related("team")
        for number, (entry, game) in enumerate(zip(now.entries, copy.games, strict=False), 1)
        if entry != game
    ]


def _figures(entry: Any) -> str:
    """A game as a card has it: its points, or that it was not played."""
    return f"{entry[0]}–{entry[1]}" if isinstance(entry, list) else "–"
