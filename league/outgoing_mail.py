"""Mail is made and sent beside the requests: nobody waits for it, or learns from its time.

One thread does it, one mail after another. What waits when the server stops is lost; whoever misses
a mail asks for it again. Commands send for themselves (league/sessions/mail.py).
"""

import logging
from collections.abc import Callable
from queue import Full, Queue
from threading import Lock, Thread

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections

MOST_WAITING = 500
AT_ONCE = "locmem"  # of tests, which look at what was sent

log = logging.getLogger(__name__)
_waiting: "Queue[Callable[[], object]]" = Queue(MOST_WAITING)
_starting = Lock()
_thread: Thread | None = None


def hand_over(mail: EmailMessage) -> None:
    """Send this mail soon."""
    do_beside(mail.send)


def do_beside(work: Callable[[], object]) -> None:
    """Do soon what ends in a mail; it is dropped where hundreds wait already."""
    if settings.EMAIL_BACKEND.split(".")[-2] == AT_ONCE:
        _do(work)
        return
    try:
        _waiting.put_nowait(work)
    except Full:
        log.warning("a mail was dropped: %d are waiting", MOST_WAITING)
    _start()


def _start() -> None:
    """A daemon, so that a mail server that hangs does not keep this one from stopping."""
    global _thread
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = Thread(target=_do_all, name="mail", daemon=True)
            _thread.start()


def _do_all() -> None:
    while True:
        _do(_waiting.get())
        connections.close_all()


def _do(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        log.warning("a mail was not sent: %s", type(error).__name__)
