"""The same promises on PostgreSQL, with workers and threads that truly run at once."""

import http.client
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from league.laptop.actions import make_sheet
from league.laptop.backups import RECOVERY, make_backup
from league.laptop.place import Place
from tests.faults.balancer import Balancer
from tests.faults.hall import KEY, ORGANISER, PASSWORD, ROOT, environment, furnish
from tests.faults.injections import (
    correct_in_a_race,
    cut_connections,
    kill_one_of_two,
    kill_server,
    race,
    restart_postgres,
    send_twice,
)
from tests.faults.postgres import Postgres
from tests.faults.scene import Scene, until
from tests.faults.server import Server
from tests.faults.standby import Standby
from tests.faults.upgrades import (
    Upgrade,
    fill_previous,
    old_process_on_new_database,
    tables_of,
)
from tests.real_server import called

pytestmark = pytest.mark.postgresql
AT_ONCE = {"workers": 2, "threads": 4}
PHONES = 6
NIGHT = "SELECT c.slug, s.public_id FROM league_session s JOIN league_club c ON c.id = s.club_id"


@pytest.fixture(scope="session")
def postgres():
    # Not in pytest's own folder: the server runs as another user, and pytest shuts that one out.
    with tempfile.TemporaryDirectory(prefix="right-bower-pg-") as folder:
        Path(folder).chmod(0o711)
        server = Postgres(Path(folder, "data"))
        yield server
        server.stop()


@pytest.fixture(scope="session")
def hall(postgres, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hall")
    return folder, furnish(postgres.create("hall"), folder, tables=2 * PHONES)


@pytest.fixture
def a_scene(postgres, hall, tmp_path):
    folder, places = hall
    started = []

    def begin(breaks="", **how):
        extra = {"STATIC_ROOT": str(folder / "static")}
        url = postgres.copy("hall")
        server = Server(url, tmp_path, breaks=breaks, extra=extra, **(AT_ONCE | how))
        started.append(server)
        return Scene(server.start(), places)

    yield begin
    for server in started:
        server.stop(10)


@pytest.fixture
def two_servers(postgres, hall, tmp_path):
    """Two processes on one database behind a proxy, as two machines would stand there."""
    folder, places = hall
    started = []

    def begin(breaks=""):
        extra, url = {"STATIC_ROOT": str(folder / "static")}, postgres.copy("hall")
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            server = Server(url, tmp_path / name, breaks=breaks, extra=extra, threads=4)
            started.append(server.start())
        proxy = Balancer(started).start()
        started.append(proxy)
        return Scene(proxy, places), started[:2]

    yield begin
    for server in reversed(started):
        server.stop(10)


def test_of_two_processes_one_is_killed_and_every_phone_sees_one_error_at_most(two_servers):
    scene, servers = two_servers()
    figures = kill_one_of_two(scene, servers, phones=PHONES)
    assert scene.wrong() == []
    assert figures["errors_of_one_phone"] <= 1
    assert min(scene.server.taken) > 0


def test_f1_a_server_killed_in_a_burst_has_every_hand_it_acknowledged(a_scene):
    scene = a_scene()
    kill_server(scene, rounds=1, phones=PHONES)
    assert scene.wrong() == []


def test_f3_f4_f5_races_end_as_they_should(a_scene):
    scene = a_scene()
    send_twice(scene, hands=5)
    race(scene, hands=6)
    correct_in_a_race(scene, rounds=5)
    assert scene.wrong() == []


def test_f3_f4_f5_control_a_site_without_its_lock_is_found_out(a_scene):
    scene = a_scene(breaks="lock_nothing")
    race(scene, hands=25)
    assert scene.wrong()


def test_a_laptops_backup_moves_to_a_server_with_accounts_and_codes(
    postgres, hall, furnished, tmp_path
):
    """One file out, one in: an old code opens its table there, and an old password signs in."""
    words, kept = make_sheet(KEY)
    laptop = Place(tmp_path / "laptop")
    laptop.make()
    shutil.copy(furnished[0], laptop.database)
    (laptop.folder / RECOVERY).write_text(kept)
    backup = make_backup(laptop, at=datetime(2026, 11, 22, tzinfo=UTC))
    url = postgres.copy("hall")
    restore = ["restore_backup", str(backup)]
    full, emptied, wrong, moved = called(
        environment(url, tmp_path),
        restore,
        ["flush", "--noinput"],
        [*restore, "--words", "six words of some other sheet"],
        [*restore, "--words", " ".join(words)],
    )
    assert "has accounts already" in full[1]
    assert "don't match" in wrong[1]
    assert f"SECRET_KEY={KEY}" in moved[1]
    assert [failed for failed, _ in (full, emptied, wrong, moved)] == [True, False, True, False]
    with Server(url, tmp_path, extra={"STATIC_ROOT": str(hall[0] / "static")}) as server:
        scene = Scene(server, furnished[1])
        (phone,) = scene.come_in(1)
        assert phone.insist(phone.next_hand())
        phone.sign_in(ORGANISER, PASSWORD)
        assert scene.wrong() == []


def test_f9_a_crash_in_a_burst_and_connections_cut_around_commits_lose_and_double_nothing(
    a_scene, postgres
):
    scene = a_scene(workers=1)
    crash = restart_postgres(scene, postgres=postgres, phones=PHONES)
    cuts = cut_connections(scene, postgres=postgres, phones=PHONES, times=8)
    assert scene.wrong() == []
    assert crash["recovered_after_s"] < 5
    assert cuts["connections_cut"] > 8


MIGRATE = """import django; django.setup()
from league.management.commands.serve import migrate; migrate()"""


def test_two_machines_started_together_bring_a_database_of_before_over_one_after_the_other(
    postgres, hall, tmp_path
):
    """It is of before the migrations became one."""
    upgrade = Upgrade(fill_previous(postgres.create("previous"), tmp_path, copies=1), tmp_path)
    own = upgrade.environment | {"DJANGO_SETTINGS_MODULE": "league.settings"}
    words = [sys.executable, "-c", MIGRATE]
    both = [subprocess.Popen(words, cwd=ROOT, env=own, stderr=subprocess.PIPE) for _ in range(2)]
    assert [(one.communicate()[1], one.returncode) for one in both] == [(b"", 0)] * 2
    assert tables_of(upgrade.database_url) == tables_of(postgres.url("hall"))
    assert len(upgrade.before["game"]) == 2
    assert upgrade.wrong() == []  # all games counted anew are among it


def page_of(server, path):
    """What somebody who is nobody in particular is shown."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    line.request("GET", path)
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    assert answer.status == 200, text[:300]
    return text


def points_of(page):
    """All figures of the table, and the revision that they are of."""
    revision = re.search(r'data-revision="(\d+)"', page)
    return revision and int(revision[1]), re.findall(r'<td class="num[^>]*>([^<]*)<', page)


@pytest.fixture
def standby(postgres):
    server = Standby(postgres, Path(postgres.server.pgdata).with_name("standby"))
    yield server
    server.stop()


def test_the_public_reads_an_evening_from_a_standby_late_but_whole(
    postgres, hall, standby, tmp_path
):
    (folder, places), url = hall, postgres.copy("hall")
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("UPDATE league_club SET visibility = 'standings'")
        path = "/c/{}/s/{}/standings/".format(*db.execute(NIGHT).fetchone())
    name = url.partition("?")[0].rpartition("/")[2]
    extra = {"STATIC_ROOT": str(folder / "static"), "REPLICA_URL": standby.url(name)}
    with Server(url, tmp_path, extra=extra) as server:
        scene = Scene(server, places)
        (phone,) = scene.come_in(1)
        phone.insist(phone.next_hand())
        standby.catch_up()
        first = points_of(page_of(server, path))
        standby.stand_still()
        phone.insist(phone.next_hand())  # nobody waits for the standby
        assert points_of(page_of(server, path)) == first
        assert standby.ask(name, "SELECT count(*) FROM league_hand") == [(1,)]
        standby.go_on()
        standby.catch_up()
        now = points_of(page_of(server, path))
        assert now != first
        assert "does not answer" not in server.log.read_text()
        standby.stop()
        assert points_of(page_of(server, path)) == now  # from the database itself
        until(lambda: "does not answer" in server.log.read_text())
    assert scene.wrong() == []


def test_f18_no_hand_that_waited_for_the_migration_is_written_by_the_old_process(a_scene):
    scene = a_scene(workers=1)
    old_process_on_new_database(scene, phones=3, refusals=6)
    assert scene.wrong() == []
