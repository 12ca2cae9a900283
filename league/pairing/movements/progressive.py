"""What a movement is, and those seated round by round: winners move, by standing, at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from league.pairing.errors import PlayerId
from league.pairing.rng import Rng, in_order
from league.pairing.seating.history import PlayedRound, tally
from league.pairing.seating.small_table_turns import turns
from league.pairing.seating.table_sizes import composition

Pair = tuple[PlayerId, PlayerId]


@dataclass(frozen=True)
class Finished:
    """A table as it ended: its people in seat order, and who won (nobody: not decided)."""

    seats: tuple[PlayerId, ...]
    winners: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Moment:
    """What a movement may look at when it seats the next round.

    `last` are the tables of the round just ended, the head table first; empty before the first
    round. `standing` is everybody, best first. `pairs` are partners who stay together. `sizes` are
    the tables by the club's own rule, largest first; without them the usual rule decides.
    """

    players: tuple[PlayerId, ...]
    seed: int
    last: tuple[Finished, ...] = ()
    history: tuple[PlayedRound, ...] = ()
    standing: tuple[PlayerId, ...] = ()
    pairs: tuple[Pair, ...] = ()
    sizes: tuple[int, ...] = ()

    def tables_for(self, people: int) -> tuple[int, ...]:
        """The sizes of the tables for so many people, largest first."""
        if sum(self.sizes) == people:
            return self.sizes
        return composition(people).sizes


@dataclass(frozen=True)
class Seated:
    """A round: tables in seat order, the head table first, and who sits out."""

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Order:
    """A card ordered ahead: who plays, how many rounds, which pairs stay together."""

    players: tuple[PlayerId, ...]
    rounds: int
    seed: int
    pairs: tuple[Pair, ...] = ()


NextRound = Callable[[Moment], Seated]
Card = Callable[[Order], tuple[Seated, ...]]


@dataclass(frozen=True)
class Preset:
    """A movement a club can choose by `code`.

    `explanation` is read out to the players; `odd` says what happens when the players do not fill
    tables of four. Exactly one of `next_round` (moves by results or standing) and `card` (can be
    printed ahead) is there.
    """

    code: str
    name: str
    explanation: str
    odd: str
    next_round: NextRound | None = None
    card: Card | None = None


# The three ways to make two pairs of four people, as seat orders.
CROSSINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
SMALL_TABLES = (
    "Small tables are shared: no one plays at one twice before everyone has played at one once."
)
PARTNERS = 1_000
JUST_NOW = 1_000_000  # partners of the last round part whatever else


class Met:
    """How often any two have partnered and opposed each other, and who partners just now."""

    def __init__(self, history: Iterable[PlayedRound]) -> None:
        self.partners: dict[frozenset[PlayerId], int] = {}
        self.opponents: dict[frozenset[PlayerId], int] = {}
        self.just_now: set[frozenset[PlayerId]] = set()
        for played in history:
            self.just_now = set()
            for table in played.tables:
                self._add(table)

    def _add(self, table: Sequence[PlayerId]) -> None:
        for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
            pair = frozenset((one, other))
            if len(table) == 4 and other_seat - seat == 2:
                self.partners[pair] = self.partners.get(pair, 0) + 1
                self.just_now.add(pair)
            else:
                self.opponents[pair] = self.opponents.get(pair, 0) + 1

    def cost(self, table: Sequence[PlayerId]) -> int:
        """What the repeats of this table weigh: partners first, then opponents."""
        total = 0
        for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
            pair = frozenset((one, other))
            if other_seat - seat == 2:
                total += PARTNERS * (2 * self.partners.get(pair, 0) + 1)
                total += JUST_NOW * (pair in self.just_now)
            else:
                total += 2 * self.opponents.get(pair, 0) + 1
        return total


def cross(people: Sequence[PlayerId], met: Met, rng: Rng) -> tuple[PlayerId, ...]:
    """These people in seat order, the less used crossing chosen; equal ones by chance.

    Tables of two and three have no partners and stay in the order given.
    """
    if len(people) != 4:
        return tuple(people)
    orders = list(CROSSINGS)
    rng.shuffle(orders)
    tables = [tuple(people[place] for place in order) for order in orders]
    return min(tables, key=met.cost)


def seat_in_order(moment: Moment, order: Sequence[PlayerId], rng: Rng) -> Seated:
    """The tables filled from the head down with everybody in this order, partners crossed."""
    met = Met(moment.history)
    tables, start = [], 0
    for size in moment.tables_for(len(order)):
        tables.append(cross(order[start : start + size], met, rng))
        start += size
    return Seated(tuple(tables))


def next_at_small_tables(moment: Moment, people: Sequence[PlayerId], rng: Rng) -> set[PlayerId]:
    """Who plays at the tables of two and three next, by turn as on a club night.

    Nobody has a second turn before everybody there has had a first, nor two running before another
    who has had as many. Among equals a draw decides and not their results: else anyone who is
    behind would be sent there more often, and fall further behind.
    """
    order = list(people)
    rng.shuffle(order)
    seats = sum(size for size in moment.tables_for(len(order)) if size < 4)
    due = turns(tally(order, moment.history), out=False) if seats else []
    first = sorted(range(len(due)), key=lambda place: (due[place], -place))
    return {order[place] for place in first[:seats]}


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


def by_results(steps: Steps) -> NextRound:
    """The rule with these steps.

    Tables of three and two are the lowest, and everybody plays there in turn: the one whose turn it
    is changes places with somebody who comes back from one, its winner to the highest place. All
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


ODD = (
    "When the players do not fill tables of four, the lowest tables have three or two. "
    f"{SMALL_TABLES} A player due for one swaps with a player there; if several "
    "are due, a random draw decides."
)

WINNERS_UP = Preset(
    code="winners-up",
    name="Winners up, partners change",
    explanation=(
        "Winners move up one table. Losers stay, but the losers of the head table go to the last "
        "table; the winners of the head table stay there. Everyone changes partner: you get "
        "the one you have had less often."
    ),
    odd=ODD,
    next_round=by_results(Steps(winners=-1, losers=0, head_losers_last=True)),
)

UP_AND_DOWN = Preset(
    code="up-and-down",
    name="Winners up, losers down",
    explanation=(
        "Winners move up one table and losers down one. The winners of the head table and the "
        "losers of the last table stay. Everyone changes partner."
    ),
    odd=ODD,
    next_round=by_results(Steps(winners=-1, losers=1)),
)

WINNERS_STAY = Preset(
    code="winners-stay",
    name="Winners stay, losers move",
    explanation=(
        "Winners stay at their table and change partners. Losers move down one table, from the "
        "last table to the head table, and change partners too."
    ),
    odd=ODD,
    next_round=by_results(Steps(winners=0, losers=1, round_again=True)),
)


def by_standing(moment: Moment) -> Seated:
    """Tables of four down the standing; who is not in it comes last, in random order."""
    rng = Rng(moment.seed)
    here = set(moment.players)
    ranked = [one for one in moment.standing if one in here]
    others = list(in_order(here - set(ranked)))
    rng.shuffle(others)
    ranked += others
    short = next_at_small_tables(moment, ranked, rng)
    order = sorted(ranked, key=lambda one: one in short)
    return seat_in_order(moment, order, rng)


BY_STANDING = Preset(
    code="by-standing",
    name="Swiss by standing",
    explanation=(
        "The first four in the standings meet at table one, the next four at table two, and "
        "so on. You get the partner you have had least often."
    ),
    odd=f"{SMALL_TABLES} If several are due, a random draw decides.",
    next_round=by_standing,
)


def random_draw(moment: Moment) -> Seated:
    """Shuffle everybody and fill the club's tables; only the small ones go by turn."""
    people = list(in_order(moment.players))
    rng = Rng(moment.seed)
    rng.shuffle(people)
    short = next_at_small_tables(moment, people, rng)
    people.sort(key=lambda one: one in short)
    places = iter(people)
    sizes = moment.tables_for(len(people))
    return Seated(tuple(tuple(islice(places, size)) for size in sizes))


RANDOM_DRAW = Preset(
    code="random-draw",
    name="Random draw",
    explanation="Every round is drawn at random. You may meet the same players again.",
    odd=f"The last tables have three or two players. {SMALL_TABLES}",
    next_round=random_draw,
)
