"""One's own account: the name shown, the clubs, and a copy of what the site knows."""

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from league.access import signed_in
from league.members import actions, queries
from league.members.forms.account import AccountForm
from league.members.models import User
from league.members.own_data import data_of
from league.members.sign_in import wrong_passwords
from league.members.views.answers import attempt, form_page


@require_http_methods(["GET", "POST"])
@signed_in
def you(request: HttpRequest) -> HttpResponse:
    """The name shown to others, one's clubs, and the way to e-mail, password and second step."""
    user = cast(User, request.user)
    form = AccountForm(request.POST or None, initial={"display_name": user.display_name})
    if attempt(form, lambda: actions.change_display_name(user, **form.chosen)) is not None:
        messages.success(request, _("Saved."))
        return redirect("you")
    context = {"form": form, "clubs": queries.clubs_of(user), "players": queries.players_of(user)}
    context |= {"here": "account", "wrong_passwords": wrong_passwords(user)}
    return form_page(request, "members/you.html", context)


@require_GET
@signed_in
@reauthentication_required
def my_data(request: HttpRequest) -> HttpResponse:
    """Everything kept of one's own account and results, to take away; the password is asked."""
    data = JsonResponse(data_of(cast(User, request.user)), json_dumps_params={"indent": 2})
    data["Content-Disposition"] = 'attachment; filename="right-bower-my-data.json"'
    return data
