"""F19: phones that freeze in the middle of a request, all evening, while others write."""

import select
import socket
from contextlib import ExitStack, suppress

from tests.faults.scene import Figures, Scene, burst, written
from tests.faults.server import Server

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
LENGTH = "Content-Length: 500\r\n"
HALVES = (
    f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}{LENGTH}\r\nlogin=a",
    f"POST /t/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}{LENGTH}\r\ncode=",
    f"POST /t/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}{LENGTH}Expect: 100-continue\r\n\r\n",
    f"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}{LENGTH}\r\nq=",
    f"POST /api/v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{LENGTH}\r\n" + "{",
    f"POST /t/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}Transfer-Encoding: chunked\r\n\r\n9\r\nco",
    "GET /t/ HTTP/1.1\r\nHost: 127.0",
)
"""Requests of which the rest never comes."""


class Frozen:
    """So many phones, each with half a request sent; who is hung up on sends another half."""

    def __init__(self, server: Server, lines: int, stack: ExitStack) -> None:
        self.server, self.stack = server, stack
        self.sent = 0
        self.lines = [self._half() for _ in range(lines)]

    def _half(self) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self.server.port), timeout=60)
        self.stack.callback(line.close)
        line.sendall(HALVES[self.sent % len(HALVES)].encode())
        self.sent += 1
        return line

    def again(self) -> None:
        """Another half for every line that was answered, or hung up on."""
        answered = select.select(self.lines, [], [], 0)[0]
        for line in answered:
            with suppress(OSError):
                if b"100 Continue" in line.recv(4096):
                    continue
            line.close()
            self.lines[self.lines.index(line)] = self._half()


def freeze_phones(scene: Scene, *, frozen: int, phones: int, rounds: int) -> Figures:
    """In a burst, so many lines are half way through a request from the beginning to the end."""
    scene.come_in(phones)
    with ExitStack() as stack:
        halves = Frozen(scene.server, frozen, stack)
        with burst(scene.phones):
            for _ in range(rounds):
                written(scene, phones)
                halves.again()
        silent = sum(phone.silences for phone in scene.phones)
    if silent:
        scene.ledger.troubles.append(f"{silent} requests of honest phones were not answered")
    return scene.figures(half_requests=halves.sent)
