"""Logs that tell no secrets: one line a request, and every line made discreet before it is written.

Addresses of the site can be keys: a table's link, an invitation, a password reset. They must not
stand in a log, where people look who may not use them.
"""

import logging
import re
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# The step of an address after which a secret comes (`/t/<token>`), and how a signed one looks.
SECRET = re.compile(r"/(t|join|door|calendar|invitation|key|confirm-email)/[^/\s\"'?]+")
SIGNED = re.compile(r"/[\w.=-]+:[\w.:=-]{20,}")
# Signs that would let somebody write lines of their own into the log.
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
QUERY = re.compile(r"(?<=[\w/])\?[\w.~%+-]+=[^\s\"']*")

log = logging.getLogger("league.access")


def discreet(text: str) -> str:
    """The text with the secrets of addresses, and all query strings, left out."""
    return QUERY.sub("?…", SIGNED.sub("/…", SECRET.sub(r"/\1/…", text)))


class DiscreetFormatter(logging.Formatter):
    """Makes the whole entry discreet, a traceback's lines too, and its message one line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        record.message = UNPRINTABLE.sub("\ufffd", record.message)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return discreet(super().format(record))


class AccessLogMiddleware:
    """Writes one line for each request: method, path, status, milliseconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        spent = (time.perf_counter() - started) * 1000
        log.info("%s %s %s %.0fms", request.method, request.path, response.status_code, spent)
        return response
