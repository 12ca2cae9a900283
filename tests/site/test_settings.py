"""What the environment makes of the settings, and what the checks say of it."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.core.checks import WARNING, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

ROOT = Path(__file__).parents[2]
# Only read here, by the checks: nothing opens a connection with them.
pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"


def python(*arguments, **environment):
    """A Python with the site's own settings and exactly this environment."""
    bare = {
        "PATH": os.environ["PATH"],
        "RIGHT_BOWER_ENV_FILE": os.devnull,
        "DJANGO_SETTINGS_MODULE": "league.settings",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=bare | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def manage(*arguments, **environment):
    return python("manage.py", *arguments, **environment)


def settings_of(**environment):
    """The settings that this environment makes, without a process of their own."""
    bare = {"RIGHT_BOWER_ENV_FILE": os.devnull}
    with patch.dict(os.environ, bare | environment, clear=True):
        return SimpleNamespace(**runpy.run_path(str(ROOT / "league/settings.py")))


def complaints(*, deploy=False, **environment):
    """What the checks say of the settings that this environment makes."""
    found = vars(settings_of(**environment)).items()
    named = {name: value for name, value in found if name.isupper() and name != "INSTALLED_APPS"}
    with override_settings(**named):
        said = run_checks(include_deployment_checks=deploy)
        return {one.id for one in said if one.level >= WARNING and not one.is_silenced()}


def test_a_production_server_passes_every_deployment_check():
    answer = manage("check", "--deploy", "--fail-level", "WARNING", HTTPS="1", SECRET_KEY=KEY)
    assert answer.returncode == 0, answer.stderr
    assert complaints(deploy=True, HTTPS="1", SECRET_KEY=KEY) == set()


def test_without_https_the_deployment_checks_complain():
    assert "security.W012" in complaints(deploy=True, SECRET_KEY=KEY)


def test_a_server_without_a_secret_key_does_not_start_and_says_what_to_do():
    answer = manage("check")
    assert answer.returncode == 1
    assert "SECRET_KEY is not set. Start with bin/manage or bin/demo" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_server_that_sends_mail_is_asked_for_its_address():
    sending = {"SECRET_KEY": KEY, "EMAIL_URL": "smtp://mail.example"}
    assert "league.W006" in complaints(**sending)
    known = complaints(SITE_ADDRESS="https://euchre.example.org", **sending)
    assert "league.W006" not in known


@pytest.mark.parametrize("name", ["SIGN_UP", "START_CLUB"])
def test_a_word_that_a_setting_does_not_know_stops_the_server(name):
    with pytest.raises(ImproperlyConfigured, match=f"^{name} is 'everybody': it can be "):
        settings_of(SECRET_KEY=KEY, **{name: "everybody"})


def test_a_secret_key_is_made_up_for_development_only():
    assert complaints(DEBUG="1") == set()
    assert "security.W009" in complaints(deploy=True, DEBUG="1")


def test_under_https_cookies_are_bound_to_the_host():
    found = settings_of(HTTPS="1", SECRET_KEY=KEY)
    assert found.SESSION_COOKIE_NAME == "__Host-sessionid"
    assert (found.CSRF_COOKIE_NAME, found.CSRF_COOKIE_SECURE) == ("__Host-csrftoken", True)


@pytest.mark.parametrize(("setting", "name"), [("WORKERS", "2"), ("THREADS", "4")])
def test_a_second_worker_or_thread_on_sqlite_is_refused(setting, name):
    assert complaints(SECRET_KEY=KEY, **{setting: name}) == {"league.E002"}


def test_postgresql_may_have_several_workers_and_keeps_its_connections():
    url = "postgres://club:secret@db.example:5432/club"
    environment = {"SECRET_KEY": KEY, "DATABASE_URL": url, "WORKERS": "2"}
    assert complaints(**environment) == set()
    found = settings_of(**environment)
    assert (found.DATABASES["default"]["CONN_HEALTH_CHECKS"], found.THREADS) == (True, 4)


def test_postgresql_is_asked_by_prepared_statements_unless_its_address_says_otherwise():
    url = "postgres://club:secret@db.example/club?sslmode=require&prepare_threshold=9"
    options = settings_of(SECRET_KEY=KEY, DATABASE_URL=url).DATABASES["default"]["OPTIONS"]
    assert (options["sslmode"], options["prepare_threshold"]) == ("require", 9)
    found = settings_of(SECRET_KEY=KEY, DATABASE_URL=url.partition("?")[0])
    options = {"server_side_binding": True, "prepare_threshold": 5}
    assert found.DATABASES["default"]["OPTIONS"] == options


def test_a_copy_of_the_database_is_for_reading_and_kept_open_as_the_database_is():
    given = {"DATABASE_URL": "postgres://a:b@one/club", "REPLICA_URL": "postgres://a:b@two/club"}
    found = settings_of(SECRET_KEY=KEY, **given)
    copy = found.DATABASES["replica"]
    assert (copy["HOST"], copy["CONN_MAX_AGE"]) == ("two", 600)
    assert found.DATABASE_ROUTERS == ["league.database.PublicPages"]


def test_without_a_copy_there_is_no_router():
    found = vars(settings_of(SECRET_KEY=KEY))
    assert ("DATABASE_ROUTERS" in found, list(found["DATABASES"])) == (False, ["default"])


def test_several_machines_may_share_parts_of_pages_and_always_share_counted_sign_ins():
    def caches(**more):
        found = settings_of(SECRET_KEY=KEY, **more).CACHES.values()
        return [cache["BACKEND"].rpartition(".")[2] for cache in found]

    assert caches() == ["DatabaseCache", "LocMemCache"]
    assert caches(CACHE_URL="redis://cache:6379/0") == ["DatabaseCache", "SharedCache"]


def test_a_release_reads_nothing_that_another_has_put_into_the_shared_cache(monkeypatch):
    def prefix():
        found = settings_of(SECRET_KEY=KEY, CACHE_URL="redis://cache:6379/0")
        return found.CACHES["pages"]["KEY_PREFIX"]

    ours = prefix()
    assert prefix() == ours
    monkeypatch.setattr(Path, "read_bytes", lambda path: b"another release")
    assert prefix() != ours
