"""Putting a hand right, or striking it: the table within its time, an organiser at any time."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import Refused
from league.play.actions import correct_hand, strike_hand
from league.play.entrance import Visit, table_page
from league.play.entry import answers_of
from league.play.entry_page import EntryPage, new_client_id, told_at_fields
from league.play.forms import CorrectionForm, StrikeForm
from league.play.models import Hand
from league.play.preview import preview_of
from league.play.questions import questions_of
from league.play.views.answering import entry_page, form_post, valid


@table_page
@require_http_methods(["GET", "HEAD", "POST"])
def table_correct(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """One hand as it was written down, to be put right with a reason."""
    page = entry_page(visit)
    hand = _hand(page, number)
    form = _form(page, hand, request)
    if request.method != "POST":
        return _show(request, page, hand, form)
    try:
        _correct(visit, hand, valid(form))
    except Refused as refused:
        page = entry_page(visit)
        return _show(request, page, _hand(page, number), told_at_fields(form, refused), refused)
    return _back(visit)


@table_page
@form_post
def table_strike(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Let a hand count for nothing."""
    try:
        told = valid(StrikeForm(request)).cleaned_data
        strike_hand(
            visit.table,
            number,
            reason=told["reason"],
            expected_version=int(told["version"]),
            client_id=told["client_id"],
            by=visit.by,
            at=timezone.now(),
            as_organiser=visit.is_organiser,
        )
    except Refused as refused:
        page = entry_page(visit)
        hand = _hand(page, number)
        return _show(request, page, hand, _form(page, hand, None), refused)
    return _back(visit)


def _correct(visit: Visit, hand: Hand, form: Any) -> None:
    told = form.cleaned_data
    if len(hand.record.get("penalties") or ()) > 1:  # the page asks for one: the rest would be lost
        message = _(
            "More than one renege was ruled in this hand; strike it, and rule on each anew."
        )
        raise Refused("several-rulings", message, fields={"renege_by": [message]}, status=409)
    correct_hand(
        visit.table,
        hand.number,
        form.record(),
        reason=told["reason"],
        expected_version=int(told["version"]),
        client_id=told["client_id"],
        by=visit.by,
        at=timezone.now(),
        as_organiser=visit.is_organiser,
        confirm_unlikely=told["confirm_unlikely"] == "on",
    )


def _hand(page: EntryPage, number: int) -> Hand:
    hand = page.book.hand(number)
    if hand is None:
        raise Http404
    return hand


def _form(page: EntryPage, hand: Hand, request: HttpRequest | None) -> CorrectionForm:
    """The questions in the way this hand was answered: by outcome or by count."""
    by_outcome = "outcome" in hand.record or "tricks_won" not in hand.record
    entry = page.club.tricks_entry if by_outcome else "count"
    page.questions = questions_of(page.book.rules, entry)
    page.dealer = hand.record["dealer"]
    initial = answers_of(hand.record, page.questions) | {
        "client_id": new_client_id(),
        "number": hand.number,
        "version": hand.version,
    }
    return CorrectionForm(request, questions=page.questions, names=page.told.names, initial=initial)


def _show(
    request: HttpRequest,
    page: EntryPage,
    hand: Hand,
    form: CorrectionForm,
    refused: Refused | None = None,
) -> HttpResponse:
    context = {
        **page.context(form),
        "hand": hand,
        "preview": preview_of(page.book, hand.record, number=hand.number),
        "versions": page.book.versions_of(hand.number),
        "strike_id": new_client_id(),
        "refused": refused,
    }
    status = refused.status if refused else 200
    return render(request, "play/correct.html", context, status=status)


def _back(visit: Visit) -> HttpResponse:
    if visit.is_phone:
        return redirect("table_entry", visit.table.public_id)
    game = visit.table.games.get(number=1)
    return redirect("game", visit.table.session.club.slug, game.public_id)
