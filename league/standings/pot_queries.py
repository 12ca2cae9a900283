"""The pots of a session or a season, computed from the results in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from league.members.models import ClubRuleset, Member, number_namesakes
from league.members.queries import default_rulesets
from league.play.models import Game, Result
from league.ranking.pots import (
    KEPT,
    NOT_IN,
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


@dataclass(frozen=True, slots=True)
class Came:
    """A player at one session, and what counted there. `sat_out`: it was closed without a game of
    theirs, so that only an entrance is due."""

    member: int
    held_on: date
    counted: Counted
    sat_out: bool = False


def rule_of(pot: Pot) -> PotRule:
    in_cents = 100 if pot.payout == Pot.Payout.AMOUNTS else 1
    shares = tuple(in_cents * Fraction(share) for share in pot.shares)
    return PotRule(pot.source, cents_of(pot.amount), pot.current_payout, shares, pot.rounded_to)


def first_day_counted(season: Season, today: date) -> date:
    """The day from which a new pot of a season counts its sessions: not those already played."""
    is_over = season.closed_at or (season.ends_on and season.ends_on < today)
    played = season.sessions.filter(state__in=PLAYED, held_on__lt=today)
    return today if not is_over and played.exists() else season.starts_on


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
    no_game = _without_a_game(scope)
    is_ranked = any(pot.is_by_place for pot in pots)
    came = [*_played_in(scope, at=at, ranked=is_ranked), *map(came_without_a_game, no_game)]
    people = Member.objects.in_bulk({one.member for one in came})
    paid = [payment.member for pot in pots for payment in pot.payments.all()]
    number_namesakes([*people.values(), *filter(None, paid)])
    beaten = failed_call_word(scope)
    arrived = frozenset(one.member_id for one in no_game if _is_open(one.session))
    sheets = [_pot_sheet(pot, counts_of(pot, came), people, beaten, arrived) for pot in pots]
    is_open = bool(open_games_in(_results_in(scope), at)) or _has_tables_in_play(scope)
    return Sheets(sheets, is_open)


def sheet_of(pot: Pot, *, at: datetime) -> PotSheet:
    """One pot, computed as of the moment `at`."""
    return pot_sheets(pot.scope, at=at).sheet_of(pot)


def _has_tables_in_play(scope: Scope) -> bool:
    if isinstance(scope, Season) or not _is_open(scope):
        return False
    tables = live_tables(scope).exclude(done=True)  # type: ignore[misc]  # an annotation
    return tables.exists()


def counts_of(pot: Pot, came: Iterable[Came]) -> dict[int, Counted]:
    """What counts for a pot of the players who came. Of sessions before its first day, only the
    place in the season."""
    counts: dict[int, Counted] = {}
    for one in came:
        if one.sat_out and pot.payout != KEPT:
            continue
        is_counted = not pot.counts_from or one.held_on >= pot.counts_from
        counted = one.counted if is_counted else Counted(rank=one.counted.rank)
        counts[one.member] = counts.get(one.member, Counted()) + counted
    return counts


def _without_a_game(scope: Scope) -> list[Attendance]:
    """Those checked in to an open session without a game yet: they pay at the door, before their
    first game. And those who stayed in a closed one and got none: they pay the entrance."""
    is_of_scope = Q(session__season=scope) if isinstance(scope, Season) else Q(session=scope)
    return without_a_game(Attendance.objects.filter(is_of_scope))


def came_without_a_game(row: Attendance) -> Came:
    session = row.session
    return Came(row.member_id, session.held_on, Counted(evenings=1), not _is_open(session))


def _is_open(club_session: Session) -> bool:
    return club_session.state == Session.State.OPEN


def without_a_game(attendances: QuerySet[Attendance]) -> list[Attendance]:
    """Those of players who are, or stayed, in a session without a game of it, and have not
    withdrawn from the tournament of an open one. One query, and one for each open session."""
    games = Result.objects.exclude(game__state=Game.State.ABANDONED)
    own = games.filter(session=OuterRef("session"), member=OuterRef("member"))
    here = attendances.filter(session__state__in=PLAYED, left_at=None).exclude(Exists(own))
    rows = list(here.select_related("session"))
    open_sessions = {row.session for row in rows if _is_open(row.session)}
    withdrawn = {one.pk: tournament_ranking(one).withdrawn for one in open_sessions}
    return [row for row in rows if row.member_id not in withdrawn.get(row.session_id, ())]


def failed_call_word(scope: Scope) -> str:
    """The word for a failed call in the games so far; before the first, in the club's games."""
    results = _results_in(scope).order_by()
    played_rulesets = ClubRuleset.objects.filter(pk__in=results.values("game__ruleset"))
    rulesets = list(played_rulesets) or list(default_rulesets(scope.club))
    return beaten_word(ruleset.scale.startswith("bid") for ruleset in rulesets)


def _played_in(scope: Scope, *, at: datetime, ranked: bool) -> list[Came]:
    """All players of each session, with what counts of their recorded hands."""
    ranks = _ranks_in(_standings_of(scope, at)) if ranked else {}
    sums = map(Sum, ("euchred", "euchres", "lone_marches"))
    rows = _results_in(scope).order_by().values_list("member", "session", "session__held_on")
    return [
        Came(member, held_on, Counted(1, euchred, euchres, lone_marches, ranks.get(member)))
        for member, _session, held_on, euchred, euchres, lone_marches in rows.annotate(*sums)
    ]


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
