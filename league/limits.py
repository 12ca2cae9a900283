"""The site's rate limiter: counts tries by key, and says how long to wait for the next one.

    WRONG = Limit(most=30, within=600)
    limits.refuse_over(f"wrong-code:{limits.network_of(request)}", WRONG)

Each try is counted by one database statement, so that threads, processes and machines share the
counts and none is lost. The table has no names and no addresses, only keyed hashes. Expired counts
are removed, and above a maximum the smallest ones, so that a flood of new keys cannot displace the
key that is really being tried. A rolled-back transaction counts nothing.
"""

import ipaddress
import re
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.compiled_sql import execute, fetch_row
from league.errors import Refused

DAY, HOUR, MINUTE = 86_400, 3_600, 60
MOST_ROWS = 20_000
SWEEP_EVERY = 100  # new keys

GIVE_BACK = "UPDATE league_limitcount SET counted = counted - 1 WHERE name = %s AND counted > 0"
READ = "SELECT counted, opens_at, ends_at FROM league_limitcount WHERE name = %s AND ends_at > %s"
SWEEP = "DELETE FROM league_limitcount WHERE ends_at <= %s"
SIZE = "SELECT count(*) FROM league_limitcount"
CUT = """
DELETE FROM league_limitcount WHERE name IN (
    SELECT name FROM league_limitcount ORDER BY counted, ends_at LIMIT %s
)
"""

NOT_BEFORE = "right_bower.not_before"
"""Key in `request.META` for the earliest `time.monotonic()` at which to send the response
(league/rsgi.py waits)."""
WITH_PORT = re.compile(r"^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$")
_new_keys = count(1)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries `within` seconds of the first.

    With `wait`, further tries are slowed down instead: the first must wait `wait` seconds, the next
    twice as long, and so on up to `longest`.
    """

    most: int
    within: int
    wait: int = 0
    longest: int = 0

    def doublings(self) -> int:
        """How many times `wait` doubles until it reaches `longest`."""
        return (self.longest // self.wait).bit_length() if self.wait else 0

    def wait_after(self, tries: int) -> int:
        """The seconds to wait after the n-th try; `_upsert` has the same formula in SQL."""
        if tries < self.most:
            return 0
        return min(self.wait << min(tries - self.most, self.doublings()), self.longest)


def wait_for(key: str, limit: Limit) -> int:
    """Count a try of `key` and return 0, or count nothing and return the seconds to wait."""
    if _counted(key, limit, 1, always=False) is not None:
        return 0
    now = _now()
    row = fetch_row(READ, _name(key), now)
    if row is None:  # the count expired between the two statements
        return 1
    _tries, opens_at, ends_at = row
    return max(1, (min(opens_at, ends_at) if limit.wait else ends_at) - now)


def refuse_over(key: str, limit: Limit, message: str = "") -> None:
    """Count a try of `key`, or refuse it (429) with `message` and the time to wait."""
    if wait := wait_for(key, limit):
        raise too_many(wait, message)


def too_many(wait: int, message: str = "") -> Refused:
    """The refusal of a try that has to wait; its page gets a `Retry-After` header."""
    if wait < 2 * MINUTE:
        again = ngettext("Try again in %(n)d second.", "Try again in %(n)d seconds.", wait)
        again %= {"n": wait}
    else:
        minutes = -(-wait // MINUTE)
        again = ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes)
        again %= {"n": minutes}
    sentence = f"{message or _('Too many tries from here.')} {again}"
    return Refused("too-many-tries", sentence, status=429, details={"retry_after": wait})


def add(key: str, within: int, by: int = 1) -> int:
    """Add `by` to the count of `key` without any limit, and return the count `within` seconds."""
    total = _counted(key, Limit(0, within), by, always=True)
    assert total is not None
    return total


def counted(key: str) -> int:
    """The current count of `key`."""
    row = fetch_row(READ, _name(key), _now())
    return row[0] if row else 0


def give_back(key: str) -> None:
    """Subtract one from the count of `key`, for a try that turned out not to be limited."""
    execute(GIVE_BACK, _name(key))


def forget(key: str) -> None:
    execute("DELETE FROM league_limitcount WHERE name = %s", _name(key))


def network_of(request: HttpRequest) -> str:
    """The network of a request's sender, from the connection and never from its headers."""
    return network(str(request.META.get("REMOTE_ADDR") or ""))


def provider_of(request: HttpRequest) -> str:
    """The larger network around the sender, in which one attacker may have many addresses."""
    return network(str(request.META.get("REMOTE_ADDR") or ""), bits=24, bits_of_6=48)


def network(address: str, *, bits: int = 32, bits_of_6: int = 64) -> str:
    """What counts as one sender: an IPv4 address, or the /64 network of one IPv6 customer."""
    bare = WITH_PORT.sub(r"\1\2", address).partition("%")[0]  # some proxies include the port
    try:
        ip = ipaddress.ip_address(bare)
    except ValueError:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    length = bits if ip.version == 4 else bits_of_6
    is_single_address = ip.version == 4 and length == 32
    return str(ip) if is_single_address else str(ipaddress.ip_network((ip, length), strict=False))


def sweep() -> None:
    """Remove expired counts, and the smallest ones if there are too many."""
    execute(SWEEP, _now())
    row = fetch_row(SIZE)
    if row and row[0] > MOST_ROWS:
        execute(CUT, row[0] - MOST_ROWS * 9 // 10)


def _counted(key: str, limit: Limit, by: int, *, always: bool) -> int | None:
    """Add `by` to the count and return it; None if the limit does not allow it."""
    now = _now()
    values = (_name(key), by, now + limit.wait_after(by), now + limit.within)
    row = fetch_row(_upsert(limit, always), *values)
    if row is None:
        return None
    if row[0] == by and next(_new_keys) % SWEEP_EVERY == 0:
        sweep()
    return int(row[0])


@lru_cache(maxsize=64)
def _upsert(limit: Limit, always: bool) -> str:
    """One statement that begins a count, adds to it, or begins it again once it has expired; it
    does nothing, and returns no row, if the limit does not allow more."""
    now = f"(EXCLUDED.ends_at - {limit.within})"
    expired = f"league_limitcount.ends_at <= {now}"
    tries = "(league_limitcount.counted + EXCLUDED.counted)"
    wait = f"""CASE WHEN {tries} < {limit.most} THEN 0
        WHEN {tries} - {limit.most} >= {limit.doublings()} THEN {limit.longest}
        ELSE {limit.wait} << ({tries} - {limit.most}) END"""
    allowed = f"{expired} OR league_limitcount.counted < {limit.most}"
    if limit.wait:
        allowed = f"{allowed} OR league_limitcount.opens_at <= {now}"
    return f"""
        INSERT INTO league_limitcount (name, counted, opens_at, ends_at) VALUES (%s, %s, %s, %s)
        ON CONFLICT (name) DO UPDATE SET
            counted = CASE WHEN {expired} THEN EXCLUDED.counted ELSE {tries} END,
            opens_at = CASE WHEN {expired} THEN EXCLUDED.opens_at ELSE {now} + {wait} END,
            ends_at = CASE WHEN {expired} THEN EXCLUDED.ends_at ELSE league_limitcount.ends_at END
        WHERE {"1 = 1" if always else allowed}
        RETURNING counted
    """  # noqa: S608 - only our own numbers


def _name(key: str) -> str:
    return salted_hmac("league.limits", key, algorithm="sha256").hexdigest()


def _now() -> int:
    return int(time.time())
