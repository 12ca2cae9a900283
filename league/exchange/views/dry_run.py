"""A sheet's page: the file, then what it would do before anything is done."""

from collections.abc import Callable
from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.exchange.forms import SheetForm, packed
from league.exchange.sheet_trouble import Trouble
from league.members.views.answers import attempt


class Preview(Protocol):
    """What a sheet would do; nothing, where it has troubles."""

    @property
    def troubles(self) -> list[Trouble]: ...


def dry_run(
    request: HttpRequest,
    template: str,
    form: SheetForm,
    look: Callable[[], Preview],
    context: dict[str, Any],
) -> HttpResponse:
    """The form, or what `look` finds in its sheet; after a change meanwhile, what it finds now.

    A file that is no sheet stays in the form, with the reason at its field.
    """
    found = _found(form, look)
    refused = getattr(form, "refused", None)
    wrong = bool(form.errors) or bool(found and found.troubles)
    status = refused.status if refused else 422 if wrong else 200
    carried = packed(form.content) if found else ""
    context = context | {"form": form, "found": found, "carried": carried}
    return render(request, template, context, status=status)


def _found(form: SheetForm, look: Callable[[], Preview]) -> Preview | None:
    refused = getattr(form, "refused", None)
    if refused and refused.status == 409:
        return look()
    return attempt(form, look) if form.is_bound else None
