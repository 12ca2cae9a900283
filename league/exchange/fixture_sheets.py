"""Exports and imports a league's fixtures and results as lines of a sheet: a preview of each line,
then all or nothing. A line without a result is a fixture still to be played."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.exchange.past_games import day_of, number_of, time_of
from league.exchange.sheet_import import Trouble, import_agreed
from league.exchange.sheet_reading import MOST_COLUMNS, Row
from league.exchange.sheets import cell_label
from league.members.audit import Actor
from league.members.names import BadName, clean_name, name_key
from league.play.final_scores import highest, score_faults
from league.play.game_log import rules_of as game_rules_of
from league.teams.actions.importing import SheetMatch, games_won, import_matches
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord, fixtures_of, rules_of
from scoring import Ruleset

FIXTURES = (
    "round", "date", "begins", "planned", "division", "home", "away", "venue", "home games",
    "away games", "home points", "away points", "awarded",
)  # fmt: skip
FIXTURES_NEED = ("date", "home", "away")
TOTALS = ("home games", "away games", "home points", "away points")
SIDES = ("home", "away", "nobody")
MARKS = ("home", "away", "void")
GAME = re.compile(r"(-?[0-9]{1,3})\s*[-–—:/]\s*(-?[0-9]{1,3})", re.ASCII)
MOST_TOTAL = 9999
MOST_ROUND = 200


def fixture_columns(league: TeamLeague) -> tuple[str, ...]:
    """The columns of this league's sheet, with one for each game of a match where they fit."""
    if len(FIXTURES) + league.games > MOST_COLUMNS:
        return FIXTURES
    return (*FIXTURES, *(f"game {number}" for number in range(1, league.games + 1)))


@dataclass(frozen=True, slots=True)
class FixturesPreview:
    """What importing a sheet would do: the fixtures it adds, the results it adds to existing
    fixtures, how many lines change nothing, and every trouble with its line."""

    added: list[SheetMatch]
    results: list[SheetMatch]
    known: int
    troubles: list[Trouble]

    @property
    def new(self) -> list[SheetMatch]:
        return [*self.added, *self.results]

    @property
    def agreed(self) -> str:
        """A digest of what was shown."""
        return hashlib.sha256(repr(self.new).encode()).hexdigest()[:32]


class ExistingFixtures:
    """The league's teams, and its fixtures with their results by home and away team."""

    def __init__(self, league: TeamLeague, today: date) -> None:
        self.league, self.today = league, today
        self.rules = rules_of(league)
        self.game_rules: Ruleset = game_rules_of(league.ruleset.body)
        teams = list(league.teams.select_related("division"))
        self.teams = {name_key(team.name): team for team in teams}
        self.fixtures: dict[tuple[int, int], list[MatchRecord]] = defaultdict(list)
        in_order = sorted(
            fixtures_of(league), key=lambda fixture: (fixture.match.round, fixture.match.pk)
        )
        for fixture in in_order:
            self.fixtures[fixture.match.home_id, fixture.match.away_id].append(fixture)

    @property
    def facts(self) -> tuple[object, ...]:
        fixtures = [fixture for fixtures in self.fixtures.values() for fixture in fixtures]
        matches = [
            (match.pk, match.revision, match.held_on, fixture.entries, match.given_to_id)
            for fixture in fixtures
            for match in [fixture.match]
        ]
        teams = [(key, team.pk, team.division_id) for key, team in self.teams.items()]
        return teams, matches, self.league.state


def preview_fixtures(league: TeamLeague, rows: Sequence[Row], *, at: datetime) -> FixturesPreview:
    """What importing a sheet would do; results the league already has stay as they are."""
    return _preview(ExistingFixtures(league, league.club.local(at).date()), rows)


def import_fixture_sheet(
    league: TeamLeague, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[SheetMatch]:
    """Add what is new on a sheet, all or nothing; refuses if the preview is no longer what was
    `agreed`."""
    today = league.club.local(at).date()

    def save(sheet_matches: list[SheetMatch]) -> None:
        import_matches(league, sheet_matches, by=by)

    return import_agreed(
        league.club,
        lambda: ExistingFixtures(league, today),
        lambda existing: _preview(existing, rows),
        lambda _existing, preview: preview.new,
        save,
        agreed=agreed,
    )


def _preview(existing: ExistingFixtures, rows: Sequence[Row]) -> FixturesPreview:
    lines: list[tuple[int, SheetMatch]] = []
    troubles: list[Trouble] = []
    for row in rows:
        row_troubles = list(_troubles(existing, row))
        troubles += row_troubles
        if not row_troubles:
            lines.append((row.line, _match(existing, row)))
    added, results, unchanged = [], [], 0
    # The n-th match on the sheet between two teams is their n-th fixture.
    times_met: dict[tuple[int, int], int] = defaultdict(int)
    for line, sheet_match in sorted(lines, key=_line_order):
        pair = sheet_match.home.pk, sheet_match.away.pk
        fixture = next(iter(existing.fixtures[pair][times_met[pair] :]), None)
        times_met[pair] += 1
        if fixture is None:
            added.append(sheet_match)
        elif not sheet_match.has_result or _is_same_result(fixture, sheet_match):
            unchanged += 1
        elif fixture.match.is_untouched:
            results.append(_result_for(fixture.match, sheet_match))
        else:
            sentence = _("This match is already here, with a different result.")
            troubles.append(Trouble(line, "home games", sentence))
    troubles.sort(key=lambda trouble: trouble.line)
    return FixturesPreview(added, results, unchanged, troubles)


def _line_order(line: tuple[int, SheetMatch]) -> tuple[int, date, int]:
    number, match = line
    return match.round or 0, match.planned or match.day or date.max, number


def _result_for(match: TeamMatch, sheet_match: SheetMatch) -> SheetMatch:
    return SheetMatch(
        sheet_match.home, sheet_match.away, match, day=sheet_match.day, games=sheet_match.games,
        totals_only=sheet_match.totals_only, walkover=sheet_match.walkover, rules=sheet_match.rules,
    )  # fmt: skip


def _is_same_result(fixture: MatchRecord, sheet_match: SheetMatch) -> bool:
    """Whether a fixture has the result that the line gives."""
    match = fixture.match
    if match.is_given or sheet_match.walkover:
        return match.is_given and _awarded(match) == sheet_match.walkover
    return bool(fixture.met.games) and fixture.met.won == sheet_match.won


def _match(existing: ExistingFixtures, row: Row) -> SheetMatch:
    games, totals_only = _games(existing, row)
    home = existing.teams[name_key(row["home"])]
    venue = clean_name(row["venue"]) if row["venue"] else ""
    return SheetMatch(
        home,
        existing.teams[name_key(row["away"])],
        round=number_of(row["round"], MOST_ROUND) or None,
        day=day_of(row["date"]),
        begins_at=time_of(row["begins"]),
        planned=day_of(row["planned"]),
        venue="" if venue == home.venue else venue,
        games=tuple(games),
        totals_only=totals_only,
        walkover=row["awarded"].casefold(),
        rules=existing.rules,
    )


def _games(existing: ExistingFixtures, row: Row) -> tuple[list[Any], bool]:
    """The games of a line as a card lists them, and whether only their totals are known; no games
    for a fixture still to be played."""
    listed_games = [_entry(cell) for cell in _game_cells(existing, row)]
    if any(entry is not None for entry in listed_games):
        return listed_games, False
    if not row["home games"]:
        return [], False
    played, total = int(row["home games"]) + int(row["away games"]), existing.league.games
    if not row["home points"]:
        marks = ["home"] * int(row["home games"]) + ["away"] * int(row["away games"])
        return [*marks, *[None] * (total - played)], True
    return [*(_games_from_totals(existing, row) or []), *[None] * (total - played)], True


def _games_from_totals(existing: ExistingFixtures, row: Row) -> list[list[int]] | None:
    """Made-up games with the line's numbers of games won and total points; None where no games
    can have such totals."""
    home_games, away_games, home_points, away_points = (int(row[column]) for column in TOTALS)
    home = _split_points(existing, home_points, home_games, away_games)
    away = _split_points(existing, away_points, away_games, home_games)
    if home is None or away is None:
        return None
    return [*map(list, zip(home[0], away[1], strict=True)),
            *map(list, zip(home[1], away[0], strict=True))]  # fmt: skip


def _split_points(
    existing: ExistingFixtures, points: int, won: int, lost: int
) -> tuple[list[int], list[int]] | None:
    """Split a side's points over the games it won and lost; None where that is impossible.

    A game won has the target or a little more, a game lost has less.
    """
    target, most = existing.rules.target or 0, highest(existing.game_rules)
    rest = points - won * target
    in_lost_games = min(rest, lost * (target - 1))
    above_target = rest - in_lost_games
    if not target or in_lost_games < 0 or above_target > won * (most - target):
        return None
    return [target + more for more in _spread(above_target, won)], _spread(in_lost_games, lost)


def _spread(points: int, games: int) -> list[int]:
    """Spread points over games as evenly as whole numbers allow."""
    return [points * (n + 1) // games - points * n // games for n in range(games)]


def _game_cells(existing: ExistingFixtures, row: Row) -> list[str]:
    return [row[f"game {number}"] for number in range(1, existing.league.games + 1)]


def _entry(cell: str) -> list[int] | str | None:
    match = GAME.fullmatch(cell)
    if match:
        return [int(match[1]), int(match[2])]
    return cell.casefold() or None


def _troubles(existing: ExistingFixtures, row: Row) -> Iterator[Trouble]:
    """Everything that is wrong with one line."""
    yield from _team_troubles(existing, row)
    for column in ("date", "planned"):
        if row[column] and day_of(row[column]) is None:
            yield Trouble(row.line, column, _("Enter a date as 2026-11-19."))
    if row["begins"] and time_of(row["begins"]) is None:
        yield Trouble(row.line, "begins", _("Enter a time as 19:30."))
    if row["round"] and not number_of(row["round"], MOST_ROUND):
        sentence = _("Enter a number from 1 to %(most)d.") % {"most": MOST_ROUND}
        yield Trouble(row.line, "round", sentence)
    if row["venue"] and not _is_venue(row["venue"]):
        sentence = _("Enter a name of at most %(most)d letters.") % {"most": 60}
        yield Trouble(row.line, "venue", sentence)
    if row["awarded"] and row["awarded"].casefold() not in SIDES:
        words = {"words": ", ".join(cell_label("awarded", word) for word in SIDES)}
        yield Trouble(row.line, "awarded", _("Enter one of: %(words)s.") % words)
    score_cell_troubles = list(_score_cell_troubles(existing, row))
    yield from score_cell_troubles or _result_troubles(existing, row)


def _is_venue(text: str) -> bool:
    try:
        return len(clean_name(text)) <= 60
    except BadName:
        return False


def _team_troubles(existing: ExistingFixtures, row: Row) -> Iterator[Trouble]:
    sides: list[Team] = []
    for column in ("home", "away"):
        team = existing.teams.get(name_key(row[column]))
        if team is None:
            sentence = _("There is no team %(name)s in this league. Import or enter it first.")
            yield Trouble(row.line, column, sentence % {"name": row[column][:40] or "–"})
        else:
            sides.append(team)
    if len(sides) < 2:
        return
    if sides[0] == sides[1]:
        yield Trouble(row.line, "away", _("A team cannot meet itself."))
    elif sides[0].division_id != sides[1].division_id:
        yield Trouble(row.line, "away", _("These teams are in different divisions."))
    division = sides[0].division
    if row["division"] and name_key(row["division"]) != name_key(division.name if division else ""):
        yield Trouble(row.line, "division", _("The home team is not in this division."))


def _score_cell_troubles(existing: ExistingFixtures, row: Row) -> Iterator[Trouble]:
    """What is wrong with each cell of a result."""
    for number, cell in enumerate(_game_cells(existing, row), 1):
        entry = _entry(cell)
        if isinstance(entry, list):
            for sentence in dict.fromkeys(
                text for _s, text in score_faults(existing.game_rules, entry)
            ):
                yield Trouble(row.line, f"game {number}", sentence)
        elif entry is not None and entry not in MARKS:
            words = {"words": ", ".join(cell_label("game 1", word) for word in MARKS)}
            sentence = _("Enter the points of both sides as 21-15, or one of: %(words)s.") % words
            yield Trouble(row.line, f"game {number}", sentence)
    for column in TOTALS:
        if row[column] and not (row[column].isdecimal() and int(row[column][:9]) <= MOST_TOTAL):
            yield Trouble(row.line, column, _("Enter a whole number."))
    for home, away in (TOTALS[:2], TOTALS[2:]):
        if bool(row[home]) != bool(row[away]):
            missing = away if row[home] else home
            yield Trouble(row.line, missing, _("Enter both sides, or neither."))


def _result_troubles(existing: ExistingFixtures, row: Row) -> Iterator[Trouble]:
    """What is wrong with a result whose cells are valid."""
    if any(row[column] for column in TOTALS[2:]) and not row["home games"]:
        yield Trouble(row.line, "home games", _("Enter the games won too."))
        return
    games, totals_only = _games(existing, row)
    has_games = bool(games or row["home games"])
    if not has_games and not row["awarded"]:
        return
    if has_games and row["awarded"]:
        yield Trouble(row.line, "awarded", _("Enter the games or who was awarded the match."))
    yield from _day_troubles(existing, row, has_games=has_games)
    if has_games:
        sentence = _score_fault(existing, row, games, totals_only=totals_only)
        if sentence:
            yield Trouble(row.line, "home games", sentence)


def _day_troubles(existing: ExistingFixtures, row: Row, *, has_games: bool) -> Iterator[Trouble]:
    day = day_of(row["date"])
    if has_games and not row["date"]:
        yield Trouble(row.line, "date", _("Enter the day of the match."))
    elif day and day > existing.today:
        yield Trouble(row.line, "date", _("This day is in the future."))


def _score_fault(
    existing: ExistingFixtures, row: Row, games: Sequence[Any], *, totals_only: bool
) -> str:
    """Why a score is impossible; "" where it is possible."""
    total = existing.league.games
    if totals_only and int(row["home games"]) + int(row["away games"]) > total:
        return ngettext("A match has %(n)d game.", "A match has %(n)d games.", total) % {"n": total}
    if totals_only and row["home points"] and _games_from_totals(existing, row) is None:
        return _("These points don't fit the games. Enter the games one by one, or no points.")
    won = games_won(games, existing.rules.by_game if totals_only else existing.rules)
    if None in games and max(won) * 2 <= total:
        return _("These games don't decide the match.")
    totals = [int(row[column]) for column in TOTALS[:2] if row[column]]
    if totals and list(won) != totals:
        return _("The games one by one come to something else.")
    return ""


def fixture_rows(league: TeamLeague) -> Iterator[list[object]]:
    """A line for every fixture of the league with its result, in order."""
    with_games = len(fixture_columns(league)) > len(FIXTURES)
    for fixture in fixtures_of(league):
        match, division = fixture.match, fixture.match.home.division
        is_listed = bool(fixture.met.games) and not match.totals_only and not match.is_given
        yield [
            match.round,
            match.held_on.isoformat() if match.held_on else "",
            f"{match.begins_at:%H:%M}" if match.begins_at else "",
            match.first_date.isoformat() if match.first_date else "",
            division.name if division else "",
            match.home.name,
            match.away.name,
            match.venue or match.home.venue,
            *_total_cells(fixture),
            _awarded(match),
            *([_game_cell(entry) for entry in fixture.entries] if with_games and is_listed else []),
        ]


def _total_cells(fixture: MatchRecord) -> list[object]:
    """Games and points of both sides; games only if they are whole numbers, points only if some
    are known."""
    if not fixture.met.games or fixture.match.is_given:
        return [""] * len(TOTALS)
    has_whole_games = all(won.denominator == 1 for won in fixture.met.won)
    has_points = any(isinstance(entry, list) for entry in fixture.entries)
    games = fixture.met.won if has_whole_games else ("", "")
    return [*games, *(fixture.met.points if has_points else ("", ""))]


def _awarded(match: TeamMatch) -> str:
    if not match.is_given:
        return ""
    return {match.home_id: "home", match.away_id: "away"}.get(match.given_to_id or 0, "nobody")


def _game_cell(entry: Any) -> str:
    return f"{entry[0]}-{entry[1]}" if isinstance(entry, list) else entry or ""
