"""The table's page: write down a hand, see what it pays, undo the last."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.errors import Refused
from league.play.acknowledging import acknowledged, clash
from league.play.actions import record_hand, undo_last_hand
from league.play.book import rules_of
from league.play.entrance import Visit, table_page
from league.play.entry_page import EntryPage
from league.play.forms import HandForm, UndoForm, filled
from league.play.models import Hand
from league.play.preview import Preview, preview_of
from league.play.problems import wants_json
from league.play.questions import questions_of
from league.play.views.answering import (
    entry_page,
    form_post,
    show,
    table_order,
    valid,
)

GONE = ("hand-there", "game-over", "session-not-open", "disputed", "table-ended")


@table_page
@require_safe
def table_entry(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The page the table's phone shows."""
    return show(request, entry_page(visit))


@table_page
@form_post
def save_hand(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Save the hand, or show it again with what is wrong; a clash shows what is there instead.

    A program that asks for JSON, such as the phone's queue, is told the same in JSON.
    """
    form = _form(request, visit)
    try:
        hand = _record(visit, valid(form))
    except Refused as refused:
        return _refused(request, visit, form, refused)
    if wants_json(request):
        return acknowledged(entry_page(visit), hand)
    return redirect("table_entry", visit.table.public_id)


def _refused(request: HttpRequest, visit: Visit, sent: HandForm, refused: Refused) -> HttpResponse:
    page = entry_page(visit)
    if wants_json(request):
        return clash(page, sent.record() if sent.is_valid() else None, refused)
    if refused.code in GONE:
        return show(request, page, refused=refused)
    form = page.form_again(request, refused)
    preview = _preview(page, page.form_of(request), None)
    return show(request, page, form, refused=refused, preview=preview)


@table_page
@form_post
def preview_hand(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What the hand will pay, as far as it has been tapped."""
    page = entry_page(visit)
    of = request.GET.get("of", "")
    place = int(of) if of.isascii() and of.isdecimal() and len(of) < 4 else None
    preview = _preview(page, page.form_of(request), place)
    return render(
        request, "play/_preview_answer.html", {"preview": preview, "asked": page.questions}
    )


@table_order
def undo_hand(request: HttpRequest, visit: Visit) -> None:
    """Take back the last hand."""
    told = valid(UndoForm(request)).cleaned_data
    undo_last_hand(
        visit.table,
        by=visit.by,
        at=timezone.now(),
        number=int(told["number"]),
        version=int(told["version"]),
        as_organiser=visit.is_organiser,
    )


@table_page
@require_safe
def table_news(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Whether another phone has been at this table since the page was drawn."""
    page = entry_page(visit)
    seen = request.GET.get("seen", "")
    context = {"entry": page, "moved": seen != page.stamp, "seen": seen}
    return render(request, "play/_news.html", context)


def _form(request: HttpRequest, visit: Visit) -> HandForm:
    """The form as sent, read by the table's own rules; the order looks up what is there."""
    rules = rules_of(visit.table.ruleset.body)
    asked = questions_of(rules, visit.table.session.club.tricks_entry)
    names = [str(seat) for seat in range(asked.players)]
    return HandForm(request, questions=asked, names=names, sent=filled(request))


def _record(visit: Visit, form: Any) -> Hand:
    told = form.cleaned_data
    return record_hand(
        visit.table,
        form.record(),
        client_id=told["client_id"],
        by=visit.by,
        at=timezone.now(),
        number=int(told["number"]),
        confirm_unlikely=told["confirm_unlikely"] == "on",
    )


def _preview(page: EntryPage, form: HandForm, place: int | None) -> Preview | None:
    """A hint while something is missing, else what the engine says."""
    valid_so_far = form.is_valid()
    if not form["maker"].value() and not form["auction"].value():
        return None
    if valid_so_far:
        return preview_of(page.book, form.record(), number=place)
    missing = form.errors.get(form.result_field)
    if missing:
        return Preview(_("How many tricks?"))
    return Preview(str(next(iter(form.errors.values()))[0]), refused=True)
