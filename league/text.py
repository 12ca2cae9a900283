"""No sign that is no text gets in: NUL, which PostgreSQL refuses, and halves of UTF-16 pairs.

Forms refuse them too, where they check their fields; this is for every value that a view reads by
itself, and for the next one that somebody adds.
"""

import json
import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.utils.translation import gettext as _

from league.errors import Refused, refusal_page

UTF_8 = "utf-8"
NO_TEXT = re.compile("[\x00\ud800-\udfff]")


class TextMiddleware:
    """Answers 400, naming the field, where a form, a query or JSON holds what is no text.

    An address with such a sign names nothing (404); a cookie with one is as good as none.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.encoding or UTF_8).lower() not in (UTF_8, "utf8"):
            raise BadRequest("Only UTF-8 is read here.")  # other codecs raise, or make such signs
        spoilt = [name for name, value in request.COOKIES.items() if NO_TEXT.search(name + value)]
        for name in spoilt:  # before the session is looked up by it
            del request.COOKIES[name]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        """Late enough for a page of the site to be shown, and before any view."""
        if NO_TEXT.search(request.path_info):
            raise Http404
        field = next((name for name, value in _sent(request) if NO_TEXT.search(value)), None)
        return None if field is None else refusal_page(request, _refusal(field))


def _sent(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Every name and value of a request; a name is a value too. Names of files Django cleans."""
    try:
        parts = (request.GET, request.POST)
    except UnreadablePostError:  # gone while it was sent: the view will see
        return
    for part in parts:
        for name, values in part.lists():
            yield from ((name, value) for value in (name, *values))
    if request.content_type == "application/json" and rb"\u" in request.body:
        yield from _strings(request.body)


def _strings(body: bytes) -> Iterator[tuple[str, str]]:
    """Every string in JSON; nothing where it is none, which the view will say."""
    try:
        waiting = [("JSON", json.loads(body))]
    except (ValueError, RecursionError):
        return
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list):
            waiting += [(name, each) for each in value]
        elif isinstance(value, dict):
            waiting += [(name, key) for key in value] + list(value.items())


def _refusal(field: str) -> Refused:
    name = NO_TEXT.sub("\ufffd", field)[:60]
    sentence = _("What was sent as “%(name)s” holds a sign that is no text.") % {"name": name}
    return Refused("no-text", sentence, fields={name: [sentence]}, status=HTTPStatus.BAD_REQUEST)
