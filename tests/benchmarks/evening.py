"""A full hall: phones at the tables and people who watch the standings, as their pages ask.

python -m tests.benchmarks.evening                        200 phones, 500 watchers, 20 seconds
python -m tests.benchmarks.evening --phones 40 --watchers 100

Every page asks for the revision every four seconds and fetches its part when it has moved
(static/js/live.js); each table of four sends a hand every ninety seconds. Pages ask by the clock
and not when the answer before is there, and a wait is counted from when the request was due, so a
server that falls behind cannot hide it.
"""

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.benchmarks.load import Request, a_hand, cpu_seconds, got, live_line, posted
from tests.benchmarks.reading import STANDINGS, session_of
from tests.benchmarks.site import print_figure
from tests.faults.hall import ORGANISER, PASSWORD, furnish
from tests.faults.ledger import Ledger
from tests.faults.phone import Phone
from tests.faults.scene import percentile
from tests.faults.server import Server

LOOK, HAND = 4.0, 90.0  # seconds between two looks, two hands of a table


@dataclass(frozen=True, slots=True)
class Page:
    """An open page: where it looks, the revision it shows, and how its script fetches its part."""

    name: str
    poll: str
    tag: str
    part: Request


@dataclass
class Answers:
    """What became of the requests: seconds from when each was due, and how many were wrong."""

    waits: dict[str, list[float]] = field(default_factory=dict)
    wrong: int = 0


class Line:
    """One browser's connection: a request and its answer, one after the other."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: Request) -> tuple[int, str]:
        """The status of the answer and its tag."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(as_sent(request))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        await reader.readexactly(int(headers.get("content-length", "0")))
        return int(first.split()[1]), headers.get("etag", "")


class Hall:
    """Every page and table on its own, for so many seconds."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.seconds = port, seconds
        self.answers = Answers()
        self.began = time.perf_counter()

    async def watch(self, page: Page, begin: float) -> None:
        """An open page: it looks, and fetches its part when something has moved."""
        tag, line = page.tag, Line(self.port)
        while begin < self.seconds:
            headers = {**page.part.headers, "If-None-Match": tag}
            look = Request("GET", page.poll, headers, right=304)
            status, tag = await self.ask(line, "poll", look, begin)
            if status == 200:
                now = time.perf_counter() - self.began
                await self.ask(line, page.name, page.part, now)
            begin += LOOK

    async def play(self, phone: Phone, begin: float) -> None:
        """A table: a hand, and the next a minute and a half later."""
        line, number = Line(self.port), 1
        while begin < self.seconds:
            hand = posted(f"{phone.place.path}hand", a_hand(number), phone.cookies)
            await self.ask(line, "hand", hand, begin)
            begin, number = begin + HAND, number + 1

    async def ask(self, line: Line, what: str, request: Request, due: float) -> tuple[int, str]:
        await asyncio.sleep(due - (time.perf_counter() - self.began))
        status, tag = await line.ask(request)
        self.answers.waits.setdefault(what, []).append(time.perf_counter() - self.began - due)
        self.answers.wrong += status != request.right and (what, status) != ("poll", 200)
        return status, tag or request.headers.get("If-None-Match", "")


def as_sent(request: Request) -> bytes:
    headers = {"Host": "127.0.0.1", **request.headers}
    if request.body is not None:
        headers["Content-Length"] = str(len(request.body))
    lines = [f"{request.method} {request.path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + (request.body or b"")


def opened(name: str, port: int, page: Request) -> Page:
    """A page as it was loaded."""
    poll, revision, part = live_line(port, page)
    headers = {**page.headers, "HX-Request": "true", "Accept-Encoding": "gzip"}
    return Page(name, poll, f'"{revision}"', Request("GET", part, headers, right=200))


async def evening(hall: Hall, phones: list[Phone], pages: list[Page]) -> None:
    """Everybody begins at a moment of their own."""
    chance = Random(1)
    hall.began = time.perf_counter()
    watching = [hall.watch(page, begin(chance, LOOK)) for page in pages]
    playing = [hall.play(phone, begin(chance, HAND)) for phone in phones]
    await asyncio.gather(*watching, *playing)


def begin(chance: Random, span: float) -> float:
    return chance.random() * span


def main() -> None:
    parser = argparse.ArgumentParser(
        "tests.benchmarks.evening",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="right-bower-hall-")))
        url = f"sqlite:///{folder}/club.sqlite3"
        places = furnish(url, folder, tables=max(1, options.phones // 4))
        server = stack.enter_context(Server(url, folder))
        phones = [Phone(server, place, Ledger(), Random(1)).come_in() for place in places]
        watcher = Phone(server, places[0], Ledger(), Random(1))
        watcher.sign_in(ORGANISER, PASSWORD)
        standings = got(STANDINGS.format(session_of(folder)), watcher.cookies)
        pages = [opened("standings part", server.port, standings)] * options.watchers
        for phone in phones:
            page = got(phone.place.path, phone.cookies)
            pages += [opened("table's part", server.port, page)] * 4
        hall, cpu = Hall(server.port, options.seconds), cpu_seconds(server)
        asyncio.run(evening(hall, phones, pages))
        report(hall, cpu_seconds(server) - cpu)


def report(hall: Hall, cpu: float) -> None:
    every = [wait for waits in hall.answers.waits.values() for wait in waits]
    for what, waits in sorted(hall.answers.waits.items()):
        p50, p95, p99 = (percentile(waits, percent) for percent in (50, 95, 99))
        line = f"     {what:16} {len(waits):6}   p50 {p50:6.1f}  p95 {p95:6.1f}  p99 {p99:6.1f} ms"
        print(line)  # noqa: T201
    print_figure("", "p95 of all requests", percentile(every, 95), "< 300", "ms")
    print_figure("", "answers that were not the right one", hall.answers.wrong, "0", "")
    print_figure("", "the server's share of one core", 100 * cpu / hall.seconds, "< 100", "%")


if __name__ == "__main__":
    main()
