"""`right-bower`: one start at a time, on any system, and nothing left over from a crash."""

import ast
import re
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
import uv

from league.laptop import command, place
from league.laptop.place import Place, Running
from league.management.commands import serve
from tests.architecture.source import ROOT, imports, modules

POSIX_ONLY = {
    *("execv", "execve", "execvp", "fork", "forkpty", "chmod", "chown", "sysconf", "getuid"),
    *("geteuid", "setsid", "killpg", "nice", "fcntl", "resource", "pwd", "grp", "SIGKILL"),
    *("SIGHUP", "start_new_session", "preexec_fn"),
}
# Where such a name may stand, and how the code there does without it on Windows.
GUARDED = {
    "league.rsgi: resource": "an import that may fail",
    "league.worker: resource": "an import that may fail",
    "league.worker: nice": "an AttributeError is expected",
    "league.laptop.command: SIGHUP": "an AttributeError is expected",
    "league.management.commands.serve: execv": "not reached: there it is a process of its own",
}
START = (
    "league.laptop.command",
    "league.wsgi",
    "league.worker",
    "league.management.commands.serve",
)


def names_in(module):
    for node in ast.walk(ast.parse(modules()[module].read_text("utf-8"))):
        if isinstance(node, ast.Attribute):
            yield node.attr
        if isinstance(node, ast.keyword):
            yield node.arg
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.name for alias in node.names)


def test_nothing_on_the_way_to_the_first_page_needs_a_unix():
    """Read from the sources of everything that a start imports."""
    waiting, seen = list(START) + [name for name in modules() if "laptop" in name], set()
    while waiting:
        module = waiting.pop()
        if module in modules() and module not in seen:
            seen.add(module)
            waiting += imports(module)
    assert {"league.rsgi", "league.settings", "league.laptop.place"} <= seen | {"league.settings"}
    found = {f"{module}: {name}" for module in seen for name in names_in(module)}
    assert {one for one in found if one.partition(": ")[2] in POSIX_ONLY} == GUARDED.keys()


def test_on_windows_the_server_is_a_process_of_its_own(monkeypatch):
    ran = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(
        serve.subprocess,
        "run",
        lambda words, **_: ran.append(words) or subprocess.CompletedProcess(words, 3),
    )
    with pytest.raises(SystemExit, match="3"):
        serve._run_server(["python", "-m", "granian"])
    assert ran == [["python", "-m", "granian"]]


def test_on_windows_closing_ends_the_server_with_all_it_started(monkeypatch):
    ran = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(place.subprocess, "run", lambda words, **_: ran.append(words))
    place.end_server(4711)
    assert ran == [["taskkill", "/PID", "4711", "/T", "/F"]]


def test_on_windows_a_taken_port_is_seen_without_the_option_that_shares_it(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert not place.is_free(other.getsockname()[1])


def test_the_port_of_last_time_is_taken_again(monkeypatch):
    """Printed codes hold it."""
    monkeypatch.setattr(place, "is_free", lambda port: port >= 8712)
    assert place.free_port(8715) == 8715
    assert place.free_port(8711) == 8712
    assert place.free_port() == 8712


def test_the_key_is_made_once_and_nobody_else_may_read_it(tmp_path):
    here = Place(tmp_path)
    assert here.key() == here.key() != Place(tmp_path.parent).key()
    assert len(here.key()) > 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("noted", ["", "{", '{"port": "x", "run": 1}', "[]"])
def test_a_note_that_a_crash_left_half_written_stops_nobody(tmp_path, noted):
    (tmp_path / "running.json").write_text(noted)
    assert Place(tmp_path).running() is None


def test_two_starts_at_once_are_one(tmp_path):
    with Place(tmp_path).start_lock() as first, Place(tmp_path).start_lock() as second:
        assert (first, second) == (True, False)
    with Place(tmp_path).start_lock() as again:
        assert again


def test_a_start_on_a_full_disk_says_so_at_once(tmp_path, monkeypatch, capsys):
    def execute(words):
        if words == "BEGIN EXCLUSIVE":
            raise place.sqlite3.OperationalError("database or disk is full")

    lock = SimpleNamespace(execute=execute, close=lambda: None)
    monkeypatch.setattr(place.sqlite3, "connect", lambda *_, **__: lock)
    monkeypatch.setattr(command, "STARTS_WITHIN", 0.1)
    monkeypatch.setattr(sys, "argv", ["right-bower", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match="1"):
        command.main()
    assert "disk is full" in capsys.readouterr().out


def test_settings_meant_for_another_server_do_not_reach_this_one(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/club")
    monkeypatch.setenv("ALLOWED_HOSTS", "*")
    monkeypatch.setenv("DEBUG", "1")
    environment = command.environment(Place(tmp_path), Running(8710, "run"))
    assert (environment["DATABASE_URL"], environment["DEBUG"]) == ("", "0")
    assert "ALLOWED_HOSTS" not in environment
    assert environment["SECRET_KEY"] == Place(tmp_path).key()


START_FILES = [f"deploy/start/Start Right Bower.{kind}" for kind in ("cmd", "command")]
LOCK = (ROOT / "requirements.txt").read_text("utf-8")


def test_the_lock_has_a_hash_for_every_package_and_markers_of_systems_alone():
    packages = re.findall(r"^([a-z0-9][\w.\[\]-]*)==\S+( ; [^\\\n]+)? \\\n((?: .*\n)+)", LOCK, re.M)
    assert len(packages) == len(re.findall(r"^[a-z0-9]", LOCK, re.M))
    for name, marker, rest in packages:
        assert "--hash=sha256:" in rest, name
        words = set(re.findall(r"[a-z_]{4,}", re.sub(r"'[^']*'", "", marker)))
        assert words <= {"python_full_version", "platform_machine", "sys_platform",
                         "platform_python_implementation", "implementation_name"}, name  # fmt: skip


COMPUTERS = (
    *("x86_64-pc-windows-msvc", "aarch64-apple-darwin", "x86_64-apple-darwin"),
    *("x86_64-manylinux_2_28", "aarch64-manylinux_2_28"),
)


class Wheels:
    """Those that there are of what the lock says, each but its name (`bin/package --platforms`)."""

    def __init__(self, folder):
        self.folder = folder / "wheels"
        self.folder.mkdir()
        for name in (ROOT / "tests/laptop/wheels.txt").read_text("ascii").split():
            dist, version = name.split("-")[:2]
            with ZipFile(self.folder / name, "w") as wheel:
                about = f"Metadata-Version: 2.1\nName: {dist}\nVersion: {version}\n"
                wheel.writestr(f"{dist}-{version}.dist-info/METADATA", about)

    def missing(self, computer, python):
        """What uv says that a computer lacks, asked without any index; "" where it gets all."""
        lock = ["-r", ROOT / "requirements.txt", "--no-verify-hashes", "--only-binary=:all:"]
        words = ["--offline", "--no-index", "--find-links", self.folder, "--python", sys.executable]
        words += ["--no-config", "--cache-dir", self.folder.parent / "cache"]
        words += ["--python-platform", computer, "--python-version", python]
        words += ["--dry-run", "--target", self.folder.parent / "nowhere"]
        install = [uv.find_uv_bin(), "pip", "install", "--quiet", *lock, *words]
        answer = subprocess.run(install, capture_output=True, text=True, check=False)
        return answer.stderr if answer.returncode else ""


def test_uv_finds_wheels_of_the_whole_lock_for_each_computer_and_says_where_one_is_missing(
    tmp_path,
):
    wheels = Wheels(tmp_path)
    pythons = [f"3.{minor}" for minor in range(11, 15)]
    pairs = [(computer, python) for computer in COMPUTERS for python in pythons]
    assert {one: said for one in pairs if (said := wheels.missing(*one))} == {}
    (gone,) = wheels.folder.glob("rapidfuzz-*-cp312-*-win_amd64.whl")
    gone.unlink()
    assert "rapidfuzz" in wheels.missing(COMPUTERS[0], "3.12")
    assert not wheels.missing(COMPUTERS[1], "3.12")


@pytest.mark.parametrize("of_ours", ["bin/environment.sh", *START_FILES])
def test_the_python_that_is_asked_for_is_one_with_wheels(of_ours):
    """The newest that uv would bring may be too new for one of them."""
    assert '>=3.11,<3.15"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert re.search(r"--python ['\"]>=3\.11,<3\.15['\"]", (ROOT / of_ours).read_text("utf-8"))


def test_everything_the_wheel_asks_for_is_in_the_lock():
    import tomllib

    project = tomllib.loads(Path(ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.match(r"[\w-]+", line)[0].lower() for line in project["dependencies"]}
    locked = {name.lower() for name in re.findall(r"^([a-zA-Z0-9][\w-]*)", LOCK, re.M)}
    assert names <= locked
