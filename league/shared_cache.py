"""One cache for several machines that pages can do without, for its server may go away.

Django's own cache on Redis raises whatever the connection does, and every page that asks it would
be answered 500. Here each process then goes on with a cache in its own memory, as without
CACHE_URL: pages are made anew, and what is counted is counted a process. Keys name the revision of
what they hold, so nothing is ever out of date when the server is back.

django-redis can pass over errors, but would ask the dead server again at every call, half a second
each time, write a line for each, and remember nothing meanwhile.
"""

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

PATIENCE = 0.5  # seconds for a connection, and for an answer
AWAY = 5.0  # seconds in which a server that did not answer is not asked again
SAID = 60.0  # seconds between two lines about it in the log

log = logging.getLogger(__name__)


class SharedCache(RedisCache):
    """Django's cache on Redis; while that does not answer, one in memory."""

    back_at = said_at = float("-inf")  # of the clock that never goes back

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        waits = {"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
        super().__init__(server, {**params, "OPTIONS": waits | params.get("OPTIONS", {})})
        self._own = LocMemCache("while the shared one is away", {})

    def get(self, *args: Any, **named: Any) -> Any:
        return self._ask("get", *args, **named)

    def set(self, *args: Any, **named: Any) -> Any:
        return self._ask("set", *args, **named)

    def add(self, *args: Any, **named: Any) -> Any:
        return self._ask("add", *args, **named)

    def touch(self, *args: Any, **named: Any) -> Any:
        return self._ask("touch", *args, **named)

    def delete(self, *args: Any, **named: Any) -> Any:
        return self._ask("delete", *args, **named)

    def incr(self, *args: Any, **named: Any) -> Any:
        return self._ask("incr", *args, **named)

    def has_key(self, *args: Any, **named: Any) -> Any:
        return self._ask("has_key", *args, **named)

    def get_many(self, *args: Any, **named: Any) -> Any:
        return self._ask("get_many", *args, **named)

    def set_many(self, *args: Any, **named: Any) -> Any:
        return self._ask("set_many", *args, **named)

    def delete_many(self, *args: Any, **named: Any) -> Any:
        return self._ask("delete_many", *args, **named)

    def clear(self) -> Any:
        return self._ask("clear")

    def _ask(self, order: str, *args: Any, **named: Any) -> Any:
        """The shared cache's answer, else that of our own."""
        from redis.exceptions import RedisError

        if time.monotonic() >= type(self).back_at:
            try:
                return getattr(super(), order)(*args, **named)
            except (RedisError, OSError) as error:
                self._went_away(error)
        return getattr(self._own, order)(*args, **named)

    def _went_away(self, error: Exception) -> None:
        """For all threads: not asked again for a while, and said once a minute."""
        kind, now = type(self), time.monotonic()
        kind.back_at = now + AWAY
        if now >= kind.said_at + SAID:
            kind.said_at = now
            log.warning("The shared cache does not answer; each process uses its own: %s", error)
