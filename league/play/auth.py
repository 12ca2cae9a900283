"""Access to the pages of a table: by its code, or as a scorekeeper of the club or above."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import rank_in, reaches
from league.compiled_sql import read_joined
from league.errors import Refused
from league.limits import Limit, network_of, refuse_over
from league.members.audit import Actor, actor_of, club_language
from league.members.languages import activate_club_language
from league.members.models import Club, ClubRuleset, Role
from league.seating.models import CARD_LENGTH, Round, Table, TableCard
from league.sessions.links import shows_result
from league.sessions.models import Session

# The secret is in the fragment of the address (`/t/#…`), which browsers never send: it reaches no
# server log, no proxy and no Referer. The page at `/t/` sends it in the body of a POST and gets a
# cookie for that one table. Signatures are HMAC-SHA256 (256 bits).

COOKIE = "table"
COOKIE_SECONDS = 24 * 60 * 60
# Limits wrong codes, typed or forged. A right code always works, whatever others try from the same
# network: even a typed code, the shortest kind, is one of 850 thousand million.
WRONG_CODES = Limit(most=30, within=600, wait=1, longest=10)

_link = Signer(salt="league.play.link")
_card = Signer(salt="league.play.card")
_cookie = Signer(salt="league.play.cookie")
_receipt = Signer(salt="league.play.receipt")
RECEIPT_LENGTH = 8


def table_code(table: Table) -> str:
    """The secret of a table. Raising `link_version` revokes every code given out before."""
    return _link.sign(f"{table.public_id}.{table.link_version}")


def table_link(table: Table) -> str:
    """The address to print or show, without the host (`request.build_absolute_uri` adds it)."""
    return f"{reverse('table_door')}#{table_code(table)}"


def card_link(card: TableCard) -> str:
    """The address on a permanent card, without the host: its code, signed."""
    return f"{reverse('table_door')}#{_card.sign(card.code)}"


def links_of(tables: Sequence[Table], club: Club) -> dict[int, tuple[str, str]]:
    """For each table, by number: the address without the host, and the code to type (empty where
    the table has no permanent card). One query."""
    numbers = [table.number for table in tables]
    cards = {card.number: card for card in club.table_cards.filter(number__in=numbers)}
    return {
        table.number: (card_link(card), card.typed) if card else (table_link(table), "")
        for table in tables
        for card in [cards.get(table.number)]
    }


def table_qr(address: str) -> str:
    """An address as an inline SVG QR code, black: phones read dark on light."""
    import segno

    return segno.make(address, error="m").svg_inline(
        scale=4, border=2, svgclass="qr", lineclass="qr-modules", omitsize=True
    )


def read_code(text: str) -> tuple[str, int] | None:
    """The table's public id and the link version in a code; None if it is forged."""
    return _unsign(_link, text)


def give_cookie(response: HttpResponse, table: Table) -> None:
    """Give this browser access to the pages of this table, and to no others."""
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
    data = _unsign(_cookie, request.COOKIES.get(COOKIE, ""))
    return data == (table.public_id, table.link_version)


def card_of(request: HttpRequest, text: str) -> TableCard | None:
    """The permanent card with this code, scanned or typed (in any case, with or without hyphen).

    None if the text is not a card's code. Refuses and counts a typed code that does not exist. A
    right code works even while others guess, because a whole hall may share one address.
    """
    try:
        return TableCard.objects.filter(code=_card.unsign(text)).first()
    except BadSignature:
        code = "".join(text.partition(":")[0].upper().split()).replace("-", "")
    if len(code) != CARD_LENGTH:
        return None
    card = TableCard.objects.filter(code=code).first()
    if card is None:
        count_wrong_code(request)
        raise bad_code()
    return card


def receipt(table: Table, client_id: str) -> str:
    """Proof that the server has received the hand with this id, in case it loses the hand."""
    return _receipt.signature(f"{table.public_id}.{client_id}")[:RECEIPT_LENGTH]


def is_receipt(text: str, table: Table, client_id: str) -> bool:
    """Whether the text is the receipt of this hand. A club's laptop accepts any: if it was restored
    without the words of its recovery sheet, it has lost the key of the receipts."""
    if settings.LAPTOP and len(text) == RECEIPT_LENGTH:
        return True
    return constant_time_compare(text, receipt(table, client_id))


def bad_code() -> Refused:
    message = _("No table has this code. Check it, or ask the organiser for a new one.")
    return Refused("bad-code", message, status=403)


def table_in_cookie(request: HttpRequest) -> str:
    """The public id of the table in this browser's cookie, whether or not that table exists; ""
    without a valid cookie."""
    data = _unsign(_cookie, request.COOKIES.get(COOKIE, ""))
    return data[0] if data else ""


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code. Refuses a network that has sent too many until it has waited."""
    key = f"wrong-code:{network_of(request)}"
    refuse_over(key, WRONG_CODES, _("Too many wrong codes from here."))


def _unsign(signer: Signer, text: str) -> tuple[str, int] | None:
    try:
        public_id, _, version = signer.unsign(text).rpartition(".")
    except BadSignature:
        return None
    return public_id, int(version)


JSON, PAGE = "application/json", "text/html"


def wants_json(request: HttpRequest) -> bool:
    """Whether the client prefers JSON to a page; clients that accept anything get a page."""
    if JSON not in request.META.get("HTTP_ACCEPT", "").lower():
        return False  # saves Django from parsing every type in the header
    return request.get_preferred_type([PAGE, JSON]) == JSON


def problem(refused: Refused, **extra: Any) -> JsonResponse:
    """A refusal as problem details: `code` for programs, `title` and `fields` for users."""
    data = {
        "type": "about:blank",
        "title": str(refused.message),
        "status": refused.status,
        "code": refused.code,
        "fields": refused.fields,
        **extra,
    }
    kind = "application/problem+json"
    return JsonResponse(data, status=refused.status, content_type=kind)


logger = logging.getLogger("league.play")

FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
LARGEST = 100_000  # bytes: a hand with every card and call typed out is a few thousand
PUBLISHED, WITHDRAWN = Round.State.PUBLISHED.value, Round.State.WITHDRAWN.value
OVER = (Session.State.CLOSED, Session.State.CANCELLED)
TABLE = """
FROM league_table
JOIN league_round ON league_round.id = league_table.round_id
JOIN league_session ON league_session.id = league_table.session_id
JOIN league_club ON league_club.id = league_session.club_id
JOIN league_clubruleset ON league_clubruleset.id = league_table.ruleset_id
WHERE league_table.public_id = %s AND league_round.state IN (%s, %s)
"""


@dataclass(frozen=True, slots=True)
class TableAccess:
    """A visitor of a table's pages. `rank` is their role in the club, None for a table's phone."""

    table: Table
    by: Actor
    rank: str | None

    @property
    def is_phone(self) -> bool:
        return self.rank is None

    @property
    def is_organiser(self) -> bool:
        return reaches(self.rank, Role.Rank.ORGANISER)

    @property
    def is_past(self) -> bool:
        """Whether nothing can be entered here any more because the seats have changed or, for a
        phone, because the session is closed."""
        is_closed = self.is_phone and self.table.session.state != Session.State.OPEN
        return is_closed or self.table.round.state == WITHDRAWN


def table_page(
    view: Callable[..., HttpResponse], *, also_past: bool = False
) -> Callable[..., HttpResponse]:
    """Pass a `TableAccess` to the view. Others get a 403, the same whether the table exists or not.

    A table's code does not work once its session is closed; a scorekeeper's role still does.
    """

    @wraps(view)
    def guarded(request: HttpRequest, public_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        table = _published_table(public_id)
        access = _access_to(request, table) if table else None
        if access is None:
            logger.warning("refused at table %s: %s", public_id, request.META.get("REMOTE_ADDR"))
            return _locked_response(request, table)
        if access.is_past and not also_past:
            return past_response(request, access.table)
        club = access.table.session.club
        activate_club_language(request, club)
        with timezone.override(club.zone):
            response = view(request, access, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guarded


def past_table_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Like `table_page`, for what a phone may still see and do at a table that `is_past`."""
    return table_page(view, also_past=True)


def form_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Accept only posted forms: 405 for other methods, 415 for other bodies, 413 for large ones."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.content_type not in FORM_TYPES:
            return HttpResponse("A form was expected.\n", status=415, content_type="text/plain")
        if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST or request.FILES:
            return HttpResponse(
                "This request is too large.\n", status=413, content_type="text/plain"
            )
        return view(request, *args, **kwargs)

    return require_POST(checked)


def _locked_response(request: HttpRequest, table: Table | None) -> HttpResponse:
    if not wants_json(request):
        # A phone reports hands to the club's laptop whose table a restored backup lacks.
        context = {"may_report": settings.LAPTOP and table is None}
        return render(request, "play/locked.html", context, status=403)
    message = _("This table's code has expired. Ask the organiser for the new one.")
    return problem(Refused("locked", message, status=403))


def past_response(request: HttpRequest, table: Table) -> HttpResponse:
    """The refusal to enter anything at a table that is past."""
    session = table.session
    if session.state in OVER:
        refused = Refused("session-not-open", closed_sentence(), status=403)
    else:
        refused = Refused("table-ended", seats_changed(), status=403)
    if wants_json(request):
        return problem(refused)
    context = {"past": refused.message, "table": table, "is_closed": session.state in OVER}
    context["shows_result"] = shows_result(session)
    return render(request, "play/locked.html", context, status=403)


def closed_sentence() -> str:
    return _("The organiser has closed this session.")


def seats_changed() -> str:
    return _("The seats at this table have changed.")


def _published_table(public_id: str) -> Table | None:
    """A table that is or was published, with its session, club and rules."""
    models = (Table, Round, Session, Club, ClubRuleset)
    rows = read_joined(models, TABLE, public_id, PUBLISHED, WITHDRAWN)
    if not rows:
        return None
    table, table.round, session, club, rules = rows[0]
    table.session, table.ruleset, session.club = session, rules, club
    return cast(Table, table)


def _access_to(request: HttpRequest, table: Table) -> TableAccess | None:
    is_phone = holds_cookie(request, table)
    if not is_phone or table.session.state != Session.State.OPEN:
        rank = rank_in(table.session.club, request.user)
        if reaches(rank, Role.Rank.SCOREKEEPER):
            return TableAccess(table, actor_of(request), rank)
    if not is_phone:
        return None
    with club_language(table.session.club):
        label = _("phone at table %(number)d") % {"number": table.number}
    return TableAccess(table, Actor(label, source=request.META.get("REMOTE_ADDR", "")), None)
