"""Coming in by a table's code: the page that reads it out of the address, and the exchange."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import Refused, say_when
from league.play.links import count_wrong_code, give_cookie, read_code
from league.seating.models import Round, Table
from league.sessions.models import Session


@require_http_methods(["GET", "HEAD", "POST"])
def table_door(request: HttpRequest) -> HttpResponse:
    """`/t/#code` lands here. The fragment stays in the browser, whose script posts it; whoever
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


def _door(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    status = refused.status if refused else 200
    response = render(request, "play/door.html", {"refused": refused}, status=status)
    response.headers["Cache-Control"] = "no-store"
    return say_when(response, refused) if refused else response


def _table_of(request: HttpRequest) -> Table:
    """The table that the code in the body opens."""
    told = read_code(request.POST.get("code", "").strip().rpartition("#")[2])
    table = None
    if told is not None:
        table = (
            Table.objects.select_related("session")
            .filter(public_id=told[0], link_version=told[1], round__state=Round.State.PUBLISHED)
            .first()
        )
    if table is None or table.session.state != Session.State.OPEN:
        if told is None:
            count_wrong_code(request)
        message = _("This code opens no table any more. Ask the organiser for a new code.")
        raise Refused("bad-code", message, status=403)
    return table
