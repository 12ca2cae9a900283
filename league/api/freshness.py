"""Telling a program that nothing has changed, before anything is read."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from league.api.callers import caller_of
from league.api.interface import VERSION, api
from league.play.queries import silently_accepted
from league.sessions.models import Session


class Unchanged(Exception):
    """The program has this answer already: `answer` says so."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer


def unless_changed(request: HttpRequest, club_session: Session) -> None:
    """Answer 304 here and now, if the session has not moved since what the program has.

    Everything that shows of a session raises its revision: hands, seats, names, settings; but for
    what silence has accepted since, which is counted.
    """
    silent = club_session.games.filter(silently_accepted(timezone.now())).count()
    caller = caller_of(request)
    who = "table" if caller.table else caller.rank or "public"
    etag = f'"{VERSION}.{club_session.revision}.{silent}.{who}.{get_language()}"'
    request.etag = etag  # type: ignore[attr-defined]
    answer = get_conditional_response(request, etag=etag)
    if answer is not None and answer.status_code == 304:
        answer["ETag"] = etag
        answer["Cache-Control"] = "private, no-cache"
        patch_vary_headers(answer, ("Authorization",))
        raise Unchanged(answer)


def _unchanged(request: HttpRequest, unchanged: Any) -> HttpResponse:
    answer: HttpResponse = unchanged.answer
    return answer


api.add_exception_handler(Unchanged, _unchanged)
