"""The faults: each goes for a scene's server while its phones write, and returns figures.

The numbers are those of docs/reliability-proof.md. None of them judges: that is
`Scene.wrong`, after the fault.
"""

import os
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

from tests.faults.hall import ORGANISER, PASSWORD
from tests.faults.ledger import OK
from tests.faults.postgres import Postgres
from tests.faults.scene import Figures, Scene, at_once, burst, percentile, until, written
from tests.faults.server import Server
from tests.faults.verdict import path_of


def kill_server(scene: Scene, *, rounds: int, phones: int) -> Figures:
    """F1: `kill -9` of every process in the middle of a burst, again and again, and at the end."""
    scene.come_in(phones)
    chance, recovery = Random(scene.seed), []
    for _ in range(rounds):
        with burst(scene.phones):
            written(scene, phones)
            time.sleep(chance.random() * 0.2)
            scene.server.kill()
            began = time.monotonic()
            scene.server.start()
            recovery.append(time.monotonic() - began)
            written(scene, 1)
    scene.server.kill()
    return scene.figures(rounds=rounds, slowest_recovery_s=max(recovery))


def kill_worker(scene: Scene, *, rounds: int, phones: int) -> Figures:
    """F2: `kill -9` of the process that answers; its parent starts another."""
    scene.come_in(phones)
    recovery = []
    for round_ in range(rounds):
        time.sleep(6 if round_ else 0)  # a second death within 5.5 s counts as a crash loop
        with burst(scene.phones):
            written(scene, phones)
            (worker, *_others) = scene.server.worker_ids()
            os.kill(worker, signal.SIGKILL)
            began = time.monotonic()
            written(scene, phones)
            recovery.append(time.monotonic() - began)
    return scene.figures(rounds=rounds, slowest_recovery_s=max(recovery))


def kill_one_of_two(scene: Scene, servers: Sequence[Server], *, phones: int) -> Figures:
    """6.1: of two processes behind a proxy one is killed in a burst; the other serves on."""
    scene.come_in(phones)
    with burst(scene.phones):
        written(scene, 3 * phones)
        began = time.monotonic()
        servers[0].kill()
        written(scene, phones)
        recovery = time.monotonic() - began
        written(scene, 2 * phones)
    most = max(phone.silences for phone in scene.phones)
    return scene.figures(errors_of_one_phone=most, next_hands_of_all_after_s=recovery)


def send_twice(scene: Scene, *, hands: int, retries: int = 3) -> Figures:
    """F3: each hand from two connections at the same moment, and then again and again."""
    phones = scene.come_in(2, at_each=2)
    for number in range(1, hands + 1):
        sent = phones[0].a_hand(number)
        at_once(*[partial(phone.insist, sent) for phone in phones])
        for _ in range(retries):
            phones[0].send(sent)
    return scene.figures(sent=sum(len(sent.statuses) for sent in scene.ledger.entries))


def race(scene: Scene, *, hands: int) -> Figures:
    """F4: two scorekeepers enter the same hand at once, each as they saw it."""
    one, other = scene.come_in(2, at_each=2)
    for number in range(1, hands + 1):
        mine, theirs = one.a_hand(number), other.a_hand(number)
        at_once(partial(one.insist, mine), partial(other.insist, theirs))
        states = sorted([mine.state, theirs.state])
        if states != [OK, "refused"]:
            scene.ledger.troubles.append(f"hand {number}: both scorekeepers were told {states}")
    return scene.figures(conflicts=scene.ledger.count(409))


def correct_in_a_race(scene: Scene, *, rounds: int) -> Figures:
    """F5: two corrections of a hand race each other and the next hand."""
    phones = scene.come_in(3, at_each=3)
    hand = phones[0].a_hand(1)
    phones[0].insist(hand)
    version = {1: 1}
    for number in range(1, rounds + 1):
        following = phones[0].a_hand(number + 1)
        one = phones[1].a_correction(number, version[number], [hand])
        other = phones[2].a_correction(number, version[number], [hand, one])
        rivals, hand = [one, other], following
        entries = zip(phones, [following, *rivals], strict=True)
        at_once(*[partial(phone.insist, sent) for phone, sent in entries])
        version[number + 1] = 1
        states = sorted(sent.state for sent in rivals)
        if states != [OK, "refused"] or following.state != OK:
            scene.ledger.troubles.append(f"round {number}: {states}, next hand {following.state}")
    return scene.figures(conflicts=scene.ledger.count(409))


def hold_the_lock(scene: Scene, *, seconds: float, phones: int, goes_on: bool = True) -> Figures:
    """F6: another program holds SQLite's write lock in the middle of a burst.

    `goes_on` waits until every phone writes again afterwards.
    """
    scene.come_in(phones)
    path = path_of(scene.server.database_url)
    with burst(scene.phones), closing(sqlite3.connect(path, timeout=30)) as other:
        written(scene, phones)
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        other.execute("ROLLBACK")
        written(scene, phones * goes_on)
    return scene.figures(
        answered_503=scene.ledger.count(503), p99_ms=percentile(scene.ledger.waits, 99)
    )


def fill_the_disk(scene: Scene, *, ballast: Path, phones: int) -> Figures:
    """F7: the disk of the database is full in the middle of a burst, and has room again later."""
    scene.come_in(phones)
    with burst(scene.phones):
        written(scene, phones)
        _fill(ballast)
        until(lambda: scene.ledger.count(503) >= phones)
        read = scene.phones[0].server.answers()
        acknowledged = len(scene.ledger.acknowledged)
        ballast.unlink()
        began = time.monotonic()
        written(scene, phones)
    return scene.figures(
        answered_503=scene.ledger.count(503),
        reads_went_on=read,
        acked_before=acknowledged,
        resumed_after_s=time.monotonic() - began,
    )


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 4096, 512):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                pass


def freeze(scene: Scene, *, seconds: float, phones: int) -> Figures:
    """F14: the server stands still (SIGSTOP) in the middle of a burst, and goes on."""
    scene.come_in(phones)
    with burst(scene.phones):
        written(scene, phones)
        scene.server.signal(signal.SIGSTOP)
        time.sleep(seconds)
        scene.server.signal(signal.SIGCONT)
        written(scene, phones)
    return scene.figures(p99_ms=percentile(scene.ledger.waits, 99))


def restart_postgres(scene: Scene, *, postgres: Postgres, phones: int) -> Figures:
    """F9: PostgreSQL loses its power and starts again in the middle of a burst."""
    scene.come_in(phones)
    with burst(scene.phones):
        written(scene, 2 * phones)
        postgres.crash()
        began = time.monotonic()
        written(scene, phones)
        recovery = time.monotonic() - began
        written(scene, phones)
    return scene.figures(answered_503=scene.ledger.count(503), recovered_after_s=recovery)


def cut_connections(scene: Scene, *, postgres: Postgres, phones: int, times: int) -> Figures:
    """F9: every connection to PostgreSQL is cut, again and again: before, in and after commits."""
    scene.come_in(phones)
    cut, chance = 0, Random(scene.seed)
    with burst(scene.phones):
        for _ in range(times):
            written(scene, 2)
            time.sleep(chance.random() * 0.03)
            cut += postgres.cut_connections(scene.server.database_url)
        written(scene, phones)
    return scene.figures(connections_cut=cut, answered_503=scene.ledger.count(503))


def move_the_clock(scene: Scene, *, clock: Path, hours: list[float], hands: int) -> Figures:
    """F8: the server's clock jumps between hands; its phones and its organiser stay signed in."""
    (phone, organiser) = scene.come_in(2)
    organiser.sign_in(ORGANISER, PASSWORD)
    for jump in hours:
        clock.write_text(str(jump))
        for _ in range(hands):
            phone.insist(phone.next_hand())
        for page in ("/you/", "/c/thursday/", "/c/thursday/audit/", organiser.place.path):
            status = organiser.get(page)
            if status != 200:
                scene.ledger.troubles.append(f"{jump} hours later {page} was answered {status}")
    return scene.figures()


def redeploy(scene: Scene, *, phones: int, rounds: int = 1) -> Figures:
    """F14: asked to stop (SIGTERM) in a burst, and started again: what was accepted is answered."""
    scene.come_in(phones)
    for _ in range(rounds):
        with burst(scene.phones):
            written(scene, phones)
            scene.server.stop()
            scene.server.start()
            written(scene, phones)
    return scene.figures(rounds=rounds)
