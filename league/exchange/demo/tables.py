"""Playing a table by chance, hand by hand, through the action its phone would call."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from league.exchange.demo.hands import a_hand
from league.members.audit import Actor
from league.play.actions import confirm_game, record_hand
from league.seating.models import Table
from scoring import GameState, Ruleset, play_game, ruleset

BETWEEN_HANDS = (70, 130)  # seconds: a hand of Euchre takes about a minute and a half


@dataclass
class Play:
    """One table's game as it goes on: what has been sent, and the time on the wall."""

    table: Table
    rules: Ruleset
    skills: list[float]
    records: list[dict]
    at: datetime

    @property
    def by(self) -> Actor:
        return Actor(f"phone at table {self.table.number}", source="demo")

    @property
    def state(self) -> GameState:
        return play_game(self.rules, self.records, first_dealer=self.table.first_dealer)


def sit_down(table: Table, skills: dict[int, float], at: datetime) -> Play:
    """A table whose first hand is about to be dealt."""
    chairs = table.seats.filter(until_hand=None).order_by("position")
    by_seat = [skills.get(seat.member_id, 0.5) for seat in chairs]
    return Play(table, ruleset(table.ruleset.body), by_seat, [], at)


def play(
    going: Play,
    chance: Random,
    *,
    until: datetime,
    most: int | None = None,
    pace: float = 1.0,
) -> bool:
    """Play on until the game is won, the clock shows `until`, or `most` hands are played; whether
    it was won. A `pace` under 1 is a quicker table's."""
    state = going.state
    while not state.over:
        spent = timedelta(seconds=pace * chance.randint(*BETWEEN_HANDS))
        if going.at + spent > until or (most is not None and len(going.records) >= most):
            return False
        going.at += spent
        dealer = going.table.first_dealer if state.next_dealer is None else state.next_dealer
        record = a_hand(chance, going.rules, dealer=dealer, skills=going.skills)
        going.records.append(record)
        record_hand(
            going.table,
            record,
            client_id=f"demo-{going.table.public_id}-{len(going.records)}",
            by=going.by,
            at=going.at,
        )
        state = going.state
    return True


def accept(going: Play) -> None:
    """The other side says yes to the score."""
    loser = next(seat for seat in range(going.rules.players) if seat not in going.state.winners)
    going.at += timedelta(seconds=20)
    confirm_game(going.table, by=going.by, at=going.at, seat=loser)
