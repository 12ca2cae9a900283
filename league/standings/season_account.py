"""The account of a season's money: a line for each session, and one for the season's own pots."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, Sum

from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.models import Payment, Pot, cents_of
from league.standings.pot_queries import PLAYED

FROM_CLUB = Pot.Source.SUM
SIGNS = {
    Payment.Kind.STAKE: 1,
    FROM_CLUB: 1,
    Payment.Kind.RETURN: 1,
    Payment.Kind.REFUND: -1,
    Payment.Kind.PRIZE: -1,
    Payment.Kind.CLUB: -1,
}
"""What comes into the box, and below zero what goes out, in the order of a session's account."""


@dataclass(frozen=True, slots=True)
class AccountLine:
    """The cents of each kind in `SIGNS`: of a session, or without one of the season's own pots."""

    session: Session | None
    sums: Mapping[str, int]

    @property
    def cents(self) -> list[int]:
        return [self.sums.get(kind, 0) for kind in SIGNS]

    @property
    def left(self) -> int:
        """What is left in the box; below zero, so much was paid out of other money."""
        return sum(self.cents)


def season_account(season: Season) -> list[AccountLine]:
    """The sessions with pots, the earliest first, and the season's own pots last. Three queries."""
    pots = Pot.objects.filter(Q(season=season) | Q(session__season=season)).order_by()
    payments = Payment.objects.filter(withdrawn_at=None).order_by()
    sums: dict[int | None, Counter[str]] = defaultdict(Counter)
    of_pots = payments.filter(pot__in=pots, kind__in=SIGNS).values_list("pot__session", "kind")
    for session, kind, amount in of_pots.annotate(Sum("amount")):
        sums[session][kind] = SIGNS[kind] * cents_of(amount)
    is_in_use = Exists(payments.filter(pot=OuterRef("pk")))
    has_box = Q(season=season) | Q(session__state__in=PLAYED) | is_in_use
    from_club = pots.filter(has_box, source=FROM_CLUB).values_list("session")
    for session, amount in from_club.annotate(Sum("amount")):
        sums[session][FROM_CLUB] = cents_of(amount)
    sessions = season.sessions.filter(
        Q(state__in=PLAYED, pots__in=pots) | Q(pk__in=filter(None, sums))
    )
    sessions = sessions.distinct()
    lines = [AccountLine(one, sums[one.pk]) for one in sessions.order_by("held_on", "pk")]
    return [*lines, AccountLine(None, sums[None])]


def total_of_account(lines: list[AccountLine]) -> AccountLine:
    sums: Counter[str] = Counter()
    for line in lines:
        sums.update(line.sums)
    return AccountLine(None, sums)
