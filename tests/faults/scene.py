"""A scene: a server, a hall of phones and their ledger; bursts of hands from all at once."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles

from tests.faults.hall import Place
from tests.faults.ledger import Ledger
from tests.faults.phone import Phone
from tests.faults.server import Server
from tests.faults.verdict import verdict

Figures = dict[str, float]


@dataclass
class Scene:
    """Everything a fault needs. `alone`: no table has a second phone, so nothing ever clashes."""

    server: Server
    places: list[Place]
    seed: int = 1
    alone: bool = True
    ledger: Ledger = field(default_factory=Ledger)
    phones: list[Phone] = field(default_factory=list)

    def come_in(self, phones: int, *, at_each: int = 1) -> list[Phone]:
        """More phones, so many at each of the next free tables, all let in."""
        self.alone = self.alone and at_each == 1
        first = len({phone.place for phone in self.phones})
        here = []
        for number in range(phones):
            chance = Random(f"{self.seed} {number}")
            place = self.places[first + number // at_each]
            here.append(Phone(self.server, place, self.ledger, chance).come_in())
        self.phones += here
        return here

    def wrong(self) -> list[str]:
        """The verdict on this scene."""
        clashes = self.ledger.only_one_phone_a_table() if self.alone else []
        return verdict(self.server.database_url, self.ledger) + clashes

    def figures(self, **more: float) -> Figures:
        ledger = self.ledger
        return {"acked": len(ledger.acknowledged), "dropped": ledger.dropped, **more}


@contextmanager
def burst(
    phones: list[Phone], play: Callable[[Phone], object] | None = None, *, rest: float = 0
) -> Iterator[None]:
    """All phones write hand after hand until the block ends; each then finishes its last one.
    `rest` is the seconds from one hand to the next, for a block that waits for another process."""
    over = threading.Event()

    def go(phone: Phone) -> None:
        while not over.is_set():
            play(phone) if play else phone.insist(phone.next_hand())
            over.wait(rest)

    with ThreadPoolExecutor(len(phones)) as hall:
        going = [hall.submit(go, phone) for phone in phones]
        try:
            yield
        finally:
            over.set()
        for one in going:
            one.result()


def at_once(*orders: Callable[[], object]) -> list[object]:
    """Run orders in threads that start together; their answers in order."""
    start = threading.Barrier(len(orders))

    def run(order: Callable[[], object]) -> object:
        start.wait()
        return order()

    with ThreadPoolExecutor(len(orders)) as threads:
        return list(threads.map(run, orders))


def until(true: Callable[[], bool], patience: float = 120, *, every: float = 0.01) -> None:
    """Wait for something that another process does, and look so often (in seconds)."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < patience, "It never happened."
        time.sleep(every)


def written(scene: Scene, more: int) -> None:
    """Wait until so many more entries are acknowledged."""
    wanted = len(scene.ledger.acknowledged) + more
    until(lambda: len(scene.ledger.acknowledged) >= wanted)


def percentile(waits: list[float], percent: int) -> float:
    """Milliseconds."""
    return 1000 * quantiles(waits, n=100)[percent - 1] if len(waits) > 1 else 0.0
