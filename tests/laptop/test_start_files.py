"""The files to double-click: they start Right Bower, or say in a sentence what is missing."""

import os
import re
import subprocess

import pytest

from tests.architecture.source import ROOT

FOLDER = ROOT / "deploy" / "start"


@pytest.fixture
def download(tmp_path):
    """A folder as somebody unpacks it, and an empty one for programs."""
    folder = tmp_path / "right-bower"
    folder.mkdir()
    start = folder / "Start Right Bower.command"
    start.write_bytes((FOLDER / start.name).read_bytes())
    start.chmod(0o755)
    (tmp_path / "programs").mkdir()
    return folder


def add_program(download, name, script):
    program = download.parent / "programs" / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def started(download):
    answer = subprocess.run(
        [download / "Start Right Bower.command"],
        env={"PATH": f"{download.parent}/programs:/usr/bin:/bin", "HOME": str(download.parent)},
        input="\n",
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode, answer.stdout


def test_with_uv_it_installs_the_wheel_and_starts_it(download):
    (download / "right_bower-1.0-py3-none-any.whl").touch()
    add_program(download, "uv", f'echo "uv $*" >&2; echo "{download.parent}/programs"')
    add_program(download, "right-bower", "echo started")
    code, said = started(download)
    assert code == 0
    assert said.endswith("started\n")


def test_uv_trusts_what_the_computer_trusts(download):
    """A virus scanner looks into connections, with a certificate of its own."""
    (download / "right_bower-1.0-py3-none-any.whl").touch()
    add_program(download, "uv", 'echo "$UV_SYSTEM_CERTS $UV_NATIVE_TLS"; exit 1')
    assert started(download)[1].startswith("1 1\n")
    assert {'set "UV_SYSTEM_CERTS=1"', 'set "UV_NATIVE_TLS=1"'} <= set(WINDOWS.splitlines())


def test_without_uv_an_installed_one_is_started(download):
    (download / "right_bower-1.0-py3-none-any.whl").touch()
    add_program(download, "right-bower", "echo started")
    assert started(download) == (0, "started\n")


def test_what_is_missing_is_said_in_a_sentence(download):
    assert "Unpack the whole download" in started(download)[1]
    (download / "right_bower-1.0-py3-none-any.whl").touch()
    code, said = started(download)
    assert code == 1
    assert "Right Bower needs uv" in said
    add_program(download, "uv", "exit 1")
    assert "The first time it needs the internet." in started(download)[1]


def test_what_it_said_when_it_could_not_start_stays_to_be_read(download):
    add_program(download, "right-bower", "echo A newer version kept this club.; exit 1")
    code, said = started(download)
    assert code == 1
    assert said.startswith("A newer version kept this club.\nPress Enter")


def test_on_linux_the_icon_starts_the_file_beside_it_as_the_desktops_standard_quotes(download):
    add_program(download, "right-bower", "echo started")
    icon = (FOLDER / "Start Right Bower.desktop").read_text()
    (line,) = re.findall("^Exec=(.*)$", icon, re.M)
    assert "'" not in line  # reserved there
    said = subprocess.run(  # a shell reads such quotes as a desktop does
        ["sh", "-c", line.replace("\\\\", "\\").replace("%k", f"'{download}/x.desktop'")],
        env={"PATH": f"{download.parent}/programs:/usr/bin:/bin", "HOME": str(download.parent)},
        capture_output=True,
        text=True,
    )
    assert said.stdout == "started\n"


WINDOWS = (FOLDER / "Start Right Bower.cmd").read_bytes().decode("ascii")


def after(label):
    """The lines of the file for Windows from a label to where it goes on elsewhere."""
    rest = WINDOWS.replace("\r\n", "\n").partition(f"\n:{label}\n")[2].splitlines()
    end = next(n for n, line in enumerate(rest) if re.match("goto|exit", line))
    return rest[: end + 1]


def test_the_file_for_windows_has_its_lines_and_goes_where_there_is_a_label():
    """Read as far as that goes without Windows."""
    assert WINDOWS.count("\n") == WINDOWS.count("\r\n") > 20
    assert set(re.findall(r"goto (\w+)", WINDOWS)) <= set(re.findall(r"^:(\w+)\r", WINDOWS, re.M))
    assert WINDOWS.count('"') % 2 == 0


def test_on_windows_the_one_of_before_is_started_where_a_newer_cannot_be_installed():
    assert after("failed")[1:3] == [
        "where right-bower >nul 2>nul",
        "if not errorlevel 1 goto installed",
    ]


def test_on_windows_an_error_stays_to_be_read_and_a_uv_installed_a_moment_ago_is_found():
    assert 'if not "%errorlevel%"=="0" goto wait' in after("ended")
    assert r"%LOCALAPPDATA%\Microsoft\WinGet\Links" in WINDOWS


def test_on_windows_the_program_is_found_where_the_account_has_letters_that_its_window_misreads():
    """`uv tool dir` writes UTF-8, `for /f` reads what the window of old programs writes."""
    lines = WINDOWS.splitlines()
    start = lines.index('"%PROGRAM%" %*')
    assert lines[start - 1].startswith('if not exist "%PROGRAM%" set "PROGRAM=%USERPROFILE%')


def test_the_others_may_be_started():
    for name in ("Start Right Bower.command", "Start Right Bower.desktop"):
        assert os.access(FOLDER / name, os.X_OK)
