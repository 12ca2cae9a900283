"""Setting up from the source: what bin/demo says while it installs, and before."""

import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
PATH = {"PATH": "/usr/bin:/bin"}  # without uv
PIP = """
Ignoring colorama: markers 'sys_platform == "win32"' don't match your environment
Collecting asgiref==3.8.1 (from -r requirements.txt (line 1))
  Downloading asgiref-3.8.1-py3-none-any.whl (23 kB)
Requirement already satisfied: cffi==2.0 in ./.venv
Collecting django[argon2]==5.2 (from -r requirements.txt (line 5))
Installing collected packages: asgiref, django
Successfully installed asgiref-3.8.1 django-5.2
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh checkout without an environment; its lock has four packages."""
    shutil.copytree(ROOT / "bin", tmp_path / "bin")
    lock = "".join(f"{name}==1 \\\n    --hash=sha256:0\n" for name in "abcd")
    (tmp_path / "requirements.txt").write_text(lock)
    return tmp_path


def run(checkout: Path, *words: str, **paths: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=checkout, env=PATH | paths, capture_output=True, text=True)


def install(checkout: Path, pip: str) -> subprocess.CompletedProcess[str]:
    """`install requirements.txt` with `pip` as the Python of the new environment."""
    (checkout / "pip").write_text(f"#!/bin/bash\n{pip}\n")
    (checkout / "pip").chmod(0o755)
    make = 'make_venv() { echo "(venv)" >&2; mkdir -p .venv/bin; cp pip .venv/bin/python; }'
    script = f". bin/environment.sh; {make}; install requirements.txt"
    return run(checkout, "/bin/bash", "-euo", "pipefail", "-c", script)


def test_the_set_up_says_at_once_what_will_take_long_and_then_names_each_package(checkout):
    (checkout / "said").write_text(PIP)
    done = install(checkout, "cat said")
    first, *others = done.stderr.splitlines()
    assert "4 packages" in first
    assert "about two minutes" in first
    assert others == [
        "(venv)",
        "Installing requirements.txt into .venv ...",
        "  2 of 4: asgiref",
        "  4 of 4: django",
        "  All downloaded. Unpacking them ...",
    ]
    assert (done.returncode, done.stdout) == (0, "")


def test_a_failed_installation_shows_the_error_and_is_tried_again_next_time(checkout):
    done = install(checkout, 'echo "ERROR: no network" >&2; exit 1')
    assert done.returncode == 1
    assert "ERROR: no network" in done.stderr
    assert not list(checkout.glob(".venv/installed-*"))


def test_the_demo_says_that_its_port_is_in_use_before_it_installs_anything(checkout):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(checkout, "/bin/bash", "bin/demo", PORT=port)
    assert done.returncode == 1
    assert done.stderr == f"bin/demo: port {port} is in use. Choose another: PORT=8001 bin/demo\n"
    assert not (checkout / ".venv").exists()
