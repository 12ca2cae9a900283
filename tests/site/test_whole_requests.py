"""The server's door: what it takes in, what it refuses, and what it says to the site."""

import asyncio
from dataclasses import dataclass, field
from http import HTTPStatus

import pytest
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

from league import rsgi
from league.rsgi import NO_SENDER, WholeRequests, with_sender


class Headers(dict):
    def items(self):
        return [(name, value) for name, values in super().items() for value in values]

    def get(self, name, default=None):
        return self[name][0] if name in self else default


@dataclass
class Asked:
    """A request as Granian describes it."""

    method: str = "POST"
    path: str = "/t/"
    query_string: str = ""
    client: str = "192.168.1.7:50123"
    server: str = "127.0.0.1:8000"
    scheme: str = "http"
    http_version: str = "1.1"
    headers: Headers = field(default_factory=Headers)


class Line:
    """Granian's end of one connection. A body that is None never arrives."""

    def __init__(self, body=b""):
        self.body, self.answer = body, None

    async def __call__(self):
        if self.body is None:
            await asyncio.Event().wait()
        return self.body

    def response_bytes(self, status, headers, body):
        self.answer = (status, dict(headers), body)

    def response_empty(self, status, headers):
        self.answer = (status, dict(headers), b"")


def echo(environ, start_response):
    start_response("201 Created", [("x-length", environ["CONTENT_LENGTH"])])
    return [environ["wsgi.input"].read(), b"!"]


def answered(*, door=None, body=b"", **request):
    line = Line(body)
    request.setdefault("headers", named())
    door = door or WholeRequests(echo, threads=1)
    asyncio.run(door.__rsgi__(Asked(**request), line))
    return line.answer


def named(**more):
    return Headers({"host": ["club.example"], **more})


def of_length(length):
    return named(**{"content-length": [str(length)]})


def test_the_site_is_called_with_the_whole_body():
    status, headers, body = answered(body=b"code=1", headers=of_length(6))
    assert (status, headers, body) == (201, {"x-length": "6"}, b"code=1!")


def test_a_body_that_does_not_arrive_is_refused_after_a_while(monkeypatch):
    monkeypatch.setattr(rsgi, "PATIENCE", 0)
    status, headers, text = answered(body=None, headers=of_length(6))
    assert status == HTTPStatus.REQUEST_TIMEOUT
    assert b"Nothing was saved" in text
    assert headers["connection"] == "close"


def test_a_body_larger_than_any_file_is_refused_unread():
    assert answered(body=None, headers=of_length(rsgi.LARGEST + 1))[0] == 413


def test_a_backup_may_be_larger_on_its_own_page_and_from_this_computer_alone():
    door = WholeRequests(echo, threads=1, larger={"/start/restore/": 2 * rsgi.MOST_HELD})
    here = {"path": "/start/restore/", "client": "127.0.0.1:50123"}
    large = {"door": door, "headers": of_length(rsgi.MOST_HELD + 1)}
    assert answered(**large, **here, body=b"backup")[0] == 201
    assert answered(**large, **here | {"client": "192.168.1.7:50123"})[0] == 413
    assert answered(**large, **here | {"path": "/t/"})[0] == 413


def test_a_body_of_unknown_length_is_refused_unread():
    headers = named(**{"transfer-encoding": ["chunked"]})
    assert answered(body=None, headers=headers)[0] == HTTPStatus.LENGTH_REQUIRED


def test_large_bodies_share_a_bounded_memory_and_small_ones_always_fit():
    door = WholeRequests(echo, threads=1)
    door.held = rsgi.MOST_HELD - rsgi.SMALL
    status, headers, _ = answered(door=door, body=None, headers=of_length(rsgi.SMALL + 1))
    assert (status, headers["retry-after"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "5")
    assert answered(door=door, body=b"small", headers=of_length(rsgi.SMALL))[0] == 201


def test_memory_of_a_large_body_is_given_back():
    door = WholeRequests(echo, threads=1)
    for _ in range(2 * rsgi.MOST_HELD // rsgi.LARGEST):
        assert answered(door=door, body=b"large", headers=of_length(rsgi.LARGEST))[0] == 201
    assert door.held == 0


@pytest.mark.parametrize(
    ("sent", "key", "value"),
    [
        ({"path": "/c/é"}, "PATH_INFO", "/c/Ã©"),
        ({"client": "[fe80::1]:50123"}, "REMOTE_ADDR", "fe80::1"),
        ({"client": "10.0.0.9:1"}, "REMOTE_ADDR", "10.0.0.9"),
        ({"headers": Headers({"cookie": ["a=1", "b=2"]})}, "HTTP_COOKIE", "a=1; b=2"),
        ({"headers": Headers({"accept": ["x", "y"]})}, "HTTP_ACCEPT", "x,y"),
        ({"headers": Headers({"content-type": ["text/x"]})}, "CONTENT_TYPE", "text/x"),
    ],
)
def test_a_request_is_described_as_wsgi_wants_it(sent, key, value):
    assert rsgi.environ(Asked(**sent), b"")[key] == value


def test_a_header_with_an_underscore_does_not_pass_for_one_with_a_hyphen():
    forged = Headers({"x_forwarded_for": ["1.2.3.4"]})
    assert "HTTP_X_FORWARDED_FOR" not in rsgi.environ(Asked(headers=forged), b"")


def test_http_1_1_without_a_host_is_refused():
    nameless = Headers({"content-length": ["0"]})
    assert answered(headers=nameless)[0] == HTTPStatus.BAD_REQUEST
    assert answered(headers=nameless, http_version="1")[0] == 201


def behind_a_proxy(seen, sender="192.0.2.1", **headers):
    """What the site is told of a request that came through a proxy at 192.0.2.1."""

    def site(environ, answer):
        seen.append((environ["wsgi.url_scheme"], environ["REMOTE_ADDR"]))
        return []

    environ = {"REMOTE_ADDR": sender, "wsgi.url_scheme": "http"}
    environ |= {f"HTTP_X_FORWARDED_{name}": value for name, value in headers.items()}
    return with_sender(wrap_wsgi_with_proxy_headers(site, ["192.0.2.1"])), environ


def test_a_proxy_that_names_no_sender_is_believed_about_the_scheme_and_warned_of_once(caplog):
    seen = []
    site, environ = behind_a_proxy(seen, PROTO="https")
    site(dict(environ), None)
    site(dict(environ), None)
    assert seen == [("https", "192.0.2.1")] * 2
    assert [one.message for one in caplog.records] == [NO_SENDER]


def test_other_headers_of_proxies_are_taken_as_ever(caplog):
    seen = []
    for how in (
        {"PROTO": "https", "FOR": "198.51.100.7"},
        {"PROTO": "https", "sender": "198.51.100.7"},  # no proxy that is known
        {},
    ):
        site, environ = behind_a_proxy(seen, **how)
        site(environ, None)
    assert seen == [("https", "198.51.100.7"), ("http", "198.51.100.7"), ("http", "192.0.2.1")]
    assert caplog.records == []


@pytest.mark.parametrize("charset", ["base64", "hex", '"rot13"', "punycode", "latin-1", ""])
def test_a_charset_that_is_not_utf_8_is_not_believed(charset):
    """Django would read the address by it, and fail before anything could answer."""
    sent = f"text/plain; charset={charset}; boundary=x"
    scope = Asked(query_string="a=b", headers=Headers({"content-type": [sent]}))
    assert rsgi.environ(scope, b"")["CONTENT_TYPE"] == "text/plain; boundary=x"


def test_the_charset_of_the_site_stays():
    assert rsgi.content_type('text/plain; Charset="UTF-8"') == 'text/plain; Charset="UTF-8"'


@pytest.mark.parametrize("threads", [1, 2])
def test_an_answer_that_is_to_come_later_holds_no_thread_meanwhile(threads, monkeypatch):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    def later(environ, start_response):
        environ[rsgi.NOT_BEFORE] = 103.0
        return echo(environ, start_response)

    monkeypatch.setattr(rsgi.asyncio, "sleep", sleep)
    monkeypatch.setattr(rsgi.time, "monotonic", lambda: 101.0)
    door = WholeRequests(later, threads=threads)
    assert answered(door=door, body=b"a", headers=of_length(1))[0] == 201
    assert waited == [2.0]


def test_no_depth_of_calls_asks_the_system_for_memory_at_each_call():
    resource = pytest.importorskip("resource")
    faults = []

    def deeper(depth):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(100):
            leaf()
        faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
        if depth:
            deeper(depth - 1)

    def leaf():
        pass

    def site(_environ, start_response):
        deeper(200)
        start_response("200 OK", [])
        return [b""]

    WholeRequests(site, threads=1)._answer({})
    assert max(faults) < 50
