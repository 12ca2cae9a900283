"""Access by a table's code, and what a phone needs to install the table's page."""

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

LONGEST_CODE, MOST_SESSIONS = 200, 20
FELT = "#1f5a44"
LONGEST_TYPED = 12  # letters of a card's code, with separators that people type
ICONS = ((192, "any"), (512, "any"), (512, "maskable"))


@require_http_methods(["GET", "HEAD", "POST"])
def table_door(request: HttpRequest) -> HttpResponse:
    """The page at `/t/#code`. The fragment stays in the browser, where a script posts it; without
    scripts, people type or paste the code."""
    if request.method != "POST":
        return _door_page(request)
    try:
        table = _table_of(request)
    except Refused as refused:
        return _door_page(request, refused)
    response = redirect("table_entry", table.public_id)
    give_cookie(response, table)
    return response


@require_safe
def typed_address(request: HttpRequest, code: str) -> HttpResponse:
    """A card's address with its code appended, as a person may type it: treat it as scanned."""
    return redirect(f"{reverse('table_door')}#{code}")


def _door_page(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    status = refused.status if refused else 200
    typed = request.POST.get("code", "")
    if len(typed) > LONGEST_TYPED:  # the code of a link, too long to correct
        typed = ""
    context: dict[str, Any] = {"refused": refused, "typed": typed}
    if isinstance(refused, SeveralTables):
        context |= {"choices": refused.choices, "code": request.POST["code"][:LONGEST_CODE]}
    response = render(request, "play/door.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return add_retry_after(response, refused) if refused else response


def _table_of(request: HttpRequest) -> Table:
    """The table for the code in the body, even if its session is closed and may be reopened."""
    text = request.POST.get("code", "").strip().rpartition("#")[2]
    card = card_of(request, text)
    if card is not None:
        return _table_with(card, request.POST.get("session", ""), request.user)
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
    """Several open sessions have a table with the card's number, so the players must choose."""

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


def _closed_table(card: TableCard) -> Table | None:
    """The last table of the card's number, if its session is over and none is open."""
    tables = Table.objects.filter(session__club=card.club_id, number=card.number)
    published = tables.filter(round__state=Round.State.PUBLISHED).select_related("session")
    table = published.order_by("session__held_on", "session", "pk").last()
    if table is None or table.session.state not in OVER:
        return None
    is_one_open = Session.objects.filter(club=card.club_id, state=Session.State.OPEN).exists()
    return None if is_one_open else table


def _table_with(card: TableCard, session: str, user: Any) -> Table:
    """The live table with the card's number, in the `session` that was chosen, or else the only one
    at which this user sits; the last one if its session is over."""
    live_tables = (
        Table.objects.filter(session__club=card.club_id, number=card.number, is_live=True)
        .filter(session__state=Session.State.OPEN)
        .select_related("session")
        .prefetch_related("seats__member")
        .order_by("session")
    )
    tables = list(live_tables[:MOST_SESSIONS])
    tables = [table for table in tables if table.session.public_id == session] or tables
    values = {"number": card.number}
    if not tables:
        if closed_table := _closed_table(card):
            return closed_table
        message = _(
            "Nobody is playing at table %(number)d now. Scan again once you have your seats."
        )
        raise Refused("no-table", message % values, status=404)
    own_tables = [table for table in tables if _sits_at(table, user)]
    if len(tables) > 1 and len(own_tables) != 1:
        raise SeveralTables(card.number, tables)
    return (own_tables or tables)[0]


def _sits_at(table: Table, user: Any) -> bool:
    seats = [seat for seat in table.seats.all() if seat.until_hand is None]
    return user.is_authenticated and any(seat.member.user_id == user.pk for seat in seats)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the tables' pages; if it is switched off, one that uninstalls itself
    from the phones that have it."""
    name = "play/worker.js" if settings.OFFLINE_SHELL else "play/worker_off.js"
    data = {"static": settings.STATIC_URL}
    response = render(request, name, data, content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest, for the entry page on a phone's home screen."""
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
        "icons": [_icon_data(size, purpose) for size, purpose in ICONS],
    }
    return JsonResponse(data, content_type="application/manifest+json")


def _icon_data(size: int, purpose: str) -> dict[str, str]:
    name = f"img/{'maskable' if purpose == 'maskable' else 'icon'}-{size}.png"
    return {"src": static(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
