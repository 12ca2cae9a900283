"""Middleware that refuses invalid characters and large files, and sets privacy headers."""

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

# Forms refuse such characters too; the middleware covers every value that a view reads itself.

UTF_8 = "utf-8"
NO_TEXT = re.compile("[\x00\ud800-\udfff]")


class TextMiddleware:
    """Answers 400, naming the field, if a form, a query or JSON has NUL or surrogate characters.

    A path with one is a 404; a cookie with one is ignored.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.encoding or UTF_8).lower() not in (UTF_8, "utf8"):
            raise BadRequest("Only UTF-8 is read here.")  # others raise, or yield such characters
        invalid = [name for name, value in request.COOKIES.items() if NO_TEXT.search(name + value)]
        for name in invalid:  # before a session is looked up by it
            del request.COOKIES[name]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        """Refuse the request before its view, but late enough to show a page of the site."""
        if NO_TEXT.search(request.path_info):
            raise Http404
        field = next((name for name, value in _sent(request) if NO_TEXT.search(value)), None)
        return None if field is None else refusal_page(request, _refusal(field))


def _sent(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """The values of a request by field; names count as values too. Django cleans file names."""
    try:
        parts = (request.GET, request.POST)
    except UnreadablePostError:  # the connection broke: left to the view
        return
    for part in parts:
        for name, values in part.lists():
            yield from ((name, value) for value in (name, *values))
    if request.content_type == "application/json" and rb"\u" in request.body:
        yield from _strings(request.body)


def _strings(body: bytes) -> Iterator[tuple[str, str]]:
    """Every string in a JSON body by its name; nothing for invalid JSON, which the view refuses."""
    try:
        stack = [("JSON", json.loads(body))]
    except (ValueError, RecursionError):
        return
    while stack:
        name, value = stack.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list):
            stack += [(name, item) for item in value]
        elif isinstance(value, dict):
            stack += [(name, key) for key in value] + list(value.items())


def _refusal(field: str) -> Refused:
    name = NO_TEXT.sub("\ufffd", field)[:60]
    sentence = _("“%(name)s” contains a character that can't be used.") % {"name": name}
    return Refused("no-text", sentence, fields={name: [sentence]}, status=HTTPStatus.BAD_REQUEST)


class RefuseLargeUploads(FileUploadHandler):
    """Refuses requests by their announced length; the next handler stores the files."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        default = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        if content_length > settings.LARGER_UPLOADS.get(META.get("PATH_INFO"), default):
            raise RequestDataTooBig("The file is larger than any this site takes.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


# No page needs any of these: phones scan codes with their own camera app.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
DEBUG_PAGES = (404, 500)  # with DEBUG these are Django's own pages, which have inline styles


class PrivacyMiddleware:
    """Keeps private pages out of the history of shared phones and the caches of proxies.

    A page is private if the request or the response has a cookie that identifies the visitor or
    their table. A `Cache-Control` header set by the view is left alone. The content security policy
    is the same for all pages, and built once.
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
    return has_identity([*request.COOKIES, *response.cookies])


def has_identity(cookies: Iterable[str]) -> bool:
    """Whether a cookie with one of these names identifies the visitor or their table."""
    return bool({*cookies} - {settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})
