"""Coming in by a table's code, and what lets a phone keep the table's page."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.errors import Refused, add_retry_after
from league.play.auth import (
    OVER,
    bad_code,
    card_of,
    count_wrong_code,
    give_cookie,
    read_code,
)
from league.seating.models import Round, Table, TableCard
from league.sessions.models import Session

LONGEST, MOST_SESSIONS = 200, 5
FELT = "#1f5a44"
TYPED = 12  # letters of a card's code with what people put between them
ICONS = ((192, "any"), (512, "any"), (512, "maskable"))


@require_http_methods(["GET", "HEAD", "POST"])
def table_door(request: HttpRequest) -> HttpResponse:
    """`/t/#code` lands here. The fragment stays in the browser, whose script posts it; anyone who
    has no script types or pastes the code."""
    if request.method != "POST":
        return _door(request)
    try:
        table = _table_of(request)
    except Refused as refused:
        return _door(request, refused)
    response = redirect("table_entry", table.public_id)
    give_cookie(response, table)
    return response


@require_safe
def typed_address(request: HttpRequest, code: str) -> HttpResponse:
    """A card's address and its code, typed one after the other: as if the card were scanned."""
    return redirect(f"{reverse('table_door')}#{code}")


def _door(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    status = refused.status if refused else 200
    typed = request.POST.get("code", "")
    typed = typed if len(typed) <= TYPED else ""  # the code of a link is too long to correct
    context: dict[str, Any] = {"refused": refused, "typed": typed}
    if isinstance(refused, SeveralTables):
        context |= {"choices": refused.choices, "code": request.POST["code"][:LONGEST]}
    response = render(request, "play/door.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return add_retry_after(response, refused) if refused else response


def _table_of(request: HttpRequest) -> Table:
    """The table that the code in the body opens, or will once its session is opened again."""
    text = request.POST.get("code", "").strip().rpartition("#")[2]
    card = card_of(request, text)
    if card is not None:
        return _table_with(card, request.POST.get("session", ""))
    data = read_code(text)
    table = None
    if data is not None:
        table = (
            Table.objects.select_related("session")
            .filter(public_id=data[0], link_version=data[1], round__state=Round.State.PUBLISHED)
            .first()
        )
    if table is None or table.session.state not in (Session.State.OPEN, *OVER):
        if data is None:
            count_wrong_code(request)
        raise bad_code()
    return table


class SeveralTables(Refused):
    """Tables of several open sessions stand at a card's number: the people there choose."""

    def __init__(self, number: int, tables: Sequence[Table]) -> None:
        message = _("Several open sessions have a table %(number)d. Choose yours.")
        super().__init__("two-tables", message % {"number": number}, status=409)
        self.choices = [
            (
                table.session,
                [seat.member.name for seat in table.seats.all() if seat.until_hand is None],
            )
            for table in tables
        ]


def _table_with(card: TableCard, session: str) -> Table:
    """The table that stands at the card's number now, in the `session` that was chosen."""
    live = Table.objects.filter(session__club=card.club_id, number=card.number, is_live=True)
    live = live.filter(session__state=Session.State.OPEN).select_related("session")
    tables = list(live.prefetch_related("seats__member").order_by("session")[:MOST_SESSIONS])
    tables = [table for table in tables if table.session.public_id == session] or tables
    words = {"number": card.number}
    if not tables:
        message = _(
            "Nobody is playing at table %(number)d now. Scan again once you have your seats."
        )
        raise Refused("no-table", message % words, status=404)
    if len(tables) > 1:
        raise SeveralTables(card.number, tables)
    return tables[0]


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the tables' pages; where it is switched off, one that takes itself
    away again from the phones that have it."""
    name = "play/worker.js" if settings.OFFLINE_SHELL else "play/worker_off.js"
    data = {"static": settings.STATIC_URL}
    response = render(request, name, data, content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """How the entry page presents itself on a phone's home screen."""
    door = reverse("table_door")
    data = {
        "id": door,
        "name": _("Right Bower: enter hands"),
        "short_name": "Right Bower",
        "start_url": door,
        "scope": door,
        "display": "standalone",
        "background_color": FELT,
        "theme_color": FELT,
        "icons": [_icon(size, purpose) for size, purpose in ICONS],
    }
    return JsonResponse(data, content_type="application/manifest+json")


def _icon(size: int, purpose: str) -> dict[str, str]:
    name = f"img/{'maskable' if purpose == 'maskable' else 'icon'}-{size}.png"
    return {"src": static(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
