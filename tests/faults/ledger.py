"""What phones sent and what they were told: the history that the database is judged by."""

import threading
from dataclasses import dataclass, field
from typing import Any

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
HAND, CORRECTION = "hand", "correction"


@dataclass
class Sent:
    """One entry of one phone. `state` is what its phone knows in the end; `statuses` each answer.

    `unknown` is an entry that nobody answered: the site may have it or not, but not half of it.
    """

    table: str
    number: int
    client_id: str
    record: dict[str, Any]
    kind: str = HAND
    version: int = 0
    state: str = UNKNOWN
    statuses: list[int] = field(default_factory=list)

    def note_status(self, status: int) -> None:
        self.statuses.append(status)
        if status == 302:
            self.state = OK
        elif status < 500 and status != 429 and self.state != OK:
            self.state = REFUSED


class Ledger:
    """The entries of all phones, and every answer that should not have been."""

    def __init__(self) -> None:
        self.entries: list[Sent] = []
        self.troubles: list[str] = []
        self.waits: list[float] = []
        self.unanswered = self.dropped = 0
        self._lock = threading.Lock()

    def write(self, sent: Sent) -> Sent:
        with self._lock:
            self.entries.append(sent)
        return sent

    def answered(self, sent: Sent, status: int, seconds: float) -> None:
        """Note an answer; one that no phone should get is a trouble."""
        with self._lock:
            self.waits.append(seconds)
            if status >= 500 and status != 503:
                self.troubles.append(f"{sent.client_id} answered {status}")
            if sent.state == OK and status != 302 and status != 503:
                self.troubles.append(f"{sent.client_id} was saved and then answered {status}")
            sent.note_status(status)

    def silent(self, *, accepted: bool) -> None:
        """Note that nobody answered; `accepted` when there was somebody who could have."""
        with self._lock:
            self.unanswered += 1
            self.dropped += accepted

    def of(self, *states: str) -> list[Sent]:
        return [sent for sent in self.entries if sent.state in states]

    @property
    def acknowledged(self) -> list[Sent]:
        return self.of(OK)

    def count(self, status: int) -> int:
        """How many answers had this status."""
        return sum(sent.statuses.count(status) for sent in self.entries)

    def only_one_phone_a_table(self) -> list[str]:
        """Where nobody else writes, no entry is ever in another's way."""
        return [
            f"{sent.client_id} was answered {sent.statuses}, but nobody else was at the table"
            for sent in self.entries
            if any(400 <= status < 500 and status != 429 for status in sent.statuses)
        ]
