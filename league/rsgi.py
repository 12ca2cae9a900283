"""The RSGI interface to Granian: reads each request whole, within limits, before calling the site.

The site has few threads (one on SQLite), so none of them may wait for a phone that stops in the
middle of sending. Granian's own WSGI interface passes the body on as it arrives; this one waits for
it in an event loop, where waiting costs next to nothing.
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

LARGEST = 6_000_000  # bytes of a body: the largest file, and the form around it
SMALL = 65_536  # bytes of a body that is always accepted: a hand, a form
MOST_HELD = 60_000_000  # bytes of larger bodies being received at once
PATIENCE = 20  # seconds for a body to arrive ...
SLOWEST = 32_768  # ... and one more second for every so many bytes

CONNECTIONS = 8192  # of all phones, idle ones included
SITE = "league.wsgi:server"
GRANIAN = (
    "--interface=rsgi",
    "--http=1",  # the protocol of phones and proxies without a certificate
    "--http1-header-read-timeout=15000",
    "--backlog=1024",
    f"--backpressure={CONNECTIONS}",
    "--respawn-failed-workers",
    "--workers-kill-timeout=3",
    "--no-ws",
    "--log-level=warning",
)
"""Granian's command line. Its access log is off, since it would have tables' links (logs.py)."""


def allow_many_connections() -> None:
    """Raise the limit of open files, often 256 or 1,024, which hanging phones could use up."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = CONNECTIONS + 1024
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))


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


class RequestRefused(Exception):
    """A request that is refused with this status before it reaches the site."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class WholeRequests:
    """Serves a WSGI application over RSGI, with whole requests and a fixed number of threads.

    With one thread, requests are handled in the event loop's own thread: passing each to another
    thread would add a fifth to the CPU time of saving a hand, and the loop has nothing else to do
    (Granian receives requests and sends responses in its own threads).
    """

    def __init__(
        self, wsgi: Wsgi, *, threads: int, larger: Mapping[str, int] | None = None
    ) -> None:
        """`larger` has higher body limits by path, for requests from this computer itself."""
        self.wsgi, self.larger = wsgi, larger or {}
        self.threads = ThreadPoolExecutor(threads, "answer") if threads > 1 else None
        self.held = 0  # bytes of large bodies being received

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        try:
            body = await self._body(scope, protocol)
        except RequestRefused as refused:
            log.info("A request was not taken in: %s", refused.status.phrase)
            text = REFUSALS[refused.status] + "\n"
            headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
            if refused.status == HTTPStatus.SERVICE_UNAVAILABLE:
                headers.append(("retry-after", "5"))
            protocol.response_bytes(refused.status, headers, text.encode())
            return
        if body is None:  # the sender is gone
            protocol.response_empty(HTTPStatus.BAD_REQUEST, [("connection", "close")])
            return
        environment = environ(scope, body)
        if self.threads is None:
            with without_running_loop():
                answer = self._answer(environment)
        else:
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self.threads, self._answer, environment)
        if NOT_BEFORE in environment:  # waiting here blocks no thread
            await asyncio.sleep(environment[NOT_BEFORE] - time.monotonic())
        protocol.response_bytes(*answer)

    async def _body(self, scope: Scope, protocol: HTTPProtocol) -> bytes | None:
        """The whole body, or None if the connection broke before its end."""
        length = body_length(scope, self._largest(scope))
        if not length:
            return b""
        try:
            with self._reserved(length):
                async with asyncio.timeout(PATIENCE + length / SLOWEST):
                    return await protocol()
        except TimeoutError:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        except RuntimeError:  # from Granian: the stream broke
            return None

    def _largest(self, scope: Scope) -> int:
        is_local = scope.client.rpartition(":")[0] in ("127.0.0.1", "[::1]")
        return self.larger.get(scope.path, LARGEST) if is_local else LARGEST

    @contextmanager
    def _reserved(self, length: int) -> Iterator[None]:
        """Reserve memory for a large body; refuses it if too much is in use."""
        held = length if length > SMALL else 0
        if held and self.held and self.held + held > MOST_HELD:
            raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE)
        self.held += held
        try:
            yield
        finally:
            self.held -= held

    def _answer(self, environ: dict[str, Any]) -> tuple[int, Headers, bytes]:
        """The site's whole response, so that a phone that reads slowly blocks no thread either."""
        starts: list[tuple[str, Headers]] = []

        def start_response(status: str, headers: Headers, *_: Any) -> None:
            starts.append((status, headers))

        pieces = self.wsgi(environ, start_response)
        try:
            body = b"".join(pieces)
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
        status, headers = starts[-1]
        return int(status[:3]), headers, body

    # CPython allocates call frames in chunks of 16 kB. A loop that calls across the end of a chunk
    # allocates and frees one with each call, up to 120 times for a standings page, which took a
    # third of its CPU time. A frame of this many words gets a chunk with room for all calls.
    _answer.__code__ = _answer.__code__.replace(co_stacksize=9_000)


@contextmanager
def without_running_loop() -> Iterator[None]:
    """Hide the running event loop, with which Django refuses to run synchronous code. It is safe
    here: no other task can run, since the block awaits nothing."""
    loop = asyncio.get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


def body_length(scope: Scope, largest: int = LARGEST) -> int:
    """The announced length of the body in bytes. Raises RequestRefused if it is too large or not
    announced, or if an HTTP/1.1 request has no Host header."""
    if scope.http_version != "1" and not scope.headers.get("host"):
        raise RequestRefused(HTTPStatus.BAD_REQUEST)
    if "transfer-encoding" in scope.headers:
        raise RequestRefused(HTTPStatus.LENGTH_REQUIRED)
    length = int(scope.headers.get("content-length") or 0)  # Granian refuses other texts
    if length > largest:
        raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return length


CHARSET = re.compile(r";\s*charset\s*=\s*(\"[^\"]*\"|[^;\s]*)", re.IGNORECASE)


def content_type(value: str) -> str:
    """The content type without its charset, unless that is UTF-8: Django would also decode the URL
    with any other codec, and some are not text encodings."""
    match = CHARSET.search(value)
    if match is None or match[1].strip('"').lower() in ("utf-8", "utf8"):
        return value
    return CHARSET.sub("", value)


def environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333)."""
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
        if "_" in name:  # could be mistaken for the header with a hyphen
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        separator = "; " if key == "HTTP_COOKIE" else ","
        values[key] = f"{values[key]}{separator}{value}" if key in values else value
    if "CONTENT_TYPE" in values:
        values["CONTENT_TYPE"] = content_type(values["CONTENT_TYPE"])
    return values


def with_sender(wsgi: Wsgi) -> Wsgi:
    """Wrap an application for proxies that send X-Forwarded-Proto without X-Forwarded-For.

    The sender is then the proxy itself. Granian only uses both headers together; on a site with
    HTTPS every request would look like plain HTTP, and be redirected to itself for ever.
    """
    warned: list[bool] = []

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        lacks_sender = "HTTP_X_FORWARDED_PROTO" in environ and "HTTP_X_FORWARDED_FOR" not in environ
        if lacks_sender:
            environ["HTTP_X_FORWARDED_FOR"] = environ["REMOTE_ADDR"]
        scheme = environ["wsgi.url_scheme"]
        body = wsgi(environ, start_response)
        is_trusted = environ["wsgi.url_scheme"] != scheme
        if lacks_sender and is_trusted and not warned:
            warned.append(True)
            log.warning(NO_SENDER)
        return body

    return application
