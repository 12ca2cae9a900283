"""F19: a request is read whole before anything that others need is held for it."""

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.faults.frozen import HALVES, freeze_phones
from tests.faults.scene import until


def test_half_a_request_never_reaches_the_site_and_phones_frozen_in_it_keep_nobody_waiting(a_scene):
    scene = a_scene(extra={"LOG_LEVEL": "INFO"})
    for half in HALVES[:2]:
        with socket.create_connection(("127.0.0.1", scene.server.port), timeout=60) as line:
            line.sendall(half.encode())
            line.shutdown(socket.SHUT_WR)
            assert line.recv(4096).startswith(b"HTTP/1.1 400")
    assert "POST" not in scene.server.log.read_text()
    figures = freeze_phones(scene, frozen=100, phones=4, rounds=5)
    assert scene.wrong() == []
    assert figures["half_requests"] >= 100


def test_one_frozen_phone_stops_a_site_that_reads_in_the_thread_that_answers(a_scene):
    scene = a_scene(breaks="read_in_the_thread")
    with ExitStack() as stack, ThreadPoolExecutor(1) as somebody:
        line = stack.enter_context(socket.create_connection(("127.0.0.1", scene.server.port)))
        line.sendall(HALVES[0].encode())
        until(lambda: not scene.server.answers())  # and gives up after five seconds
        request = somebody.submit(scene.server.answers)
        line.close()
        assert request.result()
