"""The server's door: a request is read whole, within limits, before the site hears of it.

The site answers with few threads (one on SQLite), so none of them may wait for a phone that stops
in the middle of sending. Granian's own door for WSGI hands the body over as it comes in; this one,
which Granian calls RSGI, waits for it in an event loop, where waiting costs next to nothing.
"""

import asyncio
import io
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from granian.rsgi import HTTPProtocol, Scope

from league.limits import NOT_BEFORE

Headers = list[tuple[str, str]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

LARGEST = 6_000_000  # bytes of a body: the largest file, and a form around it
SMALL = 65_536  # bytes: a hand, a form; always taken in
MOST_HELD = 60_000_000  # bytes of larger bodies under way at once
PATIENCE = 20  # seconds for a body to arrive ...
SLOWEST = 32_768  # ... and one more for every so many bytes of it

CONNECTIONS = 8192  # of all phones, those at rest too
SITE = "league.wsgi:server"
GRANIAN = (
    "--interface=rsgi",
    "--http=1",  # what phones and proxies speak without a certificate
    "--http1-header-read-timeout=15000",
    "--backlog=1024",
    f"--backpressure={CONNECTIONS}",
    "--respawn-failed-workers",
    "--workers-kill-timeout=3",
    "--no-ws",
    "--log-level=warning",
)
"""How Granian is started. Its access log is off: it would write tables' links. Ours: logs.py."""


def allow_many_connections() -> None:
    """Phones that hang must not use up the files a process may open, often 256 or 1,024."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = CONNECTIONS + 1024
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


REFUSALS = {
    HTTPStatus.BAD_REQUEST: "Please name the host (Host).",
    HTTPStatus.REQUEST_TIMEOUT: "The connection was too slow. Nothing was saved. Please try again.",
    HTTPStatus.LENGTH_REQUIRED: "Please send the length of the request (Content-Length).",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "This is larger than anything this page takes.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Too many large files are on their way. Please try again.",
}
NO_SENDER = (
    "The proxy sends X-Forwarded-Proto without X-Forwarded-For: all its visitors share one "
    "address, and with it the limits of one. Let it send both (docs/server.md)."
)
log = logging.getLogger("league.access")


class NotTaken(Exception):
    """A request that the site never hears of, with the status it is answered with."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class WholeRequests:
    """A WSGI application behind Granian's RSGI, called with whole requests, so many at a time.

    One at a time is answered in the event loop's own thread: handing each request to another
    thread and back costs a fifth of the CPU of a saved hand, and the loop has nothing to do
    meanwhile (Granian takes requests in, and sends answers, in threads of its own).
    """

    def __init__(
        self, wsgi: Wsgi, *, threads: int, larger: Mapping[str, int] | None = None
    ) -> None:
        """`larger`: pages that take a larger body than others, from this computer itself alone."""
        self.wsgi, self.larger = wsgi, larger or {}
        self.threads = ThreadPoolExecutor(threads, "answer") if threads > 1 else None
        self.held = 0  # bytes of large bodies under way

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        try:
            body = await self._body(scope, protocol)
        except NotTaken as refused:
            log.info("A request was not taken in: %s", refused.status.phrase)
            text = REFUSALS[refused.status] + "\n"
            headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
            if refused.status == HTTPStatus.SERVICE_UNAVAILABLE:
                headers.append(("retry-after", "5"))
            protocol.response_bytes(refused.status, headers, text.encode())
            return
        if body is None:  # hung up half way: nobody is there to be answered
            protocol.response_empty(HTTPStatus.BAD_REQUEST, [("connection", "close")])
            return
        environment = environ(scope, body)
        if self.threads is None:
            with as_without_a_loop():
                answer = self._answer(environment)
        else:
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self.threads, self._answer, environment)
        if NOT_BEFORE in environment:  # waiting here holds no thread
            await asyncio.sleep(environment[NOT_BEFORE] - time.monotonic())
        protocol.response_bytes(*answer)

    async def _body(self, scope: Scope, protocol: HTTPProtocol) -> bytes | None:
        """The whole body, or None when its sender went away before the end."""
        length = body_length(scope, self._largest(scope))
        if not length:
            return b""
        try:
            with self._room(length):
                async with asyncio.timeout(PATIENCE + length / SLOWEST):
                    return await protocol()
        except TimeoutError:
            raise NotTaken(HTTPStatus.REQUEST_TIMEOUT) from None
        except RuntimeError:  # of Granian: the stream broke
            return None

    def _largest(self, scope: Scope) -> int:
        is_here = scope.client.rpartition(":")[0] in ("127.0.0.1", "[::1]")
        return self.larger.get(scope.path, LARGEST) if is_here else LARGEST

    @contextmanager
    def _room(self, length: int) -> Iterator[None]:
        """Keep memory for a body that is on its way; small ones never have to wait for it."""
        held = length if length > SMALL else 0
        if held and self.held and self.held + held > MOST_HELD:
            raise NotTaken(HTTPStatus.SERVICE_UNAVAILABLE)
        self.held += held
        try:
            yield
        finally:
            self.held -= held

    def _answer(self, environ: dict[str, Any]) -> tuple[int, Headers, bytes]:
        """What the site answers, whole too: a phone that reads slowly holds no thread either."""
        begun: list[tuple[str, Headers]] = []

        def start_response(status: str, headers: Headers, *_: Any) -> None:
            begun.append((status, headers))

        pieces = self.wsgi(environ, start_response)
        try:
            body = b"".join(pieces)
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
        status, headers = begun[-1]
        return int(status[:3]), headers, body

    # Python keeps the frames of calls in pieces of 16 kB. Where a page's loops call across the end
    # of one, each call asks the system for a piece and gives it back, 120 times a standings page:
    # a third of its CPU. One frame of this many words brings a piece that has room for all.
    _answer.__code__ = _answer.__code__.replace(co_stacksize=9_000)


@contextmanager
def as_without_a_loop() -> Iterator[None]:
    """Run synchronous code in the loop's thread: Django refuses to where it sees a running loop,
    since other tasks could come between. None can here: the block awaits nothing."""
    loop = asyncio.get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


def body_length(scope: Scope, largest: int = LARGEST) -> int:
    """Bytes of the body that is announced. Raises NotTaken where it is too large or not said, and
    where HTTP/1.1 names no host: nothing else may stand for it."""
    if scope.http_version != "1" and not scope.headers.get("host"):
        raise NotTaken(HTTPStatus.BAD_REQUEST)
    if "transfer-encoding" in scope.headers:
        raise NotTaken(HTTPStatus.LENGTH_REQUIRED)
    length = int(scope.headers.get("content-length") or 0)  # Granian refuses what is no number
    if length > largest:
        raise NotTaken(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return length


CHARSET = re.compile(r";\s*charset\s*=\s*(\"[^\"]*\"|[^;\s]*)", re.IGNORECASE)


def content_type(value: str) -> str:
    """The type of a body without its charset, unless that is UTF-8, which all of the site speaks:
    Django would read the address by any other codec too, and some are none of text."""
    match = CHARSET.search(value)
    if match is None or match[1].strip('"').lower() in ("utf-8", "utf8"):
        return value
    return CHARSET.sub("", value)


def environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """What WSGI (PEP 3333) says of a request."""
    server, _, port = scope.server.rpartition(":")
    values: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name:  # would pass for the one with a hyphen
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        glue = "; " if key == "HTTP_COOKIE" else ","
        values[key] = f"{values[key]}{glue}{value}" if key in values else value
    if "CONTENT_TYPE" in values:
        values["CONTENT_TYPE"] = content_type(values["CONTENT_TYPE"])
    return values


def with_sender(wsgi: Wsgi) -> Wsgi:
    """For a proxy that says by which scheme it was asked, but not by whom: the sender is then the
    proxy itself. Granian believes the one only with the other, and to a site with HTTPS every
    request would look like plain HTTP: redirected to itself for ever."""
    warned: list[bool] = []

    def named(environ: dict[str, Any], answer: Callable[..., Any]) -> Iterable[bytes]:
        alone = "HTTP_X_FORWARDED_PROTO" in environ and "HTTP_X_FORWARDED_FOR" not in environ
        if alone:
            environ["HTTP_X_FORWARDED_FOR"] = environ["REMOTE_ADDR"]
        scheme = environ["wsgi.url_scheme"]
        answered = wsgi(environ, answer)
        if alone and environ["wsgi.url_scheme"] != scheme and not warned:  # it was believed
            warned.append(True)
            log.warning(NO_SENDER)
        return answered

    return named
