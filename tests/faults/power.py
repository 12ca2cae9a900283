"""F10: the power goes at any moment. What SQLite wrote is replayed up to there, badly.

The server runs under strace, which writes down every write and sync of the database's files. For
each cut the disk is rebuilt: what was synced before is there; of what was written since, each
write may be there, missing, or torn at a sector. Then the database is opened as after a restart,
and must hold every hand whose answer had come before the cut.
"""

import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.scene import Figures, Scene

SECTOR = 512
CALLS = "pwrite64,fsync,fdatasync,ftruncate,unlink"
LINE = re.compile(r"^(\d+) +(\d+\.\d+) (.*)$")
WRITE = re.compile(r"^pwrite64\(\d+<([^>]+)>, \"([^\"]*)\", \d+, (\d+)\) += (\d+)")
SYNC = re.compile(r"^f(?:data)?sync\(\d+<([^>]+)>\) += 0")
CUT = re.compile(r"^ftruncate\(\d+<([^>]+)>, (\d+)\) += 0")
GONE = re.compile(r"^unlink\(\"([^\"]+)\"\) += 0")


def strace(database: Path, log: Path) -> list[str]:
    """What to put before a server so that its database's writes are written down."""
    files = [f"--trace-path={database}{end}" for end in ("", "-wal", "-journal")]
    long = ["-f", "-ttt", "-y", "-xx", "-s", "100000", f"--trace={CALLS}", "-o", str(log)]
    return ["strace", *long, *files]


@dataclass(frozen=True, slots=True)
class Event:
    """One call: when, on which file, and what it wrote where; `data` None is a sync."""

    at: float
    file: str
    data: bytes | None = None
    offset: int = 0
    kind: str = "write"


@dataclass
class Disk:
    """The files as the disk has them, and the writes that it has not yet been made to keep."""

    files: dict[str, bytearray] = field(default_factory=lambda: defaultdict(bytearray))
    waiting: dict[str, list[Event]] = field(default_factory=lambda: defaultdict(list))

    def take(self, event: Event) -> None:
        if event.kind == "sync":
            for waiting in self.waiting.pop(event.file, ()):
                apply(self.files, waiting)
        else:
            self.waiting[event.file].append(event)

    def after_power_loss(self, chance: Random) -> dict[str, bytearray]:
        """The files as they may be found: every unsynced write kept, lost or torn."""
        found = defaultdict(bytearray, {name: bytearray(d) for name, d in self.files.items()})
        for events in self.waiting.values():
            for event in events:
                fate = chance.choice(["kept", "lost", "torn"])
                if fate == "kept":
                    apply(found, event)
                elif fate == "torn" and event.data:
                    apply(found, torn(event, chance))
        return found


def apply(files: dict[str, bytearray], event: Event) -> None:
    """Do to the files what one call did."""
    file = files[event.file]
    if event.kind == "truncate":
        del file[event.offset :]
        file.extend(bytes(event.offset - len(file)))
    elif event.kind == "unlink":
        files.pop(event.file, None)
    elif event.data is not None:
        end = event.offset + len(event.data)
        file.extend(bytes(max(0, end - len(file))))
        file[event.offset : end] = event.data


def torn(event: Event, chance: Random) -> Event:
    """A write of which only the first sectors reached the disk."""
    assert event.data is not None
    kept = SECTOR * chance.randint(0, len(event.data) // SECTOR)
    return Event(event.at, event.file, event.data[:kept], event.offset)


def events_of(log: Iterable[str]) -> Iterator[Event]:
    """The calls in a log of strace, in the order they ended."""
    begun: dict[str, str] = {}
    for line in log:
        match = LINE.match(line)
        if match is None:
            continue
        process, at, call = match.groups()
        if call.endswith("<unfinished ...>"):
            begun[process] = call.removesuffix("<unfinished ...>").rstrip()
            continue
        if call.startswith("<..."):
            call = begun.pop(process, "") + call.partition("resumed>")[2]
        event = _event(float(at), call)
        if event is not None:
            yield event


def _event(at: float, call: str) -> Event | None:
    if match := WRITE.match(call):
        file, text, offset, written = match.groups()
        data = bytes.fromhex(text.replace("\\x", ""))[: int(written)]
        return Event(at, _name(file), data, int(offset))
    if match := SYNC.match(call):
        return Event(at, _name(match[1]), kind="sync")
    if match := CUT.match(call):
        return Event(at, _name(match[1]), offset=int(match[2]), kind="truncate")
    if match := GONE.match(call):
        return Event(at, _name(match[1]), kind="unlink")
    return None


def _name(path: str) -> str:
    if path.startswith("\\x"):
        path = bytes.fromhex(path.replace("\\x", "")).decode()
    return path.rpartition("/")[2]


def cuts(
    before: dict[str, bytearray], events: list[Event], *, count: int, chance: Random
) -> Iterator[tuple[float, dict[str, bytearray]]]:
    """So many moments at which the power goes, each with the files as they are found."""
    moments = sorted(chance.sample(range(1, len(events)), count))
    disk = Disk()
    disk.files.update({name: bytearray(data) for name, data in before.items()})
    for place, event in enumerate(events):
        while moments and moments[0] == place:
            moments.pop(0)
            yield event.at, disk.after_power_loss(chance)
        disk.take(event)


def hands_found(files: dict[str, bytearray], folder: Path) -> set[str] | str:
    """The ids of the hands in a database put together from these files; else what is wrong."""
    for old in folder.glob("club.sqlite3*"):
        old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        with closing(sqlite3.connect(folder / "club.sqlite3")) as db:
            sound = db.execute("PRAGMA integrity_check").fetchone()[0]
            if sound != "ok":
                return str(sound)
            return {row[0] for row in db.execute("SELECT client_id FROM league_hand")}
    except sqlite3.DatabaseError as error:
        return str(error)


def lose_power(
    scene: Scene, before: dict[str, bytearray], log: Path, folder: Path, *, hands: int, count: int
) -> Figures:
    """Write hands one after another under strace; then the power goes at `count` moments."""
    answered = []
    for phone in scene.come_in(2):
        for _ in range(hands // 2):
            sent = phone.next_hand()
            if phone.insist(sent):
                answered.append((time.time(), sent.client_id))
    scene.server.kill()
    with log.open() as lines:
        events = list(events_of(lines))
    lost = 0
    for at, files in cuts(before, events, count=count, chance=Random(scene.seed)):
        found = hands_found(files, folder)
        if isinstance(found, str):
            scene.ledger.troubles.append(f"the database cannot be read: {found}")
            continue
        missing = {client_id for when, client_id in answered if when < at} - found
        lost = max(lost, len(missing))
        if missing:
            scene.ledger.troubles.append(f"{len(missing)} acknowledged hands are gone")
    return scene.figures(writes_and_syncs=len(events), cuts=count, most_lost=lost)
