"""Logs that tell no secrets: one line a request, and every line made discreet before it is written.

Every line carries the id of the request it is about; so does the answer (`X-Request-ID`).

Addresses of the site can be keys: a table's link, an invitation, a password reset. They must not
stand in a log, where people look who may not use them. What a visitor sent is left out of the lines
of the request (league/log_secrets.py); what looks like a key is left out of every line.
"""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse

from league.log_secrets import HIDDEN, path_for_log, without_what_was_sent

# The step of an address after which a secret comes (`/t/<token>`), and how a signed one looks.
SECRET = re.compile(
    r"(?:/|%2f)(t|join|door|wall|calendar|key|confirm-email)(?:/|%2f)[^/\s\"'?]+", re.IGNORECASE
)
SIGNED = re.compile(r"(?<![\w.=-])[\w.=-]+:[\w.:=-]{20,}")
# As long as a key; hidden where it is as mixed: small letters, capitals and digits.
LONG = re.compile(r"[\w-]{24,}")
# What PostgreSQL adds to an error: "DETAIL:  Key (name)=(Rose Wynter) already exists."
ROW = re.compile(r"((?:DETAIL|CONTEXT):  ).*")
# Signs that would let somebody write lines of their own into the log.
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
QUERY = re.compile(r"(?<=[\w/])\?[\w.~%+-]+=[^\s\"']*")
SUSPICIOUS = "django.security."
QUOTES_NOTHING = {"RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent"}
# "Origin checking failed - https://rose.example does not match any trusted origins."
OTHER_SITE = re.compile(r"((?:Origin|Referer) checking failed) - .*(?= does not match)", re.DOTALL)

NO_REQUEST = "-"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
_request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
log = logging.getLogger("league.access")


def discreet(text: str) -> str:
    """The text with the secrets of addresses, what looks like a key, query strings, and the rows
    that PostgreSQL quotes left out."""
    text = ROW.sub(rf"\1{HIDDEN}", text)
    text = SIGNED.sub(HIDDEN, SECRET.sub(rf"/\1/{HIDDEN}", text))
    return QUERY.sub(f"?{HIDDEN}", LONG.sub(_unless_mixed, text))


def _unless_mixed(run: re.Match[str]) -> str:
    word = run[0]
    mixed = not (word.islower() or word.isupper()) and any(sign.isdigit() for sign in word)
    return HIDDEN if mixed else word


def _about_request(record: logging.LogRecord, text: str) -> str:
    """The text of a record without anything secret, of the request it is about or of any other."""
    request = getattr(record, "request", None) or _request.get()
    if isinstance(request, HttpRequest) and not getattr(record, "figures", None):
        text = without_what_was_sent(text, request, getattr(record, "status_code", None))
    return discreet(text)


class DiscreetFormatter(logging.Formatter):
    """Makes the whole entry discreet, a traceback's lines too, and its message one line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        record.message = UNPRINTABLE.sub("\ufffd", record.message)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return _about_request(record, super().format(record))


class JsonFormatter(DiscreetFormatter):
    """The same as one JSON object a line, for programs that gather logs."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request_id", NO_REQUEST),
            "message": _about_request(record, UNPRINTABLE.sub("\ufffd", record.getMessage())),
        } | getattr(record, "figures", {})
        if record.exc_info:
            told["traceback"] = _about_request(record, self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


class WithRequest(logging.Filter):
    """Gives every entry the id of the request that is being answered, else a dash.

    What is refused in a request (too large, a host of no site of ours, not allowed, not found, ...)
    is the visitor's doing and one line without what they sent: a traceback through Django's own
    code would let anybody fill the disk.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        if record.name.startswith(SUSPICIOUS):
            record.msg, record.args = _without_quotes(record), ()
        if record.name.startswith(SUSPICIOUS) or getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


def _without_quotes(record: logging.LogRecord) -> str:
    """What Django says of a suspicious request, without the parts that it quotes."""
    kind = record.name.removeprefix(SUSPICIOUS)
    if kind == "DisallowedHost":
        return "a Host header that is not in ALLOWED_HOSTS"
    if kind == "csrf":
        return OTHER_SITE.sub(r"\1", record.getMessage())
    return record.getMessage() if kind in QUOTES_NOTHING else "a request that is refused"


class AccessLogMiddleware:
    """Writes one line for each request: method, path, status, milliseconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        # Ours and not the client's: nobody else may choose what stands in the log.
        name, about = _request_id.set(secrets.token_hex(6)), _request.set(request)
        try:
            response = self.get_response(request)
            spent = (time.perf_counter() - started) * 1000
            response.headers["X-Request-ID"] = _request_id.get()
            path = path_for_log(request, response.status_code)
            figures = {"method": _method(request), "status": response.status_code}
            log.info(
                "%s %s %s %.0fms",
                *(_method(request), path, response.status_code, spent),
                extra={"figures": figures | {"ms": round(spent)}},
            )
            return response
        finally:
            _request_id.reset(name)
            _request.reset(about)


def _method(request: HttpRequest) -> str:
    """The method, where it is one that there is: a client may send any word."""
    return str(request.method) if request.method in METHODS else HIDDEN
