"""A cache shared by several machines that falls back to memory when its server is down.

Django's own Redis cache raises every connection error, and each page that uses it would be a 500.
Here each process then uses a cache in its own memory, as without CACHE_URL: pages are rendered
again, and counters are per process. Keys include the revision of the cached data, so nothing is out
of date when the server is back.

django-redis can ignore errors, but would try the dead server with every call, waiting half a second
and logging a line each time, and would cache nothing meanwhile.
"""

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

PATIENCE = 0.5  # seconds to connect, and to wait for an answer
RETRY_AFTER = 5.0  # seconds without calls to a server that did not answer
LOG_EVERY = 60.0  # seconds between warnings in the log

log = logging.getLogger(__name__)


class SharedCache(RedisCache):
    """Django's Redis cache, replaced by one in memory while the server does not answer."""

    retry_at = logged_at = float("-inf")  # of the monotonic clock

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        timeouts = {"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
        super().__init__(server, {**params, "OPTIONS": timeouts | params.get("OPTIONS", {})})
        self._fallback = LocMemCache("while the shared one is away", {})

    def get(self, *args: Any, **named: Any) -> Any:
        return self._call("get", *args, **named)

    def set(self, *args: Any, **named: Any) -> Any:
        return self._call("set", *args, **named)

    def add(self, *args: Any, **named: Any) -> Any:
        return self._call("add", *args, **named)

    def touch(self, *args: Any, **named: Any) -> Any:
        return self._call("touch", *args, **named)

    def delete(self, *args: Any, **named: Any) -> Any:
        return self._call("delete", *args, **named)

    def incr(self, *args: Any, **named: Any) -> Any:
        return self._call("incr", *args, **named)

    def has_key(self, *args: Any, **named: Any) -> Any:
        return self._call("has_key", *args, **named)

    def get_many(self, *args: Any, **named: Any) -> Any:
        return self._call("get_many", *args, **named)

    def set_many(self, *args: Any, **named: Any) -> Any:
        return self._call("set_many", *args, **named)

    def delete_many(self, *args: Any, **named: Any) -> Any:
        return self._call("delete_many", *args, **named)

    def clear(self) -> Any:
        return self._call("clear")

    def _call(self, method: str, *args: Any, **named: Any) -> Any:
        """Call a method of the shared cache, or of the fallback if the server does not answer."""
        from redis.exceptions import RedisError

        if time.monotonic() >= type(self).retry_at:
            try:
                return getattr(super(), method)(*args, **named)
            except (RedisError, OSError) as error:
                self._pause(error)
        return getattr(self._fallback, method)(*args, **named)

    def _pause(self, error: Exception) -> None:
        """Stop calling the server for a while, in all threads; log it at most once a minute."""
        cls, now = type(self), time.monotonic()
        cls.retry_at = now + RETRY_AFTER
        if now >= cls.logged_at + LOG_EVERY:
            cls.logged_at = now
            log.warning("The shared cache does not answer; each process uses its own: %s", error)
