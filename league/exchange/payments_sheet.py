"""The payments of the pots of a session or a season as a sheet for the club's books."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.seasons.models import Season
from league.standings.models import Payment, Pot
from league.standings.pot_queries import Scope


def payment_headers() -> list[str]:
    return [
        *(pgettext("a column of payments", "Time"), _("Pot"), _("Player"), _("What it is")),
        *(pgettext("a column of payments", "Paid in"), _("Paid out"), _("Let off")),
        pgettext("a column of payments", "Undone"),
        pgettext("a column of payments", "Entered by"),
        pgettext("a column of payments", "Undone by"),
    ]


def payment_rows(scope: Scope) -> Iterator[list[object]]:
    """A line for each sum that the club put in, once there is a box; then for every payment, the
    earliest first. The sum of one undone stands in a column of its own. Two queries."""
    pots = list(scope.pots.all())
    payments = list(
        Payment.objects.filter(pot__in=pots)
        .select_related("pot", "member")
        .order_by("entered_at", "pk")
    )
    in_use = {one.pot_id for one in payments if one.withdrawn_at is None}
    has_box = isinstance(scope, Season) or scope.has_been_open
    for pot in pots:
        if pot.source == Pot.Source.SUM and (has_box or pot.pk in in_use):
            when = f"{scope.club.local(pot.made_at):%Y-%m-%d %H:%M}"
            yield [when, pot.name, _("The club"), _("put in"), pot.amount, *[""] * 5]
    for one in payments:
        yield _row(scope, one)


def _row(scope: Scope, one: Payment) -> list[object]:
    is_valid = one.withdrawn_at is None
    is_money = one.is_money and is_valid
    return [
        f"{scope.club.local(one.entered_at):%Y-%m-%d %H:%M}",
        one.pot.name,
        one.member.name if one.member else _("The club"),
        one.get_kind_display(),
        one.amount if is_money and not one.is_out else "",
        one.amount if is_money and one.is_out else "",
        one.amount if is_valid and one.kind == Payment.Kind.WAIVED else "",
        "" if is_valid else one.amount,
        one.entered_as,
        one.withdrawn_as,
    ]
