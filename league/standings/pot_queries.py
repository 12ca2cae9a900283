"""The pots of a session or a season, computed from the results in a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from league.members.models import ClubRuleset, Member, number_namesakes
from league.members.queries import default_rulesets
from league.play.models import Result
from league.ranking.pots import (
    COUNTED_FROM_HANDS,
    PLACES,
    Balance,
    Counted,
    Ledger,
    PotLine,
    PotRule,
    balance_of,
    ledger,
    returned_parts,
)
from league.ranking.statistics import beaten_word
from league.seasons.models import Season
from league.seating.queries import live_tables
from league.sessions.models import Attendance, Session
from league.standings.labels import Text
from league.standings.models import Payment, Pot, cents_of, pot_labels
from league.standings.queries import Standings, open_games_in, results_of, session_standings
from league.standings.season_queries import season_results, season_standings

Scope = Session | Season


@dataclass(frozen=True, slots=True)
class PotRow:
    """One member's line of a pot, with the payments taken into account."""

    member: Member
    line: PotLine
    balance: Balance

    @property
    def stake(self) -> int:
        """What is in the box of the member's stake: what they paid, less all that they received.
        What they have paid above the stake is theirs."""
        return min(self.balance.paid - self.balance.got, self.line.owes)


@dataclass(frozen=True, slots=True)
class PaymentRow:
    """A payment; `returned` is how much of it, in cents, gives back what was too much."""

    payment: Payment
    returned: int

    @property
    def cents(self) -> int:
        return cents_of(self.payment.amount)


@dataclass(frozen=True, slots=True)
class PotSheet:
    """A pot with the lines of all members; `payments` are those not withdrawn; `beaten` is the word
    for a failed call in its games; `arrived` are the ids of those checked in without a game yet."""

    pot: Pot
    ledger: Ledger
    rows: Sequence[PotRow]
    payments: Sequence[PaymentRow]
    beaten: str
    arrived: frozenset[int]

    @property
    def source(self) -> Text:
        return self._labels[self.pot.source]

    @property
    def payout(self) -> Text:
        return self._labels[self.pot.current_payout]

    @property
    def payouts(self) -> list[tuple[str, Text]]:
        """The ways to win a pot other than by places, each with its label."""
        return [(code, self._labels[code]) for code in Pot.Payout.values if code != PLACES]

    @property
    def _labels(self) -> dict[str, Text]:
        return pot_labels(self.beaten, of_season=self.pot.season_id is not None)

    @property
    def winners(self) -> list[list[PotRow]]:
        """The rows of those who have won something, by place or the most first, grouped by tie."""
        winning_rows = [row for row in self.rows if row.line.won]
        by_place = self.pot.payout == PLACES
        winning_rows.sort(key=lambda row: row.line.won_by if by_place else -row.line.won)
        return [
            list(tied)
            for _, tied in groupby(winning_rows, lambda row: (row.line.won_by, row.line.won))
        ]

    @property
    def unplaced(self) -> list[Member]:
        """Those who pay into a pot won by places and have no place: they can win nothing. Without
        a debt what they paid is given back."""
        if self.pot.payout != PLACES:
            return []
        paying = [row for row in self.rows if row.line.owes]
        unplaced = [row.member for row in paying if not row.line.won_by]
        return [member for member in unplaced if member.pk not in self.arrived]

    @property
    def seen(self) -> int:
        """The number of payments, including withdrawn ones."""
        return len(self.pot.payments.all())

    @property
    def unshared(self) -> Decimal:
        """The percentage of a pot won by places that its shares leave in it."""
        if self.pot.payout != PLACES:
            return Decimal(0)
        return Decimal(100) - sum(map(Decimal, self.pot.shares))

    @property
    def shared(self) -> Decimal:
        return Decimal(100) - self.unshared

    @property
    def left_by_shares(self) -> int:
        """What the shares leave in the pot, in whole cents."""
        return int(self.ledger.holds * self.unshared / 100)

    @property
    def left_besides(self) -> int:
        """What else is left: what cannot be shared evenly, and the shares that nobody has won."""
        return self.ledger.left - self.left_by_shares

    @property
    def is_rounded(self) -> bool:
        """Whether that are only the cents that cannot be shared evenly: rounding down costs each
        winner, and what the shares leave, less than one."""
        winner_count = sum(row.line.won > 0 for row in self.rows)
        return self.left_besides < winner_count + bool(self.unshared)

    @property
    def counts_hands(self) -> bool:
        """Whether recorded hands decide who pays or who wins."""
        return not COUNTED_FROM_HANDS.isdisjoint((self.pot.source, self.pot.current_payout))

    @property
    def has_paid_prizes(self) -> bool:
        """Whether a player holds a prize; not once it was given back."""
        return any(row.balance.got for row in self.rows)

    @property
    def is_settled(self) -> bool:
        """Whether every stake is in, every prize out, and nothing left that players may win."""
        is_open = any(row.balance.to_pay or row.balance.to_get for row in self.rows)
        return not is_open and not self.unclaimed

    @property
    def unclaimed(self) -> int:
        """The stakes in the box of a pot that nobody has won: the club decides about them once it
        can't be won any more. Nothing while a player has received more than they paid."""
        if not self.ledger.holds or not _is_unwon(self.pot, self.ledger):
            return 0
        stakes = [row.stake for row in self.rows]
        return sum(stakes) if min(stakes, default=0) >= 0 else 0

    @property
    def is_given_back(self) -> bool:
        """Whether the stakes of a pot that nobody has won went back to the players."""
        asks_nothing = self.pot.is_over and not self.ledger.holds
        has_paid_back = any(row.payment.out for row in self.payments)
        return asks_nothing and _is_unwon(self.pot, self.ledger) and has_paid_back

    @property
    def has_box(self) -> bool:
        """Whether there is money: not before a session is open, nor of a cancelled one."""
        return bool(self.payments) or not self.pot.session or self.pot.session.has_been_open

    @property
    def club_sum(self) -> int:
        """What the club itself puts in."""
        return cents_of(self.pot.amount) if self.pot.source == Pot.Source.SUM else 0

    @property
    def fees_in(self) -> int:
        return sum(row.balance.fees_in for row in self.rows)

    @property
    def paid_back(self) -> int:
        return sum(row.balance.paid_back for row in self.rows)

    @property
    def prizes_out(self) -> int:
        return sum(row.balance.prizes_out for row in self.rows)

    @property
    def given_back(self) -> int:
        return sum(row.balance.given_back for row in self.rows)

    @property
    def cash(self) -> int:
        """The cash of this pot; below zero, so much was paid out of other money."""
        came_in = (self.club_sum if self.has_box else 0) + self.fees_in + self.given_back
        return came_in - self.prizes_out - self.paid_back

    @property
    def giving_back(self) -> list[PotRow]:
        """The rows of those who have received more than they have won."""
        return [row for row in self.rows if row.balance.to_give_back]


@dataclass(frozen=True, slots=True)
class Sheets:
    """All pots of a session or a season; `provisional` while a game of it is open, or
    still to be played at a table."""

    sheets: Sequence[PotSheet]
    provisional: bool

    @property
    def has_box(self) -> bool:
        return any(sheet.has_box for sheet in self.sheets)

    @property
    def cash(self) -> int:
        """The cash of all pots; below zero, so much was paid out of other money."""
        return sum(sheet.cash for sheet in self.sheets)

    @property
    def in_box(self) -> int:
        """The cash that should be in the box for all pots."""
        return max(0, self.cash)

    @property
    def other_money(self) -> int:
        """What was paid out of other money than that of the pots."""
        return max(0, -self.cash)


def rule_of(pot: Pot) -> PotRule:
    shares = tuple(Fraction(share) for share in pot.shares)
    return PotRule(pot.source, cents_of(pot.amount), pot.current_payout, shares)


def pot_sheets(scope: Scope, *, at: datetime) -> Sheets:
    """Every pot of the session or season, with open games as of `at`; of a season also with the
    sessions held back, see `refuse_held_pots`."""
    pots = list(scope.pots.select_related("club").prefetch_related("payments__member"))
    if not pots:
        return Sheets([], False)
    counts = player_counts(scope, at=at, ranked=any(pot.payout == PLACES for pot in pots))
    arrivals = _arrivals(scope)
    for who, sessions in arrivals.items():
        counted = counts.get(who, Counted())
        counts[who] = replace(counted, evenings=counted.evenings + sessions)
    people = Member.objects.in_bulk(list(counts))
    paid = [payment.member for pot in pots for payment in pot.payments.all()]
    number_namesakes([*people.values(), *paid])
    beaten = failed_call_word(scope)
    sheets = [_pot_sheet(pot, counts, people, beaten, frozenset(arrivals)) for pot in pots]
    is_open = bool(open_games_in(_results_in(scope), at)) or _has_tables_in_play(scope)
    return Sheets(sheets, is_open)


def sheet_of(pot: Pot, *, at: datetime) -> PotSheet:
    """One pot, computed as of the moment `at`."""
    return next(sheet for sheet in pot_sheets(pot.scope, at=at).sheets if sheet.pot == pot)


def _has_tables_in_play(scope: Scope) -> bool:
    if isinstance(scope, Season) or scope.state != Session.State.OPEN:
        return False
    tables = live_tables(scope).exclude(done=True)  # type: ignore[misc]  # an annotation
    return tables.exists()


def _arrivals(scope: Scope) -> Counter[int]:
    """In how many open sessions each player is checked in without a game yet: they pay at the door,
    before their first game. One query."""
    is_of_scope = Q(session__season=scope) if isinstance(scope, Season) else Q(session=scope)
    here = Attendance.objects.filter(is_of_scope, session__state=Session.State.OPEN, left_at=None)
    own = _results_in(scope).filter(session=OuterRef("session"), member=OuterRef("member"))
    arrivals = here.exclude(Exists(own)).values_list("session", "member").distinct()
    return Counter(member_id for _session, member_id in arrivals)


def failed_call_word(scope: Scope) -> str:
    """The word for a failed call in the games so far; before the first, in the club's games."""
    results = _results_in(scope).order_by()
    played_rulesets = ClubRuleset.objects.filter(pk__in=results.values("game__ruleset"))
    rulesets = list(played_rulesets) or list(default_rulesets(scope.club))
    return beaten_word(ruleset.scale.startswith("bid") for ruleset in rulesets)


def player_counts(scope: Scope, *, at: datetime, ranked: bool = True) -> dict[int, Counted]:
    """The counts of all players from the recorded hands of the session or season."""
    sums = (
        _results_in(scope)
        .order_by()
        .values("member")
        .annotate(
            evenings=Count("session", distinct=True),
            all_euchred=Sum("euchred"),
            all_euchres=Sum("euchres"),
            all_lone=Sum("lone_marches"),
        )
    )
    ranks = _ranks_in(_standings_of(scope, at)) if ranked else {}
    return {
        row["member"]: Counted(
            row["evenings"],
            row["all_euchred"],
            row["all_euchres"],
            row["all_lone"],
            ranks.get(row["member"]),
        )
        for row in sums
    }


def _results_in(scope: Scope) -> QuerySet[Result]:
    if isinstance(scope, Season):
        return season_results(scope, with_held=True)
    return results_of(scope).exclude(session__state=Session.State.CANCELLED)


def _standings_of(scope: Scope, at: datetime) -> Standings:
    if isinstance(scope, Season):
        return season_standings(scope, at=at, with_held=True)
    return session_standings(scope, at=at)


def _ranks_in(table: Standings) -> dict[int, int]:
    """The rank of every member with a place: in a season, of those with enough evenings; with a
    tournament, of those who played in it."""
    unranked = {member_id for member_id, entrant in table.season.items() if entrant.missing}
    ranked_members = set(table.places or table.tallies) - unranked
    return {line.who: line.rank for line in table.lines if line.who in ranked_members}


def _is_unwon(pot: Pot, pot_ledger: Ledger) -> bool:
    """Whether the players' stakes in a pot, which a player may win, are nobody's yet."""
    may_be_won = pot.source != Pot.Source.SUM and pot.current_payout != Pot.Payout.KEPT
    return may_be_won and not pot_ledger.won


def _holds_stakes(pot: Pot, pot_ledger: Ledger) -> bool:
    """Whether stakes of a pot are in the box, or a player has received more than they paid. What
    someone has paid above their stake is theirs, and no stake."""
    paid_in: Counter[int] = Counter()
    paid_out: Counter[int] = Counter()
    for payment in pot.payments.all():
        if payment.withdrawn_at is None:
            sums = paid_out if payment.out else paid_in
            sums[payment.member_id] += cents_of(payment.amount)
    stakes = [(player, line.owes) for player, line in pot_ledger.lines.items() if line.owes]
    return any(cents > paid_in[player] for player, cents in paid_out.items()) or any(
        paid_out[player] not in (paid_in[player], min(paid_in[player], stake))
        for player, stake in stakes
    )


def _pot_sheet(
    pot: Pot,
    counts: dict[int, Counted],
    people: dict[int, Member],
    beaten: str,
    arrived: frozenset[int],
) -> PotSheet:
    pot_ledger = ledger(rule_of(pot), counts)
    if pot.is_over and _is_unwon(pot, pot_ledger) and not _holds_stakes(pot, pot_ledger):
        pot_ledger = Ledger({}, 0, 0)  # the stakes were given back, or never paid
    payments_by_member: dict[int, list[Payment]] = defaultdict(list)
    all_members = dict(people)
    for payment in pot.payments.all():
        if payment.withdrawn_at is None:
            payments_by_member[payment.member_id].append(payment)
            all_members[payment.member_id] = payment.member
    empty_line = PotLine(0, 0, 0, 0)
    rows: list[PotRow] = []
    payment_rows: list[PaymentRow] = []
    for member_id, member in sorted(
        all_members.items(), key=lambda pair: (pair[1].sort_key, pair[0])
    ):
        line, payments = pot_ledger.lines.get(member_id, empty_line), payments_by_member[member_id]
        if line.owes or line.won or payments:
            parts = [(payment.out, cents_of(payment.amount)) for payment in payments]
            rows.append(PotRow(member, line, balance_of(line, parts)))
            payment_rows += map(PaymentRow, payments, returned_parts(line, parts))
    payment_rows.sort(key=lambda row: row.payment.pk)
    return PotSheet(pot, pot_ledger, rows, payment_rows, beaten, arrived)
