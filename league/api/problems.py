"""Errors as problem details (RFC 9457), whoever raised them: ours, ninja's, Django's, the server's.

Every answer of 400 and above under `/api/` is `application/problem+json` with `code` for programs,
`title` and `fields` for people.
"""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from league.api.shapes.games import hand_shape
from league.errors import Refused
from league.play.models import Hand
from league.play.problems import problem

HERE = "/api/"
CODES = {
    400: "bad-request",
    401: "no-token",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "not-json",
    429: "too-many-requests",
    503: "busy",
}


def tell_problems(api: NinjaAPI) -> None:
    """Let the API answer errors as problem details; what is our own trouble is left to crash."""
    api.add_exception_handler(Refused, _refused)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(HttpError, _http)
    api.add_exception_handler(Http404, lambda request, error: problem_of(404))
    api.add_exception_handler(Exception, _crash)


def problem_of(status: int) -> HttpResponse:
    """A problem of which nothing is known but its status."""
    titles = {
        400: _("This request cannot be read."),
        401: _("A token is needed: Authorization: Bearer …"),
        403: _("That may not be done."),
        404: _("There is no such thing here."),
        405: _("This address does not take this method."),
        413: _("This is too much."),
        415: _("JSON was expected."),
        503: _("The site is busy; nothing was saved. Send the same again in a moment."),
    }
    title = titles.get(status) or _("Something went wrong on our side.")
    response = problem(Refused(CODES.get(status, "error"), title, status=status))
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


class ProblemMiddleware:
    """Makes problem details of whatever error page anything else answered under `/api/`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        told = response.get("Content-Type", "") == "application/problem+json"
        if not request.path_info.startswith(HERE) or response.status_code < 400:
            return response
        if not told:
            response = _told_instead(response)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _told_instead(response: HttpResponse) -> HttpResponse:
    refused = getattr(response, "refused", None)
    instead = problem(refused) if refused else problem_of(response.status_code)
    for header in ("Allow", "Retry-After"):
        if header in response:
            instead[header] = response[header]
    return instead


def _refused(request: HttpRequest, refused: Any) -> HttpResponse:
    details = dict(refused.details)
    wait = details.pop("retry_after", None)
    response = problem(refused, **_shown(details))
    if wait is not None:
        response["Retry-After"] = str(wait)
    if refused.status == 401:
        response["WWW-Authenticate"] = 'Bearer error="invalid_token"'
    return response


def _shown(details: dict[str, Any]) -> dict[str, Any]:
    """What helps a program further: the faults; of a clash the hand that is there and its own."""
    told = ("faults", "warnings", "same")
    more: dict[str, Any] = {name: details[name] for name in told if name in details}
    there = details.get("hand")
    if isinstance(there, Hand):
        more["theirs"] = hand_shape(there, said=True).model_dump(mode="json")
    if "yours" in details:
        more["mine"] = details["yours"]
    return more


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    """A body or a parameter that is not as described: every fault at its field."""
    fields: dict[str, list[str]] = {}
    for fault in error.errors:
        where = [str(step) for step in fault["loc"] if step not in ("body", "query", "path")]
        fields.setdefault(".".join(where[-6:]), []).append(
            fault["msg"].removeprefix("Value error, ")
        )
    title = _("Nothing was done: something here cannot be.")
    return problem(Refused("bad-form", title, fields=fields))


def _http(request: HttpRequest, error: Any) -> HttpResponse:
    return problem_of(error.status_code)


def _crash(request: HttpRequest, error: Any) -> HttpResponse:
    raise error
