"""Pages behind a signed link: the door, the wall, the calendar, mail. Who holds it, is let in."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.limits import Limit, network_of, refuse_over
from league.members.models import Member, Role
from league.sessions.models import Session

WRONG_LINKS = Limit(most=30, within=600)
"""Dead or forged codes from one address. Right ones always open: they are too long to guess."""

Opened = TypeVar("Opened", Session, Role, Member)


def by_link(
    read: Callable[[str], Opened | None], *, shut: str
) -> Callable[[Callable[[HttpRequest, Opened], HttpResponse]], Callable[..., HttpResponse]]:
    """Give a view what its link's code opens; the page `shut` (403) for a dead code."""

    def decorate(
        view: Callable[[HttpRequest, Opened], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, code: str) -> HttpResponse:
            opened = read(code)
            if opened is None:
                refuse_over(f"wrong-link:{network_of(request)}", WRONG_LINKS)
                return render(request, shut, status=403)
            with timezone.override(opened.club.zone):
                response = view(request, opened)
            response.headers.setdefault("Cache-Control", "private, no-store")
            # The origin alone, so that the code in the address goes nowhere. Not "no-referrer":
            # that makes browsers post `Origin: null`, which the CSRF check rightly refuses.
            response.headers.setdefault("Referrer-Policy", "strict-origin")
            response.headers.setdefault("X-Robots-Tag", "noindex")
            return response

        return guarded

    return decorate
