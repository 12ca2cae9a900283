"""A server as a club runs it: granian in a process of its own, on a database of its own."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from league.rsgi import GRANIAN, SITE

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = ("migrate -v0", "createcachetable -v0", "collectstatic -v0 --noinput")


def settings_for(database: Path, **more: str) -> dict[str, str]:
    """The environment of every process on this database."""
    own = {
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "SECRET_KEY": "only for a server that lives as long as one test: 8Rm2xv5Qk1",
        "DEBUG": "0",
        "HTTPS": "0",
    }
    return {**os.environ, **own, **more}


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Python with these words, in the checkout."""
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )


CALLED = """
import io, json, sys
import django
from django.core.management import CommandError, call_command
django.setup()
said = []
for words in json.loads(sys.argv[1]):
    heard, failed = io.StringIO(), False
    try:
        call_command(*words, stdout=heard, stderr=heard)
    except (CommandError, SystemExit) as trouble:
        failed = True
        heard.write(str(trouble))
    said.append([failed, heard.getvalue()])
print(json.dumps(said))
"""


def called(environment: dict[str, str], *orders: list[str]) -> list[list[Any]]:
    """Whether each of these commands of manage.py failed, and what it said: one after the other in
    one process, as starting one takes longer than most of them."""
    own = {"DJANGO_SETTINGS_MODULE": "league.settings", **environment}
    done = run(own, "-c", CALLED, json.dumps(orders))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def prepare(environment: dict[str, str], *commands: str) -> str:
    """The database and static files made ready, then more commands; what the last one said."""
    said = ""
    for command in (
        "migrate -v0",
        "createcachetable -v0",
        "collectstatic -v0 --noinput",
        *commands,
    ):
        done = run(environment, "manage.py", *command.split())
        assert done.returncode == 0, done.stdout + done.stderr
        said = done.stdout
    return said


def unpacked_wheel(folder: Path) -> Path:
    """What a club installs: in a checkout every start would migrate and collect for seconds."""
    words = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("right_bower-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[str]:
    """The address of a server that answers, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "granian", *GRANIAN, "--host=127.0.0.1", f"--port={port}", SITE]
    granian = subprocess.Popen(words, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield _answering(granian, f"http://127.0.0.1:{port}")
    finally:
        granian.terminate()
        granian.wait()


def _answering(granian: subprocess.Popen[bytes], home: str) -> str:
    while True:
        try:
            with urllib.request.urlopen(f"{home}/healthz", timeout=30):
                return home
        except OSError:
            assert granian.poll() is None, "The server did not start."
            time.sleep(0.1)
