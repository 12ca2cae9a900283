"""A sheet of hands, read into games: what each line says, and what is wrong with it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from league.exchange.past_games import (
    MOST_TABLES,
    PastGame,
    number_of,
    players_of,
    where_of,
    where_troubles,
)
from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble
from scoring import HandRecord, RecordError

OUTCOMES = ("euchred", "made", "march")
PASSED = "passed out"
MOST_HANDS = 999


@dataclass
class HandsGame(PastGame):
    """The lines of one game, in order, with a record for each that can be read."""

    rows: list[Row] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)

    @property
    def told(self) -> str:
        return f"{super().told} {self.records!r}"


def games_on(rows: Sequence[Row]) -> tuple[list[HandsGame], list[Trouble]]:
    """The games of a sheet, and every cell of it that cannot be."""
    games: dict[tuple[str, str, str], HandsGame] = {}
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


def _game(row: Row) -> HandsGame:
    dealer = int(row["dealer"]) - 1
    return HandsGame(*where_of(row), season=row["season"], first_dealer=dealer)


def _troubles(row: Row, game: HandsGame | None) -> Iterator[Trouble]:
    """What is wrong with the cells around the hand itself."""
    found = list(where_troubles(row))
    yield from found
    people_are_told = not any(trouble.column == "player 1" for trouble in found)
    if people_are_told and game is not None and not _same_table(row, game):
        yield Trouble(row.line, "player 1", _("People and table stay the same during a game."))
    if game is not None and row["season"] != game.season:
        yield Trouble(row.line, "season", _("All games of an evening are in the same season."))
    if not number_of(row["hand"], MOST_HANDS) or (game is not None and not _follows(row, game)):
        yield Trouble(row.line, "hand", _("The hands of a game come in order."))
    if not number_of(row["dealer"], len(players_of(row))):
        yield Trouble(row.line, "dealer", _("Write the dealer's chair as a number from 1."))


def _follows(row: Row, game: HandsGame) -> bool:
    return int(row["hand"]) > int(game.rows[-1]["hand"])


def _same_table(row: Row, game: HandsGame) -> bool:
    return (players_of(row), number_of(row["table"], MOST_TABLES)) == (game.players, game.table)


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
    caller = number_of(row["called by"], len(players_of(row)))
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
