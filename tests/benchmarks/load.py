"""Load from this computer on this computer: closed-loop clients, their waits, the server's CPU."""

import html
import http.client
import os
import re
import secrets
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.hall import Place
from tests.faults.scene import percentile
from tests.faults.server import Server, children

TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Request:
    """A request made ready, and the status that is right for it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None = None
    right: int = 302


@dataclass
class Measured:
    """What a block of requests took: milliseconds of waiting each, CPU of the server together."""

    waits: list[float] = field(default_factory=list)
    cpu: float = 0.0
    seconds: float = 0.0
    wrong: int = 0

    def add(self, other: "Measured") -> None:
        self.waits += other.waits
        self.cpu += other.cpu
        self.seconds += other.seconds
        self.wrong += other.wrong

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds of the server for one request."""
        return 1000 * self.cpu / max(1, len(self.waits))

    @property
    def rate(self) -> float:
        return len(self.waits) / self.seconds if self.seconds else 0.0

    def p(self, percent: int) -> float:
        return percentile(self.waits, percent)


def run(
    server: Server, requests: list[Request], clients: int, *, database: int | None = None
) -> Measured:
    """Send all requests from so many clients, each with one request under way at a time.

    `database`: the process of a database server, whose CPU and its children's is counted too.
    """
    shares = [requests[client::clients] for client in range(clients)]
    cpu, began = cpu_seconds(server, database), time.perf_counter()
    with ThreadPoolExecutor(clients) as threads:
        done = list(threads.map(lambda share: _client(server.port, share), shares))
    seconds = time.perf_counter() - began
    measured = Measured(cpu=cpu_seconds(server, database) - cpu, seconds=seconds)
    for waits, wrong in done:
        measured.waits += waits
        measured.wrong += wrong
    return measured


def _client(port: int, requests: list[Request]) -> tuple[list[float], int]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    waits, wrong = [], 0
    for ask in requests:
        began = time.perf_counter()
        line.request(ask.method, ask.path, ask.body, ask.headers)
        answer = line.getresponse()
        answer.read()
        waits.append(time.perf_counter() - began)
        wrong += answer.status != ask.right
    line.close()
    return waits, wrong


def cpu_seconds(server: Server, database: int | None = None) -> float:
    """User and system time of a server's processes, and of a database's, until now."""
    assert server.process is not None
    parents = [server.process.pid, *([database] if database else [])]
    return sum(_cpu_of(process) for parent in parents for process in (parent, *children(parent)))


def _cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def posted(path: str, fields: dict[str, object], cookies: dict[str, str]) -> Request:
    """A form that is posted."""
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-CSRFToken": cookies.get("csrftoken", ""),
        "Cookie": cookie_line(cookies),
    }
    return Request("POST", path, headers, urllib.parse.urlencode(fields).encode())


def got(path: str, cookies: dict[str, str], *, right: int = 200, **headers: str) -> Request:
    """A page that is asked for."""
    return Request("GET", path, {"Cookie": cookie_line(cookies), **headers}, right=right)


def cookie_line(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def live_line(port: int, page: Request) -> tuple[str, str, str]:
    """What a live page says as it is loaded: where it looks, the revision it shows, its part."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", page.path, headers=page.headers)
    text = line.getresponse().read().decode()
    line.close()
    found = re.search(r'data-revision-url="([^"]+)" data-revision="(\d+)"', text)
    part = re.search(r'data-live="([^"]+)"', text)
    if found is None or part is None:
        raise ValueError(f"{page.path} is not live")
    return html.unescape(found[1]), found[2], html.unescape(part[1])


def hands(places: list[tuple[Place, dict[str, str]]], each: int) -> Iterator[Request]:
    """Hand after hand at every table in turn, as the phone of each would send them."""
    for number in range(1, each + 1):
        for place, cookies in places:
            yield posted(f"{place.path}hand", a_hand(number), cookies)


def a_hand(number: int) -> dict[str, object]:
    """The form of one hand."""
    return {
        "client_id": secrets.token_hex(16),
        "number": number,
        "dealer": (number - 1) % 4,
        "maker": number % 4,
        "trump": "shdc"[number % 4],
        "outcome": ("made", "march", "euchred")[number % 3],
    }
