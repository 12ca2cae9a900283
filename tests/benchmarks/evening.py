"""A full hall: phones at the tables and people who watch the standings, as their pages ask.

python -m tests.benchmarks.evening                        200 phones, 500 watchers, 20 seconds
python -m tests.benchmarks.evening --phones 40 --watchers 100

Every page asks for the revision every four seconds and fetches its part when it has moved
(static/js/live.js); each table of four sends a hand every ninety seconds. Requests fall due by the
clock and not when the answer before is there, and a wait is counted from when it was due, so a
server that falls behind cannot hide it.
"""

import argparse
import heapq
import http.client
import itertools
import queue
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.benchmarks.load import a_hand, cookie_line, cpu_seconds, got, live_line, posted
from tests.benchmarks.reading import STANDINGS, session_of
from tests.benchmarks.site import told
from tests.faults.hall import ORGANISER, PASSWORD, Place, furnish
from tests.faults.ledger import Ledger
from tests.faults.phone import Phone
from tests.faults.scene import percentile
from tests.faults.server import Server

LOOK, HAND = 4.0, 90.0  # seconds between two looks, two hands of a table
SENDERS = 24  # threads that send what is due


@dataclass
class Page:
    """An open page: the part it fetches again, where it looks, and the revision it shows."""

    part: str
    cookies: str
    poll: str
    tag: str


@dataclass
class Waits:
    """Seconds from when a request was due to its answer, by what it was for."""

    of: dict[str, list[float]] = field(default_factory=dict)
    wrong: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, what: str, wait: float, *, right: bool) -> None:
        with self.lock:
            self.of.setdefault(what, []).append(wait)
            self.wrong += not right


class Hall:
    """Sends what is due when it is due, and looks again four seconds after."""

    def __init__(self, server: Server, seconds: float, seed: int) -> None:
        self.server, self.seconds, self.chance = server, seconds, Random(seed)
        self.due: list[tuple[float, int, Page | None, tuple[Place, str, int] | None]] = []
        self.ready: queue.Queue = queue.Queue()
        self.order = itertools.count()
        self.waits = Waits()

    def open(self, page: Page) -> None:
        self._at(self.chance.random() * LOOK, page=page)

    def play(self, place: Place, cookies: str) -> None:
        for number in range(1, int(self.seconds / HAND) + 2):
            at = (number - 1 + self.chance.random()) * HAND
            if at < self.seconds:
                self._at(at, hand=(place, cookies, number))

    def _at(self, at: float, page: Page | None = None, hand=None) -> None:  # type: ignore[no-untyped-def]
        heapq.heappush(self.due, (at, next(self.order), page, hand))

    def run(self) -> None:
        self.began, cpu = time.perf_counter(), cpu_seconds(self.server)
        threads = [threading.Thread(target=self._send, daemon=True) for _ in range(SENDERS)]
        for thread in threads:
            thread.start()
        while self.due and self.due[0][0] < self.seconds:
            at, _order, page, hand = heapq.heappop(self.due)
            time.sleep(max(0.0, at - (time.perf_counter() - self.began)))
            self.ready.put((at, page, hand))
            if page is not None:
                self._at(at + LOOK, page=page)
        for _ in threads:
            self.ready.put(None)
        for thread in threads:
            thread.join(60)
        self.cpu = cpu_seconds(self.server) - cpu

    def _send(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        while (task := self.ready.get()) is not None:
            at, page, hand = task
            if hand is not None:
                place, cookies, number = hand
                sent = posted(f"{place.path}hand", a_hand(number), dict(_pairs(cookies)))
                self._ask(line, "hand", at, "POST", sent.path, sent.headers, sent.body, {302})
            elif page is not None:
                self._look(line, at, page)
        line.close()

    def _look(self, line: http.client.HTTPConnection, at: float, page: Page) -> None:
        headers = {"Cookie": page.cookies, "If-None-Match": page.tag}
        answer = self._ask(line, "poll", at, "GET", page.poll, headers, None, {200, 304})
        if answer.status == 200:
            page.tag = answer.headers["ETag"]
            headers = {"Cookie": page.cookies, "HX-Request": "true", "Accept-Encoding": "gzip"}
            what = "table's part" if page.part.startswith("/t/") else "standings part"
            now = time.perf_counter() - self.began
            self._ask(line, what, now, "GET", page.part, headers, None, {200})

    def _ask(self, line, what, at, method, path, headers, body, right):  # type: ignore[no-untyped-def]
        line.request(method, path, body, headers)
        answer = line.getresponse()
        answer.read()
        wait = time.perf_counter() - self.began - at
        self.waits.add(what, wait, right=answer.status in right)
        return answer


def _pairs(cookies: str) -> list[tuple[str, str]]:
    return [(part.split("=", 1)[0], part.split("=", 1)[1]) for part in cookies.split("; ")]


def opened(server: Server, cookies: dict[str, str], address: str, count: int) -> list[Page]:
    """So many copies of a page as it is loaded."""
    poll, revision, part = live_line(server.port, got(address, cookies))
    return [Page(part, cookie_line(cookies), poll, f'"{revision}"') for _ in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser("tests.benchmarks.evening", description=__doc__)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="right-bower-hall-")))
        url = f"sqlite:///{folder}/club.sqlite3"
        places = furnish(url, folder, tables=max(1, asked.phones // 4))
        server = stack.enter_context(Server(url, folder))
        hall = Hall(server, asked.seconds, seed=1)
        phones = [
            Phone(server, place, Ledger(), Random(place.number)).come_in() for place in places
        ]
        for place, phone in zip(places, phones, strict=True):
            hall.play(place, cookie_line(phone.cookies))
            for page in opened(server, phone.cookies, place.path, 4):
                hall.open(page)
        watcher = phones[0]
        watcher.sign_in(ORGANISER, PASSWORD)
        standings = STANDINGS.format(session_of(folder))
        for page in opened(server, watcher.cookies, standings, asked.watchers):
            hall.open(page)
        hall.run()
        report(hall)


def report(hall: Hall) -> None:
    every = [wait for waits in hall.waits.of.values() for wait in waits]
    for what, waits in sorted(hall.waits.of.items()):
        p50, p95, p99 = (percentile(waits, percent) for percent in (50, 95, 99))
        print(f"     {what:16} {len(waits):6}   p50 {p50:6.1f}  p95 {p95:6.1f}  p99 {p99:6.1f} ms")  # noqa: T201
    told("", "p95 of all requests", percentile(every, 95), "< 300", "ms")
    told("", "answers that were not the right one", hall.waits.wrong, "0", "")
    told("", "the server's share of one core", 100 * hall.cpu / hall.seconds, "< 100", "%")


if __name__ == "__main__":
    main()
