"""The table's page: record a hand, preview what it pays, undo the last one."""

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
from league.play.actions import auto_confirm, record_hand, undo_last_hand
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
from league.play.forms import PASSED, HandForm, RedoForm, StrictForm, UndoForm, sent_fields
from league.play.game_log import gained_in, open_game_log, rules_of
from league.play.game_over import member_ids_at
from league.play.keypad import add_refusal
from league.play.models import Hand
from league.play.previews import Preview, preview_of, with_hand
from league.play.queries import short_names_at, side_names_at
from league.play.questions import questions_of
from league.play.returned_hands import store_clash
from league.play.table_changes import reason_not_to_correct
from league.play.table_page import EntryPage, entry_page
from league.play.text import gained_text, hand_text
from league.sessions.links import shows_result
from league.sessions.models import Session

Action = Callable[[HttpRequest, TableAccess], str]
IN_MENU = {"seat", "by_seat", "form"}
"""Fields of the menu's forms: what is missing there is said there, and every hand is saved."""
NOT_FIXABLE = ("hand-there", "game-over", "session-not-open", "disputed", "table-ended")


def show(
    request: HttpRequest,
    page: EntryPage,
    form: HandForm | None = None,
    *,
    refused: Refused | None = None,
    **extra: Any,
) -> HttpResponse:
    """The table's page with a form: a blank one, or the one that could not be saved."""
    form = form or page.keypad.blank_form()
    context = {**page.context(form), "refused": refused, **extra}
    status = 200
    if refused is not None:
        status = refused.status
        context["in_menu"] = in_menu = not IN_MENU.isdisjoint(refused.fields)
        if not in_menu and not refused.details.get("same"):
            context |= {"status_state": "attention", "status": _("Needs attention")}
    is_partial = getattr(request, "htmx", False)
    template = "play/_table.html" if is_partial else "play/table.html"
    return render(request, template, context, status=status)


def valid(form: StrictForm) -> StrictForm:
    """The form if it is valid; else raises a refusal with its errors by field."""
    if not form.is_valid():
        raise form.refusal()
    return form


def say_back_in_play(request: HttpRequest, page: EntryPage, *, name_hand: bool = False) -> None:
    """Say that a correction has brought a game that was over back in play, and at what score, or
    that it has to be decided if the session is closed;
    `name_hand`: to somebody who did not see which hand it was."""
    values = {"table": page.table.number, "score": page.score_now}
    if page.table.session.state == Session.State.OPEN:
        text = _("Table %(table)d is back in play: %(score)s.") % values
    else:
        text = _("Table %(table)d is no longer finished: %(score)s. Decide how it counts.") % values
    messages.info(request, f"{page.changed_last} {text}".strip() if name_hand else text)


def table_action(action: Action) -> Callable[..., HttpResponse]:
    """Turn an action on a table into a view that returns to the page, with the refusal if any."""

    @table_page
    @form_post
    @wraps(action)
    def view(request: HttpRequest, access: TableAccess) -> HttpResponse:
        try:
            message = action(request, access)
            auto_confirm(access.table.session, by=PROGRAM, at=timezone.now())
        except Refused as refused:
            return show(request, entry_page(access), refused=refused)
        if message:
            messages.success(request, message)
        if access.is_organiser and "at_desk" in request.POST:
            night = access.table.session
            return redirect("table_desk", night.club.slug, night.public_id, access.table.public_id)
        return redirect("table_entry", access.table.public_id)

    return view


@past_table_page
@require_safe
def table_entry(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The page of a table."""
    page = entry_page(access)
    return show_past(request, page) if access.is_past else show(request, page)


def show_past(request: HttpRequest, page: EntryPage) -> HttpResponse:
    """The page of a table that is past: why nothing can be entered here any more, the hands still
    waiting on the phone, and the link to the new seats."""
    session, next_table = page.table.session, page.over.next_table
    context = {
        **page.context(page.keypad.blank_form()),
        # By seat: at other seats the hands would count for players who did not play them.
        "may_send": next_table is not None
        and member_ids_at(next_table) == member_ids_at(page.table),
        "table": page.table,
        "shows_result": shows_result(session),
        "is_closed": session.state in OVER,
        "shows_score": session.state in OVER and _has_score(page),
        "past": closed_sentence() if session.state in OVER else seats_changed(),
    }
    status = 200 if next_table else 403
    return render(request, "play/locked.html", context, status=status)


def _has_score(page: EntryPage) -> bool:
    """Whether there is a score of the game that its players have seen and that may count."""
    game, entered = page.log.game, page.log.hands or page.log.rulings
    is_counted = page.phase != "abandoned" and not game.is_walkover
    return is_counted and (page.is_over or bool(entered))


@table_page
@form_post
def save_hand(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Save the hand, or show it again with its errors; a clash shows the existing hand instead.

    Clients that ask for JSON, such as the phone's queue, get the same as JSON.
    """
    form = _hand_form(request, access)
    receipt = request.headers.get("X-Receipt", "")
    try:
        hand = _save_record(access, valid(form), receipt=receipt)
    except Refused as refused:
        _store_clash_for_organiser(request, access, receipt, refused)
        return _refusal_response(request, access, form, refused)
    if wants_json(request):
        return stored_response(entry_page(access), hand)
    return redirect("table_entry", access.table.public_id)


def _store_clash_for_organiser(
    request: HttpRequest, access: TableAccess, receipt: str, refused: Refused
) -> None:
    """On a club's laptop, store a hand that a phone sent back when another is in its place."""
    is_clash = refused.code == "hand-there" and not refused.details["same"]
    answers = {name: request.POST[name] for name in sent_fields(request) & set(request.POST)}
    answers.pop("csrfmiddlewaretoken", None)
    if settings.LAPTOP and is_clash and is_receipt(receipt, access.table, answers["client_id"]):
        store_clash(open_game_log(access.table), answers, by=access.by, at=timezone.now())


def _refusal_response(
    request: HttpRequest, access: TableAccess, sent: HandForm, refused: Refused
) -> HttpResponse:
    page = entry_page(access)
    if wants_json(request):
        return clash_response(page, sent.record() if sent.is_valid() else None, refused)
    if refused.code in NOT_FIXABLE:
        return show(request, page, refused=refused)
    preview = preview_as_sent(page, page.keypad.form(request), None)
    form = add_refusal(page.keypad.form(request), refused)
    return show(request, page, form, refused=refused, preview=preview)


@table_page
@form_post
def preview_hand(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """What the hand will pay, by the answers so far."""
    page = entry_page(access)
    text = request.GET.get("of") or request.POST.get("number", "")
    place = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None
    if place and not page.log.hand(place):
        place = None  # the next one
    preview = preview_as_sent(page, page.keypad.form(request), place)
    return render(
        request,
        "play/_preview_answer.html",
        {"preview": preview, "questions": page.keypad.questions, "hand": place},
    )


@table_action
def undo_hand(request: HttpRequest, access: TableAccess) -> str:
    """Undo the last hand; the page then offers to restore it."""
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
    """Restore the hand that was just undone."""
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
    """Whether anything was entered here, or the players changed, since the page was loaded; and the
    round's clock."""
    page = entry_page(access)
    seen = request.GET.get("seen", "")
    context = {"entry": page, "moved": page.moved_since(seen), "seen": seen}
    return render(request, "play/_news_answer.html", context)


def stored_response(page: EntryPage, hand: Hand) -> JsonResponse:
    """The answer that a hand is stored: its id and number, and the state of the table.

    `counts` is false for a hand that was undone or replaced since it was first sent.
    """
    data = {"client_id": hand.client_id, "hand": hand.number, "version": hand.version}
    return JsonResponse({**data, "counts": hand.current, **table_data(page)})


def clash_response(
    page: EntryPage, record: dict[str, Any] | None, refused: Refused
) -> JsonResponse:
    """The answer that a hand was not stored, with both hands of a clash in words.

    `mine` is the hand that was sent and `theirs` the existing one; either is left out if it is
    missing, invalid or deleted. `same`: both have the same record. `may_replace`: the table may
    still correct the existing hand.
    """
    data = table_data(page)
    clashing = refused.details.get("hand")
    place, existing = page.number, None
    if isinstance(clashing, Hand):
        place = clashing.number
        existing = page.log.hand(place)  # none if it was undone since
    name_dealer = bool(record and existing and record["dealer"] != existing.record["dealer"])
    if record is not None and (
        text := _describe_hand(page, record, place, name_dealer=name_dealer)
    ):
        data["mine"] = text
    if existing is not None:
        data |= {
            "version": existing.version,
            "may_replace": not reason_not_to_correct(page.log, existing, at=page.at),
            "same": bool(refused.details.get("same")),
        }
        if not existing.struck:
            data["theirs"] = _describe_hand(page, existing.record, place, name_dealer=name_dealer)
    return problem(refused, **data)


def table_data(page: EntryPage) -> dict[str, Any]:
    """The state of the table: the score by side, the next hand's number and dealer."""
    score = [side.points for side in page.sides]
    return {"score": score, "next": page.number, "dealer": page.dealer, "phase": page.phase}


def _describe_hand(
    page: EntryPage, record: dict[str, Any], place: int, *, name_dealer: bool = False
) -> str:
    """A hand and its effect on the score in its place, in words; empty for an invalid hand."""
    trial = with_hand(page.log, Hand(number=place, version=0, record=record, current=True))
    answer = trial.state.answers[place - 1]
    if not answer.valid:
        return ""
    names = short_names_at(trial, place)
    gained = gained_text(gained_in(trial, place), side_names_at(trial, place))
    parts = [hand_text(record, answer, names), gained]
    if name_dealer:
        parts.insert(0, _("%(name)s dealt") % {"name": names[record["dealer"]]})
    return " · ".join(filter(None, parts))


def _hand_form(request: HttpRequest, access: TableAccess) -> HandForm:
    """The form as sent, by the table's rules, without loading the game."""
    rules = rules_of(access.table.ruleset.body)
    questions = questions_of(rules, access.table.session.club.tricks_entry)
    names = [str(seat) for seat in range(questions.players)]
    return HandForm(request, questions=questions, names=names, sent=sent_fields(request))


def _save_record(access: TableAccess, form: Any, *, receipt: str) -> Hand:
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
    """A preview of the form as sent, or a hint while answers are missing."""
    form.is_valid()
    if not form["maker"].value() and not form["auction"].value():
        return None
    if question := _next_question(form):
        return Preview(question)
    errors_by_field = {name: errors for name, errors in form.errors.items() if name != "reason"}
    if not errors_by_field:
        return preview_of(page.log, form.record(), number=place)
    return Preview(str(next(iter(errors_by_field.values()))[0]), refused=True)


def _next_question(form: HandForm) -> str:
    """What is to be answered next, in the order of the page; empty where all is answered."""
    lacks_result = form.result_field in form.errors
    if _awaits_bid(form):
        return _("What was bid?")
    has_maker = form["maker"].value() not in (None, "", PASSED)
    if form.questions.partner and has_maker and not form["partner"].value():
        return _("Who was the partner?")
    if lacks_result:
        return _("How many tricks?")
    return str(form.errors["renege_form"][0]) if "renege_form" in form.errors else ""


def _awaits_bid(form: HandForm) -> bool:
    """Whether the form says who won the bid, but not yet what it was."""
    if form.questions.is_turn_up or form["auction"].value():
        return False
    return str(form["maker"].value()).isdecimal() and not form.data.get("bid")
