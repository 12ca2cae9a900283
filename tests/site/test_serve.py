"""The server starts ready to use, and says in a sentence why it cannot."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from django.core.management import CommandError, call_command

from tests.faults.upgrades import NEXT
from tests.site.test_settings import KEY, ROOT


@pytest.fixture
def taken_port():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_a_taken_port_is_told_before_anything_is_touched(settings, taken_port):
    settings.PORT = taken_port
    with pytest.raises(CommandError, match=f"Cannot serve on 127.0.0.1:{taken_port}"):
        call_command("serve")


@pytest.fixture
def served(tmp_path, empty_database):
    """A server as `bin/manage serve` starts the next version (tests/faults/next_version), behind a
    proxy that speaks HTTPS to the world."""
    port = free_port()
    shutil.copy(empty_database, tmp_path / "club.sqlite3")
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": NEXT,
        "RIGHT_BOWER_ENV_FILE": os.devnull,
        "SECRET_KEY": KEY,
        "DATABASE_URL": f"sqlite:///{tmp_path}/club.sqlite3",
        "STATIC_ROOT": str(tmp_path / "static"),
        "PORT": str(port),
        "HTTPS": "1",
        "ALLOWED_HOSTS": "club.example",
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    log = (tmp_path / "log").open("w")
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment, stdout=log, stderr=log
    )
    wait_for(server, port, tmp_path / "log")
    yield port, tmp_path / "log"
    server.terminate()
    server.wait()
    log.close()


def wait_for(server, port, log):
    """Until the server listens: as long as it takes, and no longer than it lives."""
    while True:
        assert server.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def answer_of(port, path, scheme):
    """The answer, asked for through a proxy."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        headers={
            "Host": "club.example",
            "X-Forwarded-Proto": scheme,
            "X-Forwarded-For": "203.0.113.9",
        },
    )
    opener = urllib.request.build_opener(NoRedirect)
    try:
        return opener.open(request, timeout=60)
    except urllib.error.HTTPError as answer:
        return answer


def test_an_upgraded_server_behind_a_proxy_migrates_serves_and_keeps_cookies_to_itself(served):
    port, log = served
    assert answer_of(port, "/readyz", "https").status == 200
    page = answer_of(port, "/accounts/login/", "https")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    cookies = page.headers.get_all("Set-Cookie")
    assert any(c.startswith("__Host-csrftoken=") and "; Secure" in c for c in cookies)
    assert ".css" in page.read().decode()
    plain = answer_of(port, "/accounts/login/", "http")
    assert plain.status == 301
    assert plain.headers["Location"] == "https://club.example/accounts/login/"
    answer_of(port, "/t/abc:def?key=secret", "https")
    written = log.read_text()
    assert written.startswith("Bringing the database up to date …\nCollecting the static files …\n")
    assert "GET /accounts/login/ 200" in written
    assert "abc:def" not in written
    assert "secret" not in written
