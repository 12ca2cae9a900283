"""Pages behind a signed link: the door, the wall. Whoever holds the link is let in, nobody else."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.sessions.models import Session
from league.sessions.throttle import address_of, count, refuse_over

MOST_WRONG = 30
"""Dead or forged codes from one address in ten minutes."""

Shown = Callable[[HttpRequest, Session], HttpResponse]


def by_link(
    read: Callable[[str], Session | None], *, shut: str
) -> Callable[[Shown], Callable[..., HttpResponse]]:
    """Give a view the session its link's code is for; the page `shut` (403) for a dead code."""

    def decorate(view: Shown) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, code: str) -> HttpResponse:
            wrong = f"wrong-links:{address_of(request)}"
            refuse_over(wrong, MOST_WRONG)
            club_session = read(code)
            if club_session is None:
                count(wrong)
                return render(request, shut, status=403)
            response = view(request, club_session)
            response.headers.setdefault("Cache-Control", "private, no-store")
            # The origin alone, so that the code in the address goes nowhere. Not "no-referrer":
            # that makes browsers post `Origin: null`, which the CSRF check rightly refuses.
            response.headers.setdefault("Referrer-Policy", "strict-origin")
            response.headers.setdefault("X-Robots-Tag", "noindex")
            return response

        return guarded

    return decorate
