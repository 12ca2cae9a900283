"""What the environment makes of the settings, as a server sees it: in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


def value_of(expression, **environment):
    """What the settings say; no app is loaded for it."""
    code = f"from django.conf import settings; print({expression})"
    return python("-c", code, **environment).stdout.strip()


def test_a_production_server_passes_every_deployment_check():
    answer = manage("check", "--deploy", "--fail-level", "WARNING", HTTPS="1", SECRET_KEY=KEY)
    assert answer.returncode == 0, answer.stderr


def test_without_https_the_deployment_checks_complain():
    answer = manage("check", "--deploy", "--fail-level", "WARNING", SECRET_KEY=KEY)
    assert answer.returncode == 1
    assert "security.W012" in answer.stderr


def test_a_server_without_a_secret_key_does_not_start_and_says_what_to_do():
    answer = manage("check")
    assert answer.returncode == 1
    assert "SECRET_KEY is not set. Start with bin/manage or bin/demo" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_server_that_sends_mail_is_asked_for_its_address():
    sending = {"SECRET_KEY": KEY, "EMAIL_URL": "smtp://mail.example"}
    assert "league.W006" in manage("check", **sending).stderr
    known = manage("check", SITE_ADDRESS="https://euchre.example.org", **sending)
    assert "league.W006" not in known.stderr


@pytest.mark.parametrize("name", ["SIGN_UP", "START_CLUB"])
def test_a_word_that_a_setting_does_not_know_stops_the_server(name):
    answer = manage("check", SECRET_KEY=KEY, **{name: "everybody"})
    assert answer.returncode == 1
    assert f"{name} is 'everybody': it can be " in answer.stderr


def test_a_secret_key_is_made_up_for_development_only():
    assert manage("check", DEBUG="1").returncode == 0
    assert manage("check", "--deploy", "--fail-level", "WARNING", DEBUG="1").returncode == 1


def test_under_https_cookies_are_bound_to_the_host():
    names = "settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.CSRF_COOKIE_SECURE"
    answer = value_of(names, HTTPS="1", SECRET_KEY=KEY)
    assert answer == "__Host-sessionid __Host-csrftoken True"


@pytest.mark.parametrize(("setting", "name"), [("WORKERS", "2"), ("THREADS", "4")])
def test_a_second_worker_or_thread_on_sqlite_is_refused(setting, name):
    answer = manage("check", SECRET_KEY=KEY, **{setting: name})
    assert answer.returncode == 1
    assert "league.E002" in answer.stderr


def test_postgresql_may_have_several_workers_and_keeps_its_connections():
    url = "postgres://club:secret@db.example:5432/club"
    environment = {"SECRET_KEY": KEY, "DATABASE_URL": url, "WORKERS": "2"}
    assert manage("check", **environment).returncode == 0
    kept = "settings.DATABASES['default']['CONN_HEALTH_CHECKS'], settings.THREADS"
    assert value_of(kept, **environment) == "True 4"


def test_postgresql_is_asked_by_prepared_statements_unless_its_address_says_otherwise():
    options = "settings.DATABASES['default']['OPTIONS']"
    code = f"[{options}[name] for name in ('sslmode', 'prepare_threshold')]"
    url = "postgres://club:secret@db.example/club?sslmode=require&prepare_threshold=9"
    assert value_of(code, SECRET_KEY=KEY, DATABASE_URL=url) == "['require', 9]"
    answer = value_of(options, SECRET_KEY=KEY, DATABASE_URL=url.partition("?")[0])
    assert answer == "{'server_side_binding': True, 'prepare_threshold': 5}"


def test_a_copy_of_the_database_is_for_reading_and_kept_open_as_the_database_is():
    given = {"DATABASE_URL": "postgres://a:b@one/club", "REPLICA_URL": "postgres://a:b@two/club"}
    code = "settings.DATABASES['replica']['HOST'], settings.DATABASES['replica']['CONN_MAX_AGE']"
    answer = value_of(f"{code}, settings.DATABASE_ROUTERS", SECRET_KEY=KEY, **given)
    assert answer == "two 600 ['league.database.PublicPages']"


def test_without_a_copy_there_is_no_router():
    assert value_of("settings.DATABASE_ROUTERS, list(settings.DATABASES)", SECRET_KEY=KEY) == (
        "[] ['default']"
    )


def test_several_machines_may_share_parts_of_pages_and_always_share_counted_sign_ins():
    code = "[cache['BACKEND'].rpartition('.')[2] for cache in settings.CACHES.values()]"
    alone = value_of(code, SECRET_KEY=KEY)
    shared = value_of(code, SECRET_KEY=KEY, CACHE_URL="redis://cache:6379/0")
    assert alone == "['DatabaseCache', 'LocMemCache']"
    assert shared == "['DatabaseCache', 'SharedCache']"
