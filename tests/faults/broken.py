"""The site, broken on purpose: the negative controls of the fault tests.

A server started on this door reads from BREAK which promise is to be broken. Each fault test has
one that makes it fail; a test that stays quiet then would prove nothing.
"""

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings

from league.rsgi import WholeRequests
from league.wsgi import application


def acknowledge_first() -> None:
    """Say "saved" at once, and save with the next request: what is killed in between is lost."""
    from league.play.views import entry

    waiting = []
    record_hand = entry.record_hand

    def later(*args, **kwargs):
        while waiting:
            record_hand(*waiting[0][0], **waiting.pop(0)[1])
        waiting.append((args, kwargs))

    entry.record_hand = later


def forget_ids() -> None:
    """Know no hand by the id of the phone that sent it."""
    from league.play.game_log import GameLog

    GameLog.sent_as = lambda book, client_id: None  # type: ignore[method-assign]


def take_any_number() -> None:
    """Take a hand for a number that is there already as the next one."""
    from league.play.actions import record
    from league.play.views import entry

    record_hand = entry.record_hand
    record._refuse_number = lambda *args: None
    # The next number has another dealer: without this the rules would ask.
    entry.record_hand = lambda *a, **k: record_hand(*a, **{**k, "confirm_unlikely": True})


def overwrite() -> None:
    """Take a correction without asking which version was looked at."""
    from league.play.actions import record

    record._current_version = lambda book, number, expected_version, written: book.hand(number)


def lock_nothing() -> None:
    """Open the book of a table without a lock."""
    from django.db.models import F

    from league.play.actions import record
    from league.play.game_log import open_game_log
    from league.sessions.models import Session
    from tests.builders import game_at

    def unlocked(table, *, open_only=True):
        game_at(table)
        book = open_game_log(table)
        Session.objects.filter(pk=table.session_id).update(revision=F("revision") + 1)
        return book

    record.lock_game_log = unlocked


def crash_when_busy() -> None:
    """Answer a busy database as every other error."""
    from django.views import defaults

    from league import urls

    urls.handler500 = defaults.server_error


def forget_totals() -> None:
    """Write hands and leave the scores as they are."""
    from league.play.actions import record

    record.save_derived = lambda *args, **kwargs: None


def import_by_pieces() -> None:
    """Bring a sheet of hands in without one transaction around all of it: the first game is there,
    and the others wait until the kill, however slow the machine."""
    from league.exchange import games_import, sheet_import

    save = games_import.save_imported_games
    sheet_import.store = sheet_import.store.__wrapped__

    def one_and_wait(games):
        save(games[:1])
        threading.Event().wait()

    games_import.save_imported_games = one_and_wait


def hoard() -> None:
    """Keep something of every export, and never give it back."""
    from league.exchange.views import downloads

    kept, sheet = [], downloads.sheet

    def hoarding(*args, **kwargs):
        kept.append(bytearray(30_000_000))
        return sheet(*args, **kwargs)

    downloads.sheet = hoarding


def ask_no_version() -> None:
    """Write into any database, whatever version it was migrated to."""
    from league.members import audit
    from league.play.actions import persistence

    audit.write_only_to_ours = persistence.write_only_to_ours = lambda last: None


def sync_rarely() -> None:
    """Let SQLite answer before the disk has the hand."""
    options = settings.DATABASES["default"]["OPTIONS"]
    options["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"


def read_in_the_thread() -> None:
    """Let a thread that answers wait for the body of a request."""
    read, one_thread = WholeRequests._body, ThreadPoolExecutor(1)

    async def body(door, scope, protocol):
        loop = asyncio.get_running_loop()
        waiting = asyncio.run_coroutine_threadsafe(read(door, scope, protocol), loop)
        return await loop.run_in_executor(one_thread, waiting.result)

    WholeRequests._body = body


BREAKS = {
    broken.__name__: broken
    for broken in (
        acknowledge_first,
        forget_ids,
        take_any_number,
        overwrite,
        lock_nothing,
        crash_when_busy,
        forget_totals,
        sync_rarely,
        ask_no_version,
        hoard,
        import_by_pieces,
        read_in_the_thread,
    )
}

for name in filter(None, os.environ.get("BREAK", "").split(",")):
    BREAKS[name]()
server = WholeRequests(application, threads=settings.THREADS)

from league import worker  # noqa: E402 - only now are its settings there

worker.COMMAND = [sys.executable, "-m", "tests.faults.broken"]  # broken in the same way

if __name__ == "__main__":
    from django.core.management import call_command

    call_command("run_jobs")
