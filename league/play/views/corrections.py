"""Views of a table that correct a hand, rule misdeals and penalties, or end a game."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import Refused
from league.play import actions
from league.play.actions import correct_hand, strike_hand
from league.play.auth import (
    TableAccess,
    form_post,
    give_cookie,
    past_table_page,
    table_page,
)
from league.play.entry import answers_of, calls_in_words
from league.play.final_scores import keyboard
from league.play.forms import (
    CorrectionForm,
    RulingForm,
    SendForm,
    SideForm,
    StrikeForm,
    TotalsForm,
)
from league.play.keypad import add_refusal, new_client_id
from league.play.models import Game, Hand, Ruling
from league.play.previews import (
    Preview,
    preview_of,
    preview_of_choice,
    preview_of_penalty,
    try_hand,
)
from league.play.questions import TURN_UP
from league.play.table_page import EntryPage, entry_page
from league.play.text import refusal
from league.play.views.entry import preview_as_sent, say_back_in_play, show, table_action, valid
from league.play.views.games import RETURN_TO
from league.seating.actions import call_organiser, settle_call

TABLE = "table"
"""The page to return to, for scorekeepers who came from the table to correct a hand."""


@table_page
@require_http_methods(["GET", "HEAD", "POST"])
def table_correct(request: HttpRequest, access: TableAccess, number: int) -> HttpResponse:
    """A recorded hand, to correct with a reason."""
    page = entry_page(access)
    hand = _hand_or_404(page, number)
    form = _correction_form(page, hand, request)
    if request.method != "POST":
        return _correction_page(
            request, page, hand, form, preview_of(page.log, hand.record, number=number)
        )
    if _is_unchanged(form, hand):
        if form["client_id"].value() != hand.client_id:  # else Save was tapped twice
            text = _("Nothing was changed in hand %(number)d.")
            messages.info(request, text % {"number": number})
        return _redirect_back(request, access)
    try:
        _save_correction(access, hand, valid(form))
    except Refused as refused:
        page = entry_page(access)
        hand = _hand_or_404(page, number)
        form = _correction_form(page, hand, request)
        preview = preview_as_sent(page, form, number)
        refused = _with_faults_of_hand(page, form, refused, number)
        form = add_refusal(_correction_form(page, hand, request), refused)
        return _correction_page(request, page, hand, form, preview, refused)
    messages.success(request, _("Hand %(number)d corrected.") % {"number": number})
    return _redirect_back(request, access, was_over=page.is_over)


@table_page
@form_post
def table_strike(request: HttpRequest, access: TableAccess, number: int) -> HttpResponse:
    """Delete a hand, with a reason."""
    was_over = entry_page(access).is_over
    try:
        data = valid(StrikeForm(request)).cleaned_data
        strike_hand(
            access.table,
            number,
            reason=data["reason"],
            expected_version=int(data["version"]),
            client_id=data["client_id"],
            by=access.by,
            at=timezone.now(),
            as_organiser=access.is_organiser,
        )
    except Refused as refused:
        page = entry_page(access)
        hand = _hand_or_404(page, number)
        preview = preview_of(page.log, hand.record, number=number)
        form, reason = _correction_form(page, hand, None), request.POST.get("reason", "")
        return _correction_page(request, page, hand, form, preview, refused, reason)
    messages.success(request, _("Hand %(number)d deleted.") % {"number": number})
    return _redirect_back(request, access, was_over=was_over)


def _save_correction(access: TableAccess, hand: Hand, form: Any) -> None:
    data = form.cleaned_data
    if len(hand.record.get("penalties") or ()) > 1:  # the form has only one: the rest would be lost
        message = _("This hand has more than one renege. Delete it, then apply each penalty again.")
        raise Refused("several-rulings", message, fields={"renege_by": [message]}, status=409)
    correct_hand(
        access.table,
        hand.number,
        form.record(),
        reason=data["reason"],
        expected_version=int(data["version"]),
        client_id=data["client_id"],
        by=access.by,
        at=timezone.now(),
        as_organiser=access.is_organiser,
        confirm_unlikely=data["confirm_unlikely"] == "on",
    )


def _with_faults_of_hand(
    page: EntryPage, form: CorrectionForm, refused: Refused, number: int
) -> Refused:
    """The refusal with the faults of the hand added, if only the reason was missing."""
    if set(refused.fields) != {"reason"}:
        return refused
    record = form.record()
    _trial, faults = try_hand(page.log, record, number)
    if not faults:
        return refused
    names = page.keypad_for(page.log.hand(number)).shorts
    fields = refused.fields | refusal(faults, names, record).fields
    return Refused(refused.code, refused.message, fields=fields)


def _is_unchanged(form: CorrectionForm, hand: Hand) -> bool:
    """Whether the answers are those of the current hand; then no reason is needed."""
    is_complete = not set(form.errors) - {"reason"}
    return is_complete and not hand.struck and form.record() == hand.record


def _hand_or_404(page: EntryPage, number: int) -> Hand:
    hand = page.log.hand(number)
    if hand is None:
        raise Http404
    return hand


def _correction_form(page: EntryPage, hand: Hand, request: HttpRequest | None) -> CorrectionForm:
    """The form with the answers that were sent, else with those of the hand."""
    keypad = page.keypad_for(hand)
    answers = answers_of(hand.record, keypad.questions)
    initial = answers | {
        "auction": calls_in_words(answers.get("auction", "")),
        "client_id": new_client_id(),
        "number": hand.number,
        "version": hand.version,
    }
    return CorrectionForm(request, questions=keypad.questions, names=keypad.shorts, initial=initial)


def _correction_page(
    request: HttpRequest,
    page: EntryPage,
    hand: Hand,
    form: CorrectionForm,
    preview: Preview | None,
    refused: Refused | None = None,
    strike_reason: str | None = None,
) -> HttpResponse:
    context = {
        **page.context(form, hand),
        "strike_reason": strike_reason,
        "hand": hand,
        "preview": preview,
        "strike_id": new_client_id(),
        "then": _then(request),
        "way_back": _way_back(request, page.access),
        "refused": refused,
    }
    status = refused.status if refused else 200
    return render(request, "play/correct.html", context, status=status)


def _redirect_back(
    request: HttpRequest, access: TableAccess, *, was_over: bool = False
) -> HttpResponse:
    """Where the visitor came from. If the change has brought the game back in play, it says so,
    and an organiser who came to decide the game is back at the list that they came from."""
    page = entry_page(access)
    if was_over and not page.is_over:
        say_back_in_play(request, page)
        if (then := request.GET.get("then")) in RETURN_TO:
            session = access.table.session
            return redirect(then, session.club.slug, session.public_id)
    anchor = "#decide" if page.log.game.state == Game.State.DISPUTED else ""
    return redirect(_way_back(request, access) + anchor)


def _way_back(request: HttpRequest, access: TableAccess) -> str:
    """The address of the page from which the visitor came to correct a hand."""
    if access.is_phone or request.GET.get("then") == TABLE:
        return reverse("table_entry", args=[access.table.public_id])
    game = access.table.games.get(number=1)
    address = reverse("game", args=[access.table.session.club.slug, game.public_id])
    return f"{address}{_then(request)}"


def _then(request: HttpRequest) -> str:
    """Where to go on to after the correction, as the end of an address; else empty."""
    then = request.GET.get("then")
    return f"?then={then}" if then in (TABLE, *RETURN_TO) else ""


@table_action
def table_misdeal(request: HttpRequest, access: TableAccess) -> str:
    """Record a misdeal."""
    data = valid(SendForm(request)).cleaned_data
    actions.note_misdeal(access.table, client_id=data["client_id"], by=access.by, at=timezone.now())
    return _("Misdeal recorded. Deal the hand again.")


@table_action
def table_ruling(request: HttpRequest, access: TableAccess) -> str:
    """Apply the penalty for a renege; the page then shows it with its points and an undo button."""
    data = valid(_ruling_form(request, entry_page(access))).cleaned_data
    actions.rule_penalty(
        access.table,
        by_seat=int(data["by_seat"]),
        form=data["form"],
        against_lone=True if data["against_lone"] == "on" else None,
        about_hand=int(data["about_hand"]) if data["about_hand"] else None,
        client_id=data["client_id"],
        by=access.by,
        at=timezone.now(),
    )
    return ""


def _ruling_form(request: HttpRequest, page: EntryPage) -> RulingForm:
    """The form of a penalty, which asks how it is paid where the other side chooses."""
    form = RulingForm(request)
    form.fields["form"].required = page.keypad.questions.penalty_form
    return form


@table_page
@form_post
def preview_ruling(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """What a penalty will cost, by the answers so far."""
    page, preview = entry_page(access), None
    form = _ruling_form(request, page)
    if form.is_valid() or form.errors.keys() == {"form"}:
        data = form.cleaned_data
        ruling = Ruling(
            kind=Ruling.Kind.RENEGE,
            by_seat=int(data["by_seat"]),
            form=data.get("form", ""),
            against_lone=True if data["against_lone"] == "on" else None,
        )
        preview_so_far = preview_of_choice if form.errors else preview_of_penalty
        preview = preview_so_far(page.log, ruling)
    return render(request, "play/_penalty_preview.html", {"preview": preview})


@table_page
@form_post
def undo_ruling(request: HttpRequest, access: TableAccess, ruling: int) -> HttpResponse:
    """Undo a penalty or a misdeal, but no hand."""
    try:
        withdrawn = actions.withdraw_ruling(
            access.table,
            ruling,
            by=access.by,
            at=timezone.now(),
            as_organiser=access.is_organiser,
        )
    except Refused as refused:
        return show(request, entry_page(access), refused=refused)
    is_misdeal = withdrawn.kind == Ruling.Kind.MISDEAL
    messages.success(request, _("Misdeal undone.") if is_misdeal else _("Penalty undone."))
    return redirect("table_entry", access.table.public_id)


@table_action
def table_concede(request: HttpRequest, access: TableAccess) -> str:
    """Concede the game for one side."""
    data = valid(SideForm(request)).cleaned_data
    actions.concede(access.table, int(data["seat"]), by=access.by, at=timezone.now())
    return _("Game conceded.")


@table_action
def table_time(request: HttpRequest, access: TableAccess) -> str:
    """End the game because time was called."""
    seen = request.POST.get("seen", "")
    actions.call_time(access.table, by=access.by, at=timezone.now(), seen=seen)
    is_at_desk = "at_desk" in request.POST  # says it with an undo
    return "" if is_at_desk else _("Time called: the game is over.")


@table_action
def table_resume(request: HttpRequest, access: TableAccess) -> str:
    """Resume a game that was ended by mistake."""
    actions.resume(access.table, by=access.by, at=timezone.now(), as_organiser=access.is_organiser)
    return _("The game goes on.")


@table_action
def table_call(request: HttpRequest, access: TableAccess) -> str:
    """Ask an organiser to come to the table."""
    call_organiser(access.table, by=access.by, at=timezone.now())
    return ""


@table_action
def table_call_off(request: HttpRequest, access: TableAccess) -> str:
    """Cancel the call: the table no longer needs the organiser."""
    settle_call(access.table, by=access.by)
    return ""


@table_page
@form_post
def table_totals(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Save the final score of a table that records nothing else."""
    page = entry_page(access)
    sides, keys = [side.name for side in page.sides], keyboard(page.log.rules)
    form = TotalsForm(request, sides=sides, keyboard=keys)
    try:
        totals = valid(form).totals()  # type: ignore[attr-defined]
        actions.write_totals(
            access.table, totals, by=access.by, at=timezone.now(), as_organiser=access.is_organiser
        )
    except Refused as refused:
        return show(request, page, refused=refused, totals_form=form)
    return redirect("table_entry", access.table.public_id)


@past_table_page
@form_post
def table_follow(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Move a phone to the next table with the same number: it stays there when players change."""
    over = entry_page(access).over
    next_table = over.next_table
    if next_table is None:
        return redirect("table_entry", access.table.public_id)
    texts, is_bid = over.arrival(next_table), next_table.ruleset.rules.family != TURN_UP
    for text in texts:  # several are a line each, so that the keys of a bid game stay in view
        messages.info(request, text, extra_tags="one-line" if is_bid and len(texts) > 1 else "")
    response = redirect("table_entry", next_table.public_id)
    if access.is_phone:
        give_cookie(response, next_table)
    return response
