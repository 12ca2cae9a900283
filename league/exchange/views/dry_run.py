"""A sheet's page: the file, then what it would do before anything is done, then all of it or
nothing."""

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from league.exchange.forms import SheetForm, packed
from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble, read_rows
from league.members.audit import Actor, actor_of
from league.members.models import Club
from league.members.views.answers import attempt

MOST = 5000


class Preview(Protocol):
    """What a sheet would do; nothing, where it has troubles."""

    @property
    def troubles(self) -> list[Trouble]: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """The order to do what was seen: `agreed` is the mark of it, `also` the lines beside it."""

    agreed: str
    also: Sequence[int]
    by: Actor
    at: datetime


@dataclass(frozen=True, slots=True)
class Import:
    """What one kind of sheet has of its own.

    `what` names its template and its example, `back` the page it leads back to; `passed_over` are
    columns our own export has besides. `look` says what its rows would do, `order` does it, `words`
    tell how many it made.
    """

    what: str
    columns: Sequence[str]
    needed: Sequence[str]
    look: Callable[[Club, list[Row], datetime], Preview]
    order: Callable[[Club, list[Row], Asked], Sized]
    words: Callable[[int], str]
    back: str = "sessions"
    passed_over: Sequence[str] = ()


def import_page(request: HttpRequest, club: Club, kind: Import) -> HttpResponse:
    """The form, or what is found in its sheet; after a change meanwhile, what is found now.

    A file that is no sheet stays in the form, with the reason at its field.
    """
    form = SheetForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid() and form.cleaned_data["agreed"]:
        told = form.cleaned_data
        asked = Asked(told["agreed"], told["also"], actor_of(request), timezone.now())
        made = attempt(form, lambda: kind.order(club, _rows(form, kind), asked))
        if made is not None:
            messages.success(request, kind.words(len(made)) % {"n": len(made)})
            return redirect(kind.back, club.slug)
    found = _found(form, lambda: kind.look(club, _rows(form, kind), timezone.now()))
    refused = getattr(form, "refused", None)
    wrong = bool(form.errors) or bool(found and found.troubles)
    status = refused.status if refused else 422 if wrong else 200
    context: dict[str, Any] = {
        "club": club,
        "here": kind.back,
        "what": kind.what,
        "needed": kind.needed,
        "columns": kind.columns,
        "form": form,
        "found": found,
        "carried": packed(form.content) if found else "",
    }
    return render(request, f"exchange/{kind.what}.html", context, status=status)


def _rows(form: SheetForm, kind: Import) -> list[Row]:
    known = (*kind.columns, *kind.passed_over)
    return read_rows(form.content, known=known, needed=kind.needed, most=MOST)


def _found(form: SheetForm, look: Callable[[], Preview]) -> Preview | None:
    refused = getattr(form, "refused", None)
    if refused and refused.status == 409:
        return look()
    return attempt(form, look) if form.is_bound else None
