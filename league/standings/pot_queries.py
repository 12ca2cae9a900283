"""The pots of a session or a season, worked out of the results: a fixed number of queries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from django.db.models import Count, QuerySet, Sum

from league.members.models import ClubRuleset, Member
from league.members.queries import default_rulesets
from league.play.models import Result
from league.ranking.pots import PLACES, Balance, Counted, Ledger, PotLine, PotRule, ledger, settled
from league.ranking.statistics import beaten_word
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.labels import POTS, Text
from league.standings.models import Payment, Pot
from league.standings.queries import Standings, open_games_in, results_of, session_standings
from league.standings.season_queries import season_results, season_standings

Scope = Session | Season


@dataclass(frozen=True, slots=True)
class PotRow:
    """One person's line of a pot, with what was paid."""

    member: Member
    line: PotLine
    balance: Balance


@dataclass(frozen=True, slots=True)
class PotSheet:
    """A pot with everybody's line; `payments` are those recorded and not withdrawn; `beaten` says
    what a failed call is in its games."""

    pot: Pot
    ledger: Ledger
    rows: Sequence[PotRow]
    payments: Sequence[Payment]
    beaten: str

    @property
    def source(self) -> Text:
        return POTS[self.beaten].get(self.pot.source, self.pot.get_source_display())

    @property
    def payout(self) -> Text:
        return POTS[self.beaten].get(self.pot.payout, self.pot.get_payout_display())

    @property
    def winners(self) -> list[list[PotRow]]:
        """Who has won something, the most first; those who are tied together."""
        won = [row for row in self.rows if row.line.won]
        won.sort(key=lambda row: -row.line.won)
        return [list(tied) for _, tied in groupby(won, lambda r: (r.line.won_by, r.line.won))]

    @property
    def seen(self) -> int:
        """How many payments there are, withdrawn ones too."""
        return len(self.pot.payments.all())

    @property
    def is_settled(self) -> bool:
        return not any(row.balance.to_pay or row.balance.to_get for row in self.rows)

    @property
    def cash(self) -> int:
        """What has been paid in and not out again: what should lie in the box."""
        return sum(
            cents_of(payment.amount) * (-1 if payment.out else 1) for payment in self.payments
        )


@dataclass(frozen=True, slots=True)
class Sheets:
    """All pots of a session or a season; `provisional` while a game of it is open."""

    sheets: Sequence[PotSheet]
    provisional: bool


@dataclass(frozen=True, slots=True)
class Account:
    """What one person still has to pay into, or to get out of, all the pots of a page: the whole,
    and each pot's part."""

    member: Member
    pays: Sequence[tuple[Pot, int]]
    gets: Sequence[tuple[Pot, int]]

    @property
    def to_pay(self) -> int:
        return sum(cents for _pot, cents in self.pays)

    @property
    def to_get(self) -> int:
        return sum(cents for _pot, cents in self.gets)


def accounts_of(sheets: Sequence[PotSheet]) -> list[Account]:
    """Everybody with something open, by name."""
    pays: dict[int, list[tuple[Pot, int]]] = defaultdict(list)
    gets: dict[int, list[tuple[Pot, int]]] = defaultdict(list)
    people: dict[int, Member] = {}
    for sheet in sheets:
        for row in sheet.rows:
            who, people[row.member.pk] = row.member.pk, row.member
            if row.balance.to_pay > 0:
                pays[who].append((sheet.pot, row.balance.to_pay))
            if row.balance.to_get > 0:
                gets[who].append((sheet.pot, row.balance.to_get))
    open_ = sorted(pays.keys() | gets.keys(), key=lambda who: (people[who].sort_key, who))
    return [Account(people[who], pays[who], gets[who]) for who in open_]


def cents_of(amount: Decimal) -> int:
    """Money as whole cents."""
    return int((amount * 100).to_integral_value())


def money_of(cents: int) -> Decimal:
    return Decimal(cents) / 100


def rule_of(pot: Pot) -> PotRule:
    shares = tuple(Fraction(share) for share in pot.shares)
    return PotRule(pot.source, cents_of(pot.amount), pot.payout, shares)


def pot_sheets(scope: Scope, *, at: datetime) -> Sheets:
    """Every pot of the session or season, worked out; open games as of the moment `at`."""
    pots = list(scope.pots.select_related("club").prefetch_related("payments__member"))
    if not pots:
        return Sheets([], False)
    counted = counted_in(scope, at=at, ranked=any(pot.payout == PLACES for pot in pots))
    people = Member.objects.in_bulk(list(counted))
    beaten = beaten_in(scope)
    sheets = [_sheet(pot, counted, people, beaten) for pot in pots]
    return Sheets(sheets, bool(open_games_in(_results(scope), at)))


def beaten_in(scope: Scope) -> str:
    """What a failed call is in the games played so far; before the first, in those of the club."""
    played = ClubRuleset.objects.filter(pk__in=_results(scope).order_by().values("game__ruleset"))
    rules = list(played) or list(default_rulesets(scope.club))
    return beaten_word(one.scale.startswith("bid") for one in rules)


def counted_in(scope: Scope, *, at: datetime, ranked: bool = True) -> dict[int, Counted]:
    """What the recorded hands of the session or season say of everybody who played."""
    sums = (
        _results(scope)
        .order_by()
        .values("member")
        .annotate(
            evenings=Count("session", distinct=True),
            all_euchred=Sum("euchred"),
            all_euchres=Sum("euchres"),
            all_lone=Sum("lone_marches"),
        )
    )
    ranks = _ranks(_table(scope, at)) if ranked else {}
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


def _results(scope: Scope) -> QuerySet[Result]:
    if isinstance(scope, Season):
        return season_results(scope)
    return results_of(scope).exclude(session__state=Session.State.CANCELLED)


def _table(scope: Scope, at: datetime) -> Standings:
    if isinstance(scope, Season):
        return season_standings(scope, at=at)
    return session_standings(scope, at=at)


def _ranks(table: Standings) -> dict[int, int]:
    """Everybody's place; of a season, of those who came often enough for one; where a tournament
    ranks, of those who played in it."""
    short = {who for who, one in table.season.items() if one.missing}
    placed = set(table.places or table.tallies) - short
    return {line.who: line.rank for line in table.lines if line.who in placed}


def _sheet(
    pot: Pot, counted: dict[int, Counted], people: dict[int, Member], beaten: str
) -> PotSheet:
    worked_out = ledger(rule_of(pot), counted)
    payments = [payment for payment in pot.payments.all() if payment.withdrawn_at is None]
    paid: dict[int, list[tuple[bool, int]]] = defaultdict(list)
    everybody = dict(people)
    for payment in payments:
        paid[payment.member_id].append((payment.out, cents_of(payment.amount)))
        everybody[payment.member_id] = payment.member
    nothing = PotLine(0, 0, 0, 0)
    rows = []
    for who, member in sorted(everybody.items(), key=lambda pair: (pair[1].sort_key, pair[0])):
        line = worked_out.lines.get(who, nothing)
        if line.owes or line.won or paid[who]:
            rows.append(PotRow(member, line, settled(line, paid[who])))
    return PotSheet(pot, worked_out, rows, payments, beaten)
