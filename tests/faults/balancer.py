"""A proxy in front of several servers, as one would stand there: connections by turns, and to the
next server where one does not take them. It knows nothing of HTTP; what was sent is never repeated.
"""

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress

from tests.faults.server import Server

CHUNK = 65536


class Balancer:
    """Looks like a server to a scene: it has a port and the database of those behind it."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers, self.turn = list(servers), 0
        self.database_url = servers[0].database_url
        self.port = 0
        self.taken = [0] * len(self.servers)
        self._loop = asyncio.new_event_loop()
        self._ready, self._over = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> "Balancer":
        self._thread.start()
        self._ready.wait(10)
        return self

    def stop(self, patience: float = 10) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(patience)

    def _run(self) -> None:
        self._loop.run_until_complete(self._live())
        self._loop.close()

    async def _live(self) -> None:
        door = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = door.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        door.close()
        serving = asyncio.all_tasks() - {asyncio.current_task()}
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    async def _serve(self, read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
        opened = await self._open()
        if opened is None:
            write.close()
            return
        there_read, there_write = opened
        ways = (self._carry(read, there_write), self._carry(there_read, write))
        # When one side is gone, the other is told at once.
        both = [asyncio.create_task(way) for way in ways]
        with suppress(asyncio.CancelledError):  # the proxy stops
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for way in both:
            way.cancel()
        for side in (write, there_write):
            side.close()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A line to the server whose turn it is, or to the next that takes one. While this waits
        others take their turns, so where it began is its own."""
        first = self.turn = (self.turn + 1) % len(self.servers)
        for place in (*range(first, len(self.servers)), *range(first)):
            with suppress(OSError):
                opened = await asyncio.open_connection("127.0.0.1", self.servers[place].port)
                self.taken[place] += 1
                return opened
        return None

    async def _carry(self, read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await read.read(CHUNK):
                write.write(data)
                await write.drain()
