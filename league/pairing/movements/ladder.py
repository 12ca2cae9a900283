"""Movements by results: tables numbered from the head, winners and losers move and re-pair."""

from __future__ import annotations

from dataclasses import dataclass

from league.pairing.errors import PlayerId
from league.pairing.movements.crossing import next_at_small_tables, seat_in_order
from league.pairing.movements.definition import Finished, Moment, NextRound, Seated
from league.pairing.rng import Rng, in_order


@dataclass(frozen=True)
class Steps:
    """How many tables the winners and the losers of a table of four move; -1 is one up.

    Who would leave the room at the top stays there, at the bottom too, or with `round_again` goes
    to the other end. `head_losers_last` sends the losers of the head table to the last table of
    four whatever their step.
    """

    winners: int
    losers: int
    head_losers_last: bool = False
    round_again: bool = False

    def target(self, table: int, step: int, tables: int) -> int:
        """Where a step from a table leads."""
        if self.round_again:
            return (table + step) % tables
        return min(max(table + step, 0), tables - 1)


def movement(steps: Steps) -> NextRound:
    """The rule with these steps.

    Tables of three and two are the lowest, and everybody plays there in turn: whoever's turn it is
    changes places with somebody who comes back from one, its winner to the highest place. All
    others go where their result takes them. Who has come starts at the bottom.
    """

    def next_round(moment: Moment) -> Seated:
        rng = Rng(moment.seed)
        here = set(moment.players)
        climbed = _climbed(moment, steps, rng)
        returning = [one for one in _from_small_tables(moment, rng) if one in here]
        newcomers = list(in_order(here.difference(climbed, returning)))
        rng.shuffle(newcomers)
        staying = [one for one in climbed if one in here]
        short = next_at_small_tables(moment, [*staying, *returning, *newcomers], rng)
        free = [one for one in (*returning, *newcomers) if one not in short]
        order = []
        for one in climbed:
            if one in here and one not in short:
                order.append(one)
            elif free:
                order.append(free.pop(0))
        at_small = [one for one in (*staying, *returning, *newcomers) if one in short]
        return seat_in_order(moment, [*order, *free, *at_small], rng)

    return next_round


def _climbed(moment: Moment, steps: Steps, rng: Rng) -> list[PlayerId]:
    """Everybody of the last round's tables of four in the order of the tables they go to."""
    fours = [table for table in moment.last if len(table.seats) == 4]
    arriving: list[list[PlayerId]] = [[] for _ in fours]
    for number, table in enumerate(fours):
        winners, losers = _sides(table, rng)
        down = steps.target(number, steps.losers, len(fours))
        if steps.head_losers_last and number == 0:
            down = len(fours) - 1
        arriving[steps.target(number, steps.winners, len(fours))] += winners
        arriving[down] += losers
    return [one for group in arriving for one in group]


def _sides(table: Finished, rng: Rng) -> tuple[list[PlayerId], list[PlayerId]]:
    """Winners and losers of a table of four; a game not decided is cut for."""
    pairs = [[table.seats[0], table.seats[2]], [table.seats[1], table.seats[3]]]
    first = next((side for side in (0, 1) if set(pairs[side]) & set(table.winners)), None)
    if first is None:
        first = rng.below(2)
    return pairs[first], pairs[1 - first]


def _from_small_tables(moment: Moment, rng: Rng) -> list[PlayerId]:
    """Who comes back from the last round's small tables, winners first; else in random order."""
    tables = [table for table in moment.last if len(table.seats) < 4]
    people = [one for table in tables for one in table.seats]
    rng.shuffle(people)
    winners = {one for table in tables for one in table.winners}
    return sorted(people, key=lambda one: one not in winners)
