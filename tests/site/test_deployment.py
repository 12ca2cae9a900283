"""What deploying needs: the container's files are enough, its settings pass, it says it is well."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from ipaddress import ip_address, ip_network

import pytest

from tests.site.test_serve import free_port
from tests.site.test_settings import KEY, ROOT, complaints

CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
LINES = CONTAINERFILE.replace("\\\n", "").splitlines()
COMPOSE = (ROOT / "compose.yaml").read_text("utf-8")
GIVEN = {"SITE_NAME": "euchre.example.org", "SECRET_KEY": KEY, "DATABASE_PASSWORD": "0a1b2c"}


def instructions(word):
    return [line.removeprefix(f"{word} ") for line in LINES if line.startswith(f"{word} ")]


def environment_of_the_site():
    """What compose gives the site, with a `.env` as the guide says."""
    block = COMPOSE.split("environment:")[1].split("volumes:")[0]
    written = dict(re.findall(r"^ {6}([A-Z_]+): (.+)$", block, re.MULTILINE))

    def filled(match):
        name, _, default = re.match(r"(\w+)(:[?-])?(.*)", match[1]).groups()
        return GIVEN.get(name, default)

    return {
        name: re.sub(r"\$\{([^}]+)\}", filled, value.strip('"')) for name, value in written.items()
    }


def services():
    """What compose.yaml says of each service."""
    parts = re.split(r"^  (\w+):$", COMPOSE.split("\nnetworks:")[0], flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_every_image_is_named_by_version_and_digest_and_the_guide_renews_each():
    images = dict(re.findall(r"\$\{(\w+_IMAGE):-([^}]+)\}", COMPOSE))
    assert set(images) == {"PYTHON_IMAGE", "DATABASE_IMAGE", "PROXY_IMAGE"}
    assert instructions("FROM") == ["${PYTHON_IMAGE}"]
    assert instructions("ARG") == [f"PYTHON_IMAGE={images['PYTHON_IMAGE']}"]
    assert not re.search(r"image: [^$]", COMPOSE)
    guide = (ROOT / "docs/server.md").read_text("utf-8")
    for name, image in images.items():
        repository, version = re.fullmatch(
            r"([\w./-]+):([\w.-]+)@sha256:[0-9a-f]{64}", image
        ).groups()
        renewed = re.search(rf"{name}={re.escape(repository)}:([\d.]+)", guide)
        assert renewed is not None, name
        assert f"{version}.".startswith(f"{renewed[1]}."), name


@pytest.mark.parametrize("name", ["site", "database", "proxy"])
def test_every_container_is_kept_to_what_it_needs(name):
    lines = services()[name]
    for limit in (
        "read_only: true",
        "cap_drop: [ALL]",
        'security_opt: ["no-new-privileges:true"]',
    ):
        assert f"    {limit}\n" in lines
    for limit in ("mem_limit", "pids_limit", "tmpfs"):
        assert re.search(rf"^    {limit}: \S", lines, re.MULTILINE)
    assert "    logging: *logging\n" in lines
    assert re.search(r"^x-logging: &logging.*\n.*\n  options: {max-size: \d+m}$", COMPOSE, re.M)
    assert set(re.findall(r"cap_add: \[(.*)\]", lines)) <= {"NET_BIND_SERVICE"}


def test_the_container_runs_as_a_user_of_its_own():
    (user,) = instructions("USER")
    assert user not in ("root", "0")
    assert LINES.index(f"USER {user}") < LINES.index(f"CMD {instructions('CMD')[0]}")


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
def test_what_compose_sets_is_read_and_passes_every_deployment_check():
    environment = environment_of_the_site()
    settings = (ROOT / "league" / "settings.py").read_text("utf-8")
    assert all(f'"{name}"' in settings for name in environment)
    assert environment["SITE_ADDRESS"] == "https://euchre.example.org"
    assert complaints(deploy=True, **environment) == set()


def test_the_site_believes_the_proxy_of_compose_and_nobody_else():
    proxy = re.findall(r"ipv4_address: (\S+)", COMPOSE)
    assert proxy == [environment_of_the_site()["TRUSTED_PROXIES"]]


def test_no_other_container_can_be_given_the_address_of_the_proxy():
    """One that started first was, and the proxy did not start: only the range is given out."""
    found = re.search(r"subnet: (\S+), ip_range: (\S+)\}", COMPOSE)
    assert found
    subnet, given_out = map(ip_network, found.groups())
    proxy = ip_address(environment_of_the_site()["TRUSTED_PROXIES"])
    assert given_out.subnet_of(subnet)
    assert proxy in subnet
    assert proxy not in given_out
    assert given_out.num_addresses > 3


def test_the_proxy_hands_on_to_where_the_site_listens():
    (port,) = re.findall(r"^ENV .*\bPORT=(\d+)", CONTAINERFILE, re.MULTILINE)
    proxy = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    assert re.findall(r"reverse_proxy (\S+)", proxy) == [f"site:{port}"]
    assert re.search(r"^  site:$", COMPOSE, re.MULTILINE)
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in COMPOSE
    assert set(re.findall(r"\{\$(\w+)\}", proxy)) <= GIVEN.keys()


def test_compose_refuses_to_start_without_its_secrets():
    for name in GIVEN:
        assert f"${{{name}:?" in COMPOSE


@pytest.fixture
def container(tmp_path, empty_database):
    """The files that the Containerfile copies and nothing else, serving as its last line says."""
    here = tmp_path / "site"
    here.mkdir()
    for line in instructions("COPY"):
        *sources, _to = line.split()
        for source in sources:
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, here / source)
    environment = {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": KEY,
        "HTTPS": "1",
        "ALLOWED_HOSTS": "euchre.example.org",
        "DATABASE_URL": f"sqlite:///{tmp_path}/club.sqlite3",
        "STATIC_ROOT": str(tmp_path / "static"),
        "PORT": str(free_port()),
    }
    shutil.copy(empty_database, tmp_path / "club.sqlite3")
    (command,) = instructions("CMD")
    words = [sys.executable, *json.loads(command)[1:]]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(words, cwd=here, env=environment, stdout=log, stderr=log)
        yield server, environment
        server.terminate()
        server.wait()


def healthy(environment):
    (check,) = instructions("HEALTHCHECK")
    words = json.loads(check[check.index("CMD ") + 4 :])
    run = subprocess.run(
        [sys.executable, *words[1:]], env=environment, capture_output=True, check=False
    )
    return run.returncode == 0


def test_the_files_in_the_container_are_enough_and_its_health_check_says_so(container):
    server, environment = container
    assert not healthy(environment | {"PORT": "1"})
    while not healthy(environment):  # as long as it takes, and no longer than the server lives
        assert server.poll() is None
        time.sleep(0.3)
    assert not healthy(environment | {"ALLOWED_HOSTS": "another.example"})


def test_the_units_start_what_is_there():
    for unit in (ROOT / "deploy").glob("*.service"):
        (started,) = re.findall(
            r"^ExecStart=/srv/right-bower/site/(\S+) (\w+)", unit.read_text(), re.M
        )
        assert (ROOT / started[0]).exists()
        assert (ROOT / "league/management/commands" / f"{started[1]}.py").exists()


UNITS = sorted((ROOT / "deploy").glob("*.service"))
KEPT_TO = {
    *(f"Protect{what}=yes" for what in ("Home", "Clock", "ControlGroups", "Hostname")),
    *(f"ProtectKernel{what}=yes" for what in ("Logs", "Modules", "Tunables")),
    *(f"Restrict{what}=yes" for what in ("Namespaces", "Realtime", "SUIDSGID")),
    *("ProtectSystem=strict", "ProtectProc=invisible", "PrivateTmp=yes", "PrivateDevices=yes"),
    *("NoNewPrivileges=yes", "LockPersonality=yes", "CapabilityBoundingSet=", "UMask=0077"),
    *("SystemCallFilter=@system-service", "SystemCallFilter=~@privileged"),
    *("SystemCallArchitectures=native", "User=right-bower"),
}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_every_unit_is_kept_to_what_it_needs(unit):
    lines = unit.read_text("utf-8").splitlines()
    assert set(lines) >= KEPT_TO
    assert any(re.fullmatch(r"MemoryMax=\d+[MG]", line) for line in lines)
    assert any(re.fullmatch(r"TasksMax=\d+", line) for line in lines)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_writes_the_clubs_data_and_never_its_own_program(unit):
    text = unit.read_text("utf-8")
    writes = re.findall(r"^ReadWritePaths=(.*)$", text, re.MULTILINE)
    assert writes == ["/srv/right-bower/site/data"]
    for path in re.findall(r"^Environment=STATIC_ROOT=(.*)$", text, re.MULTILINE):
        assert path.startswith(f"{writes[0]}/")


def test_where_the_environment_cannot_be_written_a_start_says_how_to_renew_it(tmp_path):
    """As under the units: the program is read-only, and a new version needs another package."""
    for name in ("bin", "requirements.txt"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    # Root may write everywhere: the question is asked of a `[` that says no.
    script = (
        'function [ { if test "$1" = -w; then return 1; fi; builtin [ "$@"; }; . bin/manage check'
    )
    run = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "requirements.txt has changed" in run.stderr
    assert "bin/manage check by hand" in run.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_rates_the_exposure_of_a_unit_at_two_of_ten_at_most(unit):
    run = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path):
    """As systemd reads them, with this checkout in the place of the one they name."""
    for unit in (ROOT / "deploy").glob("right-bower*"):
        here = unit.read_text().replace("/srv/right-bower/site", str(ROOT))
        (tmp_path / unit.name).write_text(here.replace("User=right-bower\n", ""))
    units = sorted(map(str, tmp_path.iterdir()))
    run = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout + run.stderr) == (0, "")
    assert len(units) >= 3
