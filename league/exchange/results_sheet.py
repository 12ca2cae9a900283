"""A sheet of results, a line a game: what each line says, and what is wrong with it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from league.exchange.past_games import PastGame, number_of, players_of, where_of, where_troubles
from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import POINTS
from league.members.names import name_key

TIME, DECISION = "time", "decision"
ENDED = ("", TIME, DECISION)
MOST_ROUNDS = 999
FOUR = 4
SCORE = re.compile(r"-?[0-9]{1,3}", re.ASCII)
CHAIRS = re.compile(r"[1-9](?:[ ,;&/]+[1-9])*", re.ASCII)


@dataclass
class ResultGame(PastGame):
    """One game with its final score by chair (None: left to the partner's), and how it ended.

    `is_whole` is false for a line whose other cells cannot be read: then only where and by whom
    it was played is looked at. `ended` is "" where the target was reached, `time` or `decision`;
    `winners` are chairs from 0, none where the score says it.
    """

    points: tuple[int | None, ...] = ()
    ended: str = ""
    winners: tuple[int, ...] = ()
    is_whole: bool = True

    @property
    def told(self) -> str:
        return f"{super().told} {(self.points, self.ended, self.winners)!r}"

    @property
    def score(self) -> str:
        """The score as it is written down, partners' once."""
        told = list(self.points)
        if len(told) == FOUR and told[2] in (None, told[0]) and told[3] in (None, told[1]):
            told = told[: FOUR // 2]
        return " – ".join(str(points) for points in told)


def results_on(rows: Sequence[Row]) -> tuple[list[ResultGame], list[Trouble]]:
    """The games of a sheet, and every cell of it that cannot be."""
    games: list[ResultGame] = []
    troubles: list[Trouble] = []
    lines: dict[tuple[str, str, str], int] = {}
    for row in rows:
        where = list(where_troubles(row))
        found = [*where, *_troubles(row, where)]
        first = lines.setdefault((row["date"], row["session"], row["game"]), row.line)
        if first != row.line:
            sentence = _("This game is on line %(line)d already.") % {"line": first}
            found.append(Trouble(row.line, "game", sentence))
        troubles += found
        if not where:
            games.append(_game(row) if not found else _half(row))
    troubles += _rounds(game for game in games if game.is_whole)
    return games, troubles


def _game(row: Row) -> ResultGame:
    return ResultGame(
        *where_of(row),
        season=row["season"],
        round=number_of(row["round"], MOST_ROUNDS) or None,
        totals_only=True,
        points=tuple(int(row[c]) if row[c] else None for c in POINTS[: len(players_of(row))]),
        ended=row["ended"].casefold(),
        winners=tuple(int(digit) - 1 for digit in re.findall("[1-9]", row["winners"])),
    )


def _half(row: Row) -> ResultGame:
    return ResultGame(*where_of(row), season=row["season"], is_whole=False)


def _troubles(row: Row, where: Sequence[Trouble]) -> Iterator[Trouble]:
    """What is wrong with the cells about the score; `where` is wrong with the others."""
    if row["round"] and not number_of(row["round"], MOST_ROUNDS):
        yield Trouble(row.line, "round", _("Write a number."))
    known = all(trouble.column != "player 1" for trouble in where)
    chairs = len(players_of(row)) if known else len(POINTS)
    for place, column in enumerate(POINTS):
        if row[column] and (place >= chairs or not SCORE.fullmatch(row[column])):
            sentence = _("Write a score as a whole number, for a chair that somebody sat on.")
            yield Trouble(row.line, column, sentence)
    if row["ended"].casefold() not in ENDED:
        sentence = _("Write one of: %(words)s.") % {"words": f"{TIME}, {DECISION}"}
        yield Trouble(row.line, "ended", sentence)
    won = row["winners"]
    if won and not (
        CHAIRS.fullmatch(won) and all(int(n) <= chairs for n in re.findall(r"\d", won))
    ):
        yield Trouble(row.line, "winners", _("Write the chairs that won, as 1 & 3."))


def _rounds(games: Iterable[ResultGame]) -> Iterator[Trouble]:
    """An evening has a round in every line or in none; in a round each table plays once, and
    nobody sits twice."""
    nights: dict[tuple[date, str], list[ResultGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    for night in nights.values():
        if any(game.round for game in night):
            yield from _of_one_night(night)


def _of_one_night(night: Iterable[ResultGame]) -> Iterator[Trouble]:
    seen: set[tuple[int, int | str]] = set()
    for game in night:
        if game.round is None:
            yield Trouble(game.line, "round", _("Write the round in all lines of an evening."))
            continue
        if (game.round, game.table) in seen:
            yield Trouble(game.line, "table", _("This table has a game in this round already."))
        for name in game.players:
            if (game.round, name_key(name)) in seen:
                sentence = _("%(name)s sits at another table in this round.") % {"name": name}
                yield Trouble(game.line, "player 1", sentence)
        seen |= {(game.round, game.table)} | {(game.round, name_key(n)) for n in game.players}
