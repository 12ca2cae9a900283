"""Reads games in Euchre Game Notation (EGN) or Euchre Match Notation (EMN) as rows of a sheet of
hands, so that they are previewed, checked and saved like one."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.game_files import rules_cell, rules_named
from league.exchange.past_games import LONGEST, day_of
from league.exchange.sheet_reading import MOST_BYTES, MOST_ROWS, Match, Row
from league.exchange.sheets import PLAYERS
from league.sessions.queries import evening_name
from scoring import Answer, HandRecord, Ruleset, check_hand, ruleset
from scoring.egn import EgnGame, GameAnswer, check_game, read_game, read_match

MARK = b"\xef\xbb\xbf"
MATCH_TYPE = "Euchre Match Notation"
SEATS = 4
MOST_FAULTS = 20
UPCARD_OPTION = "may_discard_upcard"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game of a file: its place in the file from 1, its four players, its day and title."""

    place: int
    game: EgnGame
    names: tuple[str, ...]
    day: str
    title: str


def is_notation(content: bytes) -> bool:
    """Whether a file is JSON, as EGN and EMN are, and not a sheet."""
    return content[:200].removeprefix(MARK).lstrip()[:1] == b"{"


def recorded_games(content: bytes) -> list[Recorded]:
    """The games of a file. Refuses a file that is neither EGN nor EMN."""
    if len(content) > MOST_BYTES:
        raise _refused([_("The file is too large.")])
    try:
        data = json.loads(content.removeprefix(MARK).decode())
    except (ValueError, RecursionError) as error:
        raise _refused([_("The file is damaged: it is not readable JSON.")]) from error
    if data.get("fileType") != MATCH_TYPE:
        return [_recorded(1, read_game(data), {})]
    match = read_match(data)
    if match.faults or not match.games:
        raise _refused([fault.message for fault in match.faults] or [_("There is no game in it.")])
    return [_recorded(place, game, match.about) for place, game in enumerate(match.games, 1)]


def _recorded(place: int, game: EgnGame, match: Mapping[str, Any]) -> Recorded:
    day = str(game.about.get("date") or match.get("date") or "")[:10]
    title = str(match.get("title") or game.about.get("title") or "")
    players = [*(" ".join(name.split()) for name in game.players[:SEATS]), *[""] * SEATS][:SEATS]
    names = tuple(name or f"Player {seat}" for seat, name in enumerate(players, 1))
    return Recorded(place, game, names, day if day_of(day) else "", title)


def names_in(games: list[Recorded]) -> list[str]:
    """The names of all players in the file, without duplicates."""
    return list(dict.fromkeys(name for game in games for name in game.names))


def notation_rows(content: bytes, match: Match) -> list[Row]:
    """The rows of a sheet of hands, one for each hand; `line` numbers the hands of the file.

    Refuses with every fault of every game: nothing that changes a score is ignored.
    """
    games = recorded_games(content)
    answers = [(recorded, check_game(recorded.game)) for recorded in games]
    if faults := [text for recorded, answer in answers for text in _faults(recorded, answer)]:
        raise _refused(faults)
    rows: list[Row] = []
    for recorded, answer in answers:
        rows += _rows(recorded, answer, match, line=len(rows) + 1)
        if len(rows) > MOST_ROWS:
            raise _refused([_("There are more than %(most)d hands.") % {"most": MOST_ROWS}])
    return rows


def _refused(sentences: list[str]) -> Refused:
    first_sentences = sentences[:MOST_FAULTS]
    if len(sentences) > MOST_FAULTS:
        first_sentences.append(_("… and %(n)d more.") % {"n": len(sentences) - MOST_FAULTS})
    message = _("This file cannot be imported.")
    return Refused("bad-notation", message, fields={"file": first_sentences})


def _faults(recorded: Recorded, answer: GameAnswer) -> Iterator[str]:
    """Why a game cannot be imported."""
    for fault in answer.faults:
        why = fault.say(names=recorded.names, translate=_)
        if fault.hand:
            where = {"game": recorded.place, "hand": fault.hand, "why": why}
            yield _("Game %(game)d, hand %(hand)d: %(why)s") % where
        else:
            yield _("Game %(game)d: %(why)s") % {"game": recorded.place, "why": why}
    for number, hand in enumerate(answer.hands, 1):
        if hand.valid and hand.points is None:
            where = {"game": recorded.place, "hand": number}
            yield _("Game %(game)d, hand %(hand)d: too many cards are unknown to score it.") % where
    if not answer.faults and not answer.over:
        yield _("Game %(game)d is not over: no one has reached the winning score.") % {
            "game": recorded.place
        }


def _rows(recorded: Recorded, answer: GameAnswer, match: Match, *, line: int) -> Iterator[Row]:
    day = recorded.day or match.day
    session = recorded.title[: LONGEST["session"]].strip()
    if not session and (game_day := day_of(day)):
        session = evening_name(None, game_day)
    names = [match.people.get(name, name) for name in recorded.names]
    deals = zip(recorded.game.deals, answer.hands, strict=True)
    records = [_record(deal, hand) for deal, hand in deals]
    game_cells = {
        "date": day,
        "session": session,
        "joins": "yes",
        "game": _code(recorded, records),
        "table": "1",
        **dict(zip(PLAYERS, names, strict=False)),
        "rules": rules_cell(_rules(recorded.game, records).to_dict()),
        "remark": " ".join(dict.fromkeys(fault.message for fault in answer.warnings)),
    }
    for number, record in enumerate(records, 1):
        cells = {"hand": str(number), "dealer": str(record.dealer + 1)}
        cells["record"] = json.dumps(record.to_json(), ensure_ascii=False)
        if number == 1 and any(recorded.game.initial_score):
            cells["adjusted"] = " ".join(map(str, recorded.game.initial_score))
        yield Row(line + number - 1, game_cells | cells)


def _record(deal: Any, answer: Answer) -> HandRecord:
    """The record of a deal; where some played cards are unknown, only the number of tricks won."""
    record: HandRecord = deal.record
    if not deal.unknown:
        return record
    return replace(record, tricks=None, hands=None, discards=None, tricks_won=answer.tricks_won)


def _rules(game: EgnGame, records: list[HandRecord]) -> Ruleset:
    """The rules of a game, without the option to discard the up-card unless a hand needs it: EGN
    has no switch for it, and most clubs do not allow it."""
    assert game.rules is not None  # a game without rules has faults
    cell_data = rules_named(game.rules.to_dict())
    options = {k: v for k, v in cell_data.get("options", {}).items() if k != UPCARD_OPTION}
    plain_rules = ruleset(cell_data["ruleset"], options)
    return (
        plain_rules
        if all(check_hand(record, plain_rules).valid for record in records)
        else game.rules
    )


def _code(recorded: Recorded, records: list[HandRecord]) -> str:
    """The game's id in the file, else a hash of its content, so that importing the same file again
    finds the same game."""
    game_id = str(recorded.game.about.get("gameId", "")).strip()
    if 0 < len(game_id) <= LONGEST["game"]:
        return game_id
    content = repr((recorded.names, recorded.day, [record.to_json() for record in records]))
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def held_on(games: list[Recorded]) -> date | None:
    """The day of the first game that names one."""
    return next((day_of(game.day) for game in games if game.day), None)
