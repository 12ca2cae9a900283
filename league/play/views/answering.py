"""How the table's pages answer: the whole page, or its part when the page's own script asks."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.errors import Refused
from league.members.audit import PROGRAM
from league.play.actions import accept_silent
from league.play.book import open_book
from league.play.derived import as_of
from league.play.entrance import Visit, table_page
from league.play.entry_page import EntryPage
from league.play.forms import HandForm, StrictForm

FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
LARGEST = 100_000  # bytes: a hand with every card and call typed out is a few thousand
Order = Callable[[HttpRequest, Visit], None]


def entry_page(visit: Visit) -> EntryPage:
    """The page of this visit's table, read now."""
    book, now = open_book(visit.table), timezone.now()
    as_of(book.game, now)
    return EntryPage(visit, book, at=now)


def show(
    request: HttpRequest,
    page: EntryPage,
    form: HandForm | None = None,
    *,
    refused: Refused | None = None,
    **more: Any,
) -> HttpResponse:
    """The table's page with a form: a fresh one, or the one that could not be saved."""
    form = form or page.blank_form()
    context = {**page.context(form), "refused": refused, **more}
    status = 200
    if refused is not None:
        status = refused.status
        context |= {"status_state": "attention", "status": _("Not saved")}
    part = getattr(request, "htmx", False)
    template = "play/_table.html" if part else "play/table.html"
    return render(request, template, context, status=status)


def valid(form: StrictForm) -> StrictForm:
    """The form, if what it says can be; else a refusal that names its fields."""
    if not form.is_valid():
        raise form.refusal()
    return form


def form_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only a posted form: 405 for other methods, 415 for other bodies, 413 for big ones."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.content_type not in FORM_TYPES:
            return HttpResponse("A form was expected.\n", status=415, content_type="text/plain")
        if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST or request.FILES:
            return HttpResponse("This is too much.\n", status=413, content_type="text/plain")
        return view(request, *args, **kwargs)

    return require_POST(checked)


def table_order(order: Order) -> Callable[..., HttpResponse]:
    """A view out of an order to a table: done, and back to the page; refused, and told on it."""

    @table_page
    @form_post
    @wraps(order)
    def view(request: HttpRequest, visit: Visit) -> HttpResponse:
        try:
            order(request, visit)
            accept_silent(visit.table.session, by=PROGRAM, at=timezone.now())
        except Refused as refused:
            return show(request, entry_page(visit), refused=refused)
        return redirect("table_entry", visit.table.public_id)

    return view
