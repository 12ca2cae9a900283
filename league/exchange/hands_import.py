"""Imports games recorded elsewhere, hand by hand, from a sheet."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from league.exchange.game_files import DECISION, TIME, UNFINISHED
from league.exchange.games_import import GamesPreview, import_games, preview_games
from league.exchange.past_games import (
    MOST_TABLES,
    ClubData,
    PastGame,
    Span,
    game_cell_troubles,
    game_code,
    game_fields,
    number_of,
    players_of,
    winners_in,
    winners_troubles,
)
from league.exchange.sheet_import import Trouble
from league.exchange.sheet_reading import Row
from league.exchange.sheets import POINTS, cell_label
from league.members.audit import Actor
from league.members.models import Club, ClubRuleset
from league.play.actions.persistence import ImportedGame, imported_game
from league.play.game_log import GameLog, new_game, rules_of
from league.play.models import Game, Hand, Ruling
from league.seating.models import Seat, Table
from league.sessions.models import Session
from scoring import Fault, HandRecord, RecordError

OUTCOMES = ("euchred", "made", "march")
PASSED = "passed out"
STRUCK = "struck"
ENDINGS = (TIME, DECISION, UNFINISHED)
MOST_HANDS = 999
ADJUSTED = re.compile("-?[0-9]{1,3}(?: +-?[0-9]{1,3})*", re.ASCII)


@dataclass
class HandsGame(PastGame):
    """The lines of one game, in order, with a record for each that can be read."""

    rows: list[Row] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint} {[row.cells for row in self.rows]!r}"

    @property
    def is_over(self) -> bool:
        return self.ended != UNFINISHED

    @property
    def ended(self) -> str:
        return self.rows[-1]["ended"].casefold()

    @property
    def winners(self) -> tuple[int, ...]:
        return winners_in(self.rows[-1])

    @property
    def remark(self) -> str:
        """A note in the file that is not stored and changes no score."""
        return self.rows[0]["remark"]

    @property
    def joins(self) -> bool:
        """Whether the game may be added to a closed session that has other games."""
        return self.rows[0]["joins"] == "yes"

    @property
    def spans(self) -> list[Span]:
        """Who sat where; a substitute sits from the first hand that lists another name."""
        spans: list[Span] = []
        for position in range(len(self.players)):
            names = [players_of(row)[position] for row in self.rows]
            starts = [
                index for index, name in enumerate(names) if index == 0 or name != names[index - 1]
            ]
            for start, next_start in zip(starts, [*starts[1:], None], strict=True):
                spans.append(Span(position, names[start], start + 1, next_start))
        return spans

    @property
    def lines_of_people(self) -> dict[tuple[str, ...], int]:
        return {players_of(row): row.line for row in reversed(self.rows)}


def games_on(rows: Sequence[Row]) -> tuple[list[HandsGame], list[Trouble]]:
    """The games of a sheet, and every invalid cell."""
    games: dict[tuple[str, str, str], HandsGame] = {}
    troubles: list[Trouble] = []
    for row in rows:
        key = (row["date"], row["session"], row["game"])
        row_troubles = list(_troubles(row, games.get(key)))
        record = {} if row_troubles else _record(row, row_troubles)
        troubles += row_troubles
        if row_troubles:
            continue
        game = games.setdefault(key, _game(row))
        game.rows.append(row)
        game.records.append(record)
    troubles += [trouble for game in games.values() for trouble in _contradictions(game)]
    return list(games.values()), troubles


def _contradictions(game: HandsGame) -> Iterator[Trouble]:
    """Cells that differ from the line of the game that counts: its ending is read from the last
    line, its rules from the first. Our own export repeats both on every line."""
    first, last = game.rows[0], game.rows[-1]
    for row in game.rows:
        differs = {
            "ended": row["ended"] and row["ended"].casefold() != game.ended,
            "winners": row["winners"] and winners_in(row) != winners_in(last),
            "rules": row["rules"] and row["rules"] != first["rules"],
        }
        for column in [column for column, is_other in differs.items() if is_other]:
            sentence = _("Another line of this game says something else here.")
            yield Trouble(row.line, column, sentence)


def _game(row: Row) -> HandsGame:
    return HandsGame(**game_fields(row), first_dealer=int(row["dealer"]) - 1)


def _troubles(row: Row, game: HandsGame | None) -> Iterator[Trouble]:
    """What is wrong with a line, apart from the hand itself."""
    place_troubles = list(game_cell_troubles(row))
    yield from place_troubles
    if game is not None:
        has_players = not any(trouble.column == "player 1" for trouble in place_troubles)
        yield from _change_troubles(row, game, has_players=has_players)
    if not number_of(row["hand"], MOST_HANDS) or (game is not None and not _is_later(row, game)):
        yield Trouble(row.line, "hand", _("List the hands of a game in order."))
    yield from _ending_troubles(row)


def _change_troubles(row: Row, game: HandsGame, *, has_players: bool) -> Iterator[Trouble]:
    """Where a line contradicts the earlier lines of its game."""
    if has_players and not _is_same_table(row, game):
        sentence = _("A game must keep the same table and the same seats.")
        yield Trouble(row.line, "player 1", sentence)
    if row["season"] != game.season:
        yield Trouble(row.line, "season", _("All games of one session must be in the same season."))


def _ending_troubles(row: Row) -> Iterator[Trouble]:
    """What is wrong with the cells of the deal, of rulings, and of how the game ended."""
    seats = len(players_of(row))
    if not number_of(row["dealer"], seats):
        yield Trouble(row.line, "dealer", _("Enter the dealer's seat as a number from 1."))
    if row["out of turn"].casefold() not in ("", "yes", "no"):
        yield _one_of(row, "out of turn", ("yes", "no"))
    if row["ended"].casefold() not in ("", *ENDINGS):
        yield _one_of(row, "ended", ENDINGS)
    yield from winners_troubles(row, seats)
    if row["ended"].casefold() == DECISION and not row["winners"]:
        yield Trouble(row.line, "winners", _("Choose who won."))
    if row["adjusted"] and not ADJUSTED.fullmatch(row["adjusted"]):
        yield Trouble(row.line, "adjusted", _("Enter a number for each side, as 2 0."))


def _one_of(row: Row, column: str, words: Sequence[str]) -> Trouble:
    labels = ", ".join(cell_label(column, word) for word in words)
    return Trouble(row.line, column, _("Enter one of: %(words)s.") % {"words": labels})


def _is_later(row: Row, game: HandsGame) -> bool:
    return int(row["hand"]) > int(game.rows[-1]["hand"])


def _is_same_table(row: Row, game: HandsGame) -> bool:
    """Whether the table is unchanged: a substitute may have come in, but no one changed seats."""
    players = players_of(row)
    if (len(players), number_of(row["table"], MOST_TABLES)) != (len(game.players), game.table):
        return False
    seat_of = {name: seat for past in game.rows for seat, name in enumerate(players_of(past))}
    return all(seat_of.get(name, seat) == seat for seat, name in enumerate(players))


def _record(row: Row, troubles: list[Trouble]) -> dict[str, Any]:
    """The line's hand record in strict form; what is wrong with it is added to `troubles`."""
    data = _record_data(row, troubles)
    if troubles:
        return {}
    try:
        record = HandRecord.from_json(data).to_json()
    except RecordError as error:
        troubles += [Trouble(row.line, "record", _sentence(fault, row)) for fault in error.faults]
        return {}
    if record["dealer"] != int(row["dealer"]) - 1:
        troubles.append(Trouble(row.line, "dealer", _("The record names another dealer.")))
    return record


def _sentence(fault: Fault, row: Row) -> str:
    """What is wrong with a hand, with the names of its players."""
    return fault.say(names=players_of(row), translate=_)


def _record_data(row: Row, troubles: list[Trouble]) -> Any:
    """The line's hand record as JSON data: its record cell, else made from its other cells."""
    if row["record"]:
        try:
            return json.loads(row["record"])
        except (ValueError, RecursionError):
            troubles.append(Trouble(row.line, "record", _("This is not a hand record.")))
            return None
    dealer, outcome = int(row["dealer"]) - 1, row["outcome"].casefold()
    if outcome == STRUCK:
        return {"dealer": dealer}
    if outcome == PASSED:
        return {"dealer": dealer, "contract": None}
    caller = number_of(row["called by"], len(players_of(row)))
    if outcome not in OUTCOMES:
        troubles.append(_one_of(row, "outcome", (*OUTCOMES, PASSED)))
    if not caller:
        troubles.append(Trouble(row.line, "called by", _("Enter the caller's seat as a number.")))
    if row["alone"].casefold() not in ("", "yes", "no"):
        troubles.append(_one_of(row, "alone", ("yes", "no")))
    contract = {"seat": caller - 1, "alone": row["alone"].casefold() == "yes"}
    return {"dealer": dealer, "contract": contract, "outcome": outcome}


class ExistingHands:
    """The club's data, and those games of the sheet that it already has. A fixed number of
    queries."""

    def __init__(self, club: Club, games: Sequence[HandsGame], today: date) -> None:
        self.club_data = ClubData(club, today)
        ids = [hand_id(club, game, 1) for game in games]
        codes = [game.game for game in games]
        hands = Hand.objects.filter(game__session__club=club)
        games_by_code = Game.objects.filter(session__club=club, public_id__in=codes)
        # Any version of the first hand identifies the game, corrected or deleted ones too.
        first_hands = hands.filter(number=1, client_id__in=ids).select_related("game")
        self.known_games = {game.public_id: game for game in games_by_code}
        self.known_games |= {hand.client_id: hand.game for hand in first_hands}
        joined = (self.club_data.nights.get(game.night) for game in games if game.joins)
        self.club_data.allow_more_games(game.session_id for game in self.known_games.values())
        self.club_data.allow_more_games(night.pk for night in joined if night is not None)
        self.hands: dict[int, dict[int, object]] = {}
        current = hands.filter(game__in=self.known_games.values(), current=True)
        for pk, number, is_struck, record in current.values_list(
            "game", "number", "struck", "record"
        ):
            self.hands.setdefault(pk, {})[number] = STRUCK if is_struck else record

    @property
    def facts(self) -> tuple[object, ...]:
        game_ids = {code: game.pk for code, game in self.known_games.items()}
        return *self.club_data.facts, game_ids, self.hands

    def _find(self, game: HandsGame) -> Game | None:
        first_hand = hand_id(self.club_data.club, game, 1)
        return self.known_games.get(game.game) or self.known_games.get(first_hand)

    def has(self, game: HandsGame) -> bool:
        return self._find(game) is not None

    def difference_troubles(self, game: HandsGame) -> Iterator[Trouble]:
        """A game that the club already has must have the same hands."""
        stored_game = self._find(game)
        if game.joins and stored_game:  # EGN writes the same hand in another way
            yield from self._result_troubles(game, stored_game)
            return
        hands = self.hands.get(stored_game.pk, {}) if stored_game else {}
        for row, record in zip(game.rows, game.records, strict=True):
            if hands.get(int(row["hand"])) != (STRUCK if _is_struck(row) else record):
                yield Trouble(row.line, "hand", _("This hand is already here, but different."))

    def _result_troubles(self, game: HandsGame, stored_game: Game) -> Iterator[Trouble]:
        rules = self.club_data.rules_for(game)
        if rules is None or list(_log_without_table(game, rules).state.score) != stored_game.score:
            sentence = _("This game is already here, with a different result.")
            yield Trouble(game.line, "game", sentence)

    def new_game_troubles(self, game: HandsGame) -> Iterator[Trouble]:
        """Why a new game cannot be imported."""
        yield from self.club_data.new_game_troubles(game)
        rules = self.club_data.rules_for(game)
        if rules is not None and rules.players == len(game.players):
            yield from _rule_troubles(game, rules)

    def make_game(
        self, game: HandsGame, table: Table, seats: list[Seat], *, by: Actor, at: datetime
    ) -> ImportedGame:
        log = _log(game, table, seats, self.club_data.club)
        log.game.public_id = game_code(self.club_data.club, game)
        return imported_game(log, by=by, at=at)


def hand_id(club: Club, game: HandsGame, place: int) -> str:
    """The client id of an imported hand: importing the same sheet again finds the same hand."""
    where = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    return f"import-{hashlib.sha256(where.encode()).hexdigest()[:24]}-{place}"


def _is_struck(row: Row) -> bool:
    return row["outcome"].casefold() == STRUCK


def _log(game: HandsGame, table: Table, seats: list[Seat], club: Club) -> GameLog:
    """The unsaved game with the hands and adjustments of the sheet."""
    log = GameLog(table, new_game(table), [], [], seats)
    for number, (row, record) in enumerate(zip(game.rows, game.records, strict=True), 1):
        code = hand_id(club, game, number)
        hand = Hand(game=log.game, number=number, record=record, client_id=code)
        hand.struck = _is_struck(row)
        hand.out_of_turn = row["out of turn"].casefold() == "yes"
        log.versions.append(hand)
        if row["adjusted"]:
            points = [int(text) for text in row["adjusted"].split()]
            ruling = Ruling(game=log.game, after_hand=number, client_id=code, points=points)
            ruling.kind = Ruling.Kind.ADJUSTMENT
            log.rulings.append(ruling)
    if game.ended:
        log.game.ended_by, log.game.ended_after = game.ended, len(game.rows)
    if game.ended == DECISION:
        sides = [side for side in log.rules.sides if set(side) & set(game.winners)]
        log.game.decided_winners = sorted(seat for side in sides for seat in side)
    return log


def _log_without_table(game: HandsGame, rules: ClubRuleset) -> GameLog:
    seats, carried = len(game.players), list(game.carried)
    table = Table(players=seats, ruleset=rules, first_dealer=game.first_dealer, carried=carried)
    return _log(game, table, [], rules.club)


def _rule_troubles(game: HandsGame, rules: ClubRuleset) -> Iterator[Trouble]:
    """Where the hands, or the points beside them, break the rules."""
    sides = len(rules_of(rules.body).sides)
    unequal = [
        row for row in game.rows if row["adjusted"] and len(row["adjusted"].split()) != sides
    ]
    for row in unequal:
        yield Trouble(row.line, "adjusted", _("Enter a number for each side, as 2 0."))
    if unequal:
        return
    if len(game.carried) not in (0, sides):
        return  # `ClubData.new_game_troubles` reports this
    log = _log_without_table(game, rules)
    for fault in log.conflicts():
        row = game.rows[(fault.hand or 1) - 1]
        yield Trouble(row.line, "record", _sentence(fault, row))
    yield from _points_troubles(game, log)
    yield from _winner_troubles(game, log)
    if not log.state.over:
        yield Trouble(game.rows[-1].line, "hand", _("The game isn't over after this hand."))


def _points_troubles(game: HandsGame, log: GameLog) -> Iterator[Trouble]:
    """The hands for which the sheet gives other points than the club's rules."""
    for row, answer in zip(game.rows, log.state.answers, strict=True):
        cells = [row[column] for column in POINTS if row[column]]
        points = None if _is_struck(row) else answer.points
        if cells and points is not None and cells != [str(p) for p in points]:
            paid = ", ".join(map(str, points))
            sentence = _("By the club's rules this hand scores %(points)s.") % {"points": paid}
            yield Trouble(row.line, "points 1", sentence)


def _winner_troubles(game: HandsGame, log: GameLog) -> Iterator[Trouble]:
    """Winners on the sheet who did not win by the club's rules."""
    won = {seat for side in log.rules.sides if set(side) & set(game.winners) for seat in side}
    if log.state.over and won and won != set(log.state.winners):
        sentence = _(
            "By these rules another side wins with this score. Fix it, or enter decision "
            "under ended."
        )
        yield Trouble(game.rows[-1].line, "winners", sentence)


def preview_hands(club: Club, rows: Sequence[Row], *, at: datetime) -> GamesPreview:
    """What importing the sheet would do; games the club already has stay as they are."""
    games, troubles = games_on(rows)
    return preview_games(ExistingHands(club, games, club.local(at).date()), games, troubles)


def import_hands(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Save every new game hand by hand, or nothing; see `games_import.import_games`."""
    games, troubles = games_on(rows)
    today = club.local(at).date()
    return import_games(
        club, lambda: ExistingHands(club, games, today), games, troubles, agreed=agreed, by=by
    )
