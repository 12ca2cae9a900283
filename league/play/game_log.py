"""A game's log: everything its score follows from, and the state that follows.

Every action opens the log of a table under lock, changes one thing in it and keeps it; every page
opens it to read. A hand's number is its place in the log: undone hands are out of it, struck
hands stay and count for nothing but the deal.
"""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from league.compiled_sql import read_together
from league.members.models import Member
from league.play.models import Game, Hand, Ruling
from league.seating.models import Seat, Table
from scoring import Answer, Ended, Fault, GameState, Ruleset, check_hand, play_game, ruleset
from scoring import Ruling as Ruled

GAME_NUMBER = 1  # a table ends with its game
OUT_OF_TURN = "wrong-dealer"
TOKENS_FOR_A_POINT = 4
_text = json.JSONEncoder(sort_keys=True).encode  # `dumps` would make an encoder each time
GAME = "FROM league_game WHERE table_id = %s AND number = %s"
OF_GAME = f"WHERE game_id = (SELECT id {GAME})"  # never IN: PostgreSQL might join all hands to it
HANDS = f"FROM league_hand {OF_GAME}"
RULINGS = f"FROM league_ruling {OF_GAME}"
SEATS = "FROM league_seat WHERE table_id = %s"
PEOPLE = f"FROM league_member WHERE id IN (SELECT member_id {SEATS})"


@dataclass
class GameLog:
    """A game with all versions of its hands, its rulings, and who sat on its seats when."""

    table: Table
    game: Game
    versions: list[Hand]
    rulings: list[Ruling]
    seats: list[Seat]
    stored: dict[str, Any] = field(
        default_factory=dict
    )  # what the game's row held when it was read

    @property
    def rules(self) -> Ruleset:
        return rules_of(self.game.ruleset.body)

    @property
    def hands(self) -> list[Hand]:
        """The hands that count, in order; struck ones are among them."""
        return sorted((hand for hand in self.versions if hand.current), key=lambda h: h.number)

    @property
    def next_number(self) -> int:
        return len(self.hands) + 1

    @property
    def is_asked(self) -> bool:
        """Whether an organiser has asked for this table's hands, and none was entered since."""
        requested = self.table.asked_at
        return requested is not None and all(hand.entered_at < requested for hand in self.versions)

    @cached_property
    def state(self) -> GameState:
        """The fold of the hands. Forget it with `changed` when something in the log changes."""
        return fold(self, self.hands)

    @property
    def start(self) -> tuple[int, ...]:
        """The score by side that the game begins at."""
        return start_of(self.table, self.rules)

    def changed(self) -> None:
        self.__dict__.pop("state", None)

    def hand(self, number: int) -> Hand | None:
        """The version of a hand that counts."""
        return next((hand for hand in self.hands if hand.number == number), None)

    def versions_of(self, number: int) -> list[Hand]:
        return [hand for hand in self.versions if hand.number == number]

    def sent_as(self, client_id: str) -> Hand | None:
        """The hand that came with this client id, whatever has become of it since."""
        return next((hand for hand in self.versions if hand.client_id == client_id), None)

    def conflicts(self) -> list[Fault]:
        """What in this game does not fit: hands after its end, out of turn, against the rules."""
        return [fault for fault in self.state.faults if not self._known(fault)]

    def _known(self, fault: Fault) -> bool:
        """A struck hand is no hand; a deal out of turn may be how it was."""
        hand = self.hand(fault.hand) if fault.hand else None
        if hand is None:
            return False
        return hand.struck or (hand.out_of_turn and fault.code == OUT_OF_TURN)

    def sitting(self) -> list[Seat]:
        """Who sits on the seats now (or sat there last), in order."""
        now = {seat.position: seat for seat in self.seats}  # later spans come later
        return [now[position] for position in sorted(now)]

    @property
    def newcomers(self) -> list[Seat]:
        """The seats that somebody takes over with the hand that comes next."""
        number = self.next_number
        left = {seat.position for seat in self.seats if seat.until_hand is not None}
        return [one for one in self.seats if one.from_hand == number and one.position in left]

    def who_played(self, number: int) -> dict[int, Seat]:
        """Who sat on which seat in one hand."""
        return {
            seat.position: seat
            for seat in self.seats
            if seat.from_hand <= number and (seat.until_hand is None or number <= seat.until_hand)
        }


def fold(log: GameLog, hands: list[Hand]) -> GameState:
    """What the engine makes of these hands in this game."""
    game, body = log.game, _text(log.game.ruleset.body)
    state = play_game(
        _rules(body),
        [_record(hand) for hand in hands],
        first_dealer=game.first_dealer,
        initial_score=log.start,
        rulings=[_ruled(ruling) for ruling in log.rulings if counts(ruling)],
        ended=_ended(game),
        check=lambda record, _rules: _judged(body, _text(record)),
    )
    if game.ended_by == Game.EndedBy.DECISION and game.decided_winners is not None:
        state = replace(state, over=True, winners=tuple(game.decided_winners))
    return state


def score_after(log: GameLog, number: int, *, ruled: int | None = None) -> tuple[int, ...]:
    """The score after a hand and the first so many of the rulings that follow it (None: all)."""
    follow = [ruling for ruling in log.rulings if counts(ruling) and ruling.after_hand == number]
    if number and (ruled is None or not follow):
        return log.state.running[number - 1]
    before = [ruling for ruling in log.rulings if ruling.after_hand < number]
    return fold(replace(log, rulings=before + follow[:ruled]), log.hands[:number]).score


def gained_in(log: GameLog, number: int) -> tuple[int, ...]:
    """What one hand changed the score by, side by side: the running score's word, so that a
    point for tokens and a lowest score are in it, and rulings beside it are not."""
    before, after = score_after(log, number - 1), score_after(log, number, ruled=0)
    return tuple(now - then for now, then in zip(after, before, strict=True))


def tokens_after(log: GameLog, number: int) -> tuple[int, ...]:
    """The tokens that each side holds after a hand, those turned in for a point taken off."""
    held = [0] * len(log.state.sides)
    for answer in log.state.answers[:number]:
        if answer.token:
            held[answer.makers[0] % len(held)] += 1
    return tuple(count % TOKENS_FOR_A_POINT for count in held)


def counts(ruling: Ruling) -> bool:
    """Whether a ruling moves the score: a misdeal is only noted, one withdrawn is void."""
    return ruling.withdrawn_at is None and ruling.kind != Ruling.Kind.MISDEAL


def open_game_log(table: Table, *, named: bool = True) -> GameLog:
    """A table's log, in one query: with a game that is not stored where nothing was entered.

    With `named` the people come with their names; without, a name is looked up when it is needed.
    """
    here = (table.pk, GAME_NUMBER)
    games, hands, rulings, seats, *people = read_together(
        (Game, GAME, here),
        (Hand, HANDS, here),
        (Ruling, RULINGS, here),
        (Seat, SEATS, (table.pk,)),
        *([(Member, PEOPLE, (table.pk,))] if named else []),
    )
    hands.sort(key=lambda hand: (hand.number, hand.version))
    rulings.sort(key=lambda ruling: ruling.pk)
    seats.sort(key=lambda seat: (seat.position, seat.from_hand))
    if named:
        members = {member.pk: member for member in people[0]}
        for seat in seats:
            seat.member = members[seat.member_id]
    game = _at_hand(games[0], table) if games else new_game(table)  # there is one at most
    return GameLog(table, game, hands, rulings, seats)


def new_game(table: Table) -> Game:
    """The game a table would play, not stored: with the table's rules and first dealer."""
    rules = rules_of(table.ruleset.body)
    return Game(
        session_id=table.session_id,
        table=table,
        number=GAME_NUMBER,
        ruleset=table.ruleset,
        first_dealer=table.first_dealer,
        score=list(start_of(table, rules)),
    )


def start_of(table: Table, rules: Ruleset) -> tuple[int, ...]:
    """The score by side that a table's game begins at: points carried over from the game before
    in its match, else what the rules say."""
    return tuple(table.carried) or (rules.start,) * len(rules.sides)


def _at_hand(game: Game, table: Table) -> Game:
    """A game with its table, and with its rules where they are the table's still."""
    game.table = table
    if game.ruleset_id == table.ruleset_id:
        game.ruleset = table.ruleset
    return game


def rules_of(body: Any) -> Ruleset:
    """The ruleset of a stored body, read once a process."""
    return _rules(_text(body))


@lru_cache(maxsize=256)
def _rules(body: str) -> Ruleset:
    return ruleset(json.loads(body))


@lru_cache(maxsize=2048)
def _judged(body: str, record: str) -> Answer:
    """What the engine says of a hand: worked out once, though its game is folded at every hand."""
    return check_hand(json.loads(record), _rules(body))


def answer_of(state: GameState, number: int) -> Answer:
    """What the engine says of one hand."""
    return state.answers[number - 1]


def _record(hand: Hand) -> dict[str, Any]:
    # A record of a dealer and nothing else scores nothing, and the deal passes on.
    return {"dealer": hand.record["dealer"]} if hand.struck else hand.record


def _ruled(ruling: Ruling) -> Ruled:
    return Ruled(
        after=ruling.after_hand,
        kind=ruling.kind,
        by=ruling.by_seat,
        hand=ruling.about_hand,
        form=ruling.form or None,
        lone=ruling.against_lone,
        points=None if ruling.points is None else tuple(ruling.points),
    )


def _ended(game: Game) -> Ended | None:
    if game.ended_by == Game.EndedBy.CONCEDED:
        return Ended("conceded", game.ended_seat)
    return Ended("time") if game.ended_by else None
