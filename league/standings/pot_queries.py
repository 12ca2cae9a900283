"""The pots of a session or a season, computed from the results in a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from league.members.models import ClubRuleset, Member, number_namesakes
from league.members.queries import default_rulesets
from league.play.models import Game, Result
from league.ranking.pots import (
    KEPT,
    NOT_IN,
    PLACES,
    WAIVED,
    Counted,
    Ledger,
    PotLine,
    PotRule,
    balance_of,
    ledger,
)
from league.ranking.statistics import beaten_word
from league.seasons.models import Season
from league.seating.queries import live_tables
from league.sessions.models import Attendance, Session
from league.standings.models import Pot, cents_of, tournament_ranking
from league.standings.pot_sheet import PotRow, PotSheet, Sheets, is_unwon
from league.standings.queries import Standings, open_games_in, results_of, session_standings
from league.standings.season_queries import season_results, season_standings

Scope = Session | Season
Moves = Mapping[int, Sequence[tuple[str, int]]]
"""Of each member, the kinds and cents of their payments."""
PLAYED = (Session.State.OPEN, Session.State.CLOSED)


def rule_of(pot: Pot) -> PotRule:
    shares = tuple(Fraction(share) for share in pot.shares)
    return PotRule(pot.source, cents_of(pot.amount), pot.current_payout, shares, pot.rounded_to)


def last_with_pots(club_session: Session) -> Session | None:
    """The club's last session before this one, or of its day, that has pots."""
    others = club_session.club.sessions.exclude(pk=club_session.pk)
    others = others.exclude(state=Session.State.CANCELLED)
    before = others.filter(held_on__lte=club_session.held_on, pots__isnull=False)
    return before.order_by("-held_on", "-pk").first()


def pot_sheets(scope: Scope, *, at: datetime) -> Sheets:
    """Every pot of the session or season, with open games as of `at`; of a season also with the
    sessions held back, see `refuse_held_pots`."""
    pots = list(scope.pots.select_related("club").prefetch_related("payments__member"))
    if not pots:
        return Sheets([], False)
    counts = player_counts(scope, at=at, ranked=any(pot.payout == PLACES for pot in pots))
    arrivals, sat_out = _without_a_game(scope)
    counts = _with_evenings(counts, arrivals)
    of_all_who_came = _with_evenings(counts, sat_out)
    people = Member.objects.in_bulk(list(of_all_who_came))
    paid = [payment.member for pot in pots for payment in pot.payments.all()]
    number_namesakes([*people.values(), *filter(None, paid)])
    beaten = failed_call_word(scope)
    sheets = [
        _pot_sheet(
            pot,
            of_all_who_came if pot.payout == KEPT else counts,
            people,
            beaten,
            frozenset(arrivals),
        )
        for pot in pots
    ]
    is_open = bool(open_games_in(_results_in(scope), at)) or _has_tables_in_play(scope)
    return Sheets(sheets, is_open)


def sheet_of(pot: Pot, *, at: datetime) -> PotSheet:
    """One pot, computed as of the moment `at`."""
    return pot_sheets(pot.scope, at=at).sheet_of(pot)


def _has_tables_in_play(scope: Scope) -> bool:
    if isinstance(scope, Season) or scope.state != Session.State.OPEN:
        return False
    tables = live_tables(scope).exclude(done=True)  # type: ignore[misc]  # an annotation
    return tables.exists()


def _without_a_game(scope: Scope) -> tuple[Counter[int], Counter[int]]:
    """In how many open sessions each player is checked in without a game yet, and has not withdrawn
    from its tournament: they pay at the door, before their first game. And in how many closed ones
    they stayed and got none: they pay the entrance. One query, and one for each open session."""
    is_of_scope = Q(session__season=scope) if isinstance(scope, Season) else Q(session=scope)
    arrivals: Counter[int] = Counter()
    sat_out: Counter[int] = Counter()
    for row in without_a_game(Attendance.objects.filter(is_of_scope)):
        (arrivals if row.session.state == Session.State.OPEN else sat_out)[row.member_id] += 1
    return arrivals, sat_out


def without_a_game(attendances: QuerySet[Attendance]) -> list[Attendance]:
    """Those of players who are, or stayed, in a session without a game of it, and have not
    withdrawn from the tournament of an open one. One query, and one for each open session."""
    games = Result.objects.exclude(game__state=Game.State.ABANDONED)
    own = games.filter(session=OuterRef("session"), member=OuterRef("member"))
    here = attendances.filter(session__state__in=PLAYED, left_at=None).exclude(Exists(own))
    rows = list(here.select_related("session"))
    open_sessions = {row.session for row in rows if row.session.state == Session.State.OPEN}
    withdrawn = {one.pk: tournament_ranking(one).withdrawn for one in open_sessions}
    return [row for row in rows if row.member_id not in withdrawn.get(row.session_id, ())]


def _with_evenings(counts: dict[int, Counted], more: Counter[int]) -> dict[int, Counted]:
    return counts | {
        who: replace(counted, evenings=counted.evenings + sessions)
        for who, sessions in more.items()
        for counted in [counts.get(who, Counted())]
    }


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


def _pot_sheet(
    pot: Pot,
    counts: dict[int, Counted],
    people: dict[int, Member],
    beaten: str,
    arrived: frozenset[int],
) -> PotSheet:
    payments = [one for one in pot.payments.all() if one.withdrawn_at is None]
    by_member: dict[int, list[tuple[str, int]]] = defaultdict(list)
    all_members = dict(people)
    for payment in payments:
        if payment.member:
            by_member[payment.member.pk].append((payment.kind, payment.cents))
            all_members[payment.member.pk] = payment.member
    pot_ledger = ledger_of(pot, counts, by_member)
    rows = _rows(pot_ledger, all_members, by_member)
    holds_money = any(row.stake > 0 or row.balance.got > 0 for row in rows)
    if pot.is_over and is_unwon(pot, pot_ledger) and not holds_money:
        pot_ledger = Ledger({}, 0, 0)  # the stakes were given back, or never paid
        rows = _rows(pot_ledger, all_members, by_member)
    return PotSheet(pot, pot_ledger, rows, payments, beaten, arrived)


def ledger_of(pot: Pot, counts: dict[int, Counted], moves: Moves) -> Ledger:
    """The pot from these counts, with those who were let off or are not in it. For a session put
    back on, which nobody has come to yet, those who have paid did so in advance."""
    if pot.session and pot.session.state == Session.State.PLANNED:
        counts = {pk: Counted(evenings=1) for pk, own in moves.items() if _is_paid_in(own)} | counts
    let_off = {pk: sum(cents for kind, cents in own if kind == WAIVED) for pk, own in moves.items()}
    not_in = {pk for pk, own in moves.items() for kind, _cents in own if kind == NOT_IN}
    return ledger(rule_of(pot), counts, let_off, not_in)


def _is_paid_in(moves: Sequence[tuple[str, int]]) -> bool:
    return balance_of(PotLine(0, 0, 0, 0), moves).paid > 0


def _rows(
    pot_ledger: Ledger,
    members: dict[int, Member],
    payments: dict[int, list[tuple[str, int]]],
) -> list[PotRow]:
    """The rows of the players who pay, win or have a payment, by name."""
    rows = []
    for pk, member in sorted(members.items(), key=lambda pair: (pair[1].sort_key, pair[0])):
        line = pot_ledger.lines.get(pk, PotLine(0, 0, 0, 0))
        if line.owes or line.won or pk in payments:
            rows.append(PotRow(member, line, balance_of(line, payments.get(pk, []))))
    return rows
