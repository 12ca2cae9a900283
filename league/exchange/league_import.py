"""Reads a league's JSON file into a season to create, or lists everything wrong with it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any, TypeGuard

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.league_export import CLOCK, FORMAT, MINUTE
from league.members.audit import Actor
from league.members.fields import validate_name
from league.members.models import Club
from league.members.validators import validate_day
from league.play.final_scores import score_faults
from league.play.game_log import rules_of
from league.ranking import RankingError
from league.ranking.team_league.match import uncounted
from league.ranking.team_league.rules import LeagueRules, number_from, rules_from_json
from league.teams.actions.importing import (
    FixtureRow,
    SeasonPlan,
    import_season,
    league_ruleset,
)
from league.teams.models import MOST_DEDUCTED, MOST_DIVISIONS, TeamLeague
from scoring import Ruleset

MOST_ROWS, MOST_FAULTS, LONGEST = 20_000, 20, 40
DAY = "%Y-%m-%d"
MARKS = ("home", "away", "void", None)


class BadLeagueFile(Exception):
    """A file that cannot be imported; `faults` has a sentence for everything wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Imported:
    """A league that was created, or would be in a dry run, with its teams and matches counted."""

    league: TeamLeague
    teams: int
    matches: int


@transaction.atomic
def import_document(
    club: Club, data: Any, *, by: Actor, at: datetime, dry_run: bool = False
) -> Imported:
    """Create the league of a file, all or nothing; a dry run only checks it.

    Raises `BadLeagueFile`.
    """
    try:
        plan = read_league(data, lambda target: rules_of(league_ruleset(club, target, by=by).body))
    except Refused as refused:  # the club's rules do not allow the target
        sentences = [text for texts in refused.fields.values() for text in texts]
        raise BadLeagueFile(sentences or [refused.message]) from refused
    league = import_season(club, plan, by=by, at=at)
    transaction.set_rollback(dry_run)
    return Imported(league, sum(len(teams) for _name, teams in plan.divisions), len(plan.fixtures))


def read_league(data: Any, game_rules: Callable[[int | None], Ruleset]) -> SeasonPlan:
    """The season in a file; `game_rules` returns the rules of a game to a given target. Raises
    `BadLeagueFile`."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadLeagueFile([_("This is not a league's file (%(format)s).") % {"format": FORMAT}])
    try:
        rules = rules_from_json(data.get("rules") or {})
    except RankingError as bad:
        raise BadLeagueFile([str(bad)]) from bad
    reader = _Reader(data, rules, game_rules(rules.target))
    plan = reader.plan()
    if reader.faults:
        raise BadLeagueFile(reader.faults[:MOST_FAULTS])
    return plan


class _Reader:
    """Reads one file, collects its `faults`, and leaves out what is faulty."""

    def __init__(self, data: Mapping[str, Any], rules: LeagueRules, game_rules: Ruleset) -> None:
        self.data, self.rules, self.game_rules = data, rules, game_rules
        self.faults: list[str] = []
        self.division: dict[str, str] = {}

    def plan(self) -> SeasonPlan:
        name = self.data.get("name")
        if not _is_name(name, 80):
            self._fault(_("name: a league needs a name of up to 80 characters."))
            name = ""
        divisions = self._divisions()
        self._check_laps_and_slam()
        self._check_moves({division for division, _teams in divisions})
        fixtures = self._fixtures()
        self._cards(fixtures)
        self._walkovers(fixtures)
        return SeasonPlan(
            name=name,
            rules=self.rules,
            divisions=divisions,
            fixtures=[FixtureRow(**row) for row in fixtures.values()],
            adjustments=list(self._adjustments()),
            withdrawn=list(self._withdrawn()),
            play_offs=list(self._play_offs()),
            names=self._names(),
        )

    def _fault(self, sentence: str) -> None:
        self.faults.append(sentence)

    def _rows(self, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The rows of a list, each with its name for error messages."""
        rows = self.data.get(name, [])
        if not isinstance(rows, list) or len(rows) > MOST_ROWS:
            self._fault(_("%(name)s: a list is expected.") % {"name": name})
            return
        for place, row in enumerate(rows, 1):
            if isinstance(row, Mapping):
                yield f"{name} {place}", row
            else:
                self._fault(_("%(name)s: an object is expected.") % {"name": f"{name} {place}"})

    def _divisions(self) -> list[tuple[str, list[str]]]:
        divisions: dict[str, list[str]] = {}
        team_keys: set[str] = set()
        for where, row in self._rows("divisions"):
            name, teams = row.get("id"), row.get("teams")
            if not _is_name(name, LONGEST) or name in divisions:
                self._fault(_("%(where)s: every division needs a text id of its own.") % _at(where))
                continue
            if not isinstance(teams, list):
                self._fault(_("%(where)s, teams: a list is expected.") % _at(where))
                continue
            divisions[name] = []
            for team in teams:
                if not _is_code(team) or team.casefold() in team_keys:
                    self._fault(
                        _("%(where)s: every team needs a short id of its own.") % _at(where)
                    )
                    continue
                self.division[team] = name
                team_keys.add(team.casefold())
                divisions[name].append(team)
        if not divisions or len(divisions) > MOST_DIVISIONS:
            self._fault(_("divisions: a league has from 1 to %(n)d.") % {"n": MOST_DIVISIONS})
        return list(divisions.items())

    def _names(self) -> dict[str, str]:
        """The names of the teams by id; a team without a name goes by its id."""
        names = self.data.get("names", {})
        if not isinstance(names, Mapping):
            self._fault(_("%(name)s: an object is expected.") % {"name": "names"})
            return {}
        by_team: dict[str, str] = {}
        for team, name in names.items():
            if self._team("names", team):
                if _is_name(name, LONGEST):
                    by_team[team] = name
                else:
                    self._fault(_("names, %(team)s: this is not a name.") % {"team": team})
        counts = Counter(by_team.get(team, team).casefold() for team in self.division)
        for name in (name for name, n in counts.items() if n > 1):
            self._fault(_("names: two teams are called %(name)s.") % {"name": name})
        return by_team

    def _check_laps_and_slam(self) -> None:
        for name in ("laps", "slam"):
            if getattr(self.rules, name) and not (self.rules.repeats and self.rules.target):
                sentence = _(
                    "rules, %(name)s: this counts only where the same two pairs play several games"
                    " to a target."
                )
                self._fault(sentence % {"name": name})

    def _check_moves(self, divisions: set[str]) -> None:
        division_ids = {name for move in self.rules.moves for name in (move.upper, move.lower)}
        division_ids |= set(self.rules.sections.divisions if self.rules.sections else ())
        for name in sorted(division_ids - divisions):
            self._fault(_("rules: there is no division %(name)s.") % {"name": name})
        for move in self.rules.moves:
            if move.upper == move.lower:
                self._fault(_("rules, moves: the upper and the lower division are the same."))

    def _team(self, where: str, value: Any) -> bool:
        if isinstance(value, str) and value in self.division:
            return True
        self._fault(_("%(where)s: it names a team that is missing.") % _at(where))
        return False

    def _fixtures(self) -> dict[Any, dict[str, Any]]:
        fixtures: dict[Any, dict[str, Any]] = {}
        for where, row in self._rows("fixtures"):
            number, home, away = row.get("id"), row.get("home"), row.get("away")
            if type(number) is not int or number in fixtures:
                self._fault(_("%(where)s: every fixture needs a number of its own.") % _at(where))
            elif self._team(where, home) and self._team(where, away):
                sentence = self._fixture_fault(row)
                day = self._day(where, row.get("date"), empty=True)
                if sentence:
                    self._fault(f"{where}: {sentence}")
                fixtures[number] = {
                    "home": home,
                    "away": away,
                    "day": day,
                    "begins_at": self._time(where, row.get("begins_at")),
                    "half": row.get("half", 1),
                }
        return fixtures

    def _fixture_fault(self, row: Mapping[str, Any]) -> str:
        home, away = self.division[row["home"]], self.division[row["away"]]
        if row["home"] == row["away"]:
            return _("A team cannot meet itself.")
        if home != away or row.get("division", home) != home:
            return _("Both teams must be in the fixture's division.")
        half = row.get("half", 1)
        return "" if type(half) is int and half in (1, 2) else _("half must be 1 or 2.")

    def _day(self, where: str, value: Any, *, empty: bool = False) -> date | None:
        if value is None and empty:
            return None
        moment = _parsed(value, DAY)
        if moment is None:
            self._fault(_("%(where)s: a date like 2025-10-01 is expected.") % _at(where))
        return moment and moment.date()

    def _time(self, where: str, value: Any) -> time | None:
        moment = _parsed(value, CLOCK)
        if moment is None and value is not None:
            self._fault(_("%(where)s: a time like 19:30 is expected.") % _at(where))
        return moment.time() if moment else None

    def _fixture_of(
        self, where: str, row: Mapping[str, Any], fixtures: dict[Any, dict[str, Any]]
    ) -> dict[str, Any] | None:
        number = row.get("fixture")
        fixture = fixtures.get(number) if type(number) is int else None
        if fixture is None:
            self._fault(_("%(where)s: there is no such fixture.") % _at(where))
        elif "games" in fixture or "walkover" in fixture:
            sentence = _("%(where)s: fixture %(n)s has two results.")
            self._fault(sentence % {"where": where, "n": number})
            return None
        return fixture

    def _cards(self, fixtures: dict[Any, dict[str, Any]]) -> None:
        for where, row in self._rows("cards"):
            fixture, games = self._fixture_of(where, row, fixtures), row.get("games")
            played = self._day(where, row.get("played"), empty=True)
            received = self._moment(where, row.get("received"))
            if not isinstance(games, list) or len(games) != self.rules.games:
                sentence = _("%(where)s: a card has %(n)d games.")
                self._fault(sentence % {"where": where, "n": self.rules.games})
                continue
            for number, sentence in self._card_faults(games):
                self._fault(f"{where}, game {number}: {sentence}")
            for name in ("late_lifted", "totals_only"):
                if type(row.get(name, False)) is not bool:
                    self._fault(
                        _("%(where)s, %(name)s: true or false is expected.")
                        % {"where": where, "name": name}
                    )
            if fixture is not None:
                fixture |= {"games": tuple(games), "played": played or fixture["day"]}
                fixture |= {"received": received, "late_lifted": bool(row.get("late_lifted"))}
                fixture["totals_only"] = bool(row.get("totals_only"))

    def _card_faults(self, games: list[Any]) -> list[tuple[int, str]]:
        faults = [(n, text) for n, game in enumerate(games, 1) for text in self._game_faults(game)]
        if faults:
            return faults
        sentence = _("This game or the match was already won, so leave it empty.")
        return [(place + 1, sentence) for place in uncounted(games, self.rules)]

    def _moment(self, where: str, value: Any) -> datetime | None:
        if value is None:
            return None
        moment = _parsed(value, MINUTE)
        if moment is None:
            self._fault(
                _("%(where)s: a date and time like 2025-10-03T21:10 is expected.") % _at(where)
            )
        return moment

    def _game_faults(self, game: Any) -> Iterator[str]:
        if not isinstance(game, list):
            if game is not None and game not in MARKS:
                yield _("This is not a game.")
            return
        if len(game) != 2 or any(type(points) is not int for points in game):
            yield _("A game needs the points of both sides.")
            return
        target = self.rules.target
        if target is not None and min(game) >= target:
            yield _("Both sides cannot have reached %(target)d.") % {"target": target}
            return
        yield from (sentence for _side, sentence in score_faults(self.game_rules, game))

    def _walkovers(self, fixtures: dict[Any, dict[str, Any]]) -> None:
        for where, row in self._rows("walkovers"):
            fixture, to = self._fixture_of(where, row, fixtures), row.get("to")
            if to not in ("home", "away", "nobody"):
                self._fault(_("%(where)s: to must be home, away or nobody.") % _at(where))
            elif fixture is not None:
                fixture["walkover"] = to

    def _adjustments(self) -> Iterator[tuple[str, Fraction]]:
        for where, row in self._rows("adjustments"):
            try:
                points = number_from(row.get("points"), where)
            except RankingError as bad:
                self._fault(str(bad))
                continue
            if abs(points) > MOST_DEDUCTED or (points * 100).denominator != 1:
                self._fault(_("%(where)s: these points cannot be stored exactly.") % _at(where))
            elif self._team(where, row.get("team")):
                yield row["team"], points

    def _withdrawn(self) -> Iterator[tuple[str, date]]:
        withdrawn: set[str] = set()
        for where, row in self._rows("withdrawn"):
            day = self._day(where, row.get("date"))
            if not self._team(where, row.get("team")):
                continue
            if row["team"] in withdrawn:
                self._fault(_("%(where)s: a team is in it twice.") % _at(where))
            elif day is not None:
                yield row["team"], day
            withdrawn.add(row["team"])

    def _play_offs(self) -> Iterator[tuple[str, list[str]]]:
        for where, row in self._rows("play_offs"):
            kind = row.get("kind")
            order = [row.get("winner"), row.get("loser")] if kind == "move" else row.get("order")
            is_valid = kind in ("move", "level") and isinstance(order, list) and len(order) > 1
            if not is_valid or not isinstance(order, list):
                self._fault(_("%(where)s: this is not a play-off.") % _at(where))
            elif all(self._team(where, team) for team in order):
                if max(Counter(order).values()) > 1:
                    self._fault(_("%(where)s: a team is in it twice.") % _at(where))
                else:
                    yield str(kind), order


def _at(where: str) -> dict[str, str]:
    return {"where": where}


def _parsed(value: Any, form: str) -> datetime | None:
    """The local time in a text of exactly this form; None for any other value, or a year that no
    club can have."""
    try:
        moment = datetime.strptime(value if isinstance(value, str) else "", form)  # noqa: DTZ007
        validate_day(moment.date())
    except (ValueError, ValidationError):
        return None
    return moment if moment.strftime(form) == value else None


def _is_name(text: Any, longest: int) -> TypeGuard[str]:
    try:
        validate_name(text if isinstance(text, str) else "")
    except ValidationError:
        return False
    return isinstance(text, str) and bool(text.strip()) and len(text) <= longest


def _is_code(text: Any) -> TypeGuard[str]:
    return _is_name(text, LONGEST) and text.isascii() and text.isprintable()
