"""Who may write at a table: the holder of its code, or a scorekeeper of the club and above."""

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
from league.sessions.models import Session

# The secret stands in the fragment of the address (`/t/#…`), which browsers send to nobody: it
# reaches no server log, no proxy and no Referer. The page at `/t/` hands it over in the body of a
# POST and gets a cookie for that one table. Signatures are HMAC-SHA256 (256 bits).

COOKIE = "table"
COOKIE_SECONDS = 24 * 60 * 60
# Wrong codes, typed or forged. A right one opens at once whatever others try from its address:
# a card's typed code, the shortest of them, is one of 850 thousand million.
WRONG_CODES = Limit(most=30, within=600, wait=1, longest=10)

_link = Signer(salt="league.play.link")
_card = Signer(salt="league.play.card")
_cookie = Signer(salt="league.play.cookie")
_receipt = Signer(salt="league.play.receipt")
RECEIPT_LENGTH = 8


def table_code(table: Table) -> str:
    """The secret of a table: raising `link_version` makes every code given out before worthless."""
    return _link.sign(f"{table.public_id}.{table.link_version}")


def table_link(table: Table) -> str:
    """The address to print or show, without the host: `request.build_absolute_uri` adds that."""
    return f"{reverse('table_door')}#{table_code(table)}"


def card_link(card: TableCard) -> str:
    """The address on a permanent card, without the host: its code, signed."""
    return f"{reverse('table_door')}#{_card.sign(card.code)}"


def links_of(tables: Sequence[Table], club: Club) -> dict[int, tuple[str, str]]:
    """What opens each table, by its number: the address without the host, and the code to type
    (nothing where the table has no permanent card). One query."""
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
    data = _unsigned(_cookie, request.COOKIES.get(COOKIE, ""))
    return data == (table.public_id, table.link_version)


def card_of(request: HttpRequest, text: str) -> TableCard | None:
    """The permanent card with this code: scanned, or typed in any case, with its hyphen or without.

    None where the text is no card's code; refuses a typed one that opens nothing, and counts it.
    A right one opens even while others guess, as a hall is one address.
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
    """What proves of a hand with this id that the server had it, should it lose the hand."""
    return _receipt.signature(f"{table.public_id}.{client_id}")[:RECEIPT_LENGTH]


def is_receipt(text: str, table: Table, client_id: str) -> bool:
    """Whether that is proved. The club's own laptop, restored without the words of its recovery
    sheet, has lost the key of the receipts and takes each for what it is."""
    if settings.LAPTOP and len(text) == RECEIPT_LENGTH:
        return True
    return constant_time_compare(text, receipt(table, client_id))


def bad_code() -> Refused:
    message = _("No table has this code. Check it, or ask the organiser for a new one.")
    return Refused("bad-code", message, status=403)


def table_in_cookie(request: HttpRequest) -> str:
    """The public id of the table whose page this browser was let in to, whether or not there is
    one; "" where its cookie is not ours."""
    data = _unsigned(_cookie, request.COOKIES.get(COOKIE, ""))
    return data[0] if data else ""


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code; refuses an address that keeps sending them until it has waited."""
    key = f"wrong-code:{network_of(request)}"
    refuse_over(key, WRONG_CODES, _("Too many wrong codes from here."))


def _unsigned(signer: Signer, text: str) -> tuple[str, int] | None:
    try:
        public_id, _, version = signer.unsign(text).rpartition(".")
    except BadSignature:
        return None
    return public_id, int(version)


JSON, PAGE = "application/json", "text/html"


def wants_json(request: HttpRequest) -> bool:
    """Whether the sender asked for JSON rather than a page; anyone who takes anything gets a
    page."""
    if JSON not in request.META.get("HTTP_ACCEPT", "").lower():
        return False  # without asking Django, which reads every type there is
    return request.get_preferred_type([PAGE, JSON]) == JSON


def problem(refused: Refused, **more: Any) -> JsonResponse:
    """A refusal as problem details: `code` for programs, `title` and `fields` for people."""
    data = {
        "type": "about:blank",
        "title": str(refused.message),
        "status": refused.status,
        "code": refused.code,
        "fields": refused.fields,
        **more,
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
    """Somebody at a table's pages. `rank` is their rank in the club, None for the table's phone."""

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
        """Whether nothing can be entered here any more: the seats have changed, or, for a phone,
        the session is closed."""
        is_closed = self.is_phone and self.table.session.state != Session.State.OPEN
        return is_closed or self.table.round.state == WITHDRAWN


def table_page(
    view: Callable[..., HttpResponse], *, also_past: bool = False
) -> Callable[..., HttpResponse]:
    """Give a view its `TableAccess`; others get the same 403 whether the table exists or not.

    The code of a table opens nothing once its session is closed; a scorekeeper comes in by role.
    """

    @wraps(view)
    def guarded(request: HttpRequest, public_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        table = _table(public_id)
        access = _access(request, table) if table else None
        if access is None:
            logger.warning("refused at table %s: %s", public_id, request.META.get("REMOTE_ADDR"))
            return _locked(request, table)
        if access.is_past and not also_past:
            return _past(request, access.table.session)
        club = access.table.session.club
        activate_club_language(request, club)
        with timezone.override(club.zone):
            response = view(request, access, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guarded


def past_table_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The same for what a phone may still see and do at a table that `is_past`."""
    return table_page(view, also_past=True)


def form_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only a posted form: 405 for other methods, 415 for other bodies, 413 for big ones."""

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


def _locked(request: HttpRequest, table: Table | None) -> HttpResponse:
    if not wants_json(request):
        # A phone tells the club's laptop of hands whose table a restored backup lacks.
        context = {"may_report": settings.LAPTOP and table is None}
        return render(request, "play/locked.html", context, status=403)
    message = _("This table's code has expired. Ask the organiser for the new one.")
    return problem(Refused("locked", message, status=403))


def _past(request: HttpRequest, session: Session) -> HttpResponse:
    """What a phone gets that would enter something at a table that is past."""
    if session.state in OVER:
        refused = Refused("session-not-open", closed_sentence(), status=403)
    else:
        refused = Refused("table-ended", seats_changed(), status=403)
    if wants_json(request):
        return problem(refused)
    context = {"past": refused.message, "session": session, "is_closed": session.state in OVER}
    return render(request, "play/locked.html", context, status=403)


def closed_sentence() -> str:
    return _("The organiser has closed this session.")


def seats_changed() -> str:
    return _("The seats at this table have changed.")


def _table(public_id: str) -> Table | None:
    """A table that is or was published, with its session, club and rules."""
    models = (Table, Round, Session, Club, ClubRuleset)
    rows = read_joined(models, TABLE, public_id, PUBLISHED, WITHDRAWN)
    if not rows:
        return None
    table, table.round, session, club, rules = rows[0]
    table.session, table.ruleset, session.club = session, rules, club
    return cast(Table, table)


def _access(request: HttpRequest, table: Table) -> TableAccess | None:
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
