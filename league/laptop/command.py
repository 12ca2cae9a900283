"""`right-bower`: starts the club's site on this computer, or finds the one that runs already.

Sets up no site itself: the server does, in a process of its own, and every second counts.
"""

import argparse
import gettext
import locale
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from league.laptop.backups import Keeper
from league.laptop.place import Place, Running, free_port, migrations_in
from league.network import announce
from league.rsgi import GRANIAN, SITE, allow_many_connections
from league.sqlite import is_full_disk

ROOT = Path(__file__).resolve().parents[2]  # the checkout, or where packages are installed
BUILT = ROOT / "league" / "built"
"""What the wheel brings ready made (hatch_build.py); not there in a checkout."""
STARTS_WITHIN = 120  # seconds; a slow computer migrates a large club in less
MOST_CRASHES = 5  # in a row, each sooner than ...
SOON = 60  # seconds after a start
STOPPED = 0  # what a server that was asked to end says
# Settings of a server (docs/server.md) that somebody may have in the environment for another.
SILENT = {"ALLOWED_HOSTS", "CACHE_URL", "REPLICA_URL", "SITE_ADDRESS", "STATIC_ROOT"}
SILENT |= {"THREADS", "TRUSTED_PROXIES", "WORKERS"}

CATALOGUES = Path(__file__).resolve().parents[1] / "locale"


def wished_languages() -> list[str]:
    """The languages of this computer, the first before the next: `["de_AT", "fr"]`."""
    if sys.platform == "win32":
        import ctypes

        code = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return [locale.windows_locale.get(code, "")]
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wished = next(filter(None, map(os.environ.get, names)), "")
    return [one.partition(".")[0].partition("@")[0] for one in wished.split(":")]


def catalogue_for(wished: list[str]) -> str | None:
    """The folder of the first language that the site has: its own, or one of another country."""
    have = sorted(path.parent.parent.name for path in CATALOGUES.glob("*/*/django.mo"))
    for one in wished:
        language = one.partition("_")[0]
        if language in ("C", "POSIX") or (language == "en" and one not in have):
            return None  # as it stands in the source
        near = [name for name in have if name.partition("_")[0] == language]
        for name in (one, language, *near):
            if name in have:
                return name
    return None


def sentences(wished: list[str]) -> gettext.NullTranslations:
    """The catalogue to say things by."""
    language = catalogue_for(wished)
    return gettext.translation("django", CATALOGUES, [language] if language else [], fallback=True)


_ = sentences(wished_languages()).gettext


def main() -> None:
    """The console command. With words after it, Django's command line for this club's data."""
    arguments = _parser().parse_args()
    place = Place(Path(arguments.folder).resolve()) if arguments.folder else Place.usual()
    if arguments.demo:
        place = Place(place.folder / "demo")
    place.make()
    if arguments.command:
        sys.exit(_django(place, arguments.command).returncode)
    try:
        code = run(place, demo=arguments.demo, opens_browser=not arguments.no_browser)
    except Exception as error:
        if not is_full_disk(error):
            raise
        _say(_("This computer's disk is full. Make room, then start Right Bower again."))
        code = 1
    sys.exit(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "right-bower",
        description=_("Start Right Bower on this computer and open it in the browser."),
    )
    parser.add_argument("--folder", help=_("keep the club's data here; one folder, one club"))
    parser.add_argument(
        "--demo", action="store_true", help=_("a club to play with, beside your own")
    )
    parser.add_argument("--no-browser", action="store_true", help=_("only show the address"))
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, help=_("a command for this club: recount --check")
    )
    return parser


def run(place: Place, *, demo: bool, opens_browser: bool) -> int:
    """Start the site and stay until it is closed; the exit code. Where it runs already, only open
    the browser there."""
    give_up = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < give_up:
        with place.only_start() as alone:
            if alone:
                return _start(place, demo=demo, opens_browser=opens_browser)
        running = place.running()
        if running is not None and running.answers():
            _show(running, opens_browser=opens_browser, demo=demo)
            return 0
        time.sleep(0.2)  # somebody else is starting it just now, or closing it
    _say(_("Right Bower is starting, but does not answer. Try again in a minute."))
    return 1


def _start(place: Place, *, demo: bool, opens_browser: bool) -> int:
    last = place.running()
    if last is not None and not last.end():  # left behind by a start that was killed
        _show(last, opens_browser=opens_browser, demo=demo)
        return 0
    take_restored(place)
    trouble = bring_up_to_date(place)
    if trouble is None and demo and (loaded := _django(place, ["demo"], quiet=True)).returncode:
        trouble = _("The demo could not be loaded (code %(code)s).") % {"code": loaded.returncode}
    if trouble:
        _say(trouble)
        return 1
    running = Running(free_port(last.port if last else None), secrets.token_urlsafe(16))
    place.note(running)
    with suppress(AttributeError, ValueError):  # ask the server to end, too
        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the window was closed: the evening goes on
    allow_many_connections()
    announce(running.port, place.folder)
    return _look_after(place, running, demo=demo, opens_browser=opens_browser)


def take_restored(place: Place) -> bool:
    """Put what was restored in the browser in its place; whether there was something.

    While no server runs. Cut short, it is done by the next start: the database comes last.
    """
    restored = place.folder / "restored.sqlite3"
    if not restored.exists():
        return False
    for name in ("secret-key", "recovery.json"):
        brought = place.folder / f"restored-{name}"
        if brought.exists():
            brought.replace(place.folder / name)
    for left in ("-wal", "-shm"):
        place.database.with_name(place.database.name + left).unlink(missing_ok=True)
    restored.replace(place.database)
    return True


def _interrupt(*_signal: Any) -> None:
    raise KeyboardInterrupt


def _look_after(place: Place, running: Running, *, demo: bool, opens_browser: bool) -> int:
    """Keep the server alive until it is closed. A crash on one evening must not end the evening."""
    crashes = 0
    keeper = Keeper(place)
    threading.Thread(target=keeper.keep, daemon=True).start()
    while True:
        begun = time.monotonic()
        server = _serve(place, running, demo=demo)
        try:
            if _answers(server, running):
                _show(running, opens_browser=opens_browser and not crashes, demo=demo)
            code = server.wait()
        except KeyboardInterrupt:
            code = _end(server)
        if take_restored(place):
            if trouble := bring_up_to_date(place):
                _say(trouble)
                return 1
            continue
        if code == STOPPED or (place.folder / "closed").exists():
            keeper.closing.set()
            keeper.look(time.monotonic(), at_close=True)
            return 0
        crashes = crashes + 1 if time.monotonic() - begun < SOON else 1
        if crashes >= MOST_CRASHES:
            sentence = _("Right Bower stopped (code %(code)s). Its messages are in %(file)s.")
            _say(sentence % {"code": code, "file": place.log})
            return 1


def _serve(place: Place, running: Running, *, demo: bool) -> "subprocess.Popen[bytes]":
    (place.folder / "closed").unlink(missing_ok=True)
    if place.log.exists():
        place.log.replace(place.log.with_name("log-before.txt"))
    words = [sys.executable, "-m", "granian", *GRANIAN, "--host=0.0.0.0"]
    with place.log.open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - our own command
            [*words, f"--port={running.port}", "--workers=1", SITE],
            cwd=ROOT,
            env=environment(place, running, demo=demo),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _answers(server: "subprocess.Popen[bytes]", running: Running) -> bool:
    """Wait until the server answers; False when it ended instead."""
    give_up = time.monotonic() + STARTS_WITHIN
    while server.poll() is None and time.monotonic() < give_up:
        if running.answers():
            return True
        time.sleep(0.05)
    return False


def _end(server: "subprocess.Popen[bytes]") -> int:
    """Ctrl+C reached the server, too; where it does not end by itself it is ended."""
    with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
        server.terminate()
        server.wait(timeout=10)
    if server.poll() is None:
        server.kill()
    return STOPPED


def _show(running: Running, *, opens_browser: bool, demo: bool) -> None:
    address = f"{running.address}demo/" if demo else running.address
    _say(_("Right Bower is at %(address)s") % {"address": address})
    _say(_("To close it, use the button under “This computer”."))
    if opens_browser:
        webbrowser.open(address)


def _say(sentence: str) -> None:
    with suppress(OSError):  # the window may have been closed
        print(sentence, flush=True)  # noqa: T201


def environment(
    place: Place, running: Running | None = None, *, demo: bool = False
) -> dict[str, str]:
    """What the site is told: all that a setting of this computer could say is said here."""
    own = {
        "DATABASE_URL": "",
        "DATA_FOLDER": str(place.folder),
        "DEBUG": "0",
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "HTTPS": "0",
        "LAPTOP": "demo" if demo else "club",
        "RIGHT_BOWER_ENV_FILE": os.devnull,
        "SECRET_KEY": place.key(),
        "SIGN_UP": "invited",
        "START_CLUB": "owners",
    }
    if running is not None:
        own |= {"HOST": "0.0.0.0", "LAPTOP_RUN": running.run, "PORT": str(running.port)}  # noqa: S104
    return {**{name: value for name, value in os.environ.items() if name not in SILENT}, **own}


def _django(
    place: Place, words: Sequence[str], *, quiet: bool = False
) -> "subprocess.CompletedProcess[bytes]":
    """A command of Django's for this club's data."""
    return subprocess.run(  # noqa: S603 - our own commands, or those of the person who sits here
        [sys.executable, "-m", "django", *words],
        cwd=ROOT,
        env=environment(place, place.running()),
        stdout=subprocess.DEVNULL if quiet else None,
        check=False,
    )


def bring_up_to_date(place: Place) -> str | None:
    """Give a new club its database, and an older one this version's; what went wrong, or None.

    Whether there is anything to do is seen in the list of migrations, without loading Django.
    """
    empty = BUILT / "empty.sqlite3"
    if not place.database.exists() and empty.exists():
        _copy_whole(empty, place.database)
    ours, theirs = migrations_in(empty), migrations_in(place.database)
    if ours and ours == theirs:
        return None
    if ours and {name for app, name in theirs - ours if app == "league"}:
        return _(
            "This club's data comes from a newer version of Right Bower. Install that version or a"
            " later one."
        )
    # A checkout does not know whether there is anything to do, and migrates with every start.
    if ours and theirs and not _backed_up(place):
        return _("No backup could be made, so nothing was updated. Is the disk full?")
    for command in ("migrate", *(() if BUILT.exists() else ("collectstatic",))):
        if _django(place, [command, "--verbosity=0", "--noinput"]).returncode:
            sentence = _("The club's data could not be brought up to date (%(command)s).")
            return sentence % {"command": command}
    return None


def _copy_whole(file: Path, copy: Path) -> None:
    """Copy a file: under its name it appears only when it is whole."""
    unfinished = copy.with_name("club.unfinished")
    shutil.copyfile(file, unfinished)
    unfinished.replace(copy)


def _backed_up(place: Place) -> bool:
    now = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    copy = place.backups / f"before-update-{now}.sqlite3"
    return not _django(place, ["backup", str(copy)]).returncode


if __name__ == "__main__":
    main()
