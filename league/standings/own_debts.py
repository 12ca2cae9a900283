"""What a player owes in stakes to all sessions and seasons of a club, in two queries."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Count, DecimalField, Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from league.members.models import Club, Member
from league.play.models import Game, Result
from league.ranking.pots import (
    KEPT,
    NOT_IN,
    PLACES,
    REFUND,
    STAKE,
    WAIVED,
    Counted,
    PotLine,
    balance_of,
    ledger,
)
from league.sessions.models import Attendance, Session
from league.standings.models import Pot, cents_of, tournament_ranking
from league.standings.pot_queries import PLAYED, Scope, rule_of


def own_debts(club: Club, player: Member) -> dict[Scope, int]:
    """What a player still owes in stakes, or (below zero) gets back of them, by session or season,
    the latest first. Prizes are not set against it: only the page of the pots works them out. Two
    queries, and one for each open session in which the player has no game yet."""
    pots = list(_pots_with_payments(club, player))
    sessions = [one for one in _sessions_of(club, player) if _counts(one, player)] if pots else []
    debts: dict[Scope, int] = defaultdict(int)
    for pot in pots:
        debts[pot.scope] += _debt(pot, player, sessions)
    return {scope: cents for scope, cents in debts.items() if cents}


def _pots_with_payments(club: Club, player: Member) -> QuerySet[Pot]:
    """The pots with stakes, each with the sums of the player's payments, by kind, and the number of
    all payments."""
    valid = Q(payments__withdrawn_at=None)
    own = valid & Q(payments__member=player)

    def total(kind: str) -> Coalesce:
        sums = Sum("payments__amount", filter=own & Q(payments__kind=kind))
        return Coalesce(sums, Decimal(0), output_field=DecimalField())

    pots = club.pots.exclude(source=Pot.Source.SUM)
    return (
        pots.select_related("session", "season")
        .annotate(
            paid=total(STAKE),
            paid_back=total(REFUND),
            let_off=total(WAIVED),
            left_out=Count("payments", filter=own & Q(payments__kind=NOT_IN)),
            payment_count=Count("payments", filter=valid),
        )
        .order_by("-pk")
    )


def _sessions_of(club: Club, player: Member) -> QuerySet[Session]:
    """The sessions in which the player has a game (`played`), or is checked in without one; with
    the failed calls that they pay for."""
    own = Result.objects.filter(session=OuterRef("pk"), member=player)
    own = own.exclude(game__state=Game.State.ABANDONED).order_by()
    fines = own.values("session").annotate(euchred=Sum("euchred")).values("euchred")
    here = Attendance.objects.filter(session=OuterRef("pk"), member=player, left_at=None)
    sessions = club.sessions.filter(Exists(own) | Exists(here), state__in=PLAYED)
    return sessions.annotate(played=Exists(own), fines=Coalesce(Subquery(fines), 0))


def _counts(session: Any, player: Member) -> bool:
    """Not an open session whose tournament the player has left before the first game."""
    is_waiting = session.state == Session.State.OPEN and not session.played
    return not is_waiting or player.pk not in tournament_ranking(session).withdrawn


def _debt(pot: Any, player: Member, sessions: Sequence[Any]) -> int:
    """The player's open stake of a pot. Nothing of one won by hands that is over and without any
    payment: if nobody has won it, nobody owes it."""
    if pot.is_over and not pot.payment_count and pot.payout not in (PLACES, KEPT):
        return 0
    own = [one for one in sessions if pot.session_id == one.pk or _is_of(pot, one)]
    came = [one for one in own if one.played or _is_due_without_a_game(pot, one)]
    counted = Counted(evenings=len(came), euchred=sum(one.fines for one in own))
    let_off, not_in = {player.pk: cents_of(pot.let_off)}, [player.pk] if pot.left_out else []
    lines = ledger(rule_of(pot), {player.pk: counted}, let_off, not_in).lines
    payments = [(STAKE, cents_of(pot.paid)), (REFUND, cents_of(pot.paid_back))]
    return balance_of(lines.get(player.pk, PotLine(0, 0, 0, 0)), payments).to_pay


def _is_of(pot: Pot, session: Session) -> bool:
    return pot.season_id is not None and pot.season_id == session.season_id


def _is_due_without_a_game(pot: Pot, session: Session) -> bool:
    return session.state == Session.State.OPEN or pot.payout == KEPT
