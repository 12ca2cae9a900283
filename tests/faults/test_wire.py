"""What comes over the wire and is no browser: bodies too big, connections too slow, two lengths."""

import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import pytest

from tests.faults.conftest import scenes

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def hall(furnished, tmp_path_factory):
    with scenes(furnished, tmp_path_factory.mktemp("wire")) as begin:
        scene = begin()
        scene.come_in(1)
        yield scene


def resident(scene):
    """Bytes of memory of the process that answers."""
    (worker,) = scene.server.worker_ids()
    status = Path(f"/proc/{worker}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def raw(scene, sent, *, patience=10):
    """Send these bytes as they are; what came back."""
    with socket.create_connection(("127.0.0.1", scene.server.port), timeout=patience) as line:
        with suppress(OSError):  # hung up on before it was all said
            line.sendall(sent)
        try:
            return line.recv(65536)
        except OSError:
            return b""


def posted(scene, body, kind):
    phone = scene.phones[0]
    cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    head = (
        f"POST {phone.place.path}hand HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Cookie: {cookies}\r\nX-CSRFToken: {phone.cookies['csrftoken']}\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return int(raw(scene, head.encode() + body, patience=60).split()[1])


FORM = "application/x-www-form-urlencoded"
HEAD = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'
FILE = HEAD + b"%s\r\n--edge--\r\n"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"reason=" + b"x" * 3 * MEGABYTE, FORM),
        (urlencode([(f"field{n}", "x") for n in range(1500)]).encode(), FORM),
        (FILE % (b"x" * 10 * MEGABYTE), "multipart/form-data; boundary=edge"),
    ],
    ids=["3 MB", "1500 fields", "a file of 10 MB"],
)
def test_a_body_too_big_is_refused_and_costs_no_memory(hall, body, kind):
    posted(hall, b"reason=x", FORM)  # warm
    before = resident(hall)
    assert posted(hall, body, kind) in (400, 413)
    assert resident(hall) - before < 20 * MEGABYTE
    assert hall.wrong() == []


def test_a_request_with_two_lengths_is_not_half_read_as_another(hall):
    smuggled = b"GET /accounts/signup/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = (
        b"POST /t/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    answer = raw(hall, head + smuggled)
    assert answer.startswith(b"HTTP/1.1 4")
    assert b"signup" not in answer


def test_two_hundred_connections_that_say_nothing_keep_nobody_waiting(hall):
    def time_of_an_answer():
        began = time.monotonic()
        assert hall.phones[0].get("/t/") == 200
        return time.monotonic() - began

    alone = [time_of_an_answer() for _ in range(9)]
    with ExitStack() as silent:
        for _ in range(200):
            line = socket.create_connection(("127.0.0.1", hall.server.port), timeout=10)
            silent.enter_context(line)
            line.sendall(b"POST /t/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90\r\n\r\nco")
        among = [time_of_an_answer() for _ in range(9)]
    assert median(among) < 2 * median(alone) + 0.1
