"""A game's log: everything that determines its score, and the resulting state.

Every action opens the log of a table under lock, changes one thing and saves it; every page opens
it to read. A hand's number is its place in the log: undone hands are removed from it, while struck
(deleted) hands stay and only pass the deal on.
"""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from league.compiled_sql import read_together
from league.members.models import Member, Role
from league.play.models import Confirmation, Game, Hand, Ruling
from league.seating.models import Seat, Table
from scoring import Answer, Ended, Fault, GameState, Ruleset, check_hand, play_game, ruleset
from scoring import Ruling as EngineRuling

GAME_NUMBER = 1  # a table ends with its game
OUT_OF_TURN = "wrong-dealer"
TOKENS_FOR_A_POINT = 4
_text = json.JSONEncoder(sort_keys=True).encode  # `dumps` would create an encoder each time
GAME = "FROM league_game WHERE table_id = %s AND number = %s"
OF_GAME = f"WHERE game_id = (SELECT id {GAME})"  # with IN, PostgreSQL might join all hands to it
HANDS = f"FROM league_hand {OF_GAME}"
RULINGS = f"FROM league_ruling {OF_GAME}"
SEATS = "FROM league_seat WHERE table_id = %s"
CAME = "FROM league_attendance WHERE session_id = %s"
PEOPLE = f"FROM league_member WHERE id IN (SELECT member_id {SEATS} UNION SELECT member_id {CAME})"
PLAY_ON = f"FROM league_confirmation {OF_GAME} AND decision = '{Confirmation.Decision.PLAY_ON}'"


@dataclass
class GameLog:
    """A game with all versions of its hands, its rulings, and the spans of its seats.

    `people` are all who came to the session, so that short names are the same at every table.
    `play_on` are the decisions of organisers that it goes on; only a log for a page has them.
    """

    table: Table
    game: Game
    versions: list[Hand]
    rulings: list[Ruling]
    seats: list[Seat]
    stored: dict[str, Any] = field(
        default_factory=dict
    )  # what the game's row held when it was read
    people: list[Member] = field(default_factory=list)
    shorts: dict[int, str] = field(default_factory=dict)  # see `short_names_at`
    play_on: list[Confirmation] = field(default_factory=list)

    @property
    def rules(self) -> Ruleset:
        return rules_of(self.game.ruleset.body)

    @property
    def hands(self) -> list[Hand]:
        """The current hands in order, including struck ones."""
        return sorted((hand for hand in self.versions if hand.current), key=lambda h: h.number)

    @property
    def next_number(self) -> int:
        return len(self.hands) + 1

    @property
    def is_nudged(self) -> bool:
        """Whether an organiser has requested this table's scores and none was entered since."""
        requested = self.table.asked_at
        return requested is not None and all(hand.entered_at < requested for hand in self.versions)

    @cached_property
    def state(self) -> GameState:
        """The state after all hands. Call `changed` when something in the log changes."""
        return fold(self, self.hands)

    @cached_property
    def is_decided(self) -> bool:
        """Whether an organiser has decided about the game since it ended."""
        if self.game.finished_at is None:
            return False
        decisions = Confirmation.objects.filter(game=self.game, at__gte=self.game.finished_at)
        not_ended = ("", Confirmation.Decision.PLAY_ON)
        return decisions.exclude(decision__in=not_ended).exists()

    @cached_property
    def was_confirmed(self) -> bool:
        """Whether the result of a game that counts was confirmed, by somebody or by itself; the
        club may have switched confirmation on since it ended."""
        accepted = Confirmation.objects.filter(game=self.game, accepted=True)
        return self.game.accept_at is not None or accepted.exists()

    def is_against_lone(self, ruling: Ruling) -> bool:
        """Whether a penalty counts as one of a hand in which a player was alone."""
        if ruling.kind != Ruling.Kind.RENEGE or ruling.against_lone is not None:
            return bool(ruling.against_lone)
        number, answers = ruling.about_hand or ruling.after_hand, self.state.answers
        return 1 <= number <= len(answers) and bool(answers[number - 1].alone)

    @cached_property
    def organisers(self) -> set[int]:
        """The accounts of the club's organisers."""
        ranks = (Role.Rank.ORGANISER, Role.Rank.OWNER)
        roles = Role.objects.filter(club=self.table.session.club, rank__in=ranks)
        return set(roles.values_list("user_id", flat=True))

    @property
    def start(self) -> tuple[int, ...]:
        """The score by side at which the game begins."""
        return start_of(self.table, self.rules)

    def changed(self) -> None:
        self.__dict__.pop("state", None)

    def hand(self, number: int) -> Hand | None:
        """The current version of a hand."""
        return next((hand for hand in self.hands if hand.number == number), None)

    def versions_of(self, number: int) -> list[Hand]:
        return [hand for hand in self.versions if hand.number == number]

    def sent_as(self, client_id: str) -> Hand | None:
        """The hand that was sent with this client id, even if it was undone or corrected since."""
        return next((hand for hand in self.versions if hand.client_id == client_id), None)

    def conflicts(self) -> list[Fault]:
        """Faults of hands that do not fit: after the end, dealt out of turn, against the rules."""
        return [fault for fault in self.state.faults if not self._is_accepted(fault)]

    def _is_accepted(self, fault: Fault) -> bool:
        """Whether a fault is accepted: of a struck hand, or a confirmed deal out of turn."""
        hand = self.hand(fault.hand) if fault.hand else None
        if hand is None:
            return False
        return hand.struck or (hand.out_of_turn and fault.code == OUT_OF_TURN)

    def sitting(self) -> list[Seat]:
        """The players who sit at the table now, or sat there last, by position."""
        latest_seats = {seat.position: seat for seat in self.seats}  # later spans come later
        return [latest_seats[position] for position in sorted(latest_seats)]

    def seats_of(self, number: int | None) -> list[Seat]:
        """The players of one hand by position; without a number, those whom the score is for."""
        played = self.who_played(number) if number else {}
        return [played[position] for position in sorted(played)] or self.scored_seats()

    def scored_seats(self) -> list[Seat]:
        """The players whom the score is for, by position: those who played the last hand of a game
        that has ended, else those who play the next one."""
        number = len(self.hands) if self.game.is_scored_by_hands else self.next_number
        played = self.who_played(number)
        return [played[position] for position in sorted(played)] or self.sitting()

    @property
    def newcomers(self) -> list[Seat]:
        """The seats that a substitute takes over with the next hand, or later after an undo."""
        number = self.next_number
        left_positions = {seat.position for seat in self.seats if seat.until_hand is not None}
        return [
            seat
            for seat in self.seats
            if seat.from_hand >= number and seat.position in left_positions
        ]

    def who_played(self, number: int) -> dict[int, Seat]:
        """The seat of each position in one hand."""
        return {
            seat.position: seat
            for seat in self.seats
            if seat.from_hand <= number and (seat.until_hand is None or number <= seat.until_hand)
        }


def fold(log: GameLog, hands: list[Hand]) -> GameState:
    """The state of the game after these hands, as the engine computes it."""
    game, body = log.game, _text(log.game.ruleset.body)
    state = play_game(
        _parsed_rules(body),
        [_engine_record(hand) for hand in hands],
        first_dealer=game.first_dealer,
        initial_score=log.start,
        rulings=[_engine_ruling(ruling) for ruling in log.rulings if counts(ruling)],
        ended=_engine_ending(game),
        check=lambda record, _rules: _check_cached(body, _text(record)),
    )
    if game.ended_by == Game.EndedBy.DECISION and game.decided_winners is not None:
        state = replace(state, over=True, winners=tuple(game.decided_winners))
    return state


def score_after(log: GameLog, number: int, *, ruled: int | None = None) -> tuple[int, ...]:
    """The score after a hand and the first `ruled` rulings that follow it (None for all)."""
    following = [ruling for ruling in log.rulings if counts(ruling) and ruling.after_hand == number]
    if number and (ruled is None or not following):
        return log.state.running[number - 1]
    earlier = [ruling for ruling in log.rulings if ruling.after_hand < number]
    return fold(replace(log, rulings=earlier + following[:ruled]), log.hands[:number]).score


def gained_in(log: GameLog, number: int) -> tuple[int, ...]:
    """The change of the score by side in one hand. It includes points for tokens and the effect of
    a minimum score, but no rulings."""
    before, after = score_after(log, number - 1), score_after(log, number, ruled=0)
    return tuple(new - old for new, old in zip(after, before, strict=True))


def tokens_after(log: GameLog, number: int) -> tuple[int, ...]:
    """The tokens that each side holds after a hand, without those exchanged for a point."""
    tokens = [0] * len(log.state.sides)
    for answer in log.state.answers[:number]:
        if answer.token:
            tokens[answer.makers[0] % len(tokens)] += 1
    return tuple(count % TOKENS_FOR_A_POINT for count in tokens)


def counts(ruling: Ruling) -> bool:
    """Whether a ruling changes the score: a misdeal does not, nor does a withdrawn ruling."""
    return ruling.withdrawn_at is None and ruling.kind != Ruling.Kind.MISDEAL


def open_game_log(table: Table, *, named: bool = True) -> GameLog:
    """A table's log, in one query. Where nothing was entered, its game is not stored yet.

    With `named`, as pages need it, the members of the session and the decisions to play on are
    loaded too; otherwise each member is loaded when needed.
    """
    key = (table.pk, GAME_NUMBER)
    of_page = [(Member, PEOPLE, (table.pk, table.session_id)), (Confirmation, PLAY_ON, key)]
    games, hands, rulings, seats, *more = read_together(
        (Game, GAME, key),
        (Hand, HANDS, key),
        (Ruling, RULINGS, key),
        (Seat, SEATS, (table.pk,)),
        *(of_page if named else []),
    )
    hands.sort(key=lambda hand: (hand.number, hand.version))
    rulings.sort(key=lambda ruling: ruling.pk)
    seats.sort(key=lambda seat: (seat.position, seat.from_hand))
    people, play_on = more if named else ([], [])
    if named:
        members = {member.pk: member for member in people}
        for seat in seats:
            seat.member = members[seat.member_id]
    game = _attach_table(games[0], table) if games else new_game(table)  # there is one at most
    return GameLog(table, game, hands, rulings, seats, people=people, play_on=play_on)


def new_game(table: Table) -> Game:
    """A new game for a table, not stored, with the table's rules and first dealer."""
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
    """The score by side at which a table's game begins: the points carried over from the previous
    game of its match, else the start that the rules set."""
    return tuple(table.carried) or (rules.start,) * len(rules.sides)


def _attach_table(game: Game, table: Table) -> Game:
    """The game with its table attached, and its ruleset if it is still the table's."""
    game.table = table
    if game.ruleset_id == table.ruleset_id:
        game.ruleset = table.ruleset
    return game


def rules_of(body: Any) -> Ruleset:
    """The ruleset of a stored body, parsed once per process."""
    return _parsed_rules(_text(body))


@lru_cache(maxsize=256)
def _parsed_rules(body: str) -> Ruleset:
    return ruleset(json.loads(body))


@lru_cache(maxsize=2048)
def _check_cached(body: str, record: str) -> Answer:
    """The engine's answer for a hand, cached because each new hand recomputes the whole game."""
    return check_hand(json.loads(record), _parsed_rules(body))


def answer_of(state: GameState, number: int) -> Answer:
    """The engine's answer for one hand."""
    return state.answers[number - 1]


def _engine_record(hand: Hand) -> dict[str, Any]:
    # A record with only a dealer scores nothing and passes the deal on.
    return {"dealer": hand.record["dealer"]} if hand.struck else hand.record


def _engine_ruling(ruling: Ruling) -> EngineRuling:
    return EngineRuling(
        after=ruling.after_hand,
        kind=ruling.kind,
        by=ruling.by_seat,
        hand=ruling.about_hand,
        form=ruling.form or None,
        lone=ruling.against_lone,
        points=None if ruling.points is None else tuple(ruling.points),
    )


def _engine_ending(game: Game) -> Ended | None:
    if game.ended_by == Game.EndedBy.CONCEDED:
        return Ended("conceded", game.ended_seat)
    return Ended("time") if game.ended_by else None
