"""A league's teams and fixtures as lines of two sheets, out and in: what each line would do, then
all or nothing."""

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
from league.exchange.sheet_import import Trouble, do_agreed
from league.exchange.sheet_reading import Row
from league.members.audit import Actor
from league.members.fields import name_trouble
from league.members.models import Club
from league.members.names import BadName, clean_name, name_key
from league.members.paste import Verdict, read_list
from league.members.queries import known_people, was_erased
from league.ranking import RankingError
from league.ranking.team_league.rules import number_from
from league.teams.actions.importing import SheetTeam, import_teams
from league.teams.actions.teams import people_by_name
from league.teams.eligibility import squad_rules_of
from league.teams.models import MOST_DEDUCTED, MOST_DIVISIONS, Team, TeamLeague
from league.teams.queries import fixtures_of, tables_of

TEAMS = (
    "team", "division", "house", "venue", "captain", "player", "players", "points off", "left",
)  # fmt: skip
TEAMS_NEED = ("team",)
SAME = ("division", "house", "venue", "captain", "points off", "left")
"""What a team has once, whichever of its lines says it."""
LONGEST = {"team": 40, "division": 40, "house": 60, "venue": 60}
MOST_PLAYERS, MOST_LINES = 40, 2000
BETWEEN = re.compile(r"[,;\n\r]+")


@dataclass
class TeamOnSheet:
    """A team's lines taken together: where it was first named, its cells, its players' names."""

    line: int
    name: str
    cells: dict[str, str] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    only_captain: set[str] = field(default_factory=set)
    """Captains whom no line names among the players."""

    @property
    def points_off(self) -> Fraction:
        return number_from(self.cells.get("points off", "0").replace(",", "."), "")

    @property
    def left(self) -> date | None:
        return day_of(self.cells.get("left", ""))


@dataclass(frozen=True, slots=True)
class TeamsPreview:
    """What a sheet of teams would do: the teams it enters or adds players to, how many are as on
    the sheet already, the names that become new players, those of them that look like somebody's,
    and the inactive players who come back; every trouble with its line."""

    new: list[SheetTeam]
    known: int
    names: list[str]
    like: list[str]
    returning: list[str]
    troubles: list[Trouble]
    notes: list[str] = field(default_factory=list)

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        return hashlib.sha256(repr((self.new, self.names, self.returning)).encode()).hexdigest()[
            :32
        ]


class TeamsHere:
    """The league's teams and divisions, who plays for them, and who is on the club's list."""

    def __init__(self, league: TeamLeague) -> None:
        self.league, club = league, league.club
        self.teams = {name_key(team.name): team for team in league.teams.select_related("captain")}
        self.divisions = list(league.divisions.values_list("name", flat=True))
        rows = league.players.values_list("member__name_key", "team")
        self.plays_for: dict[str, int] = dict(rows)
        self.people = people_by_name(club)

    def is_inactive(self, name: str) -> bool:
        """Whether a name means a player who is inactive now."""
        return any(person.retired_at for person in self.people.get(name_key(name), ()))

    @property
    def facts(self) -> tuple[object, ...]:
        teams = [(key, one.pk, one.captain_id) for key, one in self.teams.items()]
        people = {key: [(p.pk, p.retired_at) for p in same] for key, same in self.people.items()}
        return teams, self.divisions, self.plays_for, people, self.league.state


def preview_teams(league: TeamLeague, rows: Sequence[Row]) -> TeamsPreview:
    """What a sheet of teams would do. Changes nothing; of a team that is here only players are
    added."""
    return _teams(TeamsHere(league), rows)


def import_team_sheet(
    league: TeamLeague, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[SheetTeam]:
    """Enter the teams of a sheet, all or none; refuses what has changed since it was `agreed`."""

    def save(teams: list[SheetTeam]) -> None:
        try:
            import_teams(league, teams, by=by, at=at)
        except Refused as refused:  # a rule of the league: here it is about the file
            fields = {"file": [refused.message]}
            raise Refused(refused.code, refused.message, fields=fields) from refused

    return do_agreed(
        league.club,
        lambda: TeamsHere(league),
        lambda here: _teams(here, rows),
        lambda _here, preview: preview.new,
        save,
        agreed=agreed,
    )


def _teams(here: TeamsHere, rows: Sequence[Row]) -> TeamsPreview:
    teams, troubles = teams_on(rows)
    troubles += list(_between(here, teams))
    new = [] if troubles else [one for one in (_team(here, team) for team in teams) if one]
    listed = [name for one in new for name in one.players]
    names = [name for name in listed if name_key(name) not in here.people]
    returning = [name for name in listed if here.is_inactive(name)]
    like = [] if troubles else list(_like(here.league.club, names))
    notes = [] if troubles else list(_notes(here, teams))
    return TeamsPreview(new, len(teams) - len(new), names, like, returning, troubles, notes)


def _team(here: TeamsHere, one: TeamOnSheet) -> SheetTeam | None:
    """What becomes of a team of the sheet; None where nothing is new about it."""
    team = here.teams.get(name_key(one.name))
    if team is not None:
        players = [name for key, name in one.players.items() if here.plays_for.get(key) is None]
        return SheetTeam(team.name, players, team) if players else None
    get = one.cells.get
    return SheetTeam(
        one.name, list(one.players.values()), None, get("division", ""), get("house", ""),
        get("venue", ""), get("captain", ""), one.points_off, one.left,
    )  # fmt: skip


def teams_on(rows: Sequence[Row]) -> tuple[list[TeamOnSheet], list[Trouble]]:
    """The teams of a sheet, a team on one line or a player a line, and every cell that cannot
    be. A team whose name stands only on its first line goes on below it."""
    teams: dict[str, TeamOnSheet] = {}
    troubles: list[Trouble] = []
    last = ""
    for row in rows:
        name = row["team"] or last
        last = name
        in_row = list(_team_troubles(row, name))
        troubles += in_row
        if in_row:
            continue
        team = teams.setdefault(name_key(name), TeamOnSheet(row.line, clean_name(name)))
        troubles += list(_add(team, row))
    return list(teams.values()), troubles


def _add(team: TeamOnSheet, row: Row) -> Iterator[Trouble]:
    for column in SAME:
        cell = row[column]
        if cell and team.cells.setdefault(column, cell) != cell:
            sentence = _("Line %(line)d says something else for this team.")
            yield Trouble(row.line, column, sentence % {"line": team.line})
    for name in _names(row):
        clean = clean_name(name)
        team.players.setdefault(name_key(clean), clean)
        team.only_captain.discard(name_key(clean))
    if row["captain"]:
        captain = clean_name(row["captain"])
        if name_key(captain) not in team.players:
            team.only_captain.add(name_key(captain))
            team.players[name_key(captain)] = captain
    if len(team.players) > MOST_PLAYERS:
        sentence = _("A team has at most %(most)d players.") % {"most": MOST_PLAYERS}
        yield Trouble(row.line, "player", sentence)


def _names(row: Row) -> list[str]:
    several = [name.strip() for name in BETWEEN.split(row["players"])]
    return [name for name in [row["player"], *several] if name]


def _team_troubles(row: Row, name: str) -> Iterator[Trouble]:
    """What is wrong with the cells of one line, taken by themselves."""
    for column, most in LONGEST.items():
        cell = name if column == "team" else row[column]
        if cell or column == "team":
            yield from _name_troubles(row.line, column, cell, most)
    for person in _names(row):
        yield from _name_troubles(row.line, "player", person, 60)
    if row["captain"]:
        yield from _name_troubles(row.line, "captain", row["captain"], 60)
    if row["left"] and day_of(row["left"]) is None:
        yield Trouble(row.line, "left", _("Enter a date as 2026-11-19."))
    if row["points off"] and not _points(row["points off"]):
        sentence = _("Enter a number of points, at most %(most)d.") % {"most": MOST_DEDUCTED}
        yield Trouble(row.line, "points off", sentence)


def _name_troubles(line: int, column: str, text: str, most: int) -> Iterator[Trouble]:
    try:
        if len(clean_name(text)) > most:
            sentence = _("Enter a name of at most %(most)d letters.") % {"most": most}
            yield Trouble(line, column, sentence)
    except BadName as bad:
        yield Trouble(line, column, name_trouble(bad.code))


def _points(text: str) -> bool:
    try:
        points = number_from(text.replace(",", "."), "")
    except RankingError:
        return False
    return abs(points) <= MOST_DEDUCTED and (points * 100).denominator == 1


def _between(here: TeamsHere, teams: Sequence[TeamOnSheet]) -> Iterator[Trouble]:
    """What is wrong with lines that are good by themselves: beside each other, and beside what is
    here."""
    in_divisions = bool(here.divisions) or any(one.cells.get("division") for one in teams)
    names = {name_key(name) for name in here.divisions}
    names |= {name_key(one.cells["division"]) for one in teams if one.cells.get("division")}
    if len(names) > MOST_DIVISIONS:
        yield Trouble(1, "division", _("Too many divisions."))
    if here.divisions:
        yield from _unknown_divisions(here, teams)
    team_of = dict(here.plays_for)
    keys = {one.pk: key for key, one in here.teams.items()}
    plays_in = {player: keys[team] for player, team in team_of.items()}
    for one in teams:
        own = name_key(one.name)
        if own not in here.teams and in_divisions and not one.cells.get("division"):
            yield Trouble(one.line, "division", _("Enter the division of this team."))
        for key, name in one.players.items():
            if plays_in.setdefault(key, own) != own:
                sentence = _("%(name)s plays for another team of this league.") % {"name": name}
                yield Trouble(one.line, "player", sentence)
            if len(here.people.get(key, ())) > 1:
                sentence = _("Two players are called %(name)s. Change one of the names first.")
                yield Trouble(one.line, "player", sentence % {"name": name})


def _unknown_divisions(here: TeamsHere, teams: Sequence[TeamOnSheet]) -> Iterator[Trouble]:
    known = {name_key(name) for name in here.divisions}
    for team in teams:
        name = team.cells.get("division", "")
        if name and name_key(name) not in known and name_key(team.name) not in here.teams:
            words = {"name": name, "divisions": ", ".join(here.divisions)}
            text = _("There is no division %(name)s in this league. It has: %(divisions)s.")
            yield Trouble(team.line, "division", text % words)


def _notes(here: TeamsHere, teams: Sequence[TeamOnSheet]) -> Iterator[str]:
    """What is no mistake by itself but often comes of one: new divisions, small squads, captains
    whom nobody named as a player."""
    if not here.divisions:
        count = Counter(team.cells["division"] for team in teams if team.cells.get("division"))
        for name, n in count.items():
            text = ngettext(
                "New division %(name)s, with %(n)d team.",
                "New division %(name)s, with %(n)d teams.",
                n,
            )
            yield text % {"name": name, "n": n}
    least = squad_rules_of(here.league).least
    for team in teams:
        if name_key(team.name) not in here.teams and len(team.players) < least:
            words = {"team": team.name, "n": len(team.players), "least": least}
            text = _("%(team)s has %(n)d players; a squad needs at least %(least)d.")
            yield text % words
        if len(team.players) > len(team.only_captain):
            for key in sorted(team.only_captain - set(here.plays_for)):
                words = {"name": team.players[key], "team": team.name}
                text = _("%(name)s, the captain, is not among the players of %(team)s.")
                yield f"{text % words} {_('A player of this name is added to the team.')}"


def _like(club: Club, names: Sequence[str]) -> Iterator[str]:
    """Of names that become new players those that look like somebody's, each as a sentence."""
    for start in range(0, len(names), 200):
        part = names[start : start + 200]
        for line in read_list("\n".join(part), known_people(club), is_erased=was_erased(club)):
            if line.verdict == Verdict.LIKE:
                words = {"name": line.name, "other": ", ".join(line.like[:3])}
                yield _("%(name)s looks like %(other)s.") % words
            elif line.verdict == Verdict.ERASED:
                sentence = _("%(name)s: someone with this name asked to be erased.")
                yield sentence % {"name": line.name}


def team_rows(league: TeamLeague) -> Iterator[list[object]]:
    """A line for every player of every team; what a team has once stands on its first line. Points
    off are all that were, late cards too, since a sheet does not say when a card arrived."""
    teams = list(league.teams.select_related("division", "captain").order_by("pk"))
    taken = {
        team: record.deducted
        for table in tables_of(league, teams, fixtures_of(league)).values()
        for team, record in table.records.items()
    }
    players: dict[int, list[str]] = defaultdict(list)
    for team, name in league.players.order_by("member__sort_key").values_list(
        "team", "member__name"
    ):
        players[team].append(name)
    for one in teams:
        yield from _lines_of(one, players[one.pk], taken.get(one.pk, Fraction(0)), league.club)


def _lines_of(team: Team, names: Sequence[str], off: Fraction, club: Club) -> Iterator[list[Any]]:
    division = team.division.name if team.division else ""
    left = club.local(team.withdrawn_at).date().isoformat() if team.withdrawn_at else ""
    captain = team.captain.name if team.captain else ""
    name = names[0] if names else ""
    yield [team.name, division, team.house, team.venue, captain, name, "", off or "", left]
    for name in names[1:]:
        yield [team.name, division, "", "", "", name, "", "", ""]
