"""Each system check of ours finds what it is there to find."""

import sqlite3

import pytest
from django.core.checks import run_checks
from django.db import connection, transaction

from league import checks
from tests.site.test_settings import KEY, manage

# Only read here, by our own checks: nothing opens a connection with them.
pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")


def ids(messages):
    return [message.id for message in messages]


def on_sqlite(settings, **options):
    database = {"ENGINE": "django.db.backends.sqlite3", "OPTIONS": options}
    settings.DATABASES = {"default": database}


def test_sqlite_with_the_wal_reset_bug_is_warned_of(settings, monkeypatch):
    on_sqlite(settings)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    assert ids(checks.sqlite_is_repaired()) == ["league.W001"]
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    assert ids(checks.sqlite_is_repaired()) == []


def test_a_transaction_that_does_not_lock_at_once_is_refused(settings):
    on_sqlite(settings, transaction_mode="DEFERRED")
    assert ids(checks.sqlite_takes_the_lock_first()) == ["league.E003"]
    on_sqlite(settings, transaction_mode="IMMEDIATE")
    assert ids(checks.sqlite_takes_the_lock_first()) == []


@pytest.mark.parametrize(("workers", "threads", "found"), [(1, 1, 0), (2, 1, 1), (1, 2, 1)])
def test_more_than_one_worker_on_sqlite_is_refused(settings, workers, threads, found):
    on_sqlite(settings)
    settings.WORKERS, settings.THREADS = workers, threads
    assert ids(checks.sqlite_has_one_worker()) == ["league.E002"] * found


def test_nothing_is_said_of_sqlite_on_postgresql(settings, monkeypatch):
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql"}}
    settings.WORKERS = 4
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    assert checks.sqlite_is_repaired() == []
    assert checks.sqlite_has_one_worker() == []
    assert checks.sqlite_takes_the_lock_first() == []
    assert checks.sqlite_keeps_what_it_acknowledges(databases=["default"]) == []


def test_a_server_that_cannot_send_mail_is_told_of(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    assert ids(checks.mail_can_be_sent()) == ["league.I005"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert checks.mail_can_be_sent() == []


def test_the_checks_are_registered():
    assert "league" in checks.__name__
    assert [m for m in run_checks(include_deployment_checks=False) if m.is_serious()] == []


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
class TestSQLiteInForce:
    """Asked of a real connection to a real file, as production opens it."""

    def pragma_value(self, pragma):
        with connection.cursor() as cursor:
            return cursor.execute(f"PRAGMA {pragma}").fetchone()[0]

    def test_the_library_is_free_of_the_wal_reset_bug(self):
        with connection.cursor() as cursor:
            version = cursor.execute("SELECT sqlite_version()").fetchone()[0]
        assert tuple(int(part) for part in version.split(".")) >= (3, 51, 3)

    def test_what_is_acknowledged_is_on_the_disk(self):
        assert self.pragma_value("journal_mode") == "wal"
        assert self.pragma_value("synchronous") == checks.FULL

    def test_foreign_keys_are_enforced(self):
        assert self.pragma_value("foreign_keys") == 1

    def test_no_memory_map_is_used(self):
        assert self.pragma_value("mmap_size") == 0

    def test_a_transaction_holds_the_write_lock_from_its_first_moment(self):
        path = connection.settings_dict["NAME"]
        with transaction.atomic():
            other = sqlite3.connect(path, timeout=0)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
            other.close()

    @pytest.mark.parametrize(
        ("pragma", "name"),
        [("synchronous=NORMAL", "synchronous"), ("foreign_keys=OFF", "foreign_keys")],
    )
    def test_a_connection_that_could_lose_hands_is_refused(self, pragma, name):
        assert checks.sqlite_keeps_what_it_acknowledges(databases=["default"]) == []
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {pragma}")
        found = checks.sqlite_keeps_what_it_acknowledges(databases=["default"])
        connection.close()
        assert ids(found) == ["league.E004"]
        assert name in found[0].msg


@pytest.mark.parametrize(
    ("hosts", "proxies", "found"),
    [
        (["euchre.example.org", ".club.example", "192.168.0.7"], ["127.0.0.1", "10.0.0.0/8"], []),
        (["localhost"], [], []),
        (["*"], [], ["league.E006"]),
        (["localhost", "*"], ["127.0.0.1"], ["league.E006"]),
        (["."], [], ["league.E006"]),
        ([".org"], [], ["league.E006"]),
        (["localhost"], ["*"], ["league.E007"]),
        (["localhost"], ["127.0.0.1", "*"], ["league.E007"]),
        (["localhost"], ["0.0.0.0/0"], ["league.E007"]),
        (["localhost"], ["0.0.0.0/1", "128.0.0.0/1"], ["league.E007"]),
        (["localhost"], ["::/0"], ["league.E007"]),
        (["*"], ["*"], ["league.E006", "league.E007"]),
    ],
)
def test_a_server_for_every_name_or_with_every_proxy_does_not_start(
    settings, hosts, proxies, found
):
    settings.ALLOWED_HOSTS, settings.TRUSTED_PROXIES = hosts, proxies
    assert ids(checks.only_known_hosts_and_proxies(databases=["default"])) == found
    assert checks.only_known_hosts_and_proxies() == []  # other commands run: a backup is made


def test_what_a_server_refuses_to_start_with_stands_on_the_terminal(tmp_path):
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/club.sqlite3", "SECRET_KEY": KEY}
    wrong = {"ALLOWED_HOSTS": "*", "TRUSTED_PROXIES": "*"}
    answer = manage("check", "--database", "default", **environment, **wrong)
    assert answer.returncode == 1
    assert answer.stderr.count("Set it to") == 2
    assert all(f"{setting} " in answer.stderr for setting in wrong)
