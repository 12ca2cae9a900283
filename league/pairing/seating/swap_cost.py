"""The cost of swapping two players in a drafted round, as figures to be put into words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import in_order
from league.pairing.seating.constraints import Constraints, Tables, Violation, violations
from league.pairing.seating.history import (
    OUT,
    SHORT,
    SIZES,
    WHOLE,
    PlayedRound,
    are_partners,
    expected_shares,
)
from league.pairing.seating.planner import Plan

NO_TABLE = -1  # the table of the players who sit out
Shares = Mapping[int, Fraction]  # by size of table


@dataclass(frozen=True)
class Parts:
    """The parts of J that one round adds, in units of J; lower is fairer."""

    partners: Fraction = Fraction(0)
    opponents: Fraction = Fraction(0)
    meetings: Fraction = Fraction(0)
    shares: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """The sum of the parts: J."""
        return self.partners + self.opponents + self.meetings + self.shares


@dataclass(frozen=True)
class SwapCost:
    """What a swap changes. `change` is the change of J by parts: above zero is less fair.

    `partners_again` holds the pairs who would be partners again, and how often they have been so
    far (in hundredths of a meeting tonight); `partners_spared` holds those who no longer would be.
    `short_change` is how many small tables above their fair share the two players would have had,
    the one who gets the small table first; `breaks` and `mends` are the hard constraints newly
    broken and newly kept.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...]
    change: Parts
    partners_again: tuple[tuple[PlayerId, PlayerId, int], ...]
    partners_spared: tuple[tuple[PlayerId, PlayerId, int], ...]
    short_change: tuple[tuple[PlayerId, Fraction], ...]
    breaks: tuple[Violation, ...]
    mends: tuple[Violation, ...]


class Swaps:
    """Computes the cost of swaps in a drafted round.

    A swap takes only the work of two tables, however large the room and long its history.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        history: Iterable[PlayedRound] = (),
        constraints: Constraints | None = None,
    ) -> None:
        self.plan = plan
        self.table_of = dict.fromkeys(plan.out, NO_TABLE) | {
            player: number for number, table in enumerate(plan.tables) for player in table
        }
        self.constraints = (constraints or Constraints()).of(self.table_of)
        self.history = _PairHistory(self.table_of, history)
        seats = {
            kind: sum(len(table) for table in plan.tables if len(table) == kind) for kind in SIZES
        }
        seats[OUT] = len(plan.out)
        player_count = max(1, sum(seats.values()))
        self.expected = {kind: Fraction(count, player_count) for kind, count in seats.items()}

    def cost(self, first: PlayerId, second: PlayerId) -> SwapCost:
        """Return the cost of swapping these two players.

        Raises PairingRefused if one of them has no place in the round.
        """
        for player in (first, second):
            if player not in self.table_of:
                sentence = f"{player} has no place in this round."
                raise PairingRefused("not-in-round", sentence, (player,))
        plan, swapped = self.plan, {first: second, second: first}
        table_numbers = sorted({self.table_of[player] for player in swapped} - {NO_TABLE})
        tables = list(plan.tables)
        for number in table_numbers:
            tables[number] = tuple(swapped.get(player, player) for player in tables[number])
        out = plan.out
        if NO_TABLE in {self.table_of[player] for player in swapped}:
            out = tuple(swapped.get(player, player) for player in out)
        before = _TouchedTables(self, [plan.tables[number] for number in table_numbers], swapped)
        after = _TouchedTables(self, [tables[number] for number in table_numbers], swapped)
        breaks, mends = self._changed_violations(swapped, tables, out)
        repeats_before, repeats_after = before.partner_repeats, after.partner_repeats
        return SwapCost(
            tables=tuple(tables),
            out=out,
            change=after.parts(before),
            partners_again=tuple(pair for pair in repeats_after if pair not in repeats_before),
            partners_spared=tuple(pair for pair in repeats_before if pair not in repeats_after),
            short_change=_short_table_changes(before, after, swapped),
            breaks=breaks,
            mends=mends,
        )

    def _changed_violations(
        self, swapped: Mapping[PlayerId, PlayerId], tables: Tables, out: Sequence[PlayerId]
    ) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
        """Return the constraints on the two players that a swap breaks, and those it mends."""
        constraints = self.constraints.about(swapped)
        people = constraints.people()
        if not people:
            return (), ()
        affected = {self.table_of[player] for player in (*people, *swapped)}
        numbers = sorted(affected - {NO_TABLE})
        room = [self.plan.numbers[number] for number in numbers]
        before, after = (
            violations(constraints, [tables_then[number] for number in numbers], out_then, room)
            for tables_then, out_then in ((self.plan.tables, self.plan.out), (tables, out))
        )
        return (
            tuple(violation for violation in after if violation not in before),
            tuple(violation for violation in before if violation not in after),
        )


class _TouchedTables:
    """The tables of two swapped players, before or after the swap, and what they add to J."""

    def __init__(
        self,
        swaps: Swaps,
        tables: Sequence[Sequence[PlayerId]],
        swapped: Mapping[PlayerId, PlayerId],
    ) -> None:
        self.swaps, self.swapped = swaps, swapped
        self.size = dict.fromkeys(swapped, OUT)
        self.partner_repeats: list[tuple[PlayerId, PlayerId, int]] = []
        self.partners = self.opponents = self.meetings = 0  # in hundredths
        for table in tables:
            self.size |= {player: len(table) for player in swapped if player in table}
            for (seat, player), (other_seat, other_player) in combinations(enumerate(table), 2):
                if player in swapped or other_player in swapped:
                    as_partners = are_partners(len(table), seat, other_seat)
                    self._count_pair(player, other_player, as_partners)

    def _count_pair(self, player: PlayerId, other_player: PlayerId, as_partners: bool) -> None:
        partnerships, oppositions = self.swaps.history.times(player, other_player)
        self.meetings += 2 * (partnerships + oppositions) + WHOLE
        if not as_partners:
            self.opponents += 2 * oppositions + WHOLE
            return
        self.partners += 4 * (2 * partnerships + WHOLE)
        if partnerships:
            first, second = in_order((player, other_player))
            self.partner_repeats.append((first, second, partnerships))

    def parts(self, before: _TouchedTables) -> Parts:
        """Return how much more this adds to J than the tables before the swap."""
        shares = Fraction(0)
        for player in self.swapped:
            if self.size[player] != before.size[player]:
                shares += 8 * (self._share_cost(player) - before._share_cost(player))
        return Parts(
            Fraction(self.partners - before.partners, WHOLE),
            Fraction(self.opponents - before.opponents, WHOLE),
            Fraction(self.meetings - before.meetings, WHOLE),
            shares,
        )

    def _share_cost(self, player: PlayerId) -> Fraction:
        return sum((surplus**2 for surplus in self.surplus(player).values()), Fraction(0))

    def surplus(self, player: PlayerId) -> dict[int, Fraction]:
        """Return by table size how far a player will be above their fair share after this round."""
        surplus = self.swaps.history.surplus(player)
        return {
            kind: surplus[kind] / WHOLE - expected + (self.size[player] == kind)
            for kind, expected in self.swaps.expected.items()
        }


class _PairHistory:
    """The earlier tables of the players of a room; counts are computed only when needed."""

    def __init__(self, players: Collection[PlayerId], history: Iterable[PlayedRound]) -> None:
        self._seatings: dict[PlayerId, list[tuple[int, Sequence[PlayerId], Shares]]] = {
            player: [] for player in players
        }
        self._surplus: dict[PlayerId, Shares] = {}
        for played in history:
            expected = expected_shares(played)
            for group in (*played.tables, *((player,) for player in played.out)):
                table = group if len(group) > 1 else ()  # empty for a player who sat out
                for player in group:
                    if player in self._seatings:
                        self._seatings[player].append((played.weight, table, expected))

    def times(self, player: PlayerId, other_player: PlayerId) -> tuple[int, int]:
        """Return how often the two have been partners and opponents, in hundredths."""
        partnerships = oppositions = 0
        for weight, table, _expected in self._seatings[player]:
            if other_player in table:
                if are_partners(len(table), table.index(player), table.index(other_player)):
                    partnerships += weight
                else:
                    oppositions += weight
        return partnerships, oppositions

    def surplus(self, player: PlayerId) -> Shares:
        """Return by table size how far a player is above their fair share, in hundredths."""
        if player not in self._surplus:
            surplus = dict.fromkeys((OUT, *SIZES), Fraction(0))
            for weight, table, expected in self._seatings[player]:
                surplus[len(table)] += weight
                for kind, share in expected.items():
                    surplus[kind] -= share
            self._surplus[player] = surplus
        return self._surplus[player]


def _short_table_changes(
    before: _TouchedTables, after: _TouchedTables, swapped: Mapping[PlayerId, PlayerId]
) -> tuple[tuple[PlayerId, Fraction], ...]:
    """Return the players who gain or lose a small table, the one who gains it first."""
    changes = []
    for player in swapped:
        if (before.size[player] in SHORT) != (after.size[player] in SHORT):
            surplus = after.surplus(player)
            changes.append((after.size[player] not in SHORT, player, surplus[2] + surplus[3]))
    changes.sort(key=lambda entry: entry[0])
    return tuple((player, surplus) for _, player, surplus in changes)
