"""The files to double-click: they start Right Bower, or say in a sentence what is missing."""

import os
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


def test_the_file_for_windows_has_its_lines_and_the_others_may_be_started():
    assert (FOLDER / "Start Right Bower.cmd").read_bytes().count(b"\r\n") > 20
    for name in ("Start Right Bower.command", "Start Right Bower.desktop"):
        assert os.access(FOLDER / name, os.X_OK)
