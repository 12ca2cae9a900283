"""The one limiter of the site: counts tries by a key, and says how long to wait for the next one.

    WRONG = Limit(most=30, within=600)
    limits.refuse_over(f"wrong-code:{limits.network_of(request)}", WRONG)

Each count is one statement of the database, so that threads, processes and machines share it and
none is lost. The table holds no names and no addresses, only keyed hashes; counts whose time is
over are removed, and above a bound the smallest ones, so that a flood of new keys cannot push out
the key that somebody really tries. What a transaction rolls back was not counted.
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

from league.compiled_sql import execute, returned
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
"""What a refusal may set in `request.META`: when it is answered at the earliest, as
`time.monotonic()` counts (league/rsgi.py waits)."""
WITH_PORT = re.compile(r"^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$")
_new_keys = count(1)


@dataclass(frozen=True, slots=True)
class Limit:
    """At `most` so many tries `within` seconds of the first.

    With `wait`, later tries are slowed down instead: so many seconds after the last one, twice as
    many each time, at most `longest`.
    """

    most: int
    within: int
    wait: int = 0
    longest: int = 0

    def doublings(self) -> int:
        """After how many doublings of `wait` it is `longest`."""
        return (self.longest // self.wait).bit_length() if self.wait else 0

    def wait_after(self, tries: int) -> int:
        """The seconds from the try of this number to the next; SQL says the same in `_upsert`."""
        if tries < self.most:
            return 0
        return min(self.wait << min(tries - self.most, self.doublings()), self.longest)


def wait_for(key: str, limit: Limit) -> int:
    """Count one more try of `key` and return 0; or count none and return the seconds to wait."""
    if _counted(key, limit, 1, at_any_rate=False) is not None:
        return 0
    now = _now()
    row = returned(READ, _name(key), now)
    if row is None:  # its time ended between the two statements
        return 1
    _tries, opens_at, ends_at = row
    return max(1, (min(opens_at, ends_at) if limit.wait else ends_at) - now)


def refuse_over(key: str, limit: Limit, message: str = "") -> None:
    """Count one more try of `key`, or refuse it (429) with the time to wait after `message`."""
    if wait := wait_for(key, limit):
        raise too_many(wait, message)


def too_many(wait: int, message: str = "") -> Refused:
    """The refusal of a try that has to wait; who answers it sends `Retry-After`."""
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
    """Count `by` more of `key`, whatever there are; how many there are now, `within` seconds."""
    counted = _counted(key, Limit(0, within), by, at_any_rate=True)
    assert counted is not None
    return counted


def counted(key: str) -> int:
    """How many of `key` there are now."""
    row = returned(READ, _name(key), _now())
    return row[0] if row else 0


def give_back(key: str) -> None:
    """Count one less of `key`: the try was none of those that are limited."""
    execute(GIVE_BACK, _name(key))


def forget(key: str) -> None:
    execute("DELETE FROM league_limitcount WHERE name = %s", _name(key))


def network_of(request: HttpRequest) -> str:
    """Where a request comes from: of the connection, never what its client claims."""
    return network(str(request.META.get("REMOTE_ADDR") or ""))


def provider_of(request: HttpRequest) -> str:
    """The network around that address, out of which one guesser may have many."""
    return network(str(request.META.get("REMOTE_ADDR") or ""), bits=24, bits_of_6=48)


def network(address: str, *, bits: int = 32, bits_of_6: int = 64) -> str:
    """What counts as one address: an IPv4 address, or the /64 that one IPv6 customer has."""
    bare = WITH_PORT.sub(r"\1\2", address).partition("%")[0]  # some proxies pass the port on too
    try:
        ip = ipaddress.ip_address(bare)
    except ValueError:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    length = bits if ip.version == 4 else bits_of_6
    whole = ip.version == 4 and length == 32
    return str(ip) if whole else str(ipaddress.ip_network((ip, length), strict=False))


def sweep() -> None:
    """Remove the counts whose time is over, and of too many the smallest."""
    execute(SWEEP, _now())
    row = returned(SIZE)
    if row and row[0] > MOST_ROWS:
        execute(CUT, row[0] - MOST_ROWS * 9 // 10)


def _counted(key: str, limit: Limit, by: int, *, at_any_rate: bool) -> int | None:
    """The count with `by` more; None where the limit does not allow it."""
    now = _now()
    values = (_name(key), by, now + limit.wait_after(by), now + limit.within)
    row = returned(_upsert(limit, at_any_rate), *values)
    if row is None:
        return None
    if row[0] == by and next(_new_keys) % SWEEP_EVERY == 0:
        sweep()
    return int(row[0])


@lru_cache(maxsize=64)
def _upsert(limit: Limit, at_any_rate: bool) -> str:
    """One statement that begins a count, adds to it, begins it again after its time, or does
    nothing (and returns no row) where the limit does not allow more."""
    now = f"(EXCLUDED.ends_at - {limit.within})"
    over = f"league_limitcount.ends_at <= {now}"
    tries = "(league_limitcount.counted + EXCLUDED.counted)"
    wait = f"""CASE WHEN {tries} < {limit.most} THEN 0
        WHEN {tries} - {limit.most} >= {limit.doublings()} THEN {limit.longest}
        ELSE {limit.wait} << ({tries} - {limit.most}) END"""
    allowed = f"{over} OR league_limitcount.counted < {limit.most}"
    if limit.wait:
        allowed = f"{allowed} OR league_limitcount.opens_at <= {now}"
    return f"""
        INSERT INTO league_limitcount (name, counted, opens_at, ends_at) VALUES (%s, %s, %s, %s)
        ON CONFLICT (name) DO UPDATE SET
            counted = CASE WHEN {over} THEN EXCLUDED.counted ELSE {tries} END,
            opens_at = CASE WHEN {over} THEN EXCLUDED.opens_at ELSE {now} + {wait} END,
            ends_at = CASE WHEN {over} THEN EXCLUDED.ends_at ELSE league_limitcount.ends_at END
        WHERE {"1 = 1" if at_any_rate else allowed}
        RETURNING counted
    """  # noqa: S608 - numbers of the program's own


def _name(key: str) -> str:
    return salted_hmac("league.limits", key, algorithm="sha256").hexdigest()


def _now() -> int:
    return int(time.time())
