"""Logs without secrets: one line per request, and every line is redacted before it is written."""

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

# A secret can be anywhere in a request: in its own URL, a mistyped one, one in capitals or with
# escapes, a form, a header. So nothing that a visitor sent is logged unless it is known to be
# harmless: a word from the site's URLs, or an id that exists.

HIDDEN = "…"
KEYS = {"token", "key", "code", "secret", "uidb36"}
"""URL arguments that are secrets, by name."""
AT_TABLE = "t/"  # a table's id is half of its code
FOUND = {200, 201, 303, 304, 409, 422}
"""Statuses that show that the ids in a URL exist."""
SHORTEST = 8
"""The length from which a run of letters is hidden."""
LONGEST = 200
"""Longer than any word of the program itself."""
MOST_SEGMENTS = 12
MOST_UNQUOTED = 3
MOST_SENT = 20_000  # letters
HEADERS = ("QUERY_STRING", "HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_REFERER", "HTTP_X_CSRFTOKEN")
ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
RUN = re.compile(rf"[\w-]{{{SHORTEST},}}")
PLAIN_WORDS = re.compile(r"[a-z_]{1,20}")  # values of a choice, like "organiser"


def path_for_log(request: HttpRequest, status: int | None) -> str:
    """The request's path, without the parts that are not known to be harmless."""
    _empty, *segments = request.path.split("/")
    match = request.resolver_match
    route = match.route.split("/") if match else []
    if match and len(route) == len(segments) and "(" not in match.route:
        existing = _existing_arguments(request, status)
        logged = [
            _segment(pattern, segment, existing)
            for pattern, segment in zip(route, segments, strict=True)
        ]
    else:
        logged = [segment if segment in site_words() else HIDDEN for segment in segments]
    return "/" + "/".join(logged[:MOST_SEGMENTS])


def _existing_arguments(request: HttpRequest, status: int | None) -> set[str]:
    """The names of the URL arguments that are ids of existing objects."""
    match = request.resolver_match
    assert match is not None
    names = set(match.kwargs) - KEYS
    if getattr(request, "club_found", False):  # else a redirect may lead to the sign-in page
        return names if status in FOUND or status == 302 else names & {"slug"}
    return names if status in FOUND and not match.route.startswith(AT_TABLE) else set()


def _segment(pattern: str, segment: str, existing: set[str]) -> str:
    if ARGUMENT.search(pattern) is None:
        return segment
    if existing.issuperset(ARGUMENT.findall(pattern)):
        return segment
    return ARGUMENT.sub(HIDDEN, pattern)


@cache
def site_words() -> frozenset[str]:
    """Every fixed path segment of the site's URLs."""
    return frozenset(_words(get_resolver().url_patterns)) | {"", "static"}


def _words(patterns: Any) -> Iterator[str]:
    for pattern in patterns:
        for word in re.split(r"[/^$]|\\Z", str(pattern.pattern)):
            if re.fullmatch(r"[\w.-]+", word):
                yield word
        if isinstance(pattern, URLResolver):
            yield from _words(pattern.url_patterns)


def without_sent_text(text: str, request: HttpRequest, status: int | None) -> str:
    """The text with the request's path redacted, and no long part of anything else it sent."""
    path = path_for_log(request, status)
    harmless = site_words() | {*RUN.findall(path)}
    runs = (
        run for sent in _sent_texts(request) for run in RUN.findall(sent) if run not in harmless
    )
    sent_runs = "\n".join(runs).casefold()[:MOST_SENT]
    text = text.replace(request.path, path)
    return RUN.sub(lambda run: HIDDEN if _is_sent(run[0], sent_runs) else run[0], text)


def _is_sent(run: str, sent_runs: str) -> bool:
    """Whether a run shares `SHORTEST` letters with what was sent, or is too long for our words."""
    if not sent_runs or len(run) > LONGEST:
        return len(run) > LONGEST
    run, starts = run.casefold(), range(len(run) - SHORTEST + 1)
    return any(run[start : start + SHORTEST] in sent_runs for start in starts)


def _sent_texts(request: HttpRequest) -> Iterator[str]:
    """What the visitor sent, raw and unquoted. A body that nothing has read yet stays unread."""
    texts = [request.path, *(str(request.META.get(name, "")) for name in HEADERS)]
    post = getattr(request, "_post", None)  # `request.POST` would read the body now
    if isinstance(post, QueryDict):
        post_values = (value for _, values in post.lists() for value in values)
        texts += [value for value in post_values if not PLAIN_WORDS.fullmatch(value)]
    for text in texts:
        for _time in range(MOST_UNQUOTED):
            yield text
            text = unquote(text)


# Every line has the id of its request, which the response has too (`X-Request-ID`). URLs can be
# secrets: a table's link, an invitation, a password reset. People who read the logs must not be
# able to use them. What a visitor sent is left out of the lines about the request; what looks like
# a secret is left out of every line.

# A path segment before a secret (`/t/<token>`), and the form of a signed secret.
SECRET = re.compile(
    r"(?:/|%2f)(t|join|door|wall|calendar|key|confirm-email)(?:/|%2f)[^/\s\"'?]+", re.IGNORECASE
)
SIGNED = re.compile(r"(?<![\w.=-])[\w.=-]+:[\w.:=-]{20,}")
# As long as a secret; hidden if it also has lower case, upper case and digits.
LONG = re.compile(r"[\w-]{24,}")
# PostgreSQL adds to errors: "DETAIL:  Key (name)=(Rose Wynter) already exists."
ROW = re.compile(r"((?:DETAIL|CONTEXT):  ).*")
# Characters with which a visitor could forge lines of the log.
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
    """The text without secrets in URLs, what looks like a secret, query strings, rows that
    PostgreSQL quotes, and the path of the home folder."""
    home = os.path.expanduser("~")  # on a laptop it has a person's name: C:\\Users\\Ruth Delgado
    text = ROW.sub(rf"\1{HIDDEN}", text.replace(home, "~") if len(home) > 1 else text)
    text = SIGNED.sub(HIDDEN, SECRET.sub(rf"/\1/{HIDDEN}", text))
    return QUERY.sub(f"?{HIDDEN}", LONG.sub(_hide_if_mixed, text))


def _hide_if_mixed(run: re.Match[str]) -> str:
    word = run[0]
    is_mixed = not (word.islower() or word.isupper()) and any(letter.isdigit() for letter in word)
    return HIDDEN if is_mixed else word


def _redacted(record: logging.LogRecord, text: str) -> str:
    """The text of a record, without secrets and without what its request sent."""
    request = getattr(record, "request", None) or _request.get()
    if isinstance(request, HttpRequest) and not getattr(record, "figures", None):
        text = without_sent_text(text, request, getattr(record, "status_code", None))
    return discreet(text)


class DiscreetFormatter(logging.Formatter):
    """Redacts the whole entry, including a traceback, and puts its message on one line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        record.message = UNPRINTABLE.sub("\ufffd", record.message)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return _redacted(record, super().format(record))


class JsonFormatter(DiscreetFormatter):
    """The same as one JSON object per line, for programs that collect logs.

    python-json-logger would write every extra of a record, such as Django's `request`, and each
    value would still have to be redacted here.
    """

    def format(self, record: logging.LogRecord) -> str:
        data = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request_id", NO_REQUEST),
            "message": _redacted(record, UNPRINTABLE.sub("\ufffd", record.getMessage())),
        } | getattr(record, "figures", {})
        if record.exc_info:
            data["traceback"] = _redacted(record, self.formatException(record.exc_info))
        return json.dumps(data, ensure_ascii=False)


class WithRequest(logging.Filter):
    """Gives every entry the id of the current request, else a dash.

    A refused request (too large, unknown host, not allowed, not found, ...) is logged as one line
    without what was sent. With a traceback through Django's code, visitors could fill the disk.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        if record.name.startswith(SUSPICIOUS):
            record.msg, record.args = _without_quotes(record), ()
        if record.name.startswith(SUSPICIOUS) or getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


def _without_quotes(record: logging.LogRecord) -> str:
    """Django's message about a suspicious request, without quoted parts."""
    kind = record.name.removeprefix(SUSPICIOUS)
    if kind == "DisallowedHost":
        return "a Host header that is not in ALLOWED_HOSTS"
    if kind == "csrf":
        return OTHER_SITE.sub(r"\1", record.getMessage())
    return record.getMessage() if kind in QUOTES_NOTHING else "a request that is refused"


class AccessLogMiddleware:
    """Logs one line for each request: method, path, status, milliseconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        # Our own id, not one from the client, who must not choose what is in the log.
        id_token, request_token = _request_id.set(secrets.token_hex(6)), _request.set(request)
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
            _request_id.reset(id_token)
            _request.reset(request_token)


def _method(request: HttpRequest) -> str:
    """The HTTP method; hidden if it is not a standard one, since a client may send any word."""
    return str(request.method) if request.method in METHODS else HIDDEN
