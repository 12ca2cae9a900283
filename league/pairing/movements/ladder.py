"""Movements by results: tables numbered from the head, winners and losers move and re-pair."""

from __future__ import annotations

from dataclasses import dataclass

from league.pairing.errors import PlayerId
from league.pairing.movements.crossing import Met, cross, small_tables
from league.pairing.movements.preset import Finished, Moment, NextRound, Seated
from league.pairing.rng import Rng
from league.pairing.seating.history import PlayedRound
from league.pairing.seating.people import in_order


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

    Tables of three and two are the lowest: their winner changes places with one loser of the table
    above. Who has left is missed, who has come starts at the bottom, and the tables are then made
    up from the head down in the club's sizes.
    """

    def next_round(moment: Moment) -> Seated:
        chance = Rng(moment.seed)
        met = Met(moment.history)
        ladder = _climbed(moment, steps, chance)
        here = set(moment.players)
        order = [one for one in ladder if one in here]
        newcomers = list(in_order(here - set(order)))
        chance.shuffle(newcomers)
        order += newcomers
        tables, start = [], 0
        for size in moment.tables_for(len(order)):
            tables.append(cross(order[start : start + size], met, chance))
            start += size
        return Seated(tuple(tables))

    return next_round


def _climbed(moment: Moment, steps: Steps, chance: Rng) -> list[PlayerId]:
    """Everybody of the last round in the order of the tables they go to."""
    fours = [table for table in moment.last if len(table.seats) == 4]
    short = [table for table in moment.last if len(table.seats) != 4]
    arriving: list[list[PlayerId]] = [[] for _ in fours]
    for number, table in enumerate(fours):
        winners, losers = _sides(table, chance)
        down = steps.target(number, steps.losers, len(fours))
        if steps.head_losers_last and number == 0:
            down = len(fours) - 1
        arriving[steps.target(number, steps.winners, len(fours))] += winners
        arriving[down] += losers
    arriving += [list(table.seats) for table in short]
    ladder = [one for group in arriving for one in group]
    for number in range(max(len(fours), 1), len(moment.last)):
        above, below = (fours + short)[number - 1 : number + 1]
        _trade(ladder, above, below, moment.history, chance)
    return ladder


def _sides(table: Finished, chance: Rng) -> tuple[list[PlayerId], list[PlayerId]]:
    """Winners and losers of a table of four; a game not decided is cut for."""
    pairs = [[table.seats[0], table.seats[2]], [table.seats[1], table.seats[3]]]
    first = next((side for side in (0, 1) if set(pairs[side]) & set(table.winners)), None)
    if first is None:
        first = chance.below(2)
    return pairs[first], pairs[1 - first]


def _trade(
    ladder: list[PlayerId],
    above: Finished,
    below: Finished,
    history: tuple[PlayedRound, ...],
    chance: Rng,
) -> None:
    """The winner of a short table takes the place of a loser of the table above, who comes down.

    Of the losers the one comes down who has had fewest small tables, by chance among equals. Where
    nothing was decided chance decides.
    """
    times = small_tables(history)
    winners = [one for one in below.seats if one in below.winners] or list(below.seats)
    up = winners[chance.below(len(winners))]
    losers = [one for one in above.seats if one not in above.winners] or list(above.seats)
    chance.shuffle(losers)
    down = min(losers, key=lambda one: times.get(one, 0))
    here, there = ladder.index(up), ladder.index(down)
    ladder[here], ladder[there] = down, up
