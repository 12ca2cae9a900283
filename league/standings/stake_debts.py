"""What players owe in stakes to the sessions and seasons of a club, in a few queries."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet, Sum

from league.members.models import Club, Member, number_namesakes
from league.play.models import Game, Result
from league.ranking.pots import (
    KEPT,
    PRIZE,
    REFUND,
    RETURN,
    STAKE,
    Counted,
    PotLine,
    balance_of,
)
from league.sessions.models import Attendance
from league.standings.models import Payment, Pot, cents_of
from league.standings.pot_queries import (
    PLAYED,
    Came,
    Moves,
    Scope,
    came_without_a_game,
    counts_of,
    ledger_of,
    without_a_game,
)


def stake_debts(club: Club, player: Member | None = None) -> dict[int, dict[Scope, int]]:
    """What each player, or just this one, still owes in stakes, or (below zero) gets back of them,
    by session or season, the latest first. Prizes are not set against it: only the page of the pots
    works them out. Six queries, and one for each open session with players who have no game yet.
    """
    pots = list(
        club.pots.exclude(source=Pot.Source.SUM).select_related("session", "season").order_by("-pk")
    )
    if not pots:
        return {}
    only = {"member": player} if player else {}
    came, moves, unwon = _came(club, only), _moves(club, only), _unwon(club, pots)
    debts: dict[int, dict[Scope, int]] = defaultdict(dict)
    for pot in pots:
        counts = {} if pot in unwon else counts_of(pot, came[_key(pot)])
        for pk, cents in _debts_to(pot, counts, moves.get(pot.pk, {})).items():
            debts[pk][pot.scope] = debts[pk].get(pot.scope, 0) + cents
    return {
        pk: {scope: cents for scope, cents in own.items() if cents} for pk, own in debts.items()
    }


def debtors_of(club: Club) -> list[tuple[Member, dict[Scope, int]]]:
    """The players who owe stakes, by name, with what they owe by session or season."""
    debts = {
        pk: {scope: cents for scope, cents in own.items() if cents > 0}
        for pk, own in stake_debts(club).items()
    }
    people = list(club.members.filter(pk__in=[pk for pk, own in debts.items() if own]))
    number_namesakes(people)
    people.sort(key=lambda member: (member.sort_key, member.pk))
    return [(member, debts[member.pk]) for member in people]


Key = tuple[int | None, int | None]
"""Of a session, or of a season."""


def _key(pot: Pot) -> Key:
    return pot.session_id, pot.season_id


def _debts_to(pot: Pot, counts: dict[int, Counted], moves: Moves) -> dict[int, int]:
    lines = ledger_of(pot, counts, moves).lines
    debts = {}
    for pk in {*lines, *moves}:
        stakes = [move for move in moves.get(pk, ()) if move[0] in (STAKE, REFUND)]
        debts[pk] = balance_of(lines.get(pk, PotLine(0, 0, 0, 0)), stakes).to_pay
    return debts


def _came(club: Club, only: dict[str, Any]) -> dict[Key, list[Came]]:
    """Who came to each session and season."""
    found = _played(Result.objects.filter(session__club=club, **only))
    for row in without_a_game(Attendance.objects.filter(session__club=club, **only)):
        _add(found, row.session_id, row.session.season_id, came_without_a_game(row))
    return found


def _played(results: QuerySet[Result]) -> dict[Key, list[Came]]:
    """Who played in each session and season, with what counts of their recorded hands."""
    found: dict[Key, list[Came]] = defaultdict(list)
    results = results.filter(session__state__in=PLAYED).exclude(game__state=Game.State.ABANDONED)
    rows = results.order_by().values_list(
        "session", "session__season", "session__held_on", "member"
    )
    sums = map(Sum, ("euchred", "euchres", "lone_marches"))
    for session, season, held_on, member, *counts in rows.annotate(*sums):
        _add(found, session, season, Came(member, held_on, Counted(1, *counts)))
    return found


def _add(found: dict[Key, list[Came]], session: int, season: int | None, one: Came) -> None:
    found[session, None].append(one)
    found[None, season].append(one)


def _moves(club: Club, only: dict[str, Any]) -> dict[int, Moves]:
    """The payments to each pot."""
    payments = Payment.objects.filter(pot__club=club, withdrawn_at=None, **only)
    rows = payments.exclude(member=None).order_by().values_list("pot", "member", "kind")
    moves: dict[int, dict[int, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
    for pot, member, kind, amount in rows.annotate(Sum("amount")):
        moves[pot][member].append((kind, cents_of(amount)))
    return {pot: dict(own) for pot, own in moves.items()}


def _unwon(club: Club, pots: Sequence[Pot]) -> set[Pot]:
    """The pots that are over, hold no money of players, and were won by nobody: nobody owes them
    anything. Of places only the pot's page knows; here they have won it unless stakes went back."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    payments = Payment.objects.filter(pot__club=club, withdrawn_at=None).order_by()
    for pot, kind, amount in payments.values_list("pot", "kind").annotate(Sum("amount")):
        sums[pot][kind] = cents_of(amount)
    empty = [
        pot
        for pot in pots
        if pot.is_over and pot.current_payout != KEPT and _is_empty(sums[pot.pk])
    ]
    by_hands = [pot for pot in empty if not pot.is_by_place]
    given_back = {pot for pot in empty if pot.is_by_place and sums[pot.pk][REFUND]}
    return given_back | _not_won_by_hands(by_hands)


def _is_empty(sums: Counter[str]) -> bool:
    return sums[STAKE] <= sums[REFUND] and sums[PRIZE] <= sums[RETURN]


def _not_won_by_hands(pots: Sequence[Pot]) -> set[Pot]:
    sessions, seasons = {pot.session_id for pot in pots}, {pot.season_id for pot in pots}
    is_of_pots = Q(session__in=sessions - {None}) | Q(session__season__in=seasons - {None})
    found = _played(Result.objects.filter(is_of_pots))
    return {pot for pot in pots if not ledger_of(pot, counts_of(pot, found[_key(pot)]), {}).won}
