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
from tests.site.test_settings import KEY, ROOT, manage

CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
LINES = CONTAINERFILE.replace("\\\n", "").splitlines()
COMPOSE = (ROOT / "compose.yaml").read_text("utf-8")
GIVEN = {"SITE_NAME": "euchre.example.org", "SECRET_KEY": KEY, "DATABASE_PASSWORD": "0a1b2c"}


def instructions(word):
    return [line.removeprefix(f"{word} ") for line in LINES if line.startswith(f"{word} ")]


def environment_of_the_site():
    """What compose gives the site, with a `.env` as the guide says."""
    block = COMPOSE.split("environment:")[1].split("volumes:")[0]
    told = dict(re.findall(r"^ {6}([A-Z_]+): (.+)$", block, re.MULTILINE))

    def filled(match):
        name, _, default = re.match(r"(\w+)(:[?-])?(.*)", match[1]).groups()
        return GIVEN.get(name, default)

    return {
        name: re.sub(r"\$\{([^}]+)\}", filled, value.strip('"')) for name, value in told.items()
    }


def test_every_image_is_pinned_to_a_version():
    images = instructions("FROM") + re.findall(r"image: (\S+)", COMPOSE)
    assert len(images) == 3
    assert all(re.search(r":\d+\.\d+", image) for image in images)


def test_the_container_runs_as_a_user_of_its_own():
    (user,) = instructions("USER")
    assert user not in ("root", "0")
    assert LINES.index(f"USER {user}") < LINES.index(f"CMD {instructions('CMD')[0]}")


def test_what_compose_sets_is_read_and_passes_every_deployment_check():
    environment = environment_of_the_site()
    settings = (ROOT / "league" / "settings.py").read_text("utf-8")
    assert all(f'"{name}"' in settings for name in environment)
    assert environment["SITE_ADDRESS"] == "https://euchre.example.org"
    answer = manage("check", "--deploy", "--fail-level", "WARNING", **environment)
    assert answer.returncode == 0, answer.stderr


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
def container(tmp_path):
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
    (command,) = instructions("CMD")
    words = [sys.executable, *json.loads(command)[1:]]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(words, cwd=here, env=environment, stdout=log, stderr=log)
        yield environment
        server.terminate()
        server.wait(timeout=20)


def healthy(environment):
    (check,) = instructions("HEALTHCHECK")
    words = json.loads(check[check.index("CMD ") + 4 :])
    asked = subprocess.run(
        [sys.executable, *words[1:]], env=environment, capture_output=True, check=False
    )
    return asked.returncode == 0


def test_the_files_in_the_container_are_enough_and_its_health_check_says_so(container):
    assert not healthy(container | {"PORT": "1"})
    end = time.monotonic() + 60
    while not healthy(container) and time.monotonic() < end:
        time.sleep(0.3)
    assert healthy(container)
    assert not healthy(container | {"ALLOWED_HOSTS": "another.example"})


def test_the_units_start_what_is_there():
    for unit in (ROOT / "deploy").glob("*.service"):
        (started,) = re.findall(
            r"^ExecStart=/srv/right-bower/site/(\S+) (\w+)", unit.read_text(), re.M
        )
        assert (ROOT / started[0]).exists()
        assert (ROOT / "league/management/commands" / f"{started[1]}.py").exists()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path):
    """As systemd reads them, with this checkout in the place of the one they name."""
    for unit in (ROOT / "deploy").glob("right-bower*"):
        here = unit.read_text().replace("/srv/right-bower/site", str(ROOT))
        (tmp_path / unit.name).write_text(here.replace("User=right-bower\n", ""))
    units = sorted(map(str, tmp_path.iterdir()))
    told = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout + told.stderr) == (0, "")
    assert len(units) >= 3
