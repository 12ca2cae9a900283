"""A league's fixtures and results as lines of a sheet, out and in: what each line would do, then
all or nothing. A line without a result is a fixture to play."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.exchange.past_games import day_of, number_of
from league.exchange.sheet_import import Trouble, do_agreed
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
    "round", "date", "planned", "division", "home", "away", "venue", "home games", "away games",
    "home points", "away points", "awarded",
)  # fmt: skip
FIXTURES_NEED = ("date", "home", "away")
TOTALS = ("home games", "away games", "home points", "away points")
SIDES = ("home", "away", "nobody")
MARKS = ("home", "away", "void")
GAME = re.compile(r"(-?[0-9]{1,3})\s*[-–—:/]\s*(-?[0-9]{1,3})", re.ASCII)
MOST_TOTAL = 9999
MOST_ROUND = 200


def fixture_columns(league: TeamLeague) -> tuple[str, ...]:
    """The columns of this league's sheet: one for each game of a match too, where they fit."""
    if len(FIXTURES) + league.games > MOST_COLUMNS:
        return FIXTURES
    return (*FIXTURES, *(f"game {number}" for number in range(1, league.games + 1)))


@dataclass(frozen=True, slots=True)
class FixturesPreview:
    """What a sheet would do: the fixtures it adds, the results it gives to fixtures that are here,
    how many lines change nothing, and every trouble with its line."""

    added: list[SheetMatch]
    results: list[SheetMatch]
    known: int
    troubles: list[Trouble]

    @property
    def new(self) -> list[SheetMatch]:
        return [*self.added, *self.results]

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        return hashlib.sha256(repr(self.new).encode()).hexdigest()[:32]


class FixturesHere:
    """The league's teams, and its fixtures with what came of them."""

    def __init__(self, league: TeamLeague, today: date) -> None:
        self.league, self.today = league, today
        self.rules = rules_of(league)
        self.game_rules: Ruleset = game_rules_of(league.ruleset.body)
        teams = list(league.teams.select_related("division"))
        self.teams = {name_key(team.name): team for team in teams}
        self.there: dict[tuple[int, int], list[MatchRecord]] = defaultdict(list)
        for fixture in sorted(fixtures_of(league), key=lambda one: (one.match.round, one.match.pk)):
            self.there[fixture.match.home_id, fixture.match.away_id].append(fixture)

    @property
    def facts(self) -> tuple[object, ...]:
        matches = [
            (
                one.match.pk,
                one.match.revision,
                one.match.held_on,
                one.entries,
                one.match.given_to_id,
            )
            for many in self.there.values()
            for one in many
        ]
        teams = [(key, one.pk, one.division_id) for key, one in self.teams.items()]
        return teams, matches, self.league.state


def preview_fixtures(league: TeamLeague, rows: Sequence[Row], *, at: datetime) -> FixturesPreview:
    """What a sheet would do. Changes nothing; a result that is here already stays as it is."""
    return _fixtures(FixturesHere(league, league.club.local(at).date()), rows)


def import_fixture_sheet(
    league: TeamLeague, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[SheetMatch]:
    """Add what is new on a sheet, all or nothing; refuses what changed since it was `agreed`."""
    today = league.club.local(at).date()

    def save(sheet_matches: list[SheetMatch]) -> None:
        import_matches(league, sheet_matches, by=by)

    return do_agreed(
        league.club,
        lambda: FixturesHere(league, today),
        lambda here: _fixtures(here, rows),
        lambda _here, preview: preview.new,
        save,
        agreed=agreed,
    )


def _fixtures(here: FixturesHere, rows: Sequence[Row]) -> FixturesPreview:
    lines: list[tuple[int, SheetMatch]] = []
    troubles: list[Trouble] = []
    for row in rows:
        in_row = list(_troubles(here, row))
        troubles += in_row
        if not in_row:
            lines.append((row.line, _match(here, row)))
    added, results, known = [], [], 0
    met: dict[tuple[int, int], int] = defaultdict(int)
    for line, one in sorted(lines, key=_in_order):
        pair = one.home.pk, one.away.pk
        there = here.there[pair][met[pair]] if met[pair] < len(here.there[pair]) else None
        met[pair] += 1
        if there is None:
            added.append(one)
        elif not one.has_result or _is_same(there, one):
            known += 1
        elif there.match.is_untouched:
            results.append(_result_of(there.match, one))
        else:
            sentence = _("This match is already here, with a different result.")
            troubles.append(Trouble(line, "home games", sentence))
    troubles.sort(key=lambda trouble: trouble.line)
    return FixturesPreview(added, results, known, troubles)


def _in_order(line: tuple[int, SheetMatch]) -> tuple[int, date, int]:
    number, one = line
    return one.round or 0, one.planned or one.day or date.max, number


def _result_of(match: TeamMatch, one: SheetMatch) -> SheetMatch:
    return SheetMatch(
        one.home, one.away, match, day=one.day, games=one.games, totals_only=one.totals_only,
        walkover=one.walkover, rules=one.rules,
    )  # fmt: skip


def _is_same(there: MatchRecord, one: SheetMatch) -> bool:
    """Whether a match that is here came to what the line says."""
    match = there.match
    if match.is_given or one.walkover:
        return match.is_given and _awarded(match) == one.walkover
    return bool(there.met.games) and there.met.won == one.won


def _match(here: FixturesHere, row: Row) -> SheetMatch:
    games, totals_only = _games(here, row)
    return SheetMatch(
        here.teams[name_key(row["home"])],
        here.teams[name_key(row["away"])],
        round=number_of(row["round"], MOST_ROUND) or None,
        day=day_of(row["date"]),
        planned=day_of(row["planned"]),
        venue=clean_name(row["venue"]) if row["venue"] else "",
        games=tuple(games),
        totals_only=totals_only,
        walkover=row["awarded"].casefold(),
        rules=here.rules,
    )


def _games(here: FixturesHere, row: Row) -> tuple[list[Any], bool]:
    """The games of a line as a card has them, and whether only their sums are known; none for a
    fixture to play."""
    one_by_one = [_entry(cell) for cell in _game_cells(here, row)]
    if any(entry is not None for entry in one_by_one):
        return one_by_one, False
    if not row["home games"]:
        return [], False
    won, total = int(row["home games"]) + int(row["away games"]), here.league.games
    if not row["home points"]:
        marks = ["home"] * int(row["home games"]) + ["away"] * int(row["away games"])
        return [*marks, *[None] * (total - won)], True
    return [*(_with_sums(here, row) or []), *[None] * (total - won)], True


def _with_sums(here: FixturesHere, row: Row) -> list[list[int]] | None:
    """Games, as many won by each side as the line says, whose points add up to its sums; None
    where there are none that could be so."""
    home, away, own, theirs = (int(row[column]) for column in TOTALS)
    first, second = _points(here, own, home, away), _points(here, theirs, away, home)
    if first is None or second is None:
        return None
    return [*map(list, zip(first[0], second[1], strict=True)),
            *map(list, zip(first[1], second[0], strict=True))]  # fmt: skip


def _points(
    here: FixturesHere, points: int, won: int, lost: int
) -> tuple[list[int], list[int]] | None:
    """A side's points in the games it won and in those it lost; None where there are none that
    come to this sum: a game won has the target or a little more, a game lost less."""
    target, most = here.rules.target or 0, highest(here.game_rules)
    rest = points - won * target
    less = min(rest, lost * (target - 1))
    if not target or less < 0 or rest - less > won * (most - target):
        return None
    return [target + more for more in _spread(rest - less, won)], _spread(less, lost)


def _spread(points: int, games: int) -> list[int]:
    return [points * (n + 1) // games - points * n // games for n in range(games)]


def _game_cells(here: FixturesHere, row: Row) -> list[str]:
    return [row[f"game {number}"] for number in range(1, here.league.games + 1)]


def _entry(cell: str) -> list[int] | str | None:
    match = GAME.fullmatch(cell)
    if match:
        return [int(match[1]), int(match[2])]
    return cell.casefold() or None


def _troubles(here: FixturesHere, row: Row) -> Iterator[Trouble]:
    """Everything that is wrong with one line."""
    yield from _of_teams(here, row)
    for column in ("date", "planned"):
        if row[column] and day_of(row[column]) is None:
            yield Trouble(row.line, column, _("Enter a date as 2026-11-19."))
    if row["round"] and not number_of(row["round"], MOST_ROUND):
        sentence = _("Enter a number from 1 to %(most)d.") % {"most": MOST_ROUND}
        yield Trouble(row.line, "round", sentence)
    if row["venue"] and not _is_venue(row["venue"]):
        sentence = _("Enter a name of at most %(most)d letters.") % {"most": 60}
        yield Trouble(row.line, "venue", sentence)
    if row["awarded"] and row["awarded"].casefold() not in SIDES:
        labels = ", ".join(cell_label("awarded", word) for word in SIDES)
        sentence = _("Enter one of: %(words)s.") % {"words": labels}
        yield Trouble(row.line, "awarded", sentence)
    wrong = list(_of_games(here, row))
    yield from wrong or _of_result(here, row)


def _is_venue(text: str) -> bool:
    try:
        return len(clean_name(text)) <= 60
    except BadName:
        return False


def _of_teams(here: FixturesHere, row: Row) -> Iterator[Trouble]:
    sides: list[Team] = []
    for column in ("home", "away"):
        team = here.teams.get(name_key(row[column]))
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


def _of_games(here: FixturesHere, row: Row) -> Iterator[Trouble]:
    """What is wrong with the cells of a result, each by itself."""
    for number, cell in enumerate(_game_cells(here, row), 1):
        entry = _entry(cell)
        if isinstance(entry, list):
            for sentence in dict.fromkeys(
                text for _s, text in score_faults(here.game_rules, entry)
            ):
                yield Trouble(row.line, f"game {number}", sentence)
        elif entry is not None and entry not in MARKS:
            labels = ", ".join(cell_label(f"game {number}", word) for word in MARKS)
            sentence = _("Enter the points of both sides as 21-15, or one of: %(words)s.")
            yield Trouble(row.line, f"game {number}", sentence % {"words": labels})
    for column in TOTALS:
        if row[column] and not (row[column].isdecimal() and int(row[column][:9]) <= MOST_TOTAL):
            sentence = _("Enter a whole number.")
            yield Trouble(row.line, column, sentence)
    for one, other in (TOTALS[:2], TOTALS[2:]):
        if bool(row[one]) != bool(row[other]):
            yield Trouble(row.line, other if row[one] else one, _("Enter both sides, or neither."))


def _of_result(here: FixturesHere, row: Row) -> Iterator[Trouble]:
    """What is wrong with a result whose cells are good."""
    if any(row[column] for column in TOTALS[2:]) and not row["home games"]:
        yield Trouble(row.line, "home games", _("Enter the games won too."))
        return
    games, totals_only = _games(here, row)
    played = bool(games or row["home games"])
    if not played and not row["awarded"]:
        return
    if played and row["awarded"]:
        yield Trouble(row.line, "awarded", _("Enter the games or who was awarded the match."))
    yield from _of_day(here, row, has_games=played)
    if played:
        sentence = _score_fault(here, row, games, totals_only=totals_only)
        if sentence:
            yield Trouble(row.line, "home games", sentence)


def _of_day(here: FixturesHere, row: Row, *, has_games: bool) -> Iterator[Trouble]:
    day = day_of(row["date"])
    if has_games and not row["date"]:
        yield Trouble(row.line, "date", _("Enter the day of the match."))
    elif day and day > here.today:
        yield Trouble(row.line, "date", _("This day is in the future."))


def _score_fault(here: FixturesHere, row: Row, games: Sequence[Any], *, totals_only: bool) -> str:
    """Why a score cannot be; nothing where it can."""
    total = here.league.games
    if totals_only and int(row["home games"]) + int(row["away games"]) > total:
        return ngettext("A match has %(n)d game.", "A match has %(n)d games.", total) % {"n": total}
    if totals_only and row["home points"] and _with_sums(here, row) is None:
        return _("These points don't fit the games. Enter the games one by one, or no points.")
    won = games_won(games, here.rules.by_game if totals_only else here.rules)
    counted = sum(entry is not None for entry in games)
    if counted < total and max(won) * 2 <= total:
        return _("These games don't decide the match.")
    listed = [int(row[column]) for column in TOTALS[:2] if row[column]]
    if listed and list(won) != listed:
        return _("The games one by one come to something else.")
    return ""


def fixture_rows(league: TeamLeague) -> Iterator[list[object]]:
    """A line for every fixture of the league with its result, in order."""
    with_games = len(fixture_columns(league)) > len(FIXTURES)
    for fixture in fixtures_of(league):
        match, division = fixture.match, fixture.match.home.division
        known = (
            with_games and bool(fixture.met.games) and not match.totals_only and not match.is_given
        )
        yield [
            match.round,
            match.held_on.isoformat() if match.held_on else "",
            match.first_date.isoformat() if match.first_date else "",
            division.name if division else "",
            match.home.name,
            match.away.name,
            match.venue,
            *_sums(fixture),
            _awarded(match),
            *([_cell(entry) for entry in fixture.entries] if known else []),
        ]


def _sums(one: MatchRecord) -> list[object]:
    """Games and points of both sides; games only as whole numbers, and points where some are
    known."""
    if not one.met.games or one.match.is_given:
        return [""] * len(TOTALS)
    whole = all(won.denominator == 1 for won in one.met.won)
    known = any(isinstance(entry, list) for entry in one.entries)
    return [*(one.met.won if whole else ("", "")), *(one.met.points if known else ("", ""))]


def _awarded(match: TeamMatch) -> str:
    if not match.is_given:
        return ""
    return {match.home_id: "home", match.away_id: "away"}.get(match.given_to_id or 0, "nobody")


def _cell(entry: Any) -> str:
    return f"{entry[0]}-{entry[1]}" if isinstance(entry, list) else entry or ""
