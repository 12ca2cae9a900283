"""The rarer orders at a table: misdeal, ruling, concession, time; then confirming the result."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.errors import Refused
from league.play import actions
from league.play.entrance import Visit, table_page
from league.play.forms import ReasonForm, RulingForm, SendForm, SideForm, TotalsForm
from league.play.links import give_cookie
from league.play.views.answering import entry_page, form_post, show, table_order, valid


@table_order
def table_misdeal(request: HttpRequest, visit: Visit) -> None:
    """Note a misdeal."""
    told = valid(SendForm(request)).cleaned_data
    actions.note_misdeal(visit.table, client_id=told["client_id"], by=visit.by, at=timezone.now())


@table_order
def table_ruling(request: HttpRequest, visit: Visit) -> None:
    """Rule a renege after a hand."""
    told = valid(RulingForm(request)).cleaned_data
    actions.rule_penalty(
        visit.table,
        by_seat=int(told["by_seat"]),
        form=told["form"],
        against_lone=True if told["against_lone"] == "on" else None,
        about_hand=int(told["about_hand"]) if told["about_hand"] else None,
        client_id=told["client_id"],
        by=visit.by,
        at=timezone.now(),
    )


@table_order
def table_concede(request: HttpRequest, visit: Visit) -> None:
    """One side gives up."""
    told = valid(SideForm(request)).cleaned_data
    actions.concede(visit.table, int(told["seat"]), by=visit.by, at=timezone.now())


@table_order
def table_time(request: HttpRequest, visit: Visit) -> None:
    """Time was called."""
    actions.call_time(visit.table, by=visit.by, at=timezone.now())


@table_order
def table_resume(request: HttpRequest, visit: Visit) -> None:
    """That was a mistake: play goes on."""
    actions.resume(visit.table, by=visit.by, at=timezone.now(), as_organiser=visit.is_organiser)


@table_page
@form_post
def table_totals(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The final score of a table that writes down nothing else."""
    page = entry_page(visit)
    form = TotalsForm(request, sides=[side.name for side in page.sides])
    try:
        totals = valid(form).totals()  # type: ignore[attr-defined]
        actions.write_totals(
            visit.table, totals, by=visit.by, at=timezone.now(), as_organiser=visit.is_organiser
        )
    except Refused as refused:
        return show(request, page, refused=refused, totals_form=form)
    return redirect("table_entry", visit.table.public_id)


@table_page
@require_http_methods(["GET", "HEAD", "POST"])
def table_confirm(request: HttpRequest, visit: Visit, seat: int) -> HttpResponse:
    """The result as one side sees it, to be accepted, or disputed with a reason."""
    page = entry_page(visit)
    mine = next((side for side in page.sides if seat in side.seats), None)
    if mine is None:
        raise Http404
    form, refused = ReasonForm(request), None
    if request.method == "POST":
        try:
            _say(request, visit, seat, form)
            return redirect("table_entry", visit.table.public_id)
        except Refused as trouble:
            refused = trouble
    others = [side for side in page.sides if side is not mine]
    context = {"entry": page, "mine": mine, "others": others, "form": form, "refused": refused}
    status = refused.status if refused else 200
    return render(request, "play/confirm.html", context, status=status)


def _say(request: HttpRequest, visit: Visit, seat: int, form: ReasonForm) -> None:
    now = timezone.now()
    if request.POST.get("word") == "accept":
        actions.confirm_game(visit.table, by=visit.by, at=now, seat=seat)
        return
    reason = valid(form).cleaned_data["reason"]
    actions.dispute_game(visit.table, reason=reason, by=visit.by, at=now, seat=seat)


@table_page
@form_post
def table_follow(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The phone of a table stays the phone of that table when other people sit down at it."""
    following = entry_page(visit).next_table
    if following is None:
        return redirect("table_entry", visit.table.public_id)
    response = redirect("table_entry", following.public_id)
    if visit.is_phone:
        give_cookie(response, following)
    return response
