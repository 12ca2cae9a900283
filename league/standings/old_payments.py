"""What payments were that say only which way the money went, as before migration 0038 and in full
backups of then. The sums say it, as they did to the program of then."""

from collections import Counter, defaultdict
from typing import Any

from django.db.models import Count, Q, Sum

from league.ranking.pots import PRIZE, REFUND, RETURN, STAKE

NOBODY: dict[str, int] = defaultdict(int)


def name_old_payments(payments: Any, results: Any) -> None:
    """Of these payments, each a stake or a prize by its direction (`out` of a migration's model, or
    its kind), find those that gave something back. `results` are those of all games."""
    taps, by_pot = defaultdict(set), defaultdict(list)
    for one in payments.select_related("pot__session").order_by("pk"):
        if hasattr(one, "out"):
            one.kind = PRIZE if one.out else STAKE
        taps[_tap(one)].add(one.member_id)
        by_pot[one.pot].append(one)
    for pot, own in by_pot.items():
        counts = _counts(pot, results)
        sums: dict[int, Counter[str]] = defaultdict(Counter)
        for one in own:
            if one.withdrawn_at:
                continue
            count = counts.get(one.member_id, NOBODY)
            is_of_many = len(taps[_tap(one)]) > 1  # a prize was paid to one player at a time
            one.kind = _kind(one, pot, count, sums[one.member_id], is_of_many)
            sums[one.member_id][one.kind] += _cents(one.amount)
    # Each row once: PostgreSQL lets no table change while it has one updated twice.
    named = [one for own in by_pot.values() for one in own]
    payments.model.objects.using(payments.db).bulk_update(named, ["kind"], batch_size=500)


def _tap(payment: Any) -> tuple[Any, ...]:
    return payment.pot.club_id, payment.entered_at, payment.entered_as, payment.kind


def _cents(amount: Any) -> int:
    return int(amount * 100)


def _counts(pot: Any, results: Any) -> dict[int, dict[str, int]]:
    """The counts of each player in the session or season of a pot."""
    is_of_scope = Q(session=pot.session_id) if pot.session_id else Q(session__season=pot.season_id)
    rows = (
        results.filter(is_of_scope)
        .exclude(Q(session__state="cancelled") | Q(game__state="abandoned"))
        .order_by()
        .values("member")
        .annotate(
            entry=Count("session", distinct=True),
            fines=Sum("euchred"),
            euchres_made=Sum("euchres"),
            lone=Sum("lone_marches"),
        )
    )
    return {row["member"]: row for row in rows}


def _kind(
    payment: Any, pot: Any, count: dict[str, int], sums: Counter[str], is_of_many: bool
) -> str:
    times = {"entry": count["entry"], "once": min(1, count["entry"]), "euchred": count["fines"]}
    owes = times.get(pot.source, 0) * _cents(pot.amount)
    paid, got, cents = (
        sums[STAKE] - sums[REFUND],
        sums[PRIZE] - sums[RETURN],
        _cents(payment.amount),
    )
    if payment.kind == STAKE:
        back = cents if cents == got != owes - paid else min(cents - max(0, owes - paid), got)
        return RETURN if back * 2 > cents else STAKE
    is_excess = cents == paid - owes
    is_stake = cents <= paid and not _may_win(pot, count)
    return REFUND if is_of_many or is_excess or is_stake else PRIZE


def _may_win(pot: Any, count: dict[str, int]) -> bool:
    """Whether a player may have won a pot. Who has won by places is not to be found here."""
    if pot.left_to_club or pot.payout == "kept":
        return False
    decides = {"most_euchres": "euchres_made", "most_loners": "lone", "each_loner": "lone"}
    return count[decides.get(pot.payout, "entry")] > 0
