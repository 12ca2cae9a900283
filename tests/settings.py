"""Settings under test: the site's own, made deaf to this machine's environment and quick."""

import os
import tempfile
from pathlib import Path

TESTED = {"DEBUG": "0", "HTTPS": "0", "SECRET_KEY": "for-tests-only", "WORKERS": "1"}
# Open, as most tests begin with an account or a club; tests/members/test_sign_up.py closes them.
TESTED |= {"SIGN_UP": "open", "START_CLUB": "anyone"}
for name in (
    "ALLOWED_HOSTS",
    "CACHE_URL",
    "EMAIL_URL",
    "HOST",
    "LOG_FORMAT",
    "METRICS_TOKEN",
    "PORT",
    "PYTHONDONTWRITEBYTECODE",  # each of the many processes would compile the site for itself
    "REPLICA_URL",
    "SENTRY_DSN",
    "SITE_ADDRESS",
    "STATIC_ROOT",
    "THREADS",
):
    os.environ.pop(name, None)
os.environ.update(TESTED)
os.environ["RIGHT_BOWER_ENV_FILE"] = os.devnull

from league.settings import *  # noqa: E402, F403
from league.settings import DATABASES, STORAGES  # noqa: E402

# A file and not memory: what is tested is the journal, the locks and the threads of a real club.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    DATABASES["default"]["TEST"] = {"NAME": f"{tempfile.gettempdir()}/right-bower-{run}.sqlite3"}

# A job runs where it is started; tests/faults has the process that works beside the pages.
TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Names without hashes: no collectstatic before a test. One test runs the real one.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STATIC_ROOT = Path(tempfile.gettempdir(), "right-bower-static")
STATIC_ROOT.mkdir(exist_ok=True)
# Memory: the counting of sign-in attempts is the same, and needs no database in other tests.
CACHES = {
    name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
    for name in ("default", "pages")
}
