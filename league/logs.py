"""Logs that tell no secrets: one line a request, every line discreet before it is written."""

import json
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import URLResolver, get_resolver

# A key can come in by any door: an address of its own, a wrong one, one written in capitals or with
# escapes, a form, a header. So nothing that a visitor sent is written unless it is known to be
# harmless: a word that stands in the site's addresses, or an id under which something was found.

HIDDEN = "…"
KEYS = {"token", "key", "code", "secret", "uidb36"}
"""Arguments of addresses that are keys, by their name."""
AT_TABLE = "t/"  # a table's id is half of its code
FOUND = {200, 201, 303, 304, 409, 422}
"""Statuses after which the ids of an address are those of something that is there."""
SHORTEST = 8
"""Letters in a row that are worth hiding."""
LONGEST = 200
"""More letters in a row than any word of the program's own has."""
MOST_SEGMENTS = 12
MOST_UNQUOTED = 3
MOST_SENT = 20_000  # letters
HEADERS = ("QUERY_STRING", "HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_REFERER", "HTTP_X_CSRFTOKEN")
ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
RUN = re.compile(rf"[\w-]{{{SHORTEST},}}")
PLAIN_WORDS = re.compile(r"[a-z_]{1,20}")  # of a list to choose from: "organiser"


def path_for_log(request: HttpRequest, status: int | None) -> str:
    """The path with what is not known to be harmless left out."""
    given = request.path.split("/")
    match = request.resolver_match
    route = match.route.split("/") if match else []
    if match and len(route) == len(given) - 1 and "(" not in match.route:
        known = _known_arguments(request, status)
        shown = [_segment(a, b, known) for a, b in zip(route, given[1:], strict=True)]
    else:
        shown = [one if one in site_words() else HIDDEN for one in given[1:]]
    return "/" + "/".join(shown[:MOST_SEGMENTS])


def _known_arguments(request: HttpRequest, status: int | None) -> set[str]:
    """Which arguments of the address are ids of what was found, by name."""
    match = request.resolver_match
    assert match is not None
    names = set(match.kwargs) - KEYS
    if getattr(request, "club_found", False):  # a redirect may lead to the sign-in page otherwise
        return names if status in FOUND or status == 302 else names & {"slug"}
    return names if status in FOUND and not match.route.startswith(AT_TABLE) else set()


def _segment(of_route: str, given: str, known: set[str]) -> str:
    if ARGUMENT.search(of_route) is None:
        return given
    if known.issuperset(ARGUMENT.findall(of_route)):
        return given
    return ARGUMENT.sub(HIDDEN, of_route)


@cache
def site_words() -> frozenset[str]:
    """Every word that stands between two slashes of the site's addresses."""
    return frozenset(_words(get_resolver().url_patterns)) | {"", "static"}


def _words(patterns: Any) -> Iterator[str]:
    for pattern in patterns:
        for word in re.split(r"[/^$]|\\Z", str(pattern.pattern)):
            if re.fullmatch(r"[\w.-]+", word):
                yield word
        if isinstance(pattern, URLResolver):
            yield from _words(pattern.url_patterns)


def without_what_was_sent(text: str, request: HttpRequest, status: int | None) -> str:
    """The text with the request's path as above, and no long part of anything else it sent."""
    shown = path_for_log(request, status)
    harmless = site_words() | {*RUN.findall(shown)}
    runs = (run for one in _sent(request) for run in RUN.findall(one) if run not in harmless)
    sent = "\n".join(runs).casefold()[:MOST_SENT]
    text = text.replace(request.path, shown)
    return RUN.sub(lambda run: HIDDEN if _shares(run[0], sent) else run[0], text)


def _shares(run: str, sent: str) -> bool:
    """Whether so many letters in a row stand in both, or it is too long to be a word of ours."""
    if not sent or len(run) > LONGEST:
        return len(run) > LONGEST
    run, starts = run.casefold(), range(len(run) - SHORTEST + 1)
    return any(run[at : at + SHORTEST] in sent for at in starts)


def _sent(request: HttpRequest) -> Iterator[str]:
    """What the visitor sent, as it came and with its escapes undone. A body not read is left so."""
    texts = [request.path, *(str(request.META.get(name, "")) for name in HEADERS)]
    post = getattr(request, "_post", None)  # `request.POST` would read the body now
    if isinstance(post, QueryDict):
        values = (value for _, listed in post.lists() for value in listed)
        texts += [value for value in values if not PLAIN_WORDS.fullmatch(value)]
    for text in texts:
        for _again in range(MOST_UNQUOTED):
            yield text
            text = unquote(text)


# Every line carries the id of the request it is about; so does the answer (`X-Request-ID`).
# Addresses of the site can be keys: a table's link, an invitation, a password reset. They must not
# stand in a log, where people look who may not use them. What a visitor sent is left out of the
# lines of the request (league/logs.py); what looks like a key is left out of every line.

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
    """The text with the secrets of addresses, what looks like a key, query strings, the rows
    that PostgreSQL quotes, and the folder of who is signed in to the computer left out."""
    home = os.path.expanduser("~")  # on a laptop a person's name: C:\\Users\\Ruth Delgado
    text = ROW.sub(rf"\1{HIDDEN}", text.replace(home, "~") if len(home) > 1 else text)
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
    """The same as one JSON object a line, for programs that gather logs.

    python-json-logger would write every extra of a record, Django's `request` among them, and each
    value would still have to be made discreet here.
    """

    def format(self, record: logging.LogRecord) -> str:
        data = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request_id", NO_REQUEST),
            "message": _about_request(record, UNPRINTABLE.sub("\ufffd", record.getMessage())),
        } | getattr(record, "figures", {})
        if record.exc_info:
            data["traceback"] = _about_request(record, self.formatException(record.exc_info))
        return json.dumps(data, ensure_ascii=False)


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
