"""`right-bower`: starts the club's site on this computer, or opens the one that runs already.

Does not load Django, to be fast: the server does, in its own process.
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

from league.laptop.backups import BackupScheduler
from league.laptop.place import Place, Running, free_port, migrations_in
from league.network import announce
from league.rsgi import GRANIAN, SITE, allow_many_connections
from league.sqlite import is_full_disk

ROOT = Path(__file__).resolve().parents[2]  # the checkout, or where packages are installed
BUILT = ROOT / "league" / "built"
"""Files built into the wheel (hatch_build.py); a checkout has none."""
STARTS_WITHIN = 120  # seconds; a slow computer migrates a large club in less
MOST_CRASHES = 5  # in a row, each within ...
CRASH_WINDOW = 60  # ... this many seconds after a start
EXIT_OK = 0  # the exit code of a server that was asked to end
# Settings of a server (docs/server.md) to ignore if the environment has them.
IGNORED_SETTINGS = {"ALLOWED_HOSTS", "CACHE_URL", "REPLICA_URL", "SITE_ADDRESS", "STATIC_ROOT"}
IGNORED_SETTINGS |= {"THREADS", "TRUSTED_PROXIES", "WORKERS"}

CATALOGUES = Path(__file__).resolve().parents[1] / "locale"


def preferred_languages() -> list[str]:
    """The languages of this computer in order of preference: `["de_AT", "fr"]`."""
    if sys.platform == "win32":
        import ctypes

        code = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return [locale.windows_locale.get(code, "")]
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    value = next(filter(None, map(os.environ.get, names)), "")
    return [code.partition(".")[0].partition("@")[0] for code in value.split(":")]


def catalogue_for(languages: list[str]) -> str | None:
    """The catalogue folder of the first language there is, if need be of another country."""
    available = sorted(path.parent.parent.name for path in CATALOGUES.glob("*/*/django.mo"))
    for code in languages:
        language = code.partition("_")[0]
        if language in ("C", "POSIX") or (language == "en" and code not in available):
            return None  # the source text
        variants = [name for name in available if name.partition("_")[0] == language]
        for name in (code, language, *variants):
            if name in available:
                return name
    return None


def load_catalogue(languages: list[str]) -> gettext.NullTranslations:
    """The message catalogue for these languages."""
    language = catalogue_for(languages)
    return gettext.translation("django", CATALOGUES, [language] if language else [], fallback=True)


_ = load_catalogue(preferred_languages()).gettext


def main() -> None:
    """The console command; with arguments, it runs a Django command on this club's data."""
    arguments = _parser().parse_args()
    place = Place(Path(arguments.folder).resolve()) if arguments.folder else Place.usual()
    if arguments.demo:
        place = Place(place.folder / "demo")
    place.make()
    if arguments.command:
        sys.exit(_run_django(place, arguments.command).returncode)
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
    """Start the site and wait until it is closed. Returns the exit code.

    If it runs already, only opens the browser.
    """
    give_up = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < give_up:
        with place.start_lock() as has_lock:
            if has_lock:
                return _start(place, demo=demo, opens_browser=opens_browser)
        running = place.running()
        if running is not None and running.answers():
            _show(running, opens_browser=opens_browser, demo=demo)
            return 0
        time.sleep(0.2)  # another process is just starting or closing it
    _say(_("Right Bower is starting, but does not answer. Try again in a minute."))
    return 1


def _start(place: Place, *, demo: bool, opens_browser: bool) -> int:
    previous = place.running()
    if previous is not None and not previous.end():  # left by a start that was killed
        _show(previous, opens_browser=opens_browser, demo=demo)
        return 0
    install_restored(place)
    trouble = bring_up_to_date(place)
    if trouble is None and demo and (loaded := _run_django(place, ["demo"], quiet=True)).returncode:
        trouble = _("The demo could not be loaded (code %(code)s).") % {"code": loaded.returncode}
    if trouble:
        _say(trouble)
        return 1
    running = Running(free_port(previous.port if previous else None), secrets.token_urlsafe(16))
    place.save_running(running)
    with suppress(AttributeError, ValueError):  # end the server, too
        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # play goes on if the window is closed
    allow_many_connections()
    announce(running.port, place.folder)
    return _supervise(place, running, demo=demo, opens_browser=opens_browser)


def install_restored(place: Place) -> bool:
    """Replace the data with what was restored in the browser. Returns whether there was anything.

    Only while no server runs. The database comes last, so that the next start finishes an
    interrupted replacement.
    """
    restored = place.folder / "restored.sqlite3"
    if not restored.exists():
        return False
    for name in ("secret-key", "recovery.json"):
        file = place.folder / f"restored-{name}"
        if file.exists():
            file.replace(place.folder / name)
    for suffix in ("-wal", "-shm"):
        place.database.with_name(place.database.name + suffix).unlink(missing_ok=True)
    restored.replace(place.database)
    return True


def _interrupt(*_signal: Any) -> None:
    raise KeyboardInterrupt


def _supervise(place: Place, running: Running, *, demo: bool, opens_browser: bool) -> int:
    """Keep the server running until it is closed; a crash must not end the evening."""
    crashes = 0
    scheduler = BackupScheduler(place)
    threading.Thread(target=scheduler.run, daemon=True).start()
    while True:
        started_at = time.monotonic()
        server = _start_server(place, running, demo=demo)
        try:
            if _wait_until_ready(server, running):
                _show(running, opens_browser=opens_browser and not crashes, demo=demo)
            code = server.wait()
        except KeyboardInterrupt:
            code = _terminate(server)
        if install_restored(place):
            if trouble := bring_up_to_date(place):
                _say(trouble)
                return 1
            continue
        if code == EXIT_OK or (place.folder / "closed").exists():
            scheduler.closing.set()
            scheduler.back_up_if_due(time.monotonic(), at_close=True)
            return 0
        crashes = crashes + 1 if time.monotonic() - started_at < CRASH_WINDOW else 1
        if crashes >= MOST_CRASHES:
            sentence = _("Right Bower stopped (code %(code)s). Its messages are in %(file)s.")
            _say(sentence % {"code": code, "file": place.log})
            return 1


def _start_server(place: Place, running: Running, *, demo: bool) -> "subprocess.Popen[bytes]":
    (place.folder / "closed").unlink(missing_ok=True)
    if place.log.exists():
        place.log.replace(place.log.with_name("log-before.txt"))
    arguments = [sys.executable, "-m", "granian", *GRANIAN, "--host=0.0.0.0"]
    with place.log.open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - our own command
            [*arguments, f"--port={running.port}", "--workers=1", SITE],
            cwd=ROOT,
            env=environment(place, running, demo=demo),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _wait_until_ready(server: "subprocess.Popen[bytes]", running: Running) -> bool:
    """Wait until the server answers. Returns False if it ends or does not answer in time."""
    give_up = time.monotonic() + STARTS_WITHIN
    while server.poll() is None and time.monotonic() < give_up:
        if running.answers():
            return True
        time.sleep(0.05)
    return False


def _terminate(server: "subprocess.Popen[bytes]") -> int:
    """End the server, which Ctrl+C has reached too; kill it if it does not end by itself."""
    with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
        server.terminate()
        server.wait(timeout=10)
    if server.poll() is None:
        server.kill()
    return EXIT_OK


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
    """The environment of the server, with every setting that the computer's could override."""
    own_settings = {
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
        own_settings |= {"HOST": "0.0.0.0", "LAPTOP_RUN": running.run, "PORT": str(running.port)}  # noqa: S104
    return {
        **{name: value for name, value in os.environ.items() if name not in IGNORED_SETTINGS},
        **own_settings,
    }


def _run_django(
    place: Place, words: Sequence[str], *, quiet: bool = False
) -> "subprocess.CompletedProcess[bytes]":
    """Run a Django command on this club's data."""
    return subprocess.run(  # noqa: S603 - our own commands, or those of the person who sits here
        [sys.executable, "-m", "django", *words],
        cwd=ROOT,
        env=environment(place, place.running()),
        stdout=subprocess.DEVNULL if quiet else None,
        check=False,
    )


def bring_up_to_date(place: Place) -> str | None:
    """Create the database of a new club, or migrate an older one. Returns an error, or None.

    Compares the lists of migrations first, so that Django is loaded only if there is work to do.
    """
    empty = BUILT / "empty.sqlite3"
    if not place.database.exists() and empty.exists():
        _copy_complete(empty, place.database)
    known, applied = migrations_in(empty), migrations_in(place.database)
    if known and known == applied:
        return None
    if known and {name for app, name in applied - known if app == "league"}:
        return _(
            "This club's data comes from a newer version of Right Bower. Install that version or a"
            " later one."
        )
    # A checkout has no list of known migrations, so it migrates at every start.
    if known and applied and not _back_up_before_update(place):
        return _("No backup could be made, so nothing was updated. Is the disk full?")
    return _migrate(place)


def _migrate(place: Place) -> str | None:
    """Migrate the database; a checkout also collects static files. Returns an error, or None."""
    for command in ("migrate", *(() if BUILT.exists() else ("collectstatic",))):
        if _run_django(place, [command, "--verbosity=0", "--noinput"]).returncode:
            sentence = _("The club's data could not be brought up to date (%(command)s).")
            return sentence % {"command": command}
    return None


def _copy_complete(file: Path, copy: Path) -> None:
    """Copy a file so that it has its name only once it is complete."""
    unfinished = copy.with_name("club.unfinished")
    shutil.copyfile(file, unfinished)
    unfinished.replace(copy)


def _back_up_before_update(place: Place) -> bool:
    timestamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    copy = place.backups / f"before-update-{timestamp}.sqlite3"
    return not _run_django(place, ["backup", str(copy)]).returncode


if __name__ == "__main__":
    main()
