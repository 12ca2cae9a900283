"""A scripted phone: it comes in by a table's code, sends hands, and insists until it is told."""

import http.client
import secrets
import select
import socket
import time
import urllib.parse
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.faults.hall import Place
from tests.faults.ledger import CORRECTION, OK, Ledger, Sent
from tests.faults.server import Server

ANSWER_WITHIN = 25  # seconds: longer than the site waits for a lock
GIVE_UP = 90  # seconds for one hand
PAUSE = 0.03
NEVER_READ = 1000  # milliseconds: by then the system has said so


class Phone:
    """One phone at one table. Not for two threads at once."""

    def __init__(self, server: Server, place: Place, ledger: Ledger, chance: Random) -> None:
        self.server, self.place, self.ledger, self.chance = server, place, ledger, chance
        self.cookies: dict[str, str] = {}
        self.line: http.client.HTTPConnection | None = None
        self.wire: socket.socket | None = None  # the same line: what became of it after its end
        self.number = 0
        self.silences = 0  # times that nobody answered
        self.too_late = False  # what was sent last met a line that was over

    def come_in(self) -> "Phone":
        """Hand over the code and keep the table's cookie."""
        self._ask("GET", "/t/")
        status = self._ask("POST", "/t/", {"code": self.place.code})
        assert status == 302, f"The code was answered {status}."
        return self

    def sign_in(self, login: str, password: str) -> None:
        """With an account, as an organiser does on her own phone."""
        self._ask("GET", "/accounts/login/")
        status = self._ask("POST", "/accounts/login/", {"login": login, "password": password})
        assert status == 302, f"Signing in was answered {status}."

    def next_hand(self, **more: Any) -> Sent:
        """A hand for the next number, written into the ledger and not yet sent."""
        self.number += 1
        return self.a_hand(self.number, **more)

    def a_hand(self, number: int, *, unlike: Sequence[Sent] = (), **more: Any) -> Sent:
        """`unlike`: a correction that changes nothing is answered, and not stored."""
        record = a_record(self.chance, number)
        while any(record == other.record for other in unlike):
            record = a_record(self.chance, number)
        sent = Sent(self.place.id, number, secrets.token_hex(16), record, **more)
        return self.ledger.write(sent)

    def a_correction(self, number: int, version: int, unlike: Sequence[Sent]) -> Sent:
        return self.a_hand(number, unlike=unlike, kind=CORRECTION, version=version)

    def send(self, sent: Sent) -> int | None:
        """Send it once: the status, or None when there was no answer."""
        path, fields = address_and_fields(self.place, sent)
        began = time.monotonic()
        try:
            status = self._ask("POST", path, fields)
        except (OSError, http.client.HTTPException) as trouble:
            self.silences += 1
            self.ledger.silent(accepted=self._was_taken(trouble))
            self.hang_up()
            return None
        self.ledger.answered(sent, status, time.monotonic() - began)
        return status

    def insist(self, sent: Sent) -> bool:
        """Send it until somebody answers for good; whether it was saved."""
        began = time.monotonic()
        while time.monotonic() - began < GIVE_UP:
            status = self.send(sent)
            if status is not None and status not in (429, 503):
                break
            time.sleep(PAUSE * (1 + self.chance.random()))
        return sent.state == OK

    def get(self, path: str) -> int | None:
        try:
            return self._ask("GET", path)
        except (OSError, http.client.HTTPException):
            self.hang_up()
            return None

    def _was_taken(self, trouble: Exception) -> bool:
        """Whether the server had taken what it then left without an answer.

        It had not where nobody was there, or where it hung up on a line that was at rest: then
        sending fails, or the line was over before what was sent could have been read, or the
        system says "reset" because nobody ever read it. That may follow the server's own end of
        the line by a moment.
        """
        if isinstance(trouble, http.client.RemoteDisconnected):
            return not self.too_late and not self._is_reset()
        return not isinstance(trouble, ConnectionError)

    def _is_reset(self) -> bool:
        """Whether the system at the other end says that what was sent was never read."""
        assert self.wire is not None
        wire = select.poll()
        wire.register(self.wire, 0)  # errors alone
        return bool(wire.poll(NEVER_READ))

    def _is_over(self) -> bool:
        """Whether the other end has hung up already."""
        line = self.line.sock if self.line else None
        if line is None or not select.select([line], [], [], 0)[0]:
            return False
        return not line.recv(1, socket.MSG_PEEK)

    def hang_up(self) -> None:
        if self.line is not None:
            self.line.close()
            self.line = None
        if self.wire is not None:
            self.wire.close()
            self.wire = None

    def _ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> int:
        if self.line is None:
            self.line = http.client.HTTPConnection(
                "127.0.0.1", self.server.port, timeout=ANSWER_WITHIN
            )
            self.line.connect()
            self.wire = self.line.sock.dup()
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            body = urllib.parse.urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        self.too_late = False
        self.line.request(method, path, body, headers)
        self.too_late = self._is_over()
        answer = self.line.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        answer.read()
        return answer.status


def a_record(chance: Random, number: int) -> dict[str, Any]:
    """A hand that the rules allow, different from most others."""
    contract: dict[str, Any] = {"seat": chance.randrange(4), "trump": chance.choice("shdc")}
    if chance.random() < 0.2:
        contract["alone"] = True
    outcome = chance.choice(["made", "march", "euchred"])
    return {"dealer": (number - 1) % 4, "contract": contract, "outcome": outcome}


def address_and_fields(place: Place, sent: Sent) -> tuple[str, dict[str, Any]]:
    """Where an entry goes, and its record as the page's form would send it."""
    contract = sent.record["contract"]
    fields = {
        "client_id": sent.client_id,
        "number": sent.number,
        "dealer": sent.record["dealer"],
        "maker": contract["seat"],
        "trump": contract["trump"],
        "alone": "on" if contract.get("alone") else "off",
        "outcome": sent.record["outcome"],
    }
    if sent.kind != CORRECTION:
        return f"{place.path}hand", fields
    more = {"version": sent.version, "reason": "It was otherwise."}
    return f"{place.path}hands/{sent.number}", fields | more
