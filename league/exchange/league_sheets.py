"""Exports and imports a league's teams as lines of a sheet: a preview of each line, then all or
nothing."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.exchange.past_games import day_of
from league.exchange.sheet_import import Trouble, import_agreed
from league.exchange.sheet_reading import Row
from league.members.audit import Actor
from league.members.fields import name_trouble
from league.members.models import Club
from league.members.names import BadName, clean_name, name_key
from league.members.paste import Verdict, read_list
from league.members.queries import known_people, was_erased
from league.ranking import RankingError
from league.ranking.team_league.rules import number_from
from league.standings.labels import figure
from league.teams.actions.importing import SheetTeam, import_teams
from league.teams.actions.teams import people_by_name
from league.teams.eligibility import squad_rules_of
from league.teams.models import MOST_DEDUCTED, MOST_DIVISIONS, Team, TeamLeague
from league.teams.queries import fixtures_of, tables_of
from league.teams.text import listed_twice

TEAMS = (
    "team", "division", "house", "venue", "captain", "player", "players", "points off", "left",
)  # fmt: skip
TEAMS_NEED = ("team",)
TEAM_CELLS = ("division", "house", "venue", "captain", "points off", "left")
"""Columns about the team as a whole; any of its lines may fill them."""
LONGEST = {"team": 40, "division": 40, "house": 60, "venue": 60}
MOST_PLAYERS, MOST_LINES = 40, 2000
NAME_SEPARATORS = re.compile(r"[,;\n\r]+")


@dataclass
class TeamOnSheet:
    """All lines of one team: its first line number, its cells, and its players by name key, each
    with the number of their own line (`lines`)."""

    line: int
    name: str
    cells: dict[str, str] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    only_captain: set[str] = field(default_factory=set)
    """Captains, by name key, that no line lists as players."""

    @property
    def points_off(self) -> Fraction:
        return number_from(self.cells.get("points off", "0").replace(",", "."), "")

    @property
    def left(self) -> date | None:
        return day_of(self.cells.get("left", ""))


@dataclass(frozen=True, slots=True)
class TeamsPreview:
    """What importing a sheet of teams would do.

    `new` are the teams it enters or adds players to, `known` counts the unchanged ones; `names`
    become new players of the club, `like` are warnings about names similar to an existing one,
    `returning` are inactive players who become active again.
    """

    new: list[SheetTeam]
    known: int
    names: list[str]
    like: list[str]
    returning: list[str]
    troubles: list[Trouble]
    notes: list[str] = field(default_factory=list)

    @property
    def agreed(self) -> str:
        """A digest of what was shown."""
        return hashlib.sha256(repr((self.new, self.names, self.returning)).encode()).hexdigest()[
            :32
        ]


class ExistingTeams:
    """The league's teams and divisions, the players of the teams, and the club's players."""

    def __init__(self, league: TeamLeague) -> None:
        self.league, club = league, league.club
        self.teams = {name_key(team.name): team for team in league.teams.select_related("captain")}
        self.divisions = list(league.divisions.values_list("name", flat=True))
        rows = league.players.values_list("member__name_key", "team")
        self.plays_for: dict[str, int] = dict(rows)
        self.people = people_by_name(club)

    def is_inactive(self, name: str) -> bool:
        """Whether a name is that of an inactive player."""
        return any(person.retired_at for person in self.people.get(name_key(name), ()))

    @property
    def facts(self) -> tuple[object, ...]:
        teams = [(key, team.pk, team.captain_id) for key, team in self.teams.items()]
        people = {
            key: [(member.pk, member.retired_at) for member in members]
            for key, members in self.people.items()
        }
        return teams, self.divisions, self.plays_for, people, self.league.state


def preview_teams(league: TeamLeague, rows: Sequence[Row]) -> TeamsPreview:
    """What importing a sheet of teams would do; a team that exists only gets more players."""
    return _preview(ExistingTeams(league), rows)


def import_team_sheet(
    league: TeamLeague, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[SheetTeam]:
    """Enter the teams of a sheet, all or none; refuses if the preview is no longer what was
    `agreed`."""

    def save(teams: list[SheetTeam]) -> None:
        try:
            import_teams(league, teams, by=by, at=at)
        except Refused as refused:  # a rule of the league: shown at the file field
            fields = {"file": [refused.message]}
            raise Refused(refused.code, refused.message, fields=fields) from refused

    return import_agreed(
        league.club,
        lambda: ExistingTeams(league),
        lambda existing: _preview(existing, rows),
        lambda _existing, preview: preview.new,
        save,
        agreed=agreed,
    )


def _preview(existing: ExistingTeams, rows: Sequence[Row]) -> TeamsPreview:
    teams, troubles = teams_on(rows)
    troubles += list(_conflicts(existing, teams))
    if troubles:
        return TeamsPreview([], len(teams), [], [], [], troubles)
    new = [changed for team in teams if (changed := _changed_team(existing, team))]
    player_names = [name for team in new for name in team.players]
    names = [name for name in player_names if name_key(name) not in existing.people]
    returning = [name for name in player_names if existing.is_inactive(name)]
    like = list(_similar_names(existing.league.club, names))
    notes = list(_notes(existing, teams))
    return TeamsPreview(new, len(teams) - len(new), names, like, returning, troubles, notes)


def _changed_team(existing: ExistingTeams, sheet_team: TeamOnSheet) -> SheetTeam | None:
    """The team to enter or to add players to; None where nothing changes."""
    team = existing.teams.get(name_key(sheet_team.name))
    if team is not None:
        players = [
            name for key, name in sheet_team.players.items() if existing.plays_for.get(key) is None
        ]
        return SheetTeam(team.name, players, team) if players else None
    get = sheet_team.cells.get
    return SheetTeam(
        sheet_team.name, list(sheet_team.players.values()), None, get("division", ""),
        get("house", ""), get("venue", ""), get("captain", ""), sheet_team.points_off,
        sheet_team.left,
    )  # fmt: skip


def teams_on(rows: Sequence[Row]) -> tuple[list[TeamOnSheet], list[Trouble]]:
    """The teams of a sheet, with one line per team or per player, and every invalid cell.

    A line without a team name belongs to the team above it.
    """
    teams: dict[str, TeamOnSheet] = {}
    troubles: list[Trouble] = []
    name = ""
    for row in rows:
        name = row["team"] or name
        row_troubles = list(_team_troubles(row, name))
        troubles += row_troubles
        if row_troubles:
            continue
        team = teams.setdefault(name_key(name), TeamOnSheet(row.line, clean_name(name)))
        troubles += list(_add_line(team, row))
    return list(teams.values()), troubles


def _add_line(team: TeamOnSheet, row: Row) -> Iterator[Trouble]:
    """Add the cells and players of a line to its team, and yield what is wrong with them."""
    for column in TEAM_CELLS:
        cell = row[column]
        if cell and team.cells.setdefault(column, cell) != cell:
            sentence = _("Line %(line)d says something else for this team.")
            yield Trouble(row.line, column, sentence % {"line": team.line})
    for name in _player_names(row):
        clean = clean_name(name)
        if name_key(clean) in team.players and name_key(clean) not in team.only_captain:
            yield Trouble(row.line, "player", listed_twice(clean, team.name))
        team.players.setdefault(name_key(clean), clean)
        team.lines.setdefault(name_key(clean), row.line)
        team.only_captain.discard(name_key(clean))
    if row["captain"]:
        captain = clean_name(row["captain"])
        if name_key(captain) not in team.players:
            team.only_captain.add(name_key(captain))
            team.players[name_key(captain)] = captain
    if len(team.players) > MOST_PLAYERS:
        sentence = _("A team has at most %(most)d players.") % {"most": MOST_PLAYERS}
        yield Trouble(row.line, "player", sentence)


def _player_names(row: Row) -> list[str]:
    names = [name.strip() for name in NAME_SEPARATORS.split(row["players"])]
    return [name for name in [row["player"], *names] if name]


def _team_troubles(row: Row, name: str) -> Iterator[Trouble]:
    """What is wrong with each cell of one line."""
    for column, most in LONGEST.items():
        cell = name if column == "team" else row[column]
        if cell or column == "team":
            yield from _name_troubles(row.line, column, cell, most)
    for person in _player_names(row):
        yield from _name_troubles(row.line, "player", person, 60)
    if row["captain"]:
        yield from _name_troubles(row.line, "captain", row["captain"], 60)
    if row["left"] and day_of(row["left"]) is None:
        yield Trouble(row.line, "left", _("Enter a date as 2026-11-19."))
    if row["points off"] and not _is_points(row["points off"]):
        sentence = _("Enter a number of points, at most %(most)d.") % {"most": MOST_DEDUCTED}
        yield Trouble(row.line, "points off", sentence)


def _name_troubles(line: int, column: str, text: str, most: int) -> Iterator[Trouble]:
    try:
        if len(clean_name(text)) > most:
            sentence = _("Enter a name of at most %(most)d letters.") % {"most": most}
            yield Trouble(line, column, sentence)
    except BadName as bad:
        yield Trouble(line, column, name_trouble(bad.code))


def _is_points(text: str) -> bool:
    try:
        points = number_from(text.replace(",", "."), "")
    except RankingError:
        return False
    return abs(points) <= MOST_DEDUCTED and (points * 100).denominator == 1


def _conflicts(existing: ExistingTeams, teams: Sequence[TeamOnSheet]) -> Iterator[Trouble]:
    """Where valid lines contradict each other, or the league's teams."""
    division_keys = {name_key(name) for name in existing.divisions}
    division_keys |= {
        name_key(team.cells["division"]) for team in teams if team.cells.get("division")
    }
    if len(division_keys) > MOST_DIVISIONS:
        yield Trouble(1, "division", _("Too many divisions."))
    if existing.divisions:
        yield from _unknown_divisions(existing, teams)
    has_divisions = bool(division_keys)
    keys = {team.pk: key for key, team in existing.teams.items()}
    team_of = {player: keys[team] for player, team in existing.plays_for.items()}
    for team in teams:
        team_key = name_key(team.name)
        if team_key not in existing.teams and has_divisions and not team.cells.get("division"):
            yield Trouble(team.line, "division", _("Enter the division of this team."))
        for key, name in team.players.items():
            line = team.lines.get(key, team.line)
            if team_of.setdefault(key, team_key) != team_key:
                sentence = _(
                    "%(name)s plays for another team of this league. Another %(name)s? Write "
                    "%(name)s (%(team)s)."
                )
                yield Trouble(line, "player", sentence % {"name": name, "team": team.name})
            if len(existing.people.get(key, ())) > 1:
                sentence = _("Two players are called %(name)s. Change one of the names first.")
                yield Trouble(line, "player", sentence % {"name": name})


def _unknown_divisions(existing: ExistingTeams, teams: Sequence[TeamOnSheet]) -> Iterator[Trouble]:
    division_keys = {name_key(name) for name in existing.divisions}
    for team in teams:
        name = team.cells.get("division", "")
        is_unknown = name and name_key(name) not in division_keys
        if is_unknown and name_key(team.name) not in existing.teams:
            words = {"name": name, "divisions": ", ".join(existing.divisions)}
            text = _("There is no division %(name)s in this league. It has: %(divisions)s.")
            yield Trouble(team.line, "division", text % words)


def _notes(existing: ExistingTeams, teams: Sequence[TeamOnSheet]) -> Iterator[str]:
    """What to check before saving: new divisions, small squads, points off, and captains who are
    not listed as players."""
    if not existing.divisions:
        count = Counter(team.cells["division"] for team in teams if team.cells.get("division"))
        for name, n in count.items():
            text = ngettext(
                "New division %(name)s, with %(n)d team.",
                "New division %(name)s, with %(n)d teams.",
                n,
            )
            yield text % {"name": name, "n": n}
    least = squad_rules_of(existing.league).least
    for team in teams:
        if name_key(team.name) not in existing.teams and len(team.players) < least:
            words = {"team": team.name, "n": len(team.players), "least": least}
            text = _("%(team)s has %(n)d players; a squad needs at least %(least)d.")
            yield text % words
        if name_key(team.name) not in existing.teams and team.points_off:
            words = {"team": team.name, "points": figure("league_points", team.points_off)}
            text = _("%(team)s, points off: %(points)s. For a new season, empty that cell first.")
            yield text % words
        if len(team.players) > len(team.only_captain):
            for key in sorted(team.only_captain - set(existing.plays_for)):
                words = {"name": team.players[key], "team": team.name}
                text = _("%(name)s, the captain, is not among the players of %(team)s.")
                yield f"{text % words} {_('A player of this name is added to the team.')}"


def _similar_names(club: Club, names: Sequence[str]) -> Iterator[str]:
    """A sentence about each new player whose name is similar to an existing or erased one."""
    for start in range(0, len(names), 200):
        part = names[start : start + 200]
        for line in read_list("\n".join(part), known_people(club), is_erased=was_erased(club)):
            # "Ann (Rovers)" is what `listed_twice` advises.
            like = [name for name in line.like if not line.name.startswith(f"{name} (")]
            if line.verdict == Verdict.LIKE and like:
                words = {"name": line.name, "other": ", ".join(like[:3])}
                yield _("%(name)s looks like %(other)s.") % words
            elif line.verdict == Verdict.ERASED:
                sentence = _("%(name)s: someone with this name asked to be erased.")
                yield sentence % {"name": line.name}


def team_rows(league: TeamLeague) -> Iterator[list[object]]:
    """A line for every player of every team, with the team's own cells on its first line.

    Points off include those for late cards, since a sheet does not say when a card arrived.
    """
    teams = list(league.teams.select_related("division", "captain").order_by("pk"))
    points_off = {
        team: record.deducted
        for table in tables_of(league, teams, fixtures_of(league)).values()
        for team, record in table.records.items()
    }
    players: dict[int, list[str]] = defaultdict(list)
    for team_id, name in league.players.order_by("member__sort_key").values_list(
        "team", "member__name"
    ):
        players[team_id].append(name)
    for team in teams:
        deducted = points_off.get(team.pk, Fraction(0))
        yield from _team_lines(team, players[team.pk], deducted, league.club)


def _team_lines(
    team: Team, names: Sequence[str], points_off: Fraction, club: Club
) -> Iterator[list[Any]]:
    division = team.division.name if team.division else ""
    withdrawn_on = club.local(team.withdrawn_at).date().isoformat() if team.withdrawn_at else ""
    captain = team.captain.name if team.captain else ""
    name = names[0] if names else ""
    yield [
        team.name,
        division,
        team.house,
        team.venue,
        captain,
        name,
        "",
        points_off or "",
        withdrawn_on,
    ]
    for name in names[1:]:
        yield [team.name, division, "", "", "", name, "", "", ""]
