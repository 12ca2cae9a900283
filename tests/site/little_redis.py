"""As much of a Redis as the site asks for, in a thread of the test, and able to die at any time."""

import socketserver
import threading
from contextlib import suppress
from typing import Any

OK, NOTHING = b"+OK\r\n", b"_\r\n"
HELLO = b"%1\r\n$5\r\nproto\r\n:3\r\n"


class LittleRedis:
    """A server on a port of its own that remembers what it was asked, and what it was given."""

    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}
        self.orders: list[bytes] = []
        self.lines: list[Any] = []
        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.server.server_address[1]}/0"

    def die(self) -> None:
        """Nobody is let in any more, and every line is cut."""
        self.server.shutdown()
        self.server.server_close()
        for line in self.lines:
            with suppress(OSError):
                line.shutdown(2)

    def answer(self, order: bytes, *words: bytes) -> bytes:
        self.orders.append(order)
        if order == b"HELLO":
            return HELLO
        if order == b"GET":
            value = self.values.get(words[0])
            return NOTHING if value is None else b"$%d\r\n%s\r\n" % (len(value), value)
        if order == b"SET":
            if b"NX" in words and words[0] in self.values:
                return NOTHING
            self.values[words[0]] = words[1]
        return OK

    def _handler(self) -> type[socketserver.StreamRequestHandler]:
        redis = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                redis.lines.append(self.connection)
                with suppress(OSError, ValueError):
                    while parts := self.rfile.readline().strip():
                        self.wfile.write(redis.answer(*self._words(int(parts[1:]))))

            def _words(self, count: int) -> list[bytes]:
                return [self._word() for _ in range(count)]

            def _word(self) -> bytes:
                length = int(self.rfile.readline()[1:])
                return self.rfile.read(length + 2)[:-2]

        return Handler
