"""The payments of a session's pots as a sheet for the club's books."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.sessions.models import Session
from league.standings.models import Payment


def payment_headers() -> list[str]:
    return [
        *(pgettext("a column of payments", "Time"), _("Pot"), _("Player"), _("What it is")),
        *(pgettext("a column of payments", "Paid in"), _("Paid out"), _("Let off")),
        pgettext("a column of payments", "Entered by"),
    ]


def payment_rows(club_session: Session) -> Iterator[list[object]]:
    """A line for every payment that was not undone, the earliest first. One query."""
    payments = Payment.objects.filter(pot__session=club_session, withdrawn_at=None)
    for one in payments.select_related("pot", "member").order_by("entered_at", "pk"):
        yield [
            f"{club_session.club.local(one.entered_at):%Y-%m-%d %H:%M}",
            one.pot.name,
            one.member.name if one.member else _("The club"),
            one.get_kind_display(),
            one.amount if one.is_money and not one.is_out else "",
            one.amount if one.is_out else "",
            one.amount if one.kind == Payment.Kind.WAIVED else "",
            one.entered_as,
        ]
