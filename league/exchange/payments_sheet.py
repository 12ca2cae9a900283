"""The payments of pots, and the account of a season's money, as sheets for the club's books."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.seasons.models import Season
from league.standings.models import Payment, Pot
from league.standings.pot_queries import Scope
from league.standings.pot_totals import account_labels
from league.standings.season_account import AccountLine, season_account, total_of_account


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


def account_headers() -> list[str]:
    return [_("Day"), _("Session"), *account_labels(), _("Left in the box")]


def account_rows(season: Season) -> Iterator[list[object]]:
    """A line for each session, one for the season's own pots, and the totals."""
    lines = season_account(season)
    for line in lines:
        name = line.session.name if line.session else _("The season's own pots")
        yield [line.session.held_on if line.session else "", name, *_money(line)]
    yield ["", _("Total"), *_money(total_of_account(lines))]


def _money(line: AccountLine) -> list[object]:
    """As numbers: a text that begins with a minus would be protected from running as a formula."""
    return [cents / 100 for cents in (*line.cents, line.left)]
