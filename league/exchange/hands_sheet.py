"""A sheet of hands, read into games: what each line says, and what is wrong with it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import PLAYERS
from league.members.names import name_key, visible
from scoring import HandRecord, RecordError

OUTCOMES = ("euchred", "made", "march")
PASSED = "passed out"
FIRST_YEAR = 1900


@dataclass
class SheetGame:
    """The lines of one game, in order, with a record for each that can be read."""

    day: date
    session: str
    game: str
    table: int
    players: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)

    @property
    def night(self) -> tuple[date, str]:
        return self.day, self.session


def games_on(rows: Sequence[Row]) -> tuple[list[SheetGame], list[Trouble]]:
    """The games of a sheet, and every cell of it that cannot be."""
    games: dict[tuple[str, str, str], SheetGame] = {}
    troubles: list[Trouble] = []
    for row in rows:
        key = (row["date"], row["session"], row["game"])
        found = list(_troubles(row, games.get(key)))
        record = {} if found else _record(row, found)
        troubles += found
        if found:
            continue
        game = games.setdefault(key, _game(row))
        game.rows.append(row)
        game.records.append(record)
    return list(games.values()), troubles


def _game(row: Row) -> SheetGame:
    return SheetGame(
        date.fromisoformat(row["date"]),
        row["session"],
        row["game"],
        int(row["table"]),
        _players(row),
    )


def _players(row: Row) -> tuple[str, ...]:
    return tuple(row[column] for column in PLAYERS if row[column])


def _troubles(row: Row, game: SheetGame | None) -> Iterator[Trouble]:
    """What is wrong with the cells around the hand itself."""
    if day_of(row["date"]) is None:
        yield Trouble(row.line, "date", _("Write a date as 2026-11-19."))
    for column in ("session", "game"):
        if not 0 < len(row[column]) <= 60 or visible(row[column]) != row[column]:
            yield Trouble(row.line, column, _("Write a name of at most 60 letters."))
    if not _number(row["table"], 999):
        yield Trouble(row.line, "table", _("Write a number."))
    players = _players(row)
    if len(players) < 2 or any(row[column] for column in PLAYERS[len(players) :]):
        yield Trouble(row.line, "player 1", _("Write who sat on each chair, clockwise."))
    elif len({name_key(name) for name in players}) < len(players):
        yield Trouble(row.line, "player 1", _("Nobody sits on two chairs."))
    elif game is not None and not _same_table(row, game):
        yield Trouble(row.line, "player 1", _("People and table stay the same during a game."))
    if not _number(row["hand"], 999) or (game is not None and not _follows(row, game)):
        yield Trouble(row.line, "hand", _("The hands of a game come in order."))
    if not _number(row["dealer"], len(players)):
        yield Trouble(row.line, "dealer", _("Write the dealer's chair as a number from 1."))


def _follows(row: Row, game: SheetGame) -> bool:
    return int(row["hand"]) > int(game.rows[-1]["hand"])


def _same_table(row: Row, game: SheetGame) -> bool:
    return (_players(row), _number(row["table"], 999)) == (game.players, game.table)


def day_of(text: str) -> date | None:
    """A date written as ISO 8601 has it, of a year that a club can have played in."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text and day.year >= FIRST_YEAR else None


def _number(text: str, most: int) -> int:
    """A whole number from 1; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= most else 0


def _record(row: Row, found: list[Trouble]) -> dict[str, Any]:
    """The line's hand record in strict form; what is wrong with it is added to `found`."""
    told = _written(row, found)
    if found:
        return {}
    try:
        record = HandRecord.from_json(told).to_json()
    except RecordError as error:
        found += [Trouble(row.line, "record", fault.message) for fault in error.faults]
        return {}
    if record["dealer"] != int(row["dealer"]) - 1:
        found.append(Trouble(row.line, "dealer", _("The record names another dealer.")))
    return record


def _written(row: Row, found: list[Trouble]) -> Any:
    if row["record"]:
        try:
            return json.loads(row["record"])
        except (ValueError, RecursionError):
            found.append(Trouble(row.line, "record", _("This is no hand record.")))
            return None
    dealer, outcome = int(row["dealer"]) - 1, row["outcome"].casefold()
    if outcome == PASSED:
        return {"dealer": dealer, "contract": None}
    caller = _number(row["called by"], len(_players(row)))
    if outcome not in OUTCOMES:
        words = ", ".join((*OUTCOMES, PASSED))
        found.append(Trouble(row.line, "outcome", _("Write one of: %(words)s.") % {"words": words}))
    if not caller:
        found.append(Trouble(row.line, "called by", _("Write the caller's chair as a number.")))
    if row["alone"].casefold() not in ("", "yes", "no"):
        found.append(
            Trouble(row.line, "alone", _("Write one of: %(words)s.") % {"words": "yes, no"})
        )
    contract = {"seat": caller - 1, "alone": row["alone"].casefold() == "yes"}
    return {"dealer": dealer, "contract": contract, "outcome": outcome}
