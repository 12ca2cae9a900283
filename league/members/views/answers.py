"""How a page answers a form: the action is done, or the form comes back as it was typed."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from league.errors import Refused

Made = TypeVar("Made")


def attempt(form: BaseForm, action: Callable[[], Made]) -> Made | None:
    """What the action returned; None when the form is not valid or the action was refused.

    A refusal is put at its fields, and stays as `form.refused` for a page that can help further.
    """
    if not form.is_valid():
        return None
    try:
        return action()
    except Refused as refused:
        refused.show_in(form)
        form.refused = refused  # type: ignore[attr-defined]
        return None


def form_page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The page with its form; 422 (or the refusal's own status) when something is wrong."""
    form = context["form"]
    refused = getattr(form, "refused", None)
    status = refused.status if refused else 422 if form.errors else 200
    return render(request, template, context, status=status)


TYPED = "typed"
LONGEST_TYPED = 4000


def keep_typed(request: HttpRequest) -> None:
    """Keep what was typed into the form of a button that was refused, for the page it leads to."""
    typed = request.POST.copy()
    typed.pop("csrfmiddlewaretoken", None)
    text = typed.urlencode()
    if len(text) <= LONGEST_TYPED:
        request.session[TYPED] = [request.path, text]


def typed_at(request: HttpRequest, address: str) -> QueryDict | None:
    """What was typed into the form that goes to this address, once, after it was refused."""
    typed = request.session.get(TYPED)
    if not typed or typed[0] != address:
        return None
    del request.session[TYPED]
    return QueryDict(typed[1])
