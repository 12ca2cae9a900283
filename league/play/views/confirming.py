"""Views of a table by which its sides confirm or dispute the result of their game."""

from operator import attrgetter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import Refused
from league.play import actions
from league.play.auth import TableAccess, table_page
from league.play.forms import ReasonForm
from league.play.sheet import sheet_of
from league.play.table_page import EntryPage, entry_page
from league.play.views.entry import say_back_in_play, show, table_action, valid


@table_page
@require_http_methods(["GET", "HEAD", "POST"])
def table_confirm(request: HttpRequest, access: TableAccess, seat: int) -> HttpResponse:
    """The result as one side sees it, to confirm, or to dispute with a reason.

    Once there is nothing to confirm, the table's page says why.
    """
    page = entry_page(access)
    if not any(seat in side.seats for side in page.sides):
        raise Http404
    if not page.is_over:
        if not page.change:  # the table's page says who brought it back
            say_back_in_play(request, page, name_hand=True)
        return redirect("table_entry", page.table.public_id)
    # A confirmation sends no reason: none is missing.
    disputes = request.POST.get("word") == "dispute"
    form, refused = ReasonForm(request if disputes else None), None
    if request.method == "POST":
        try:
            _confirm_or_dispute(request, access, seat, form)
            return redirect("table_entry", access.table.public_id)
        except Refused as error:
            refused, page = error, entry_page(access)
    if page.phase == "finished":
        return _confirm_page(request, page, seat, form, refused)
    if refused:
        return show(request, page, refused=refused)
    return redirect("table_entry", page.table.public_id)


def _confirm_page(
    request: HttpRequest, page: EntryPage, seat: int, form: ReasonForm, refused: Refused | None
) -> HttpResponse:
    own_side, name = next(answer for answer in page.over.answering if seat in answer[0].seats)
    context = {
        "entry": page,
        "mine": own_side,
        "my_name": name,
        "sheet": sheet_of(page.log, attrgetter("name")),
        "others": [side for side in page.sides if side is not own_side],
        "form": form,
        "refused": refused,
    }
    status = refused.status if refused else 200
    return render(request, "play/confirm.html", context, status=status)


def _confirm_or_dispute(
    request: HttpRequest, access: TableAccess, seat: int, form: ReasonForm
) -> None:
    now = timezone.now()
    if request.POST.get("word") == "accept":
        score_seen = request.POST.get("seen", "")
        actions.confirm_game(access.table, by=access.by, at=now, seat=seat, seen=score_seen)
        return
    reason = valid(form).cleaned_data["reason"]
    actions.dispute_game(access.table, reason=reason, by=access.by, at=now, seat=seat)


@table_action
def withdraw_dispute(request: HttpRequest, access: TableAccess) -> str:
    """Take back the table's dispute."""
    actions.withdraw_dispute(access.table, by=access.by, at=timezone.now())
    return _("Dispute taken back. The score is waiting to be confirmed.")
