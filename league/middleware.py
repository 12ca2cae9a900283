"""Middleware: no sign that is no text, no file too large, and headers for privacy."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from typing import Any

from csp.constants import HEADER as POLICY
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.utils.translation import gettext as _

from league.errors import Refused, refusal_page

# Forms refuse them too, where they check their fields; this is for every value that a view reads by
# itself, and for the next one that somebody adds.

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
    sentence = _("“%(name)s” contains a character that can't be used.") % {"name": name}
    return Refused("no-text", sentence, fields={name: [sentence]}, status=HTTPStatus.BAD_REQUEST)


class RefuseLargeUploads(FileUploadHandler):
    """Looks at the length a request announces; files themselves are kept by the next handler."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        usual = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        if content_length > settings.LARGER_UPLOADS.get(META.get("PATH_INFO"), usual):
            raise RequestDataTooBig("The file is larger than any this site takes.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


# A phone's camera scans the code before it opens our page; no page of ours needs any of these.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
DEBUG_PAGES = (404, 500)  # with DEBUG, Django's own, whose styles are inline


class PrivacyMiddleware:
    """Lets nobody find a private page in a shared phone's history or a proxy's store.

    A page is private when the visitor carries a cookie that says who she is or which table she
    sits at, or is given one. A view that sets `Cache-Control` itself knows better. The policy of
    what a page may load is one for all pages, and so put together once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if not (settings.DEBUG and response.status_code in DEBUG_PAGES):
            response.headers.setdefault(POLICY, self.policy)
        if "Cache-Control" not in response and _is_private(request, response):
            response["Cache-Control"] = "private, no-store"
        return response


def _is_private(request: HttpRequest, response: HttpResponse) -> bool:
    return tells_who([*request.COOKIES, *response.cookies])


def tells_who(cookies: Iterable[str]) -> bool:
    """Whether among cookies of these names one says who somebody is, or where she sits."""
    return bool({*cookies} - {settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})
