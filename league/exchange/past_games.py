"""A game on a sheet of past evenings, and the club's data that it is checked against."""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.exchange.game_files import rules_cell, rules_in, rules_named
from league.exchange.sheet_import import Trouble
from league.exchange.sheet_reading import Row
from league.exchange.sheets import PLAYERS
from league.members.models import Club, ClubRuleset, Member
from league.members.models.accounts import RANDOM_BYTES
from league.members.names import composed, fault, name_key, visible
from league.members.queries import people_of
from league.members.validators import FIRST_YEAR, LAST_YEAR
from league.play.game_log import rules_of
from league.seasons.models import Season
from league.seating.models import Table
from league.sessions.models import Session

MOST_TABLES = MOST_ROUNDS = 999
SEAT_NUMBERS = re.compile(r"[1-9](?:[ ,;&/]+[1-9])*", re.ASCII)
CARRIED = re.compile(r"[0-9]{1,4}( [0-9]{1,4}){1,3}", re.ASCII)
CLOCK = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::00)? ?(?:([ap])\.?m\.?)?", re.ASCII | re.I)
MOST_DIGITS = 6
# What programs write into empty cells, and spreadsheets show for a failed formula.
NO_NAMES = {
    "nan", "NaN", "inf", "-inf", "#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"
}  # fmt: skip
TABLES = Table.objects.filter(session=OuterRef("pk"))
LONGEST = {"session": 80, "game": 60}  # letters; a session's as its model has it


@dataclass(frozen=True, slots=True)
class Span:
    """One player in one seat, from one hand to another inclusive (None: to the end)."""

    position: int
    name: str
    from_hand: int = 1
    until_hand: int | None = None


@dataclass
class PastGame:
    """Where and by whom a game was played; `line` is its first line in the file.

    `carried` is the starting score by side, where points were carried over from another game;
    `season` is a season's name or "". `round` is None where the sheet gives no round: the games of
    a table are then numbered in order.
    """

    line: int
    day: date
    session: str
    game: str
    table: int
    players: tuple[str, ...]

    season: str = ""
    round: int | None = None
    first_dealer: int = 0
    totals_only: bool = False
    rules: str = ""
    carried: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the game can be imported: our own export lists unfinished games too."""
        return True

    @property
    def spans(self) -> list[Span]:
        """Who sat where, and from which hand to which."""
        return [Span(seat, name) for seat, name in enumerate(self.players)]

    @property
    def lines_of_people(self) -> dict[tuple[str, ...], int]:
        """The lineups of the game, each with the first line that lists it."""
        return {self.players: self.line}

    @property
    def night(self) -> tuple[date, str]:
        return self.day, self.session

    @property
    def fingerprint(self) -> str:
        """What the sheet says about the game, as text to compare with an earlier preview."""
        when = (str(self.day), self.session, self.season, self.round)
        return repr((*when, self.game, self.table, self.players, self.rules, self.carried))


def game_code(club: Club, game: PastGame) -> str:
    """The code of an imported game: importing the same sheet again finds the same game, even if
    its session was renamed since. It is keyed with the server's secret, so that codes cannot be
    guessed."""
    place = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    digest = salted_hmac("league.results", place, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:RANDOM_BYTES]).decode()


def game_fields(row: Row) -> dict[str, Any]:
    """The fields of `PastGame` that every line gives; its cells must be valid."""
    return {
        "line": row.line,
        "day": date.fromisoformat(row["date"]),
        "session": composed(row["session"]),
        "game": row["game"],
        "table": number_of(row["table"], MOST_TABLES),
        "players": players_of(row),
        "season": row["season"],
        "round": number_of(row["round"], MOST_ROUNDS) or None,
        "rules": row["rules"],
        "carried": tuple(map(int, row["carried"].split())),
    }


def game_cell_troubles(row: Row) -> Iterator[Trouble]:
    """What is wrong with the cells that say where and by whom a game was played."""
    if day_of(row["date"]) is None:
        yield Trouble(row.line, "date", _("Enter a date as 2026-11-19."))
    for column, longest in LONGEST.items():
        if not is_word(row[column], longest):
            sentence = _("Enter a name of at most %(most)d letters.") % {"most": longest}
            yield Trouble(row.line, column, sentence)
    if not number_of(row["table"], MOST_TABLES):
        yield Trouble(row.line, "table", _("Enter a number."))
    if row["round"] and not number_of(row["round"], MOST_ROUNDS):
        yield Trouble(row.line, "round", _("Enter a number."))
    if row["carried"] and not CARRIED.fullmatch(row["carried"]):
        yield Trouble(row.line, "carried", _("Enter a number for each side, as 2 0."))
    yield from _seat_troubles(row)


def _seat_troubles(row: Row) -> Iterator[Trouble]:
    """What is wrong with the names in the columns of the seats; at most one trouble."""
    players = players_of(row)
    if len(players) < 2 or any(row[column] for column in PLAYERS[len(players) :]):
        yield Trouble(row.line, "player 1", _("Enter who sat in each seat, clockwise."))
    elif strange := next((name for name in players if name in NO_NAMES), None):
        yield Trouble(row.line, "player 1", no_name(strange))
    elif len({name_key(name) for name in players}) < len(players):
        yield Trouble(row.line, "player 1", _("A player can't be in two seats."))


def no_name(text: str) -> str:
    """The sentence about a cell that holds one of `NO_NAMES`."""
    return _("This cell has “%(text)s” instead of a name.") % {"text": text}


def winners_troubles(row: Row, seats: int) -> Iterator[Trouble]:
    """What is wrong with the cell that says who won, at a table with `seats` seats."""
    won = row["winners"]
    if won and not (
        SEAT_NUMBERS.fullmatch(won) and all(int(n) <= seats for n in re.findall(r"\d", won))
    ):
        yield Trouble(row.line, "winners", _("Enter the seats that won, as 1 & 3."))


def winners_in(row: Row) -> tuple[int, ...]:
    """The seats that won, from 0."""
    return tuple(int(digit) - 1 for digit in re.findall("[1-9]", row["winners"]))


def season_troubles(games: Iterable[PastGame]) -> Iterator[Trouble]:
    """Every session belongs to one season or to none."""
    season_of: dict[tuple[date, str], str] = {}
    for game in games:
        if season_of.setdefault(game.night, game.season) != game.season:
            sentence = _("All games of one session must be in the same season.")
            yield Trouble(game.line, "season", sentence)


def players_of(row: Row) -> tuple[str, ...]:
    return tuple(row[column] for column in PLAYERS if row[column])


def is_word(text: str, longest: int) -> bool:
    """Whether a text can name a session or a game: short, with visible characters only."""
    name = composed(text)
    return len(name) <= longest and not fault(name)


def day_of(text: str) -> date | None:
    """The date in an ISO 8601 text; None for anything else, or outside the years of a club."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    is_valid = day.isoformat() == text and FIRST_YEAR <= day.year <= LAST_YEAR
    return day if is_valid else None


def time_of(text: str) -> time | None:
    """A time as 19:30, 19.30 or 7:30 pm; None for anything else."""
    match = CLOCK.fullmatch(text)
    if match is None or int(match[1]) > (12 if match[3] else 23) or int(match[2]) > 59:
        return None
    offset = 12 if (match[3] or "").casefold() == "p" else 0
    hour = int(match[1]) % 12 + offset if match[3] else int(match[1])
    return time(hour, int(match[2]))


def number_of(text: str, most: int) -> int:
    """The whole number from 1 to `most` in a text; 0 for anything else."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if is_number and 1 <= int(text) <= most else 0


class ClubData:
    """The players and seasons of a club by name, its rules and its sessions. Four queries.

    `continued` are the closed sessions that new games may be added to: those without tables, and
    those that already have games of the sheet.
    """

    def __init__(self, club: Club, today: date) -> None:
        self.club, self.today = club, today
        self.people, self.shared = people_by_name(club)
        self.seasons = seasons_by_name(club)
        rulesets = list(club.rulesets.order_by("pk"))
        self.defaults = {ruleset.players: ruleset for ruleset in rulesets if ruleset.is_default}
        self.by_cell = {rules_cell(ruleset.body): ruleset for ruleset in rulesets}
        self.by_cell |= {rules_cell(ruleset.body): ruleset for ruleset in self.defaults.values()}
        self.new_rules: dict[str, ClubRuleset | None] = {}
        sessions = club.sessions.annotate(has_tables=Exists(TABLES))
        self.nights = {(session.held_on, session.name): session for session in sessions}
        self.continued = {
            night
            for night, session in self.nights.items()
            if session.state == Session.State.CLOSED and not session.has_tables
        }

    @property
    def facts(self) -> tuple[object, ...]:
        """Everything the preview depends on: equal facts give an equal preview."""
        people = {key: (member.pk, member.retired_at) for key, member in self.people.items()}
        defaults = {players: ruleset.pk for players, ruleset in self.defaults.items()}
        rules = {cell: ruleset.pk for cell, ruleset in self.by_cell.items()}
        seasons = {name: season.pk for name, season in self.seasons.items()}
        nights = {night: session.pk for night, session in self.nights.items()}
        return people, defaults, rules, seasons, nights, self.continued

    def allow_more_games(self, sessions: Iterable[int]) -> None:
        """Let new games be added to those of these sessions, given by id, that are closed."""
        ids = set(sessions)
        self.continued |= {
            night
            for night, session in self.nights.items()
            if session.pk in ids and session.state == Session.State.CLOSED
        }

    def rules_for(self, game: PastGame) -> ClubRuleset | None:
        """The rules of a game: those its line names, else the default for its table size."""
        if not game.rules:
            return self.defaults.get(len(game.players))
        if game.rules in self.by_cell:
            return self.by_cell[game.rules]
        if game.rules not in self.new_rules:
            self.new_rules[game.rules] = self._new_rules(game.rules)
        return self.new_rules[game.rules]

    def _new_rules(self, cell: str) -> ClubRuleset | None:
        """Unsaved rules that only the sheet has; the club will have them as retired rules."""
        rules = rules_in(cell)
        if rules is None:
            return None
        stored_rules = self.by_cell.get(rules_cell(rules.to_dict()))
        rulesets = (*self.by_cell.values(), *self.new_rules.values())
        names = {ruleset.name for ruleset in rulesets if ruleset}
        numbered = (f"{rules.name[:60]} {number}" for number in range(2, len(names) + 4))
        name = next(candidate for candidate in numbered if candidate not in names)
        body = {**rules.to_dict(), "name": name}
        preset = rules_named(body).get("ruleset", "")
        return stored_rules or ClubRuleset(
            club=self.club, name=name, players=rules.players, preset=preset, body=body, retired=True
        )

    def new_game_troubles(self, game: PastGame) -> Iterator[Trouble]:
        """Why a new game cannot have been played in this club, whatever its score."""
        if game.day > self.today:
            yield Trouble(game.line, "date", _("This day is in the future."))
        if game.night in self.nights and game.night not in self.continued:
            sentence = _("There is already a session with this name on this day.")
            yield Trouble(game.line, "session", sentence)
        if game.season and name_key(game.season) not in self.seasons:
            yield Trouble(game.line, "season", no_season(game.season))
        for players, line in game.lines_of_people.items():
            yield from self.player_troubles(players, line)
        rules = self.rules_for(game)
        if rules is None and not game.rules:
            sentence = _("The club has no house rules for this number of players.")
            yield Trouble(game.line, "player 1", sentence)
        elif rules is None or rules.players != len(game.players):
            sentence = _("Enter a preset for this number of players, or leave it empty.")
            yield Trouble(game.line, "rules", sentence)
        elif game.carried and len(game.carried) != len(rules_of(rules.body).sides):
            yield Trouble(game.line, "carried", _("Enter a number for each side, as 2 0."))

    def player_troubles(self, players: Sequence[str], line: int) -> Iterator[Trouble]:
        """Names that mean no player of the club, or more than one."""
        seen_ids = set()
        for column, name in zip(PLAYERS, players, strict=False):
            member = self.people.get(name_key(name))
            if name_key(name) in self.shared:
                sentence = _("Two of the club's players are called %(name)s.")
                yield Trouble(line, column, sentence % {"name": visible(name)})
            elif member is None:
                sentence = _("%(name)s is not on the club's list of players.")
                yield Trouble(line, column, sentence % {"name": visible(name)})
            elif member.pk in seen_ids:  # by the current name and by a former one
                yield Trouble(line, column, _("A player can't be in two seats."))
            else:
                seen_ids.add(member.pk)


def people_by_name(club: Club) -> tuple[dict[str, Member], set[str]]:
    """Players by current and former names, and the names left out because two players share them.

    All names are normalised by `name_key`.
    """
    by_key: dict[str, Member] = {}
    shared: set[str] = set()
    for member in people_of(club):
        for key in {name_key(name) for name in (member.name, *member.former_names)}:
            shared |= {key} & by_key.keys()
            by_key[key] = member
    return {key: member for key, member in by_key.items() if key not in shared}, shared


def seasons_by_name(club: Club) -> dict[str, Season]:
    """The club's seasons by name, without names that two seasons share."""
    named_seasons = [(name_key(season.name), season) for season in club.seasons.all()]
    times = Counter(name for name, _season in named_seasons)
    return {name: season for name, season in named_seasons if times[name] == 1}


def no_season(name: str) -> str:
    """The sentence about a season that cannot be found."""
    return _("The club has no season called %(name)s.") % {"name": visible(name)}
