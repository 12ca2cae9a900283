"""Hands mail to the mail server beside the requests: nobody waits for it, or learns from its time.

One thread sends, one mail after another. What waits when the server stops is lost; whoever misses
a mail asks for it again. Commands send for themselves (league/sessions/mail.py).
"""

import logging
from queue import Full, Queue
from threading import Lock, Thread

from django.conf import settings
from django.core.mail import EmailMessage

MOST_WAITING = 500
AT_ONCE = ("locmem", "console", "dummy", "filebased")  # nothing that could keep a page waiting

log = logging.getLogger(__name__)
_waiting: "Queue[EmailMessage]" = Queue(MOST_WAITING)
_starting = Lock()
_thread: Thread | None = None


def hand_over(mail: EmailMessage) -> None:
    """Send this mail soon; it is dropped where hundreds wait already."""
    if settings.EMAIL_BACKEND.split(".")[-2] in AT_ONCE:
        _send(mail)
        return
    try:
        _waiting.put_nowait(mail)
    except Full:
        log.warning("a mail was dropped: %d are waiting", MOST_WAITING)
    _start()


def _start() -> None:
    """A daemon, so that a mail server that hangs does not keep this one from stopping."""
    global _thread
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = Thread(target=_send_all, name="mail", daemon=True)
            _thread.start()


def _send_all() -> None:
    while True:
        _send(_waiting.get())


def _send(mail: EmailMessage) -> None:
    try:
        mail.send()
    except Exception as error:
        log.warning("a mail was not sent: %s", type(error).__name__)
