"""The table's page: write down a hand, see what it pays, undo the last."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.errors import Refused
from league.members.audit import PROGRAM
from league.play import actions
from league.play.actions import confirm_unopposed, record_hand, undo_last_hand
from league.play.auth import (
    OVER,
    TableAccess,
    closed_sentence,
    form_post,
    is_receipt,
    past_table_page,
    problem,
    seats_changed,
    table_page,
    wants_json,
)
from league.play.forms import PASSED, HandForm, RedoForm, StrictForm, UndoForm, filled
from league.play.game_log import gained_in, open_game_log, rules_of
from league.play.keypad import add_refusal
from league.play.models import Hand
from league.play.previews import Preview, preview_of, with_hand
from league.play.questions import questions_of
from league.play.returned_hands import store_clash
from league.play.table_page import EntryPage, entry_page, people_at
from league.play.text import gained_text, hand_text

Action = Callable[[HttpRequest, TableAccess], str]
GONE = ("hand-there", "game-over", "session-not-open", "disputed", "table-ended")


def show(
    request: HttpRequest,
    page: EntryPage,
    form: HandForm | None = None,
    *,
    refused: Refused | None = None,
    **more: Any,
) -> HttpResponse:
    """The table's page with a form: a fresh one, or the one that could not be saved."""
    form = form or page.keypad.blank_form()
    context = {**page.context(form), "refused": refused, **more}
    status = 200
    if refused is not None:
        status = refused.status
    if refused is not None and not refused.details.get("same"):
        context |= {"status_state": "attention", "status": _("Not saved")}
    part = getattr(request, "htmx", False)
    template = "play/_table.html" if part else "play/table.html"
    return render(request, template, context, status=status)


def valid(form: StrictForm) -> StrictForm:
    """The form, if what it says can be; else a refusal that names its fields."""
    if not form.is_valid():
        raise form.refusal()
    return form


def table_action(action: Action) -> Callable[..., HttpResponse]:
    """A view out of an action to a table: done, and back to the page; refused, and data on it."""

    @table_page
    @form_post
    @wraps(action)
    def view(request: HttpRequest, access: TableAccess) -> HttpResponse:
        try:
            done = action(request, access)
            confirm_unopposed(access.table.session, by=PROGRAM, at=timezone.now())
        except Refused as refused:
            return show(request, entry_page(access), refused=refused)
        if done:
            messages.success(request, done)
        return redirect("table_entry", access.table.public_id)

    return view


@past_table_page
@require_safe
def table_entry(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The page the table's phone shows."""
    page = entry_page(access)
    return show_past(request, page) if access.is_past else show(request, page)


def show_past(request: HttpRequest, page: EntryPage) -> HttpResponse:
    """Why nothing can be entered here any more, the hands that still wait on the phone, in the
    words of their form, and the way on to the new seats."""
    session, now = page.table.session, page.over.next_table
    context = {
        **page.context(page.keypad.blank_form()),
        # By seat: at other seats the hands would count for players who did not play them.
        "may_send": now is not None and people_at(now) == people_at(page.table),
        "session": session,
        "is_closed": session.state in OVER,
        "past": closed_sentence() if session.state in OVER else seats_changed(),
    }
    status = 200 if now else 403
    return render(request, "play/locked.html", context, status=status)


@table_page
@form_post
def save_hand(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Save the hand, or show it again with what is wrong; a clash shows what is there instead.

    A program that asks for JSON, such as the phone's queue, is data the same in JSON.
    """
    form = _form(request, access)
    receipt = request.headers.get("X-Receipt", "")
    try:
        hand = _record(access, valid(form), receipt=receipt)
    except Refused as refused:
        _tell_organiser(request, access, receipt, refused)
        return _refused(request, access, form, refused)
    if wants_json(request):
        return acknowledged(entry_page(access), hand)
    return redirect("table_entry", access.table.public_id)


def _tell_organiser(
    request: HttpRequest, access: TableAccess, receipt: str, refused: Refused
) -> None:
    """On the club's laptop: that a hand came back where another is now."""
    is_clash = refused.code == "hand-there" and not refused.details["same"]
    answers = {name: request.POST[name] for name in filled(request) & set(request.POST)}
    answers.pop("csrfmiddlewaretoken", None)
    if settings.LAPTOP and is_clash and is_receipt(receipt, access.table, answers["client_id"]):
        store_clash(open_game_log(access.table), answers, by=access.by, at=timezone.now())


def _refused(
    request: HttpRequest, access: TableAccess, sent: HandForm, refused: Refused
) -> HttpResponse:
    page = entry_page(access)
    if wants_json(request):
        return clash(page, sent.record() if sent.is_valid() else None, refused)
    if refused.code in GONE:
        return show(request, page, refused=refused)
    preview = preview_as_sent(page, page.keypad.form(request), None)
    form = add_refusal(page.keypad.form(request), refused)
    return show(request, page, form, refused=refused, preview=preview)


@table_page
@form_post
def preview_hand(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """What the hand will pay, as far as it has been tapped."""
    page = entry_page(access)
    of = request.GET.get("of", "")
    place = int(of) if of.isascii() and of.isdecimal() and len(of) < 4 else None
    preview = preview_as_sent(page, page.keypad.form(request), place)
    return render(
        request,
        "play/_preview_answer.html",
        {"preview": preview, "questions": page.keypad.questions, "hand": place},
    )


@table_action
def undo_hand(request: HttpRequest, access: TableAccess) -> str:
    """Take back the last hand; the page then offers to put it back."""
    data = valid(UndoForm(request)).cleaned_data
    undo_last_hand(
        access.table,
        by=access.by,
        at=timezone.now(),
        number=int(data["number"]),
        version=int(data["version"]),
        as_organiser=access.is_organiser,
    )
    return ""


@table_action
def redo_hand(request: HttpRequest, access: TableAccess) -> str:
    """Put the hand back that was just undone."""
    data = valid(RedoForm(request)).cleaned_data
    actions.redo_hand(
        access.table,
        client_id=data["client_id"],
        number=int(data["number"]),
        version=int(data["version"]),
        by=access.by,
        at=timezone.now(),
    )
    return _("Hand %(number)s is back.") % data


@table_page
@require_safe
def table_news(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Whether anything was entered here, or people changed, since the page was drawn."""
    page = entry_page(access)
    seen = request.GET.get("seen", "")
    context = {"entry": page, "moved": page.moved_since(seen), "seen": seen}
    return render(request, "play/_news.html", context)


def acknowledged(page: EntryPage, hand: Hand) -> JsonResponse:
    """The word that a hand is stored: its id and number, and how the table stands now.

    `counts` is false for a hand that was taken back or replaced since it was first sent.
    """
    data = {"client_id": hand.client_id, "hand": hand.number, "version": hand.version}
    return JsonResponse({**data, "counts": hand.current, **standing(page)})


def clash(page: EntryPage, record: dict[str, Any] | None, refused: Refused) -> JsonResponse:
    """Why a hand was not stored, with both sides of a clash in words.

    `mine` is the hand that was sent, `theirs` the one that is there in its place; each is left out
    where there is none, or where the rules make nothing of it. `same`: they say the same.
    """
    more = standing(page)
    there = refused.details.get("hand")
    place = there.number if isinstance(there, Hand) else page.number
    if record is not None and (words := _words(page, record, place)):
        more["mine"] = words
    if isinstance(there, Hand):
        more |= {"theirs": _words(page, there.record, place), "version": there.version}
        more["same"] = bool(refused.details.get("same"))
    return problem(refused, **more)


def standing(page: EntryPage) -> dict[str, Any]:
    """How the table stands: the score by side, the next hand's number and dealer."""
    score = [side.points for side in page.sides]
    return {"score": score, "next": page.number, "dealer": page.dealer, "phase": page.phase}


def _words(page: EntryPage, record: dict[str, Any], place: int) -> str:
    """A hand and what it would change the score by in its place, in words; nothing where the
    rules make nothing of it."""
    trial = with_hand(page.log, Hand(number=place, version=0, record=record, current=True))
    answer = trial.state.answers[place - 1]
    if not answer.valid:
        return ""
    paid = gained_text(gained_in(trial, place), page.state.side_names)
    text = hand_text(record, answer, page.state.shorts)
    return f"{text} · {paid}" if paid else text


def _form(request: HttpRequest, access: TableAccess) -> HandForm:
    """The form as sent, read by the table's own rules; the action looks up what is there."""
    rules = rules_of(access.table.ruleset.body)
    questions = questions_of(rules, access.table.session.club.tricks_entry)
    names = [str(seat) for seat in range(questions.players)]
    return HandForm(request, questions=questions, names=names, sent=filled(request))


def _record(access: TableAccess, form: Any, *, receipt: str) -> Hand:
    data = form.cleaned_data
    return record_hand(
        access.table,
        form.record(),
        client_id=data["client_id"],
        by=access.by,
        at=timezone.now(),
        number=int(data["number"]),
        confirm_unlikely=data["confirm_unlikely"] == "on",
        came_back=is_receipt(receipt, access.table, data["client_id"]),
    )


def preview_as_sent(page: EntryPage, form: HandForm, place: int | None) -> Preview | None:
    """A hint while something is missing, else what the engine says."""
    form.is_valid()
    if not form["maker"].value() and not form["auction"].value():
        return None
    wrong = {name: errors for name, errors in form.errors.items() if name != "reason"}
    if not wrong:
        return preview_of(page.log, form.record(), number=place)
    if form.result_field in wrong:
        return Preview(_("What was bid?") if _awaits_bid(form) else _("How many tricks?"))
    return Preview(str(next(iter(wrong.values()))[0]), refused=True)


def _awaits_bid(form: HandForm) -> bool:
    """Whether somebody won the bid, and nothing says yet what it was."""
    is_bid_game = not form.questions.is_turn_up
    return is_bid_game and form["maker"].value() != PASSED and not form.data.get("bid")
