"""Migrates the database, collects the static files, and starts the web server."""

import io
import os
import socket
import subprocess
import sys
import tempfile
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from league.members.models import User
from league.rsgi import GRANIAN, SITE, allow_many_connections

MIGRATING = 7_221_106  # the number of the advisory lock


class Command(BaseCommand):
    help = "Migrate, collect static files, check, and serve on HOST:PORT."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--demo", action="store_true", help="first load a club to play with, if it is not there"
        )

    def handle(self, *args: Any, demo: bool, **options: Any) -> None:
        _refuse_a_taken_port()
        self._say("Bringing the database up to date …")
        migrate()
        if not settings.BUILT.exists():  # else the wheel brought them
            self._say("Collecting the static files …")
            call_command("collectstatic", verbosity=0, interactive=False)
        call_command("check", databases=["default"], fail_level="ERROR", stdout=io.StringIO())
        if demo:
            _let_phones_in()
            if "demo" in get_commands():
                call_command("demo")
        if settings.METRICS_TOKEN and settings.WORKERS > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="right-bower-metrics-")
        self.stdout.write(f"\nRight Bower is at {settings.SITE_ADDRESS}   (stop with Ctrl+C)")
        if not User.objects.exists():
            self.stdout.write("No account yet: the first person to open it can create one.")
        self._say("Starting …")
        allow_many_connections()
        _run_server([sys.executable, "-m", "granian", *_arguments()])

    def _say(self, text: str) -> None:
        """Print a line and flush it, since each step takes seconds on a small computer."""
        self.stdout.write(text)
        self.stdout.flush()


def migrate() -> None:
    """Migrate the database under a lock, so that machines started together do so one by one."""
    if connection.vendor != "postgresql":
        call_command("migrate", verbosity=0, interactive=False)
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        try:
            call_command("migrate", verbosity=0, interactive=False)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])


def _refuse_a_taken_port() -> None:
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.HOST, settings.PORT))
        except OSError as error:
            raise CommandError(
                f"Cannot serve on {settings.HOST}:{settings.PORT} ({error.strerror}). "
                "Set PORT to another number."
            ) from error


def _run_server(words: list[str]) -> None:
    """Replace this process by the web server; on Windows, run the server as a child process."""
    if sys.platform == "win32":
        sys.exit(subprocess.run(words, check=False).returncode)  # noqa: S603 - our own command
    os.execv(words[0], words)  # noqa: S606


def _arguments() -> list[str]:
    return [
        *GRANIAN,
        f"--host={settings.HOST}",
        f"--port={settings.PORT}",
        f"--workers={settings.WORKERS}",
        SITE,
    ]


def _let_phones_in() -> None:
    """For a demo served to the local network, allow this computer's own address too."""
    if settings.HOST not in {"0.0.0.0", "::"} or "ALLOWED_HOSTS" in os.environ:  # noqa: S104
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing, but picks the address that would be used
        address = probe.getsockname()[0]
    os.environ["ALLOWED_HOSTS"] = ",".join([*settings.ALLOWED_HOSTS, address])
    settings.SITE_ADDRESS = f"http://{address}:{settings.PORT}"
