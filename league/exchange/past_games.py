"""A game on a sheet of past evenings: which evening, which table, who sat there."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import PLAYERS
from league.members.names import composed, fault, name_key
from league.members.validators import FIRST_YEAR, LAST_YEAR

MOST_TABLES = 999
MOST_DIGITS = 6
LONGEST = {"session": 80, "game": 60}  # letters; a session's as its model has it


@dataclass
class PastGame:
    """Where and by whom a game was played; `line` is its first in the file.

    `season` is the name of one, or nothing. `round` is None where the sheet says none: then it is
    the table's first, second … game.
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

    @property
    def night(self) -> tuple[date, str]:
        return self.day, self.session

    @property
    def told(self) -> str:
        """What the sheet says of it, as text, to be compared with what somebody was shown."""
        when = (str(self.day), self.session, self.season, self.round)
        return repr((*when, self.game, self.table, self.players))


def where_of(row: Row) -> tuple[int, date, str, str, int, tuple[str, ...]]:
    """What every line says of its game; its cells were found good."""
    day = date.fromisoformat(row["date"])
    table = number_of(row["table"], MOST_TABLES)
    return row.line, day, composed(row["session"]), row["game"], table, players_of(row)


def where_troubles(row: Row) -> Iterator[Trouble]:
    """What is wrong with the cells that say where and by whom a game was played."""
    if day_of(row["date"]) is None:
        yield Trouble(row.line, "date", _("Write a date as 2026-11-19."))
    for column, longest in LONGEST.items():
        if not is_word(row[column], longest):
            sentence = _("Write a name of at most %(most)d letters.") % {"most": longest}
            yield Trouble(row.line, column, sentence)
    if not number_of(row["table"], MOST_TABLES):
        yield Trouble(row.line, "table", _("Write a number."))
    players = players_of(row)
    if len(players) < 2 or any(row[column] for column in PLAYERS[len(players) :]):
        yield Trouble(row.line, "player 1", _("Write who sat on each chair, clockwise."))
    elif len({name_key(name) for name in players}) < len(players):
        yield Trouble(row.line, "player 1", _("Nobody sits on two chairs."))


def season_troubles(games: Iterable[PastGame]) -> Iterator[Trouble]:
    """An evening belongs to one season, or to none."""
    told: dict[tuple[date, str], str] = {}
    for game in games:
        if told.setdefault(game.night, game.season) != game.season:
            sentence = _("All games of an evening are in the same season.")
            yield Trouble(game.line, "season", sentence)


def players_of(row: Row) -> tuple[str, ...]:
    return tuple(row[column] for column in PLAYERS if row[column])


def is_word(text: str, longest: int) -> bool:
    """Whether this can be the name of an evening or of a game: short, and all of it can be seen."""
    name = composed(text)
    return len(name) <= longest and not fault(name)


def day_of(text: str) -> date | None:
    """A date written as ISO 8601 has it, of a year that a club can play in."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    told = day.isoformat() == text and FIRST_YEAR <= day.year <= LAST_YEAR
    return day if told else None


def number_of(text: str, most: int) -> int:
    """A whole number from 1; 0 for anything else."""
    short = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if short and 1 <= int(text) <= most else 0
