"""Evenings written down elsewhere, hand by hand, brought in as a sheet."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from league.exchange.game_files import DECISION, TIME, UNFINISHED
from league.exchange.games_import import GamesPreview, look, order
from league.exchange.past_games import (
    MOST_TABLES,
    ClubHere,
    PastGame,
    Span,
    game_code,
    number_of,
    players_of,
    where_of,
    where_troubles,
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
        """What a file said of the game that is not kept and changes no score."""
        return self.rows[0]["remark"]

    @property
    def joins(self) -> bool:
        """Whether its evening may be here already, closed, with other games."""
        return self.rows[0]["joins"] == "yes"

    @property
    def spans(self) -> list[Span]:
        """A substitute sits from the first hand under another name."""
        spans: list[Span] = []
        for position in range(len(self.players)):
            names = [players_of(row)[position] for row in self.rows]
            begins = [at for at, name in enumerate(names) if at == 0 or name != names[at - 1]]
            for first, following in zip(begins, [*begins[1:], None], strict=True):
                spans.append(Span(position, names[first], first + 1, following))
        return spans

    @property
    def lines_of_people(self) -> dict[tuple[str, ...], int]:
        return {players_of(row): row.line for row in reversed(self.rows)}


def games_on(rows: Sequence[Row]) -> tuple[list[HandsGame], list[Trouble]]:
    """The games of a sheet, and every cell of it that cannot be."""
    games: dict[tuple[str, str, str], HandsGame] = {}
    troubles: list[Trouble] = []
    for row in rows:
        key = (row["date"], row["session"], row["game"])
        in_row = list(_troubles(row, games.get(key)))
        record = {} if in_row else _record(row, in_row)
        troubles += in_row
        if in_row:
            continue
        game = games.setdefault(key, _game(row))
        game.rows.append(row)
        game.records.append(record)
    troubles += [trouble for game in games.values() for trouble in _other_words(game)]
    return list(games.values()), troubles


def _other_words(game: HandsGame) -> Iterator[Trouble]:
    """What one line says otherwise than the line of its game that counts: how the game ended is
    read from the last, its rules from the first. Our own export says both on every line."""
    first, last = game.rows[0], game.rows[-1]
    for row in game.rows:
        other = {
            "ended": row["ended"] and row["ended"].casefold() != game.ended,
            "winners": row["winners"] and winners_in(row) != winners_in(last),
            "rules": row["rules"] and row["rules"] != first["rules"],
        }
        for column in [name for name, differs in other.items() if differs]:
            sentence = _("Another line of this game says something else here.")
            yield Trouble(row.line, column, sentence)


def _game(row: Row) -> HandsGame:
    return HandsGame(**where_of(row), first_dealer=int(row["dealer"]) - 1)


def _troubles(row: Row, game: HandsGame | None) -> Iterator[Trouble]:
    """What is wrong with the cells around the hand itself."""
    of_places = list(where_troubles(row))
    yield from of_places
    if game is not None:
        people_are_known = not any(trouble.column == "player 1" for trouble in of_places)
        yield from _changes(row, game, people_are_known=people_are_known)
    if not number_of(row["hand"], MOST_HANDS) or (game is not None and not _follows(row, game)):
        yield Trouble(row.line, "hand", _("List the hands of a game in order."))
    yield from _ending_troubles(row)


def _changes(row: Row, game: HandsGame, *, people_are_known: bool) -> Iterator[Trouble]:
    """What a row says otherwise than those of its game before it."""
    if people_are_known and not _same_table(row, game):
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


def _follows(row: Row, game: HandsGame) -> bool:
    return int(row["hand"]) > int(game.rows[-1]["hand"])


def _same_table(row: Row, game: HandsGame) -> bool:
    """Whether this is the table still: a substitute may have come, nobody changed seats."""
    players = players_of(row)
    if (len(players), number_of(row["table"], MOST_TABLES)) != (len(game.players), game.table):
        return False
    before = {name: place for past in game.rows for place, name in enumerate(players_of(past))}
    return all(before.get(name, place) == place for place, name in enumerate(players))


def _record(row: Row, troubles: list[Trouble]) -> dict[str, Any]:
    """The line's hand record in strict form; what is wrong with it is added to `found`."""
    written = _written(row, troubles)
    if troubles:
        return {}
    try:
        record = HandRecord.from_json(written).to_json()
    except RecordError as error:
        troubles += [Trouble(row.line, "record", _sentence(fault, row)) for fault in error.faults]
        return {}
    if record["dealer"] != int(row["dealer"]) - 1:
        troubles.append(Trouble(row.line, "dealer", _("The record names another dealer.")))
    return record


def _sentence(fault: Fault, row: Row) -> str:
    """What is wrong with a hand, with its players by their names."""
    return fault.say(names=players_of(row), translate=_)


def _written(row: Row, troubles: list[Trouble]) -> Any:
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


class HandsHere:
    """What the club has, and the games of the sheet that were written down before. A fixed number
    of queries."""

    def __init__(self, club: Club, games: Sequence[HandsGame], today: date) -> None:
        self.now = ClubHere(club, today)
        ids = [hand_id(club, game, 1) for game in games]
        codes = [game.game for game in games]
        hands = Hand.objects.filter(game__session__club=club)
        written = Game.objects.filter(session__club=club, public_id__in=codes)
        # Whatever has become of its first hand since, the game is known by it.
        first = hands.filter(number=1, client_id__in=ids).select_related("game")
        self.known = {one.public_id: one for one in written}
        self.known |= {one.client_id: one.game for one in first}
        joined = (self.now.nights.get(game.night) for game in games if game.joins)
        self.now.goes_on(game.session_id for game in self.known.values())
        self.now.goes_on(night.pk for night in joined if night is not None)
        self.hands: dict[int, dict[int, object]] = {}
        current = hands.filter(game__in=self.known.values(), current=True)
        for pk, number, struck, record in current.values_list("game", "number", "struck", "record"):
            self.hands.setdefault(pk, {})[number] = STRUCK if struck else record

    @property
    def facts(self) -> tuple[object, ...]:
        return *self.now.facts, {code: one.pk for code, one in self.known.items()}, self.hands

    def _known(self, game: HandsGame) -> Game | None:
        return self.known.get(game.game) or self.known.get(hand_id(self.now.club, game, 1))

    def has(self, game: HandsGame) -> bool:
        return self._known(game) is not None

    def differs(self, game: HandsGame) -> Iterator[Trouble]:
        """A game that is here already has to be the same one."""
        known = self._known(game)
        if game.joins and known:  # EGN says the same hand in other words
            yield from self._other_result(game, known)
            return
        hands = self.hands.get(known.pk, {}) if known else {}
        for row, record in zip(game.rows, game.records, strict=True):
            if hands.get(int(row["hand"])) != (STRUCK if _is_struck(row) else record):
                yield Trouble(row.line, "hand", _("This hand is already here, but different."))

    def _other_result(self, game: HandsGame, known: Game) -> Iterator[Trouble]:
        rules = self.now.rules_for(game)
        if rules is None or list(_log_without_table(game, rules).state.score) != known.score:
            sentence = _("This game is already here, with a different result.")
            yield Trouble(game.line, "game", sentence)

    def cannot(self, game: HandsGame) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""
        yield from self.now.cannot(game)
        rules = self.now.rules_for(game)
        if rules is not None and rules.players == len(game.players):
            yield from _folded(game, rules)

    def bring(
        self, game: HandsGame, table: Table, seats: list[Seat], *, by: Actor, at: datetime
    ) -> ImportedGame:
        log = _log(game, table, seats, self.now.club)
        log.game.public_id = game_code(self.now.club, game)
        return imported_game(log, by=by, at=at)


def hand_id(club: Club, game: HandsGame, place: int) -> str:
    """The client id of an imported hand: the same sheet again finds what it wrote before."""
    where = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    return f"import-{hashlib.sha256(where.encode()).hexdigest()[:24]}-{place}"


def _is_struck(row: Row) -> bool:
    return row["outcome"].casefold() == STRUCK


def _log(game: HandsGame, table: Table, seats: list[Seat], club: Club) -> GameLog:
    """The game with its hands and adjustments as the sheet has them, not stored."""
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


def _folded(game: HandsGame, rules: ClubRuleset) -> Iterator[Trouble]:
    """What the rules say of the hands, and of the points beside them."""
    sides = len(rules_of(rules.body).sides)
    unequal = [
        row for row in game.rows if row["adjusted"] and len(row["adjusted"].split()) != sides
    ]
    for row in unequal:
        yield Trouble(row.line, "adjusted", _("Enter a number for each side, as 2 0."))
    if unequal:
        return
    if len(game.carried) not in (0, sides):
        return  # said of where it was played
    log = _log_without_table(game, rules)
    for fault in log.conflicts():
        row = game.rows[(fault.hand or 1) - 1]
        yield Trouble(row.line, "record", _sentence(fault, row))
    yield from _other_points(game, log)
    yield from _other_winners(game, log)
    if not log.state.over:
        yield Trouble(game.rows[-1].line, "hand", _("The game isn't over after this hand."))


def _other_points(game: HandsGame, log: GameLog) -> Iterator[Trouble]:
    """The hands for which the sheet has other points than the club's rules pay."""
    for row, answer in zip(game.rows, log.state.answers, strict=True):
        given = [row[column] for column in POINTS if row[column]]
        points = None if _is_struck(row) else answer.points
        if given and points is not None and given != [str(p) for p in points]:
            paid = ", ".join(map(str, points))
            sentence = _("By the club's rules this hand scores %(points)s.") % {"points": paid}
            yield Trouble(row.line, "points 1", sentence)


def _other_winners(game: HandsGame, log: GameLog) -> Iterator[Trouble]:
    """Winners on the sheet of a game that others have won."""
    won = {seat for side in log.rules.sides if set(side) & set(game.winners) for seat in side}
    if log.state.over and won and won != set(log.state.winners):
        sentence = _(
            "By these rules another side wins with this score. Fix it, or enter decision "
            "under ended."
        )
        yield Trouble(game.rows[-1].line, "winners", sentence)


def preview_hands(club: Club, rows: Sequence[Row], *, at: datetime) -> GamesPreview:
    """What the sheet would do. Changes nothing; a game that is here already stays as it is."""
    games, troubles = games_on(rows)
    return look(HandsHere(club, games, club.local(at).date()), games, troubles)


def import_hands(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Write every new game down, hand by hand, or nothing; see `games_import.order`."""
    games, troubles = games_on(rows)
    today = club.local(at).date()
    return order(club, lambda: HandsHere(club, games, today), games, troubles, agreed=agreed, by=by)
