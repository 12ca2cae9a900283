"""The types of a movement, and the movements by results, by standing and at random."""

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
    """A finished table: its players in seat order and the winners, empty if undecided."""

    seats: tuple[PlayerId, ...]
    winners: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Moment:
    """Everything a movement may use to seat the next round.

    `last` holds the tables of the round just ended, the head table first; it is empty before the
    first round. `standing` lists the players, best first. `pairs` are partners who stay together.
    `sizes` are the table sizes by the club's own rule, largest first; if empty, the usual rule
    decides.
    """

    players: tuple[PlayerId, ...]
    seed: int
    last: tuple[Finished, ...] = ()
    history: tuple[PlayedRound, ...] = ()
    standing: tuple[PlayerId, ...] = ()
    pairs: tuple[Pair, ...] = ()
    sizes: tuple[int, ...] = ()

    def tables_for(self, count: int) -> tuple[int, ...]:
        """Return the table sizes for so many players, largest first."""
        if sum(self.sizes) == count:
            return self.sizes
        return composition(count).sizes


@dataclass(frozen=True)
class Seated:
    """A round: the tables in seat order, the head table first, and the players who sit out."""

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Order:
    """A request for a printed card: the players, the rounds, and the pairs that stay together."""

    players: tuple[PlayerId, ...]
    rounds: int
    seed: int
    pairs: tuple[Pair, ...] = ()


NextRound = Callable[[Moment], Seated]
Card = Callable[[Order], tuple[Seated, ...]]


@dataclass(frozen=True)
class Preset:
    """A movement that a club can choose by its `code`.

    `explanation` is for the players; `odd` explains what happens when they do not fill tables of
    four. Exactly one of `next_round` (moves by results or standing) and `card` (can be printed
    ahead) is set.
    """

    code: str
    name: str
    explanation: str
    odd: str
    next_round: NextRound | None = None
    card: Card | None = None


# The three ways to make two pairs of four players, as seat orders.
CROSSINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
SMALL_TABLES = (
    "Small tables are shared: no one plays at one twice before everyone has played at one once."
)
PARTNERS = 1_000
JUST_NOW = 1_000_000  # partners of the last round are split before anything else counts


class MeetingCounts:
    """How often any two have been partners and opponents, and who were partners last round."""

    def __init__(self, history: Iterable[PlayedRound]) -> None:
        self.partners: dict[frozenset[PlayerId], int] = {}
        self.opponents: dict[frozenset[PlayerId], int] = {}
        self.just_now: set[frozenset[PlayerId]] = set()
        for played in history:
            self.just_now = set()
            for table in played.tables:
                self._add(table)

    def _add(self, table: Sequence[PlayerId]) -> None:
        for (seat, player), (other_seat, other_player) in combinations(enumerate(table), 2):
            pair = frozenset((player, other_player))
            if len(table) == 4 and other_seat - seat == 2:
                self.partners[pair] = self.partners.get(pair, 0) + 1
                self.just_now.add(pair)
            else:
                self.opponents[pair] = self.opponents.get(pair, 0) + 1

    def cost(self, table: Sequence[PlayerId]) -> int:
        """Return the cost of this table's repeats: partners first, then opponents."""
        total = 0
        for (seat, player), (other_seat, other_player) in combinations(enumerate(table), 2):
            pair = frozenset((player, other_player))
            if other_seat - seat == 2:
                total += PARTNERS * (2 * self.partners.get(pair, 0) + 1)
                total += JUST_NOW * (pair in self.just_now)
            else:
                total += 2 * self.opponents.get(pair, 0) + 1
        return total


def cross(players: Sequence[PlayerId], counts: MeetingCounts, rng: Rng) -> tuple[PlayerId, ...]:
    """Return the players in seat order with the least used partnerships, ties at random.

    Tables of two and three have no partners and stay in the order given.
    """
    if len(players) != 4:
        return tuple(players)
    orders = list(CROSSINGS)
    rng.shuffle(orders)
    tables = [tuple(players[index] for index in order) for order in orders]
    return min(tables, key=counts.cost)


def seat_in_order(moment: Moment, order: Sequence[PlayerId], rng: Rng) -> Seated:
    """Fill the tables in this order, from the head table down, and change partners."""
    counts = MeetingCounts(moment.history)
    tables, start = [], 0
    for size in moment.tables_for(len(order)):
        tables.append(cross(order[start : start + size], counts, rng))
        start += size
    return Seated(tuple(tables))


def next_at_small_tables(moment: Moment, players: Sequence[PlayerId], rng: Rng) -> set[PlayerId]:
    """Choose who plays at the tables of two and three next, by turn as on a club night.

    Nobody has a second turn before all have had a first, nor two in a row before another player who
    has had as many. Ties are broken at random and not by results: otherwise players who are behind
    would be sent there more often and fall further behind.
    """
    order = list(players)
    rng.shuffle(order)
    seats = sum(size for size in moment.tables_for(len(order)) if size < 4)
    waiting_turns = turns(tally(order, moment.history), out=False) if seats else []
    by_turn = sorted(range(len(waiting_turns)), key=lambda index: (waiting_turns[index], -index))
    return {order[index] for index in by_turn[:seats]}


@dataclass(frozen=True)
class Steps:
    """How many tables the winners and the losers of a table of four move; -1 is one up.

    At the head table and the last table, players who would move further stay, or go to the other
    end if `round_again` is set. `head_losers_last` sends the losers of the head table to the last
    table of four, whatever their step.
    """

    winners: int
    losers: int
    head_losers_last: bool = False
    round_again: bool = False

    def target(self, table: int, step: int, tables: int) -> int:
        """Return the table that a step from this table leads to."""
        if self.round_again:
            return (table + step) % tables
        return min(max(table + step, 0), tables - 1)


def by_results(steps: Steps) -> NextRound:
    """Return the rule that moves players by these steps.

    Tables of three and two are the lowest, and all players take turns there: a player whose turn it
    is swaps places with one who comes back, its winner taking the highest place. All others go
    where their result takes them. Newcomers start at the bottom.
    """

    def next_round(moment: Moment) -> Seated:
        rng = Rng(moment.seed)
        present = set(moment.players)
        moved_players = _move_by_results(moment, steps, rng)
        returning_players = [
            player for player in _from_small_tables(moment, rng) if player in present
        ]
        newcomers = list(in_order(present.difference(moved_players, returning_players)))
        rng.shuffle(newcomers)
        staying_players = [player for player in moved_players if player in present]
        everyone = [*staying_players, *returning_players, *newcomers]
        at_small = next_at_small_tables(moment, everyone, rng)
        candidates = (*returning_players, *newcomers)
        replacements = [player for player in candidates if player not in at_small]
        order = []
        for player in moved_players:
            if player in present and player not in at_small:
                order.append(player)
            elif replacements:
                order.append(replacements.pop(0))
        last = [player for player in everyone if player in at_small]
        return seat_in_order(moment, [*order, *replacements, *last], rng)

    return next_round


def _move_by_results(moment: Moment, steps: Steps, rng: Rng) -> list[PlayerId]:
    """Return the players of the last round's tables of four, in the order of their new tables."""
    fours = [table for table in moment.last if len(table.seats) == 4]
    arriving: list[list[PlayerId]] = [[] for _ in fours]
    for number, table in enumerate(fours):
        winners, losers = _winners_and_losers(table, rng)
        losers_target = steps.target(number, steps.losers, len(fours))
        if steps.head_losers_last and number == 0:
            losers_target = len(fours) - 1
        arriving[steps.target(number, steps.winners, len(fours))] += winners
        arriving[losers_target] += losers
    return [player for group in arriving for player in group]


def _winners_and_losers(table: Finished, rng: Rng) -> tuple[list[PlayerId], list[PlayerId]]:
    """Return the winners and losers of a table of four; an undecided game is drawn at random."""
    sides = [[table.seats[0], table.seats[2]], [table.seats[1], table.seats[3]]]
    winning = next((side for side in (0, 1) if set(sides[side]) & set(table.winners)), None)
    if winning is None:
        winning = rng.below(2)
    return sides[winning], sides[1 - winning]


def _from_small_tables(moment: Moment, rng: Rng) -> list[PlayerId]:
    """Return the players of the last round's small tables, winners first, otherwise at random."""
    tables = [table for table in moment.last if len(table.seats) < 4]
    players = [player for table in tables for player in table.seats]
    rng.shuffle(players)
    winners = {player for table in tables for player in table.winners}
    return sorted(players, key=lambda player: player not in winners)


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
    """Seat tables of four in order of the standing; players not in it come last, at random."""
    rng = Rng(moment.seed)
    present = set(moment.players)
    ranked_players = [player for player in moment.standing if player in present]
    unranked_players = list(in_order(present - set(ranked_players)))
    rng.shuffle(unranked_players)
    ranked_players += unranked_players
    at_small = next_at_small_tables(moment, ranked_players, rng)
    order = sorted(ranked_players, key=lambda player: player in at_small)
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
    """Shuffle the players and fill the tables; only the small ones go by turn."""
    players = list(in_order(moment.players))
    rng = Rng(moment.seed)
    rng.shuffle(players)
    at_small = next_at_small_tables(moment, players, rng)
    players.sort(key=lambda player: player in at_small)
    queue = iter(players)
    sizes = moment.tables_for(len(players))
    return Seated(tuple(tuple(islice(queue, size)) for size in sizes))


RANDOM_DRAW = Preset(
    code="random-draw",
    name="Random draw",
    explanation="Every round is drawn at random. You may meet the same players again.",
    odd=f"The last tables have three or two players. {SMALL_TABLES}",
    next_round=random_draw,
)
