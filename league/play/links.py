"""A table's link: whoever holds it may write down that table's hands, and do nothing else.

The secret stands in the fragment of the address (`/t/#…`), which browsers send to nobody: it
reaches no server log, no proxy and no Referer. The page at `/t/` hands it over in the body of a
POST and gets a cookie for that one table. Signatures are HMAC-SHA256 (256 bits).
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.limits import Limit, network_of, refuse_over
from league.seating.models import Table

COOKIE = "table"
COOKIE_SECONDS = 24 * 60 * 60
WRONG_CODES = Limit(most=30, within=600)

_link = Signer(salt="league.play.link")
_cookie = Signer(salt="league.play.cookie")


def table_code(table: Table) -> str:
    """The secret of a table: raising `link_version` makes every code given out before worthless."""
    return _link.sign(f"{table.public_id}.{table.link_version}")


def table_link(table: Table) -> str:
    """The address to print or show, without the host: `request.build_absolute_uri` adds that."""
    return f"{reverse('table_door')}#{table_code(table)}"


def table_qr(address: str) -> str:
    """An address as an inline SVG QR code, black: phones read dark on light."""
    import segno

    return segno.make(address, error="m").svg_inline(
        scale=4, border=2, svgclass="qr", lineclass="qr-modules", omitsize=True
    )


def read_code(text: str) -> tuple[str, int] | None:
    """The table's public id and the link version that a code speaks for; None if it is forged."""
    return _unsigned(_link, text)


def give_cookie(response: HttpResponse, table: Table) -> None:
    """Let this browser back to this table's pages, and to no other address."""
    response.set_cookie(
        COOKIE,
        _cookie.sign(f"{table.public_id}.{table.link_version}"),
        max_age=COOKIE_SECONDS,
        path=reverse("table_entry", args=[table.public_id]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def holds_cookie(request: HttpRequest, table: Table) -> bool:
    """Whether the browser has a cookie for this table that has not been revoked."""
    told = _unsigned(_cookie, request.COOKIES.get(COOKIE, ""))
    return told == (table.public_id, table.link_version)


def count_wrong_code(request: HttpRequest) -> None:
    """Count a forged code; refuses an address that keeps sending them. Right ones always open."""
    key = f"wrong-code:{network_of(request)}"
    refuse_over(key, WRONG_CODES, _("Too many wrong codes from here."))


def _unsigned(signer: Signer, text: str) -> tuple[str, int] | None:
    try:
        public_id, _, version = signer.unsign(text).rpartition(".")
    except BadSignature:
        return None
    return public_id, int(version)
